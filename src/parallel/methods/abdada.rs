//! A rival: every worker searches the whole tree, and puts off a successor that another worker is searching at the
//! moment until it has nothing else to do there; by then its value may be in the table (ABDADA: Weill, "The ABDADA
//! distributed minimax search algorithm", ICCA Journal 19(1), 1996; the marks apart from the table are Kerrigan's
//! simplification of it).
//!
//! At a decision node the first move is never put off. At a chance node any successor may be. The first worker's answer
//! counts; the others end with it.

use crate::game::Game;
use crate::parallel::scheduler::worker_context::{Seat, mark_of};
use crate::parallel::setup::Parallel;
use crate::parallel::telemetry::in_flight::{Mark, Marks};
use crate::processor::Processor;
use crate::search::{
    ChanceNode, NodeOf, OpenMoves, Phase, PositionOf, Setup, Worker, go_through_in_order, try_move,
};

/// How far below the least depth of a split successors are still put off: a mark costs less than a split.
const BELOW: u8 = 2;

/// The least depth of a node whose successors are put off.
pub(crate) fn least_depth<S: Setup>(seat: &Seat<S>) -> u8 {
    seat.team.split_depth.saturating_sub(BELOW).max(2)
}

/// Goes through a phase: first the successors that nobody is searching, then those that somebody was.
pub(crate) fn go_through<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    let mut put_off = Vec::new();
    for index in from..chance.range().end {
        let successor = worker.successors[index];
        if successor.bounds.is_exact() {
            continue;
        }
        let position = worker.game.resolve(node.position, successor.outcome);
        let mark = mark_below(worker, &position, node.depth);
        if is_busy(worker, mark) {
            worker.stats.split.deferred += 1;
            put_off.push(index);
            continue;
        }
        set(worker, mark);
        go_through_in_order(worker, node, chance, phase, std::iter::once(index));
        clear(worker, mark);
        if chance.sums.is_cut() || worker.halted {
            return;
        }
    }
    go_through_in_order(worker, node, chance, phase, put_off.into_iter());
}

/// Tries the moves that are left: first those whose successors nobody is searching, then the others.
pub(crate) fn try_rest<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
    let mut put_off = Vec::new();
    while !worker.halted
        && let Some(picked) = open.pick(worker, node)
    {
        let successor = picked.successor(worker, node);
        let mark = mark_below(worker, successor.below(node).position, node.depth);
        if is_busy(worker, mark) {
            worker.stats.split.deferred += 1;
            put_off.push((picked, successor));
            continue;
        }
        set(worker, mark);
        let is_cut = try_move(worker, node, open, &picked, &successor);
        clear(worker, mark);
        if is_cut {
            return open.leave_untried(worker, put_off.len());
        }
    }
    let mut left = put_off.len();
    for (picked, successor) in put_off {
        if worker.halted {
            break;
        }
        left -= 1;
        if try_move(worker, node, open, &picked, &successor) {
            break;
        }
    }
    open.leave_untried(worker, left);
}

fn mark_below<S: Parallel>(worker: &Worker<'_, S>, position: &PositionOf<S>, depth: u8) -> Mark {
    mark_of(worker, position, worker.game.kind(position), depth - 1)
}

/// The marks of the successors that are being searched.
fn busy<'w, S: Parallel>(worker: &'w Worker<'_, S>) -> Option<&'w Marks> {
    worker.processor.catch_up();
    worker.seat.as_ref()?.team.busy.as_ref()
}

fn is_busy<S: Parallel>(worker: &Worker<'_, S>, mark: Mark) -> bool {
    busy(worker).is_some_and(|busy| busy.is_set(mark))
}

fn set<S: Parallel>(worker: &Worker<'_, S>, mark: Mark) {
    if let Some(busy) = busy(worker) {
        busy.set(mark);
    }
}

fn clear<S: Parallel>(worker: &Worker<'_, S>, mark: Mark) {
    if let Some(busy) = busy(worker) {
        busy.clear(mark);
    }
}
