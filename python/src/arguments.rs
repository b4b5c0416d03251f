//! Arguments that Python gives: what does not fit is named, with the argument. Whole numbers may be NumPy's.

use crate::bad;
use pyo3::PyClass;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use std::time::Duration;

/// Makes functions that read an argument of that name, which may be optional.
macro_rules! whole_numbers {
    ($($name:ident: $type:ty),+) => {$(
        pub(crate) fn $name<'py, N: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> PyResult<N> {
            value.extract().map_err(|_| {
                let (name, value, bits) = (stringify!($name), shown(value), <$type>::BITS);
                bad(format_args!("{name} {value}: expected a whole number from 0 to 2**{bits} - 1"))
            })
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
        pub(crate) fn $name<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> PyResult<T> {
            let wrong = |_| bad(format_args!("{} {}: expected a text", stringify!($name), shown(value)));
            value.extract().map_err(wrong)
        }
    )+};
}

texts!(evaluator, line, name, option, rules, task, text);

/// What was given, as a message shows it: in one line that is not too long.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    let told = || value.py().import("starsplit.telling")?.getattr("shown")?.call1((value,))?.extract();
    told().unwrap_or_else(|_: PyErr| String::new())
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
pub(crate) fn seconds(value: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    if value.is_none() {
        return Ok(None);
    }
    let time = value.extract().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.map(Some).ok_or_else(|| bad(format_args!("seconds {}: expected a number from 0 on", shown(value))))
}

/// Texts of moves of the state that is searched; none for all of its moves.
pub(crate) fn root_moves(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if value.is_none() {
        return Ok(None);
    }
    // A text would be taken for its letters.
    let items = if value.is_instance_of::<PyString>() { None } else { value.try_iter().ok() };
    let texts = |items: Bound<'_, PyIterator>| {
        items.map(|item| item?.extract::<String>()).collect::<PyResult<Vec<_>>>()
    };
    let moves = items.and_then(|items| texts(items).ok()).filter(|moves| !moves.is_empty());
    moves.map(Some).ok_or_else(|| {
        let expected = "expected moves of the state, as a list of texts, or None for all";
        bad(format_args!("root_moves {}: {expected}", shown(value)))
    })
}
