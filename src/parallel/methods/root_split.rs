//! A rival: only the root's successors are split, the oldest way to use several processors (Akl, Barnard and
//! Doran, "Design, analysis, and implementation of a parallel tree search algorithm", IEEE PAMI 4(2), 1982,
//! discuss it as the simplest). It is cheap, and limited by the largest successor.

use crate::parallel::methods::ParallelMethod;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{MethodProperties, NEVER, NodeOf, Phase};

/// The method.
pub(crate) struct RootSplit;

/// The root is always split, other nodes never.
fn least_idle(ply: u16) -> usize {
    if ply == 0 { 0 } else { NEVER }
}

impl ParallelMethod for RootSplit {
    const PROPERTIES: MethodProperties = MethodProperties {
        splits_chance_nodes: true,
        splits_decision_nodes: true,
        ..MethodProperties::USUAL
    };

    fn idle_for_phase<S: Parallel>(_: &WorkerContext<S>, node: NodeOf<'_, S>, _: Phase) -> usize {
        least_idle(node.ply)
    }

    fn idle_for_moves<S: Parallel>(_: &WorkerContext<S>, node: NodeOf<'_, S>) -> usize {
        least_idle(node.ply)
    }
}
