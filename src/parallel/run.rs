//! A whole search by a team: who leads, who helps, and what is added up in the end.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::methods::fork_join;
use crate::parallel::scheduler::helper_call::{Summons, calls_at_once, may_call};
use crate::parallel::scheduler::pool::{Pool, catch};
use crate::parallel::scheduler::worker_context::Seat;
use crate::parallel::setup::{Parallel, Parties};
use crate::parallel::split::split_and_join::{serve, sleep_until_over, turn_to};
use crate::parallel::telemetry::record::{Activity, Record};
use crate::processor::{Processor, Thread};
use crate::search::{
    Deepening, IterationOf, Method, PositionOf, ResultOf, SearchError, SearchResult, Stacks, Stats, Task,
    Worker, WorkerStats, follow, run,
};
use crate::sync::{AtomicUsize, Mutex, Relaxed};
use crate::table::Table;

/// How often the leader looks whether the helpers have left before it sleeps until they have.
const LOOKS_AT_EXIT: u32 = 200;

/// A search on the threads of the machine.
type OnThreads<G, E, T> = Parties<G, E, T, Thread>;

/// The calling thread leads the search; the pool's threads help, in the way of the method, once they are called.
///
/// It begins as the serial search does, and has nothing to do with the pool before a search is worth it: of one that takes
/// twenty microseconds, what has to be got ready for helpers would be a tenth.
pub(crate) fn search_as_team<G: Game, E: Evaluator<G>, T: Table>(
    task: Task<'_, OnThreads<G, E, T>>,
    pool: impl FnOnce() -> Result<Pool, SearchError>,
    position: &G::Position,
    depth: u8,
    mut watch: impl FnMut(&IterationOf<OnThreads<G, E, T>>),
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let mut found = catch(|| {
        let thread = Thread::new(task.control.started);
        let mut worker = Worker::new(task, thread, None);
        let mut deepening = Deepening::new(&worker, position, depth);
        if deepening.go_on(&mut worker, &mut watch, |outlook| may_call(task.options, outlook)) {
            go_on_together(worker.into_stacks(), task, &pool()?, (position, depth), deepening, watch)
        } else {
            Ok(deepening.answer(&worker))
        }
    })??;
    found.elapsed = task.control.started.elapsed();
    Ok(found)
}

/// Searches the iterations that are left with helpers, once they are called.
fn go_on_together<G: Game, E: Evaluator<G>, T: Table>(
    stacks: Stacks<OnThreads<G, E, T>>,
    task: Task<'_, OnThreads<G, E, T>>,
    pool: &Pool,
    (position, depth): (&G::Position, u8),
    deepening: Deepening<'_, OnThreads<G, E, T>>,
    watch: impl FnMut(&IterationOf<OnThreads<G, E, T>>),
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let thread = Thread::new(task.control.started);
    let waited = thread.now();
    let turn = pool.wait_for_turn(task.control);
    let helpers = Helpers::default();
    let (led, team) = pool.rayon().in_place_scope(|scope| {
        let mut seat = |seats: Vec<Seat<_>>| {
            let helpers = &helpers;
            helpers.expected.store(seats.len(), Relaxed); // Relaxed: this thread's own.
            scope.spawn(move |scope| help_all(scope, task, thread, seats, (position, depth), helpers));
        };
        let mut summons = Summons::new(task.options, pool, (waited, thread.now()), &mut seat);
        // Whoever still works under a split point of the leader's when it panics has to be told.
        let led = catch(|| {
            lead_with(stacks, task, thread, turn.is_some().then_some(&mut summons), deepening, watch)
        })
        .inspect_err(|error| task.control.fail(error.clone()));
        let team = summons.dismiss();
        helpers.wait_awake(thread);
        (led, team)
    });
    let Some(team) = team else { return led.map(|(result, _)| result) }; // it was over before they were called
    // Before anything else: what jobs leave behind holds the team, and the team holds it, so that neither would go.
    let jobs = catch(|| fork_join::jobs_done(&team, task.options.timeline));
    // Tickets that a panic left in the queues are the last to hold their split points' positions, which may panic, too.
    let left = catch(|| drop(team));
    let (mut result, leader) = led?;
    let jobs = jobs?;
    left?;
    let leader = leader.map(|(record, stats)| record.close(stats, thread.now()));
    add_up(&mut result, leader.into_iter().chain(helpers.done()).chain(jobs).collect());
    Ok(result)
}

/// The helpers of a search on threads.
#[derive(Default)]
struct Helpers {
    /// What each did, with its place in the team, when it is done.
    done: Mutex<Vec<(usize, WorkerStats)>>,
    expected: AtomicUsize,
    left: AtomicUsize,
}

