//! The default method: it splits chance nodes (`chance_split.rs`) and decision nodes (`decision_split.rs`) by
//! the same rule. This gives more tasks, of which more are moves that a serial search would cut.

use crate::parallel::methods::ParallelMethod;
use crate::parallel::methods::chance_split::ChanceSplit;
use crate::parallel::methods::decision_split::DecisionSplit;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{MethodProperties, NodeOf, Phase, SharingDepths};

/// The method.
pub(crate) struct Both;

impl ParallelMethod for Both {
    const PROPERTIES: MethodProperties = MethodProperties {
        splits_chance_nodes: true,
        splits_decision_nodes: true,
        marks_busy_nodes: true,
        ..MethodProperties::USUAL
    };

    fn depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
        ChanceSplit::depths(context)
    }

    fn idle_for_phase<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>, phase: Phase) -> usize {
        ChanceSplit::idle_for_phase(context, node, phase)
    }

    fn idle_for_moves<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>) -> usize {
        DecisionSplit::idle_for_moves(context, node)
    }
}
