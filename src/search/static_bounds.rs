//! Static bounds: what is known of a position without a search. The game can prove some of an outcome
//! whatever the evaluator says ([`Game::outcome_bounds`]), such as a win that the roll allows at once; an
//! evaluator may know how far its evaluation can change within the depth ([`Evaluator::bounds`]).
//!
//! Ballard's Star1 (1983) begins with [L, U] for every successor; whatever is known better narrows the
//! windows of all the others, and is enough by itself where it carries the node's sums out of its window. The
//! bounds are proven, so they join what a search finds like any other. Expectimax, the measure of the rest,
//! does without; so does a node at depth 1, whose successors are leaves and have the evaluation for their
//! value, as has any outcome that leaves depth 0.
//!
//! The evaluator's bounds of what a move leads to settle the move, or narrow its window, before it is
//! entered, as a reward alone may (`reward.rs`): so every node but the root is entered with bounds that were
//! taken above it, and asks for none. A decision root takes the upper one of its own: a move worth as much
//! ends the search. Were the lower one to narrow its window no move would have to be proven best.
//!
//! What is offered is brought onto the grid first: a bound beyond it says no more than one at its end, and
//! sums, windows and table entries rely on it. It is told of the position after the outcome or the move, and
//! mapped here to what that is worth where it carries a reward.

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind, Player, Step};
use crate::score::{Bounds, Score, is_not_a_number, is_on_grid};
use crate::search::chance_sums::ChanceSums;
use crate::search::plies::depth_after;
use crate::search::ranking::ranks_moves;
use crate::search::reward::{Reward, within};
use crate::search::setup::{NodeOf, OutcomeOf, Setup};
use crate::search::worker::Worker;
use std::ops::Range;

/// Begins the successors, at these places of the stack, with the bounds that the game and the evaluator know
/// of them.
#[inline]
pub(super) fn take<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    range: Range<usize>,
    sums: &mut ChanceSums,
) {
    if node.depth < worker.near_leaves.static_bounds_depth {
        return;
    }
    let (game, limit, mut crossed) = (worker.game, worker.limit, 0);
    let mut successors = worker.successors[range.clone()].iter_mut();
    game.outcome_bounds(node.position, node.depth, |offered| {
        let Some(successor) = successors.next() else { return };
        if <S::Game as Game>::STEPS.plies && leads_to_evaluation::<S>(game, node, successor.outcome) {
            return;
        }
        match taken(offered, limit) {
            Some(bounds) => {
                let bounds = worth(game, limit, node.position, successor.outcome, bounds);
                sums.update(successor.weight, successor.bounds, bounds);
                successor.bounds = bounds;
            }
            None => crossed += 1,
        }
    });
    worker.stats.table.contradictions += crossed;
    if S::Evaluator::ABILITIES.bounds {
        take_from_evaluator(worker, node, range, sums);
    }
    worker.stats.nodes.static_cutoffs += u64::from(sums.is_cut());
}

/// Joins what the evaluator knows of the successors with what is known of them.
#[inline]
fn take_from_evaluator<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    range: Range<usize>,
    sums: &mut ChanceSums,
) {
    let (game, limit, mut contradictions) = (worker.game, worker.limit, 0);
    let mut successors = worker.successors[range].iter_mut();
    worker.evaluator.outcome_bounds(game, node.position, node.depth, |offered| {
        let Some(successor) = successors.next() else { return };
        if <S::Game as Game>::STEPS.plies && leads_to_evaluation::<S>(game, node, successor.outcome) {
            return;
        }
        let bounds = taken(offered, limit)
            .map(|bounds| worth(game, limit, node.position, successor.outcome, bounds))
            .and_then(|bounds| bounds.meet(successor.bounds));
        match bounds {
            Some(bounds) => {
                sums.update(successor.weight, successor.bounds, bounds);
                successor.bounds = bounds;
            }
            None => contradictions += 1,
        }
    });
    worker.stats.table.contradictions += contradictions;
}

/// What a move can be worth to `mover` that carries this reward and leads to `below`: by the reward, and
/// by what the evaluator knows. (Not at collapsing depths: there the value costs no more than bounds.)
#[inline(always)]
pub(crate) fn foreseen<S: Setup>(
    worker: &mut Worker<'_, S>,
    reward: Reward,
    mover: Player,
    below: NodeOf<'_, S>,
) -> Bounds {
    let takes_bounds = S::Evaluator::ABILITIES.bounds
        && below.depth > worker.near_leaves.collapsing_depth
        && below.depth + 1 >= worker.near_leaves.static_bounds_depth;
    if !takes_bounds || worker.game.kind(below.position) == Kind::Terminal {
        return worker.possible(reward);
    }
    let Some(bounds) = own_bounds(worker, below) else { return worker.possible(reward) };
    let is_movers = worker.game.player(below.position) == mover;
    worker.worth(reward, if is_movers { bounds } else { bounds.flipped() }, mover)
}

/// The bounds with which a decision root begins: the upper one that the evaluator knows.
#[inline]
pub(super) fn bounds_of_root<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Bounds {
    let unknown = Bounds::unknown(worker.limit);
    // Ranked moves are worth what they are, whatever the root's window is.
    if !S::Evaluator::ABILITIES.bounds
        || worker.near_leaves.static_bounds_depth == u8::MAX
        || ranks_moves(worker.options, node.ply)
    {
        return unknown;
    }
    own_bounds(worker, node).map_or(unknown, |Bounds { upper, .. }| Bounds { upper, ..unknown })
}

/// What the evaluator knows of an interior node, as its player sees it.
#[inline]
fn own_bounds<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Option<Bounds> {
    let bounds = taken(worker.evaluator.bounds(worker.game, node.position, node.depth), worker.limit);
    worker.stats.table.contradictions += u64::from(bounds.is_none());
    bounds
}

/// Whether an outcome leads to a leaf whose value is its evaluation, of which the game proves nothing.
fn leads_to_evaluation<S: Setup>(game: &S::Game, node: NodeOf<'_, S>, outcome: OutcomeOf<S>) -> bool {
    let after = game.resolve(node.position, outcome);
    depth_after(game, node.depth, node.position, Step::Outcome(outcome), &after) == 0
        && game.kind(&after) != Kind::Terminal
}

/// What an outcome is worth that leads to a position of which these bounds are known.
#[inline]
fn worth<G: Game>(
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

/// What is taken of the bounds offered; nothing where they cross, for then one of them is false, or where one
/// is no number.
#[inline]
fn taken(offered: Bounds, limit: Score) -> Option<Bounds> {
    let Bounds { lower, upper } = offered;
    let is_on_grid = is_on_grid(lower, limit) && is_on_grid(upper, limit);
    let bounds = if is_on_grid { offered } else { brought_onto_grid(offered, limit)? };
    (lower <= upper).then_some(bounds)
}

#[inline(never)]
fn brought_onto_grid(Bounds { lower, upper }: Bounds, limit: Score) -> Option<Bounds> {
    let are_numbers = !is_not_a_number(lower) && !is_not_a_number(upper);
    are_numbers.then_some(Bounds::new(lower.clamp(-limit, limit), upper.clamp(-limit, limit)))
}
