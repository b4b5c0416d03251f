//! A pool of threads that searches use one after another.

use crate::parallel::stack::{STACK, check_room};
use crate::search::{SearchError, catch};
use crate::sync::{Condvar, Mutex};
use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::thread::ThreadId;
use std::time::Duration;
use std::{fmt, process};

/// Threads for parallel searches, started once and used by one search at a time.
///
/// Clones share the threads, which end with the last clone; a running search keeps them alive. A search that
/// finds them busy goes on alone and takes them when they are free. So does a search started within another
/// on the same pool, by its callback, game or evaluator. (An evaluator that waits for its own jobs on a
/// thread of this pool needs a pool of its own. Otherwise the thread may run a job of the search meanwhile,
/// and wait for itself.) A panic in a game or an evaluator ends its search and leaves the pool usable.
///
/// Searches may be called from threads of other rayon pools. While such a thread waits for a search, it runs
/// no jobs of its pool. In a forked process, where the threads of its parent are missing, a pool starts
/// threads of its own.
///
/// Each thread reserves a stack of 16 MiB and uses as much as a search is deep: see
/// [`Searcher`](crate::Searcher#stacks).
#[derive(Clone, Debug)]
pub struct Pool {
    shared: Arc<Shared>,
}

/// What each thread of a pool runs within, given its index.
type Around = dyn Fn(usize, Box<dyn FnOnce() + Send>) + Send + Sync;

struct Shared {
    /// Always there, but while it is dropped.
    threads: Option<Arc<rayon::ThreadPool>>,
    around: Arc<Around>,
    /// Why a thread does not run within it.
    failed: Arc<OnceLock<SearchError>>,
    /// The threads that the machine runs at once. Kept, because asking the system takes as long as a small
    /// search.
    processors: usize,
    /// The process that has the threads.
    process: u32,
    /// The pool of a forked process.
    in_child: OnceLock<Pool>,
    /// Whose turn it is: the thread that leads.
    leader: Mutex<Option<ThreadId>>,
    freed: Condvar,
}

impl Drop for Shared {
    fn drop(&mut self) {
        // In a forked process they cannot end.
        if self.process != process::id() {
            std::mem::forget(self.threads.take());
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { threads, process, .. } = self;
        f.debug_struct("Shared").field("threads", threads).field("process", process).finish_non_exhaustive()
    }
}

/// A search's turn on a pool, until it is dropped.
#[derive(Debug)]
struct PoolTurn(Pool);

impl Drop for PoolTurn {
    fn drop(&mut self) {
        *self.0.shared.leader.lock() = None;
        self.0.shared.freed.notify_one();
    }
}

/// A search's wish for its pool's threads.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    turn: Option<PoolTurn>,
    /// When it first wished for them, after the search began.
    since: Option<Duration>,
    /// How long another search had them.
    pub(crate) waited: Duration,
}

impl Wish {
    /// Takes the search's turn on the pool, unless it has it. Returns false while another search has it.
    pub(crate) fn grant(&mut self, pool: &Pool, elapsed: Duration) -> bool {
        if self.turn.is_none() {
            self.turn = pool.turn();
            self.waited = elapsed.saturating_sub(*self.since.get_or_insert(elapsed));
        }
        self.is_granted()
    }

    /// Whether the search has its turn.
    pub(crate) fn is_granted(&self) -> bool {
        self.turn.is_some()
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
    /// itself to a processor. The calling thread, which leads searches, is not among them. After a panic in
    /// `start`, searches on the pool end with [`SearchError::Panicked`].
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
    /// has to call what it is given: for what has to be there as long as the thread is. Where it panics or
    /// returns before that, searches on the pool end with [`SearchError::Panicked`].
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn running_within(
        threads: usize,
        around: impl Fn(usize, Box<dyn FnOnce() + Send>) + Send + Sync + 'static,
    ) -> Result<Self, SearchError> {
        Pool::start(threads, Arc::new(around))
    }

    fn start(threads: usize, around: Arc<Around>) -> Result<Self, SearchError> {
        crate::search::check_threads(threads)?;
        let refused = |error: &dyn Error| SearchError::Refused {
            what: format!("threads {threads}"),
            message: format!("to start them: with a stack of {} MiB each: {error}", STACK >> 20),
        };
        check_room(threads, STACK).map_err(|error| refused(&error))?;
        let failed = Arc::new(OnceLock::new());
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|thread| {
                let (around, failed) = (Arc::clone(&around), Arc::clone(&failed));
                let named = std::thread::Builder::new().name(format!("starsplit-{}", thread.index()));
                named.stack_size(STACK).spawn(move || run_thread(thread, &*around, &failed)).map(drop)
            })
            .build()
            .map_err(|error| refused(&error))?;
        let shared = Shared {
            threads: Some(Arc::new(pool)),
            around,
            failed,
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            process: process::id(),
            in_child: OnceLock::new(),
            leader: Mutex::new(None),
            freed: Condvar::new(),
        };
        Ok(Pool { shared: Arc::new(shared) })
    }

