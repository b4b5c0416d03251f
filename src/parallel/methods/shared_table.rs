//! A rival: every worker searches the whole tree on its own, and they help each other through the table alone (known
//! from chess programs as shared hash table or lazy search; Brockington, "A taxonomy of parallel game-tree search
//! algorithms", ICCA Journal 19(3), 1996, has it among the asynchronous ones).
//!
//! The workers differ in the order in which they take a chance node's successors: each begins at another place and goes
//! round. The first worker's answer counts; the others end with it.

use crate::parallel::setup::Parallel;
use crate::search::{ChanceNode, NodeOf, Phase, Worker, go_through_in_order};

/// Goes through the phase from this worker's own beginning.
pub(crate) fn go_through<S: Parallel>(
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
