//! Evaluations made together: one call, or one wait of a lane, for many of them.
//!
//! Moves ranked by static evaluation are always evaluated together. Right above the leaves a worker requests
//! more than it needs at once ([`SiblingBatch`](crate::search::SiblingBatch)): the first moves at the nodes
//! that a chance node's probes reach, and all moves of a decision node, or all but the first. The first move
//! cuts most of the nodes that are cut. Where it does not, the other moves are hardly ever evaluated in vain.
//! Where a cut is not expected at all, the first is evaluated with the others.

use crate::game::{Game, NodeKind, PositionHash};
use crate::processor::{Evaluates, Event, Processor};
use crate::score::is_on_grid;
use crate::search::answer::{BatchCounts, Given};
use crate::search::chance_node::{ChanceNode, ChanceSuccessor};
use crate::search::descent::with_successor;
use crate::search::ordering::{first_ordinal, generate, make_successor, rank_each};
use crate::search::request::MAX_BATCH;
use crate::search::setup::{MoveSuccessorOf, NodeOf, Setup};
use crate::search::sibling_batcher::PregeneratedMoves;
use crate::search::worker::Worker;
use crate::search::{evaluation, transposition};
use std::ops::Range;

/// The state that [`forget`] restores after [`evaluate_first_moves`].
pub(in crate::search) struct Evaluated {
    /// The moves kept before.
    before: Vec<PregeneratedMoves>,
    /// The numbers of moves and of their successors on the stacks before.
    moves: usize,
    successors: usize,
}

/// Before a chance node is probed, evaluates together the first moves at its successors, where a batch
/// takes them. The caller must [`forget`] the result when the node is searched.
#[inline]
pub(in crate::search) fn evaluate_first_moves<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &ChanceNode,
) -> Option<Evaluated> {
    if !S::IN_BATCHES || chance.is_settled() {
        return None;
    }
    let above = 2..=worker.moves.batcher.depth + 1;
    above.contains(&node.depth).then(|| evaluate_firsts(worker, node, chance))
}

fn evaluate_firsts<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &ChanceNode,
) -> Evaluated {
    let (moves, successors) = (worker.moves.stack.len(), worker.moves.successors.len());
    let mut kept = Vec::with_capacity(chance.range().len());
    for below in chance.range() {
        let ChanceSuccessor { outcome, bounds, place, .. } = worker.successors[below];
        let position = worker.game.resolve(node.position, outcome);
        if !bounds.is_exact() && worker.game.kind(&position) == NodeKind::Decision {
            kept.extend(with_successor(worker, node, outcome, &position, |worker, below| {
                with_first_move(worker, NodeOf::<S> { place: Some(place), ..below })
            }));
        }
    }
    let places: Vec<usize> = (successors..worker.moves.successors.len()).collect();
    evaluate_together(worker, &places);
    // Searches below may keep moves of their own.
    Evaluated { before: std::mem::replace(&mut worker.moves.batcher.pregenerated, kept), moves, successors }
}

/// Restores what was before.
#[cold]
pub(in crate::search) fn forget<S: Setup>(worker: &mut Worker<'_, S>, evaluated: Evaluated) {
    worker.moves.batcher.pregenerated = evaluated.before;
    worker.moves.stack.truncate(evaluated.moves);
    worker.moves.successors.truncate(evaluated.successors);
}

/// A decision node's moves, of which the one to be tried first has a successor, not yet evaluated; `None` if
/// there is nothing to evaluate. They stay on the stack until [`forget`].
fn with_first_move<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Option<PregeneratedMoves> {
    let batcher = &worker.moves.batcher;
    if !batcher.is_above_leaves(node.depth) || batcher.ranks(node.depth) {
        return None;
    }
    let known = transposition::look_up(worker, node.position, NodeKind::Decision, node.depth);
    if known.bounds.is_exact() {
        return None;
    }
    let range = generate(worker, node).range();
    let first = range.start + first_ordinal(worker, node, range.clone(), known.table_move);
    let successor = make_successor(worker, node, worker.moves.stack.get(first)?.mv);
    if worker.game.kind(&successor.position) == NodeKind::Terminal {
        return None;
    }
    worker.moves.stack[first].successor = Some(worker.moves.successors.len() as u32);
    worker.moves.successors.push(successor);
    Some(PregeneratedMoves {
        key: transposition::node_key(worker, node.position, NodeKind::Decision, node.depth),
        range,
    })
}

