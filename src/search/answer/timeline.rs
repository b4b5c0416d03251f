//! When each worker of a parallel search did what.

use crate::search::answer::{SplitKind, Times};

/// What one worker of a parallel search did, and when, in nanoseconds since the search began. Recorded where
/// [`Options::timeline`](crate::search::Options::timeline) asks for it; empty otherwise, and after a serial
/// search.
///
/// Workers count from 0, the calling thread's first, as in
/// [`SearchResult::workers`](crate::search::SearchResult::workers).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// What it did at each moment, one after another: the end of each is the beginning of the next. There are
    /// gaps with a method that clocks busy time alone
    /// ([`clocks_idle_time`](crate::search::MethodProperties::clocks_idle_time)).
    pub activities: Vec<ActivitySpan>,
    /// Its tasks, in the order in which they began. Two of them lie apart, or one within the other: a worker
    /// that splits again within a task, or helps below while it waits, has tasks within that task.
    pub tasks: Vec<TaskSpan>,
    /// How many spans came when their list was full.
    pub dropped: u64,
}

/// A stretch of time in which a worker did one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivitySpan {
    /// When it began.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
    /// What it did.
    pub activity: Activity,
}

/// What a worker does with its time; see [`Times`] for what is clocked as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Searching.
    Busy,
    /// Waiting for the helpers of a split point of its own; at the end of the calling thread's search, for
    /// the other workers.
    Idle,
    /// Without work and looking for some in the others' queues, again and again until it found some, went to
    /// sleep, or the search was over.
    Stealing {
        /// How often it looked.
        looks: u64,
        /// How long it paused between looks, all in all, in nanoseconds. [`Times`] has this as idle time, and
        /// the rest of the span as stealing.
        idle: u64,
        /// Whose queue had the ticket that it found; `None` when it found none.
        victim: Option<usize>,
    },
    /// Asleep.
    Parked,
}

/// A task: one successor taken from a split point and searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskSpan {
    /// When it began.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
    /// The depth of the node that was split.
    pub depth: u8,
    /// What the node was split into.
    pub kind: SplitKind,
    /// Which worker split it.
    pub owner: usize,
    /// Whether this worker had it as a helper. With a method that uses the whole
    /// pool ([`uses_whole_pool`](crate::search::MethodProperties::uses_whole_pool)) every task is a helper's,
    /// even where the job ran on the thread that made it.
    pub helped: bool,
    /// Nodes that this worker visited meanwhile, those of tasks within this one included.
    pub nodes: u64,
    /// Whether it was cut short, because a split point above was settled or the search was stopped.
    pub aborted: bool,
}

impl ActivitySpan {
    /// How long it took.
    pub fn duration(&self) -> u64 {
        self.end - self.begin
    }
}

impl TaskSpan {
    /// How long it took.
    pub fn duration(&self) -> u64 {
        self.end - self.begin
    }
}

impl Timeline {
    /// What the activities add up to. Where nothing was dropped these are the worker's
    /// [`times`](crate::search::WorkerStats::times).
    pub fn times(&self) -> Times {
        let mut times = Times::default();
        for span in &self.activities {
            let duration = span.duration();
            match span.activity {
                Activity::Busy => times.busy += duration,
                Activity::Idle => times.idle += duration,
                Activity::Stealing { idle, .. } => {
                    times.idle += idle;
                    times.stealing += duration - idle;
                }
                Activity::Parked => times.parked += duration,
            }
        }
        times
    }
}
