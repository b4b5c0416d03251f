//! A whole search by a team: leader, helpers and totals.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::scheduler::helper_call::{HelperCall, halves, may_call};
use crate::parallel::scheduler::pool::{Pool, Wish, is_in_a_pool};
use crate::parallel::scheduler::team::Team;
use crate::parallel::scheduler::work_loop::help_until_over;
use crate::parallel::scheduler::worker_context::{Parallel, TeamSetup, WorkerContext};
use crate::parallel::split::fork_join;
use crate::parallel::stack::{STACK, on_own_thread, on_stack, stack_for};
use crate::parallel::telemetry::log::Clocked;
use crate::parallel::telemetry::record::Record;
use crate::processor::{Processor, Thread};
use crate::search::{
    Deepening, Depth, PositionOf, ResultOf, SearchContext, SearchError, SearchResult, Stats, WatchOf, Worker,
    WorkerStats, catch,
};
use crate::sync::{AtomicUsize, Mutex, Relaxed};
use crate::table::Table;
use std::sync::{Arc, OnceLock};

/// How often the leader checks whether the helpers have left before it sleeps.
const LOOKS_AT_EXIT: u32 = 200;

/// A search on real threads.
pub(crate) type OnThreads<G, E, T> = TeamSetup<G, E, T, Thread>;

/// Searches with the calling thread as the leader. The pool's threads help, as the method says, once they are
/// called.
///
/// It begins as the serial search and ignores the pool until helpers may pay: for a search of twenty
/// microseconds the preparations would cost a tenth.
pub(crate) fn search_on_threads<G: Game, E: Evaluator<G>, T: Table>(
    search: SearchContext<'_, OnThreads<G, E, T>>,
    pool: impl FnOnce() -> Result<Pool, SearchError>,
    position: &G::Position,
    depth: Depth,
    mut watch: WatchOf<'_, OnThreads<G, E, T>>,
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let mut found = catch(|| {
        let mut worker = Worker::new(search, Thread::new(search.control.started), None);
        let mut deepening = Deepening::new(&worker, position, depth);
        if !deepening.go_on(&mut worker, &mut watch, &|outlook| may_call(search.options, outlook)) {
            return Ok(deepening.answer(&worker));
        }
        let (pool, goal) = (pool()?, (position, depth));
        if !is_in_a_pool() {
            return go_on_together(worker, &pool, goal, deepening, watch);
        }
        let stack = stack_for::<OnThreads<G, E, T>>(search.control, depth);
        on_own_thread(stack, search.control, &mut *watch, |watch| {
            go_on_together(worker, &pool, goal, deepening, Box::new(|told| watch(told)))
        })?
    })??;
    found.elapsed = search.control.started.elapsed();
    Ok(found)
}

/// Searches the remaining iterations, with helpers once they are called.
fn go_on_together<'a, G: Game, E: Evaluator<G>, T: Table>(
    worker: Worker<'a, OnThreads<G, E, T>>,
    pool: &Pool,
    (position, depth): (&G::Position, Depth),
    mut deepening: Deepening<'_, OnThreads<G, E, T>>,
    mut watch: WatchOf<'_, OnThreads<G, E, T>>,
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let (search, thread): (SearchContext<'a, _>, _) = (worker.search_context(), worker.processor);
    let stack = stack_for::<OnThreads<G, E, T>>(search.control, depth);
    let (mut wish, team, helpers) = (Wish::default(), OnceLock::new(), Helpers::default());
    let led = pool.rayon().in_place_scope(|scope| {
        let helpers = &helpers;
        let start = |contexts: Vec<WorkerContext<_>>| {
            helpers.expected.store(contexts.len(), Relaxed); // Relaxed: this thread's own.
            scope.spawn(move |scope| help_all(scope, search, thread, contexts, (position, depth), helpers));
        };
        let call = HelperCall::new(search.options, (pool, stack), &mut wish, &team, start);
        // Catches a panic here, to halt helpers still working under the leader's split points.
        let led = catch(|| {
            let mut worker = worker.with_reserve(Box::new(call));
            deepening.go_on(&mut worker, &mut watch, &|_| false);
            with_record(deepening.answer(&worker), worker)
        })
        .inspect_err(|error| search.control.fail(error.clone()));
        team.get().into_iter().for_each(|team: &Arc<Team<_>>| team.terminate());
        helpers.wait_awake(thread);
        led
    });
    let team = team.into_inner();
    let has_jobs = team.as_ref().is_some_and(|team| team.jobs.is_some()) && search.options.threads > 1;
    let had_helpers = has_jobs || helpers.expected.load(Relaxed) > 0; // Relaxed: this thread's own.
    let waited = wish.waited;
    drop(wish); // The turn passes on.
    let led = led.map(|(result, leader)| (SearchResult { waited, had_helpers, ..result }, leader));
    // Without a team, the search ended before helpers came.
    let Some(team) = team else { return led.map(|(result, _)| result) };
    // First of all: the leftovers of jobs hold the team, and the team holds them, so neither would be freed.
    let jobs = catch(|| fork_join::jobs_done(&team, search.options.telemetry.timeline));
    // After a panic, tickets in the deques may be the last owners of positions, and dropping these may panic.
    let left = catch(|| drop(team));
    let (mut result, leader) = led?;
    let jobs = jobs?;
    left?;
    add_up(&mut result, (leader, thread.now()), helpers.done.into_inner(), jobs);
    Ok(result)
}

