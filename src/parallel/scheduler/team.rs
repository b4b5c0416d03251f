//! The workers of a parallel search and their deques of tickets.
//!
//! A ticket is a reference to a split point. The owner pushes it to its own deque. A thief steals the oldest
//! ticket, which is the shallowest of its deque, from the deque where that is closest to the root. It pushes
//! the ticket to its own deque, so that other thieves find the split point there. A worker that finds the
//! ticket of a finished split point drops it.

use crate::parallel::scheduler::jobs::Jobs;
use crate::parallel::scheduler::pool::Pool;
use crate::parallel::scheduler::sleep::Sleep;
use crate::parallel::scheduler::steal_hints::StealHints;
use crate::parallel::split::split_point::SplitPoint;
use crate::parallel::telemetry::in_flight::InFlight;
use crate::search::{Options, Setup};
use crate::sync::deque::{Steal, Stealer, Worker as Deque};
use crate::sync::{AtomicBool, AtomicUsize, CachePadded, Relaxed};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// A reference to a split point.
pub(crate) type Ticket<S> = Arc<SplitPoint<S>>;

/// The longest sleep if every worker has a processor to itself.
const LONGEST_SLEEP: Duration = Duration::from_millis(1);

/// How often an idle worker looks for work before it sleeps, if every worker has a processor to itself.
/// Waking a sleeper takes longer than many split points last, and looking costs no other worker time.
const LOOKS_WITH_ROOM: u32 = 20_000;

/// The same with more workers than processors, where a look takes time from busy workers.
pub(crate) const LOOKS_WITHOUT_ROOM: u32 = 16;

/// How idle workers wait between looks for work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdlePolicy {
    /// The looks for work before a worker sleeps; `None` if it never does.
    pub(crate) looks_before_sleep: Option<u32>,
    /// The longest sleep before it looks again by itself. Needed because a ticket wakes one sleeper, which
    /// may find all its tasks claimed by then.
    pub(crate) longest_sleep: Duration,
}

/// The longest sleep of one of this many threads. A thread that wakes in vain takes time from busy ones, so
/// it grows with their number.
fn longest_sleep(threads: usize, processors: usize) -> Duration {
    LONGEST_SLEEP * threads.div_ceil(processors) as u32
}

impl IdlePolicy {
    /// That of so many threads.
    fn of_threads(threads: usize, processors: usize) -> Self {
        let has_room = threads <= processors;
        IdlePolicy {
            looks_before_sleep: Some(if has_room { LOOKS_WITH_ROOM } else { LOOKS_WITHOUT_ROOM }),
            longest_sleep: longest_sleep(threads, processors),
        }
    }

    /// Whether a worker sleeps after this many looks in a row.
    pub(crate) fn sleeps_after(&self, looks: u32) -> bool {
        self.looks_before_sleep.is_some_and(|most| looks >= most)
    }
}

/// What the workers of a search share.
pub(crate) struct Team<S: Setup> {
    pub(crate) idle_policy: IdlePolicy,
    stealers: Vec<Stealer<Ticket<S>>>,
    /// The workers on each thread; they have consecutive indices.
    lanes: usize,
    hints: StealHints,
    is_over: AtomicBool,
    /// The idle workers: looking for work, sleeping, or waiting for others. In its own cache line, apart from
    /// what every worker reads all the time.
    idle: CachePadded<AtomicUsize>,
    sleep: Sleep,
    /// The nodes being searched, if duplicates are counted.
    in_flight: Option<InFlight>,
    /// The same, if the method defers nodes being searched. Separate from `in_flight`, which has other depths
    /// and must not know of a node's second searcher.
    busy: Option<InFlight>,
    /// The pool's threads, if the method hands its tasks to them as jobs.
    pub(crate) jobs: Option<Jobs<S>>,
}

impl<S: Setup> Team<S> {
    /// A team of `options.threads` workers on a pool's threads, and their deques. A worker needs so much of a
    /// stack.
    pub(crate) fn new(options: &Options, pool: &Pool, stack: usize) -> (Arc<Self>, Vec<Deque<Ticket<S>>>) {
        let idle_policy = IdlePolicy::of_threads(options.threads, pool.processors());
        let jobs = options.method.uses_whole_pool().then(|| Jobs::new(pool.rayon().clone(), stack));
        Team::assemble(options, (options.threads, 1), idle_policy, jobs)
    }

    /// A team of workers with a processor each.
    #[cfg(feature = "simulate")]
    pub(crate) fn with_room(options: &Options) -> (Arc<Self>, Vec<Deque<Ticket<S>>>) {
        let idle_policy = IdlePolicy::of_threads(options.threads, options.threads);
        Team::assemble(options, (options.threads, 1), idle_policy, None)
    }

    /// A team of `lanes` workers on each of `threads` threads. The workers never sleep by themselves; their
    /// thread may [`Team::sleep`] when none of them has work.
    #[cfg(any(feature = "simulate", feature = "lanes"))]
    pub(crate) fn sleepless(
        options: &Options,
        (threads, lanes): (usize, usize),
        processors: usize,
    ) -> (Arc<Self>, Vec<Deque<Ticket<S>>>) {
        let longest_sleep = longest_sleep(threads, processors);
        let idle_policy = IdlePolicy { looks_before_sleep: None, longest_sleep };
        Team::assemble(options, (threads, lanes), idle_policy, None)
    }

