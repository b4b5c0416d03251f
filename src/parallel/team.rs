//! The workers of one parallel search: their queues of tickets, stealing, sleeping and waking.
//!
//! A ticket is a reference to a split point. Its owner puts it in its own queue; a thief takes the oldest, which is
//! the shallowest, and puts a copy into its own queue, so that others find the split point there too. Tickets of
//! split points that are over are thrown away by whoever finds them.

use crate::parallel::fork_join::Spare;
use crate::parallel::marks::Marks;
use crate::parallel::pool::Pool;
use crate::parallel::split_point::SplitPoint;
use crate::search::{Method, Options, Setup};
use crate::sync::deque::{Steal, Stealer, Worker as Queue};
use crate::sync::{AtomicBool, AtomicUsize, CachePadded, Condvar, Mutex, Relaxed, SeqCst, fence, wait_for};
use std::sync::Arc;
use std::time::Duration;

/// A reference to a split point.
pub(crate) type Ticket<S> = Arc<SplitPoint<S>>;

/// How long a sleeper sleeps at most where every worker has a processor to itself.
const LONGEST_SLEEP: Duration = Duration::from_millis(1);

/// How often an idle worker looks for work before it goes to sleep, where every worker has a processor to itself.
/// Waking a sleeper takes longer than many a split point lasts; looking again and again costs nobody anything then.
const LOOKS_WITH_ROOM: u32 = 20_000;

/// The same where there are more workers than processors, and a look takes time from those that work.
const LOOKS_WITHOUT_ROOM: u32 = 16;

/// How workers without work pass the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// How often one looks for work before it goes to sleep.
    pub(crate) looks_before_sleep: u32,
    /// How long it sleeps at most before it looks again by itself: one ticket wakes one sleeper, and another may have
    /// taken the ticket's work by then.
    pub(crate) longest_sleep: Duration,
}

/// What the workers of a search share.
pub(crate) struct Team<S: Setup> {
    pub(crate) method: Method,
    /// The least depth of a node that is split; see [`Options::split_depth`].
    pub(crate) split_depth: u8,
    /// The least size of a search that is split; see [`Options::split_size`].
    pub(crate) split_size: u64,
    pub(crate) patience: Patience,
    stealers: Vec<Stealer<Ticket<S>>>,
    is_over: AtomicBool,
    /// How many workers are without work: they look for some, sleep, or wait for others.
    /// Apart from what every worker reads all the time.
    idle: CachePadded<AtomicUsize>,
    sleepers: CachePadded<AtomicUsize>,
    bed: Mutex<()>,
    wake_up: Condvar,
    /// Which nodes are being searched, where the statistics want to know.
    pub(crate) marks: Option<Marks>,
    /// Which successors are being searched, where the method puts off those that are. Apart from `marks`: a worker
    /// would find the mark that it has set itself.
    pub(crate) busy: Option<Marks>,
    /// The threads, where fork and join needs them.
    pub(crate) rayon: Option<Arc<rayon::ThreadPool>>,
    /// What fork and join keeps for each of them.
    pub(crate) spare: Vec<Spare<S>>,
}

impl<S: Setup> Team<S> {
    /// A team of `options.threads` workers on the threads of a pool, with each one's queue.
    pub(crate) fn new(options: &Options, pool: &Pool) -> (Arc<Self>, Vec<Queue<Ticket<S>>>) {
        let processors = pool.processors();
        let has_room = options.threads <= processors;
        let patience = Patience {
            looks_before_sleep: if has_room { LOOKS_WITH_ROOM } else { LOOKS_WITHOUT_ROOM },
            // Sleepers that wake in vain take time from those that work: the more there are, the longer they sleep.
            longest_sleep: LONGEST_SLEEP * options.threads.div_ceil(processors) as u32,
        };
        let rayon = (options.method == Method::ForkJoin).then(|| pool.rayon().clone());
        Team::assemble(options, patience, rayon)
    }

