//! A whole search by a team: who leads, who helps, and what is added up in the end.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::methods::{ParallelMethod, dispatch, fork_join};
use crate::parallel::scheduler::helper_call::{HelperCall, calls_at_once, may_call};
use crate::parallel::scheduler::pool::{Pool, catch};
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::{Parallel, TeamSetup};
use crate::parallel::telemetry::log::Clocked;
use crate::parallel::telemetry::record::Record;
use crate::processor::{Processor, Thread};
use crate::search::{
    Deepening, Depth, IterationOf, PositionOf, ResultOf, SearchContext, SearchError, SearchResult, Stacks,
    Stats, Worker, WorkerStats,
};
use crate::sync::{AtomicUsize, Mutex, Relaxed};
use crate::table::Table;

/// How often the leader looks whether the helpers have left before it sleeps until they have.
const LOOKS_AT_EXIT: u32 = 200;

/// A search on the threads of the machine.
type OnThreads<G, E, T> = TeamSetup<G, E, T, Thread>;

/// The calling thread leads the search; the pool's threads help, in the way of the method, once they are
/// called.
///
/// It begins as the serial search does, and has nothing to do with the pool before a search is worth it: of
/// one that takes twenty microseconds, what has to be got ready for helpers would be a tenth.
pub(crate) fn search_as_team<G: Game, E: Evaluator<G>, T: Table>(
    search: SearchContext<'_, OnThreads<G, E, T>>,
    pool: impl FnOnce() -> Result<Pool, SearchError>,
    position: &G::Position,
    depth: Depth,
    mut watch: impl FnMut(&IterationOf<OnThreads<G, E, T>>),
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let mut found = catch(|| {
        let thread = Thread::new(search.control.started);
        let mut worker = Worker::new(search, thread, None);
        let mut deepening = Deepening::new(&worker, position, depth);
        if deepening.go_on(&mut worker, &mut watch, |outlook| may_call(search.options, outlook)) {
            go_on_together(worker.into_stacks(), search, &pool()?, (position, depth), deepening, watch)
        } else {
            Ok(deepening.answer(&worker))
        }
    })??;
    found.elapsed = search.control.started.elapsed();
    Ok(found)
}

/// Searches the iterations that are left with helpers, once they are called.
fn go_on_together<G: Game, E: Evaluator<G>, T: Table>(
    stacks: Stacks<OnThreads<G, E, T>>,
    search: SearchContext<'_, OnThreads<G, E, T>>,
    pool: &Pool,
    (position, depth): (&G::Position, Depth),
    mut deepening: Deepening<'_, OnThreads<G, E, T>>,
    mut watch: impl FnMut(&IterationOf<OnThreads<G, E, T>>),
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let thread = Thread::new(search.control.started);
    let waited = thread.now();
    let turn = pool.wait_for_turn(search.control);
    let helpers = Helpers::default();
    let (led, team) = pool.rayon().in_place_scope(|scope| {
        let mut start = |contexts: Vec<WorkerContext<_>>| {
            let helpers = &helpers;
            helpers.expected.store(contexts.len(), Relaxed); // Relaxed: this thread's own.
            scope.spawn(move |scope| help_all(scope, search, thread, contexts, (position, depth), helpers));
        };
        let mut call = HelperCall::new(search.options, pool, (waited, thread.now()), &mut start);
        // Whoever still works under a split point of the leader's when it panics has to be told.
        let led = catch(|| {
            let mut worker = Worker::resume(search, thread, stacks);
            match calls_at_once(search.options) {
                _ if turn.is_none() => {} // it goes on alone
                true => worker.join_peers(call.assemble()),
                false => worker = worker.with_reserve(&mut call),
            }
            deepening.go_on(&mut worker, &mut watch, |_| false);
            with_record(deepening.answer(&worker), worker)
        })
        .inspect_err(|error| search.control.fail(error.clone()));
        let team = call.terminate();
        helpers.wait_awake(thread);
        (led, team)
    });
    // Without a team it was over before they were called.
    let Some(team) = team else { return led.map(|(result, _)| result) };
    // Before anything else: what jobs leave behind holds the team, and the team holds it, so that neither
    // would go.
    let jobs = catch(|| fork_join::jobs_done(&team, search.options.timeline));
    // Tickets that a panic left in the queues are the last to hold their split points' positions, which may
    // panic, too.
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
    /// What each did, with its index in the team, when it is done.
    done: Mutex<Vec<(usize, WorkerStats)>>,
    expected: AtomicUsize,
    left: AtomicUsize,
}

