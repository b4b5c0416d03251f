//! What Python's package `starsplit` has in Rust: games by name, games written in Python, and searches of
//! both. What a user sees of it is described in `starsplit/_native.pyi`.

mod arguments;
mod bench;
mod called;
mod ending;
mod game;
mod handle;
mod interrupts;
mod keys;
mod own;
mod plan;
mod result;
mod searcher;
mod state;
mod tree;
mod turns;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;

/// A `ValueError` that says what was wrong.
fn bad(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

pyo3::create_exception!(
    starsplit,
    SearchError,
    pyo3::exceptions::PyRuntimeError,
    "A search could not be done."
);

/// The part in Rust.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::SearchError;
    #[pymodule_export]
    use super::bench::{Bench, cost_models, fingerprint, median_interval};
    #[pymodule_export]
    use super::ending::{end_searches, forget_searches};
    #[pymodule_export]
    use super::game::{Game, games};
    #[pymodule_export]
    use super::handle::Handle;
    #[pymodule_export]
    use super::keys::key_hash;
    #[pymodule_export]
    use super::plan::Plan;
    #[pymodule_export]
    use super::result::{Expectation, Outcome, SearchResult};
    #[pymodule_export]
    use super::searcher::{Searcher, options};
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::tree::tree_page;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::ending::begin();
        module.add("MAX_DEPTH", starsplit::search::MAX_DEPTH)?;
        module.add("MAX_THREADS", starsplit::search::MAX_THREADS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
