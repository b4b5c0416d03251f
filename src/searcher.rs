//! `Searcher`: the door through which engines and experiments search.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{Seat, Team, serve};
use crate::search::{
    Control, Iteration, Limits, MAX_DEPTH, Options, SearchError, SearchResult, StopReason, Worker, run,
};
use crate::table::Table;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A game, an evaluator and a table, ready to search positions.
///
/// The table is kept from one search to the next; it may be shared by handing over a reference or an `Arc`.
#[derive(Debug)]
pub struct Searcher<G, E, T> {
    game: G,
    evaluator: E,
    table: T,
    options: Options,
}

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// A searcher with the default options: Star2-TT on one thread.
    pub fn new(game: G, evaluator: E, table: T) -> Self {
        Searcher { game, evaluator, table, options: Options::default() }
    }

    /// The same searcher with other options.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Searcher { options, ..self }
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
        let mut result = if self.options.splits() {
            self.search_as_team(position, limits.depth as u8, &control, watch)?
        } else {
            catch(|| run(&mut self.worker(&control, None), position, limits.depth as u8, watch))?
        };
        match control.verdict() {
            Some(Err(error)) => return Err(error),
            Some(Ok(reason)) if result.depth < limits.depth => result.stopped_by = reason,
            _ => result.stopped_by = StopReason::Depth,
        }
        Ok(result)
    }

    fn worker<'a>(&'a self, control: &'a Control, seat: Option<Seat<'a, G, E>>) -> Worker<'a, G, E, T> {
        Worker::new(&self.game, &self.evaluator, &self.table, &self.options, control, seat)
    }

    /// The calling thread searches from the root; the others help wherever it splits.
    fn search_as_team(
        &self,
        position: &G::Position,
        depth: u8,
        control: &Control,
        watch: impl FnMut(&Iteration<G::Move>),
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let (team, queues) = Team::new(self.options.threads);
        let mut seats = queues.into_iter().enumerate().map(|(index, queue)| Seat::new(&team, queue, index));
        let leader_seat = seats.next();
        // A helper's error ends the search at once, and counts when the verdict is read.
        let help = |seat| {
            let served = catch(|| {
                let mut worker = self.worker(control, Some(seat));
                serve(&mut worker);
                worker.stats
            });
            served.inspect_err(|error| control.fail(error.clone())).unwrap_or_default()
        };
        std::thread::scope(|scope| {
            let dismissal = Dismissal(&team);
            let mut helpers = Vec::with_capacity(self.options.threads);
            for seat in seats {
                let helper = std::thread::Builder::new().stack_size(HELPER_STACK);
                let started = helper.spawn_scoped(scope, move || help(seat));
                helpers.push(started.map_err(|error| SearchError::Threads {
                    found: self.options.threads,
                    message: error.to_string(),
                })?);
            }
            let result = catch(|| run(&mut self.worker(control, leader_seat), position, depth, watch));
            if let Err(error) = &result {
                // Whoever still works under a split point of the leader's has to be told.
                control.fail(error.clone());
            }
            drop(dismissal);
            let mut result = result?;
            for helper in helpers {
                result.stats += helper.join().unwrap_or_default(); // a panic was caught and reported inside
            }
            Ok(result)
        })
    }
}

/// A helper's stack: room for the deepest search of positions of some kilobytes. It is reserved, not used.
const HELPER_STACK: usize = 16 << 20;

/// Sends the helpers home when it goes out of scope, however that comes about: the scope waits for them.
struct Dismissal<'a, G: Game, E: Evaluator<G>>(&'a Team<G, E>);

impl<G: Game, E: Evaluator<G>> Drop for Dismissal<'_, G, E> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

/// Runs a search, turning a panic of the game or the evaluator into an error. What the panic left behind is thrown
/// away with the worker; the table holds proven entries only, whatever happened.
fn catch<R>(search: impl FnOnce() -> R) -> Result<R, SearchError> {
    catch_unwind(AssertUnwindSafe(search))
        .map_err(|panic| SearchError::Panicked { message: message_of(&*panic) })
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
