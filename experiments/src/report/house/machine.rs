//! The short name of the machine that records were made on.

use crate::records::machine::Machine;

/// Words of processors' names that tell none from another.
const EMPTY: [&str; 8] = ["intel", "amd", "r", "tm", "cpu", "processor", "core", "ghz"];

/// The machine's name: the words of the processor's name, `m` and the
/// maker's number of the model where there is no number among them, and how many processors the system has.
/// Of an unknown processor the architecture's name. Made of small letters, digits and hyphens, so that a
/// folder can have it.
pub(super) fn name(machine: &Machine) -> String {
    let processor = machine.cpu.clone().unwrap_or_default();
    let cpu = processor.name.unwrap_or_default().to_ascii_lowercase();
    // What follows is a frequency.
    let cpu = cpu.split('@').next().unwrap_or_default();
    let mut words: Vec<_> = words(cpu).filter(|word| !EMPTY.contains(&word.as_str())).collect();
    let has_number = words.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
    let model = processor.model.filter(|_| !has_number).unwrap_or_default().to_ascii_lowercase();
    words.extend(self::words(&model).map(|model| format!("m{model}")));
    if words.is_empty() {
        let arch = if machine.arch.is_empty() { "unknown" } else { &machine.arch };
        words.extend(self::words(&arch.to_ascii_lowercase()));
    }
    words.extend((machine.cores > 0).then(|| machine.cores.to_string()));
    words.join("-")
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn machines_are_named_by_processor_and_cores() {
        let named = |cpu: Value| {
            let machine = json!({"arch": "aarch64", "cores": 2, "cpu": cpu});
            name(&serde_json::from_value(machine).unwrap())
        };
        for (cpu, expected) in [
            (json!({"name": "AMD EPYC", "family": "25", "model": "17"}), "epyc-m17-2"),
            (json!({"name": "Intel(R) Xeon(R) Processor", "model": "207"}), "xeon-m207-2"),
            (
                json!({"name": "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "model": "79"}),
                "xeon-e5-2680-v4-2",
            ),
            (json!({"name": "Apple M2"}), "apple-m2-2"),
            (json!({"name": "../.."}), "aarch64-2"),
            (json!({"name": null, "model": "3"}), "m3-2"),
            (Value::Null, "aarch64-2"),
        ] {
            assert_eq!(named(cpu.clone()), expected, "{cpu}");
        }
        assert_eq!(name(&Machine::default()), "unknown");
    }
}
