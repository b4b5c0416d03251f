//! The successors of a chance node are split among the workers.
//!
//! Veness and Blair guess that redundant work is rarer at chance nodes than at decision nodes, and leave the
//! method to the future (section VIII). All successors of a chance node have to be searched unless it is cut,
//! and each has its own window from the node's sums, so splitting early wastes little. Both phases are split,
//! behind one another: the Star1 phase needs what all probes found.
//!
//! A phase may be split before any of its successors is searched, or after some: whoever goes through a phase
//! looks before each successor whether somebody is without work.

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

/// Brings back to the node what became known at the split point of one of its phases, when all of it is done.
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
        chance.become_moot();
    }
}
