//! A principal line that was searched for.

use crate::game::Step;
use crate::search::answer::{Stats, StopReason};

/// How play goes on from a position: a best move at every decision node, the likeliest outcome at every
/// chance node; what [`Searcher::line`](crate::Searcher::line) answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrincipalLine<M, O> {
    /// The line. Each of its moves is proven: what it leads to, searched to the depth that is left there, is
    /// worth as much, with the move's reward, as the position before it.
    pub steps: Vec<Step<M, O>>,
    /// Why it ends: [`StopReason::Depth`] where it is whole, and so ends at its depth or at the end of the
    /// game; otherwise what stopped the search for its next move.
    pub stopped_by: StopReason,
    /// What was counted on its behalf, which no result counts.
    pub stats: Stats,
}

impl<M, O> PrincipalLine<M, O> {
    /// Whether it reaches its depth or the end of the game.
    pub fn is_whole(&self) -> bool {
        self.stopped_by == StopReason::Depth
    }
}
