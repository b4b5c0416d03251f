//! The search of one node: a leaf, a decision node or a chance node.

use crate::game::{Game, NodeKind};
use crate::score::{Bounds, Window};
use crate::search::answer::TreeEnd;
use crate::search::moves::Breadth;
use crate::search::request::Algorithm;
use crate::search::setup::{NodeOf, Peers, Recursion, Setup};
use crate::search::worker::Worker;
use crate::search::{collapse, descent, evaluation, expectimax, negamax, recording, star2_tt};

impl<S: Setup> Recursion for S {
    #[inline]
    fn search(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
        let kind = worker.game.kind(node.position);
        if kind == NodeKind::Terminal {
            return search_end(worker, node, window);
        }
        if node.depth == worker.near_leaves.leaf_depth {
            return Bounds::exactly(evaluation::leaf(worker, kind, node));
        }
        if node.depth == worker.near_leaves.collapsing_depth && kind == NodeKind::Chance {
            if let Some(score) = collapse::chance_apart(worker, node, window) {
                return Bounds::exactly(score);
            }
        }
        search_interior(worker, kind, node, window)
    }
}

/// The score of a node where the game is over.
#[inline(never)] // few nodes are
fn search_end<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
    let found = Bounds::exactly(evaluation::terminal(worker, node.position));
    recording::note_leaf(worker, NodeKind::Terminal, node, window, (found, TreeEnd::Terminal));
    found
}

/// Searches an interior node that does not collapse. (Where the tree is recorded, leaves come here too.)
#[inline(never)] // keeps leaves, which are most nodes, fast
fn search_interior<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: NodeKind,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    let is_recorded = node.depth >= worker.team_link.recorded_depth;
    if is_recorded && node.depth == 0 {
        let found = Bounds::exactly(evaluation::leaf(worker, kind, node));
        recording::note_leaf(worker, kind, node, window, (found, TreeEnd::Leaf));
        return found;
    }
    if descent::ends_path(worker, node) {
        return Bounds::unknown(worker.limit);
    }
    let noted = if is_recorded { note_entry(worker, kind, node, window) } else { None };
    let found = match kind {
        NodeKind::Chance => star2_tt::chance_node(worker, node, window),
        NodeKind::Decision if worker.options.algorithm == Algorithm::Expectimax => {
            expectimax::decision(worker, node)
        }
        NodeKind::Decision => negamax::decision(worker, node, window, Breadth::All),
        NodeKind::Terminal => unreachable!("a terminal node is a leaf"),
    };
    if is_recorded {
        note_exit(worker, kind, node, (noted, found));
    }
    found
}

/// Tells the peers, and the record of the tree, that the worker enters a node. The peers get back what they
/// return.
#[inline(never)] // hardly any search is recorded
fn note_entry<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: NodeKind,
    node: NodeOf<'_, S>,
    window: Window,
) -> Option<u64> {
    recording::enter(worker, kind, node, window, false);
    let is_told = node.depth >= worker.team_link.told_depth;
    if is_told { S::Peers::enter(worker, kind, node) } else { None }
}

/// Tells them that it leaves the node.
#[inline(never)] // hardly any search is recorded
fn note_exit<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: NodeKind,
    node: NodeOf<'_, S>,
    (entered, found): (Option<u64>, Bounds),
) {
    if node.depth >= worker.team_link.told_depth {
        S::Peers::leave(worker, kind, node, entered);
    }
    recording::leave(worker, found);
}
