//! How each worker of a parallel search spent its time.

use crate::search::answer::{Histogram, Stats, Timeline};
use std::collections::BTreeMap;

/// The kind of a split node's tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SplitKind {
    /// The probing phase of a chance node.
    Probing,
    /// The Star1 phase of a chance node, or Expectimax's only phase.
    Star1,
    /// The moves of a decision node.
    Decision,
}

/// A worker's time by activity, in nanoseconds. Each activity is timed from its beginning to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Times {
    /// Searching.
    pub busy: u64,
    /// Waiting for the helpers of a split point, or pausing between two looks for work.
    pub idle: u64,
    /// Looking for work in others' queues.
    pub stealing: u64,
    /// Sleeping; and the time from the search's beginning to the worker's. If every worker searches the whole
    /// tree, also the time from its end to that of the search. (A thread with lanes has none: its sleep is
    /// its lanes' idle or busy time.)
    pub parked: u64,
}

/// A worker's part of a parallel search. A task is a successor taken from a split point, by its owner or by
/// another worker.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WorkerStats {
    /// Its counters.
    pub stats: Stats,
    /// Its time by activity.
    pub times: Times,
    /// The split points it published, by kind and depth.
    pub splits: BTreeMap<(SplitKind, u32), u64>,
    /// The sizes of its tasks, in nodes.
    pub task_nodes: Histogram,
    /// The sizes of its tasks, in nanoseconds.
    pub task_ns: Histogram,
    /// The time from running out of work to a successful steal, in nanoseconds.
    pub steal_ns: Histogram,
    /// The time from the cut of a split point until the worker had left the search below it, in nanoseconds.
    pub abort_ns: Histogram,
    /// The time that its split points waited for their last helpers, in nanoseconds.
    pub join_ns: Histogram,
    /// When it did what, if [`Telemetry::timeline`](crate::search::Telemetry::timeline) asks for it.
    pub timeline: Timeline,
}

impl WorkerStats {
    /// Adds another worker's part, or the same worker's in another search. The timeline stays as it is.
    pub fn add(&mut self, other: &WorkerStats) {
        self.stats += other.stats;
        self.times.busy += other.times.busy;
        self.times.idle += other.times.idle;
        self.times.stealing += other.times.stealing;
        self.times.parked += other.times.parked;
        for (&place, count) in &other.splits {
            *self.splits.entry(place).or_default() += count;
        }
        for (own, others) in [
            (&mut self.task_nodes, &other.task_nodes),
            (&mut self.task_ns, &other.task_ns),
            (&mut self.steal_ns, &other.steal_ns),
            (&mut self.abort_ns, &other.abort_ns),
            (&mut self.join_ns, &other.join_ns),
        ] {
            own.add_all(others);
        }
    }
}
