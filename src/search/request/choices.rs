//! What some options choose from, by name.

use crate::search::request::named::named;
use crate::table::Reuse;

/// Which kinds of node look up and store transpositions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableUse {
    /// No node does.
    None,
    /// Decision nodes do.
    Decision,
    /// Decision nodes and chance nodes do.
    #[default]
    All,
}

/// The order in which the moves of a decision node are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MoveOrdering {
    /// The paper's: the table move, two killers a ply, the history heuristic, generation order.
    Paper,
    /// The table move, moves that end the game in the mover's favour, then by the static evaluation of the
    /// position after the move (from depth 2 up) and the move's reward, then generation order.
    Static,
    /// `Static` from depth 4 up, `Paper` below.
    Hybrid,
    /// `Static` or `Paper`, at each depth near the leaves whichever searches samples of nodes at less cost;
    /// `Paper` above the leaves, `Static` from depth 6 up, `Hybrid` before anything is known.
    #[default]
    Chosen,
}

/// What a lane asks for beside the evaluation that it needs, so that batches are fuller: it may turn out that
/// nobody needed it. All right above the leaves, or above chance nodes that stand for theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Company {
    /// Nothing, but for moves that are ranked by static evaluation, which are evaluated together.
    None,
    /// Before a chance node is probed, the first moves of all that its outcomes lead to.
    Probes,
    /// The same, and where a node's first move did not cut it, all its other moves.
    Rest,
    /// All moves of a node, of which the best is tried first.
    Moves,
    /// The one with which evaluations are expected to cost the least.
    #[default]
    Chosen,
}

named!(TableUse, "table use", None = "none", Decision = "decision", All = "all");
named!(MoveOrdering, "ordering", Paper = "paper", Static = "static", Hybrid = "hybrid", Chosen = "auto");
named!(Company, "company", None = "none", Probes = "probes", Rest = "rest", Moves = "moves", Chosen = "auto");
named!(Reuse, "reuse", Exact = "exact", AtLeast = "at-least");
