//! Rules as text, such as numbers: `target=100,die=6`.

use crate::Invalid;
use std::ops::RangeInclusive;

/// The parts of rules, which commas part: each without spaces around it, empty ones left out.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Reads `text`, numbers by their names: any of the `rules`, each within its range, in any order; `None` for
/// what is left out.
///
/// # Errors
/// When a rule is none of these, is given twice, or is no number in its range.
pub(crate) fn numbers<const N: usize>(
    text: &str,
    rules: [(&str, RangeInclusive<u32>); N],
) -> Result<[Option<u32>; N], Invalid> {
    let mut found = [None; N];
    for part in parts(text) {
        let named = part.split_once('=').and_then(|(name, value)| {
            let index = rules.iter().position(|(known, _)| *known == name)?;
            Some((index, value))
        });
        let Some((index, value)) = named else {
            let known: Vec<_> = rules.iter().map(|(name, _)| format!("{name}=N")).collect();
            return Err(Invalid::new("rule", part, known.join(" or ")));
        };
        let (name, range) = &rules[index];
        if found[index].is_some() {
            return Err(Invalid::new("rule", part, format_args!("{name} once")));
        }
        let is_allowed = |number: &u32| range.contains(number);
        found[index] = Some(number(value).filter(is_allowed).ok_or_else(|| {
            Invalid::new(name, value, format_args!("a number from {} to {}", range.start(), range.end()))
        })?);
    }
    Ok(found)
}

/// The number that `text` is, in digits and nothing else.
pub(crate) fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_by_name_and_refused_by_name() {
        let read = |text| numbers(text, [("size", 3..=7), ("stones", 3..=6)]);
        assert_eq!(read(""), Ok([None, None]));
        assert_eq!(read(" stones=6 , size=5,"), Ok([Some(5), Some(6)]));
        for (bad, complaint) in [
            ("size=8", "size 8: expected a number from 3 to 7"),
            ("size=+5", "size +5: expected a number from 3 to 7"),
            ("size=", "size \"\": expected a number from 3 to 7"),
            ("size=99999999999", "size 99999999999: expected a number from 3 to 7"),
            ("size=5,size=5", "rule size=5: expected size once"),
            ("Size=5", "rule Size=5: expected size=N or stones=N"),
            ("5", "rule 5: expected size=N or stones=N"),
        ] {
            assert_eq!(read(bad).unwrap_err().to_string(), complaint);
        }
    }
}
