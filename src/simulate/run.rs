//! A whole search on virtual processors.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{
    Clocked, Parallel, ParallelProcessor, Record, STACK, Team, TeamSetup, WorkerContext, add_up, check_room,
    lead, run_helper, stack_for,
};
use crate::search::{
    Depth, Options, ResultOf, SearchContext, SearchError, SearchResult, WatchOf, Worker, catch,
};
use crate::simulate::call::VirtualCall;
use crate::simulate::costs::CostModel;
use crate::simulate::schedule::{End, Program, Schedule, Virtual};
use crate::table::Table;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// A machine to simulate. Its number of processors is the option `threads`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The costs of events.
    pub costs: CostModel,
    /// Selects one of the possible schedules: the order of processors with equal clocks.
    pub seed: u64,
}

/// The result and the cost of a simulated search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Simulated<M, O> {
    /// As in any search, but all times are virtual: of workers, of iterations, and in total.
    pub result: SearchResult<M, O>,
    /// The number of events.
    pub events: u64,
    /// The span of this search: its longest chain of work, which no number of processors would shorten. Tasks
    /// of a split point count as independent, although their results narrow each other's windows; stealing
    /// does not count. More processors split more, so the span becomes shorter. `None` where every worker
    /// searches the whole tree and learns of others only through the table.
    pub span: Option<Duration>,
}

impl<M, O> Simulated<M, O> {
    /// The same with the result as `map` makes it, such as in other words.
    pub fn map<N, P>(self, map: impl FnOnce(SearchResult<M, O>) -> SearchResult<N, P>) -> Simulated<N, P> {
        Simulated { result: map(self.result), events: self.events, span: self.span }
    }

    /// The work of this search: the time of all processors except stealing and waiting.
    pub fn work(&self) -> Duration {
        let busy = self.result.workers.iter().map(|worker| worker.times.busy).sum();
        if self.result.workers.is_empty() { self.result.elapsed } else { Duration::from_nanos(busy) }
    }
}

/// A result and the span of its search.
type SimulatedSearch<S> = (ResultOf<S>, Option<Duration>);

/// A team of `threads` workers, with their contexts, who are all awake from the beginning or called later.
fn assemble<S: Parallel>(options: &Options, is_called: bool) -> (Arc<Team<S>>, VecDeque<WorkerContext<S>>) {
    let (team, deques) = if is_called {
        Team::with_room(options)
    } else {
        Team::sleepless(options, (options.threads, 1), options.threads)
    };
    let context = |(index, deque)| {
        let first = if is_called && index == 0 { Clocked::Busy } else { Clocked::Parked };
        WorkerContext::new(team.clone(), deque, index, Record::new(first, options.telemetry.timeline))
    };
    let contexts = deques.into_iter().enumerate().map(context).collect();
    (team, contexts)
}

/// Runs every program on its own processor.
fn run_programs<'s: 'p, 'p>(
    schedule: &'s Schedule<'s>,
    programs: impl Iterator<Item = Program<'s, 'p>>,
    (processors, stack, awake): (usize, usize, usize),
) -> Result<End, SearchError> {
    check_room(processors, stack).and_then(|()| schedule.run((stack, awake), programs)).map_err(|error| {
        SearchError::Refused {
            what: format!("{processors} virtual processors"),
            message: format!("a stack of {} MiB for each: {error}", stack >> 20),
        }
    })
}

/// Searches on as many virtual processors as the options have threads. The programs are those of threads in
/// `parallel/run.rs`, or the serial search on one. The leader calls its helpers as there, unless waking them
/// costs nothing.
pub(crate) fn search_virtually<'s, G: Game, E: Evaluator<G>, T: Table>(
    search: SearchContext<'_, TeamSetup<G, E, T, Virtual<'s>>>,
    schedule: &'s Schedule<'s>,
    position: &G::Position,
    depth: Depth,
    watch: WatchOf<'_, TeamSetup<G, E, T, Virtual<'s>>>,
) -> Result<SimulatedSearch<TeamSetup<G, E, T, Virtual<'s>>>, SearchError> {
    let options = search.options;
    let is_called = options.threads > 1 && !schedule.costs().wakes_at_once();
    let (team, contexts) = options.is_parallel().then(|| assemble(options, is_called)).unzip();
    let mut contexts = contexts.unwrap_or_default();
    let leaders = contexts.pop_front();
    let (led, helped) = (RefCell::new(None), RefCell::new(Vec::new()));
    let leader = Box::new(|processor: Virtual<'s>| {
        let found = catch(|| {
            let worker = match leaders {
                Some(context) if is_called => Worker::new(search, processor, None)
                    .with_reserve(Box::new(VirtualCall::new(options, context))),
                context => Worker::new(search, processor, context),
            };
            lead(worker, position, depth, watch)
        });
        *led.borrow_mut() = Some(found.inspect_err(|error| search.control.fail(error.clone())));
        if let Some(team) = &team {
            team.terminate_by(|sleeper| processor.wake(team, sleeper));
        }
    });
    let helped = &helped;
    let helpers = contexts.into_iter().map(|context| {
        Box::new(move |processor| {
            let index = context.index;
            let stats = run_helper(search, processor, context, position, depth);
            helped.borrow_mut().push((index, stats));
        }) as Program<'s, '_>
    });
    let programs = std::iter::once(leader as Program<'s, '_>).chain(helpers);
    let stack = stack_for::<TeamSetup<G, E, T, Virtual<'s>>>(search.control, depth).max(STACK);
    let awake = if is_called { 1 } else { options.threads };
    let end = run_programs(schedule, programs, (options.threads, stack, awake))?;
    let has_chain = !options.is_parallel() || options.method.splits();
    // As on threads: dropping what a panic left in the deques may panic too.
    let left = catch(|| drop(team));
    let (mut result, leader) = led.into_inner().expect("the leader's program was run to its end")?;
    left?;
    if leader.is_some() {
        add_up(&mut result, (leader, end.time), helped.take(), Vec::new());
    }
    result.elapsed = Duration::from_nanos(end.time);
    Ok((result, has_chain.then(|| Duration::from_nanos(end.chain))))
}
