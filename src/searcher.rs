//! `Searcher`: the door through which engines and experiments search.

mod builder;
mod line;
mod prove;
#[cfg(feature = "simulate")]
mod simulated;

pub use builder::{BuildError, SearcherBuilder};

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{ParallelProcessor, Pool, TeamSetup, catch, search_as_team};
use crate::processor::{Evaluates, Thread};
use crate::search::{
    Control, Iteration, Lanes, Limits, Options, OptionsError, SearchContext, SearchError, SearchResult,
    StopFlag, StopReason, Worker, check_limits, run,
};
use crate::sync::Mutex;
use crate::table::{LocklessTable, Table};
use std::fmt;

/// What is called with every completed iteration.
type Callback<G> = Box<dyn Fn(&Iteration<<G as Game>::Move, <G as Game>::Outcome>) + Send + Sync>;

/// A game, an evaluator, a table and threads, ready to search positions. [`Searcher::builder`] makes one.
///
/// # Between searches
///
/// The table is kept from one search to the next. What earlier searches left there ages with every iteration,
/// so that it gives way first; [`new_game`](Searcher::new_game) forgets it. The threads are kept, too. A
/// table may be shared by handing over a reference or an `Arc`, threads by handing over a [`Pool`].
///
/// # From several threads
///
/// All methods but those that change the searcher take `&self`, and a searcher may be shared by any number of
/// threads. Parallel searches on one pool wait for one another.
///
/// # Panics in a game, an evaluator or a callback
///
/// They end the search with [`SearchError::Panicked`], also where positions and states panic when they are
/// dropped, or what a panic carries does, and the searcher is as good as before. What panics on a thread that
/// unwinds from another panic ends the process, as Rust has it; so does every panic of a program built with
/// `panic = "abort"`.
///
/// # Stacks
///
/// A search calls itself once a ply, and the calling thread searches on its own stack. In a release build a
/// ply takes some 0.7 KiB of it, 1.9 KiB where every node is shared among threads, and a position and a state
/// of the evaluator: measured on Dice and on a game of two moves and two outcomes, by the least stack on
/// which searches to several depths ended. With small positions, half a MiB is enough for the deepest search,
/// and the 2 MiB that Rust gives a thread are plenty; with positions of some kilobytes, call from a thread
/// that has more ([`stack_size`](std::thread::Builder::stack_size)), or limit the depth. The threads of a
/// [`Pool`] and virtual processors have 16 MiB each. A stack that is too small ends the process.
///
/// Where moves or outcomes may take [no ply](crate::game::Steps::plies) each of them takes as much, up to
/// [`MAX_PATH_LENGTH`](crate::search::MAX_PATH_LENGTH): with small positions 0.5 MiB, 1 MiB where every
/// node is shared.
pub struct Searcher<G: Game, E, T = LocklessTable> {
    game: G,
    evaluator: E,
    table: T,
    options: Options,
    limits: Limits,
    stop: StopFlag,
    /// The threads of parallel searches: the caller's, or this searcher's own, started when first needed.
    pool: Mutex<Option<Pool>>,
    on_iteration: Option<Callback<G>>,
}

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// A searcher with this table and the default options and limits: Star2-TT on one thread, one second a
    /// search. [`Searcher::builder`] can do more.
    pub fn new(game: G, evaluator: E, table: T) -> Self {
        Searcher {
            game,
            evaluator,
            table,
            options: Options::default(),
            limits: Limits::default(),
            stop: StopFlag::new(),
            pool: Mutex::new(None),
            on_iteration: None,
        }
    }

    /// The same searcher with other options. They are checked when it searches.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Searcher { options, ..self }
    }

    /// The same searcher on the threads of this pool, which other searchers may use as well. Without a pool,
    /// or where the options ask for more threads than it has, parallel searches start a pool of their own
    /// once and keep it.
    ///
    /// A search takes as many of the pool's threads as the options ask for; only a method
    /// that uses the whole pool ([`uses_whole_pool`](crate::search::MethodProperties::uses_whole_pool)) takes
    /// them all.
    #[must_use]
    pub fn with_pool(self, pool: Pool) -> Self {
        Searcher { pool: Mutex::new(Some(pool)), ..self }
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

    /// The options, to be changed between searches.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// The limits of [`search`](Searcher::search).
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The limits of [`search`](Searcher::search), to be changed between searches.
    pub fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    /// A handle with which any thread stops the searches of this searcher, whatever their limits.
    ///
    /// The search under way ends as soon as its threads notice, and answers with its last completed
    /// iteration. The flag stays raised, and further searches end before their first iteration, until
    /// [`StopFlag::clear`] is called; so a stop that comes a moment before the search it is meant for is not
    /// lost. An engine clears the flag where it takes the command to search, before it hands the search to
    /// another thread.
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

    /// Forgets what the table has learnt, with as many threads as a search has: for a new game, or to repeat
    /// a search as it was the first time. Searchers that share the table forget with it.
    pub fn new_game(&self) {
        self.table.clear(self.options.threads);
    }

    /// Searches `position` until one of the searcher's own limits is reached.
    ///
    /// With the default [`Reuse::Exact`](crate::search::Reuse::Exact), the value at a given depth is the same
    /// to the last bit whatever the algorithm, the table, the ordering, the number of threads and the
    /// schedule.
    ///
    /// # Errors
    /// When the options do not fit together, the depth is out of range, the system starts no more threads
    /// (which is tried by the first search that lasts long enough to call them, where the builder has not
    /// done it), or the game breaks its contract or panics.
    pub fn search(&self, position: &G::Position) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        self.check(&self.limits)?;
        let control = Control::new(&self.limits, &self.stop);
        self.search_under(&control, position, &self.limits, |iteration| self.call_back(iteration))
    }

    /// As [`search`](Searcher::search), within these limits instead of the searcher's own.
    ///
    /// # Errors
    /// As [`search`](Searcher::search).
    pub fn search_within(
        &self,
        position: &G::Position,
        limits: &Limits,
    ) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        self.search_with(position, limits, |_| {})
    }

    /// As [`search_within`](Searcher::search_within); `watch` sees every completed iteration, on the calling
    /// thread. Its statistics are those of that thread alone while the search runs. A callback of the
    /// searcher's own ([`SearcherBuilder::on_iteration`]) sees the iteration first.
    ///
    /// # Errors
    /// As [`search`](Searcher::search).
    pub fn search_with(
        &self,
        position: &G::Position,
        limits: &Limits,
        mut watch: impl FnMut(&Iteration<G::Move, G::Outcome>),
    ) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        self.check(limits)?;
        // Moved, so that what the callback holds goes where a panic is caught.
        let watch = move |iteration: &Iteration<G::Move, G::Outcome>| {
            self.call_back(iteration);
            watch(iteration);
        };
        self.search_under(&Control::new(limits, &self.stop), position, limits, watch)
    }

    /// Whether this searcher can search within these limits.
    fn check(&self, limits: &Limits) -> Result<(), SearchError> {
        catch(|| self.options.check_for(&self.game))??;
        check_limits(limits)?;
        if self.options.has_lanes() && !self.options.method.properties().can_be_simulated {
            return Err(OptionsError::NotInLanes { method: self.options.method }.into());
        }
        Ok(())
    }

    /// Searches as `control` has it, in the way that the options ask for.
    fn search_under(
        &self,
        control: &Control,
        position: &G::Position,
        limits: &Limits,
        watch: impl FnMut(&Iteration<G::Move, G::Outcome>),
    ) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        let search = self.search_context(control);
        let depth = limits.depth as u8;
        let result = if E::ABILITIES.batches
            && let Some(lanes) = Lanes::of(&self.options, self.evaluator.facts(&self.game).cost)
        {
            let options = lanes.fix(&self.options);
            let search = SearchContext { options: &options, ..search };
            self.search_in_lanes(search, lanes, position, depth, watch)?
        } else if self.options.splits() {
            search_as_team(search, || self.pool(), position, depth, watch)?
        } else {
            let thread = Thread::new(control.started);
            catch(|| run(&mut Worker::new(search, thread, None), position, depth, watch))?
        };
        verdict(control, limits, result)
    }

    /// Searches in these lanes, which there are where the build can have them.
    fn search_in_lanes(
        &self,
        search: SearchContext<'_, TeamSetup<G, E, T, Thread>>,
        lanes: Lanes,
        position: &G::Position,
        depth: u8,
        watch: impl FnMut(&Iteration<G::Move, G::Outcome>),
    ) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        #[cfg(feature = "lanes")]
        return crate::lanes::search_in_lanes(search, lanes, || self.pool(), position, depth, watch);
        #[cfg(not(feature = "lanes"))]
        {
            let _ = (search, position, watch);
            unreachable!("{lanes:?} without the feature lanes, to depth {depth}")
        }
    }

    /// Shows the iteration to the searcher's own callback, if it has one.
    fn call_back(&self, iteration: &Iteration<G::Move, G::Outcome>) {
        if let Some(callback) = &self.on_iteration {
            callback(iteration);
        }
    }

    /// What the workers of a search are given alike.
    fn search_context<'a, P: ParallelProcessor + Evaluates<G, E>>(
        &'a self,
        control: &'a Control,
    ) -> SearchContext<'a, TeamSetup<G, E, T, P>> {
        let Searcher { game, evaluator, table, options, .. } = self;
        SearchContext { game, evaluator, table, options, control }
    }

    /// A pool with as many threads as the options ask for.
    fn pool(&self) -> Result<Pool, SearchError> {
        let mut kept = self.pool.lock();
        match &*kept {
            Some(pool) if pool.threads() >= self.options.threads => Ok(pool.clone()),
            _ => {
                let pool = Pool::new(self.options.threads)?;
                *kept = Some(pool.clone());
                Ok(pool)
            }
        }
    }
}

/// The result with why the search ended; or what went wrong.
fn verdict<M, O>(
    control: &Control,
    limits: &Limits,
    mut result: SearchResult<M, O>,
) -> Result<SearchResult<M, O>, SearchError> {
    match control.verdict() {
        Some(Err(error)) => return Err(error),
        Some(Ok(reason)) if result.depth < limits.depth => result.stopped_by = reason,
        _ => result.stopped_by = StopReason::Depth,
    }
    Ok(result)
}

impl<G: Game + fmt::Debug, E: fmt::Debug, T: fmt::Debug> fmt::Debug for Searcher<G, E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Searcher { game, evaluator, table, options, limits, .. } = self;
        f.debug_struct("Searcher")
            .field("game", game)
            .field("evaluator", evaluator)
            .field("table", table)
            .field("options", options)
            .field("limits", limits)
            .finish_non_exhaustive()
    }
}
