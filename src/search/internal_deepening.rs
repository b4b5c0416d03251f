//! Internal iterative deepening: a decision node without a table move is first searched two plies less deep,
//! a player's and chance's, and the best move that this finds is tried first (Anantharaman, "Extension
//! heuristics", ICCA Journal 14(2), 1991, tells of it in Deep Thought). Iterative deepening does the same for
//! the whole tree.
//!
//! The shallower search proves bounds of another depth, which go to the table under that depth; nothing of it
//! but the order of moves enters the search. So it changes no value. Where it pays off is a matter of how
//! often nodes have no table move: see ARCHITECTURE.md, "What did not help".

use crate::score::Window;
use crate::search::negamax::{Breadth, best_move};
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;

/// How much less deep the search for a move is.
const LESS: u8 = 2;

/// The ordinal of the move to try first, where a shallower search finds one. Not at the root, whose move an
/// iteration has found before or is to find, nor where nothing is left to search.
#[inline(never)]
pub(super) fn find_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
) -> Option<u16> {
    if node.ply == 0 || node.depth <= LESS {
        return None;
    }
    let shallower = NodeOf::<S> { depth: node.depth - LESS, ..node };
    worker.stats.nodes.decision += 1;
    worker.stats.nodes.internal_iterations += 1;
    worker.poll(shallower.depth);
    let is_deep = shallower.depth >= worker.options.internal_deepening_depth;
    let hint = if is_deep { find_move(worker, shallower, window, breadth) } else { None };
    best_move(worker, shallower, window, breadth, hint)
}
