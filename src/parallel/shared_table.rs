//! A rival: every worker searches the whole tree on its own, and they help each other through the table alone (known
//! from chess programs as shared hash table or lazy search; Brockington, "A taxonomy of parallel game-tree search
//! algorithms", ICCA Journal 19(3), 1996, has it among the asynchronous ones).
//!
//! The workers differ in the order in which they take a chance node's successors: each begins at another place and goes
//! round. The first worker's answer counts; the others end with it.

use crate::parallel::seat::Seat;
use crate::parallel::setup::Parallel;
use crate::search::{ChanceNode, NodeOf, Phase, Setup, Worker, go_through_in_order};

/// Whether this worker has an order of its own: all but the first do.
#[inline]
pub(super) fn wants<S: Setup>(seat: &Seat<S>) -> bool {
    seat.index > 0
}

/// Goes through the phase from this worker's own beginning.
pub(super) fn go_through<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    let Some((index, size)) = worker.seat.as_ref().map(|seat| (seat.index, seat.team.size())) else { return };
    let count = chance.range().end - from;
    let begin = from + index * count / size;
    let end = chance.range().end;
    go_through_in_order(worker, node, chance, phase, (begin..end).chain(from..begin));
}
