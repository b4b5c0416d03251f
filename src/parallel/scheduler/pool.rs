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

/// A worker's stack, on a pool thread or a virtual processor: enough for the deepest search with positions of
/// some kilobytes. It is reserved, not used.
pub(crate) const STACK: usize = 16 << 20;

/// What a worker soon needs besides its stack: thread-local storage, and its stacks of moves and outcomes.
#[cfg(unix)]
const BESIDE_STACK: usize = 256 << 10;

/// How often a search that waits for its turn polls its limits.
const BETWEEN_POLLS: Duration = Duration::from_millis(1);

/// Threads for parallel searches, started once and used by one search after another.
///
/// Clones share the threads, which end with the last clone; a running search keeps them alive. The pool runs
/// one search at a time, and others wait for their turn. A search started within another on the same pool, by
/// its callback, game or evaluator, would wait for ever: it runs without helpers instead. (An evaluator that
/// waits for its own jobs on a thread of this pool needs a pool of its own. Otherwise the thread may run a
/// job of the search meanwhile, and wait for itself.) A panic in a game or an evaluator ends its search and
/// leaves the pool usable.
///
/// Each thread reserves a stack of 16 MiB and uses as much as a search is deep: see
/// [`Searcher`](crate::Searcher#stacks).
#[derive(Clone, Debug)]
pub struct Pool {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    threads: Arc<rayon::ThreadPool>,
    /// The threads that the machine runs at once. Kept, because asking the system takes as long as a small
    /// search.
    processors: usize,
    turn: Mutex<()>,
    /// The leader of the search whose turn it is.
    leader: Mutex<Option<ThreadId>>,
}

/// A search's turn on a pool, until it is dropped.
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
    /// A pool for searches with up to `threads` threads, the calling one included.
    ///
    /// # Errors
    /// [`SearchError::Refused`] if the system refuses the threads or their stacks; [`SearchError::Options`]
    /// if `threads` is not in 1 to [`MAX_THREADS`](crate::search::MAX_THREADS).
    pub fn new(threads: usize) -> Result<Self, SearchError> {
        Pool::starting_with(threads, |_| {})
    }

    /// As [`new`](Self::new), but each thread first calls `start` with its index from 0, for instance to pin
    /// itself to a processor. The calling thread, which leads searches, is not among them.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn starting_with(
        threads: usize,
        start: impl Fn(usize) + Send + Sync + 'static,
    ) -> Result<Self, SearchError> {
        Pool::running_within(threads, move |index, run| {
            start(index);
            run();
        })
    }

    /// As [`new`](Self::new), but each thread runs within `around`, which is called with its index from 0 and
    /// has to call what it is given: for what has to be there as long as the thread is.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn running_within(
        threads: usize,
        around: impl Fn(usize, Box<dyn FnOnce() + Send>) + Send + Sync + 'static,
    ) -> Result<Self, SearchError> {
        crate::search::check_threads(threads)?;
        let refused = |error: &dyn Error| SearchError::Refused {
            what: format!("threads {threads}"),
            message: format!("to start them: with a stack of {} MiB each: {error}", STACK >> 20),
        };
        check_room(threads).map_err(|error| refused(&error))?;
        let around = Arc::new(around);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|thread| {
                let (index, around) = (thread.index(), Arc::clone(&around));
                let named = std::thread::Builder::new().name(format!("starsplit-{index}"));
                let run = Box::new(move || thread.run());
                named.stack_size(STACK).spawn(move || around(index, run)).map(drop)
            })
            .build()
            .map_err(|error| refused(&error))?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let shared =
            Shared { threads: Arc::new(pool), processors, turn: Mutex::new(()), leader: Mutex::new(None) };
        Ok(Pool { shared: Arc::new(shared) })
    }

    /// The greatest number of threads of a search.
    pub fn threads(&self) -> usize {
        self.shared.threads.current_num_threads()
    }

    /// Runs `work(0)` on the calling thread and `work(1)` to `work(count - 1)` on the pool's threads at the
    /// same time, as a search on `count` threads runs its workers. Returns the results in that order. Waits
    /// for a running search; later searches wait for this.
    ///
    /// # Panics
    /// If `count` is 0 or more than [`threads`](Self::threads), or if `work` panics.
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

    /// The threads that the machine ran at once when the pool was made.
    pub(crate) fn processors(&self) -> usize {
        self.shared.processors
    }

    /// The threads.
    pub(crate) fn rayon(&self) -> &Arc<rayon::ThreadPool> {
        &self.shared.threads
    }

    /// Waits until no other search uses the pool. `None` if the search is halted first, or runs within the
    /// search that uses the pool.
    pub(crate) fn wait_for_turn(&self, control: &Control) -> Option<Turn<'_>> {
        let shared = &*self.shared;
        let own = std::thread::current().id();
        if shared.threads.current_thread_index().is_some() || *shared.leader.lock() == Some(own) {
            return None;
        }
        loop {
            if let Some(turn) = shared.turn.try_lock_for(BETWEEN_POLLS) {
                *shared.leader.lock() = Some(own);
                return Some(Turn { shared, _turn: turn });
            }
            if control.check_at(Instant::now()) {
                return None;
            }
        }
    }
}

/// Checks that the system has memory for this many workers. If there is barely enough for their stacks, the
/// first thread that asks for a little more is refused, which ends the process.
#[cfg(unix)]
pub(crate) fn check_room(workers: usize) -> io::Result<()> {
    let bytes = workers.saturating_mul(STACK + BESIDE_STACK);
    memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().map(drop)
}

/// On other systems mapping memory would also commit it.
#[cfg(not(unix))]
pub(crate) fn check_room(_workers: usize) -> io::Result<()> {
    Ok(())
}

/// Calls the game or the evaluator, or runs a whole search, and turns a panic into an error.
///
/// # Errors
/// [`SearchError::Panicked`] on a panic.
// Unwind-safe: the worker is discarded after a panic, and the table holds proven entries only.
pub fn catch<R>(search: impl FnOnce() -> R) -> Result<R, SearchError> {
    catch_unwind(AssertUnwindSafe(search)).map_err(|panic| {
        let message = message_of(&*panic);
        discard(panic);
        SearchError::Panicked { message }
    })
}

/// Drops a panic's payload. That may panic with another payload, whose drop may panic, and so on; so the
/// second one is leaked.
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
