//! A chance node's phase as a split point: the tasks that it has, and what comes of them.

use crate::parallel::setup::Parallel;
use crate::parallel::split::split_point::SplitPoint;
use crate::parallel::split::tasks::{ChanceTasks, Tasks};
use crate::search::{ChanceNode, NodeOf, Phase, Worker};

/// The tasks of a phase from `from` on: the successors that are not known exactly.
pub(crate) fn tasks_of<S: Parallel>(
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
    Tasks::Chance(ChanceTasks::new(phase, (&chance.sums, chance.shares), open))
}

/// Merges what the tasks of a phase found into the node, after the join.
pub(crate) fn merge_results<S: Parallel>(
    worker: &mut Worker<'_, S>,
    chance: &mut ChanceNode,
    split: &SplitPoint<S>,
) {
    let Tasks::Chance(tasks) = &split.tasks else {
        unreachable!("a chance node is split into its successors")
    };
    for (index, bounds) in tasks.results() {
        chance.tighten(worker, index, bounds);
    }
    if split.latch.is_cut() {
        chance.window_closed = true;
    }
}
