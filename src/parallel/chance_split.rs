//! The default method: the successors of a chance node are split among the workers.
//!
//! Veness and Blair guess that redundant work is rarer at chance nodes than at decision nodes, and leave the method to
//! the future (section VIII). All successors of a chance node have to be searched unless it is cut, and each has its
//! own window from the node's sums, so splitting early wastes little. Both phases are split, behind one another: the
//! Star1 phase needs what all probes found.
//!
//! A phase may be split before any of its successors is searched, or after some: whoever goes through a phase looks
//! before each successor whether somebody is without work.

use crate::parallel::seat::Seat;
use crate::parallel::setup::Parallel;
use crate::parallel::share::share;
use crate::parallel::split_point::{ChanceWork, Work};
use crate::search::{ChanceNode, NodeOf, Phase, Setup, SplitKind, Worker, flips};

/// From how far above the least depth of a split on it is made whether or not somebody is idle now: such searches last
/// so long that somebody will be.
const EAGER: u8 = 4;

/// With so many workers idle, nodes are split that are not worth it for fewer.
const MANY_IDLE: usize = 4;

/// By how much the least depth of a split falls for them.
const FINER: u8 = 2;

/// The least depth of a node that may be split at all.
pub(super) fn least_depth<S: Setup>(seat: &Seat<S>) -> u8 {
    seat.team.split_depth.saturating_sub(FINER).max(2)
}

/// Whether a node at this depth, which is no less than the least one, is to be split now: near the leaves only while somebody has nothing to do.
#[inline]
pub(super) fn wants<S: Setup>(seat: &Seat<S>, depth: u8) -> bool {
    let least = seat.team.split_depth;
    if depth >= least.saturating_add(EAGER) {
        return true;
    }
    match seat.team.idle() {
        0 => false,
        idle if idle < MANY_IDLE => depth >= least,
        _ => true,
    }
}

/// Shares the successors of a phase from `from` on.
pub(super) fn go_through<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    let work = work_of(worker, node, chance, phase, from);
    let kind = kind_of(phase);
    let Some(split) = share(worker, node, (chance.window, chance.known), kind, work) else { return };
    if let Work::Chance(work) = &split.work {
        for (index, bounds) in work.learnt() {
            chance.learn(worker, index, bounds);
        }
    }
}

/// The work of a phase from `from` on.
pub(super) fn work_of<S: Parallel>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &ChanceNode,
    phase: Phase,
    from: usize,
) -> Work<S> {
    let open = (from..chance.range().end)
        .map(|index| (index, worker.successors[index]))
        .filter(|(_, successor)| !successor.bounds.is_exact())
        .map(|(index, successor)| (index, successor, flips(worker, node, successor.outcome)));
    Work::Chance(ChanceWork::new(phase, &chance.sums, open))
}

/// What a split of this phase counts as.
pub(super) fn kind_of(phase: Phase) -> SplitKind {
    match phase {
        Phase::Probing => SplitKind::Probing,
        Phase::Star1 => SplitKind::Star1,
    }
}
