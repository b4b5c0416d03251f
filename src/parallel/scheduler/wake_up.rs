//! Waking threads of a pool without waiting for them.
//!
//! To wake a thread takes some 25 microseconds, and a search may be over before it is awake. So the search is
//! not handed over with the call: a thread that is awake says so and stands by, and the caller, who looks now
//! and then, hands over work that begins at once. What is over before anybody was awake waits for nobody: who
//! comes late finds the call over and leaves.

use crate::sync::{AtomicBool, Condvar, Mutex, ProtocolStep, Relaxed, unless_broken, wait_for};
use std::sync::Arc;
use std::time::Duration;

/// How often a thread that stands by looks whether the call is over before it sleeps until it is told.
const LOOKS: u32 = 2_000;

/// How long it sleeps at most before it looks again.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);

/// The caller's end of a call, which is over when it is dropped.
#[derive(Debug)]
pub(crate) struct WakeUp(Arc<Signal>);

/// What the caller and those who are woken share.
#[derive(Debug)]
pub(crate) struct Signal {
    is_awake: AtomicBool,
    is_over: Mutex<bool>,
    end: Condvar,
}

impl WakeUp {
    /// A call to which nobody has woken up yet: [`Signal::stand_by`] is for those who do.
    pub(crate) fn new() -> (Self, Arc<Signal>) {
        let signal =
            Signal { is_awake: AtomicBool::new(false), is_over: Mutex::new(false), end: Condvar::new() };
        let signal = Arc::new(signal);
        (WakeUp(signal.clone()), signal)
    }

    /// Whether somebody is awake.
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
    /// Whether nobody is wanted any more.
    pub(crate) fn is_over(&self) -> bool {
        *self.is_over.lock()
    }

    /// Says that somebody is awake, and waits until the call is over; `relax` passes the time between the
    /// first looks.
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
mod loom_models {
    use super::*;
    use crate::sync::break_step;
    use loom::thread;

    /// Somebody stands by while the caller may have given up already. In a model nobody wakes by himself.
    fn model() {
        loom::model(|| {
            let (call, signal) = WakeUp::new();
            let thread = thread::spawn(move || signal.sleep_until_over());
            let _ = call.is_answered();
            drop(call);
            thread.join().unwrap();
        });
    }

    #[test]
    fn loom_who_stands_by_is_let_go() {
        model();
    }

    #[test]
    #[should_panic(expected = "deadlock")]
    fn loom_fails_where_the_end_is_not_told() {
        let _mended_afterwards = break_step(ProtocolStep::WakeUpEnds);
        model();
    }
}
