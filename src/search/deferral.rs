//! Deferral: of a node's successors, those that another worker is searching come last. By then their values
//! may be in the table. (ABDADA: Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal
//! 19(1), 1996. Where positions recur, workers close to each other would search much twice.)

use crate::search::setup::Setup;
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
