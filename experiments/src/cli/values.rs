//! Readers of the values that flags take.
//!
//! A reader's complaint is the whole line that the user sees: `<thing> <value>: expected ...`.

use crate::cli::BadInput;
use starsplit::search::{Algorithm, MAX_DEPTH, MAX_THREADS, Method, Options};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::thread;

/// A reader of whole numbers within `range`, for clap's `value_parser`.
pub fn whole_number(
    thing: &'static str,
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, BadInput> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, greatest) = range.clone().into_inner();
            BadInput::new(thing, text, format_args!("expected a whole number from {least} to {greatest}"))
        })
    }
}

/// A reader of shares, numbers from 0 to 1, for clap's `value_parser`.
pub fn share(thing: &'static str) -> impl Fn(&str) -> Result<f32, BadInput> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        number.ok_or_else(|| BadInput::new(thing, text, "expected a number from 0 to 1"))
    }
}

/// Reads a margin, a number of 0 or more.
///
/// # Errors
/// When it is none.
pub fn margin(text: &str) -> Result<f64, BadInput> {
    let margin = text.parse().ok().filter(|margin: &f64| margin.is_finite() && *margin >= 0.0);
    margin.ok_or_else(|| BadInput::new("within", text, "expected a number of 0 or more"))
}

/// Reads a depth.
///
/// # Errors
/// When it is not a whole number from 1 to [`MAX_DEPTH`].
pub fn depth(text: &str) -> Result<u32, BadInput> {
    whole_number("depth", 1..=u64::from(MAX_DEPTH))(text).map(|depth| depth as u32)
}

/// Reads a number of threads.
///
/// # Errors
/// When it is not a whole number from 1 to [`MAX_THREADS`].
pub fn threads(text: &str) -> Result<usize, BadInput> {
    whole_number("threads", 1..=MAX_THREADS as u64)(text).map(|threads| threads as usize)
}

/// Reads the name of a `T`, such as a method of parallel search or a move ordering.
///
/// # Errors
/// When there is none of that name.
pub fn named<T: FromStr<Err: Display>>(text: &str) -> Result<T, BadInput> {
    text.parse().map_err(BadInput::from_error)
}

/// Reads the length of a step of training.
///
/// # Errors
/// When it is no number above 0, at most 1.
pub fn rate(text: &str) -> Result<f32, BadInput> {
    let number = text.parse().ok().filter(|&rate: &f32| rate > 0.0 && rate <= 1.0);
    number.ok_or_else(|| BadInput::new("--rate", text, "expected a number above 0, at most 1"))
}

/// Reads a list of methods of parallel search, or `all`.
///
/// # Errors
/// When there is none of one of the names, or a name is there twice.
pub fn method_list(text: &str) -> Result<List<Method>, BadInput> {
    if text == "all" { Ok(List(Method::ALL.to_vec())) } else { name_list("method", text) }
}

/// A reader of the name of one of `choices`, for clap's `value_parser`.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    thing: &'static str,
    choices: &'static [T],
    name: fn(T) -> &'static str,
) -> impl Fn(&str) -> Result<T, BadInput> + Clone + Send + Sync + 'static {
    move |text| {
        choices.iter().copied().find(|&choice| name(choice) == text).ok_or_else(|| {
            let known: Vec<_> = choices.iter().map(|&choice| name(choice)).collect();
            BadInput::new(thing, text, format_args!("expected one of {}", known.join(", ")))
        })
    }
}

/// The names that `choices` have, in a row: "a, b and c".
pub fn names<T: Display>(choices: impl IntoIterator<Item = T>) -> String {
    let mut names: Vec<_> = choices.into_iter().map(|choice| choice.to_string()).collect();
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}

/// The names of the methods that have something, in a row.
pub fn methods_that(have: impl Fn(Method) -> bool) -> String {
    names(Method::ALL.iter().copied().filter(|&method| have(method)))
}

/// Which nodes use the table in the paper's comparison, for each algorithm in a row.
pub fn paper_table_uses() -> String {
    names(
        Algorithm::ALL
            .iter()
            .map(|&algorithm| format!("{} for {algorithm}", Options::paper(algorithm).table_use)),
    )
}

/// A list given as `1,2,4`: at least one item, none twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T>(pub Vec<T>);

impl<T: PartialEq> List<T> {
    /// Reads the items between the commas.
    ///
    /// # Errors
    /// What `item` complains of, or that an item is there twice.
    pub fn read(
        thing: &str,
        text: &str,
        item: impl Fn(&str) -> Result<T, BadInput>,
    ) -> Result<Self, BadInput> {
        let mut items = Vec::new();
        for part in text.split(',') {
            let read = item(part.trim())?;
            if items.contains(&read) {
                return Err(BadInput::new(thing, text, "expected every item once"));
            }
            items.push(read);
        }
        Ok(List(items))
    }
}

impl<T: Clone + Default> List<T> {
    /// What was asked for, or the default alone.
    pub fn or_default(asked: Option<&Self>) -> Vec<T> {
        asked.map_or_else(|| vec![T::default()], |list| list.0.clone())
    }
}

/// Reads a list of thread counts.
///
/// # Errors
/// When one of them is none, or is there twice.
pub fn thread_list(text: &str) -> Result<List<usize>, BadInput> {
    List::read("threads", text, threads)
}

/// Reads a list of names of `T`, such as move orderings or algorithms.
///
/// # Errors
/// When there is no `T` of one of the names, or a name is there twice.
pub fn name_list<T>(thing: &str, text: &str) -> Result<List<T>, BadInput>
where
    T: FromStr<Err: Display> + PartialEq,
{
    List::read(thing, text, named)
}

/// How many threads this machine runs at once, as far as the system tells; 1 where it does not.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}

/// The thread counts 1, 2, 4, ... below `cores`, and `cores`.
pub fn doubling_to(cores: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|&n| n < cores).collect();
    counts.push(cores);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_outside_the_range_are_refused_with_the_value() {
        assert_eq!(depth("254"), Ok(254));
        for bad in ["0", "-1", "1000000000", "full", "", "3.5", "99999999999999999999999"] {
            let complaint = depth(bad).unwrap_err().to_string();
            assert!(complaint.starts_with("depth ") && complaint.ends_with("from 1 to 254"), "{complaint}");
        }
    }

    #[test]
    fn thread_lists_are_read_in_their_order() {
        assert_eq!(thread_list("4,1, 2"), Ok(List(vec![4, 1, 2])));
        for bad in ["0", "", "1,,2", "1,1", "2,x", "1025"] {
            assert!(thread_list(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn all_stands_for_every_method() {
        assert_eq!(method_list("all"), Ok(List(Method::ALL.to_vec())));
        assert_eq!(method_list("both,abdada"), Ok(List(vec![Method::Both, Method::Abdada])));
        for bad in ["", "all,both", "both,both", "serial"] {
            assert!(method_list(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn doubling_ends_with_the_number_of_cores() {
        assert_eq!(doubling_to(1), [1]);
        assert_eq!(doubling_to(2), [1, 2]);
        assert_eq!(doubling_to(6), [1, 2, 4, 6]);
        assert_eq!(doubling_to(8), [1, 2, 4, 8]);
    }
}
