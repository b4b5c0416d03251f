//! The workers of one parallel search and their queues of tickets.
//!
//! A ticket is a reference to a split point. Its owner puts it in its own queue; a thief takes the oldest,
//! which is the shallowest, of the queue in which that is closest to the root, and puts it into its own
//! queue, so that others find the split point there. Tickets of split points that are over are thrown away by
//! whoever finds them.

use crate::parallel::scheduler::jobs::Jobs;
use crate::parallel::scheduler::pool::Pool;
use crate::parallel::scheduler::sleep::Sleep;
use crate::parallel::scheduler::steal_hints::StealHints;
use crate::parallel::split::split_point::SplitPoint;
use crate::parallel::telemetry::in_flight::InFlight;
use crate::search::{Granularity, Method, Options, Setup};
use crate::sync::deque::{Steal, Stealer, Worker as Queue};
use crate::sync::{AtomicBool, AtomicUsize, CachePadded, Relaxed};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// A reference to a split point.
pub(crate) type Ticket<S> = Arc<SplitPoint<S>>;

/// How long a sleeper sleeps at most where every worker has a processor to itself.
const LONGEST_SLEEP: Duration = Duration::from_millis(1);

/// How often an idle worker looks for work before it goes to sleep, where every worker has a processor to
/// itself. Waking a sleeper takes longer than many a split point lasts; looking again and again costs nobody
/// anything then.
const LOOKS_WITH_ROOM: u32 = 20_000;

/// The same where there are more workers than processors, and a look takes time from those that work.
pub(crate) const LOOKS_WITHOUT_ROOM: u32 = 16;

/// What workers without work do between looks for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdlePolicy {
    /// How often a worker looks for work before it goes to sleep; `None` if it never does.
    pub(crate) looks_before_sleep: Option<u32>,
    /// How long it sleeps at most before it looks again by itself: one ticket wakes one sleeper, and another
    /// may have taken the ticket's work by then.
    pub(crate) longest_sleep: Duration,
}

/// For how long one of so many threads sleeps at most: who wakes in vain takes time from those that work, so
/// the more of them there are, the longer.
fn longest_sleep(threads: usize, processors: usize) -> Duration {
    LONGEST_SLEEP * threads.div_ceil(processors) as u32
}

impl IdlePolicy {
    /// Whether a worker goes to sleep after so many looks in a row.
    pub(crate) fn sleeps_after(&self, looks: u32) -> bool {
        self.looks_before_sleep.is_some_and(|most| looks >= most)
    }
}

/// With so many workers idle, searches are split that are not worth it for fewer.
pub(crate) const MANY_IDLE: usize = 4;

/// What the workers of a search share.
pub(crate) struct Team<S: Setup> {
    pub(crate) method: Method,
    /// Whether the algorithm does, so that what becomes known of one node narrows the windows of others.
    pub(crate) prunes: bool,
    /// What its workers split before they know better.
    pub(crate) granularity: Granularity,
    pub(crate) idle_policy: IdlePolicy,
    stealers: Vec<Stealer<Ticket<S>>>,
    /// How many of the workers take turns on each thread: those of one follow one another.
    lanes: usize,
    hints: StealHints,
    is_over: AtomicBool,
    /// How many workers are without work: they look for some, sleep, or wait for others.
    /// Apart from what every worker reads all the time.
    idle: CachePadded<AtomicUsize>,
    sleep: Sleep,
    /// Which nodes are being searched, if those that two search at once are counted.
    in_flight: Option<InFlight>,
    /// The same, if the method puts off those that are. Apart from `in_flight`, which has other depths, and
    /// of which a node's second searcher must not know.
    busy: Option<InFlight>,
    /// The threads of the pool, if the method hands its tasks to them as jobs.
    pub(crate) jobs: Option<Jobs<S>>,
}

impl<S: Setup> Team<S> {
    /// A team of `options.threads` workers on the threads of a pool, with each one's queue.
    pub(crate) fn new(options: &Options, pool: &Pool) -> (Arc<Self>, Vec<Queue<Ticket<S>>>) {
        let processors = pool.processors();
        let has_room = options.threads <= processors;
        let idle_policy = IdlePolicy {
            looks_before_sleep: Some(if has_room { LOOKS_WITH_ROOM } else { LOOKS_WITHOUT_ROOM }),
            longest_sleep: longest_sleep(options.threads, processors),
        };
        let jobs = options.method.properties().uses_whole_pool.then(|| Jobs::new(pool.rayon().clone()));
        Team::assemble(options, (options.threads, 1), idle_policy, jobs)
    }

    /// A team of workers that never sleep by themselves, so many on each of so many threads: those may
    /// [`Team::sleep`] once all of theirs have nothing to do.
    #[cfg(any(feature = "simulate", feature = "lanes"))]
    pub(crate) fn sleepless(
        options: &Options,
        (threads, lanes): (usize, usize),
        processors: usize,
    ) -> (Arc<Self>, Vec<Queue<Ticket<S>>>) {
        let longest_sleep = longest_sleep(threads, processors);
        let idle_policy = IdlePolicy { looks_before_sleep: None, longest_sleep };
        Team::assemble(options, (threads, lanes), idle_policy, None)
    }

