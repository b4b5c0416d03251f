//! `Searcher`: the interface of engines and experiments.

mod builder;
mod expectation;
mod outcomes;
mod prove;
mod pv;
mod request;
#[cfg(feature = "simulate")]
mod simulated;

pub use builder::{BuildError, SearcherBuilder};
pub use request::SearchRequest;

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{Ask, OF_CALLER, OnThreads, ParallelProcessor, Pool, TeamSetup, on_stack, stack_for};
use crate::processor::{Evaluates, Thread};
use crate::search::{
    Control, Depth, Iteration, Lanes, Limits, Options, OptionsError, SearchContext, SearchDepth, SearchError,
    SearchResult, StopFlag, StopReason, Worker, check_limits,
};
use crate::sync::Mutex;
use crate::table::{LocklessTable, Table};
use std::fmt;
use std::time::Duration;

/// A game, an evaluator, a table and threads, ready to search positions. [`Searcher::builder`] makes one.
///
/// # Between searches
///
/// The table keeps its entries from one search to the next. They age with every iteration, and old ones are
/// replaced first; [`new_game`](Searcher::new_game) clears them. The threads are kept, too. Searchers share a
/// table by a reference or an `Arc`, and threads by a [`Pool`].
///
/// # From several threads
///
/// All searches take `&self`, and a [request](Searcher::request) may have options and limits of its own: so
/// threads may share the searcher, as in an `Arc`. A parallel search that finds its pool busy searches
/// alone until the pool is free; its result says [how long](SearchResult::waited) that was. Call from any
/// thread, those of other pools among them: a search never runs their jobs. In a process that was forked a
/// search starts threads anew.
///
/// # Panics in a game, an evaluator or a callback
///
/// A panic ends the search with [`SearchError::Panicked`]; the searcher stays usable. This includes panics
/// when a position, a state or a panic's payload is dropped. A panic on a thread that is already unwinding
/// ends the process, as always in Rust; so does every panic under `panic = "abort"`.
///
/// # Stacks
///
/// A search recurses once a ply, on the calling thread's stack where 1 MiB is certain to be enough, and else
/// on a thread of its own with as much as it may need. In a release build a ply takes about 1 KiB, with two
/// positions and two states of the evaluator; where its node is split, 2 KiB, with three of each. (Measured
/// as the least stack that searches to several depths need, on a game of two moves and two outcomes, with
/// positions of 16 bytes to 8 KiB.) The methods of a game and an evaluator may take 256 KiB: what takes more
/// needs a caller with a larger [`stack_size`](std::thread::Builder::stack_size). Threads of a [`Pool`] and
/// virtual processors have 16 MiB each, or as much as their search may need.
pub struct Searcher<G: Game, E, T = LocklessTable> {
    game: G,
    evaluator: E,
    table: T,
    options: Options,
    limits: Limits,
    stop: StopFlag,
    /// The caller's pool, or the searcher's own, which starts with the first search that needs it.
    pool: Mutex<Option<Pool>>,
    /// How much stack a search may take of a calling thread's.
    caller_stack: usize,
}

/// The longest wait for the lock of a searcher's pool, which is held for a moment.
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// A worker on the calling thread.
type WorkerOf<'a, G, E, T> = Worker<'a, OnThreads<G, E, T>>;

