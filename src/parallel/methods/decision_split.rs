//! Splits the moves of a decision node after its first move (young brothers wait: Feldmann, Monien,
//! Mysliwietz and Vornberger, "Distributed game-tree search", ICCA Journal 12(2), 1989).
//!
//! Half of the default, which also splits chance nodes (`both.rs`). Alone it is a rival: an idle worker finds
//! tasks only at decision nodes with moves left.

use crate::parallel::methods::{ParallelMethod, split_rule};
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{MethodProperties, NO_DEPTH, NodeOf, SharingDepths};

/// The method.
pub(crate) struct DecisionSplit;

impl ParallelMethod for DecisionSplit {
    const PROPERTIES: MethodProperties =
        MethodProperties { splits_decision_nodes: true, ..MethodProperties::USUAL };

    /// Marks no nodes.
    fn depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
        SharingDepths { marking: NO_DEPTH, ..split_rule::fine_depths(context) }
    }

    /// As for one of the successors, which are chance nodes in most games, but at least 1. Successors below
    /// the least split depth have no size, so a node just above them is split however small it is.
    fn idle_for_moves<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>) -> usize {
        let below = context.sizes.largest(node.depth.saturating_sub(1));
        split_rule::idle_for_size(context, node.depth, below).max(1)
    }
}
