//! What a search in a window has proven.

use crate::score::Bounds;
use crate::search::answer::{Stats, StopReason};
use std::time::Duration;

/// What is proven of a position's value at a depth; what [`Searcher::prove`](crate::Searcher::prove) answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// The bounds, as the position's player sees them: true whatever ended the search. They settle the window
    /// unless it was stopped.
    pub bounds: Bounds,
    /// What was counted, over all iterations and threads.
    pub stats: Stats,
    /// Wall time.
    pub elapsed: Duration,
    /// Why the search ended: [`StopReason::Depth`] where the window is settled.
    pub stopped_by: StopReason,
}

impl Proof {
    /// How many proofs contradicted others: see
    /// [`SearchResult::contradictions`](crate::search::SearchResult::contradictions).
    pub fn contradictions(&self) -> u64 {
        self.stats.table.contradictions
    }
}
