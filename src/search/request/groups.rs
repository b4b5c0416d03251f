//! Groups of options.

use crate::search::request::choices::SiblingBatch;
use std::time::Duration;

/// The nodes that threads split, and the moment when threads are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splits {
    /// The least depth of a node whose successors are split among threads; at least 2.
    ///
    /// `None` lets the search choose: the least depth at which searches take some fifty microseconds, twenty
    /// with more than two threads, or a hundred with lanes, by the nodes of shallower iterations, and before
    /// the first 7, or less if an evaluation takes a microsecond or more. With more than four threads, of
    /// which four or more are idle, shallower nodes are also split: those an eighth as large, or with a fixed
    /// depth, up to four plies below it.
    ///
    /// Default: `None`; in `Options::paper`: `Some(7)`.
    pub depth: Option<u8>,
    /// The least size of a search that is split among threads, in nodes that searches at its depth have taken
    /// so far.
    ///
    /// A search ten times as large is always split, a smaller one only while a thread is idle. A search below
    /// the least size, down to an eighth of it, is split only while enough threads are idle: at least four
    /// (or a tenth of more than forty), and so many that its size times their number reaches the least size.
    /// At 0 size does not matter. `None` lets the search choose the size that takes as long as `depth` says,
    /// by the declared costs of nodes and evaluations; before the first iteration 400, or less if an
    /// evaluation takes a microsecond or more.
    ///
    /// Default: `None`; in `Options::paper`: `Some(400)`.
    pub size: Option<u64>,
    /// How long an iteration must be expected to take for other threads to be called; zero calls them at
    /// once.
    ///
    /// The iterations before it tell what to expect. Threads are also called if the iteration after it is
    /// expected to take twice as long. An iteration that was not expected to take long calls them once it has
    /// taken this long, and twice the expected time. A call takes some 15 microseconds of the calling
    /// thread's time, and the threads arrive after some 30. In longer searches, too, the first short
    /// iterations are serial. A search that may call waits for its turn on a shared pool. No search
    /// takes as long as [`Duration::MAX`], which hence never calls them.
    ///
    /// Default: 250 microseconds.
    pub helpers_after: Duration,
    /// Whether one thread alone also splits, as if others might help.
    ///
    /// It finds the same and gains nothing: it serves to measure what the parallel code costs.
    ///
    /// Default: `false`.
    pub alone: bool,
}

impl Default for Splits {
    /// Lets the search choose depth and size.
    fn default() -> Self {
        Splits { depth: None, size: None, helpers_after: Duration::from_micros(250), alone: false }
    }
}

/// Lanes: workers that take turns on a thread. While one waits for an evaluation others search, so that
/// evaluations are made in batches ([`Evaluator::evaluate_many`]).
///
/// Lanes pay if an evaluation in a batch costs much less than one alone. More lanes give fuller batches, and
/// search more that a serial search would not. Even one lane makes batches, of
/// [siblings](LaneOptions::sibling_batch). Batches need an evaluator with [`batches`]; with any other, the
/// search is that of threads alone. More than one lane needs the feature `lanes`.
///
/// A lane begins when every other lane of its thread has work. Other threads are called when the search has
/// lasted eight times [`helpers_after`](Splits::helpers_after), or at once with a device. With a timeline, or
/// a method without splits, all threads and lanes begin at once. A lane that has begun has a stack of 16 MiB,
/// of which it uses what its depth needs, and a worker's own memory (see
/// [`MAX_MOVE_SLOTS`](crate::search::MAX_MOVE_SLOTS)): in all 50 KiB a lane in backgammon to 5 plies, 80 KiB
/// in Dice to 9.
///
/// [`Evaluator::evaluate_many`]: crate::evaluator::Evaluator::evaluate_many
/// [`batches`]: crate::evaluator::Abilities::batches
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneOptions {
    /// How many workers take turns on each thread.
    ///
    /// `None` lets the search choose by the evaluator's [`cost`](crate::evaluator::EvaluatorFacts::cost): one
    /// lane if more promise little.
    ///
    /// Default: `None`.
    pub count: Option<usize>,
    /// The greatest number of evaluations in a call.
    ///
    /// If every lane of a thread waits, it makes a call for fewer. `None` lets the search choose: the number
    /// of lanes, at least 64, and no more than the evaluator's
    /// [`call_size`](crate::evaluator::EvaluatorFacts::call_size).
    ///
    /// Default: `None`.
    pub batch: Option<usize>,
    /// The positions that a worker evaluates in the same call as the one that it needs, in lanes or without.
    ///
    /// Default: `SiblingBatch::Chosen`.
    pub sibling_batch: SiblingBatch,
    /// Whether a separate thread, the device, makes the evaluations of lanes.
    ///
    /// For an evaluator whose calls leave the processor idle, as on an accelerator, or that only one thread
    /// may call at a time, as in an interpreter. The lanes of all threads hand their requests to the device.
    /// Whenever it is free it makes a call for the waiting requests, up to a batch. A thread with no lane
    /// ready waits busily, or sleeps if there are more threads than processors. The device does not count
    /// among [`threads`](crate::search::Options::threads), and lasts as long as the search.
    ///
    /// Default: `false`.
    pub device: bool,
}

/// Reports of a parallel search besides its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// Whether nodes that two threads search at once are counted, as `duplicate_nodes`.
    ///
    /// Threads mark the nodes that they are in, from [`Splits::depth`] less two up: from 5 if it is `None`,
    /// and never below 2. This costs a little time and changes nothing else.
    ///
    /// Default: `false`.
    pub count_duplicates: bool,
    /// The greatest number of spans in a worker's [timeline](crate::search::WorkerStats::timeline): this many
    /// activities, and this many tasks.
    ///
    /// Later spans are dropped and counted. At 0 no timeline is kept, at no cost. A span takes at most 48
    /// bytes, once it is there; on threads a worker makes some thousands a second.
    ///
    /// Default: `0`.
    pub timeline: usize,
    /// The greatest number of nodes in the result's [tree](crate::search::SearchResult::tree).
    ///
    /// Where the last iteration has more, the deepest plies are left out. While a tree is recorded, nodes
    /// near the leaves are searched without their fast paths: values are the same, times are not. At 0 none
    /// is recorded, at no cost. A node takes some 150 bytes and a position.
    ///
    /// Default: `0`.
    pub tree: usize,
}
