//! Panics as errors.

use crate::search::answer::SearchError;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls the game or the evaluator, or runs a whole search, and turns a panic into an error.
///
/// # Errors
/// [`SearchError::Panicked`] on a panic.
// Unwind-safe: the worker is discarded after a panic, and the table holds proven entries only.
pub fn catch<R>(search: impl FnOnce() -> R) -> Result<R, SearchError> {
    catch_unwind(AssertUnwindSafe(search)).map_err(|panic| {
        let message = message_of(&*panic);
        discard(panic);
        SearchError::Panicked { message }
    })
}

/// Drops a panic's payload. That may panic with another payload, whose drop may panic, and so on; so the
/// second one is leaked.
fn discard(panic: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(second);
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
