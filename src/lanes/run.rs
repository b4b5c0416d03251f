//! A whole search in lanes: the calling thread's first lane leads, all others help.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::lanes::batch::{Batch, EvalQueueOf};
use crate::lanes::eval_queue::EvalQueue;
use crate::lanes::request::Answering;
use crate::lanes::thread::{Answers, Beside, Crowd, Lane, LaneProgram, run_lanes};
use crate::parallel::{
    Clocked, OnThreads, Parallel, ParallelProcessor, Pool, Record, STACK, Team, TeamSetup, Ticket, Wish,
    WorkerContext, add_up, check_room, is_in_a_pool, lead, on_own_thread, run_helper, stack_for,
};
use crate::processor::{Processor, Thread};
use crate::search::{
    BatchCounts, Control, Depth, Lanes, Options, PositionOf, ResultOf, SearchContext, SearchError, WatchOf,
    Worker, WorkerStats, catch,
};
use crate::sync::Mutex;
use crate::sync::deque::Worker as Queue;
use crate::table::Table;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

/// The setup of a search in lanes.
type InLanes<'s, G, E, T> = TeamSetup<G, E, T, Lane<'s, G, E>>;

impl<G: Game, E: Evaluator<G>> ParallelProcessor for Lane<'_, G, E> {}

/// How many times [`helpers_after`](crate::search::Splits::helpers_after) the calling thread's lanes search
/// without other threads. While one thread does not fill its batches, another one only adds calls. With an
/// evaluator of 5 microseconds a call, in six games, two threads from the start were slower than one in
/// searches of 1 to 3 milliseconds, and faster from 6 milliseconds up.
const ALONE: u32 = 8;

/// The statistics of each helping lane, with its index in the team.
type Helped = Mutex<Vec<(usize, WorkerStats)>>;

/// Searches in these lanes on each of `options.threads` threads; the others are called once the search has
/// lasted long enough.
pub(crate) fn search_in_lanes<G: Game, E: Evaluator<G>, T: Table>(
    search: SearchContext<'_, OnThreads<G, E, T>>,
    lanes: Lanes,
    pool: impl FnOnce() -> Result<Pool, SearchError>,
    position: &G::Position,
    depth: Depth,
    mut watch: WatchOf<'_, OnThreads<G, E, T>>,
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let pool = if search.options.threads > 1 { Some(pool()?) } else { None };
    if pool.is_none() || !is_in_a_pool() {
        return search_on_pool(search, lanes, pool.as_ref(), (position, depth), watch);
    }
    on_own_thread(STACK, search.control, &mut *watch, |watch| {
        search_on_pool(search, lanes, pool.as_ref(), (position, depth), Box::new(|told| watch(told)))
    })?
}

/// Searches on the calling thread, which is in no pool but this one.
fn search_on_pool<G: Game, E: Evaluator<G>, T: Table>(
    search: SearchContext<'_, OnThreads<G, E, T>>,
    lanes: Lanes,
    pool: Option<&Pool>,
    (position, depth): (&G::Position, Depth),
    watch: WatchOf<'_, OnThreads<G, E, T>>,
) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
    let stack = stack_for::<OnThreads<G, E, T>>(search.control, depth).max(STACK);
    let SearchContext { game, evaluator, table, options, control, root_moves, logs } = search;
    let (threads, workers) = (options.threads, options.threads * lanes.lanes);
    check_room(workers, stack).map_err(|error| refused((workers, stack), &error))?;
    let batch = |thread| Batch::new(lanes.batch, thread, lanes.lanes);
    let mut batches: Vec<_> = (0..threads).map(batch).collect();
    let evals = options.lanes.device.then(|| EvalQueue::new(threads));
    let device = Answering::new(game, evaluator);
    let (mut result, counts) = beside_device(evals.as_ref(), (lanes.batch, device, control), || {
        let search = SearchContext { game, evaluator, table, options, control, root_moves, logs };
        search_together(search, (pool, evals.as_ref(), stack), &mut batches, (position, depth), watch)
    })?;
    result.elapsed = control.started.elapsed();
    result.stats.batches.add(counts);
    result.lanes = lanes;
    Ok(result)
}

fn refused((lanes, stack): (usize, usize), error: &std::io::Error) -> SearchError {
    let message = format!("a stack of {} MiB for each: {error}", stack >> 20);
    SearchError::Refused { what: format!("{lanes} lanes"), message }
}

