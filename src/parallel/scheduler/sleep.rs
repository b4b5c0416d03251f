//! How idle workers sleep and are woken.
//!
//! Each worker has its own lock and condition variable. With a common one, the workers woken at a search's
//! end would pass through its lock one after another, each with a thread switch.

use crate::sync::{
    AtomicUsize, CachePadded, Condvar, Mutex, ProtocolStep, Relaxed, SeqCst, fence, unless_broken, wait_for,
};
use std::time::Duration;

/// The sleepers of a team.
#[derive(Debug)]
pub(crate) struct Sleep {
    /// By worker.
    states: Box<[SleepState]>,
    /// The sleepers not yet woken. The last one is woken first, since its caches are warmest.
    sleepers: Mutex<Vec<usize>>,
    /// Their number, to read without the lock. Changed under the lock only.
    count: CachePadded<AtomicUsize>,
}

#[derive(Debug)]
struct SleepState {
    is_woken: Mutex<bool>,
    wake_up: Condvar,
}

impl Sleep {
    pub(crate) fn new(workers: usize) -> Self {
        let state = || SleepState { is_woken: Mutex::new(false), wake_up: Condvar::new() };
        Sleep {
            states: (0..workers).map(|_| state()).collect(),
            sleepers: Mutex::new(Vec::new()),
            count: CachePadded::new(AtomicUsize::new(0)),
        }
    }

    /// Sleeps until woken, or until `longest` has passed. Returns at once if `stays_awake` holds. No wake-up
    /// is lost: either `stays_awake` sees the event, or the thread that causes it sees the sleeper and wakes
    /// it.
    pub(crate) fn sleep(&self, worker: usize, longest: Duration, stays_awake: impl FnOnce() -> bool) {
        let state = &self.states[worker];
        *state.is_woken.lock() = false;
        {
            let mut sleepers = self.sleepers.lock();
            sleepers.push(worker);
            self.count.store(sleepers.len(), Relaxed); // Relaxed: the fence orders it.
        }
        // With the fence in `wake_one`: either the waker sees this sleeper, or the sleeper sees the event.
        fence(SeqCst);
        if !stays_awake() {
            let is_woken = state.is_woken.lock();
            if !*is_woken {
                drop(wait_for(&state.wake_up, is_woken, longest));
            }
        }
        let mut sleepers = self.sleepers.lock();
        sleepers.retain(|&sleeper| sleeper != worker);
        self.count.store(sleepers.len(), Relaxed); // Relaxed: at worst too high for a moment.
    }

    /// Wakes a sleeper, if there is one, for an event made visible just before.
    pub(crate) fn wake_one(&self) {
        if unless_broken(ProtocolStep::WakeFences, true, false) {
            fence(SeqCst); // As in `sleep`.
        }
        // Relaxed: the fence orders it.
        if self.count.load(Relaxed) > 0 {
            if let Some(sleeper) = self.take_one() {
                self.states[sleeper].wake();
            }
        }
    }

    fn take_one(&self) -> Option<usize> {
        let mut sleepers = self.sleepers.lock();
        let sleeper = sleepers.pop();
        self.count.store(sleepers.len(), Relaxed); // Relaxed: as in `sleep`.
        sleeper
    }

    /// Wakes all sleepers for an event made visible before.
    pub(crate) fn wake_all(&self) {
        // The lock is taken after the event: a later sleeper sees the event.
        let woken = {
            let mut sleepers = self.sleepers.lock();
            self.count.store(0, Relaxed); // Relaxed: as in `sleep`.
            std::mem::take(&mut *sleepers)
        };
        woken.into_iter().for_each(|sleeper| self.states[sleeper].wake());
    }
}

impl SleepState {
    fn wake(&self) {
        *self.is_woken.lock() = true;
        self.wake_up.notify_one();
    }
}

#[cfg(all(test, loom))]
mod tests;
