//! When each worker of a parallel search did what.

use crate::search::answer::SplitKind;

/// When a worker of a parallel search did what, in nanoseconds since the search began. Empty unless
/// [`Telemetry::timeline`](crate::search::Telemetry::timeline) asks for it, and after a serial search.
///
/// Workers are numbered from 0, the calling thread's, as in
/// [`SearchResult::workers`](crate::search::SearchResult::workers).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeline {
    /// The worker's activities, span after span without gaps. (There are gaps with a method that
    /// [uses the whole pool](crate::search::Method::uses_whole_pool).)
    pub activities: Vec<ActivitySpan>,
    /// The worker's tasks, by beginning. Two tasks are disjoint or nested: a worker that splits within a
    /// task, or helps below while it waits, has tasks within that task.
    pub tasks: Vec<TaskSpan>,
    /// Spans dropped because a list was full.
    pub dropped: u64,
}

/// A span in which a worker did one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivitySpan {
    /// When it began.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
    /// The activity.
    pub activity: Activity,
}

/// A use of a worker's time. [`Times`](crate::search::Times) says what counts as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Searching.
    Busy,
    /// Waiting for helpers at a split point of its own; or, at the end of the calling thread's search, for
    /// the other workers.
    Idle,
    /// Looking for work in others' queues, until it found some, went to sleep, or the search was over.
    Stealing {
        /// The number of looks.
        looks: u64,
        /// The pauses between looks, in nanoseconds. [`Times`](crate::search::Times) counts these as idle and
        /// the rest of the span as stealing.
        idle: u64,
        /// The worker whose queue had the stolen ticket; `None` if none was found.
        victim: Option<usize>,
    },
    /// Asleep.
    Parked,
}

/// A task: a successor taken from a split point and searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskSpan {
    /// When it began.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
    /// The depth of the node that was split.
    pub depth: u32,
    /// The kind of the node's tasks.
    pub kind: SplitKind,
    /// The worker that split it.
    pub owner: usize,
    /// Whether this worker was a helper. With a method that
    /// [uses the whole pool](crate::search::Method::uses_whole_pool) every task counts as a
    /// helper's, even on the thread that made the job.
    pub helped: bool,
    /// The nodes this worker visited meanwhile, nested tasks included.
    pub nodes: u64,
    /// Whether it was aborted, because a split point above was cut or the search was stopped.
    pub aborted: bool,
}
