//! The moves of a node evaluated together, where evaluations are made in batches: one wait for all of them.

use crate::evaluator::EvaluationCost;
use crate::game::{Game, Kind};
use crate::processor::{Evaluates, Event, Processor};
use crate::search::collapse;
use crate::search::control::on_grid;
use crate::search::ordering::{SuccessorOf, WINS, make_successor};
use crate::search::request::Options;
use crate::search::setup::{NodeOf, Setup};
use crate::search::transposition;
use crate::search::worker::Worker;
use std::ops::Range;

/// So many times as much is evaluated where all moves of the nodes above the leaves are, and not one after
/// another until one cuts: backgammon, to 5 plies.
const WASTE: f64 = 3.0;

/// The greatest depth of decision nodes whose moves are all evaluated at once: those right above the leaves,
/// or above chance nodes that stand for theirs, where fuller batches make up for what is evaluated in vain; 0
/// where none are. The best is tried first then.
pub(in crate::search) fn depth<S: Setup>(
    processor: &S::Processor,
    evaluator: &S::Evaluator,
    options: &Options,
) -> u8 {
    // One lane alone searches as the serial search does.
    if processor.in_batches()
        && options.has_lanes()
        && pays(processor.cost(evaluator), options.lanes, options.batch)
    {
        collapse::depth::<S>(options) + 1
    } else {
        0
    }
}

/// Whether full batches of that much more cost less than batches with a request of each lane.
fn pays(cost: EvaluationCost, lanes: usize, batch: usize) -> bool {
    let [fixed, each] = [cost.fixed_ns, cost.each_ns].map(f64::from);
    let each_in = |size: usize| fixed / size as f64 + each;
    each_in(lanes.min(batch)) > WASTE * each_in(batch)
}

/// Ranks the moves at these places of the stack by what the positions after them look like, as
/// `rank_statically` of `ordering.rs` does one by one; what is computed of them is kept for the search.
#[inline(never)]
pub(super) fn rank_together<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, places: Range<usize>) {
    let mover = worker.game.player(node.position);
    worker.note_made(places.len());
    let mut evaluated = Vec::new();
    for index in places {
        let mv = worker.moves.moves[index].mv;
        let successor = make_successor(worker, node, mv);
        let position = &successor.position;
        let reward = i64::from(worker.move_reward(node, mv, position).steps());
        let sign = if worker.game.player(position) == mover { 1 } else { -1 };
        let rank = if worker.game.kind(position) == Kind::Terminal {
            let score = sign * i64::from(worker.terminal_score(position));
            if score > 0 { WINS } else { reward + score }
        } else {
            if node.depth >= 2 || worker.company_depth >= 1 || worker.takes_no_ply(node, mv, position) {
                evaluated.push((index, sign));
            }
            reward
        };
        let entry = &mut worker.moves.moves[index];
        entry.rank = rank;
        entry.successor = Some(worker.moves.successors.len() as u32);
        worker.moves.successors.push(successor);
    }
    let places: Vec<usize> = evaluated.iter().map(|&(index, _)| successor_of(worker, index)).collect();
    evaluate_together(worker, &places);
    for ((index, sign), place) in evaluated.into_iter().zip(places) {
        let evaluation = worker.moves.successors[place].evaluation.expect("it was just made");
        worker.moves.moves[index].rank += sign * i64::from(evaluation);
    }
}

/// Where the successor of the move at a place of the stack lies on its own.
fn successor_of<S: Setup>(worker: &Worker<'_, S>, index: usize) -> usize {
    worker.moves.moves[index].successor.expect("it was just made") as usize
}

/// Evaluates the successors at these places of the stack: those that the table remembers by it, all others
/// in one wait.
fn evaluate_together<S: Setup>(worker: &mut Worker<'_, S>, places: &[usize]) {
    let mut asked = Vec::with_capacity(places.len());
    for &place in places {
        let key = worker.keys.evaluation_key(worker.game.hash(&worker.moves.successors[place].position));
        let found = if worker.plan.remembers_evaluations { transposition::recall(worker, key) } else { None };
        worker.moves.successors[place].evaluation = found;
        if found.is_none() {
            asked.push((place, key));
        }
    }
    let count = asked.len();
    worker.stats.nodes.evaluations += count as u64;
    (0..count).for_each(|_| worker.processor.charge(Event::Evaluation));
    let mut scores = vec![0; count];
    let successors = &worker.moves.successors;
    let nodes = asked.iter().map(|&(place, _)| {
        let successor: &SuccessorOf<S> = &successors[place];
        (&successor.position, &successor.state)
    });
    worker.processor.evaluate_all(worker.evaluator, worker.game, nodes, &mut scores);
    for ((place, key), score) in asked.into_iter().zip(scores) {
        let score = on_grid(score, worker.limit);
        worker.moves.successors[place].evaluation = Some(score);
        if worker.plan.remembers_evaluations {
            transposition::remember(worker, key, score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn company_is_for_batches_that_lanes_do_not_fill() {
        let call = EvaluationCost { fixed_ns: 50_000, each_ns: 100 };
        assert!(pays(call, 2, 64) && pays(call, 16, 64) && pays(call, 16, 256));
        assert!(!pays(call, 64, 64) && !pays(call, 256, 64) && !pays(call, 16, 16));
        // A network of which one in a batch costs a third.
        let network = EvaluationCost { fixed_ns: 10_000, each_ns: 4_000 };
        assert!(!pays(network, 2, 64) && !pays(network, 8, 64));
        assert!(!pays(EvaluationCost::each(100), 2, 64), "nothing is gained");
    }
}
