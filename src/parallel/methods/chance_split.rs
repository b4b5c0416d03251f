//! The default method: the successors of a chance node are split among the workers.
//!
//! Veness and Blair guess that redundant work is rarer at chance nodes than at decision nodes, and leave the method to
//! the future (section VIII). All successors of a chance node have to be searched unless it is cut, and each has its
//! own window from the node's sums, so splitting early wastes little. Both phases are split, behind one another: the
//! Star1 phase needs what all probes found.
//!
//! A phase may be split before any of its successors is searched, or after some: whoever goes through a phase looks
//! before each successor whether somebody is without work.

use crate::parallel::scheduler::team::{MANY_IDLE, Team};
use crate::parallel::scheduler::worker_context::Seat;
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_and_join::share;
use crate::parallel::split::split_point::{ChanceWork, SplitPoint, Work};
use crate::search::{ChanceNode, NEVER, NodeOf, Phase, Setup, SplitKind, Worker, flips};

/// A phase so many times as large as the least that is worth a split is split whether or not somebody is idle now: it
/// lasts so long that somebody will be, and a split point costs a hundredth of it.
const EAGER: u64 = 10;

/// By how much the least depth of a split falls for them, and by how much that of nodes that follow the split points
/// above them: what is closer to the leaves is over before its window could change.
const FINER: u8 = 4;
const FOLLOWING_FINER: u8 = 2;

/// What is smaller than this part of the least size is split for nobody: the split and the steal cost about as much as
/// searching it does.
const FINEST_PART: u64 = 8;

/// The least depth of a node that may be split at all.
pub(crate) fn least_depth<S: Setup>(seat: &Seat<S>) -> u8 {
    finer(seat.team.as_ref(), FINER)
}

/// The least depth of a node that follows the split points above it.
pub(crate) fn following_depth<S: Setup>(seat: &Seat<S>) -> u8 {
    finer(seat.team.as_ref(), FOLLOWING_FINER)
}

/// The least depth of a split, or so much less where so many can be idle as it takes.
fn finer<S: Setup>(team: &Team<S>, by: u8) -> u8 {
    if team.is_large() { team.split_depth.saturating_sub(by).max(2) } else { team.split_depth }
}

/// How many workers have to be idle for a phase of a node at this depth, which is no less than the least one, to be
/// split.
pub(crate) fn least_idle<S: Setup>(seat: &Seat<S>, depth: u8, phase: Phase) -> usize {
    idle_for_size(seat.team.as_ref(), depth, seat.sizes.of(depth, phase))
}

/// How many workers have to be idle for a search at this depth to be split, which takes `size` nodes as far as this
/// worker has seen. Where it has seen none, only idle workers speak for a split. A k-th of the least size is enough where k
/// workers are idle, four at least.
pub(crate) fn idle_for_size<S: Setup>(team: &Team<S>, depth: u8, size: Option<u64>) -> usize {
    let Team { split_depth, split_size, .. } = *team;
    let is_deep = depth >= split_depth;
    match size {
        None if is_deep => 1,
        None => MANY_IDLE,
        Some(size) if is_deep && size >= split_size.saturating_mul(EAGER) => 0,
        Some(size) if is_deep && size >= split_size => 1,
        Some(size) if size < split_size / FINEST_PART => NEVER,
        Some(size) => (split_size.div_ceil(size.max(1)) as usize).max(MANY_IDLE),
    }
}

/// Shares the successors of a phase from `from` on.
pub(crate) fn go_through<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    let work = work_of(worker, node, chance, phase, from);
    let kind = kind_of(phase);
    let Some(split) = share(worker, node, (chance.window, chance.known), kind, work) else { return };
    take_back(worker, chance, &split);
}

/// Takes note of what became known at the split point of a phase, when all of it is done.
pub(crate) fn take_back<S: Parallel>(
    worker: &mut Worker<'_, S>,
    chance: &mut ChanceNode,
    split: &SplitPoint<S>,
) {
    if let Work::Chance(work) = &split.work {
        for (index, bounds) in work.learnt() {
            chance.learn(worker, index, bounds);
        }
    }
    if split.ledger.is_cut() {
        chance.become_moot();
    }
}

/// The work of a phase from `from` on.
pub(crate) fn work_of<S: Parallel>(
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
pub(crate) fn kind_of(phase: Phase) -> SplitKind {
    match phase {
        Phase::Probing => SplitKind::Probing,
        Phase::Star1 => SplitKind::Star1,
    }
}
