//! Means over the tree of best play.

use crate::search::answer::Stats;

/// Means over the leaves of the best play from a position: an answer of
/// [`SearchRequest::expectation`](crate::SearchRequest::expectation).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Expectation {
    /// The mean of each number of the payload.
    pub payload: Vec<f64>,
    /// The mean of the sum of rewards on the way, in the game's units, for `Max`; 0 in games without rewards.
    pub rewards: f64,
    /// The positions of the tree, those that recur at one depth counted once.
    pub positions: u64,
    /// The counts of the searches for best moves, with the tree's own chance nodes and leaves. They are in no
    /// other result.
    pub stats: Stats,
}
