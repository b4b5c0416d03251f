//! A principal variation that was searched for.

use crate::game::Step;
use crate::search::answer::{Stats, StopReason};

/// The line of play from a position: a best move at every decision node, the likeliest outcome at every
/// chance node. The result of [`SearchRequest::pv`](crate::SearchRequest::pv).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrincipalVariation<M, O> {
    /// The line. Each move is proven best: the value after it, at the remaining depth, plus its reward equals
    /// the value before it.
    pub steps: Vec<Step<M, O>>,
    /// Why the line ends: [`StopReason::Depth`] at its depth or at the end of the game, otherwise what
    /// stopped the search for the next move.
    pub stopped_by: StopReason,
    /// The counts of this search, which are in no other result.
    pub stats: Stats,
}

impl<M, O> PrincipalVariation<M, O> {
    /// Whether it reaches its depth or the end of the game.
    pub fn is_whole(&self) -> bool {
        self.stopped_by == StopReason::Depth
    }
}
