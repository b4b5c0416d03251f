//! Whole numbers that Python gives, NumPy's among them: what is none is named, with the argument.

use crate::bad;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;

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
    nodes: u64,
    parts: u32,
    seed: u64,
    size: usize,
    split_above: u64,
    table_mib: u64,
    threads: usize
);

/// What was given, as a message shows it.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 80;
    value.repr().map_or_else(|_| String::new(), |text| text.to_string().chars().take(LONGEST).collect())
}