impl Helpers {
    /// Waits for a moment, awake, for those who are on their way out: to sleep until the last has left takes
    /// longer than they do.
    fn wait_awake(&self, thread: Thread) {
        // Relaxed: what they did is handed over by the lock, and by the scope's end.
        let expected = self.expected.load(Relaxed);
        (0..LOOKS_AT_EXIT)
            .take_while(|_| self.left.load(Relaxed) < expected)
            .for_each(|looks| thread.relax(looks));
    }
}

/// Helps with the last of these contexts, and has the pool's other threads help with the others.
fn help_all<'s, S: Parallel<Processor = Thread> + 's>(
    scope: &rayon::Scope<'s>,
    search: SearchContext<'s, S>,
    thread: Thread,
    mut contexts: Vec<WorkerContext<S>>,
    (position, depth): (&'s PositionOf<S>, Depth),
    helpers: &'s Helpers,
) {
    let Some(context) = contexts.pop() else { return };
    if !contexts.is_empty() {
        scope.spawn(move |scope| help_all(scope, search, thread, contexts, (position, depth), helpers));
    }
    let index = context.index;
    let stats = help(search, thread, context, position, depth);
    helpers.done.lock().push((index, stats));
    helpers.left.fetch_add(1, Relaxed); // Relaxed: a hint for who waits awake.
}

/// Makes what all workers counted the result's: the leader until now, if it had a team, the helpers in the
/// order of their indices, and jobs.
pub(crate) fn add_up<M, O>(
    result: &mut SearchResult<M, O>,
    (leader, now): (Option<(Record, Stats)>, u64),
    mut helped: Vec<(usize, WorkerStats)>,
    jobs: Vec<WorkerStats>,
) {
    helped.sort_by_key(|&(index, _)| index);
    let leader = leader.map(|(record, stats)| record.close(stats, now));
    let helped = helped.into_iter().map(|(_, stats)| stats);
    result.workers = leader.into_iter().chain(helped).chain(jobs).collect();
    result.stats = Stats::default();
    for worker in &result.workers {
        result.stats += worker.stats;
    }
}

pub(crate) type Led<S> = (ResultOf<S>, Option<(Record, Stats)>);

/// Searches from the root; what the leader does afterwards is to wait for the others.
#[cfg(any(feature = "simulate", feature = "lanes"))]
pub(crate) fn lead<S: Parallel>(
    mut worker: Worker<'_, S>,
    position: &PositionOf<S>,
    depth: Depth,
    watch: impl FnMut(&IterationOf<S>),
) -> Led<S> {
    if worker.ties.peers.is_some() {
        // No serial search is clocked.
        crate::parallel::scheduler::worker_context::turn_to(&mut worker, Clocked::Busy);
    }
    let result = crate::search::run(&mut worker, position, depth, watch);
    with_record(result, worker)
}

/// The result with the leader's record, if it is part of a team: a search may be over before anybody was
/// called.
fn with_record<S: Parallel>(result: ResultOf<S>, worker: Worker<'_, S>) -> Led<S> {
    let now = worker.processor.now();
    let stats = worker.stats;
    let record = worker.into_stacks().peers.map(|context| {
        let mut record = context.record;
        record.turn_to(Clocked::Idle, now);
        (record, stats)
    });
    (result, record)
}

/// Helps the leader until it is done. An error ends the search at once, and counts when the verdict is read.
pub(crate) fn help<S: Parallel>(
    search: SearchContext<'_, S>,
    processor: S::Processor,
    context: WorkerContext<S>,
    position: &PositionOf<S>,
    depth: Depth,
) -> WorkerStats {
    let helped = catch(|| {
        let mut worker = Worker::new(search, processor, Some(context));
        dispatch!(search.options.method, M => M::help(&mut worker, position, depth));
        let (stats, now) = (worker.stats, worker.processor.now());
        let context = worker.into_stacks().peers.expect("it came with one");
        context.record.close(stats, now)
    });
    helped.inspect_err(|error| search.control.fail(error.clone())).unwrap_or_default()
}
