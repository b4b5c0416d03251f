//! The search's view of a worker's team, as the parallel method defines it.

use crate::game::NodeKind;
use crate::parallel::methods::{ParallelMethod, dispatch};
use crate::parallel::scheduler::worker_context::{WorkerContext, tag_of};
use crate::parallel::setup::Parallel;
use crate::processor::Processor;
use crate::score::Window;
use crate::search::{
    ChanceNode, Depth, Granularity, NO_DEPTH, NodeOf, OpenMoves, Peers, Phase, PositionOf, SharingDepths,
    Worker, recorded_depth,
};

impl<S: Parallel> Peers<S> for WorkerContext<S> {
    #[inline]
    fn is_cut_above(&self) -> bool {
        match &self.under {
            Some(split) => split.is_cut_or_below_cut(),
            // A worker that searches the whole tree ends with the leader.
            None => self.team.is_over(),
        }
    }

    fn window_above(&self) -> Option<Option<Window>> {
        self.under.as_ref().map(|split| split.successor_window(self.task))
    }

    fn window_version(&self) -> u64 {
        self.under.as_ref().map_or(0, |split| split.version())
    }

    fn granularity(&self) -> Granularity {
        self.granularity
    }

    fn set_granularity(&mut self, granularity: Granularity) {
        self.granularity = granularity;
    }

    /// Without pruning no window follows another.
    fn depths(&self) -> SharingDepths {
        let depths = dispatch!(self.team.method, M => M::depths(self));
        if self.team.prunes { depths } else { SharingDepths { following: NO_DEPTH, ..depths } }
    }

    fn is_busy(worker: &mut Worker<'_, S>, kind: NodeKind, position: &PositionOf<S>, depth: Depth) -> bool {
        worker.processor.catch_up(); // workers behind in virtual time may have left it
        let tag = tag_of(worker, position, kind, depth);
        worker.team_link.context().team.busy().contains(tag)
    }

    #[inline]
    fn idle(&self) -> usize {
        self.team.idle()
    }

    fn idle_for_phase(&self, node: NodeOf<'_, S>, phase: Phase) -> usize {
        dispatch!(self.team.method, M => M::idle_for_phase(self, node, phase))
    }

    fn helper_nodes(&self) -> u64 {
        self.helper_nodes
    }

    fn note_size(&mut self, depth: Depth, phase: Phase, nodes: u64) {
        self.sizes.note(depth, phase, nodes);
    }

    fn share_phase(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        dispatch!(worker.options.method, M => M::share_phase(worker, node, chance, phase, from));
    }

    fn idle_for_moves(&self, node: NodeOf<'_, S>) -> usize {
        dispatch!(self.team.method, M => M::idle_for_moves(self, node))
    }

    fn share_moves(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
        dispatch!(worker.options.method, M => M::share_moves(worker, node, open));
    }

    fn enter(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>) -> Option<u64> {
        let tag = tag_of(worker, node.position, kind, node.depth);
        if node.depth >= worker.team_link.depths.marking {
            worker.team_link.context().team.busy().begin(tag);
        }
        let counts_duplicates = node.depth >= recorded_depth(worker.options);
        let nodes = worker.stats.nodes.total();
        let context = worker.team_link.context_mut();
        if !counts_duplicates || context.in_duplicate {
            return None;
        }
        context.in_duplicate = !context.team.in_flight().begin(tag);
        Some(nodes)
    }

    fn leave(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>, entered: Option<u64>) {
        let tag = tag_of(worker, node.position, kind, node.depth);
        if node.depth >= worker.team_link.depths.marking {
            worker.team_link.context().team.busy().end(tag);
        }
        let Some(before) = entered else { return };
        let nodes = worker.stats.nodes.total() - before;
        let context = worker.team_link.context_mut();
        if context.in_duplicate {
            context.in_duplicate = false;
            worker.stats.split.duplicate_nodes += nodes;
        } else {
            context.team.in_flight().end(tag);
        }
    }
}
