//! Scores of leaves: terminal scores and static evaluations, counted, and checked for breaches of the
//! contract (`breach.rs`).

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Player};
use crate::processor::{Evaluates, Event, Processor};
use crate::score::{Bounds, Score, is_on_grid};
use crate::search::answer::{Given, SearchError};
use crate::search::breach::{checked_score, most};
use crate::search::setup::{MoveOf, NodeOf, PositionOf, Setup, StateOf};
use crate::search::transposition;
use crate::search::worker::Worker;

/// Counts a leaf and returns its score for its player.
#[inline]
pub(super) fn leaf<S: Setup>(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>) -> Score {
    if kind == NodeKind::Terminal {
        return terminal(worker, node.position);
    }
    worker.stats.nodes.leaf += 1;
    worker.processor.charge(Event::Node);
    node.evaluation.unwrap_or_else(|| evaluate(worker, node.position, node.state))
}

/// Counts a terminal and returns its score for its player.
#[inline]
pub(super) fn terminal<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>) -> Score {
    worker.stats.nodes.leaf += 1;
    worker.processor.charge(Event::Node);
    terminal_score(worker, position)
}

/// A terminal's score for its player.
#[inline]
pub(super) fn terminal_score<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>) -> Score {
    let score = worker.game.terminal_score(position);
    on_grid(worker, Given::TerminalScore, score, |game| game.player(position))
}

/// A static evaluation, from the table or computed.
#[inline]
pub(super) fn evaluate<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    state: &StateOf<S>,
) -> Score {
    if worker.tuner.asks_memory {
        return transposition::evaluation(worker, position, |worker| evaluate_anew(worker, position, state));
    }
    evaluate_anew(worker, position, state)
}

/// The same for the position after a move, whose state is not needed.
#[inline]
pub(super) fn evaluate_after_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    after: &PositionOf<S>,
) -> Score {
    let evaluate = |worker: &mut Worker<'_, S>| {
        count_evaluation(worker);
        let (evaluator, game) = (worker.evaluator, worker.game);
        let before = (node.position, node.state);
        let score = worker.processor.evaluate_after_move(evaluator, game, before, mv, after);
        on_grid(worker, Given::Evaluation, score, |game| game.player(after))
    };
    if worker.tuner.asks_memory {
        transposition::evaluation(worker, after, evaluate)
    } else {
        evaluate(worker)
    }
}

/// A static evaluation, computed and counted.
#[inline]
fn evaluate_anew<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    state: &StateOf<S>,
) -> Score {
    count_evaluation(worker);
    let score = worker.processor.evaluate(worker.evaluator, worker.game, position, state);
    on_grid(worker, Given::Evaluation, score, |game| game.player(position))
}

#[inline]
fn count_evaluation<S: Setup>(worker: &mut Worker<'_, S>) {
    worker.stats.nodes.evaluations += 1;
    worker.processor.charge(Event::Evaluation);
}

/// Checks a score that `viewer` sees; replaces one off the grid.
#[inline]
pub(super) fn on_grid<S: Setup>(
    worker: &mut Worker<'_, S>,
    given: Given,
    score: Score,
    viewer: impl FnOnce(&S::Game) -> Player,
) -> Score {
    if is_on_grid(score, worker.limit) {
        return score;
    }
    let viewer = viewer(worker.game);
    take_off_grid(worker, given, score, viewer)
}

/// The slow path of [`on_grid`], also for rewards beyond twice the limit.
#[cold]
pub(super) fn take_off_grid<S: Setup>(
    worker: &mut Worker<'_, S>,
    given: Given,
    score: Score,
    viewer: Player,
) -> Score {
    let (game, evaluator) = (worker.game, worker.evaluator);
    let saturates = game.facts().saturates || given == Given::Evaluation && evaluator.facts(game).saturates;
    checked_score(game, saturates, given, score, viewer).unwrap_or_else(|error| {
        worker.become_void(error);
        let most = most(given, worker.limit);
        score.clamp(-most, most)
    })
}

/// Ends a search to the end of the game at a node that should have been one.
#[cold]
pub(super) fn is_not_the_end<S: Setup>(worker: &mut Worker<'_, S>) -> Bounds {
    worker.become_void(SearchError::NotTheEnd);
    Bounds::unknown(worker.limit)
}
