//! A rival: every worker searches the whole tree. A successor that another worker is searching is deferred to
//! the end of the node; by then its value may be in the table. (ABDADA: Weill, "The ABDADA distributed
//! minimax search algorithm", ICCA Journal 19(1), 1996. The list of nodes in flight outside the table is
//! Kerrigan's simplification.)
//!
//! At a decision node the first move is never deferred. At a chance node any successor may be, from the least
//! split depth up; below it, marks cost more than duplicate searches. The leader's answer counts; helpers
//! stop when it ends.

use crate::game::{Game, Step};
use crate::parallel::methods::ParallelMethod;
use crate::parallel::scheduler::work_loop::search_until_over;
use crate::parallel::scheduler::worker_context::{WorkerContext, tag_of};
use crate::parallel::setup::Parallel;
use crate::parallel::telemetry::in_flight::{InFlight, NodeTag};
use crate::processor::Processor;
use crate::search::{
    ChanceNode, Depth, MethodProperties, NodeOf, OpenMoves, Phase, PositionOf, Worker, search_in_order,
    try_move,
};

/// The method.
pub(crate) struct Abdada;

impl ParallelMethod for Abdada {
    const PROPERTIES: MethodProperties =
        MethodProperties { marks_busy_nodes: true, ..MethodProperties::USUAL };

    fn idle_for_phase<S: Parallel>(_: &WorkerContext<S>, _: NodeOf<'_, S>, _: Phase) -> usize {
        0
    }

    /// Searches first the successors that no other worker is searching, then the deferred ones.
    fn share_phase<S: Parallel>(
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
            let depth = worker.depth_after(node, Step::Outcome(successor.outcome), &position);
            let tag = tag_below(worker, &position, depth);
            if busy(worker).contains(tag) {
                worker.stats.split.deferred += 1;
                put_off.push(index);
                continue;
            }
            busy(worker).begin(tag);
            search_in_order(worker, node, chance, phase, std::iter::once(index));
            busy(worker).end(tag);
            if chance.sums.is_cut() || worker.is_halted() {
                return;
            }
        }
        search_in_order(worker, node, chance, phase, put_off.into_iter());
    }

    fn idle_for_moves<S: Parallel>(_: &WorkerContext<S>, _: NodeOf<'_, S>) -> usize {
        0
    }

    /// Tries first the moves to successors that no other worker is searching, then the deferred ones.
    fn share_moves<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
        let mut put_off = Vec::new();
        while !worker.is_halted() && worker.goes_on_among_leaves() {
            let Some(picked) = open.pick(worker, node) else { break };
            let successor = picked.successor(worker, node);
            let depth = worker.depth_after(node, Step::Move(picked.mv), &successor.position);
            let tag = tag_below(worker, &successor.position, depth);
            if busy(worker).contains(tag) {
                worker.stats.split.deferred += 1;
                put_off.push((picked, successor));
                continue;
            }
            busy(worker).begin(tag);
            let is_cut = try_move(worker, node, open, &picked, &successor);
            busy(worker).end(tag);
            if is_cut {
                return open.leave_untried(worker, put_off.len());
            }
        }
        let mut left = put_off.len();
        for (picked, successor) in put_off {
            if worker.is_halted() || !worker.goes_on_among_leaves() {
                break;
            }
            left -= 1;
            if try_move(worker, node, open, &picked, &successor) {
                break;
            }
        }
        open.leave_untried(worker, left);
    }

    fn help_until_over<S: Parallel>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) {
        search_until_over(worker, position, depth);
    }
}

fn tag_below<S: Parallel>(worker: &Worker<'_, S>, position: &PositionOf<S>, depth: Depth) -> NodeTag {
    tag_of(worker, position, worker.game.kind(position), depth)
}

/// The nodes being searched, after workers behind in virtual time have run.
fn busy<'w, S: Parallel>(worker: &'w Worker<'_, S>) -> &'w InFlight {
    worker.processor.catch_up();
    worker.team_link.context().team.busy()
}
