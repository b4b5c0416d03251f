//! A decision node's moves as a split point: the tasks that it has, and what comes of them.

use crate::game::{Game, Step};
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_point::SplitPoint;
use crate::parallel::split::tasks::{DecisionTasks, MoveTask, Tasks};
use crate::score::Score;
use crate::search::{BestValues, NodeOf, OpenMoves, Worker, bounds_after_move, note_cutoff, ranked_values};

/// The tasks of a decision node: its remaining moves.
pub(crate) fn tasks_of<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
) -> Tasks<S> {
    let (mover, mut moves) = (worker.game.player(node.position), Vec::new());
    while let Some(picked) = open.pick(worker, node) {
        let successor = picked.successor(worker, node);
        let below = worker.below(node, picked.mv, &successor);
        let edge = worker.edge(node, Step::Move(picked.mv), below.position);
        let possible = bounds_after_move(worker, edge.reward, mover, below);
        moves.push(MoveTask::new((picked.mv, picked.ordinal), successor, edge, possible));
    }
    let ranked = ranked_values(worker, node);
    let floor = open.floor().max(ranked.map_or(Score::MIN, BestValues::floor));
    Tasks::Decision(DecisionTasks::new(floor, open.is_full_width, ranked.cloned(), moves.into()))
}

/// Merges what the tasks found into the node, after the join.
pub(crate) fn merge_results<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
    split: &SplitPoint<S>,
) {
    let Tasks::Decision(tasks) = &split.tasks else {
        unreachable!("a decision node is split into its moves")
    };
    let mut is_cut = false;
    for (task, bounds) in tasks.results() {
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