/// Runs `search` beside a device thread, if there is a queue. Returns the device's counts as well.
fn beside_device<G: Game, E: Evaluator<G>, R>(
    evals: Option<&EvalQueueOf<G, E>>,
    (cap, mut answering, control): (usize, Answering<'_, G, E>, &Control),
    search: impl FnOnce() -> Result<R, SearchError>,
) -> Result<(R, BatchCounts), SearchError> {
    let Some(evals) = evals else { return Ok((search()?, BatchCounts::default())) };
    std::thread::scope(|scope| {
        let serve = move || {
            evals.serve(cap, |requests| {
                answering.answer(requests).inspect_err(|error| control.fail(error.clone())).is_ok()
            });
            answering.counts()
        };
        let device = std::thread::Builder::new()
            .name("starsplit-device".to_owned())
            .spawn_scoped(scope, serve)
            .map_err(|error| SearchError::Refused {
                what: "a thread for the device".to_owned(),
                message: format!("to start it: {error}"),
            })?;
        // However the search ends, so does the device.
        let found = catch(search);
        evals.close();
        // The device catches the evaluator's panics.
        let counts = device.join().unwrap_or_default();
        Ok((found??, counts))
    })
}

/// A thread's batch, and its lanes' places in the team.
type Share<'s, G, E, T> = (&'s mut Batch<G, E>, Vec<LanePlace<InLanes<'s, G, E, T>>>);

/// A team, and each thread's share of it.
type Assembled<'s, G, E, T> = (Arc<Team<InLanes<'s, G, E, T>>>, Vec<Share<'s, G, E, T>>);

/// A team with a thread for each batch, and each thread's share of it, the calling thread's first.
fn assemble<'s, G: Game, E: Evaluator<G>, T: Table>(
    options: &Options,
    pool: Option<&Pool>,
    batches: &'s mut [Batch<G, E>],
) -> Assembled<'s, G, E, T> {
    let lanes = options.lanes.count.unwrap_or(1);
    let processors = pool.map_or(batches.len(), Pool::processors);
    let (team, queues) = Team::sleepless(options, (batches.len(), lanes), processors);
    let mut places = queues.into_iter().enumerate().map(|(index, queue)| LanePlace { index, queue });
    let shares = batches.iter_mut().map(|batch| (batch, places.by_ref().take(lanes).collect())).collect();
    (team, shares)
}

/// Searches on one thread for each batch; the first is the calling thread's.
fn search_together<'s, G: Game, E: Evaluator<G>, T: Table>(
    search: SearchContext<'_, InLanes<'s, G, E, T>>,
    (pool, evals, stack): (Option<&Pool>, Option<&EvalQueueOf<G, E>>, usize),
    batches: &'s mut [Batch<G, E>],
    (position, depth): (&G::Position, Depth),
    mut watch: WatchOf<'_, InLanes<'s, G, E, T>>,
) -> Result<ResultOf<InLanes<'s, G, E, T>>, SearchError> {
    let thread = Thread::new(search.control.started);
    let (team, mut shares) = assemble(search.options, pool, batches);
    let (own, mut helpers) = shares.remove(0);
    let (at_once, due) = beginning(search.options);
    let (helped, counted, led) = (Helped::default(), Mutex::new(BatchCounts::default()), RefCell::new(None));
    let wish = Mutex::new(Wish::default());
    let leader = helpers.remove(0).context(&team, search.options.telemetry.timeline);
    let all =
        Threads { search, evals, pool, wish: &wish, stack, team: &team, at_once, due, counted: &counted };
    let run_own = |call_others: &dyn Fn()| {
        let lead = |lane| {
            let watch = Box::new(|iteration: &_| {
                watch(iteration);
                call_others();
            });
            let found = catch(|| lead(Worker::new(search, lane, Some(leader)), position, depth, watch));
            *led.borrow_mut() = Some(found.inspect_err(|error| search.control.fail(error.clone())));
            team.terminate();
        };
        let helping = helping(search, &team, helpers, (position, depth), &helped);
        let programs = std::iter::once(Box::new(lead) as LaneProgram<'s, '_, G, E>).chain(helping).collect();
        // On an error the leader may never have started, and helpers would wait for it.
        catch(|| all.run(own, programs, call_others)).and_then(|ran| ran).inspect_err(|error| {
            search.control.fail(error.clone());
            team.terminate();
        })
    };
    let ran = match pool {
        None => run_own(&|| {}),
        Some(pool) => pool.rayon().in_place_scope(|scope| {
            let others = Cell::new(shares);
            let call_others = || all.call(scope, &others, (position, depth), &helped);
            call_others();
            run_own(&call_others)
        }),
    };
    // As on threads: dropping what a panic left in the deques may panic too.
    let left = catch(|| drop(team));
    let (mut result, leader) = found(search.control, (ran, led.into_inner()))?;
    left?;
    let wish = wish.into_inner();
    (result.had_helpers, result.waited) = (wish.is_granted(), wish.waited);
    add_up(&mut result, (leader, thread.now()), helped.into_inner(), Vec::new());
    result.stats.batches = counted.into_inner();
    Ok(result)
}

/// The leader's result, if its thread ran to the end.
fn found<L>(
    control: &Control,
    (ran, led): (Result<(), SearchError>, Option<Result<L, SearchError>>),
) -> Result<L, SearchError> {
    ran?;
    // A lane that lost its batch does not know the error; the control has it.
    let first = |own| control.verdict().and_then(Result::err).unwrap_or(own);
    led.expect("the leader's program was run to its end").map_err(first)
}

