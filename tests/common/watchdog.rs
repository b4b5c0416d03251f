//! A watch over searches that might never end: a test that waits for them fails instead, and names the
//! search.

use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A time that no search of these tests needs, on no machine.
const TOO_LONG: Duration = Duration::from_secs(180);

/// What is being searched, and since when.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Mutex<Option<Begun>>>);

type Begun = (String, Instant);

impl Watch {
    /// Calls `search`, which has to end in time.
    pub(crate) fn over<R>(&self, what: impl FnOnce() -> String, search: impl FnOnce() -> R) -> R {
        *self.lock() = Some((what(), Instant::now()));
        let found = search();
        *self.lock() = None;
        found
    }

    fn lock(&self) -> MutexGuard<'_, Option<Begun>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn overdue(&self) -> Option<String> {
        self.lock().as_ref().filter(|(_, since)| since.elapsed() > TOO_LONG).map(|(what, _)| what.clone())
    }
}

/// Calls `act` on a thread of its own; panics where it does, or where a search of it does not end.
pub(crate) fn watched<R: Send + 'static>(act: impl FnOnce(&Watch) -> R + Send + 'static) -> R {
    let watch = Watch::default();
    let (sender, receiver) = mpsc::channel();
    let inner = watch.clone();
    std::thread::spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| act(&inner)));
        // Nobody listens any more where the test has failed meanwhile.
        let _ = sender.send(outcome);
    });
    loop {
        match receiver.recv_timeout(Duration::from_millis(500)) {
            Ok(outcome) => return outcome.unwrap_or_else(|panic: Box<dyn Any + Send>| resume_unwind(panic)),
            Err(RecvTimeoutError::Disconnected) => unreachable!("the thread sends before it ends"),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(what) = watch.overdue() {
                    panic!("no end after {TOO_LONG:?}: {what}");
                }
            }
        }
    }
}

/// A search that has to end: `what` names it where it does not.
pub(crate) fn without_hanging<R: Send + 'static>(
    what: impl Debug,
    act: impl FnOnce() -> R + Send + 'static,
) -> R {
    let what = format!("{what:?}");
    watched(move |watch| watch.over(|| what, act))
}