    fn assemble(
        options: &Options,
        (threads, lanes): (usize, usize),
        idle_policy: IdlePolicy,
        jobs: Option<Jobs<S>>,
    ) -> (Arc<Self>, Vec<Deque<Ticket<S>>>) {
        let workers = threads * lanes;
        let in_flight = || InFlight::new(workers);
        let deques: Vec<_> = (0..workers).map(|_| Deque::new_lifo()).collect();
        let team = Team {
            idle_policy,
            stealers: deques.iter().map(Deque::stealer).collect(),
            lanes,
            hints: StealHints::new(workers),
            is_over: AtomicBool::new(false),
            idle: CachePadded::new(AtomicUsize::new(0)),
            sleep: Sleep::new(workers),
            in_flight: options.telemetry.count_duplicates.then(in_flight),
            busy: options.method.way().marks_busy_nodes.then(in_flight),
            jobs,
        };
        (Arc::new(team), deques)
    }

    /// The number of workers.
    pub(crate) fn size(&self) -> usize {
        self.stealers.len()
    }

    /// Ends the search for every worker.
    pub(crate) fn terminate(&self) {
        self.terminate_by(|sleeper| self.wake(sleeper));
    }

    /// The same where `wake` wakes a sleeper.
    pub(crate) fn terminate_by(&self, wake: impl Fn(usize)) {
        // Relaxed: the lock in `first_of_all` orders it for workers about to sleep, the join for the rest.
        self.is_over.store(true, Relaxed);
        self.sleep.first_of_all().into_iter().for_each(wake);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed) // Relaxed: as in `terminate`.
    }

    /// The nodes being searched.
    pub(crate) fn in_flight(&self) -> &InFlight {
        self.in_flight.as_ref().expect("only a search that counts duplicates asks")
    }

    /// The nodes marked as being searched.
    pub(crate) fn busy(&self) -> &InFlight {
        self.busy.as_ref().expect("only a method that marks them asks")
    }

    /// The pool's threads.
    pub(crate) fn jobs(&self) -> &Jobs<S> {
        self.jobs.as_ref().expect("only a method that uses the whole pool asks")
    }

    /// The number of idle workers.
    #[inline]
    pub(crate) fn idle(&self) -> usize {
        self.idle.load(Relaxed) // Relaxed: a hint; a needless split point is harmless.
    }

    /// A worker becomes idle.
    pub(crate) fn enter_idleness(&self) {
        self.idle.fetch_add(1, Relaxed); // Relaxed: as in `idle`.
    }

    /// A worker becomes busy.
    pub(crate) fn leave_idleness(&self) {
        self.idle.fetch_sub(1, Relaxed); // Relaxed: as in `idle`.
    }

    /// The worker sleeps until a split point is published, or for its longest sleep.
    pub(crate) fn sleep(&self, worker: usize) {
        let rest = || self.sleep.rest(worker, self.idle_policy.longest_sleep);
        self.sleep_by(worker, rest, |sleeper| self.wake(sleeper));
    }

    /// The same where the worker sleeps by `rest`, and `wake` wakes a sleeper.
    pub(crate) fn sleep_by(&self, worker: usize, rest: impl FnOnce(), wake: impl Fn(usize)) {
        // Excludes its own deque: it is empty, even if a thief has yet to clear its bit.
        self.sleep.sleep(worker, || self.is_over() || self.hints.is_any_but(worker), rest);
        if self.is_over() {
            self.sleep.first_of_all().into_iter().for_each(wake);
        }
    }

    /// Wakes a thread that sleeps.
    pub(crate) fn wake(&self, sleeper: usize) {
        self.sleep.wake(sleeper);
    }

    /// Announces that a worker has pushed a ticket, and has a sleeper woken, if there is one. `ply` is that
    /// of the ticket's node, if it is the only ticket in the deque.
    pub(crate) fn announce(&self, worker: usize, ply: Option<u16>, wake: impl FnOnce(usize)) {
        if let Some(ply) = ply {
            self.hints.hint(worker, ply);
        }
        self.hints.announce(worker);
        if let Some(sleeper) = self.sleep.one() {
            wake(sleeper);
        }
    }

    /// The worker's own deque is empty.
    pub(crate) fn retract(&self, worker: usize) {
        self.hints.retract(worker);
    }

    /// The workers on the same thread.
    pub(crate) fn lanes_beside(&self, worker: usize) -> Range<usize> {
        let first = worker - worker % self.lanes;
        first..first + self.lanes
    }

    /// Steals the ticket closest to the root, as far as the hints tell; among equals one of the thief's own
    /// thread. Returns it with the victim's index.
    pub(crate) fn steal(&self, thief: usize) -> Option<(Ticket<S>, usize)> {
        let near = self.lanes_beside(thief);
        // Terminates: an empty deque's bit is cleared, and only a push sets it.
        loop {
            let victim = self.hints.shallowest(thief, &near)?;
            if let Some(ticket) = self.steal_from(victim) {
                // The next ticket in the deque is deeper in the tree.
                self.hints.hint(victim, ticket.node().ply.saturating_add(1));
                return Some((ticket, victim));
            }
        }
    }

    fn steal_from(&self, worker: usize) -> Option<Ticket<S>> {
        let stealer = &self.stealers[worker];
        loop {
            match stealer.steal() {
                Steal::Success(ticket) => return Some(ticket),
                // In virtual time nobody pushes meanwhile, so these are threads.
                Steal::Empty if self.hints.doubt(worker, || !stealer.is_empty()) => {
                    self.sleep.one().into_iter().for_each(|sleeper| self.wake(sleeper));
                }
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }
}
