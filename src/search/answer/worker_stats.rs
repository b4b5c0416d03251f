//! What each worker of a parallel search did with its time.

use crate::search::answer::{Stats, Timeline};
use hdrhistogram::Histogram;
use std::collections::BTreeMap;

/// What a node was split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SplitKind {
    /// The probing phase of a chance node.
    Probing,
    /// The Star1 phase of a chance node, or the one phase that Expectimax has.
    Star1,
    /// The moves of a decision node.
    Decision,
}

/// What a worker was doing, in nanoseconds. Each is clocked on its own, from the moment the worker begins to
/// do it to the moment it stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Searching.
    pub busy: u64,
    /// Without work: waiting for the helpers of a split point, or between two looks for work.
    pub idle: u64,
    /// Looking for work in the others' queues.
    pub stealing: u64,
    /// Asleep, but for threads with lanes, whose sleep is their lanes' idle or busy time; from the search's
    /// beginning to the worker's own, too, and where every worker searches the whole tree from its end to
    /// that of the search.
    pub parked: u64,
}

impl Times {
    /// All of it.
    pub fn total(&self) -> u64 {
        self.busy + self.idle + self.stealing + self.parked
    }
}

/// One worker's part of a parallel search. A task is one successor taken from a split point, by its owner or
/// by another worker.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WorkerStats {
    /// What it counted.
    pub stats: Stats,
    /// What it did with its time.
    pub times: Times,
    /// The split points it published, by kind and depth.
    pub splits: BTreeMap<(SplitKind, u8), u64>,
    /// The sizes of its tasks, in nodes.
    pub task_nodes: Histogram<u64>,
    /// The sizes of its tasks, in nanoseconds.
    pub task_ns: Histogram<u64>,
    /// From having no work to having stolen some, in nanoseconds.
    pub steal_ns: Histogram<u64>,
    /// From the cut of a split point to the moment the worker had left what it searched below, in
    /// nanoseconds.
    pub abort_ns: Histogram<u64>,
    /// How long its split points waited for their last helpers, in nanoseconds.
    pub join_ns: Histogram<u64>,
    /// What it did when, where [`Options::timeline`](crate::search::Options::timeline) asks for it.
    pub timeline: Timeline,
}

impl Default for WorkerStats {
    fn default() -> Self {
        // Two significant digits; it grows as it has to, and 3 is beyond no limit of the crate.
        let histogram = || Histogram::new(2).expect("two significant digits are among those that it knows");
        WorkerStats {
            stats: Stats::default(),
            times: Times::default(),
            splits: BTreeMap::new(),
            task_nodes: histogram(),
            task_ns: histogram(),
            steal_ns: histogram(),
            abort_ns: histogram(),
            join_ns: histogram(),
            timeline: Timeline::default(),
        }
    }
}

impl WorkerStats {
    /// Adds what another worker did, or the same in another search. Timelines do not add up: this one's stays
    /// as it is.
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
            // A histogram that resizes itself takes every value.
            own.add(others).expect("both resize themselves");
        }
    }
}
