//! Star2 (Ballard 1983): before Star1, a probing phase searches a few moves of each successor. Where the
//! chance node's player moves next, that proves a lower bound of the successor cheaply; lower bounds of all
//! successors may cut the node, or narrow the windows of the Star1 phase.
//!
//! On irregular trees a successor where the opponent moves is probed for an upper bound in the same way, a
//! terminal or another leaf is exact at once, and a chance node is not probed. A probe that has searched
//! every move proves both bounds.

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind};
use crate::score::{Bounds, Window};
use crate::search::algorithm::SearchAlgorithm;
use crate::search::chance::{ChanceNode, Phase, Successor, run_phase, with_successor};
use crate::search::chance_sums::ChanceSums;
use crate::search::negamax::{self, Breadth};
use crate::search::request::TableUse;
use crate::search::setup::{NodeOf, OutcomeOf, Setup};
use crate::search::worker::Worker;

/// Alpha-beta at decision nodes, two phases at chance nodes.
pub(super) struct Star2;

impl SearchAlgorithm for Star2 {
    const PRUNES: bool = true;
    const NEEDS_TABLE: bool = false;
    const PAPER_TABLE_USE: TableUse = TableUse::Decision;

    #[inline]
    fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
        negamax::decision(worker, node, window, Breadth::All)
    }

    #[inline(always)]
    fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
        probe_and_search(worker, node, chance);
    }
}

/// The probing phase, then the Star1 phase, until the node is cut.
#[inline]
pub(super) fn probe_and_search<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
) {
    if !worker.is_above_leaves(node) && may_be_probed(worker, &chance.sums) {
        run_phase(worker, node, chance, Phase::Probing);
        if chance.is_settled() || worker.halted {
            return;
        }
    }
    run_phase(worker, node, chance, Phase::Star1);
}

/// Whether a probe of some successor could bring something.
#[inline]
fn may_be_probed<S: Setup>(worker: &Worker<'_, S>, sums: &ChanceSums) -> bool {
    match worker.options.probing_factor {
        Some(factor) => factor > 0,
        None => lower_bound_may_settle(worker, sums) || upper_bound_may_settle(worker, sums),
    }
}

/// Whether the node's beta is one that its value may reach: not where it comes of bounds that are known
/// beforehand, so that the sums of the upper ones have hardly room above it.
#[inline]
fn lower_bound_may_settle<S: Setup>(worker: &Worker<'_, S>, sums: &ChanceSums) -> bool {
    let has_room = || sums.upper - sums.reach >= margin(worker, sums);
    sums.may_reach(worker.far()) && (!knows_bounds(worker) || has_room())
}

/// The same of its alpha.
#[inline]
fn upper_bound_may_settle<S: Setup>(worker: &Worker<'_, S>, sums: &ChanceSums) -> bool {
    let has_room = || sums.within - sums.lower >= margin(worker, sums);
    sums.may_stay_within(worker.far()) && (!knows_bounds(worker) || has_room())
}

/// Whether windows may be narrowed by bounds that the evaluator knows.
#[inline]
fn knows_bounds<S: Setup>(worker: &Worker<'_, S>) -> bool {
    S::Evaluator::HAS_BOUNDS && worker.options.static_bounds
}

/// What is hardly room: a sixteenth of the grid's limit.
#[inline]
fn margin<S: Setup>(worker: &Worker<'_, S>, sums: &ChanceSums) -> i64 {
    i64::from(worker.limit / 16) * sums.total
}

/// Whether a successor is probed. Where the search chooses, only if the bound that a probe proves, the lower
/// one of the player who moves, could help to settle the node: no lower bound does where no value is too
/// great, as everywhere in a game for one player.
#[inline]
fn is_probed<S: Setup>(worker: &Worker<'_, S>, sums: &ChanceSums, of_opponent: bool) -> bool {
    worker.options.probing_factor.is_some()
        || if of_opponent {
            upper_bound_may_settle(worker, sums)
        } else {
            lower_bound_may_settle(worker, sums)
        }
}

/// Probes one successor (the paper's Star2 probing phase, Figure 4.1, with its `negamax-probe`).
#[inline]
pub(super) fn probe_successor<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    successor: &Successor<OutcomeOf<S>>,
    sums: &ChanceSums,
) -> Bounds {
    let position = worker.game.resolve(node.position, successor.outcome);
    let kind = worker.game.kind(&position);
    let depth = worker.depth_after_outcome(node, successor.outcome, &position);
    let is_leaf = kind == Kind::Terminal || worker.is_leaf_below(depth);
    if kind == Kind::Chance && !is_leaf {
        return successor.bounds;
    }
    let viewer = worker.game.player(node.position);
    let mover = worker.game.player(&position);
    let known = successor.bounds;
    if !is_leaf && !is_probed(worker, sums, mover != viewer) {
        return known;
    }
    let breadth = Breadth::First(worker.options.probing_factor.unwrap_or(1));
    let reward = worker.outcome_reward(node, successor.outcome, &position);
    worker.prefetch(&position, depth);
    let found = with_successor(worker, node, successor.outcome, &position, |worker, below| {
        if is_leaf {
            let score = worker.leaf(kind, below);
            return Bounds::exactly(if mover == viewer { score } else { -score });
        }
        worker.stats.nodes.star2_probes += 1;
        let asked = probe_window(sums, successor.weight, known, mover != viewer);
        let window = worker.window_below(reward, asked);
        if mover == viewer {
            negamax::decision(worker, below, window, breadth)
        } else {
            negamax::decision(worker, below, window.flipped(), breadth).flipped()
        }
    });
    worker.worth_of_outcome(reward, found, viewer)
}

/// The window of a probe, as the chance node's player sees it, before a reward is taken off. `of_opponent`:
/// whether the other player moves.
#[inline]
pub(super) fn probe_window(sums: &ChanceSums, weight: u32, known: Bounds, of_opponent: bool) -> Window {
    let window = sums.window_for(weight, known);
    if of_opponent {
        Window::new(window.alpha, known.upper)
    } else {
        // Only ChildMax counts: a few moves prove a lower bound, which is worth having however low it is.
        Window::new(known.lower, window.beta)
    }
}
