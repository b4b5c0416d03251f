//! Numbers of which a first and a last one stand for all between.

use crate::cli::BadInput;
use crate::cli::values::{List, whole_number};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The most positions that a first and a last one stand for: a suite has fewer.
const MOST_POSITIONS: u64 = 10_000;

/// The numbers that a text stands for: a single one, or the first and the last of at most so many things.
///
/// # Errors
/// When one is none, or they are more.
pub(crate) fn range(
    number: impl Fn(&str) -> Result<u64, BadInput>,
    text: &str,
    (thing, most, things): (&str, u64, &str),
) -> Result<RangeInclusive<u64>, BadInput> {
    let ends = text.split_once('-').filter(|(first, _)| !first.is_empty());
    let (first, last) = ends.unwrap_or((text, text));
    let (first, last) = (number(first.trim())?, number(last.trim())?);
    if last.checked_sub(first).is_none_or(|more| more >= most) {
        let complaint = format!("expected the first and the last of 1 to {most} {things}, such as 1-6");
        return Err(BadInput::new(thing, text, complaint));
    }
    Ok(first..=last)
}

/// Reads a list of numbers of positions: single ones, and the first and the last of several, as in `1-6,9`.
///
/// # Errors
/// When one is none, a range is empty or too long, or a number is there twice.
pub(crate) fn only(text: &str) -> Result<List<u64>, BadInput> {
    let number = whole_number("only", 1..=u64::MAX);
    let mut numbers = Vec::new();
    for part in text.split(',').map(str::trim) {
        numbers.extend(range(&number, part, ("only", MOST_POSITIONS, "positions"))?);
    }
    if numbers.iter().collect::<BTreeSet<_>>().len() < numbers.len() {
        return Err(BadInput::new("only", text, "expected every position once"));
    }
    Ok(List(numbers))
}

/// The places, from 0, of the positions that are asked for, of so many.
///
/// # Errors
/// When there is none of a number.
pub(crate) fn places(only: Option<&List<u64>>, count: usize) -> Result<Vec<usize>, BadInput> {
    let Some(List(numbers)) = only else { return Ok((0..count).collect()) };
    let refuse = |number: u64| {
        BadInput::new("only", number.to_string(), format_args!("expected numbers of positions, 1 to {count}"))
    };
    let place =
        |&number: &u64| if number <= count as u64 { Ok(number as usize - 1) } else { Err(refuse(number)) };
    numbers.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_numbers_and_ranges_of_them() {
        let read = |text| only(text).map(|list| list.0);
        assert_eq!(read("7"), Ok(vec![7]));
        assert_eq!(read("1-6,9"), Ok(vec![1, 2, 3, 4, 5, 6, 9]));
        assert_eq!(read("9, 2 - 3,5-5"), Ok(vec![9, 2, 3, 5]));
        for bad in ["", "0", "0-3", "3-", "-3", "1,", "1-2-3", "x", "1-x", "1.5-2"] {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.starts_with("only ") && error.contains("expected a whole number"), "{error}");
        }
        for bad in ["6-1", "1-10001", "1-18446744073709551615"] {
            let words = "expected the first and the last of 1 to 10000 positions, such as 1-6";
            assert_eq!(read(bad).unwrap_err().to_string(), format!("only {bad}: {words}"));
        }
        for bad in ["1,1", "1-6,4", "3-5,5-7"] {
            assert_eq!(
                read(bad).unwrap_err().to_string(),
                format!("only {bad}: expected every position once")
            );
        }
    }

    #[test]
    fn places_are_those_of_the_numbers_or_all() {
        let asked = List(vec![3, 1]);
        assert_eq!((places(Some(&asked), 3), places(None, 3)), (Ok(vec![2, 0]), Ok(vec![0, 1, 2])));
        let complaint = places(Some(&asked), 2).unwrap_err().to_string();
        assert_eq!(complaint, "only 3: expected numbers of positions, 1 to 2");
    }
}
