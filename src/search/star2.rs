//! Star2 (Ballard 1983): before Star1, a probing phase searches a few moves of each successor. Where the
//! chance node's player moves next, a probe proves a lower bound of the successor cheaply. The lower bounds
//! of all successors may cut the node, or narrow the windows of the Star1 phase.
//!
//! On irregular trees, a successor where the opponent moves is probed for an upper bound in the same way; a
//! leaf is exact at once; a chance node is not probed. A probe that has searched every move proves both
//! bounds.

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Step};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::TreeEnd;
use crate::search::chance_node::{ChanceSuccessor, probe_window};
use crate::search::chance_sums::ChanceSums;
use crate::search::descent::with_successor;
use crate::search::moves::Breadth;
use crate::search::negamax;
use crate::search::setup::{NodeOf, OutcomeOf, Setup};
use crate::search::worker::Worker;
use crate::search::{descent, evaluation, recording, transposition};

/// Whether there is a probing phase at a node that is not right above the leaves: probes could help.
#[inline]
pub(super) fn may_be_probed<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    sums: &ChanceSums,
) -> bool {
    match worker.options.probing_factor {
        Some(factor) => factor > 0,
        None => {
            node.depth >= worker.near_leaves.probed_depth
                && (may_settle(worker, sums, false) || may_settle(worker, sums, true))
        }
    }
}

/// Whether lower bounds of the successors could still cause a beta cutoff, or upper bounds an alpha cutoff.
/// Where the threshold comes from static bounds, hardly any value reaches it unless the other sum leaves room
/// beyond it: a sixteenth of the grid's limit for each weight.
#[inline]
fn may_settle<S: Setup>(worker: &Worker<'_, S>, sums: &ChanceSums, by_upper_bounds: bool) -> bool {
    let (may_cut, room) = if by_upper_bounds {
        (sums.may_stay_within(worker.far()), sums.alpha_threshold - sums.lower)
    } else {
        (sums.may_reach(worker.far()), sums.upper - sums.beta_threshold)
    };
    let has_static_bounds = S::Evaluator::ABILITIES.bounds && worker.options.static_bounds;
    may_cut && (!has_static_bounds || room >= i64::from(worker.limit / 16) * sums.total)
}

/// Probes one successor (the probing phase of Figure 4.1, with its `negamax-probe`).
#[inline]
pub(super) fn probe_successor<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    successor: &ChanceSuccessor<OutcomeOf<S>>,
    sums: &ChanceSums,
) -> Bounds {
    let position = worker.game.resolve(node.position, successor.outcome);
    let kind = worker.game.kind(&position);
    let depth = descent::depth_after(worker, node, Step::Outcome(successor.outcome), &position);
    let is_leaf = kind == NodeKind::Terminal || descent::is_leaf_below::<S>(depth);
    if kind == NodeKind::Chance && !is_leaf {
        return successor.bounds;
    }
    let viewer = worker.game.player(node.position);
    let of_opponent = worker.game.player(&position) != viewer;
    let (known, factor) = (successor.bounds, worker.options.probing_factor);
    // Without a factor a successor is probed only if the probe's bound, a lower bound for the player to move,
    // could help to cut the node. In a one-player game no lower bound does.
    if !is_leaf && factor.is_none() && !may_settle(worker, sums, of_opponent) {
        return known;
    }
    let breadth = Breadth::First(factor.unwrap_or(1));
    let reward = descent::reward(worker, node, Step::Outcome(successor.outcome), &position);
    transposition::prefetch(worker, &position, depth);
    let found = with_successor(worker, node, successor.outcome, &position, |worker, below| {
        if is_leaf {
            let score = evaluation::leaf(worker, kind, below);
            note_probed_leaf(worker, kind, below, score);
            return Bounds::exactly(if of_opponent { -score } else { score });
        }
        worker.stats.nodes.star2_probes += 1;
        let below = NodeOf::<S> { place: Some(successor.place), ..below };
        let asked = probe_window(sums, successor.weight, known, of_opponent);
        let window = descent::window_below(worker, reward, asked);
        if of_opponent {
            probe(worker, below, window.flipped(), breadth).flipped()
        } else {
            probe(worker, below, window, breadth)
        }
    });
    descent::worth_of_outcome(worker, reward, found, viewer)
}

/// Tries a few moves of a decision node.
#[inline]
fn probe<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
) -> Bounds {
    if worker.records_all() {
        return recorded_probe(worker, node, window, breadth);
    }
    negamax::decision(worker, node, window, breadth)
}

/// The same, recorded. (Other nodes are recorded in `recursion.rs`.)
#[cold]
fn recorded_probe<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
) -> Bounds {
    recording::enter(worker, NodeKind::Decision, node, window, true);
    let found = negamax::decision(worker, node, window, breadth);
    recording::leave(worker, found);
    found
}

/// Records a leaf that a probe came to.
fn note_probed_leaf<S: Setup>(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>, score: Score) {
    if worker.records_all() {
        let end = if kind == NodeKind::Terminal { TreeEnd::Terminal } else { TreeEnd::Leaf };
        let window = Window::full(worker.limit);
        recording::note_leaf(worker, kind, node, window, (Bounds::exactly(score), end));
    }
}