/// Ranks the moves at these places of the stack by the static evaluation of the positions after them, as
/// `rank_statically` of `ordering.rs` does one by one. The successors are kept for the search.
pub(super) fn rank_together<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, places: Range<usize>) {
    let mut evaluated = Vec::new();
    rank_each(worker, node, places, |_, index, sign, _| {
        evaluated.push((index, sign));
        0
    });
    let places: Vec<usize> = evaluated.iter().map(|&(index, _)| successor_of(worker, index)).collect();
    evaluate_together(worker, &places);
    for ((index, sign), place) in evaluated.into_iter().zip(places) {
        let evaluation = worker.moves.successors[place].evaluation.unwrap_or(0);
        worker.moves.stack[index].rank += sign * i64::from(evaluation);
    }
}

/// The stack index of the successor of the move at a place of the stack.
fn successor_of<S: Setup>(worker: &Worker<'_, S>, index: usize) -> usize {
    worker.moves.stack[index].successor.expect("it was just made") as usize
}

/// Evaluates the successors at these stack indices: from the table if it remembers the evaluation, all others
/// in one call, or as many as their size asks for. What a limit leaves out has no evaluation, and the worker
/// is halted.
fn evaluate_together<S: Setup>(worker: &mut Worker<'_, S>, places: &[usize]) {
    let mut asked = Vec::with_capacity(places.len());
    for &place in places {
        let key = worker.keys.evaluation_key(worker.game.hash(&worker.moves.successors[place].position));
        let found =
            if worker.tuner.plan.remembers_evaluations { transposition::recall(worker, key) } else { None };
        worker.moves.successors[place].evaluation = found;
        if found.is_none() {
            asked.push((place, key));
        }
    }
    // Lanes leave it to their thread how many requests share a call.
    let most = if S::WAITS { MAX_BATCH } else { worker.options.lanes.batch.unwrap_or(MAX_BATCH) };
    for (number, asked) in asked.chunks(most).enumerate() {
        // Calls may be slow: a look at the limits before each but the first.
        if !S::WAITS && number > 0 && !worker.goes_on() {
            return;
        }
        evaluate_in_call(worker, asked);
    }
}

/// Evaluates the successors at these stack indices in one call, and keeps the scores under these keys.
fn evaluate_in_call<S: Setup>(worker: &mut Worker<'_, S>, asked: &[(usize, PositionHash)]) {
    let count = asked.len();
    worker.stats.nodes.evaluations += count as u64;
    if !S::WAITS {
        worker.stats.batches.add(BatchCounts { calls: 1, evaluations: count as u64 });
    }
    (0..count).for_each(|_| worker.processor.charge(Event::Evaluation));
    let mut scores = vec![0; count];
    let successors = &worker.moves.successors;
    let node = |&(place, _): &(usize, PositionHash)| {
        let successor: &MoveSuccessorOf<S> = &successors[place];
        (&successor.position, &successor.state)
    };
    let nodes: Vec<_> = asked.iter().map(node).collect();
    let made = worker.processor.evaluate_all(worker.evaluator, worker.game, &nodes, &mut scores);
    if let Err(error) = made {
        worker.become_void(error.into());
    }
    for (&(place, key), score) in asked.iter().zip(scores) {
        let score = if is_on_grid(score, worker.limit) {
            score
        } else {
            let viewer = worker.game.player(&worker.moves.successors[place].position);
            evaluation::take_off_grid(worker, Given::Evaluation, score, viewer)
        };
        worker.moves.successors[place].evaluation = Some(score);
        if worker.tuner.plan.remembers_evaluations {
            transposition::remember(worker, key, score);
        }
    }
}
