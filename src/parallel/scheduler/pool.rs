//! A pool of threads that searches use one after another.

use crate::search::{Control, SearchError};
use crate::sync::{Mutex, MutexGuard};
use std::any::Any;
use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// A worker's stack, on a thread of the pool or on a virtual processor: room for the deepest search of
/// positions of some kilobytes. It is reserved, not used.
pub(crate) const STACK: usize = 16 << 20;

/// What a worker takes beside its stack before long: a thread's own storage, a worker's stacks of moves and
/// outcomes.
#[cfg(unix)]
const BESIDE_STACK: usize = 256 << 10;

/// How often a search that waits for its turn looks whether it still has to.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// Threads for parallel searches, started once and used by one search after another.
///
/// Clones share the threads, which end when the last clone is gone; a search that is under way keeps them.
/// One search has the pool at a time: another one that comes meanwhile waits for its turn. Only a search that
/// is begun within another on the same pool, by its callback, its game or its evaluator, would wait in vain:
/// it does without help. (An evaluator that waits for jobs of its own on a thread of this pool may be given a
/// search's to run meanwhile, and wait for itself; it needs a pool of its own.) A panic in a game or an
/// evaluator ends its search and leaves the pool as it was.
///
/// Each thread has a stack of 16 MiB, which is reserved, and used as far as a search is deep: see
/// [`Searcher`](crate::Searcher#stacks).
#[derive(Clone, Debug)]
pub struct Pool {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    threads: Arc<rayon::ThreadPool>,
    /// How many threads the machine runs at once. Asking the system takes as long as a small search.
    processors: usize,
    turn: Mutex<()>,
    /// Who leads the search whose turn it is.
    leader: Mutex<Option<ThreadId>>,
}

/// A search's turn on a pool; over when it goes out of scope.
#[derive(Debug)]
pub(crate) struct Turn<'p> {
    shared: &'p Shared,
    _turn: MutexGuard<'p, ()>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.shared.leader.lock() = None; // before the turn passes on
    }
}

impl Pool {
    /// A pool for searches with up to `threads` threads, the calling one counted in.
    ///
    /// # Errors
    /// [`SearchError::Threads`] when the system refuses to start them or has no room for their stacks,
    /// [`SearchError::Options`] when there are none or more than [`MAX_THREADS`](crate::search::MAX_THREADS).
    pub fn new(threads: usize) -> Result<Self, SearchError> {
        Pool::starting_with(threads, |_| {})
    }

    /// As [`new`](Self::new), each thread of which calls `start` with its number, from 0, before it does
    /// anything else: to pin it to a processor, for instance. The calling thread, which leads searches, is
    /// none of them.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn starting_with(
        threads: usize,
        start: impl Fn(usize) + Send + Sync + 'static,
    ) -> Result<Self, SearchError> {
        crate::search::check_threads(threads)?;
        let refused = |error: &dyn Error| SearchError::Threads {
            found: threads,
            message: format!("with a stack of {} MiB each: {error}", STACK >> 20),
        };
        look_for_room(threads).map_err(|error| refused(&error))?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .thread_name(|index| format!("starsplit-{index}"))
            .start_handler(start)
            .build()
            .map_err(|error| refused(&error))?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let shared =
            Shared { threads: Arc::new(pool), processors, turn: Mutex::new(()), leader: Mutex::new(None) };
        Ok(Pool { shared: Arc::new(shared) })
    }

    /// The greatest number of threads that a search can have.
    pub fn threads(&self) -> usize {
        self.shared.threads.current_num_threads()
    }

    /// Runs `work(0)` on the calling thread and `work(1)` to `work(count - 1)` on threads of the pool, at the
    /// same time, as a search on `count` threads has its workers; gives what they returned, in that order.
    /// Searches on the pool wait meanwhile, and this waits for one that is under way.
    ///
    /// # Panics
    /// When `count` is 0 or more than [`threads`](Self::threads), and when `work` does.
    pub fn run_together<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let most = self.threads();
        assert!((1..=most).contains(&count), "{count} at once on a pool of {most} threads");
        let turn = self.shared.turn.lock();
        *self.shared.leader.lock() = Some(std::thread::current().id());
        let _turn = Turn { shared: &self.shared, _turn: turn };
        let places: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        let run = |number: usize| *places[number].lock() = Some(work(number));
        self.rayon().in_place_scope(|scope| {
            let run = &run;
            (1..count).for_each(|number| scope.spawn(move |_| run(number)));
            run(0);
        });
        let done = |place: &Mutex<Option<R>>| place.lock().take().expect("the scope waits for all of them");
        places.iter().map(done).collect()
    }

    /// How many threads the machine ran at once when the pool was made.
    pub(crate) fn processors(&self) -> usize {
        self.shared.processors
    }

    /// The threads.
    pub(crate) fn rayon(&self) -> &Arc<rayon::ThreadPool> {
        &self.shared.threads
    }

    /// Waits until no other search has the pool; `None` when the search is halted first, or is part of the
    /// search that has it.
    pub(crate) fn wait_for_turn(&self, control: &Control) -> Option<Turn<'_>> {
        let shared = &*self.shared;
        let own = std::thread::current().id();
        if shared.threads.current_thread_index().is_some() || *shared.leader.lock() == Some(own) {
            return None;
        }
        loop {
            if let Some(turn) = shared.turn.try_lock_for(BETWEEN_LOOKS) {
                *shared.leader.lock() = Some(own);
                return Some(Turn { shared, _turn: turn });
            }
            if control.check_at(Instant::now()) {
                return None;
            }
        }
    }
}

/// Whether the system has room for so many workers. Where there is just enough for their stacks, the first
/// thread that asks for a little more is refused it, and that ends the process.
#[cfg(unix)]
pub(crate) fn look_for_room(workers: usize) -> io::Result<()> {
    let bytes = workers.saturating_mul(STACK + BESIDE_STACK);
    memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().map(drop)
}

/// Elsewhere mapping memory would take it, not only look for it.
#[cfg(not(unix))]
pub(crate) fn look_for_room(_workers: usize) -> io::Result<()> {
    Ok(())
}

/// Asks something of the game or the evaluator, a whole search as well, and makes an error of a panic.
///
/// # Errors
/// When there is one: [`SearchError::Panicked`].
// What the panic left behind is thrown away with the worker; the table holds proven entries only.
pub fn catch<R>(search: impl FnOnce() -> R) -> Result<R, SearchError> {
    catch_unwind(AssertUnwindSafe(search)).map_err(|panic| {
        let message = message_of(&*panic);
        discard(panic);
        SearchError::Panicked { message }
    })
}

/// Drops what a panic carried. That may panic in turn, with something whose end may panic, and so on without
/// end: so the second of them is never dropped, and its memory is lost.
fn discard(panic: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(second);
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
