//! Waking threads of a pool without waiting for them.
//!
//! Waking a thread takes some 25 microseconds, and a search may end before that. So the call does not hand
//! over the search. A thread that is awake says so and stands by; the caller polls now and then, and hands
//! over work that starts at once. A search that ends earlier waits for no thread: a late thread finds the
//! call over and leaves.

use crate::sync::{AtomicBool, Condvar, Mutex, ProtocolStep, Relaxed, unless_broken, wait_for};
use std::sync::Arc;
use std::time::Duration;

/// How often a thread that stands by looks whether the call is over, before it sleeps.
const LOOKS: u32 = 2_000;

/// Its longest sleep before it looks again.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);

/// The caller's end of a call. Dropping it ends the call.
#[derive(Debug)]
pub(crate) struct WakeUp(Arc<Signal>);

/// What the caller and the woken threads share.
#[derive(Debug)]
pub(crate) struct Signal {
    is_awake: AtomicBool,
    is_over: Mutex<bool>,
    end: Condvar,
}

impl WakeUp {
    /// A call that no thread has answered; [`Signal::stand_by`] answers it.
    pub(crate) fn new() -> (Self, Arc<Signal>) {
        let signal =
            Signal { is_awake: AtomicBool::new(false), is_over: Mutex::new(false), end: Condvar::new() };
        let signal = Arc::new(signal);
        (WakeUp(signal.clone()), signal)
    }

    /// Whether a thread is awake.
    pub(crate) fn is_answered(&self) -> bool {
        // Relaxed: it publishes nothing; the work is handed over by other means.
        self.0.is_awake.load(Relaxed)
    }
}

impl Drop for WakeUp {
    fn drop(&mut self) {
        *self.0.is_over.lock() = true;
        if unless_broken(ProtocolStep::WakeUpEnds, true, false) {
            self.0.end.notify_all();
        }
    }
}

impl Signal {
    /// Whether the call is over.
    pub(crate) fn is_over(&self) -> bool {
        *self.is_over.lock()
    }

    /// Answers the call and waits until it is over. `relax` passes the time between the first looks.
    pub(crate) fn stand_by(&self, relax: impl Fn(u32)) {
        self.is_awake.store(true, Relaxed); // Relaxed: as in `WakeUp::is_answered`.
        for looks in 0..LOOKS {
            if self.is_over() {
                return;
            }
            relax(looks);
        }
        self.sleep_until_over();
    }

    fn sleep_until_over(&self) {
        let mut is_over = self.is_over.lock();
        while !*is_over {
            is_over = wait_for(&self.end, is_over, LONGEST_SLEEP);
        }
    }
}

#[cfg(all(test, loom))]
mod tests;
