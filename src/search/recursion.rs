//! The search of one node: a leaf, a decision node or a chance node.

use crate::game::{Game, NodeKind};
use crate::score::{Bounds, Window};
use crate::search::moves::Breadth;
use crate::search::request::Algorithm;
use crate::search::setup::{NodeOf, Peers, Recursion, Setup};
use crate::search::worker::Worker;
use crate::search::{collapse, descent, evaluation, expectimax, negamax, star2_tt};

impl<S: Setup> Recursion for S {
    #[inline]
    fn search(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
        let kind = worker.game.kind(node.position);
        if kind == NodeKind::Terminal || node.depth == 0 {
            return Bounds::exactly(evaluation::leaf(worker, kind, node));
        }
        if node.depth == worker.near_leaves.collapsing_depth && kind == NodeKind::Chance {
            if let Some(score) = collapse::chance_apart(worker, node) {
                return Bounds::exactly(score);
            }
        }
        search_interior(worker, kind, node, window)
    }
}

/// Searches an interior node that does not collapse.
#[inline(never)] // keeps leaves, which are most nodes, fast
fn search_interior<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: NodeKind,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    if descent::ends_path(worker, node) {
        return Bounds::unknown(worker.limit);
    }
    let is_recorded = node.depth >= worker.team_link.recorded_depth;
    let noted = if is_recorded { S::Peers::enter(worker, kind, node) } else { None };
    let found = match kind {
        NodeKind::Chance => star2_tt::chance_node(worker, node, window),
        NodeKind::Decision if worker.options.algorithm == Algorithm::Expectimax => {
            expectimax::decision(worker, node)
        }
        NodeKind::Decision => negamax::decision(worker, node, window, Breadth::All),
        NodeKind::Terminal => unreachable!("a terminal node is a leaf"),
    };
    if is_recorded {
        S::Peers::leave(worker, kind, node, noted);
    }
    found
}
