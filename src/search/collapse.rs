//! Leaf collapse: a chance node at depth 1 whose leaves share one evaluation has that evaluation as its
//! value.
//!
//! An evaluator may ignore outcomes at every node (`Abilities::ignores_outcome`) or at this one
//! ([`Evaluator::ignores_outcome`]). It then gives all leaves the same score s, for the chance node's player,
//! and gives s to the chance node itself with that node's state. (Clamping to the grid is odd, so the player
//! does not matter.) The node's value is `round(sum(w_i * s) / W) = round(W * s / W) = s`: the sum is a
//! multiple of W, so nothing is rounded (the tests check this). So the value is bit for bit that of a search
//! of every successor.
//!
//! This holds only if no outcome ends the game, has a reward or takes no ply. A game may promise that
//! outcomes never end it (`GameFacts::outcomes_never_end`) and have no outcome rewards and no plies of its
//! own. Otherwise the outcomes are looked at. (A chance node above depth 1 whose outcomes all lead to leaves
//! is searched as usual.)

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Step};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::TreeEnd;
use crate::search::chance_sums::are_weights;
use crate::search::near_leaves::NearLeaves;
use crate::search::setup::{NodeOf, PositionOf, Setup};
use crate::search::worker::Worker;
use crate::search::{evaluation, recording, transposition};
use std::ops::ControlFlow;

/// Whether the evaluator ignores outcomes at every chance node, or at this one.
#[inline]
pub(super) fn ignores_outcome<S: Setup>(worker: &Worker<'_, S>, position: &PositionOf<S>) -> bool {
    S::Evaluator::ABILITIES.ignores_outcome
        || S::Evaluator::ABILITIES.may_ignore_outcome
            && worker.evaluator.ignores_outcome(worker.game, position)
}

/// The score, for its player, of a chance node at the collapsing depth, from one evaluation. `None` if its
/// successors must be searched. It uses the table, if nodes this shallow do, and looks at the limits: it is
/// for nodes not reached through the loop of `above_leaves.rs`. Not inlined, to keep the search of other
/// nodes small.
#[inline(never)] // inlined, 1.8 % more in Star1
pub(super) fn chance_apart<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Option<Score> {
    if worker.near_leaves.to_the_end {
        return Some(evaluation::is_not_the_end(worker).lower);
    }
    if !ignores_outcome(worker, node.position) {
        return None;
    }
    let score = match node.evaluation.filter(|_| worker.near_leaves.leaves_are_promised) {
        Some(score) => {
            count(worker);
            score
        }
        None => remembered(worker, node)?,
    };
    worker.poll_limits_when_due();
    if worker.records_all() {
        let found = (Bounds::exactly(score), TreeEnd::Collapse);
        recording::note_leaf(worker, NodeKind::Chance, node, window, found);
    }
    Some(score)
}

/// Whether a chance node at the collapsing depth collapses. If it does, it is counted.
#[inline]
pub(super) fn counts<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>) -> bool {
    let collapses = ignores_outcome(worker, position) && leaves_are_alike(worker, position);
    if collapses {
        count(worker);
    }
    collapses
}

fn count<S: Setup>(worker: &mut Worker<'_, S>) {
    worker.stats.nodes.chance += 1;
    worker.stats.nodes.collapsed += 1;
    worker.processor.charge(Event::Node);
}

/// Whether a chance node right above the leaves is in the tuner's sample. Only where its outcomes are looked
/// at: with a promise it costs one evaluation.
#[inline]
pub(super) fn is_sampled<S: Setup>(worker: &Worker<'_, S>, position: &PositionOf<S>) -> bool {
    let NearLeaves { leaves_are_promised, collapsing_depth, .. } = worker.near_leaves;
    !leaves_are_promised && transposition::samples(worker, position, NodeKind::Chance, collapsing_depth)
}

/// The score of a node that collapses, from the table or computed: for evaluators slower than a probe, or
/// outcomes that are looked at. The entry is that of a search of the outcomes, so searches with and without
/// collapse may share a table.
fn remembered<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Option<Score> {
    let known = transposition::look_up_node(worker, node.position, NodeKind::Chance, node.depth);
    if known.bounds.is_exact() {
        count(worker);
        return Some(transposition::settle(worker, &known).lower);
    }
    if !leaves_are_alike(worker, node.position) {
        return None;
    }
    count(worker);
    let score = node.evaluation.unwrap_or_else(|| evaluation::evaluate(worker, node.position, node.state));
    transposition::conclude(worker, &known, Bounds::exactly(score), node.depth, None);
    Some(score)
}

/// Whether no outcome ends the game, has a reward or takes no ply, and the weights are valid: by the game's
/// promise or by a look.
#[inline]
fn leaves_are_alike<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>) -> bool {
    worker.near_leaves.leaves_are_promised || look_alike(worker, position)
}

fn look_alike<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>) -> bool {
    let (mut total, mut seen, mut is_sound) = (0u64, 0, true);
    let game = worker.game;
    game.visit_outcomes(position, |outcome, weight, after| {
        seen += 1;
        total += u64::from(weight);
        is_sound &= weight > 0 && game.kind(&after) != NodeKind::Terminal;
        is_sound &=
            !S::Game::STEPS.outcome_rewards || game.reward(position, Step::Outcome(outcome), &after) == 0;
        is_sound &= !S::Game::STEPS.plies || game.plies(position, Step::Outcome(outcome), &after) > 0;
        if is_sound { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    worker.tuner.note_made(seen);
    is_sound && are_weights(1, total)
}

#[cfg(test)]
mod tests {
    use crate::score::{Bounds, MAX_LIMIT, Window};
    use crate::search::chance_sums::{ChanceSums, rounded_quotient};

    /// Every score of a coarse grid and the ends of the finest, with small and greatest weights.
    #[test]
    fn the_mean_of_equal_scores_is_that_score() {
        let weights: [&[u32]; 6] =
            [&[1], &[1, 1], &[1, 2, 3], &[3, 5, 7, 11], &[u32::MAX], &[u32::MAX / 2, 1, u32::MAX / 2]];
        let ends = [-MAX_LIMIT, 1 - MAX_LIMIT, MAX_LIMIT - 1, MAX_LIMIT];
        for weights in weights {
            let total: i64 = weights.iter().map(|&weight| i64::from(weight)).sum();
            for score in (-50..=50).chain(ends) {
                assert_eq!(rounded_quotient(total * i64::from(score), total), score);
                let mut sums = ChanceSums::new(total, MAX_LIMIT, Window::full(MAX_LIMIT));
                for &weight in weights {
                    sums.update(weight, Bounds::unknown(MAX_LIMIT), Bounds::exactly(score));
                }
                assert_eq!(sums.bounds(), Bounds::exactly(score), "{weights:?}");
            }
        }
    }
}