/// The helpers of a search on threads.
#[derive(Default)]
struct Helpers {
    /// The statistics of each finished helper, after its index in the team.
    done: Mutex<Vec<(usize, WorkerStats)>>,
    expected: AtomicUsize,
    left: AtomicUsize,
}

impl Helpers {
    /// Spins briefly while the last helpers leave. Sleeping until then would take longer.
    fn wait_awake(&self, thread: Thread) {
        // Relaxed: the lock and the scope's end hand over the results.
        let expected = self.expected.load(Relaxed);
        (0..LOOKS_AT_EXIT)
            .take_while(|_| self.left.load(Relaxed) < expected)
            .for_each(|looks| thread.relax(looks));
    }
}

/// Helps with the last of these contexts, and spawns a job for each half of the others.
fn help_all<'s, S: Parallel<Processor = Thread> + 's>(
    scope: &rayon::Scope<'s>,
    search: SearchContext<'s, S>,
    thread: Thread,
    mut contexts: Vec<WorkerContext<S>>,
    (position, depth): (&'s PositionOf<S>, Depth),
    helpers: &'s Helpers,
) {
    let Some(context) = contexts.pop() else { return };
    for part in halves(contexts.len()) {
        let part = contexts.split_off(contexts.len() - part);
        scope.spawn(move |scope| help_all(scope, search, thread, part, (position, depth), helpers));
    }
    let (index, stack) = (context.index, stack_for::<S>(search.control, depth));
    let stats = on_stack((stack, STACK), search.control, &mut |()| {}, |_| {
        run_helper(search, thread, context, position, depth)
    });
    let stats = stats.inspect_err(|error| search.control.fail(error.clone()));
    helpers.done.lock().push((index, stats.unwrap_or_default()));
    helpers.left.fetch_add(1, Relaxed); // Relaxed: a hint for `wait_awake`.
}

/// Adds all workers' counts to the result: the leader's until now, if it had a team, the helpers' by index,
/// and the jobs'.
pub(crate) fn add_up<M, O>(
    result: &mut SearchResult<M, O>,
    (leader, now): (Option<(Record, Stats)>, u64),
    helped: Vec<(usize, WorkerStats)>,
    jobs: Vec<WorkerStats>,
) {
    let leader = leader.map(|(record, stats)| record.close(stats, now));
    result.workers = in_order(leader, helped, jobs);
    result.stats = Stats::default();
    for worker in &result.workers {
        result.stats += worker.stats;
    }
}

/// The workers' statistics, the leader's first. A function of its own, to be compiled once.
fn in_order(
    leader: Option<WorkerStats>,
    mut helped: Vec<(usize, WorkerStats)>,
    jobs: Vec<WorkerStats>,
) -> Vec<WorkerStats> {
    helped.sort_by_key(|&(index, _)| index);
    let helped = helped.into_iter().map(|(_, stats)| stats);
    leader.into_iter().chain(helped).chain(jobs).collect()
}

pub(crate) type Led<S> = (ResultOf<S>, Option<(Record, Stats)>);

/// Searches from the root as the leader. Afterwards the leader only waits for the others.
#[cfg(any(feature = "simulate", feature = "lanes"))]
pub(crate) fn lead<S: Parallel>(
    mut worker: Worker<'_, S>,
    position: &PositionOf<S>,
    depth: Depth,
    watch: WatchOf<'_, S>,
) -> Led<S> {
    if worker.team_link.peers.is_some() {
        // A serial search records no times.
        crate::parallel::scheduler::worker_context::turn_to(&mut worker, Clocked::Busy);
    }
    let result = crate::search::run(&mut worker, position, depth, watch);
    with_record(result, worker)
}

/// The result and, if the worker is part of a team, its record. A search may end before helpers are called.
fn with_record<S: Parallel>(result: ResultOf<S>, worker: Worker<'_, S>) -> Led<S> {
    let now = worker.processor.now();
    let stats = worker.stats;
    let record = worker.team_link.peers.map(|context| {
        let mut record = context.record;
        record.turn_to(Clocked::Idle, now);
        (record, stats)
    });
    (result, record)
}

/// Helps the leader until the search is over. An error ends the search at once and is reported as its result.
pub(crate) fn run_helper<S: Parallel>(
    search: SearchContext<'_, S>,
    processor: S::Processor,
    context: WorkerContext<S>,
    position: &PositionOf<S>,
    depth: Depth,
) -> WorkerStats {
    let helped = catch(|| {
        let mut worker = Worker::new(search, processor, Some(context));
        help_until_over(&mut worker, position, depth);
        let (stats, now) = (worker.stats, worker.processor.now());
        let context = worker.team_link.peers.expect("it came with one");
        context.record.close(stats, now)
    });
    helped.inspect_err(|error| search.control.fail(error.clone())).unwrap_or_default()
}
