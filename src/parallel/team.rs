//! The threads of one parallel search: their queues of tickets, stealing, sleeping and waking.
//!
//! A ticket is a reference to a split point. Its owner puts it in its own queue; a thief takes the oldest, which is
//! the shallowest, and puts a copy into its own queue, so that others find the split point there too. Tickets of
//! split points that are over are thrown away by whoever finds them.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::SplitPoint;
use crate::sync::deque::{Steal, Stealer, Worker as Queue};
use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, Relaxed, SeqCst, fence};
use std::sync::Arc;
use std::time::Duration;

/// A split point of a search of `G` with `E`.
pub(crate) type SplitOf<G, E> =
    SplitPoint<<G as Game>::Position, <E as Evaluator<G>>::State, <G as Game>::Outcome>;
type Ticket<G, E> = Arc<SplitOf<G, E>>;

/// How long a sleeper sleeps at most before it looks again by itself: one ticket wakes one sleeper, and another may
/// have taken the ticket's work by then.
const LONGEST_SLEEP: Duration = Duration::from_millis(1);

/// What the threads of a search share.
pub(crate) struct Team<G: Game, E: Evaluator<G>> {
    stealers: Vec<Stealer<Ticket<G, E>>>,
    is_over: AtomicBool,
    /// How many threads are without work: they look for some, sleep, or wait for others.
    idle: AtomicUsize,
    sleepers: AtomicUsize,
    bed: Mutex<()>,
    wake_up: Condvar,
}

impl<G: Game, E: Evaluator<G>> Team<G, E> {
    /// A team of `size` threads, with each one's queue.
    pub(crate) fn new(size: usize) -> (Self, Vec<Queue<Ticket<G, E>>>) {
        let queues: Vec<_> = (0..size).map(|_| Queue::new_lifo()).collect();
        let team = Team {
            stealers: queues.iter().map(Queue::stealer).collect(),
            is_over: AtomicBool::new(false),
            idle: AtomicUsize::new(0),
            sleepers: AtomicUsize::new(0),
            bed: Mutex::new(()),
            wake_up: Condvar::new(),
        };
        (team, queues)
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

    /// Whether a thread is without work.
    #[inline]
    pub(crate) fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0 // Relaxed: a hint; a split point that nobody wants does no harm.
    }

    /// Notes that a thread has run out of work.
    pub(crate) fn enter_idleness(&self) {
        self.idle.fetch_add(1, Relaxed); // Relaxed: as in `has_idle`.
    }

    /// Notes that it has found some.
    pub(crate) fn leave_idleness(&self) {
        self.idle.fetch_sub(1, Relaxed); // Relaxed: as in `has_idle`.
    }

    /// Sleeps until somebody publishes a split point, or a moment has passed.
    pub(crate) fn sleep(&self) {
        let mut bed = self.bed.lock();
        // SeqCst, and the fence: with the fence in `wake_one`, either the publisher sees this sleeper, or the sleeper
        // sees the ticket.
        self.sleepers.fetch_add(1, SeqCst);
        fence(SeqCst);
        if !self.is_over.load(SeqCst) && self.stealers.iter().all(Stealer::is_empty) {
            self.wake_up.wait_for(&mut bed, LONGEST_SLEEP);
        }
        self.sleepers.fetch_sub(1, SeqCst);
    }

    fn wake_one(&self) {
        // SeqCst: as in `sleep`. The fence keeps the look at `sleepers` behind the push of the ticket.
        fence(SeqCst);
        if self.sleepers.load(SeqCst) > 0 {
            let _bed = self.bed.lock();
            self.wake_up.notify_one();
        }
    }
}

/// One thread's place in a team.
pub(crate) struct Seat<'a, G: Game, E: Evaluator<G>> {
    pub(crate) team: &'a Team<G, E>,
    queue: Queue<Ticket<G, E>>,
    index: usize,
    /// The innermost split point that this thread works under.
    pub(crate) under: Option<Ticket<G, E>>,
}

impl<'a, G: Game, E: Evaluator<G>> Seat<'a, G, E> {
    pub(crate) fn new(team: &'a Team<G, E>, queue: Queue<Ticket<G, E>>, index: usize) -> Self {
        Seat { team, queue, index, under: None }
    }

    /// Whether a split point that this thread works under is cut.
    #[inline]
    pub(crate) fn is_cut_above(&self) -> bool {
        self.under.as_ref().is_some_and(|split| split.is_cut_or_below_cut())
    }

    /// Makes a split point known to whoever looks for work.
    pub(crate) fn publish(&self, split: &Ticket<G, E>) {
        self.queue.push(split.clone());
        self.team.wake_one();
    }

    /// Takes back a ticket that `publish` put up, if nobody stole it.
    pub(crate) fn withdraw(&self, split: &Ticket<G, E>) {
        // What was put up later has been withdrawn already, so the ticket is on top or gone.
        match self.queue.pop() {
            Some(top) if !Arc::ptr_eq(&top, split) => self.queue.push(top),
            _ => {}
        }
    }

    /// Steals a ticket from the first of the other threads, in a fixed round from its own place, that has one; `None`
    /// if nobody has.
    pub(crate) fn steal(&self) -> Option<Ticket<G, E>> {
        let size = self.team.stealers.len();
        for distance in 1..size {
            let stealer = &self.team.stealers[(self.index + distance) % size];
            loop {
                match stealer.steal() {
                    Steal::Success(ticket) => return Some(ticket),
                    Steal::Empty => break,
                    Steal::Retry => {}
                }
            }
        }
        None
    }
}
