//! `Searcher`: the door through which engines and experiments search.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{Parties, Pool, catch, search_as_team};
use crate::processor::Thread;
use crate::search::{
    Control, Iteration, Limits, MAX_DEPTH, Options, SearchError, SearchResult, StopReason, Task, Worker, run,
};
use crate::sync::Mutex;
use crate::table::Table;

/// A game, an evaluator and a table, ready to search positions.
///
/// The table is kept from one search to the next; it may be shared by handing over a reference or an `Arc`.
#[derive(Debug)]
pub struct Searcher<G, E, T> {
    game: G,
    evaluator: E,
    table: T,
    options: Options,
    /// The threads of parallel searches: the caller's, or this searcher's own, started when first needed.
    pool: Mutex<Option<Pool>>,
}

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// A searcher with the default options: Star2-TT on one thread.
    pub fn new(game: G, evaluator: E, table: T) -> Self {
        Searcher { game, evaluator, table, options: Options::default(), pool: Mutex::new(None) }
    }

    /// The same searcher with other options.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Searcher { options, ..self }
    }

    /// The same searcher on the threads of this pool, which other searchers may use as well. Without a pool, or where
    /// the options ask for more threads than it has, parallel searches start a pool of their own once and keep it.
    ///
    /// A search takes as many of the pool's threads as the options ask for; only
    /// [`Method::ForkJoin`](crate::search::Method::ForkJoin) takes them all.
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

    /// Searches `position` until a limit is reached.
    ///
    /// With the default [`Reuse::Exact`](crate::search::Reuse::Exact), the value at a given depth is the same to the
    /// last bit whatever the algorithm, the table, the ordering, the number of threads and the schedule.
    ///
    /// # Errors
    /// When the options do not fit together, the depth is out of range, the system starts no more threads, or the game
    /// breaks its contract or panics.
    pub fn search(
        &self,
        position: &G::Position,
        limits: &Limits,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        self.search_with(position, limits, |_| {})
    }

    /// As [`search`](Searcher::search); `watch` sees every completed iteration. Its statistics are those of the
    /// calling thread alone while the search runs.
    ///
    /// # Errors
    /// As [`search`](Searcher::search).
    pub fn search_with(
        &self,
        position: &G::Position,
        limits: &Limits,
        watch: impl FnMut(&Iteration<G::Move>),
    ) -> Result<SearchResult<G::Move>, SearchError> {
        self.options.check()?;
        if !(1..=MAX_DEPTH).contains(&limits.depth) {
            return Err(SearchError::Depth { found: limits.depth });
        }
        let control = Control::new(limits);
        let task = Task {
            game: &self.game,
            evaluator: &self.evaluator,
            table: &self.table,
            options: &self.options,
            control: &control,
        };
        let depth = limits.depth as u8;
        let mut result = if self.options.splits() {
            search_as_team(task, &self.pool()?, position, depth, watch)?
        } else {
            let thread = Thread::new(control.started);
            catch(|| {
                run(&mut Worker::<Parties<G, E, T, Thread>>::new(task, thread, None), position, depth, watch)
            })?
        };
        match control.verdict() {
            Some(Err(error)) => return Err(error),
            Some(Ok(reason)) if result.depth < limits.depth => result.stopped_by = reason,
            _ => result.stopped_by = StopReason::Depth,
        }
        Ok(result)
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
