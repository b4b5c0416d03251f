//! A rival: the moves of a decision node are split, once the first has been searched (young brothers wait: Feldmann,
//! Monien, Mysliwietz and Vornberger, "Distributed game-tree search", ICCA Journal 12(2), 1989).
//!
//! Chance nodes are never split, so a worker that waits finds work only where a decision node has moves left.

use crate::game::Game;
use crate::parallel::chance_split::idle_for_size;
use crate::parallel::seat::Seat;
use crate::parallel::setup::Parallel;
use crate::parallel::share::share;
use crate::parallel::split_point::{DecisionWork, MoveShare, Work};
use crate::search::{NodeOf, OpenMoves, Setup, SplitKind, Worker, note_cutoff};

/// How many workers have to be idle for a node at this depth to be split: as many as for one of its successors, which
/// are chance nodes in most games, but never none. Successors below the least depth have no size: a node just above them is
/// split however small it is.
pub(super) fn least_idle<S: Setup>(seat: &Seat<S>, depth: u8) -> usize {
    let below = seat.sizes.largest(depth.saturating_sub(1));
    idle_for_size(seat.team.as_ref(), depth, below).max(1)
}

/// Shares the moves that are left.
pub(super) fn try_rest<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
    let mover = worker.game.player(node.position);
    let mut shares = Vec::new();
    while let Some(picked) = open.pick(worker, node) {
        let successor = picked.successor(worker, node);
        let flips = worker.game.player(successor.below(node).position) != mover;
        shares.push(MoveShare::new((picked.mv, picked.ordinal), successor, flips, worker.limit));
    }
    let work = Work::Decision(DecisionWork::new(open.floor(), open.is_full_width, shares.into()));
    let Some(split) = share(worker, node, (open.window, open.known), SplitKind::Decision, work) else {
        return;
    };
    let Work::Decision(work) = &split.work else { return };
    let mut is_cut = false;
    for (share, bounds) in work.learnt() {
        // A move that nobody searched may be worth anything, and that is what its bounds say.
        let cuts = open.learn(worker, node, share.mv, share.ordinal, bounds);
        if cuts && !is_cut {
            is_cut = true;
            note_cutoff(worker, node, share.mv);
        }
    }
    if split.ledger.is_cut() && !is_cut {
        open.forget_best(); // its window ended it: the best is only what was searched by then
    }
}
