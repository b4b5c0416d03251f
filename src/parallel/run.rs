//! A whole search by a team: who leads, who helps, and what is added up in the end.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::fork_join;
use crate::parallel::pool::{Pool, catch};
use crate::parallel::record::{Activity, Record};
use crate::parallel::seat::Seat;
use crate::parallel::setup::{Parallel, Parties};
use crate::parallel::share::{serve, sleep_until_over, turn_to};
use crate::parallel::team::Team;
use crate::processor::{Processor, Thread};
use crate::search::{
    IterationOf, Method, PositionOf, ResultOf, SearchError, SearchResult, Setup, Stats, Task, Worker,
    WorkerStats, follow, run,
};
use crate::sync::Mutex;
use crate::table::Table;

/// Sends the helpers home when it goes out of scope, however that comes about: the scope waits for them.
struct Dismissal<'t, S: Setup>(&'t Team<S>);

impl<S: Setup> Drop for Dismissal<'_, S> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

/// The calling thread leads the search; the pool's threads help, in the way of the method.
pub(crate) fn search_as_team<G: Game, E: Evaluator<G>, T: Table>(
    task: Task<'_, Parties<G, E, T, Thread>>,
    pool: &Pool,
    position: &G::Position,
    depth: u8,
    watch: impl FnMut(&IterationOf<Parties<G, E, T, Thread>>),
) -> Result<ResultOf<Parties<G, E, T, Thread>>, SearchError> {
    let turn = pool.wait_for_turn(task.control);
    let (team, queues) = Team::new(task.options, pool);
    let mut seats = queues.into_iter().enumerate().map(|(index, queue)| {
        // Until their turn has come and they are awake, the leader too.
        Seat::new(team.clone(), queue, index, Record::new(Activity::Parked, task.options.timeline))
    });
    let leader = seats.next();
    // The pool's own threads do all the work of fork and join. Whose turn never came has no helpers.
    let wants_helpers = turn.is_some() && task.options.method != Method::ForkJoin;
    let helpers = Mutex::new(Vec::new());
    let thread = Thread::new(task.control.started);
    let led = pool.rayon().in_place_scope(|scope| {
        let _dismissal = Dismissal(&team);
        for seat in seats.filter(|_| wants_helpers) {
            let helpers = &helpers;
            scope.spawn(move |_| {
                let place = seat.index;
                let stats = help(task, thread, seat, position, depth);
                helpers.lock().push((place, stats));
            });
        }
        // Whoever still works under a split point of the leader's when it panics has to be told.
        catch(|| lead(task, thread, leader, position, depth, watch))
            .inspect_err(|error| task.control.fail(error.clone()))
    });
    // Before anything else: what jobs leave behind holds the team, and the team holds it, so that neither would go.
    let jobs = catch(|| fork_join::jobs_done(&team, task.options.timeline));
    // Tickets that a panic left in the queues are the last to hold their split points' positions, which may panic, too.
    let left = catch(|| drop(team));
    let (mut result, leader) = led?;
    let jobs = jobs?;
    left?;
    let mut helpers = helpers.into_inner();
    helpers.sort_by_key(|&(place, _)| place);
    let leader = leader.map(|(record, stats)| record.close(stats, thread.now()));
    let helpers = helpers.into_iter().map(|(_, stats)| stats);
    add_up(&mut result, leader.into_iter().chain(helpers).chain(jobs).collect());
    result.elapsed = task.control.started.elapsed();
    Ok(result)
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
    task: Task<'_, S>,
    processor: S::Processor,
    seat: Option<Seat<S>>,
    position: &PositionOf<S>,
    depth: u8,
    watch: impl FnMut(&IterationOf<S>),
) -> Led<S> {
    let mut worker = Worker::new(task, processor, seat);
    turn_to(&mut worker, Activity::Busy);
    let result = run(&mut worker, position, depth, watch);
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
