//! Splits the successors of a chance node among workers.
//!
//! Veness and Blair expect less redundant work at chance nodes than at decision nodes, and leave the method
//! to future work (section VIII). Unless a chance node is cut, all its successors must be searched, each in
//! its own window from the node's sums, so an early split wastes little. Both phases are split, one after the
//! other: the Star1 phase needs the bounds from all probes.
//!
//! A phase may be split before its first successor or later: a worker checks for idle workers before each
//! successor.

use crate::parallel::methods::{ParallelMethod, granularity};
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_and_join::split_and_join;
use crate::parallel::split::split_point::SplitPoint;
use crate::parallel::split::tasks::{ChanceTasks, Tasks};
use crate::search::{ChanceNode, MethodProperties, NodeOf, Phase, SharingDepths, Worker};

/// The method.
pub(crate) struct ChanceSplit;

impl ParallelMethod for ChanceSplit {
    const PROPERTIES: MethodProperties =
        MethodProperties { splits_chance_nodes: true, marks_busy_nodes: true, ..MethodProperties::USUAL };

    fn depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
        granularity::fine_depths(context)
    }

    fn idle_for_phase<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>, phase: Phase) -> usize {
        granularity::idle_for_size(context, node.depth, context.sizes.of(node.depth, phase))
    }

    /// Splits the successors from `from` on.
    fn share_phase<S: Parallel>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        let tasks = tasks_of(worker, node, chance, phase, from);
        let split = split_and_join(worker, node, (chance.window, chance.known), tasks);
        merge_results(worker, chance, &split);
    }
}

/// The tasks of a phase from `from` on: the successors that are not known exactly.
pub(super) fn tasks_of<S: Parallel>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &ChanceNode,
    phase: Phase,
    from: usize,
) -> Tasks<S> {
    let open = (from..chance.range().end)
        .map(|index| (index, worker.successors[index]))
        .filter(|(_, successor)| !successor.bounds.is_exact())
        .map(|(index, successor)| (index, successor, worker.outcome_edge(node, successor.outcome)));
    Tasks::Chance(ChanceTasks::new(phase, &chance.sums, open))
}

/// Merges what the tasks of a phase found into the node, after the join.
pub(super) fn merge_results<S: Parallel>(
    worker: &mut Worker<'_, S>,
    chance: &mut ChanceNode,
    split: &SplitPoint<S>,
) {
    let Tasks::Chance(tasks) = &split.tasks else {
        unreachable!("a chance node is split into its successors")
    };
    for (index, bounds) in tasks.learnt() {
        chance.tighten(worker, index, bounds);
    }
    if split.latch.is_cut() {
        chance.is_moot = true;
    }
}
