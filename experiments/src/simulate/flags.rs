//! Readers of the values that only `simulate` takes.

use crate::cli::BadInput;
use crate::cli::ranges::range;
use crate::cli::values::{self, List, whole_number};
use starsplit::search::{MAX_THREADS, Method};

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
    fn all_methods_are_those_that_can_be_simulated() {
        let all = method_list("all").unwrap().0;
        assert_eq!(all.len(), Method::ALL.len() - 1);
        assert!(!all.contains(&Method::ForkJoin));
        let error = method_list("both,fork-join").unwrap_err().to_string();
        let known = error.strip_prefix("method fork-join: expected one that can be simulated, of ").unwrap();
        assert!(all.iter().all(|method| known.contains(method.name())) && !known.contains("fork"), "{known}");
    }
}
