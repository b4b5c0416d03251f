//! A rival: every worker searches the whole tree on its own, and they help each other through the table alone
//! (known from chess programs as shared hash table or lazy search; Brockington, "A taxonomy of parallel
//! game-tree search algorithms", ICCA Journal 19(3), 1996, has it among the asynchronous ones).
//!
//! The workers differ in the order in which they take a chance node's successors: each begins at another
//! place and goes round. The first worker's answer counts; the others end with it.

use crate::parallel::methods::{ParallelMethod, never};
use crate::parallel::scheduler::work_loop::search_until_over;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{
    ChanceNode, MethodProperties, NEVER, NodeOf, OpenMoves, Phase, PositionOf, Worker, search_in_order,
};

/// The method.
pub(crate) struct SharedTable;

impl ParallelMethod for SharedTable {
    const PROPERTIES: MethodProperties = MethodProperties {
        splits_chance_nodes: false,
        splits_decision_nodes: false,
        helpers_search_whole_tree: true,
        clocks_idle_time: true,
        can_be_simulated: true,
        uses_whole_pool: false,
        marks_busy_nodes: false,
    };

    /// The first worker keeps to the order of the serial search; so do the others close to the leaves, where
    /// a search beside others takes longer, and is over before anybody could profit from another order.
    fn least_depth<S: Parallel>(context: &WorkerContext<S>) -> u8 {
        if context.index == 0 { u8::MAX } else { context.granularity.depth }
    }

    fn following_depth<S: Parallel>(context: &WorkerContext<S>) -> u8 {
        context.granularity.depth
    }

    fn marking_depth<S: Parallel>(_: &WorkerContext<S>) -> u8 {
        u8::MAX
    }

    fn idle_for_phase<S: Parallel>(_: &WorkerContext<S>, _: NodeOf<'_, S>, _: Phase) -> usize {
        0
    }

    /// Goes through the phase from this worker's own beginning.
    fn share_phase<S: Parallel>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        let WorkerContext { index, team, .. } = worker.ties.context();
        let end = chance.range().end;
        let begin = from + index * (end - from) / team.size();
        search_in_order(worker, node, chance, phase, (begin..end).chain(from..begin));
    }

    fn idle_for_moves<S: Parallel>(_: &WorkerContext<S>, _: NodeOf<'_, S>) -> usize {
        NEVER
    }

    fn share_moves<S: Parallel>(_: &mut Worker<'_, S>, _: NodeOf<'_, S>, _: &mut OpenMoves) {
        never("tries the moves of a decision node out of turn")
    }

    fn help<S: Parallel>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: u8) {
        search_until_over(worker, position, depth);
    }
}
