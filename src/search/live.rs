//! Live windows: a task of a split point narrows its window during its search, as other successors of the
//! split points above become known.
//!
//! A window follows from the one above it, link by link. At a decision node the link uses the bounds of the
//! moves tried so far; at a chance node those of the other successors. The reward of the move or outcome is
//! subtracted. While a node is searched, the links between it and the worker's split point do not change;
//! only the sums of the split points do. So a worker records its links. Whenever a large enough node goes on
//! to its next successor, the worker derives the node's window again. Large enough are nodes that may be
//! split; a smaller search ends before this would pay.
//!
//! Bounds are proven in any window, so a stale window costs nodes, never soundness. A node whose window has
//! become empty no longer matters, and returns what it has proven.

use crate::score::{Bounds, Score, Window};
use crate::search::chance_node::{ChanceSuccessor, Phase, probe_window};
use crate::search::chance_sums::ChanceSums;
use crate::search::reward::Edge;

/// How a successor's window follows from its parent's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Link {
    /// A decision node.
    Decision {
        /// The greatest lower bound of the moves tried.
        floor: Score,
        /// The table's bounds of the node.
        known: Bounds,
        /// The bounds of the move's worth, before its search.
        possible: Bounds,
        /// The move.
        edge: Edge,
    },
    /// A chance node.
    Chance {
        /// Its sums; [`follow`](Link::follow) replaces their thresholds.
        sums: ChanceSums,
        /// The table's bounds of the node.
        known: Bounds,
        /// The successor's weight.
        weight: u32,
        /// The bounds of the outcome's worth.
        bounds: Bounds,
        /// The phase that searches it.
        phase: Phase,
        /// The outcome.
        edge: Edge,
    },
}

impl Link {
    /// The link from a chance node to one of its successors.
    pub(crate) fn chance<O>(
        sums: ChanceSums,
        known: Bounds,
        successor: &ChanceSuccessor<O>,
        phase: Phase,
        edge: Edge,
    ) -> Self {
        Link::Chance { sums, known, weight: successor.weight, bounds: successor.bounds, phase, edge }
    }

    /// The successor's window from the node's; `None` when one of them is empty.
    pub(crate) fn follow(self, window: Window) -> Option<Window> {
        match self {
            Link::Decision { floor, known, possible, edge } => {
                let open = window.narrowed_by(known);
                move_window(Window::new(open.alpha.max(floor), open.beta), possible, edge)
            }
            Link::Chance { mut sums, known, weight, bounds, phase, edge } => {
                let open = window.narrowed_by(known);
                if open.is_empty() {
                    return None;
                }
                sums.ask(open);
                successor_window(&sums, weight, bounds, phase, edge)
            }
        }
    }
}

/// The window of a move's successor, for the successor's player. `window` is the move's and `possible` bounds
/// the move's worth. `None` when they leave nothing open.
pub(crate) fn move_window(window: Window, possible: Bounds, edge: Edge) -> Option<Window> {
    let open = window.narrowed_by(possible);
    (!open.is_empty()).then(|| edge.below(open))
}

/// The window in which a phase searches a successor, for the successor's player; `None` when the node is cut.
pub(crate) fn successor_window(
    sums: &ChanceSums,
    weight: u32,
    bounds: Bounds,
    phase: Phase,
    edge: Edge,
) -> Option<Window> {
    if sums.is_cut() || sums.is_crossed() || bounds.is_exact() {
        return None;
    }
    let window = match phase {
        // In the Shares phase the bounds are the null window.
        Phase::Shares | Phase::Star1 => sums.window_for(weight, bounds),
        Phase::Probing => probe_window(sums, weight, bounds, edge.flips),
    };
    Some(edge.below(window))
}

/// How a node's window has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Not at all.
    None,
    /// It differs; usually it is narrower.
    To(Window),
    /// It is empty: the node no longer matters.
    Empty,
}
