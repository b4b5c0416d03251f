//! A rival: every worker searches the whole tree, and workers help each other only through the table. (Chess
//! programs call it shared hash table or lazy search; Brockington, "A taxonomy of parallel game-tree search
//! algorithms", ICCA Journal 19(3), 1996, lists it among the asynchronous ones.)
//!
//! Workers take a chance node's successors in different orders: each starts at another successor and goes
//! round. The leader's answer counts; helpers stop when it ends.

use crate::parallel::methods::{ParallelMethod, split_rule};
use crate::parallel::scheduler::work_loop::search_until_over;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{
    ChanceNode, Depth, MethodProperties, NO_DEPTH, NodeOf, Phase, PositionOf, SharingDepths, Worker,
    search_in_order,
};

/// The method.
pub(crate) struct SharedTable;

impl ParallelMethod for SharedTable {
    const PROPERTIES: MethodProperties = MethodProperties::USUAL;

    /// The leader keeps the serial order. So do helpers close to the leaves: searching beside others takes
    /// longer there, and such nodes end before another order could help.
    fn depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
        let depths = split_rule::coarse_depths(context);
        if context.index == 0 { SharingDepths { shared: NO_DEPTH, ..depths } } else { depths }
    }

    fn idle_for_phase<S: Parallel>(_: &WorkerContext<S>, _: NodeOf<'_, S>, _: Phase) -> usize {
        0
    }

    /// Searches the phase from this worker's own start, and goes round.
    fn share_phase<S: Parallel>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        let WorkerContext { index, team, .. } = worker.team_link.context();
        let end = chance.range().end;
        let begin = from + index * (end - from) / team.size();
        search_in_order(worker, node, chance, phase, (begin..end).chain(from..begin));
    }

    fn help_until_over<S: Parallel>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) {
        search_until_over(worker, position, depth);
    }
}
