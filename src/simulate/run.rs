//! A whole search on virtual processors.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{
    Activity, Machine, Parties, Record, STACK, Seat, Team, add_up, catch, help, lead, look_for_room,
};
use crate::search::{IterationOf, Method, ResultOf, SearchError, SearchResult, Task, Worker};
use crate::simulate::costs::CostModel;
use crate::simulate::schedule::{Program, Schedule, Virtual};
use crate::table::Table;
use std::cell::RefCell;
use std::time::Duration;

/// A machine to simulate. How many processors it has is the options' number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// What events cost.
    pub costs: CostModel,
    /// Which of the schedules that are possible: who comes first of those whose clocks are the same.
    pub seed: u64,
}

/// What a simulated search found, and what it took.
#[derive(Clone, Debug)]
pub struct Simulated<M, O> {
    /// As of any search, but all times are virtual: those of the workers, of the iterations, and the elapsed one.
    pub result: SearchResult<M, O>,
    /// How many events were charged.
    pub events: u64,
    /// The span of this search: its longest chain of work, which no number of processors would have shortened. Shares of
    /// a split point count as independent of one another, though what they learn narrows each other's windows; stealing
    /// takes no part in it. With more processors more is split, and the span becomes shorter. `None` where workers search
    /// the whole tree each, and by the shared table alone learn of one another.
    pub span: Option<Duration>,
}

impl<M, O> Simulated<M, O> {
    /// The work of this search: what all its processors did but steal and wait.
    pub fn work(&self) -> Duration {
        let busy = self.result.workers.iter().map(|worker| worker.times.busy).sum();
        if self.result.workers.is_empty() { self.result.elapsed } else { Duration::from_nanos(busy) }
    }
}

// Without threads: no search by fork and join is simulated.
impl Machine for Virtual<'_> {}

/// A result and its search's span.
type Found<S> = (ResultOf<S>, Option<Duration>);

/// Searches on as many virtual processors as the options have threads. The workers' programs are those that threads
/// have in `parallel/run.rs`, and the serial search on one.
pub(crate) fn search_virtually<'s, G: Game, E: Evaluator<G>, T: Table>(
    task: Task<'_, Parties<G, E, T, Virtual<'s>>>,
    schedule: &'s Schedule<'s>,
    position: &G::Position,
    depth: u8,
    watch: impl FnMut(&IterationOf<Parties<G, E, T, Virtual<'s>>>),
) -> Result<Found<Parties<G, E, T, Virtual<'s>>>, SearchError> {
    let team = task.options.splits().then(|| Team::sleepless(task.options));
    let (team, queues) = team.map_or((None, Vec::new()), |(team, queues)| (Some(team), queues));
    let mut seats = queues.into_iter().enumerate().filter_map(|(index, queue)| {
        let record = Record::new(Activity::Parked, task.options.timeline);
        Some(Seat::new(team.clone()?, queue, index, record))
    });
    let leaders_seat = seats.next();
    let (led, helped) = (RefCell::new(None), RefCell::new(Vec::new()));
    let leader = Box::new(|processor| {
        let found = catch(|| lead(Worker::new(task, processor, leaders_seat), position, depth, watch));
        *led.borrow_mut() = Some(found.inspect_err(|error| task.control.fail(error.clone())));
        if let Some(team) = &team {
            team.dismiss();
        }
    });
    let helped = &helped;
    let helpers = seats.map(|seat| {
        Box::new(move |processor| {
            let place = seat.index;
            let stats = help(task, processor, seat, position, depth);
            helped.borrow_mut().push((place, stats));
        }) as Program<'s, '_>
    });
    let programs = std::iter::once(leader as Program<'s, '_>).chain(helpers);
    let end = look_for_room(task.options.threads).and_then(|()| schedule.run(programs)).map_err(|error| {
        SearchError::Stacks { found: task.options.threads, mib: STACK >> 20, message: error.to_string() }
    })?;
    let has_chain =
        team.as_ref().is_none_or(|team| !matches!(team.method, Method::SharedTable | Method::Abdada));
    // As on threads: what a panic left in the queues may panic, too.
    let left = catch(|| drop(team));
    let (mut result, leader) = led.into_inner().expect("the leader's program was run to its end")?;
    left?;
    let mut helped = helped.take();
    helped.sort_by_key(|&(place, _)| place);
    let leader = leader.map(|(record, stats)| record.close(stats, end.time));
    if leader.is_some() {
        add_up(&mut result, leader.into_iter().chain(helped.into_iter().map(|(_, stats)| stats)).collect());
    }
    result.elapsed = Duration::from_nanos(end.time);
    Ok((result, has_chain.then(|| Duration::from_nanos(end.chain))))
}
