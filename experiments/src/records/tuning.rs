//! The parameters of the search in the records.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use starsplit::search::Options;
use starsplit_doors::retired::RETIRED;
use starsplit_options::{DECLARED, OptionValue};
use std::collections::BTreeMap;

/// The parameters of the search: names of options with their values, numbers, switches and texts. Which they
/// are, their declarations in the library say. Of options that are no more, those of searches that did
/// something else than all do now.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<String, Value>")]
pub struct Tuning(BTreeMap<String, Value>);

impl From<BTreeMap<String, Value>> for Tuning {
    fn from(mut all: BTreeMap<String, Value>) -> Self {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let is_retired = |name: &str, value: &Value| {
            RETIRED.iter().any(|(flag, left)| *flag == name.replace('_', "-") && *left == text(value))
        };
        all.retain(|name, value| !is_retired(name, value));
        // What older records have under another name, and by another value.
        if let Some(value) = all.remove("company") {
            all.insert("sibling_batch".to_owned(), value);
        }
        if let Some(depth) = all.get_mut("move_probing_depth").filter(|depth| **depth == 255) {
            *depth = false.into();
        }
        Tuning(all)
    }
}

impl Tuning {
    /// Those of searches under `options`.
    pub fn of(options: &Options) -> Self {
        let recorded = DECLARED.iter().filter(|declared| declared.is_recorded(options));
        Tuning(recorded.map(|declared| (declared.name.to_owned(), json(declared.get(options)))).collect())
    }
}

impl Serialize for Tuning {
    /// In the order of the declarations.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = |name: &str| DECLARED.iter().position(|declared| declared.name == name);
        let mut entries: Vec<_> = self.0.iter().collect();
        entries.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        serializer.collect_map(entries)
    }
}

fn json(value: OptionValue) -> Value {
    match value {
        OptionValue::Number(number) => number.into(),
        OptionValue::Switch(is_on) => is_on.into(),
        OptionValue::Name(name) => name.into(),
        auto @ OptionValue::Auto => auto.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit::search::Splits;
    use std::time::Duration;

    /// What records say of the default search.
    const DEFAULT: &str = concat!(
        r#"{"probing_factor":"auto","successor_probing_depth":4,"table_depth":"auto","leaf_collapse":true,"#,
        r#""static_bounds":true,"move_probing_depth":false,"reuse":"exact","split_depth":"auto","#,
        r#""split_size":"auto"}"#,
    );

    #[test]
    fn the_default_search_is_recorded_so() {
        assert_eq!(serde_json::to_string(&Tuning::of(&Options::default())).unwrap(), DEFAULT);
        assert_eq!(
            serde_json::from_str::<Tuning>(DEFAULT).unwrap(),
            Tuning::of(&Options::default()),
            "read back"
        );
    }

    #[test]
    fn the_default_search_of_then_is_recorded_as_ever() {
        let options = Options {
            probing_factor: Some(1),
            table_depth: Some(3),
            splits: Splits { depth: Some(7), size: Some(400), ..Splits::default() },
            ..Options::default()
        };
        let numbers = [("probing_factor", 1), ("table_depth", 3), ("split_depth", 7), ("split_size", 400)];
        let then = numbers.iter().fold(DEFAULT.to_owned(), |text, (name, number)| {
            text.replace(&format!(r#""{name}":"auto""#), &format!(r#""{name}":{number}"#))
        });
        assert_eq!(serde_json::to_string(&Tuning::of(&options)).unwrap(), then);
    }

    #[test]
    fn of_options_that_are_no_more_only_other_searches_are_told() {
        let then = DEFAULT.replace(
            r#""reuse":"exact","#,
            r#""internal_deepening_depth":255,"reuse":"exact","history":"live","probe_hints":"always","#,
        );
        assert_eq!(serde_json::from_str::<Tuning>(&then).unwrap(), Tuning::of(&Options::default()));
        for (name, value) in [("history", r#""none""#), ("internal_deepening_depth", "5")] {
            let other = DEFAULT.replace('{', &format!(r#"{{"{name}":{value},"#));
            assert_ne!(serde_json::from_str::<Tuning>(&other).unwrap(), Tuning::of(&Options::default()));
        }
    }

    #[test]
    fn an_option_by_its_former_name_or_value_is_the_same_option() {
        let read = |name| serde_json::from_str::<Tuning>(&format!(r#"{{"{name}":"rest"}}"#)).unwrap();
        assert_eq!(read("company"), read("sibling_batch"));
        let then = DEFAULT.replace(r#""move_probing_depth":false"#, r#""move_probing_depth":255"#);
        assert_eq!(serde_json::from_str::<Tuning>(&then).unwrap(), Tuning::of(&Options::default()));
    }

    #[test]
    fn young_options_are_recorded_where_they_are_not_the_default() {
        let options = Options {
            splits: Splits { helpers_after: Duration::ZERO, ..Splits::default() },
            ..Options::default()
        };
        let text = serde_json::to_string(&Tuning::of(&options)).unwrap();
        assert_eq!(text, DEFAULT.replace("\"split_depth\"", "\"helpers_after_us\":0,\"split_depth\""));
    }
}
