//! Proofs: answers of searches in a window.

use crate::score::Bounds;
use crate::search::answer::{Stats, StopReason};
use std::time::Duration;

/// Proven bounds of a position's value at a depth. The result of
/// [`SearchRequest::prove`](crate::SearchRequest::prove).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// The bounds for the position's player, true even if the search was stopped. They settle the window
    /// unless it was stopped.
    pub bounds: Bounds,
    /// The counts of all iterations and threads.
    pub stats: Stats,
    /// Wall time.
    pub elapsed: Duration,
    /// Why the search ended: [`StopReason::Depth`] if the window is settled.
    pub stopped_by: StopReason,
}

impl Proof {
    /// The number of contradictions: see
    /// [`SearchResult::contradictions`](crate::search::SearchResult::contradictions).
    pub fn contradictions(&self) -> u64 {
        self.stats.table.contradictions
    }
}
