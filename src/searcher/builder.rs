//! How to build a searcher, and what can go wrong.

use super::Searcher;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{OF_CALLER, Pool};
use crate::search::{
    Algorithm, Limits, Options, SearchError, StopFlag, catch, check_limits, check_move_slots,
};
use crate::sync::Mutex;
use crate::table::{LocklessTable, Table, TableError};
use std::fmt;

/// The default size of the table, in MiB.
const DEFAULT_TABLE_MIB: u64 = 64;

/// Builds a [`Searcher`]. Defaults: Star2-TT on one thread, a lockless table of 64 MiB, and
/// [one second](Limits::default) a search.
///
/// # Examples
/// ```
/// # #[path = "../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use starsplit::Searcher;
/// use starsplit::evaluator::Constant;
/// use starsplit::game::Step;
/// use starsplit::search::Limits;
/// use pig::under_way;
///
/// let (game, position) = under_way(); // `examples/pig.rs`, where a choice between moves is next
/// let searcher = Searcher::builder(game, Constant::default())
///     .threads(2)
///     .table_mib(16)
///     .limits(Limits::depth(6))
///     .build()?;
/// let result = searcher.search(&position)?;
///
/// let best = result.best_move.expect("a decision has one");
/// assert_eq!(result.pv[0], Step::Move(best));
/// # Ok(())
/// # }
/// ```
#[must_use = "a builder does nothing until `build` is called"]
pub struct SearcherBuilder<G: Game, E, T = LocklessTable> {
    game: G,
    evaluator: E,
    table: TableSource<T>,
    options: Options,
    /// `None`: as many as the pool has, or one without a pool.
    threads: Option<usize>,
    pool: Option<Pool>,
    limits: Limits,
}

/// Where the table comes from.
#[derive(Debug)]
enum TableSource<T> {
    Given(T),
    OfSize { mib: u64, make: fn(u64) -> Result<T, TableError> },
}

/// A table of the library's own, which `build` allocates.
fn of_size(mib: u64) -> TableSource<LocklessTable> {
    TableSource::OfSize { mib, make: LocklessTable::new }
}

impl<G: Game, E: Evaluator<G>> Searcher<G, E, LocklessTable> {
    /// Starts a searcher for this game and evaluator.
    pub fn builder(game: G, evaluator: E) -> SearcherBuilder<G, E> {
        SearcherBuilder {
            game,
            evaluator,
            table: of_size(DEFAULT_TABLE_MIB),
            options: Options::default(),
            threads: None,
            pool: None,
            limits: Limits::default(),
        }
    }
}

impl<G: Game, E: Evaluator<G>, T: Table> SearcherBuilder<G, E, T> {
    /// Searches with this many threads, the calling one included. Without a [`pool`](SearcherBuilder::pool)
    /// the searcher has threads of its own.
    pub fn threads(self, threads: usize) -> Self {
        SearcherBuilder { threads: Some(threads), ..self }
    }

    /// Searches on the threads of this pool, which other searchers may share: on all of them, unless
    /// [`threads`](SearcherBuilder::threads) says otherwise.
    pub fn pool(self, pool: Pool) -> Self {
        SearcherBuilder { pool: Some(pool), ..self }
    }

    /// Uses this table. A reference or an `Arc` shares it.
    pub fn table<U: Table>(self, table: U) -> SearcherBuilder<G, E, U> {
        self.with_source(TableSource::Given(table))
    }

    /// Uses a [`LocklessTable`] of `mib` MiB of the searcher's own.
    pub fn table_mib(self, mib: u64) -> SearcherBuilder<G, E, LocklessTable> {
        self.with_source(of_size(mib))
    }

    /// Searches by this algorithm.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.options.algorithm = algorithm;
        self
    }

    /// Replaces all options, the number of threads among them. Later calls change single options.
    pub fn options(self, options: Options) -> Self {
        SearcherBuilder { threads: Some(options.threads), options, ..self }
    }

    /// Limits every [`Searcher::search`].
    pub fn limits(self, limits: Limits) -> Self {
        SearcherBuilder { limits, ..self }
    }

    /// Checks that the parts fit together, allocates the table and starts the threads.
    ///
    /// # Errors
    /// [`BuildError`] names the part that does not fit, or what the system refused.
    pub fn build(self) -> Result<Searcher<G, E, T>, BuildError> {
        catch(move || self.checked())?
    }

    fn checked(self) -> Result<Searcher<G, E, T>, BuildError> {
        let of_pool = self.pool.as_ref().map(Pool::threads);
        let threads = self.threads.or(of_pool).unwrap_or(1);
        let options = Options { threads, ..self.options };
        options.check_for(&self.game).map_err(SearchError::Options)?;
        check_limits(&self.limits)?;
        check_move_slots(self.game.facts().move_slots)?;
        let pool = match (self.pool, of_pool) {
            (_, Some(has)) if has < threads => return Err(BuildError::Pool { has, threads }),
            (None, _) if options.is_parallel() => Some(Pool::new(threads)?),
            (pool, _) => pool,
        };
        let table = match self.table {
            TableSource::Given(table) => table,
            TableSource::OfSize { mib, make } => make(mib)?,
        };
        Ok(Searcher {
            game: self.game,
            evaluator: self.evaluator,
            table,
            options,
            limits: self.limits,
            stop: StopFlag::new(),
            pool: Mutex::new(pool),
            caller_stack: OF_CALLER,
        })
    }
}

impl<G: Game, E, T> SearcherBuilder<G, E, T> {
    fn with_source<U>(self, table: TableSource<U>) -> SearcherBuilder<G, E, U> {
        let SearcherBuilder { game, evaluator, options, threads, pool, limits, .. } = self;
        SearcherBuilder { game, evaluator, table, options, threads, pool, limits }
    }
}

impl<G: Game, E, T> fmt::Debug for SearcherBuilder<G, E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearcherBuilder { options, limits, .. } = self;
        f.debug_struct("SearcherBuilder")
            .field("options", options)
            .field("limits", limits)
            .finish_non_exhaustive()
    }
}

/// Why a searcher could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The options do not fit together, the depth is out of range, the game has too many move slots, or the
    /// system cannot start this many threads. Every search would end with this error.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The table could not be allocated.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The pool has fewer threads than a search needs.
    #[error("a pool of {has} threads for searches with {threads}: expected at least {threads}")]
    Pool {
        /// The pool's threads.
        has: usize,
        /// The threads asked for.
        threads: usize,
    },
}
