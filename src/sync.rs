//! The only source of atomics, queues, locks and parking. Under `--cfg loom` they are loom's, so loom checks
//! the protocol that runs.

#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicI64, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, fence,
};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{
    AtomicBool, AtomicI64, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, fence,
};
#[cfg(loom)]
pub(crate) use std::sync::atomic::AtomicI32;

pub(crate) use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

/// An atomic of any `NoUninit` type. Loom does not know it, so modelled protocols must not use it.
pub(crate) use atomic::Atomic;
pub(crate) use crossbeam::deque;
pub(crate) use crossbeam::utils::{Backoff, CachePadded};
use std::time::Duration;

#[cfg(not(loom))]
pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard};

#[cfg(loom)]
pub(crate) use stand_ins::{Condvar, Mutex, MutexGuard, break_step};

/// A step of a protocol that a model can break, to show that it would notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(loom), allow(dead_code))]
pub(crate) enum ProtocolStep {
    /// A claim is one atomic addition to the counter.
    ClaimAdds,
    /// Counting a finished task is a release.
    FinishReleases,
    /// The owner reads that count with acquire.
    WaitAcquires,
    /// Closing swaps the counter; a plain read is not enough.
    CloseSwaps,
    /// A fence keeps the look for waiting owners after the count.
    FinishFences,
    /// A fence keeps the owner's last look after its announcement that it waits.
    WaitFences,
    /// The test for a cutoff uses the sum that its own addition returned.
    CutUsesReturnedSum,
    /// A thief that clears the hint bit of an empty deque looks at the deque again.
    DoubtLooksAgain,
    /// A fence keeps the look for sleepers after the publication of work.
    WakeFences,
    /// A thread that waits for a call is notified when the calls are over.
    WakeUpEnds,
    /// A waiting device is notified of requests.
    HandOverTells,
    /// A thread that waits for a device is notified of its answer.
    GiveBackTells,
    /// A waiting device is notified when no requests can come any more.
    CloseTells,
    /// The key word of a slot is sealed with its data word.
    SlotIsSealed,
    /// A product carries every bit of the data word up to the tag.
    SealMixes,
}

/// `sound`, or `broken` in a model that breaks this step.
#[cfg(not(loom))]
#[inline]
pub(crate) fn unless_broken<T>(_step: ProtocolStep, sound: T, _broken: T) -> T {
    sound
}

#[cfg(loom)]
pub(crate) use stand_ins::unless_broken;

/// parking_lot's interface over loom's locks, and the steps that models break.
#[cfg(loom)]
mod stand_ins {
    use super::ProtocolStep;
    use std::cell::Cell;

    pub(crate) use loom::sync::MutexGuard;

    #[derive(Debug)]
    pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Mutex(loom::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().expect("no model panics while it holds a lock")
        }
    }

    #[derive(Debug)]
    pub(crate) struct Condvar(loom::sync::Condvar);

    impl Condvar {
        pub(crate) fn new() -> Self {
            Condvar(loom::sync::Condvar::new())
        }

        pub(crate) fn notify_one(&self) {
            self.0.notify_one();
        }

        pub(crate) fn notify_all(&self) {
            self.0.notify_all();
        }

        /// Waits without a time limit: a wake-up that only the limit would bring is a lost wake-up.
        pub(super) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(guard).expect("no model panics while it holds a lock")
        }
    }

    thread_local! {
        // Loom runs a model's threads in turn on the test's thread.
        static BROKEN: Cell<Option<ProtocolStep>> = const { Cell::new(None) };
    }

    /// Restores the step when dropped.
    pub(crate) struct Broken(());

    impl Drop for Broken {
        fn drop(&mut self) {
            BROKEN.set(None);
        }
    }

    /// Breaks a step in the models that the calling test runs.
    pub(crate) fn break_step(step: ProtocolStep) -> Broken {
        BROKEN.set(Some(step));
        Broken(())
    }

    pub(crate) fn unless_broken<T>(step: ProtocolStep, sound: T, broken: T) -> T {
        if BROKEN.get() == Some(step) { broken } else { sound }
    }
}

/// Sleeps until notified, at most for `longest`.
#[cfg(not(loom))]
pub(crate) fn wait_for<'a, T>(
    condvar: &Condvar,
    mut guard: MutexGuard<'a, T>,
    longest: Duration,
) -> MutexGuard<'a, T> {
    condvar.wait_for(&mut guard, longest);
    guard
}

/// Sleeps until notified. No limit in a model: a wake-up that only the limit would bring is a lost wake-up.
#[cfg(loom)]
pub(crate) fn wait_for<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    _longest: Duration,
) -> MutexGuard<'a, T> {
    condvar.wait(guard)
}
