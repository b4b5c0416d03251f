//! Star1 (Ballard 1983; fail-soft as in Hauk, Buro and Schaeffer 2004): each successor of a chance node is searched
//! with the window outside which its value alone would carry the node's value out of its own window, whatever the
//! successors not yet searched are worth.

use crate::game::{Game, Kind};
use crate::score::{Bounds, Window};
use crate::search::chance::{ChanceNode, Phase, Successor, run_phase, with_successor};
use crate::search::chance_sums::ChanceSums;
use crate::search::setup::{NodeOf, OutcomeOf, Setup};
use crate::search::worker::Worker;

/// Searches a chance node.
pub(super) fn chance<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
    worker.stats.nodes.chance += 1;
    worker.poll(node.depth);
    let known = worker.look_up(node.position, Kind::Chance, node.depth);
    if window.is_settled_by(known.bounds) {
        worker.stats.table.chance_cutoffs += 1;
        return known.bounds;
    }
    let open = window.narrowed_by(known.bounds);
    let Some(mut chance) = ChanceNode::open(worker, node, open, known.bounds) else { return known.bounds };

    run_phase(worker, node, &mut chance, Phase::Star1);

    let proven = chance.close(worker);
    worker.conclude(&known, proven, node.depth, None)
}

/// Searches one successor, which is no leaf, with the window that the node's sums leave it (the paper's Star1 phase, Figure 4.1).
#[inline]
pub(super) fn search_successor<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    successor: &Successor<OutcomeOf<S>>,
    sums: &ChanceSums,
) -> Bounds {
    let viewer = worker.game.player(node.position);
    let position = worker.game.resolve(node.position, successor.outcome);
    worker.prefetch(&position, node.depth - 1);
    let window = sums.window_for(successor.weight, successor.bounds);
    with_successor(worker, node, successor.outcome, &position, |worker, below| {
        worker.search_for(viewer, below, window)
    })
}