    /// This pool, or in a forked process the one that it has there.
    ///
    /// # Errors
    /// If what a thread was to run within has failed. As [`new`](Self::new), in a forked process.
    pub(crate) fn of_this_process(&self) -> Result<Self, SearchError> {
        let mut pool = self.clone();
        while pool.shared.process != process::id() {
            if pool.shared.in_child.get().is_none() {
                let made = Pool::start(pool.threads(), Arc::clone(&pool.shared.around))?;
                let _ = pool.shared.in_child.set(made); // Another thread's is as good.
            }
            let in_child = pool.shared.in_child.get().expect("it was set just now").clone();
            pool = in_child;
        }
        pool.shared.failed.get().map_or(Ok(()), |error| Err(error.clone()))?;
        Ok(pool)
    }

    /// The greatest number of threads of a search.
    pub fn threads(&self) -> usize {
        self.rayon().current_num_threads()
    }

    /// Runs `work(0)` on the calling thread and `work(1)` to `work(count - 1)` on the pool's threads at the
    /// same time, as a search on `count` threads runs its workers. Returns the results in that order. Waits
    /// while a search has the threads; searches that begin meanwhile go on alone.
    ///
    /// # Panics
    /// If `count` is 0 or more than [`threads`](Self::threads), or if `work` panics. In a thread of the pool
    /// or one that leads a search on it, which would wait for itself. If what a thread was to run within has
    /// failed. In a forked process, if the system refuses the threads.
    pub fn run_together<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let pool = self.of_this_process().unwrap_or_else(|error| panic!("{error}"));
        let most = pool.threads();
        assert!((1..=most).contains(&count), "{count} at once on a pool of {most} threads");
        let _turn = pool.wait_for_turn();
        let places: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        let run = |number: usize| *places[number].lock() = Some(work(number));
        let (run, threads) = (&run, pool.rayon());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                threads.in_place_scope(|scope| {
                    (1..count).for_each(|number| scope.spawn(move |_| run(number)));
                });
            });
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
        self.shared.threads.as_ref().expect("they are there until the last handle is dropped")
    }

    /// A turn on the pool; `None` while another search has it.
    fn turn(&self) -> Option<PoolTurn> {
        let mut leader = self.shared.leader.lock();
        if leader.is_some() {
            return None;
        }
        *leader = Some(std::thread::current().id());
        Some(PoolTurn(self.clone()))
    }

    fn wait_for_turn(&self) -> PoolTurn {
        let own = std::thread::current().id();
        let mut leader = self.shared.leader.lock();
        let is_within = *leader == Some(own) || self.rayon().current_thread_index().is_some();
        assert!(!is_within, "within a search on the same pool");
        while leader.is_some() {
            self.shared.freed.wait(&mut leader);
        }
        *leader = Some(own);
        PoolTurn(self.clone())
    }
}

/// Runs a thread within `around`; without it after a failure, since what is left to a thread that is missing
/// would wait for ever.
fn run_thread(thread: rayon::ThreadBuilder, around: &Around, failed: &OnceLock<SearchError>) {
    let (index, thread) = (thread.index(), Arc::new(Mutex::new(Some(thread))));
    let take = |thread: &Mutex<Option<rayon::ThreadBuilder>>| thread.lock().take();
    let given = Arc::clone(&thread);
    let called =
        catch(|| around(index, Box::new(move || take(&given).map_or((), rayon::ThreadBuilder::run))));
    if let Some(thread) = take(&thread) {
        let message = format!("thread {index} of the pool was not run by what it was to run within");
        let _ = failed.set(called.err().unwrap_or(SearchError::Panicked { message }));
        thread.run();
    }
}

/// Whether the calling thread belongs to a rayon pool. Where rayon waits on such a thread, it runs jobs of
/// that pool, which may wait for what the caller of the search holds.
pub(crate) fn is_in_a_pool() -> bool {
    rayon::current_thread_index().is_some()
}
