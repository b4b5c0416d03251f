//! A worker's record: its times, histograms and timeline. Nothing of it is shared during the search.

use crate::parallel::telemetry::log::{Clocked, Log};
use crate::search::{Depth, Histogram, SplitKind, Stats, WorkerStats};

/// A worker's record.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) worker: WorkerStats,
    clocked: Clocked,
    /// The beginning of the current activity, in nanoseconds since the search began.
    since: u64,
    /// The timeline, if the options ask for one.
    pub(crate) log: Option<Box<Log>>,
}

impl Record {
    /// A record from the start of the search, with room for this many spans of each kind in its timeline.
    pub(crate) fn new(clocked: Clocked, room: usize) -> Self {
        Record { worker: WorkerStats::default(), clocked, since: 0, log: Log::new(room) }
    }

    /// From `now` on the worker does something else.
    pub(crate) fn turn_to(&mut self, clocked: Clocked, now: u64) {
        let mut untold = 0;
        let times = &mut self.worker.times;
        let time = match self.clocked {
            Clocked::Busy => &mut times.busy,
            Clocked::Idle => &mut times.idle,
            Clocked::Stealing => &mut times.stealing,
            Clocked::Parked => &mut times.parked,
            Clocked::Untold => &mut untold,
        };
        let spent = now.saturating_sub(self.since);
        *time += spent;
        if let Some(log) = &mut self.log {
            log.turn(self.clocked, (self.since, self.since + spent), clocked);
        }
        (self.clocked, self.since) = (clocked, now);
    }

    /// The worker's statistics until `now`, with its counts.
    pub(crate) fn close(mut self, counted: Stats, now: u64) -> WorkerStats {
        self.turn_to(Clocked::Untold, now);
        self.worker.stats += counted;
        self.worker.timeline = self.log.map(|log| log.close()).unwrap_or_default();
        self.worker
    }

    /// Records a published split point.
    pub(crate) fn split(&mut self, kind: SplitKind, depth: Depth) {
        let splits = &mut self.worker.stats.split;
        match kind {
            SplitKind::Probing => splits.probing_splits += 1,
            SplitKind::Star1 => splits.star1_splits += 1,
            SplitKind::Decision => splits.decision_splits += 1,
        }
        *self.worker.splits.entry((kind, depth.into())).or_default() += 1;
    }

    /// Records a finished task.
    pub(crate) fn task(&mut self, nodes: u64, ns: u64) {
        self.worker.stats.split.tasks += 1;
        add_to(&mut self.worker.task_nodes, nodes);
        add_to(&mut self.worker.task_ns, ns);
    }
}

/// Adds one value to a histogram.
pub(crate) fn add_to(histogram: &mut Histogram, value: u64) {
    histogram.add(value, 1);
}

#[cfg(test)]
mod tests;
