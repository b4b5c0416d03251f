//! A searcher that owns its table, for programs in other languages, which hold it by a handle.

use crate::Entry;
use crate::door::{Answer, AnySearcher, Asked, LeafPayload, SearcherMaker, Timed};
use crate::per_process::PerProcess;
use crate::plans::AnyPlan;
use crate::retired;
use arc_swap::ArcSwap;
use starsplit::Pool;
use starsplit::score::Grid;
use starsplit::search::{Expectation, Iteration, Limits, Options, RootOutcome, SearchError, StopFlag};
use starsplit::table::Table;
use starsplit_games::Invalid;
use starsplit_options::DECLARED;
use starsplit_planner::PlannerOptions;
use starsplit_tables::AnyTable;
use std::sync::{Arc, Mutex, PoisonError};

/// These options with another value of one, both as they stand on command lines. Whether they fit together is
/// not looked at: others may still change.
///
/// # Errors
/// When there is no such option, or no more, or it takes no such value.
pub fn with(options: &Options, name: &str, value: &str) -> Result<Options, Invalid> {
    let declared = DECLARED.iter().find(|declared| declared.flag == name);
    let declared = declared.ok_or_else(|| retired::unknown(name))?;
    let mut changed = options.clone();
    let set = declared.read(value).and_then(|value| declared.set(&mut changed, value));
    set.map_err(Invalid::from_error)?;
    Ok(changed)
}

/// The size of the table where nothing is said, in MiB.
pub const DEFAULT_TABLE_MIB: u64 = 64;

/// A game with an evaluator, its table, options, threads and stop flag. It may be used by several threads at
/// once.
#[derive(Debug)]
pub struct Session {
    maker: Box<dyn SearcherMaker>,
    grid: Grid,
    table: AnyTable,
    options: ArcSwap<Options>,
    /// Threads of parallel searches, once they are needed.
    pool: PerProcess<Mutex<Option<Pool>>>,
    /// How they are made, so many of them.
    make_pool: fn(usize) -> Result<Pool, SearchError>,
    stop: StopFlag,
}

impl Session {
    /// With a table of so many MiB, and so many threads.
    ///
    /// # Errors
    /// When there is no memory for the table, or the number of threads is none.
    pub fn new(maker: Box<dyn SearcherMaker>, table_mib: u64, threads: usize) -> Result<Self, Invalid> {
        let refused = |error| Invalid::from_error(format_args!("table_mib {table_mib}: {error}"));
        let table = AnyTable::of_mib(table_mib).map_err(refused)?;
        let options = Options { threads, ..Options::default() };
        options.check().map_err(Invalid::from_error)?;
        let grid = maker.searcher(&table, options.clone(), None).grid();
        let (options, pool) = (ArcSwap::from_pointee(options), PerProcess::default());
        let make_pool = Pool::new;
        Ok(Session { maker, grid, table, options, pool, make_pool, stop: StopFlag::new() })
    }

    /// The same with threads that are made in another way than by [`Pool::new`].
    #[must_use]
    pub fn with_pools(self, make_pool: fn(usize) -> Result<Pool, SearchError>) -> Self {
        Session { make_pool, ..self }
    }

    /// The options of searches that begin now.
    pub fn options(&self) -> Options {
        Options::clone(&self.options.load())
    }

    /// Gives an option of later searches a value, both as they stand on command lines.
    ///
    /// # Errors
    /// When there is no such option, or no more, or it takes no such value; the options stay as they are.
    pub fn set(&self, name: &str, value: &str) -> Result<(), Invalid> {
        loop {
            let before = self.options.load();
            let changed = with(&before, name, value)?;
            changed.check().map_err(Invalid::from_error)?;
            let seen = self.options.compare_and_swap(&before, Arc::new(changed));
            if Arc::ptr_eq(&seen, &before) {
                return Ok(());
            }
        }
    }

