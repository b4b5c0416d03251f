//! Calling threads of a pool that sleep, without waiting for them.
//!
//! To wake a thread takes some 25 microseconds, and a search may be over before it is awake. So the search is not handed
//! over with the call: who comes says so and stays at the bell, and the caller, who looks now and then, hands over work that
//! begins at once. What is over before anybody came waits for nobody: who comes late finds the bell silent and leaves.

use crate::sync::{AtomicBool, Condvar, Line, Mutex, Relaxed, unless_broken, wait_for};
use std::sync::Arc;
use std::time::Duration;

/// How often who has come looks whether he is needed before he sleeps until he is told.
const LOOKS: u32 = 2_000;

/// How long he sleeps at most before he looks again.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);

/// The caller's end of a call, which is over when it is dropped.
#[derive(Debug)]
pub(crate) struct Bell(Arc<Call>);

/// A call.
#[derive(Debug)]
pub(crate) struct Call {
    is_answered: AtomicBool,
    is_over: Mutex<bool>,
    end: Condvar,
}

impl Bell {
    /// A bell that nobody has heard yet: [`Call::answer`] is for those who do.
    pub(crate) fn new() -> (Self, Arc<Call>) {
        let call =
            Call { is_answered: AtomicBool::new(false), is_over: Mutex::new(false), end: Condvar::new() };
        let call = Arc::new(call);
        (Bell(call.clone()), call)
    }

    /// Whether somebody has come.
    pub(crate) fn is_answered(&self) -> bool {
        self.0.is_answered.load(Relaxed) // Relaxed: it publishes nothing; the work is handed over by other means.
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        *self.0.is_over.lock() = true;
        if unless_broken(Line::BellEnds, true, false) {
            self.0.end.notify_all();
        }
    }
}

impl Call {
    /// Whether nobody is wanted any more.
    pub(crate) fn is_over(&self) -> bool {
        *self.is_over.lock()
    }

    /// Says that somebody has come, and stays until the call is over; `relax` passes the time between the first looks.
    pub(crate) fn answer(&self, relax: impl Fn(u32)) {
        self.is_answered.store(true, Relaxed); // Relaxed: as in `Bell::is_answered`.
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
    use crate::sync::break_line;
    use loom::thread;

    /// Somebody answers while the caller may have given up already. In a model nobody wakes by himself.
    fn model() {
        loom::model(|| {
            let (bell, call) = Bell::new();
            let thread = thread::spawn(move || call.sleep_until_over());
            let _ = bell.is_answered();
            drop(bell);
            thread.join().unwrap();
        });
    }

    #[test]
    fn loom_who_answers_a_bell_is_let_go() {
        model();
    }

    #[test]
    #[should_panic(expected = "deadlock")]
    fn loom_fails_where_the_end_is_not_told() {
        let _mended_afterwards = break_line(Line::BellEnds);
        model();
    }
}
