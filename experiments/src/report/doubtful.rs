//! Methods whose simulated speedups are not to be taken at their word.

/// Those whose simulated speedup on two processors is off by more than a tenth of the real one, where it can
/// be compared (METHODOLOGY, "Virtual processors"): none at present. A test holds this list against the
/// record.
const DOUBTFUL: &[&str] = &[];

/// What is said of such a curve beside its name.
const MARK: &str = "off by > 10% on 2";

/// What is to be said of searches by a method, simulated or real, if they are not to be taken at their word.
pub(super) fn mark(method: &str, is_simulated: bool) -> Option<&'static str> {
    mark_among(DOUBTFUL, method, is_simulated)
}

fn mark_among(doubtful: &[&str], method: &str, is_simulated: bool) -> Option<&'static str> {
    (is_simulated && doubtful.contains(&method)).then_some(MARK)
}

/// The name of a curve with its mark.
pub(super) fn named(name: String, mark: Option<&str>) -> String {
    match mark {
        Some(mark) => format!("{name} ({mark})"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The records of real and of simulated searches by every method, set side by side.
    const RECORDED: &str = "../results/current/simulate-two/epyc-m2-2/against.json";

    #[test]
    fn a_doubtful_method_is_marked_beside_its_name() {
        let label = |method: &str, is_simulated| {
            named(method.to_owned(), mark_among(&["abdada"], method, is_simulated))
        };
        assert_eq!(label("abdada", true), "abdada (off by > 10% on 2)");
        assert_eq!([label("abdada", false), label("both", true)], ["abdada", "both"]);
    }

    #[test]
    fn marked_are_those_that_the_record_has_beyond_a_tenth() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORDED);
        let against: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let models = against["models"].as_array().unwrap();
        let off = |row: &&Value| row["residual"]["large"]["median"].as_f64().unwrap().abs() > 0.1;
        let rows = models.iter().flat_map(|model| model["parallel"].as_array().unwrap());
        let found: BTreeSet<_> = rows.filter(off).map(|row| row["method"].as_str().unwrap()).collect();
        assert_eq!(found, DOUBTFUL.iter().copied().collect());
    }
}