    /// Sets all options of later searches.
    ///
    /// # Errors
    /// When they do not fit together.
    pub fn set_options(&self, options: Options) -> Result<(), Invalid> {
        options.check().map_err(Invalid::from_error)?;
        self.options.store(Arc::new(options));
        Ok(())
    }

    /// The grid of the game's scores.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// A searcher with its table under any options, on the threads of `pool` if there is one.
    pub fn searcher(&self, options: Options, pool: Option<&Pool>) -> Box<dyn AnySearcher + '_> {
        self.maker.searcher(&self.table, options, pool)
    }

    /// Searches a position of its game with these options until a limit is reached or
    /// [`stop_flag`](Self::stop_flag) is raised; the flag of the limits is not looked at. `watch` is told
    /// every iteration.
    ///
    /// # Errors
    /// Whatever ends the search with an error, a [`SearchError`] among them.
    pub fn search(
        &self,
        position: &Entry,
        options: Options,
        asked: Asked<'_>,
        watch: &mut dyn FnMut(&Iteration<String, String>),
    ) -> anyhow::Result<Timed> {
        let pool = self.pool(options.threads)?;
        let searcher = self.searcher(options, pool.as_ref());
        let limits = asked.limits.clone().with_stop(self.stop.clone());
        searcher.search_with(position, Asked { limits: &limits, ..asked }, watch)
    }

    /// The outcomes of a chance node with their own values, within these limits.
    ///
    /// # Errors
    /// As [`AnySearcher::outcomes`].
    pub fn outcomes(
        &self,
        position: &Entry,
        limits: Limits,
    ) -> anyhow::Result<Vec<RootOutcome<String, String>>> {
        let options = self.options();
        let pool = self.pool(options.threads)?;
        let searcher = self.searcher(options, pool.as_ref());
        searcher.outcomes(position, &limits.with_stop(self.stop.clone()))
    }

    /// Searches a position, and then what the best play leads to, within these limits each; their flag is not
    /// looked at.
    ///
    /// # Errors
    /// As [`AnySearcher::expectation`].
    pub fn expectation(
        &self,
        position: &Entry,
        limits: Limits,
        payload: (usize, &mut LeafPayload<'_>),
    ) -> anyhow::Result<(Answer, Option<Expectation>)> {
        let options = self.options();
        let pool = self.pool(options.threads)?;
        let searcher = self.searcher(options, pool.as_ref());
        searcher.expectation(position, &limits.with_stop(self.stop.clone()), payload)
    }

    /// A plan to search a position to a depth by the work of sessions like this one, wherever they are.
    ///
    /// # Errors
    /// As [`SearcherMaker::plan`].
    pub fn plan(
        &self,
        position: &Entry,
        depth: u32,
        options: PlannerOptions,
    ) -> anyhow::Result<Box<dyn AnyPlan>> {
        self.maker.plan(position, depth, options)
    }

    /// Does a task of a plan of `root`, until it is done, a limit is reached or the stop flag is raised: both
    /// are lines.
    ///
    /// # Errors
    /// As [`AnySearcher::work`].
    pub fn work(&self, root: &Entry, task: &str, limits: Limits) -> anyhow::Result<String> {
        let options = self.options();
        let pool = self.pool(options.threads)?;
        let searcher = self.searcher(options, pool.as_ref());
        searcher.work(root, task, &limits.with_stop(self.stop.clone()))
    }

    /// Threads for so many, which are kept.
    fn pool(&self, threads: usize) -> Result<Option<Pool>, SearchError> {
        if threads == 1 {
            return Ok(None);
        }
        let mut pool = self.pool.get().lock().unwrap_or_else(PoisonError::into_inner);
        if pool.as_ref().is_none_or(|pool| pool.threads() != threads) {
            *pool = Some((self.make_pool)(threads)?);
        }
        Ok(pool.clone())
    }

    /// Forgets what the table has learnt.
    pub fn new_game(&self) {
        self.table.clear(self.options().threads);
    }

    /// Ends its searches while it is raised.
    pub fn stop_flag(&self) -> &StopFlag {
        &self.stop
    }
}
