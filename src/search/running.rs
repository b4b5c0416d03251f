//! A running search as its caller sees and steers it, from any thread.

use crate::search::answer::Iteration;
use crate::search::request::{OptionsError, StopFlag};
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, Mutex, Relaxed};
use crate::time::Instant;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A running search, as other threads see it: they read its nodes, its depth and its last completed
/// iteration, move its end, or stop it.
///
/// [`SearchRequest::handle`](crate::SearchRequest::handle) gives it to a search. It is for one search; the
/// next takes a new one. Clones share it. Reading costs the search nothing: it writes what it counts anyway.
///
/// # Examples
/// ```
/// # #[path = "../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use starsplit::evaluator::Constant;
/// # use starsplit::search::{Limits, StopReason};
/// # use starsplit::{Handle, Searcher};
/// # use pig::under_way;
/// # use std::time::Duration;
/// # let (game, position) = under_way();
/// let searcher = Searcher::builder(game, Constant::default()).build()?;
/// let handle = Handle::new();
/// let result = std::thread::scope(|scope| {
///     // The opponent thinks, and so does the engine, without an end.
///     let pondering = scope.spawn(|| {
///         searcher.request(&position).limits(Limits::unbounded()).handle(&handle).search()
///     });
///     while handle.iteration().is_none() {
///         std::thread::sleep(Duration::from_millis(1));
///     }
///     println!("depth {}, {} nodes", handle.depth(), handle.nodes());
///     // The expected move came: from now on the engine's own time counts.
///     handle.end_within(Some(Duration::from_millis(5)));
///     pondering.join().unwrap()
/// })?;
/// assert_eq!(result.stopped_by, StopReason::Time);
/// assert!(handle.iteration().is_some_and(|last| last.depth == result.depth));
/// # Ok(())
/// # }
/// ```
pub struct Handle<M, O> {
    running: Arc<Running>,
    last: Arc<Mutex<Option<Iteration<M, O>>>>,
}

impl<M, O> Handle<M, O> {
    /// A handle for a search to come.
    pub fn new() -> Self {
        Handle { running: Arc::default(), last: Arc::new(Mutex::new(None)) }
    }

    /// The nodes that all threads have visited so far. Each thread tells of its own about once in a thousand
    /// nodes, or more often where they are slow.
    pub fn nodes(&self) -> u64 {
        self.running.nodes()
    }

    /// The depth of the iteration that goes on, or went on at the search's end; 0 before the first. To the
    /// end of the game, the plies that are left at most.
    pub fn depth(&self) -> u32 {
        self.running.depth.load(Relaxed) // Relaxed: a number to look at.
    }

    /// The last completed iteration, with its best move, value and principal variation.
    pub fn iteration(&self) -> Option<Iteration<M, O>>
    where
        M: Clone,
        O: Clone,
    {
        self.last.lock().clone()
    }

    /// Has the search end when this much more time has passed, whatever its time limit was; `None` takes its
    /// time limit away. Before the search begins, the time counts from now as well.
    pub fn end_within(&self, time: Option<Duration>) {
        self.running.move_end(time.and_then(|time| Instant::now().checked_add(time)));
    }

    /// Stops the search, or has it end before its first iteration.
    pub fn stop(&self) {
        self.running.stop.stop();
    }

    /// Gives the handle to a search.
    ///
    /// # Errors
    /// If it has had one.
    pub(crate) fn begin(&self) -> Result<Arc<Running>, OptionsError> {
        let error = || OptionsError::new("handle", "of another search", "expected a new one for each search");
        // Relaxed: only whether it was set counts.
        if self.running.is_given.swap(true, Relaxed) { Err(error()) } else { Ok(self.running.clone()) }
    }

    /// A handle of the same search that tells iterations in other words, such as with moves as texts. Whoever
    /// translates them notes each.
    pub(crate) fn in_other_words<P, Q>(&self) -> Handle<P, Q> {
        Handle { running: self.running.clone(), last: Arc::new(Mutex::new(None)) }
    }

    /// Keeps an iteration for [`iteration`](Handle::iteration). The search does so itself.
    pub(crate) fn note(&self, iteration: Iteration<M, O>) {
        *self.last.lock() = Some(iteration);
    }
}

impl<M, O> Default for Handle<M, O> {
    fn default() -> Self {
        Handle::new()
    }
}

impl<M, O> Clone for Handle<M, O> {
    fn clone(&self) -> Self {
        Handle { running: self.running.clone(), last: self.last.clone() }
    }
}

impl<M, O> fmt::Debug for Handle<M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").field("running", &self.running).finish_non_exhaustive()
    }
}

/// No end by the clock.
const NEVER_ENDS: u64 = u64::MAX;

/// No end that was asked for: the search's own time limit counts.
const NOT_MOVED: u64 = u64::MAX - 1;

/// The state of a running search for other threads, and their wishes.
#[derive(Debug)]
pub(crate) struct Running {
    /// Whether a search has its handle.
    is_given: AtomicBool,
    /// Moments are nanoseconds after this one.
    base: Instant,
    /// Nodes reported by all workers.
    nodes: AtomicU64,
    depth: AtomicU32,
    /// When the search ends.
    end: AtomicU64,
    pub(super) stop: StopFlag,
}

impl Default for Running {
    fn default() -> Self {
        Running {
            is_given: AtomicBool::new(false),
            base: Instant::now(),
            nodes: AtomicU64::new(0),
            depth: AtomicU32::new(0),
            end: AtomicU64::new(NOT_MOVED),
            stop: StopFlag::new(),
        }
    }
}

impl Running {
    /// Begins a search that ends at this moment, unless another was asked for already.
    pub(super) fn begin(&self, end: Option<Instant>) {
        // Relaxed: the moment is one word, and who waits for it looks again and again.
        let _ = self.end.compare_exchange(NOT_MOVED, self.moment(end), Relaxed, Relaxed);
    }

    /// Begins an iteration.
    pub(super) fn begin_iteration(&self, depth: u32) {
        self.depth.store(depth, Relaxed); // Relaxed: a number to look at.
    }

    fn move_end(&self, end: Option<Instant>) {
        self.end.store(self.moment(end), Relaxed); // Relaxed: as in `begin`.
    }

    fn moment(&self, end: Option<Instant>) -> u64 {
        let after = |end: Instant| end.saturating_duration_since(self.base).as_nanos();
        end.map_or(NEVER_ENDS, |end| u64::try_from(after(end)).unwrap_or(NEVER_ENDS).min(NOT_MOVED - 1))
    }

    /// Whether the search's time is over.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        let end = self.end.load(Relaxed); // Relaxed: as in `begin`.
        end < NOT_MOVED && now.saturating_duration_since(self.base).as_nanos() >= u128::from(end)
    }

    /// Adds nodes, and returns all so far.
    pub(super) fn count(&self, nodes: u64) -> u64 {
        // Relaxed: a counter; nothing is read on the strength of it.
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// The nodes that all workers have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed) // Relaxed: a counter.
    }
}