/// How many of a thread's lanes begin at once, and when the other threads are called, after the search began.
fn beginning(options: &Options) -> (usize, Duration) {
    // All begin at once if helpers search the whole tree, and so have work; and for a timeline, where each
    // worker has its place. With a device the others are called at once, because its calls serve all threads.
    if !options.method.splits() || options.telemetry.timeline > 0 {
        return (options.lanes.count.unwrap_or(1), Duration::ZERO);
    }
    let due = if options.lanes.device {
        Duration::ZERO
    } else {
        options.splits.helpers_after.saturating_mul(ALONE)
    };
    (1, due)
}

/// The state that the threads of a search in lanes share.
struct Threads<'c, 's, G: Game, E: Evaluator<G>, T: Table> {
    search: SearchContext<'c, InLanes<'s, G, E, T>>,
    evals: Option<&'c EvalQueueOf<G, E>>,
    team: &'c Arc<Team<InLanes<'s, G, E, T>>>,
    /// How many of a thread's lanes begin at once.
    at_once: usize,
    /// The pool, if there are several threads, and the search's wish for it.
    pool: Option<&'c Pool>,
    wish: &'c Mutex<Wish>,
    /// The stack of a lane.
    stack: usize,
    /// When the other threads are called, after the search began.
    due: Duration,
    /// The evaluations that the threads have made themselves.
    counted: &'c Mutex<BatchCounts>,
}

impl<'s, G: Game, E: Evaluator<G>, T: Table> Threads<'_, 's, G, E, T> {
    /// Runs a thread's programs. Calls `answered` after each batch that it evaluates.
    fn run(
        &self,
        batch: &'s Batch<G, E>,
        programs: Vec<LaneProgram<'s, '_, G, E>>,
        answered: &dyn Fn(),
    ) -> Result<(), SearchError> {
        let Threads { search, evals, team, at_once, pool, counted, stack, .. } = *self;
        let lanes = search.options.lanes.count.unwrap_or(1);
        let is_crowded = pool.is_some_and(|pool| team.size() / lanes > pool.processors());
        let mut answers = Answers::new(search.game, search.evaluator, evals);
        let sleep = || team.sleep(batch.thread() * lanes);
        let longest = team.idle_policy.longest_sleep;
        let crowd = is_crowded.then_some(Crowd { sleep: &sleep, longest });
        let thread = Thread::new(search.control.started);
        let beside = Beside { crowd, answered };
        let ran =
            run_lanes(search.control, &mut answers, batch, (thread, beside), (programs, at_once, stack));
        if let Answers::Own(answering) = answers {
            counted.lock().add(answering.counts());
        }
        ran.map_err(|error| refused((team.size(), stack), &error))
    }

    /// If it is time, and no other search has the pool, starts the helping lanes of each of these batches on
    /// other threads of the pool.
    fn call<'p>(
        &'p self,
        scope: &rayon::Scope<'p>,
        others: &Cell<Vec<Share<'s, G, E, T>>>,
        (position, depth): (&'p G::Position, Depth),
        helped: &'p Helped,
    ) where
        's: 'p,
    {
        let (elapsed, waiting) = (self.search.control.started.elapsed(), others.take());
        let is_wished = elapsed >= self.due && !waiting.is_empty();
        if !is_wished || !self.pool.is_some_and(|pool| self.wish.lock().grant(pool, elapsed)) {
            return others.set(waiting);
        }
        for (batch, places) in waiting {
            scope.spawn(move |_| {
                let programs = helping(self.search, self.team, places, (position, depth), helped);
                let ran = catch(|| self.run(batch, programs.collect(), &|| {}));
                ran.and_then(|ran| ran).unwrap_or_else(|error| self.search.control.fail(error));
            });
        }
    }
}

/// A worker's place in the team. Its lane may begin later or never.
struct LanePlace<S: Parallel> {
    index: usize,
    queue: Queue<Ticket<S>>,
}

impl<S: Parallel> LanePlace<S> {
    /// The context of the worker there; `room` is the greatest number of spans in its timeline.
    fn context(self, team: &Arc<Team<S>>, room: usize) -> WorkerContext<S> {
        let LanePlace { index, queue } = self;
        WorkerContext::new(team.clone(), queue, index, Record::new(Clocked::Parked, room))
    }
}

/// The programs of helping lanes. A lane that has not begun counts as idle, so that busy workers split for
/// it.
fn helping<'p, 's: 'p, G: Game, E: Evaluator<G>, T: Table>(
    search: SearchContext<'p, InLanes<'s, G, E, T>>,
    team: &'p Arc<Team<InLanes<'s, G, E, T>>>,
    places: Vec<LanePlace<InLanes<'s, G, E, T>>>,
    (position, depth): (&'p PositionOf<InLanes<'s, G, E, T>>, Depth),
    helped: &'p Helped,
) -> impl Iterator<Item = LaneProgram<'s, 'p, G, E>> {
    places.into_iter().map(move |place| {
        team.enter_idleness();
        Box::new(move |lane| {
            team.leave_idleness();
            let index = place.index;
            let context = place.context(team, search.options.telemetry.timeline);
            let stats = run_helper(search, lane, context, position, depth);
            helped.lock().push((index, stats));
        }) as LaneProgram<'s, 'p, G, E>
    })
}