    fn assemble(
        options: &Options,
        (threads, lanes): (usize, usize),
        idle_policy: IdlePolicy,
        jobs: Option<Jobs<S>>,
    ) -> (Arc<Self>, Vec<Queue<Ticket<S>>>) {
        let workers = threads * lanes;
        let in_flight = || InFlight::new(workers);
        let queues: Vec<_> = (0..workers).map(|_| Queue::new_lifo()).collect();
        let team = Team {
            method: options.method,
            prunes: options.algorithm.prunes(),
            granularity: Granularity::new(options),
            idle_policy,
            stealers: queues.iter().map(Queue::stealer).collect(),
            lanes,
            hints: StealHints::new(workers),
            is_over: AtomicBool::new(false),
            idle: CachePadded::new(AtomicUsize::new(0)),
            sleep: Sleep::new(workers),
            in_flight: options.count_duplicates.then(in_flight),
            busy: options.method.properties().marks_busy_nodes.then(in_flight),
            jobs,
        };
        (Arc::new(team), queues)
    }

    /// The number of workers.
    pub(crate) fn size(&self) -> usize {
        self.stealers.len()
    }

    /// Whether it is so large that many can be idle while one works, so that finding work for everybody is
    /// what matters. In smaller ones somebody is seldom idle, and a split is worth less than it costs.
    pub(crate) fn is_large(&self) -> bool {
        self.size() > MANY_IDLE
    }

    /// Ends the search for every worker.
    pub(crate) fn terminate(&self) {
        // Relaxed: the lock that `wake_all` takes orders it for those about to sleep, and the join for the
        // rest.
        self.is_over.store(true, Relaxed);
        self.sleep.wake_all();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed) // Relaxed: as in `terminate`.
    }

    /// Which nodes are being searched.
    pub(crate) fn in_flight(&self) -> &InFlight {
        self.in_flight.as_ref().expect("only a search that counts duplicates asks")
    }

    /// Which nodes are being searched, as far as they are marked.
    pub(crate) fn busy(&self) -> &InFlight {
        self.busy.as_ref().expect("only a method that marks them asks")
    }

    /// The threads of the pool.
    pub(crate) fn jobs(&self) -> &Jobs<S> {
        self.jobs.as_ref().expect("only a method that uses the whole pool asks")
    }

    /// How many workers are without work.
    #[inline]
    pub(crate) fn idle(&self) -> usize {
        self.idle.load(Relaxed) // Relaxed: a hint; a split point that nobody wants does no harm.
    }

    /// A worker has run out of work.
    pub(crate) fn enter_idleness(&self) {
        self.idle.fetch_add(1, Relaxed); // Relaxed: as in `idle`.
    }

    /// It has found some.
    pub(crate) fn leave_idleness(&self) {
        self.idle.fetch_sub(1, Relaxed); // Relaxed: as in `idle`.
    }

    /// The worker sleeps until somebody publishes a split point, or a moment has passed.
    pub(crate) fn sleep(&self, worker: usize) {
        let longest = self.idle_policy.longest_sleep;
        // Its own queue is empty, whatever a bit says that somebody is about to clear.
        self.sleep.sleep(worker, longest, || self.is_over() || self.hints.is_any_but(worker));
    }

    /// Makes it known that a worker has put a ticket into its queue, and wakes a sleeper, if there is one.
    /// `ply` is that of the ticket's node, where it is the only ticket there.
    pub(crate) fn announce(&self, worker: usize, ply: Option<u16>) {
        if let Some(ply) = ply {
            self.hints.hint(worker, ply);
        }
        self.hints.announce(worker);
        self.sleep.wake_one();
    }

    /// A worker's own queue is empty, as that worker knows.
    pub(crate) fn retract(&self, worker: usize) {
        self.hints.retract(worker);
    }

    /// The workers on the same thread.
    pub(crate) fn lanes_beside(&self, worker: usize) -> Range<usize> {
        let first = worker - worker % self.lanes;
        first..first + self.lanes
    }

    /// Steals the ticket that is closest to the root, as far as can be told, of several one of its own
    /// thread; says from whom.
    pub(crate) fn steal(&self, thief: usize) -> Option<(Ticket<S>, usize)> {
        let near = self.lanes_beside(thief);
        // Ends: where a queue is found empty its bit is gone, and who sets it again has put up a ticket.
        loop {
            let victim = self.hints.shallowest(thief, &near)?;
            if let Some(ticket) = self.steal_from(victim) {
                // What was below it in the queue lies below it in the tree.
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
                Steal::Empty if self.hints.doubt(worker, || !stealer.is_empty()) => self.sleep.wake_one(),
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }
}
