//! Virtual processors: coroutines on one thread, each with its own clock. The one furthest behind always
//! runs.
//!
//! Shared data is touched in the order of virtual time: before a worker touches any, processors whose clocks
//! are behind run first. What a worker does alone, such as evaluating leaves, only moves its clock; no other
//! worker can tell when it was done. A processor that sleeps runs again when it is woken, or when its sleep
//! is over.
//!
//! A worker that finds no work looks again a moment later. Where a node takes as long as very many looks, the
//! simulation spends a long time on them. So limits and stop flags are also checked here, and once the search
//! is over an idle worker lets all others run at once.

use crate::coroutines::{self, CoroutineHandle, Coroutines};
use crate::evaluator::{Evaluator, mix64};
use crate::game::Game;
use crate::parallel::{JoinLatch, ParallelProcessor, Team};
use crate::processor::{Evaluates, Event, Processor};
use crate::search::{Control, Setup};
use crate::simulate::costs::CostModel;
use crate::sync::{AtomicU64, Relaxed};
use crate::time::Instant;
use corosensei::CoroutineResult;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::time::Duration;

/// The failed looks, by all workers, between two checks of the limits: some 100 microseconds of real time.
const BETWEEN_CHECKS: u32 = 1024;

/// The clocks of the virtual processors. The fields are those of the running one, unless they say otherwise.
pub(crate) struct Schedule<'c> {
    costs: CostModel,
    control: &'c Control,
    /// Its clock.
    now: Cell<u64>,
    /// The least clock of the others.
    earliest: Cell<u64>,
    events: Cell<u64>,
    /// The longest chain of work that ends here.
    chain: Cell<u64>,
    seed: u64,
    /// The greatest clock of any processor so far.
    latest: Cell<u64>,
    /// The failed looks left until the next check of the limits.
    until_check: Cell<u32>,
    /// The turns to come, and those that are no more: see [`Place`].
    turns: RefCell<BinaryHeap<Turn>>,
    /// By processor.
    places: RefCell<Vec<Place>>,
    /// Until when it sleeps, if it gives way for that.
    sleeps_until: Cell<Option<u64>>,
}

/// When a processor runs next: only its turn at that time counts. Never, while it runs and after its end.
#[derive(Clone, Copy, Debug)]
struct Place {
    due: u64,
    is_asleep: bool,
}

/// The longest chains of work that lead to a split point and through it.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    begins: u64,
    /// Atomic only since workers' contexts may be sent to other threads; all processors are on one.
    ends: AtomicU64,
}

/// The ends of the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// When the last program ended.
    pub(super) time: u64,
    /// The longest chain of work that ends with the first program.
    pub(super) chain: u64,
}

/// A processor's clock, its lot, and its index; the least is next.
type Turn = Reverse<(u64, u32, usize)>;

