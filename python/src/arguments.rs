//! Arguments that Python gives: what does not fit is named, with the argument. Whole numbers may be NumPy's.

use crate::bad;
use crate::ending::calling;
use pyo3::PyClass;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use starsplit::search::{MAX_DEPTH, SearchDepth};
use std::time::Duration;

/// An argument as it was read. The function that has it raises its error: PyO3 would add a line to it.
pub(crate) type Given<T> = PyResult<T>;

/// One that may be left out, as it was given.
pub(crate) type Optional<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// What one of the functions below reads of an argument, if there is one.
pub(crate) fn given<'py, T>(
    value: Optional<'_, 'py>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Given<T>>,
) -> PyResult<Option<T>> {
    value.map(|value| read(value)?).transpose()
}

/// Makes functions that read an argument of that name, which may be optional.
macro_rules! whole_numbers {
    ($($name:ident: $type:ty),+) => {$(
        pub(crate) fn $name<'py, N: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> PyResult<Given<N>> {
            Ok(value.extract().map_err(|_| {
                let (name, value, bits) = (stringify!($name), shown(value), <$type>::BITS);
                bad(format_args!("{name} {value}: expected a whole number from 0 to 2**{bits} - 1"))
            }))
        }
    )+};
}

whole_numbers!(
    action: usize,
    depth: u32,
    limit: usize,
    nodes: u64,
    parts: u32,
    seed: u64,
    size: usize,
    split_above: u64,
    table_mib: u64,
    threads: usize
);

/// The same for texts.
macro_rules! texts {
    ($($name:ident),+) => {$(
        pub(crate) fn $name<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> PyResult<Given<T>> {
            let wrong = |_| bad(format_args!("{} {}: expected a text", stringify!($name), shown(value)));
            Ok(value.extract().map_err(wrong))
        }
    )+};
}

texts!(evaluator, line, name, option, rules, task, text);

/// What was given, as a message shows it: in one line that is not too long.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    let told = || value.py().import("starsplit.telling")?.getattr("shown")?.call1((value,))?.extract();
    calling(value.py(), told).unwrap_or_else(|_: PyErr| String::new())
}

/// An object of one of the package's classes.
///
/// # Errors
/// A `TypeError` that says what was given instead, and what is expected.
pub(crate) fn object<'a, 'py, T: PyClass>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<&'a Bound<'py, T>> {
    let wrong = |_| PyTypeError::new_err(format!("{name} {}: expected {expected}", shown(value)));
    value.cast::<T>().map_err(wrong)
}

/// Checks that it is a function.
///
/// # Errors
/// A `TypeError` that says what was given instead.
pub(crate) fn check_function(name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match value.is_callable() {
        true => Ok(()),
        false => Err(PyTypeError::new_err(format!("{name} {}: expected a function", shown(value)))),
    }
}

/// A time in seconds.
pub(crate) fn seconds(value: &Bound<'_, PyAny>) -> PyResult<Given<Duration>> {
    let time = value.extract().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let wrong = || bad(format_args!("seconds {}: expected a number from 0 on", shown(value)));
    Ok(time.ok_or_else(wrong))
}

/// Texts of moves of the state that is searched.
pub(crate) fn root_moves(value: &Bound<'_, PyAny>) -> PyResult<Given<Vec<String>>> {
    // A text would be taken for its letters.
    let items = if value.is_instance_of::<PyString>() { None } else { value.try_iter().ok() };
    let texts = |items: Bound<'_, PyIterator>| {
        items.map(|item| item?.extract::<String>()).collect::<PyResult<Vec<_>>>()
    };
    let moves = items.and_then(|items| texts(items).ok()).filter(|moves| !moves.is_empty());
    let expected = "expected moves of the state, as a list of texts, or None for all";
    let wrong = || bad(format_args!("root_moves {}: {expected}", shown(value)));
    Ok(moves.ok_or_else(wrong))
}

/// How deep to search: a number of plies, or "full" for a search to the end of the game.
pub(crate) fn asked_depth(value: &Bound<'_, PyAny>) -> PyResult<Given<SearchDepth>> {
    let wrong =
        |found: String| Err(bad(format_args!("depth {found}: expected 1 to {MAX_DEPTH}, or \"full\"")));
    Ok(match (value.extract::<&str>(), value.extract()) {
        (Ok("full"), _) => Ok(SearchDepth::ToTheEnd),
        (Ok(other), _) => wrong(format!("{other:?}")),
        (_, Ok(depth @ 1..=MAX_DEPTH)) => Ok(SearchDepth::Plies(depth)),
        _ => wrong(shown(value)),
    })
}
