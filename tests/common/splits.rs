//! Splits for small trees.

use starsplit::search::Splits;
use std::time::Duration;

/// Of every node from this depth on, however small, with the other threads called at once.
pub(crate) fn eager(depth: Option<u8>) -> Splits {
    Splits { depth, size: Some(0), helpers_after: Duration::ZERO, alone: false }
}