/// The program of a virtual processor.
pub(super) type Program<'s, 'p> = Box<dyn FnOnce(Virtual<'s>) + 'p>;

impl<'c> Schedule<'c> {
    /// A schedule at time 0. `seed` decides the order of processors with equal clocks.
    pub(crate) fn new(costs: CostModel, seed: u64, control: &'c Control) -> Self {
        let zero = || Cell::new(0);
        let (earliest, until_check) = (Cell::new(u64::MAX), Cell::new(BETWEEN_CHECKS));
        let (now, events, chain, latest) = (zero(), zero(), zero(), zero());
        let (turns, places, sleeps_until) = (RefCell::default(), RefCell::default(), Cell::new(None));
        Schedule {
            costs,
            control,
            now,
            earliest,
            events,
            chain,
            seed,
            latest,
            until_check,
            turns,
            places,
            sleeps_until,
        }
    }

    /// The costs of events.
    pub(super) fn costs(&self) -> CostModel {
        self.costs
    }

    /// Whether the search is over, for an idle worker; checks the limits now and then.
    fn is_over(&self) -> bool {
        let left = self.until_check.get() - 1;
        self.until_check.set(if left == 0 { BETWEEN_CHECKS } else { left });
        if left == 0 {
            self.control.check_at(Instant::now());
        }
        self.control.is_halted()
    }

    /// The number of events.
    pub(crate) fn events(&self) -> u64 {
        self.events.get()
    }

    /// Runs every program on its own processor to its end: the first `awake` from time 0, the others from
    /// when they are woken, if they are.
    ///
    /// # Errors
    /// If the system grants no stack.
    pub(super) fn run<'s: 'p, 'p>(
        &'s self,
        (stack, awake): (usize, usize),
        programs: impl Iterator<Item = Program<'s, 'p>>,
    ) -> io::Result<End> {
        coroutines::with_coroutines(|coroutines| {
            for program in programs {
                coroutines.begin(stack, move |handle| program(Virtual { schedule: self, handle }))?;
            }
            Ok(self.run_all(coroutines, awake))
        })
    }

    /// Runs the programs' coroutines to their ends.
    fn run_all(&self, coroutines: &mut Coroutines<'_, ()>, awake: usize) -> End {
        let places =
            |index| Place { due: if index < awake { 0 } else { u64::MAX }, is_asleep: index >= awake };
        self.places.replace((0..coroutines.len()).map(places).collect());
        let turn = |index| Reverse((0, self.lot(index as u64), index));
        self.turns.replace((0..awake.min(coroutines.len())).map(turn).collect());
        let mut end = End { time: 0, chain: 0 };
        let mut next = self.turns.borrow_mut().pop();
        while let Some(Reverse((clock, _, index))) = next {
            if !self.takes_turn(index, clock) {
                next = self.turns.borrow_mut().pop();
                continue;
            }
            self.now.set(clock);
            self.earliest.set(self.turns.borrow().peek().map_or(u64::MAX, |Reverse((clock, _, _))| *clock));
            let result = coroutines.resume(index);
            let clock = self.now.get();
            self.latest.set(self.latest.get().max(clock));
            next = match result {
                CoroutineResult::Yield(()) => Some(self.wait(index, clock)),
                CoroutineResult::Return(()) => {
                    end.time = end.time.max(clock);
                    if index == 0 {
                        end.chain = self.chain.get();
                    }
                    self.turns.borrow_mut().pop()
                }
            };
        }
        end
    }

    /// Whether it is this processor's turn. If so, it runs from now on.
    fn takes_turn(&self, index: usize, clock: u64) -> bool {
        let place = &mut self.places.borrow_mut()[index];
        let is_due = place.due == clock;
        if is_due {
            *place = Place { due: u64::MAX, is_asleep: false };
        }
        is_due
    }

    /// Notes when a processor that gave way runs next. Returns the next turn of all.
    fn wait(&self, index: usize, clock: u64) -> Turn {
        let until = self.sleeps_until.take();
        let due = until.unwrap_or(clock);
        self.places.borrow_mut()[index] = Place { due, is_asleep: until.is_some() };
        exchange(&mut self.turns.borrow_mut(), Reverse((due, self.lot(clock), index)))
    }

    /// The order of processors with equal clocks, drawn again for each turn.
    fn lot(&self, salt: u64) -> u32 {
        let draw = mix64(self.seed ^ mix64(salt.wrapping_add(self.events.get() << 20)));
        (draw >> 32) as u32
    }
}

/// Pushes `turn` and pops the next one in a single step, which is half the work of two.
fn exchange(waiting: &mut BinaryHeap<Turn>, turn: Turn) -> Turn {
    match waiting.peek_mut() {
        Some(mut next) if *next > turn => std::mem::replace(&mut next, turn),
        _ => turn,
    }
}

/// A virtual processor: the handle that its own program has.
#[derive(Clone, Copy)]
pub(crate) struct Virtual<'s> {
    schedule: &'s Schedule<'s>,
    handle: CoroutineHandle<()>,
}

impl Virtual<'_> {
    fn advance(&self, time: u64) {
        let now = &self.schedule.now;
        now.set(now.get().saturating_add(time));
    }

    /// Sleeps until woken, or until this time.
    fn sleep_until(&self, time: u64) {
        self.schedule.sleeps_until.set(Some(time));
        self.give_way();
    }

    /// Wakes a processor at this time, unless it is awake by then.
    pub(super) fn wake_at(&self, index: usize, time: u64) {
        let Schedule { places, turns, earliest, .. } = self.schedule;
        let place = &mut places.borrow_mut()[index];
        if place.is_asleep && time < place.due {
            place.due = time;
            turns.borrow_mut().push(Reverse((time, self.schedule.lot(time), index)));
            earliest.set(earliest.get().min(time));
        }
    }

    /// The costs of events.
    pub(super) fn costs(&self) -> CostModel {
        self.schedule.costs
    }

    /// Lets processors whose clocks are behind run.
    fn give_way(&self) {
        let chain = self.schedule.chain.get();
        self.handle.give_way(());
        self.schedule.chain.set(chain);
    }
}

