//! A worker's own record of what it does: its clock and its histograms. Nothing of it is shared while the search runs.

use crate::search::{SplitKind, Stats, WorkerStats};

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    Busy,
    Idle,
    Stealing,
    Parked,
    /// Out of this library's sight; clocked nowhere.
    Untold,
}

/// One worker's record.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) worker: WorkerStats,
    activity: Activity,
    /// When it began, in nanoseconds since the search began.
    since: u64,
}

impl Record {
    /// A record that begins with the search.
    pub(crate) fn new(activity: Activity) -> Self {
        Record { worker: WorkerStats::default(), activity, since: 0 }
    }

    /// Takes note that the worker goes over to something else.
    pub(crate) fn turn_to(&mut self, activity: Activity, now: u64) {
        let mut untold = 0;
        let times = &mut self.worker.times;
        let time = match self.activity {
            Activity::Busy => &mut times.busy,
            Activity::Idle => &mut times.idle,
            Activity::Stealing => &mut times.stealing,
            Activity::Parked => &mut times.parked,
            Activity::Untold => &mut untold,
        };
        *time += now.saturating_sub(self.since);
        (self.activity, self.since) = (activity, now);
    }

    /// What the worker did until `now`, with what it counted.
    pub(crate) fn close(mut self, counted: Stats, now: u64) -> WorkerStats {
        self.turn_to(Activity::Untold, now);
        self.worker.stats += counted;
        self.worker
    }

    /// Takes note of a split point published.
    pub(crate) fn split(&mut self, kind: SplitKind, depth: u8) {
        let splits = &mut self.worker.stats.split;
        match kind {
            SplitKind::Probing => splits.probing_splits += 1,
            SplitKind::Star1 => splits.star1_splits += 1,
            SplitKind::Decision => splits.decision_splits += 1,
        }
        *self.worker.splits.entry((kind, depth)).or_default() += 1;
    }

    /// Takes note of a task done.
    pub(crate) fn task(&mut self, nodes: u64, ns: u64) {
        self.worker.stats.split.tasks += 1;
        self.worker.task_nodes.saturating_record(nodes);
        self.worker.task_ns.saturating_record(ns);
    }
}
