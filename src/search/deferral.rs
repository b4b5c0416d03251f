//! Deferral: of a node's successors, those that another worker is searching come last. By then their values
//! may be in the table. (ABDADA: Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal
//! 19(1), 1996. Where positions recur, workers close to each other would search much twice.)
//!
//! Many workers that search the whole tree put off nearly the same successors. In one order they would enter
//! them together. So each goes through what it put off in an order of its own.

use crate::game::Game;
use crate::search::plies::Depth;
use crate::search::request::Helping;
use crate::search::setup::{Peers, PositionOf, Setup};
use crate::search::worker::Worker;

/// What follows the search of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The next one.
    Next,
    /// Those put off alone: the others were shared.
    PutOff,
    /// Nothing: the node is settled or the search is halted.
    End,
}

/// Searches the successors of `node` one after another, those that another worker is searching last. Returns
/// how many of these are left when the node ends.
///
/// `search` is told whether the successor was put off; then its answer only says whether the node ends.
pub(super) fn search_busy_last<S: Setup, N, T>(
    worker: &mut Worker<'_, S>,
    node: &mut N,
    mut next: impl FnMut(&mut Worker<'_, S>, &mut N) -> Option<T>,
    mut is_busy: impl FnMut(&mut Worker<'_, S>, &T) -> bool,
    mut search: impl FnMut(&mut Worker<'_, S>, &mut N, T, bool) -> Then,
) -> usize {
    let mut put_off = Vec::new();
    while let Some(successor) = next(worker, node) {
        if is_busy(worker, &successor) {
            worker.stats.split.deferred += 1;
            put_off.push(successor);
            continue;
        }
        match search(worker, node, successor, false) {
            Then::Next => {}
            Then::PutOff => break,
            Then::End => return put_off.len(),
        }
    }
    worker.team_link.policy.shuffle(&mut put_off, worker.stats.nodes.total());
    let mut left = put_off.len();
    for successor in put_off {
        if worker.is_halted() || !worker.goes_on_among_leaves() {
            break;
        }
        left -= 1;
        if search(worker, node, successor, true) == Then::End {
            break;
        }
    }
    left
}

/// Takes up the successor of a move, unless it is to be put off: where nodes are marked, since another worker
/// is searching it; else in half of all cases, so that workers part. Good moves come first, so their order is
/// not given up.
pub(super) fn take_up<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) -> bool {
    match worker.team_link.policy.helpers() {
        Helping::SearchBusyLast => S::Peers::mark(worker, position, depth),
        _ => worker.team_link.policy.draw(worker.game.hash(position).low) & 1 == 0,
    }
}

/// Ends the search of a successor that was taken up.
pub(super) fn let_go<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) {
    if worker.team_link.policy.helpers() == Helping::SearchBusyLast {
        S::Peers::unmark(worker, position, depth);
    }
}