/// Called with every completed iteration.
type Watch<'a, G> = dyn FnMut(&Iteration<<G as Game>::Move, <G as Game>::Outcome>) + 'a;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// A searcher with this table and the defaults: Star2-TT on one thread, one second a search.
    /// [`Searcher::builder`] can do more.
    pub fn new(game: G, evaluator: E, table: T) -> Self {
        Searcher {
            game,
            evaluator,
            table,
            options: Options::default(),
            limits: Limits::default(),
            stop: StopFlag::new(),
            pool: Mutex::new(None),
            caller_stack: OF_CALLER,
        }
    }

    /// Replaces the options. The next search checks them.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Searcher { options, ..self }
    }

    /// Uses this pool, which other searchers may share. Without a pool, or where the options ask for more
    /// threads than it has, the first parallel search starts a pool and the searcher keeps it.
    ///
    /// A search uses as many of the pool's threads as the options ask for. Only a method that
    /// [uses the whole pool](crate::search::Method::uses_whole_pool) uses all of them.
    #[must_use]
    pub fn with_pool(self, pool: Pool) -> Self {
        Searcher { pool: Mutex::new(Some(pool)), ..self }
    }

    /// Says that each calling thread has so many bytes of stack for a search, instead of 1 MiB: a search that
    /// may need more runs on a thread of its own (see [Stacks](#stacks)), of which an engine may have to
    /// know.
    #[must_use]
    pub fn with_caller_stack(self, bytes: usize) -> Self {
        Searcher { caller_stack: bytes, ..self }
    }

    /// Exchanges the evaluator, or gives the same one other weights. Table, threads and options stay.
    ///
    /// The table tells evaluators apart by their
    /// [identity](crate::evaluator::EvaluatorFacts::identity): entries of the one are nothing to the other,
    /// and are still there when it comes back. So an evaluator whose weights change has to change its
    /// identity; with the old one it would be answered with values of the old weights. Where old entries
    /// will never be needed again, [`new_game`](Searcher::new_game) makes room.
    #[must_use]
    pub fn with_evaluator<F: Evaluator<G>>(self, evaluator: F) -> Searcher<G, F, T> {
        let Searcher { game, table, options, limits, stop, pool, caller_stack, .. } = self;
        Searcher { game, evaluator, table, options, limits, stop, pool, caller_stack }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The table.
    pub fn table(&self) -> &T {
        &self.table
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The limits of [`search`](Searcher::search).
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A handle that stops this searcher's searches from any thread.
    ///
    /// The running search ends soon after and returns its last completed iteration. The flag stays raised
    /// until [`StopFlag::clear`]; until then every search ends before its first iteration. So a stop that
    /// comes just before its search begins is not lost. An engine clears the flag when it receives the
    /// command to search, before it hands the search to another thread.
    ///
    /// # Examples
    /// ```
    /// # #[path = "../examples/pig.rs"]
    /// # mod pig;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use starsplit::Searcher;
    /// # use starsplit::evaluator::Constant;
    /// # use starsplit::search::{Limits, StopReason};
    /// # use pig::under_way;
    /// # use std::time::Duration;
    /// # let (game, position) = under_way();
    /// let searcher = Searcher::builder(game, Constant::default()).limits(Limits::unbounded()).build()?;
    /// let stop = searcher.stop_handle();
    /// let result = std::thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         std::thread::sleep(Duration::from_millis(10));
    ///         stop.stop();
    ///     });
    ///     searcher.search(&position)
    /// })?;
    /// assert_eq!(result.stopped_by, StopReason::Flag);
    /// stop.clear();
    /// # Ok(())
    /// # }
    /// ```
    pub fn stop_handle(&self) -> StopFlag {
        self.stop.clone()
    }

    /// Clears the table, with as many threads as a search has: for a new game, or to repeat a search from the
    /// same start. A shared table is cleared for all its searchers.
    pub fn new_game(&self) {
        self.table.clear(self.options.threads);
    }

    /// Searches `position` until one of the searcher's limits is reached. A [request](Searcher::request) can
    /// say more, and ask for more.
    ///
    /// With the default [`Reuse::Exact`](crate::table::Reuse::Exact), the value at a given depth is the same
    /// to the last bit for every algorithm, table, ordering, number of threads and schedule.
    ///
    /// # Errors
    /// When the options do not fit together, the depth is out of range, or the game breaks its contract or
    /// panics. Also when the system cannot start the threads: the builder starts them, or else the first
    /// search that lasts long enough to need helpers.
    pub fn search(&self, position: &G::Position) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        self.request(position).search()
    }

    /// Checks these options, and the limits of a search.
    fn check(&self, options: &Options, limits: Option<&Limits>) -> Result<(), SearchError> {
        options.check_for(&self.game)?;
        limits.map_or(Ok(()), check_limits)?;
        if options.has_lanes() && options.method.uses_whole_pool() {
            let complaint = "expected one without threads of its own where there are lanes";
            return Err(OptionsError::new("method", options.method, complaint).into());
        }
        Ok(())
    }

    /// The options as the game and the evaluator take them, and the lanes of such a search, if it has any.
    fn fitted(&self, options: &Options) -> Result<(Options, Option<Lanes>), SearchError> {
        let facts = self.game.facts();
        let options = options.for_game(&facts).into_owned();
        if !E::ABILITIES.batches {
            return Ok((options, None));
        }
        let lanes = Lanes::of(&options, &self.evaluator.facts(&self.game), facts.successor_ns);
        let options = if let Some(lanes) = lanes { lanes.fix(options) } else { options };
        Ok((options, lanes))
    }

    /// The arguments that all workers of a search with these options share.
    fn search_context<'a, P: ParallelProcessor + Evaluates<G, E>>(
        &'a self,
        control: &'a Control,
        options: &'a Options,
    ) -> SearchContext<'a, TeamSetup<G, E, T, P>> {
        let Searcher { game, evaluator, table, .. } = self;
        SearchContext { game, evaluator, table, options, control, root_moves: &[], logs: None }
    }

    /// Runs `search` to this depth on the calling thread's stack, or on one of its own if it needs more.
    /// `answer` is called on the calling thread.
    fn on_this_stack<A: Clone + Send, B: Send, R: Send>(
        &self,
        (control, depth): (&Control, Depth),
        answer: &mut Ask<'_, A, B>,
        search: impl FnOnce(&mut Ask<'_, A, B>) -> R + Send,
    ) -> Result<R, SearchError> {
        let needed = stack_for::<OnThreads<G, E, T>>(control, depth);
        on_stack((needed, self.caller_stack), control, answer, search)
    }

    /// Calls `act` with a worker that searches alone to this depth. `answer` is called on the calling thread.
    fn by_one_worker<A: Clone + Send, B: Send, R: Send>(
        &self,
        (control, options, depth): (&Control, &Options, Depth),
        root_moves: &[G::Move],
        answer: &mut Ask<'_, A, B>,
        act: impl FnOnce(&mut WorkerOf<'_, G, E, T>, &mut Ask<'_, A, B>) -> Result<R, SearchError> + Send,
    ) -> Result<R, SearchError> {
        let search = SearchContext { root_moves, ..self.search_context(control, options) };
        let found = self.on_this_stack((control, depth), answer, |answer| {
            act(&mut Worker::new(search, Thread::new(control.started), None), answer)
        })?;
        match control.verdict() {
            Some(Err(error)) => Err(error),
            _ => found,
        }
    }

    /// The pool, with at least so many threads of this process.
    fn pool(&self, threads: usize) -> Result<Pool, SearchError> {
        // Not waited for: a process that was forked while another thread had the lock has it locked for ever.
        let kept = || self.pool.try_lock_for(LONGEST_WAIT);
        let is_enough = |pool: &Pool| pool.threads() >= threads;
        if let Some(pool) = kept().and_then(|kept| kept.clone()).filter(is_enough) {
            return pool.of_this_process();
        }
        let made = Pool::new(threads)?;
        let Some(mut kept) = kept() else { return Ok(made) };
        // Another search may have made one meanwhile, which then serves both.
        let pool = kept.take().filter(is_enough).unwrap_or(made);
        *kept = Some(pool.clone());
        pool.of_this_process()
    }
}

/// The result with the reason of its end, or the search's error.
fn verdict<M, O>(
    control: &Control,
    limits: &Limits,
    mut result: SearchResult<M, O>,
) -> Result<SearchResult<M, O>, SearchError> {
    let is_whole = match limits.depth {
        SearchDepth::Plies(plies) => result.depth >= plies,
        SearchDepth::ToTheEnd => result.depth > 0,
    };
    match control.verdict() {
        Some(Err(error)) => return Err(error),
        Some(Ok(reason)) if !is_whole => result.stopped_by = reason,
        _ => result.stopped_by = StopReason::Depth,
    }
    Ok(result)
}

impl<G: Game, E, T> fmt::Debug for Searcher<G, E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Searcher { options, limits, .. } = self;
        f.debug_struct("Searcher").field("options", options).field("limits", limits).finish_non_exhaustive()
    }
}
