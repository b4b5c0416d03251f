//! JSON as records have it: no object in it has a key twice. Readers disagree about which of the two counts.

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

/// Looks whether a text is JSON with every key once.
///
/// # Errors
/// When it is not.
pub(crate) fn check(text: &str) -> Result<(), String> {
    serde_json::from_str(text).map(|Once| ()).map_err(|error| error.to_string())
}

/// Any JSON whose objects have every key once. Nothing of it is kept.
struct Once;

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OnceVisitor)
    }
}

struct OnceVisitor;

impl<'de> Visitor<'de> for OnceVisitor {
    type Value = Once;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Once, E> {
        Ok(Once)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Once, E> {
        Ok(Once)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Once, E> {
        Ok(Once)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Once, E> {
        Ok(Once)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Once, E> {
        Ok(Once)
    }

    fn visit_str<E>(self, _: &str) -> Result<Once, E> {
        Ok(Once)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Once, A::Error> {
        while list.next_element::<Once>()?.is_some() {}
        Ok(Once)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Once, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(Key(key)) = object.next_key()? {
            object.next_value::<Once>()?;
            if let Some(key) = keys.replace(key) {
                return Err(A::Error::custom(format_args!("expected every key once, {key:?} stands twice")));
            }
        }
        Ok(Once)
    }
}

/// A key, borrowed from the text where it stands there as it is.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'k>(#[serde(borrow)] Cow<'k, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_refused_wherever_it_is() {
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":{"b":null,"c":true,"b":-2.5}}"#,
            r#"[1,[{"a":"x","b":[],"a":{}}]]"#,
            r#"{"ab":1,"\u0061b":2}"#,
        ] {
            let complaint = check(text).unwrap_err();
            assert!(complaint.starts_with("expected every key once, \""), "{complaint}");
        }
        assert_eq!(check(r#"{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":0.5},"A":false,"":null}"#), Ok(()));
        assert!(["{", "", "{} 1"].into_iter().all(|text| check(text).is_err()));
    }
}