    /// A team of `options.threads` workers that never sleep.
    #[cfg(feature = "simulate")]
    pub(crate) fn sleepless(options: &Options) -> (Arc<Self>, Vec<Queue<Ticket<S>>>) {
        let patience = Patience { looks_before_sleep: u32::MAX, longest_sleep: LONGEST_SLEEP };
        Team::assemble(options, patience, None)
    }

    fn assemble(
        options: &Options,
        patience: Patience,
        rayon: Option<Arc<rayon::ThreadPool>>,
    ) -> (Arc<Self>, Vec<Queue<Ticket<S>>>) {
        let queues: Vec<_> = (0..options.threads).map(|_| Queue::new_lifo()).collect();
        let pool_threads = rayon.as_ref().map_or(0, |rayon| rayon.current_num_threads());
        let team = Team {
            method: options.method,
            split_depth: options.split_depth.max(2),
            split_size: options.split_size,
            patience,
            stealers: queues.iter().map(Queue::stealer).collect(),
            is_over: AtomicBool::new(false),
            idle: CachePadded::new(AtomicUsize::new(0)),
            sleepers: CachePadded::new(AtomicUsize::new(0)),
            bed: Mutex::new(()),
            wake_up: Condvar::new(),
            marks: options.count_duplicates.then(Marks::new),
            busy: (options.method == Method::Abdada).then(Marks::new),
            spare: (0..pool_threads).map(|_| Spare::default()).collect(),
            rayon,
        };
        (Arc::new(team), queues)
    }

    /// The number of workers.
    pub(crate) fn size(&self) -> usize {
        self.stealers.len()
    }

    /// Sends everybody home.
    pub(crate) fn dismiss(&self) {
        self.is_over.store(true, SeqCst); // SeqCst: must not pass a sleeper's last look; see `sleep`.
        let _bed = self.bed.lock();
        self.wake_up.notify_all();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed) // Relaxed: the join that follows orders everything.
    }

    /// How many workers are without work.
    #[inline]
    pub(crate) fn idle(&self) -> usize {
        self.idle.load(Relaxed) // Relaxed: a hint; a split point that nobody wants does no harm.
    }

    /// Notes that a worker has run out of work.
    pub(crate) fn enter_idleness(&self) {
        self.idle.fetch_add(1, Relaxed); // Relaxed: as in `idle`.
    }

    /// Notes that it has found some.
    pub(crate) fn leave_idleness(&self) {
        self.idle.fetch_sub(1, Relaxed); // Relaxed: as in `idle`.
    }

    /// Sleeps until somebody publishes a split point, or a moment has passed.
    pub(crate) fn sleep(&self) {
        let bed = self.bed.lock();
        // SeqCst, and the fence: with the fence in `wake_one`, either the publisher sees this sleeper, or the sleeper
        // sees the ticket.
        self.sleepers.fetch_add(1, SeqCst);
        fence(SeqCst);
        if !self.is_over.load(SeqCst) && self.stealers.iter().all(Stealer::is_empty) {
            drop(wait_for(&self.wake_up, bed, self.patience.longest_sleep));
        }
        self.sleepers.fetch_sub(1, SeqCst);
    }

    /// Wakes a sleeper, if there is one, to a ticket just published.
    pub(crate) fn wake_one(&self) {
        // SeqCst: as in `sleep`. The fence keeps the look at `sleepers` behind the push of the ticket.
        fence(SeqCst);
        if self.sleepers.load(SeqCst) > 0 {
            let _bed = self.bed.lock();
            self.wake_up.notify_one();
        }
    }

    /// Steals a ticket from the first worker that has one, beginning after `thief` and going round; says from whom.
    pub(crate) fn steal(&self, thief: usize) -> Option<(Ticket<S>, usize)> {
        let size = self.stealers.len();
        for distance in 1..size {
            let victim = (thief + distance) % size;
            let stealer = &self.stealers[victim];
            loop {
                match stealer.steal() {
                    Steal::Success(ticket) => return Some((ticket, victim)),
                    Steal::Empty => break,
                    Steal::Retry => {}
                }
            }
        }
        None
    }
}
