//! Readers of the values that only `simulate` takes.

use crate::cli::BadInput;
use crate::cli::values::{self, List, whole_number};
use starsplit::search::{MAX_THREADS, Method};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The most positions that a first and a last one stand for: a suite has fewer.
const MOST_IN_A_RANGE: u64 = 10_000;

/// The most seeds in one call.
const MOST_SEEDS: u64 = 1_000_000;

/// Reads a list of methods, or `all`.
///
/// # Errors
/// When one is unknown or cannot be simulated, or is there twice.
pub(super) fn method_list(text: &str) -> Result<List<Method>, BadInput> {
    let can_be_simulated = |method: &Method| !method.uses_whole_pool();
    if text == "all" {
        return Ok(List(Method::ALL.iter().copied().filter(can_be_simulated).collect()));
    }
    List::read("method", text, |name| {
        let method = values::named::<Method>(name)?;
        if can_be_simulated(&method) {
            return Ok(method);
        }
        let known = values::methods_that(|method| !method.uses_whole_pool());
        Err(BadInput::new("method", name, format!("expected one that can be simulated, of {known}")))
    })
}

/// Reads a list of numbers of processors.
///
/// # Errors
/// When one is none, or is there twice.
pub(super) fn processors(text: &str) -> Result<List<usize>, BadInput> {
    let number = whole_number("processors", 1..=MAX_THREADS as u64);
    List::read("processors", text, |text| number(text).map(|number| number as usize))
}

/// The numbers that a text stands for: a single one, or the first and the last of at most so many things.
fn range(
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
pub(super) fn only(text: &str) -> Result<List<u64>, BadInput> {
    let number = whole_number("only", 1..=u64::MAX);
    let mut numbers = Vec::new();
    for part in text.split(',').map(str::trim) {
        numbers.extend(range(&number, part, ("only", MOST_IN_A_RANGE, "positions"))?);
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
pub(super) fn places(only: Option<&List<u64>>, count: usize) -> Result<Vec<usize>, BadInput> {
    let Some(List(numbers)) = only else { return Ok((0..count).collect()) };
    let refuse = |number: u64| {
        BadInput::new("only", number.to_string(), format_args!("expected numbers of positions, 1 to {count}"))
    };
    let place =
        |&number: &u64| if number <= count as u64 { Ok(number as usize - 1) } else { Err(refuse(number)) };
    numbers.iter().map(place).collect()
}

/// Reads seeds: how many, from 1 on; or a list of several; or the first and the last.
///
/// # Errors
/// When they are none of these, too many, or one is there twice.
pub(super) fn seeds(text: &str) -> Result<List<u64>, BadInput> {
    let seed = whole_number("seeds", 0..=u64::MAX);
    if text.contains(',') {
        return List::read("seeds", text, seed);
    }
    if text.find('-').is_some_and(|place| place > 0) {
        return Ok(List(range(seed, text, ("seeds", MOST_SEEDS, "seeds"))?.collect()));
    }
    let count = whole_number("seeds", 1..=MOST_SEEDS)(text)?;
    Ok(List((1..=count).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_number_of_them_or_a_list_or_a_range() {
        let read = |text| seeds(text).map(|list| list.0);
        assert_eq!((read("1"), read("3")), (Ok(vec![1]), Ok(vec![1, 2, 3])));
        assert_eq!(
            (read("7,0"), read("7-7"), read("8-10")),
            (Ok(vec![7, 0]), Ok(vec![7]), Ok(vec![8, 9, 10]))
        );
        assert_eq!(read("18446744073709551615-18446744073709551615"), Ok(vec![u64::MAX]));
        for bad in ["", "0", "-1", "1,", "1,1", "5-3", "3-", "x", "1.5", "0-18446744073709551615", "1000001"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

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
    fn all_methods_are_those_that_can_be_simulated() {
        let all = method_list("all").unwrap().0;
        assert_eq!(all.len(), Method::ALL.len() - 1);
        assert!(!all.contains(&Method::ForkJoin));
        let error = method_list("both,fork-join").unwrap_err().to_string();
        let known = error.strip_prefix("method fork-join: expected one that can be simulated, of ").unwrap();
        assert!(all.iter().all(|method| known.contains(method.name())) && !known.contains("fork"), "{known}");
    }
}
