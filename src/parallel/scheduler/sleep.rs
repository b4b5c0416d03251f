//! Sleeping and waking of workers without work.
//!
//! Each sleeps in a bed of its own: were there one lock and one condition for all, those that a search's end wakes
//! would go through it one after another, each a switch of threads later.

use crate::sync::{
    AtomicUsize, CachePadded, Condvar, Line, Mutex, Relaxed, SeqCst, fence, unless_broken, wait_for,
};
use std::time::Duration;

/// The beds of a team, by worker.
#[derive(Debug)]
pub(crate) struct Beds {
    beds: Box<[Bed]>,
    /// Who lies in bed and was not called yet; the last comer is called first, its caches are the warmest.
    sleepers: Mutex<Vec<usize>>,
    /// How many there are, to be read without the lock. Changed under it only.
    count: CachePadded<AtomicUsize>,
}

#[derive(Debug)]
struct Bed {
    is_called: Mutex<bool>,
    call: Condvar,
}

impl Beds {
    pub(crate) fn new(workers: usize) -> Self {
        let bed = || Bed { is_called: Mutex::new(false), call: Condvar::new() };
        Beds {
            beds: (0..workers).map(|_| bed()).collect(),
            sleepers: Mutex::new(Vec::new()),
            count: CachePadded::new(AtomicUsize::new(0)),
        }
    }

    /// The worker sleeps until it is called, or the longest time has passed. Not at all, if it is to stay up: whatever it
    /// waits for either shows there, or its sleep is seen by whoever brings it about and calls afterwards.
    pub(crate) fn sleep(&self, worker: usize, longest: Duration, stays_up: impl FnOnce() -> bool) {
        let bed = &self.beds[worker];
        *bed.is_called.lock() = false;
        {
            let mut sleepers = self.sleepers.lock();
            sleepers.push(worker);
            self.count.store(sleepers.len(), Relaxed); // Relaxed: the fence orders it.
        }
        // With the fence in `call_one`: either the caller sees this sleeper, or the sleeper what it is called for.
        fence(SeqCst);
        if !stays_up() {
            let is_called = bed.is_called.lock();
            if !*is_called {
                drop(wait_for(&bed.call, is_called, longest));
            }
        }
        let mut sleepers = self.sleepers.lock();
        sleepers.retain(|&sleeper| sleeper != worker);
        self.count.store(sleepers.len(), Relaxed); // Relaxed: too many for a moment, at worst.
    }

    /// Calls a sleeper, if there is one, to what was made known just before.
    pub(crate) fn call_one(&self) {
        if unless_broken(Line::CallFences, true, false) {
            fence(SeqCst); // As in `sleep`.
        }
        // Relaxed: the fence orders it.
        if self.count.load(Relaxed) > 0
            && let Some(sleeper) = self.take_one()
        {
            self.beds[sleeper].call();
        }
    }

    fn take_one(&self) -> Option<usize> {
        let mut sleepers = self.sleepers.lock();
        let sleeper = sleepers.pop();
        self.count.store(sleepers.len(), Relaxed); // Relaxed: as in `sleep`.
        sleeper
    }

    /// Calls everybody to what was made known before.
    pub(crate) fn call_all(&self) {
        // The lock is taken after that was made known: who lies down later sees it.
        let called = {
            let mut sleepers = self.sleepers.lock();
            self.count.store(0, Relaxed); // Relaxed: as in `sleep`.
            std::mem::take(&mut *sleepers)
        };
        called.into_iter().for_each(|sleeper| self.beds[sleeper].call());
    }
}

impl Bed {
    fn call(&self) {
        *self.is_called.lock() = true;
        self.call.notify_one();
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::parallel::scheduler::steal_hints::Offers;
    use crate::sync::{AtomicBool, break_line};
    use loom::sync::Arc;
    use loom::thread;

    /// One worker lies down while another makes something known and calls. In a model nobody wakes by himself, so a call
    /// that is missed is a deadlock.
    fn model(make_known: fn(&Offers, &AtomicBool, &Beds)) {
        loom::model(move || {
            let shared = Arc::new((Beds::new(2), Offers::new(2), AtomicBool::new(false)));
            let callers = shared.clone();
            let caller = thread::spawn(move || {
                let (beds, offers, is_over) = &*callers;
                make_known(offers, is_over, beds);
            });
            let (beds, offers, is_over) = &*shared;
            beds.sleep(0, Duration::from_secs(1), || is_over.load(Relaxed) || offers.is_any_but(0));
            caller.join().unwrap();
            assert!(is_over.load(Relaxed) || offers.is_any_but(0));
        });
    }

    fn offer(offers: &Offers, _: &AtomicBool, beds: &Beds) {
        offers.announce(1);
        beds.call_one();
    }

    #[test]
    fn loom_a_sleeper_is_called_to_an_offer() {
        model(offer);
    }

    #[test]
    fn loom_a_sleeper_is_called_when_the_search_is_over() {
        model(|_, is_over, beds| {
            is_over.store(true, Relaxed);
            beds.call_all();
        });
    }

    #[test]
    #[should_panic(expected = "deadlock")]
    fn loom_fails_where_the_caller_has_no_fence() {
        let _mended_afterwards = break_line(Line::CallFences);
        model(offer);
    }
}
