//! How idle workers sleep and are woken.
//!
//! Each worker has its own lock and condition variable. With a common one, the workers woken at a search's
//! end would pass through its lock one after another, each with a thread switch.

use crate::sync::{
    AtomicUsize, CachePadded, Condvar, Mutex, ProtocolStep, Relaxed, SeqCst, fence, unless_broken, wait_for,
};
use std::time::Duration;

/// How many sleepers one wakes when the search is over. In a model one, so that two are a tree.
const WOKEN_BY_ONE: usize = if cfg!(loom) { 1 } else { 2 };

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

    /// Sleeps, which `rest` does. Returns at once if `stays_awake` holds. No wake-up is lost: either
    /// `stays_awake` sees the event, or the thread that causes it sees the sleeper and wakes it.
    pub(crate) fn sleep(&self, worker: usize, stays_awake: impl FnOnce() -> bool, rest: impl FnOnce()) {
        *self.states[worker].is_woken.lock() = false;
        {
            let mut sleepers = self.sleepers.lock();
            sleepers.push(worker);
            self.count.store(sleepers.len(), Relaxed); // Relaxed: the fence orders it.
        }
        // With the fence in `one`: either the waker sees this sleeper, or the sleeper sees the event.
        fence(SeqCst);
        if !stays_awake() {
            rest();
        }
        let mut sleepers = self.sleepers.lock();
        sleepers.retain(|&sleeper| sleeper != worker);
        self.count.store(sleepers.len(), Relaxed); // Relaxed: at worst too high for a moment.
    }

    /// How a thread rests in [`sleep`](Self::sleep): until it is woken, or until `longest` has passed.
    pub(crate) fn rest(&self, worker: usize, longest: Duration) {
        let SleepState { is_woken, wake_up } = &self.states[worker];
        let is_woken = is_woken.lock();
        if !*is_woken {
            drop(wait_for(wake_up, is_woken, longest));
        }
    }

    /// A sleeper, if there is one, for [`wake`](Self::wake), after an event made visible just before.
    pub(crate) fn one(&self) -> Option<usize> {
        if unless_broken(ProtocolStep::WakeFences, true, false) {
            fence(SeqCst); // As in `sleep`.
        }
        // Relaxed: the fence orders it.
        if self.count.load(Relaxed) > 0 { self.pop(1).pop() } else { None }
    }

    /// The sleepers that are woken first when the search is over, which was made visible before. They do the
    /// same: so all wake as a tree, and nobody wakes many.
    pub(crate) fn first_of_all(&self) -> Vec<usize> {
        // The lock is taken after the event: a later sleeper sees the event.
        self.pop(WOKEN_BY_ONE)
    }

    /// Up to this many sleepers.
    fn pop(&self, most: usize) -> Vec<usize> {
        let mut sleepers = self.sleepers.lock();
        let left = sleepers.len().saturating_sub(most);
        let taken = sleepers.split_off(left);
        self.count.store(left, Relaxed); // Relaxed: as in `sleep`.
        taken
    }

    /// Wakes a sleeper that was taken. It may be awake by itself meanwhile.
    pub(crate) fn wake(&self, sleeper: usize) {
        let SleepState { is_woken, wake_up } = &self.states[sleeper];
        *is_woken.lock() = true;
        wake_up.notify_one();
    }
}

#[cfg(all(test, loom))]
mod tests;