impl Helpers {
    /// Waits for a moment, awake, for those who are on their way out: to sleep until the last has left takes longer than
    /// they do.
    fn wait_awake(&self, thread: Thread) {
        // Relaxed: what they did is handed over by the lock, and by the scope's end.
        let expected = self.expected.load(Relaxed);
        (0..LOOKS_AT_EXIT)
            .take_while(|_| self.left.load(Relaxed) < expected)
            .for_each(|looks| thread.relax(looks));
    }

    /// What each did.
    fn done(self) -> impl Iterator<Item = WorkerStats> {
        let mut done = self.done.into_inner();
        done.sort_by_key(|&(place, _)| place);
        done.into_iter().map(|(_, stats)| stats)
    }
}

/// Takes the last of these seats, and has the pool's other threads take the others.
fn help_all<'s, S: Parallel<Processor = Thread> + 's>(
    scope: &rayon::Scope<'s>,
    task: Task<'s, S>,
    thread: Thread,
    mut seats: Vec<Seat<S>>,
    (position, depth): (&'s PositionOf<S>, u8),
    helpers: &'s Helpers,
) {
    let Some(seat) = seats.pop() else { return };
    if !seats.is_empty() {
        scope.spawn(move |scope| help_all(scope, task, thread, seats, (position, depth), helpers));
    }
    let place = seat.index;
    let stats = help(task, thread, seat, position, depth);
    helpers.done.lock().push((place, stats));
    helpers.left.fetch_add(1, Relaxed); // Relaxed: a hint for who waits awake.
}

/// Goes on with a search that the calling thread has begun; without a turn on the pool, alone.
fn lead_with<S: Parallel<Processor = Thread>>(
    stacks: Stacks<S>,
    task: Task<'_, S>,
    thread: Thread,
    summons: Option<&mut Summons<'_, S>>,
    mut deepening: Deepening<'_, S>,
    mut watch: impl FnMut(&IterationOf<S>),
) -> Led<S> {
    let mut worker = Worker::resume(task, thread, stacks);
    match summons {
        Some(summons) if calls_at_once(task.options) => worker.take_seat(summons.assemble()),
        Some(summons) => worker = worker.with_reserve(summons),
        None => {}
    }
    deepening.go_on(&mut worker, &mut watch, |_| false);
    let result = deepening.answer(&worker);
    with_record(result, worker)
}

/// Makes what all `workers` counted the result's.
pub(crate) fn add_up<M, O>(result: &mut SearchResult<M, O>, workers: Vec<WorkerStats>) {
    result.stats = Stats::default();
    for worker in &workers {
        result.stats += worker.stats;
    }
    result.workers = workers;
}

pub(crate) type Led<S> = (ResultOf<S>, Option<(Record, Stats)>);

/// Searches from the root; what the leader does afterwards is to wait for the others.
pub(crate) fn lead<S: Parallel>(
    mut worker: Worker<'_, S>,
    position: &PositionOf<S>,
    depth: u8,
    watch: impl FnMut(&IterationOf<S>),
) -> Led<S> {
    turn_to(&mut worker, Activity::Busy);
    let result = run(&mut worker, position, depth, watch);
    with_record(result, worker)
}

/// The result with the leader's record, if it has a seat.
fn with_record<S: Parallel>(result: ResultOf<S>, worker: Worker<'_, S>) -> Led<S> {
    let now = worker.processor.now();
    let stats = worker.stats;
    let record = worker.into_stacks().seat.map(|seat| {
        let mut record = seat.record;
        record.turn_to(Activity::Idle, now);
        (record, stats)
    });
    (result, record)
}

/// Helps the leader until it is done. An error ends the search at once, and counts when the verdict is read.
pub(crate) fn help<S: Parallel>(
    task: Task<'_, S>,
    processor: S::Processor,
    seat: Seat<S>,
    position: &PositionOf<S>,
    depth: u8,
) -> WorkerStats {
    let helped = catch(|| {
        let mut worker = Worker::new(task, processor, Some(seat));
        match task.options.method {
            Method::SharedTable | Method::Abdada => {
                turn_to(&mut worker, Activity::Busy);
                follow(&mut worker, position, depth);
                sleep_until_over(&mut worker);
            }
            _ => serve(&mut worker),
        }
        let (stats, now) = (worker.stats, worker.processor.now());
        worker.into_stacks().seat.map(|seat| seat.record.close(stats, now)).unwrap_or_default()
    });
    helped.inspect_err(|error| task.control.fail(error.clone())).unwrap_or_default()
}
