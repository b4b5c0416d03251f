//! A pool of threads that searches use one after another.

use crate::search::{Control, SearchError};
use crate::sync::{Mutex, MutexGuard};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// A thread's stack: room for the deepest search of positions of some kilobytes. It is reserved, not used.
const STACK: usize = 16 << 20;

/// How often a search that waits for its turn looks whether it still has to.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// Threads for parallel searches, started once and used by one search after another.
///
/// Clones share the threads, which end when the last clone is gone; a search that is under way keeps them. One search
/// has the pool at a time: another one that comes meanwhile waits for its turn. A panic in a game or an evaluator ends
/// its search and leaves the pool as it was.
#[derive(Clone, Debug)]
pub struct Pool {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    threads: Arc<rayon::ThreadPool>,
    turn: Mutex<()>,
}

impl Pool {
    /// A pool for searches with up to `threads` threads, the calling one counted in.
    ///
    /// # Errors
    /// [`SearchError::Threads`] when the system refuses to start them, [`SearchError::Options`] when there are none or
    /// more than [`MAX_THREADS`](crate::search::MAX_THREADS).
    pub fn new(threads: usize) -> Result<Self, SearchError> {
        crate::search::check_threads(threads)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .thread_name(|index| format!("starsplit-{index}"))
            .build()
            .map_err(|error| SearchError::Threads { found: threads, message: error.to_string() })?;
        Ok(Pool { shared: Arc::new(Shared { threads: Arc::new(pool), turn: Mutex::new(()) }) })
    }

    /// The greatest number of threads that a search can have.
    pub fn threads(&self) -> usize {
        self.shared.threads.current_num_threads()
    }

    /// The threads.
    pub(crate) fn rayon(&self) -> &Arc<rayon::ThreadPool> {
        &self.shared.threads
    }

    /// Waits until no other search has the pool; `None` when the search is halted first.
    pub(crate) fn wait_for_turn(&self, control: &Control) -> Option<MutexGuard<'_, ()>> {
        loop {
            if let Some(turn) = self.shared.turn.try_lock_for(BETWEEN_LOOKS) {
                return Some(turn);
            }
            if control.check(0) {
                return None;
            }
        }
    }
}

/// Runs a search, turning a panic of the game or the evaluator into an error. What the panic left behind is thrown
/// away with the worker; the table holds proven entries only, whatever happened.
pub(crate) fn catch<R>(search: impl FnOnce() -> R) -> Result<R, SearchError> {
    catch_unwind(AssertUnwindSafe(search))
        .map_err(|panic| SearchError::Panicked { message: message_of(&*panic) })
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
