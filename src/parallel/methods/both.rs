//! The default method: chance nodes and decision nodes are both split, each as in its own file
//! (`chance_split.rs`, `decision_split.rs`), by the same rule. There are more tasks, and more of them are
//! moves that a serial search would have cut.

use crate::parallel::methods::ParallelMethod;
use crate::parallel::methods::chance_split::ChanceSplit;
use crate::parallel::methods::decision_split::DecisionSplit;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{ChanceNode, MethodProperties, NodeOf, OpenMoves, Phase, PositionOf, Worker};

/// The method.
pub(crate) struct Both;

impl ParallelMethod for Both {
    const PROPERTIES: MethodProperties = MethodProperties {
        splits_chance_nodes: true,
        splits_decision_nodes: true,
        helpers_search_whole_tree: false,
        clocks_idle_time: true,
        can_be_simulated: true,
        uses_whole_pool: false,
        marks_busy_nodes: true,
    };

    fn least_depth<S: Parallel>(context: &WorkerContext<S>) -> u8 {
        ChanceSplit::least_depth(context)
    }

    fn following_depth<S: Parallel>(context: &WorkerContext<S>) -> u8 {
        ChanceSplit::following_depth(context)
    }

    fn marking_depth<S: Parallel>(context: &WorkerContext<S>) -> u8 {
        ChanceSplit::marking_depth(context)
    }

    fn idle_for_phase<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>, phase: Phase) -> usize {
        ChanceSplit::idle_for_phase(context, node, phase)
    }

    fn share_phase<S: Parallel>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        ChanceSplit::share_phase(worker, node, chance, phase, from);
    }

    fn idle_for_moves<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>) -> usize {
        DecisionSplit::idle_for_moves(context, node)
    }

    fn share_moves<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
        DecisionSplit::share_moves(worker, node, open);
    }

    fn help<S: Parallel>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: u8) {
        ChanceSplit::help(worker, position, depth);
    }
}
