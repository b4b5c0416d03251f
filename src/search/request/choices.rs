//! Choices of some options, by name.

use crate::search::request::named::named;
use crate::table::Reuse;

/// The kinds of node that probe the table and store in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableUse {
    /// No nodes.
    None,
    /// Decision nodes.
    Decision,
    /// Decision nodes and chance nodes.
    #[default]
    All,
}

/// The order in which a decision node tries its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveOrdering {
    /// The paper's order: the table move, two killers a ply, the history heuristic, generation order.
    Paper,
    /// The table move, moves that end the game in the mover's favour, then by the move's reward plus, from
    /// depth 2 up, the static evaluation of the position after it; then generation order.
    Static,
    /// `Static` from depth 4 up, `Paper` below.
    Hybrid,
    /// `Static` from depth 4 up. At each depth below, `Static` or `Paper`, whichever searches samples of
    /// nodes at less cost; `Paper` before anything is known. After the killers comes the latest good reply to
    /// the outcome that led to the node.
    #[default]
    Chosen,
}

/// Which moves of a decision root get their exact values.
///
/// Where any do, the best move is the first in the game's order of those of equal value, the same on any
/// number of threads. The root's value is the same in any case. It takes the longer to find the more moves
/// are ranked: a move is searched until it cannot be among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RootRanking {
    /// None: the search names a best move, one of those of equal value.
    #[default]
    None,
    /// So many of the best.
    Best(u32),
    /// All.
    All,
}

impl RootRanking {
    /// How many moves are ranked, at the most.
    pub(crate) fn count(self) -> usize {
        match self {
            RootRanking::None => 0,
            RootRanking::Best(count) => count as usize,
            RootRanking::All => usize::MAX,
        }
    }
}

/// The positions that a worker evaluates in the same call as the one that it needs. Some may prove needless.
/// All are right above the leaves, or above chance nodes that collapse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SiblingBatch {
    /// Nothing. In lanes, moves ranked by static evaluation are still evaluated together.
    None,
    /// Before a chance node is probed, the first moves at all its successors.
    Probes,
    /// As `Probes`, and all other moves of a node that its first move did not cut; all at once where it
    /// hardly ever cuts.
    Rest,
    /// All moves of a node; the best is tried first.
    Moves,
    /// Whichever of these costs least in evaluations, by expectation.
    #[default]
    Chosen,
}

named!(TableUse, "table use", None = "none", Decision = "decision", All = "all");
named!(MoveOrdering, "ordering", Paper = "paper", Static = "static", Hybrid = "hybrid", Chosen = "auto");
named!(
    SiblingBatch,
    "sibling batch",
    None = "none",
    Probes = "probes",
    Rest = "rest",
    Moves = "moves",
    Chosen = "auto"
);
named!(Reuse, "reuse", Exact = "exact", AtLeast = "at-least");