impl<G: Game, E: Evaluator<G>> Evaluates<G, E> for Virtual<'_> {}

impl ParallelProcessor for Virtual<'_> {
    fn sleep<S: Setup>(&self, team: &Team<S>, worker: usize) {
        let until = self.now().saturating_add(nanoseconds(team.idle_policy.longest_sleep));
        team.sleep_by(worker, || self.sleep_until(until), |sleeper| self.wake(team, sleeper));
    }

    fn wake<S: Setup>(&self, _: &Team<S>, sleeper: usize) {
        self.charge(Event::Wake);
        self.wake_at(sleeper, self.now().saturating_add(self.schedule.costs.wake_latency.into()));
    }

    /// Looks on until they are, and then is late by what a wake-up takes.
    fn sleep_until_joined(&self, latch: &JoinLatch, claimed: u32, longest: Duration) {
        let until = self.now().saturating_add(nanoseconds(longest));
        while !latch.has_finished(claimed) && self.now() < until {
            self.charge(Event::FailedSteal);
            self.relax(0);
        }
        self.advance(self.schedule.costs.wake_latency.into());
        self.catch_up();
    }
}

/// In nanoseconds; 2^64 of them are 584 years.
fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64
}

impl Processor for Virtual<'_> {
    type Chain = Chain;

    #[inline]
    fn charge(&self, event: Event) {
        let Schedule { costs, events, chain, .. } = self.schedule;
        events.set(events.get() + 1);
        let cost = costs.of(event);
        self.advance(cost);
        if !matches!(event, Event::Steal | Event::FailedSteal | Event::Wake) {
            chain.set(chain.get().saturating_add(cost));
        }
        match event {
            Event::Node | Event::Evaluation => {} // affects no other worker
            Event::Table | Event::Poll | Event::Split | Event::Steal | Event::FailedSteal | Event::Wake => {
                self.catch_up()
            }
        }
    }

    #[inline]
    fn catch_up(&self) {
        if self.schedule.now.get() > self.schedule.earliest.get() {
            self.give_way();
        }
    }

    fn now(&self) -> u64 {
        self.schedule.now.get()
    }

    fn virtual_time(&self) -> Option<Duration> {
        Some(Duration::from_nanos(self.now()))
    }

    fn relax(&self, _looks: u32) {
        // The failed look was charged. If that is free, time must pass all the same.
        self.advance(u64::from(self.schedule.costs.failed_steal == 0));
        if self.schedule.is_over() {
            let Schedule { now, latest, .. } = self.schedule;
            now.set(now.get().max(latest.get()));
        }
        self.catch_up();
    }

    fn fork(&self) -> Chain {
        let chain = self.schedule.chain.get();
        Chain { begins: chain, ends: AtomicU64::new(chain) }
    }

    fn begin_task(&self, chain: &Chain) {
        self.schedule.chain.set(chain.begins);
    }

    fn end_task(&self, chain: &Chain) {
        chain.ends.fetch_max(self.schedule.chain.get(), Relaxed); // Relaxed: one thread's.
    }

    fn join(&self, chain: &Chain) {
        self.schedule.chain.set(chain.ends.load(Relaxed)); // Relaxed: one thread's.
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::STACK;
    use crate::search::{Limits, StopFlag};

    fn schedule(costs: CostModel, seed: u64, control: &Control) -> Schedule<'_> {
        Schedule::new(costs, seed, control)
    }

    fn endless() -> Control {
        Control::with_progress(&Limits::unbounded(), &StopFlag::new(), Default::default())
    }

    /// The touches of three processors, in order. Before each touch they visit one, two or three nodes.
    fn touched(seed: u64) -> Vec<(u64, usize)> {
        let control = endless();
        let schedule = schedule(CostModel { table: 1, ..CostModel::FREE }, seed, &control);
        let log = RefCell::new(Vec::new());
        let programs = (0..3).map(|index| {
            let log = &log;
            let program = move |processor: Virtual<'_>| {
                for _ in 0..5 {
                    (0..=index).for_each(|_| processor.charge(Event::Node));
                    processor.charge(Event::Table);
                    log.borrow_mut().push((processor.now(), index));
                }
            };
            Box::new(program) as Program<'_, '_>
        });
        let end = schedule.run((STACK, 3), programs).unwrap();
        assert_eq!((end.time, schedule.events()), (20, 5 * (2 + 3 + 4)));
        log.into_inner()
    }

    #[test]
    fn what_is_shared_is_touched_in_the_order_of_time() {
        let log = touched(1);
        assert!(log.is_sorted_by_key(|&(now, _)| now), "{log:?}");
        assert_eq!(log.iter().filter(|&&(_, index)| index == 2).map(|&(now, _)| now).max(), Some(20));
    }

    #[test]
    fn a_seed_makes_one_schedule() {
        assert_eq!(touched(7), touched(7));
        assert!((0..20).any(|seed| touched(seed) != touched(0)), "the seed changes nothing");
    }

    #[test]
    fn the_longest_chain_of_work_leads_through_the_longest_share() {
        let control = endless();
        let schedule = schedule(CostModel::FREE, 0, &control);
        let visit =
            |processor: Virtual<'_>, nodes: u64| (0..nodes).for_each(|_| processor.charge(Event::Node));
        let program = |processor: Virtual<'_>| {
            visit(processor, 2);
            let chain = processor.fork();
            for nodes in [3, 5, 4] {
                processor.begin_task(&chain);
                visit(processor, nodes);
                processor.end_task(&chain);
            }
            processor.join(&chain);
            visit(processor, 1);
        };
        let end = schedule.run((STACK, 1), std::iter::once(Box::new(program) as Program<'_, '_>)).unwrap();
        assert_eq!(end, End { time: 15, chain: 8 });
    }

    #[test]
    fn a_processor_that_looks_in_vain_for_nothing_gets_on() {
        let control = endless();
        let schedule = schedule(CostModel::FREE, 0, &control);
        let flag = Cell::new(false);
        let waiter = |processor: Virtual<'_>| {
            while !flag.get() {
                processor.charge(Event::FailedSteal);
                processor.relax(0);
            }
        };
        let worker = |processor: Virtual<'_>| {
            (0..9).for_each(|_| processor.charge(Event::Node));
            processor.catch_up();
            flag.set(true);
        };
        let programs = [Box::new(waiter) as Program<'_, '_>, Box::new(worker)];
        assert!(
            (9..=10).contains(&schedule.run((STACK, programs.len()), programs.into_iter()).unwrap().time)
        );
    }

    /// A node lasts as long as four billion looks of each waiting worker.
    #[test]
    fn those_who_wait_for_long_notice_a_wish_to_stop() {
        let flag = StopFlag::new();
        let control = Control::with_progress(&Limits::unbounded(), &flag, Default::default());
        let schedule = schedule(CostModel { node: u32::MAX, ..CostModel::FREE }, 0, &control);
        let looks = Cell::new(0u64);
        let (looks, is_done) = (&looks, &Cell::new(false));
        let worker = |processor: Virtual<'_>| {
            for _ in 0..1_000_000 {
                processor.charge(Event::Node);
                processor.catch_up();
                if control.is_halted() {
                    break;
                }
            }
            is_done.set(true);
        };
        let waiter = || {
            Box::new(|processor: Virtual<'_>| {
                while !is_done.get() {
                    processor.charge(Event::FailedSteal);
                    processor.relax(0);
                    looks.set(looks.get() + 1);
                    if looks.get() == 100 {
                        flag.stop();
                    }
                }
            }) as Program<'_, '_>
        };
        let programs = [Box::new(worker) as Program<'_, '_>, waiter(), waiter(), waiter()];
        schedule.run((STACK, programs.len()), programs.into_iter()).unwrap();
        assert!(looks.get() <= 100 + 2 * u64::from(BETWEEN_CHECKS), "{} looks", looks.get());
    }
}
