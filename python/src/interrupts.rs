//! The threads of searches as Python numbers them, so that functions in Python that they are in can be ended.

use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The threads of searches, as Python numbers them. Only who holds the interpreter looks.
static SEARCHING: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// This thread's number.
pub(crate) fn number(py: Python<'_>) -> PyResult<u64> {
    py.import("threading")?.call_method0("get_ident")?.extract()
}

/// Runs on a thread of a search, which Python knows meanwhile.
pub(crate) fn known<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    let numbers = || SEARCHING.lock().unwrap_or_else(PoisonError::into_inner);
    Python::attach(|py| {
        let number = number(py).inspect(|&number| {
            numbers().insert(number);
        });
        let done = py.detach(run);
        if let Ok(number) = number {
            numbers().remove(&number);
        }
        done
    })
}

/// Ends the functions in Python that searches are in, which may have hung: those of their own threads, and of
/// `others`.
pub(crate) fn interrupt_callbacks(py: Python<'_>, others: impl IntoIterator<Item = u64>) {
    let mut numbers = SEARCHING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    numbers.extend(others);
    let own = py.import("starsplit.interrupting");
    let ended = own.and_then(|own| own.call_method1("interrupt_callbacks", (numbers,)));
    // The search goes on to its end without it.
    drop(ended);
}
