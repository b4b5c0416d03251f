//! Splits the successors of a chance node among workers.
//!
//! Veness and Blair expect less redundant work at chance nodes than at decision nodes, and leave the method
//! to future work (section VIII). Unless a chance node is cut, all its successors must be searched, each in
//! its own window from the node's sums, so an early split wastes little. Both phases are split, one after the
//! other: the Star1 phase needs the bounds from all probes.
//!
//! A phase may be split before its first successor or later: a worker checks for idle workers before each
//! successor.

use crate::parallel::methods::{ParallelMethod, split_rule};
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{MethodProperties, NodeOf, Phase, SharingDepths};

/// The method.
pub(crate) struct ChanceSplit;

impl ParallelMethod for ChanceSplit {
    const PROPERTIES: MethodProperties =
        MethodProperties { splits_chance_nodes: true, marks_busy_nodes: true, ..MethodProperties::USUAL };

    fn depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
        split_rule::fine_depths(context)
    }

    fn idle_for_phase<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>, phase: Phase) -> usize {
        split_rule::idle_for_size(context, node.depth, context.sizes.of(node.depth, phase))
    }
}
