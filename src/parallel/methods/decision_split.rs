//! Splits the moves of a decision node after its first move (young brothers wait: Feldmann, Monien,
//! Mysliwietz and Vornberger, "Distributed game-tree search", ICCA Journal 12(2), 1989).
//!
//! Half of the default, which also splits chance nodes (`both.rs`). Alone it is a rival: an idle worker finds
//! tasks only at decision nodes with moves left.

use crate::game::{Game, Step};
use crate::parallel::methods::{ParallelMethod, granularity};
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_and_join::split_and_join;
use crate::parallel::split::split_point::SplitPoint;
use crate::parallel::split::tasks::{DecisionTasks, MoveTask, Tasks};
use crate::score::Score;
use crate::search::{
    BestValues, MethodProperties, NO_DEPTH, NodeOf, OpenMoves, SharingDepths, Worker, foreseen, note_cutoff,
    ranked_values,
};

/// The method.
pub(crate) struct DecisionSplit;

impl ParallelMethod for DecisionSplit {
    const PROPERTIES: MethodProperties =
        MethodProperties { splits_decision_nodes: true, ..MethodProperties::USUAL };

    /// Marks no nodes.
    fn depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
        SharingDepths { marking: NO_DEPTH, ..granularity::fine_depths(context) }
    }

    /// As for one of the successors, which are chance nodes in most games, but at least 1. Successors below
    /// the least split depth have no size, so a node just above them is split however small it is.
    fn idle_for_moves<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>) -> usize {
        let below = context.sizes.largest(node.depth.saturating_sub(1));
        granularity::idle_for_size(context, node.depth, below).max(1)
    }

    /// Splits the remaining moves.
    fn share_moves<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
        let tasks = tasks_of(worker, node, open);
        let split = split_and_join(worker, node, (open.window, open.known), tasks);
        merge_results(worker, node, open, &split);
    }
}

/// The tasks of a decision node: its remaining moves.
fn tasks_of<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) -> Tasks<S> {
    let (mover, mut moves) = (worker.game.player(node.position), Vec::new());
    while let Some(picked) = open.pick(worker, node) {
        let successor = picked.successor(worker, node);
        let below = worker.below(node, picked.mv, &successor);
        let edge = worker.edge(node, Step::Move(picked.mv), below.position);
        let possible = foreseen(worker, edge.reward, mover, below);
        moves.push(MoveTask::new((picked.mv, picked.ordinal), successor, edge, possible));
    }
    let ranked = ranked_values(worker, node);
    let floor = open.floor().max(ranked.map_or(Score::MIN, BestValues::floor));
    Tasks::Decision(DecisionTasks::new(floor, open.is_full_width, ranked.cloned(), moves.into()))
}

/// Merges what the tasks found into the node, after the join.
fn merge_results<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
    split: &SplitPoint<S>,
) {
    let Tasks::Decision(tasks) = &split.tasks else {
        unreachable!("a decision node is split into its moves")
    };
    let mut is_cut = false;
    for (task, bounds) in tasks.learnt() {
        // The bounds of an unsearched move say that it may be worth all that is possible.
        let cuts = open.tighten(worker, node, task.mv, task.ordinal, bounds);
        if cuts && !is_cut {
            is_cut = true;
            note_cutoff(worker, node, task.mv);
        }
    }
    if split.latch.is_cut() && !is_cut {
        open.forget_best(); // cut by its window: the best move is only the best so far
    }
}
