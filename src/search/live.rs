//! Live windows: a search that was begun under a split point narrows its window while it runs, as the other
//! successors of the split points above it become known.
//!
//! A window is derived from the one above it, link by link: at a decision node by what the moves tried so far
//! are worth, at a chance node by what the other successors are known to be; less the reward of the move or
//! the outcome, if it carries one. While a node is being searched
//! the links above it, up to the split point that this worker took work from, stand still; only the sums of
//! the split points themselves move. So a worker notes its links, and wherever it goes on to the next
//! successor of a node that is large enough, it derives that node's window anew. Large enough is what may be
//! split: below, a search is over before it would pay.
//!
//! All bounds are proven whatever the window, so a window that is out of date costs nodes and never
//! soundness. A window that has become empty means that the node does not matter any more: it returns what it
//! has proven.

use crate::score::{Bounds, Score, Window};
use crate::search::chance_node::{Phase, Successor, probe_window};
use crate::search::chance_sums::ChanceSums;
use crate::search::reward::Edge;

/// How the window of a node's successor comes from the window of the node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Link {
    /// A decision node: the mover is sure of `floor`.
    Decision {
        /// The greatest lower bound of the moves tried.
        floor: Score,
        /// What the table knew of the node.
        known: Bounds,
        /// What the move can be worth.
        possible: Bounds,
        /// The move.
        edge: Edge,
    },
    /// A chance node.
    Chance {
        /// Its sums; their thresholds are those of the window it had.
        sums: ChanceSums,
        /// What the table knew of the node.
        known: Bounds,
        /// The successor's weight.
        weight: u32,
        /// What is known of the successor's outcome.
        bounds: Bounds,
        /// The phase it is searched in.
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
        successor: &Successor<O>,
        phase: Phase,
        edge: Edge,
    ) -> Self {
        Link::Chance { sums, known, weight: successor.weight, bounds: successor.bounds, phase, edge }
    }

    /// The successor's window, given the node's; `None` when one of them is empty.
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

/// The window of what a move leads to, seen by its player, where the move, which can be worth as much as
/// `possible` says, is asked for `window`; `None` when nothing is left to ask.
pub(crate) fn move_window(window: Window, possible: Bounds, edge: Edge) -> Option<Window> {
    let open = window.narrowed_by(possible);
    (!open.is_empty()).then(|| edge.below(open))
}

/// The window with which a phase searches a successor, seen by the successor's player; `None` when the node
/// is cut.
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
        Phase::Star1 => sums.window_for(weight, bounds),
        Phase::Probing => probe_window(sums, weight, bounds, edge.flips),
    };
    Some(edge.below(window))
}

/// What became of a node's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing.
    None,
    /// It is narrower, or at least different.
    To(Window),
    /// It is empty: the node does not matter any more.
    Empty,
}
