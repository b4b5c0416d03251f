//! Options that belong together.

use crate::search::request::choices::Company;
use std::time::Duration;

/// What is split among threads, and when they are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splits {
    /// Least depth of a node whose successors are split among threads.
    ///
    /// At least 2. Left to the search it is the depth from which on searches take some twenty microseconds,
    /// by the nodes of shallower iterations; 7 before the first. Where more than four threads search
    /// and four or more of them are without work, shallower nodes are split, too: those an eighth as large,
    /// or where the depth is fixed up to four plies below it.
    ///
    /// Default: `None`; the paper's: `Some(7)`.
    pub depth: Option<u8>,
    /// Least size of a search that is split among threads, in nodes as searches at that depth have taken so
    /// far.
    ///
    /// A search ten times as large is split at once, others only while some thread is without work, and
    /// smaller ones, down to an eighth, only while so many are (at least four) that this size is no more than
    /// a search's size times their number. At 0 size does not matter. Left to the search it is what takes
    /// some twenty microseconds, by what nodes and evaluations are declared to cost; 400 at first.
    ///
    /// Default: `None`; the paper's: `Some(400)`.
    pub size: Option<u64>,
    /// How long an iteration has to be expected to take for other threads to be called; at zero they are
    /// called at once.
    ///
    /// As expected by the iterations before it; the one after it twice as long. One that was not expected
    /// to take long calls them when it has taken so long, and twice as long as expected. To call takes some
    /// 15 microseconds of the calling thread's time, and until they are there some 30 pass. In longer
    /// searches the first short iterations are serial, too. A search waits for its turn on a shared pool
    /// when it may call. At [`Duration::MAX`] others are never called.
    ///
    /// Default: 250 microseconds.
    pub helpers_after: Duration,
    /// Whether one thread alone splits as well, as if others might come to help.
    ///
    /// Such a search finds the same and gains nothing: it is there to measure what the parallel code costs.
    ///
    /// Default: `false`.
    pub alone: bool,
}

impl Default for Splits {
    /// Size and depth are left to the search.
    fn default() -> Self {
        Splits { depth: None, size: None, helpers_after: Duration::from_micros(250), alone: false }
    }
}

/// Workers that take turns on a thread: while one waits for an evaluation others search, so that evaluations
/// are made in batches ([`Evaluator::evaluate_many`]).
///
/// Worth it where one of a batch costs much less than one alone; the more lanes, the fuller the batches and
/// the more is searched that a serial search would not. Only with evaluators of such an ability
/// ([`batches`]): the search is otherwise that of threads alone. More than one lane needs the feature
/// `lanes`.
///
/// A lane begins when every other one of its thread has work, and other threads are called when the search
/// has lasted eight times [`helpers_after`](Splits::helpers_after); where there are no splits, with a
/// timeline or a device, all are there from the beginning. A lane that has begun has a stack of 16 MiB, of
/// which it uses what its depth takes, and a worker's own memory beside it (see
/// [`MAX_MOVE_SLOTS`](crate::search::MAX_MOVE_SLOTS)): 50 KiB a lane in all in backgammon to 5 plies, 80 in
/// Dice to 9.
///
/// [`Evaluator::evaluate_many`]: crate::evaluator::Evaluator::evaluate_many
/// [`batches`]: crate::evaluator::Abilities::batches
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneOptions {
    /// How many workers take turns on each thread.
    ///
    /// Left to the search their number follows from what the evaluator's
    /// [`cost`](crate::evaluator::EvaluatorFacts::cost) promises, and is one where that is little.
    ///
    /// Default: `None`.
    pub count: Option<usize>,
    /// How many evaluations are made in one call at the most where there are lanes.
    ///
    /// A thread that has fewer requests, while every lane waits, evaluates those. Left to the search it is
    /// the number of lanes, 64 at least.
    ///
    /// Default: `None`.
    pub batch: Option<usize>,
    /// What a lane asks for beside the evaluation that it needs, so that batches are fuller.
    ///
    /// Default: `Company::Chosen`.
    pub company: Company,
    /// Whether evaluations of lanes are made on a thread of their own.
    ///
    /// For an evaluator whose calls leave the processor idle, as those of an accelerator do, or may be made
    /// by one thread at a time, as those of an interpreter. The lanes of all threads hand their requests to
    /// that thread, which takes what has gathered, up to a batch, whenever it is free; where no lane can go
    /// on a thread waits for it busily, unless there are more threads than processors. It counts as none of
    /// [`threads`](crate::search::Options::threads), and begins and ends with the search.
    ///
    /// Default: `false`.
    pub device: bool,
}

/// What a search on several threads tells of itself beside what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// Whether nodes that two threads search at once are counted.
    ///
    /// Threads mark the nodes of [`Splits::depth`] less two and deeper that they are in (`duplicate_nodes`).
    /// Costs a little time, changes nothing else.
    ///
    /// Default: `false`.
    pub count_duplicates: bool,
    /// How many spans each worker of a parallel search keeps at most of its timeline.
    ///
    /// Of [`WorkerStats::timeline`](crate::search::WorkerStats::timeline): so many activities, and so many
    /// tasks. What comes later is dropped and counted. At 0 no timeline is kept, and that costs nothing. A
    /// span takes 48 bytes at most, once it is there; on threads a worker makes some thousands a second.
    ///
    /// Default: `0`.
    pub timeline: usize,
}
