//! How large a search has to be to be worth a split, and how deep a node: the rule of the methods that split
//! where somebody is without work.

use crate::parallel::scheduler::team::MANY_IDLE;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{Depth, FINEST_PART, Granularity, NEVER, NO_DEPTH, SharingDepths};

/// A phase so many times as large as the least that is worth a split is split whether or not somebody is idle
/// now: it lasts so long that somebody will be, and a split point costs a hundredth of it.
const EAGER: u64 = 10;

/// Searches that are not worth a split for fewer are split while one worker in so many is without work, in
/// teams in which that is more than four. Of a thousand four always are for a moment, between two tasks, and
/// whatever can be split would be: ten times as many split points as are stolen from.
const MANY_IDLE_IN: usize = 10;

/// In large teams the least depth of nodes that follow the split points above them falls by so much at most:
/// what is closer to the leaves is over before its window could change.
const FOLLOWING_FINER: Depth = 2;

/// The same for nodes that are marked while a worker searches them. A mark costs a moment, but to look for
/// one takes the position after each outcome: below what is worth a split, that is more than it saves where
/// positions seldom recur.
const MARKING_FINER: Depth = 1;

/// The depths of a method that splits as finely as it pays.
pub(super) fn fine_depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
    let Granularity { depth, finest, .. } = context.granularity;
    let finer = |by| if context.team.is_large() { depth.saturating_sub(by).max(finest) } else { depth };
    SharingDepths {
        shared: finer(NO_DEPTH),
        following: finer(FOLLOWING_FINER),
        marking: finer(MARKING_FINER),
    }
}

/// The depths of a method that shares nothing below the least depth of a split, where a search beside others
/// takes much of the time, and that marks no nodes.
pub(super) fn coarse_depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
    let Granularity { depth, .. } = context.granularity;
    SharingDepths { shared: depth, following: depth, marking: NO_DEPTH }
}

/// How many workers have to be idle for a search at this depth, which is no less than the least one, to be
/// split, when it takes `size` nodes as far as this worker has seen. Where it has seen none, only idle
/// workers speak for a split. A k-th of the least size is enough where k workers are idle, four at least, in
/// teams of more than forty a tenth of them.
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
