//! Static bounds: bounds of a position without a search. The game may prove some of an outcome, with any
//! evaluator ([`Game::outcome_bounds`]), such as an immediate win. An evaluator may know how far its
//! evaluation can change within the depth ([`Evaluator::bounds`]).
//!
//! Ballard's Star1 (1983) begins with [L, U] for every successor. Better bounds narrow the windows of all
//! other successors, or cut the node at once. The bounds are proven, so they are intersected with the results
//! of searches. Expectimax, the reference, does without. So does a node at depth 1, whose successors are
//! leaves with evaluations, and so does any outcome that leads to depth 0.
//!
//! The evaluator's bounds of the position after a move settle the move, or narrow its window, before its
//! search, as a reward alone may (`reward.rs`). So every node but the root starts with bounds taken above it,
//! and asks for none itself. A decision root takes only its own upper bound: a move that reaches it ends the
//! search. With the lower bound as well, no move would have to be proven best.
//!
//! Bounds are first clamped to the grid, on which sums, windows and table entries rely. They are those of the
//! position after a step; here they are mapped to the step's worth, with its reward.

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Player, Step};
use crate::score::{Bounds, Score, is_not_a_number, is_on_grid};
use crate::search::chance_node::ChanceSuccessor;
use crate::search::chance_sums::ChanceSums;
use crate::search::descent;
use crate::search::plies::{NO_DEPTH, depth_after, entry_depth};
use crate::search::ranking::ranks_moves;
use crate::search::reward::{Reward, within};
use crate::search::setup::{NodeOf, OutcomeOf, Setup};
use crate::search::worker::Worker;
use std::ops::Range;

/// Gives the successors in this range of the stack the bounds that the game and the evaluator know.
#[inline]
pub(super) fn narrow_outcomes<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    range: Range<usize>,
    sums: &mut ChanceSums,
) {
    if node.depth < worker.near_leaves.static_bounds_depth {
        return;
    }
    let (game, limit, mut contradictions) = (worker.game, worker.limit, 0);
    let mut meet = |successor: Option<&mut ChanceSuccessor<OutcomeOf<S>>>, offered| {
        let Some(successor) = successor else { return };
        if <S::Game as Game>::STEPS.plies && leads_to_evaluation::<S>(game, node, successor.outcome) {
            return;
        }
        let bounds = on_grid(offered, limit)
            .map(|bounds| bounds_of_outcome(game, limit, node.position, successor.outcome, bounds))
            .and_then(|bounds| bounds.meet(successor.bounds));
        match bounds {
            Some(bounds) => {
                sums.update(successor.weight, successor.bounds, bounds);
                successor.bounds = bounds;
            }
            None => contradictions += 1,
        }
    };
    let mut successors = worker.successors[range.clone()].iter_mut();
    game.outcome_bounds(node.position, entry_depth(node.depth), |offered| meet(successors.next(), offered));
    if S::Evaluator::ABILITIES.bounds {
        let mut successors = worker.successors[range].iter_mut();
        let depth = entry_depth(node.depth);
        worker
            .evaluator
            .outcome_bounds(game, node.position, depth, |offered| meet(successors.next(), offered));
    }
    worker.stats.table.contradictions += contradictions;
    worker.stats.nodes.static_cutoffs += u64::from(sums.is_cut());
}

/// Bounds, for `mover`, of the worth of a move to `below`, from its reward and from the evaluator. (Not at
/// collapsing depths, where the value itself costs no more than bounds.)
#[inline]
pub(crate) fn bounds_after_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    reward: Reward,
    mover: Player,
    below: NodeOf<'_, S>,
) -> Bounds {
    let takes_bounds = S::Evaluator::ABILITIES.bounds
        && below.depth > worker.near_leaves.collapsing_depth
        && below.depth + 1 >= worker.near_leaves.static_bounds_depth;
    if !takes_bounds || worker.game.kind(below.position) == NodeKind::Terminal {
        return descent::possible(worker, reward);
    }
    let Some(bounds) = own_bounds(worker, below) else { return descent::possible(worker, reward) };
    let is_movers = worker.game.player(below.position) == mover;
    descent::worth(worker, reward, if is_movers { bounds } else { bounds.flipped() }, mover)
}

/// The bounds with which a decision root begins: the evaluator's upper bound.
#[inline]
pub(super) fn bounds_of_root<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Bounds {
    let unknown = Bounds::unknown(worker.limit);
    // Ranked moves need exact values, so nothing narrows the root's window.
    if !S::Evaluator::ABILITIES.bounds
        || worker.near_leaves.static_bounds_depth == NO_DEPTH
        || ranks_moves(worker.options, node.ply)
    {
        return unknown;
    }
    own_bounds(worker, node).map_or(unknown, |Bounds { upper, .. }| Bounds { upper, ..unknown })
}

/// The evaluator's bounds of an interior node, for its player.
#[inline]
fn own_bounds<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Option<Bounds> {
    let bounds =
        on_grid(worker.evaluator.bounds(worker.game, node.position, entry_depth(node.depth)), worker.limit);
    worker.stats.table.contradictions += u64::from(bounds.is_none());
    bounds
}

/// Whether an outcome leads to a leaf that is evaluated, of which the game proves nothing.
fn leads_to_evaluation<S: Setup>(game: &S::Game, node: NodeOf<'_, S>, outcome: OutcomeOf<S>) -> bool {
    let after = game.resolve(node.position, outcome);
    depth_after(game, node.depth, node.position, Step::Outcome(outcome), &after) == 0
        && game.kind(&after) != NodeKind::Terminal
}

/// The bounds of an outcome's worth, from bounds of the position after it.
#[inline]
fn bounds_of_outcome<G: Game>(
    game: &G,
    limit: Score,
    before: &G::Position,
    outcome: G::Outcome,
    after: Bounds,
) -> Bounds {
    if !G::STEPS.outcome_rewards {
        return after;
    }
    let position = game.resolve(before, outcome);
    Reward::of_step(game, limit, before, (Step::Outcome(outcome), &position), within(limit))
        .mapped(after, limit)
}

/// The bounds clamped to the grid. `None` if they are crossed, since then one is false, or not numbers.
#[inline]
fn on_grid(offered: Bounds, limit: Score) -> Option<Bounds> {
    let Bounds { lower, upper } = offered;
    let is_on_grid = is_on_grid(lower, limit) && is_on_grid(upper, limit);
    let bounds = if is_on_grid { offered } else { brought_onto_grid(offered, limit)? };
    (lower <= upper).then_some(bounds)
}

fn brought_onto_grid(Bounds { lower, upper }: Bounds, limit: Score) -> Option<Bounds> {
    let are_numbers = !is_not_a_number(lower) && !is_not_a_number(upper);
    are_numbers.then_some(Bounds::new(lower.clamp(-limit, limit), upper.clamp(-limit, limit)))
}
