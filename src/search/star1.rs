//! Star1 (Ballard 1983; fail-soft as in Hauk, Buro and Schaeffer 2004): searches each successor of a chance
//! node in a window of its own. A value outside that window cuts the node, whatever the remaining successors
//! are worth.
//!
//! Windows are for the worth of an outcome. A reward is subtracted from the window before the search and
//! added to the result (`reward.rs`).

use crate::game::{Game, NodeKind, Step};
use crate::score::Bounds;
use crate::search::chance_node::{ChanceSuccessor, Phase};
use crate::search::chance_sums::ChanceSums;
use crate::search::descent::with_successor;
use crate::search::near_leaves::LAST_DECISION;
use crate::search::setup::{NodeOf, OutcomeOf, Setup};
use crate::search::worker::Worker;
use crate::search::{descent, transposition};

/// Searches one successor in the window that the node's sums leave it (the Star1 phase of Figure 4.1), or in
/// the null window that its bounds are where it is asked for its share.
#[inline]
pub(super) fn search_outcome<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    successor: &ChanceSuccessor<OutcomeOf<S>>,
    sums: &ChanceSums,
    phase: Phase,
) -> Bounds {
    let viewer = worker.game.player(node.position);
    let position = worker.game.resolve(node.position, successor.outcome);
    transposition::prefetch(
        worker,
        &position,
        descent::depth_after(worker, node, Step::Outcome(successor.outcome), &position),
    );
    let reward = descent::reward(worker, node, Step::Outcome(successor.outcome), &position);
    let asked = sums.window_for(successor.weight, successor.bounds);
    let window = descent::window_below(worker, reward, asked);
    // No move is expected to cut where the window's end is the successor's own bound, not that of others.
    let is_all_node = phase == Phase::Star1
        && node.depth == LAST_DECISION + 1
        && worker.game.kind(&position) == NodeKind::Decision
        && if worker.game.player(&position) == viewer {
            asked.beta == successor.bounds.upper
        } else {
            asked.alpha == successor.bounds.lower
        };
    let place = Some(successor.place);
    let found = with_successor(worker, node, successor.outcome, &position, |worker, below| {
        descent::search_for(worker, viewer, NodeOf::<S> { is_all_node, place, ..below }, window)
    });
    descent::worth_of_outcome(worker, reward, found, viewer)
}
