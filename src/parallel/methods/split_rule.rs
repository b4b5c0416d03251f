//! How deep a node and how large a search must be to be worth a split, for methods that split where workers
//! are idle.

use crate::parallel::scheduler::team::MANY_IDLE;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{Depth, FINEST_PART, Granularity, NEVER, NO_DEPTH, SharingDepths};

/// A phase this many times the least split size is split even if no worker is idle: one will be before it
/// ends, and the split point costs a hundredth of the phase.
const EAGER: u64 = 10;

/// A search smaller than the least split size is split while one worker in this many is idle, in teams where
/// that is more than four. In a team of a thousand, four workers are always idle for a moment between two
/// tasks. With four as the limit there would be ten times as many split points as thieves use.
const MANY_IDLE_IN: usize = 10;

/// In large teams, how far below the least split depth nodes follow the split points above them, at most.
/// Nodes closer to the leaves end before their windows could change.
const FOLLOWING_FINER: Depth = 2;

/// The same for nodes that are marked while being searched. A mark is cheap, but to look for one, a worker
/// must compute the position after each outcome. Below the least split depth this costs more than it saves
/// where positions seldom recur.
const MARKING_FINER: Depth = 1;

/// The depths of a method that splits as finely as pays.
pub(super) fn fine_depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
    let Granularity { depth, finest, .. } = context.granularity;
    let finer = |by| if context.team.is_large() { depth.saturating_sub(by).max(finest) } else { depth };
    SharingDepths {
        shared: finer(NO_DEPTH),
        following: finer(FOLLOWING_FINER),
        marking: finer(MARKING_FINER),
    }
}

/// The depths of a method that shares nothing below the least split depth, where searching beside others
/// takes much of the time, and that marks no nodes.
pub(super) fn coarse_depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
    let Granularity { depth, .. } = context.granularity;
    SharingDepths { shared: depth, following: depth, marking: NO_DEPTH }
}

/// How many workers must be idle to split a search at this depth, which is at least the least shared one.
/// `size` is the usual size of such searches in nodes, as far as this worker knows. With S, the least split
/// size, and m, four or a tenth of the team if that is more:
///
/// | size | from the least split depth on | at less depth |
/// |---|---|---|
/// | unknown | 1 | m |
/// | 10 S or more | 0 | m |
/// | S or more | 1 | m |
/// | S / 8 or more | the greater of m and S / size | the same |
/// | less | never | never |
pub(super) fn idle_for_size<S: Parallel>(
    context: &WorkerContext<S>,
    depth: Depth,
    size: Option<u64>,
) -> usize {
    let Granularity { depth: split_depth, size: split_size, .. } = context.granularity;
    let is_deep = depth >= split_depth;
    let many = MANY_IDLE.max(context.team.size() / MANY_IDLE_IN);
    match size {
        None if is_deep => 1,
        None => many,
        Some(size) if is_deep && size >= split_size.saturating_mul(EAGER) => 0,
        Some(size) if is_deep && size >= split_size => 1,
        Some(size) if size < split_size / FINEST_PART => NEVER,
        Some(size) => (split_size.div_ceil(size.max(1)) as usize).max(many),
    }
}
