//! The only door to atomics and threads' meeting points: the real ones, or loom's stand-ins under `--cfg
//! loom`, so that a protocol that is model-checked is the protocol that runs.

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

/// An atomic of a type of one's own; not known to loom, so not for protocols that are to be modelled.
pub(crate) use atomic::Atomic;
pub(crate) use crossbeam::deque;
pub(crate) use crossbeam::utils::{Backoff, CachePadded};
use std::time::Duration;

#[cfg(not(loom))]
pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard};

#[cfg(loom)]
pub(crate) use stand_ins::{Condvar, Mutex, MutexGuard, break_step};

/// A step of a protocol that a model leaves out, or takes wrongly, to show that it would notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(loom), allow(dead_code))]
pub(crate) enum ProtocolStep {
    /// A claim adds to the counter in one step.
    ClaimAdds,
    /// A finished task is counted with release.
    FinishReleases,
    /// The owner reads that count with acquire.
    WaitAcquires,
    /// Closing takes the counter away and does not merely read it.
    CloseSwaps,
    /// The look at who waits stays behind the count.
    FinishFences,
    /// The owner's last look stays behind its saying that it waits.
    WaitFences,
    /// The test for a cut uses the sum that the addition returned.
    CutUsesReturnedSum,
    /// Who has cleared the bit of an empty queue looks into it again.
    DoubtLooksAgain,
    /// The look at who sleeps stays behind what they are called to.
    WakeFences,
    /// Who stands by for a call is told that it is over.
    WakeUpEnds,
    /// A device that waits is told of requests.
    HandOverTells,
    /// A thread that waits for a device is told that it has answered.
    GiveBackTells,
    /// A device that waits is told that nobody asks any more.
    CloseTells,
}

/// `sound`; or `broken`, in a model that breaks this step.
#[cfg(not(loom))]
#[inline(always)]
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

        /// Without a limit: in a model, a wake-up that only the limit would bring is a wake-up lost.
        pub(super) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(guard).expect("no model panics while it holds a lock")
        }
    }

    thread_local! {
        // Loom runs a model's threads in turn on the thread of the test.
        static BROKEN: Cell<Option<ProtocolStep>> = const { Cell::new(None) };
    }

    /// Mends the step when it goes out of scope.
    pub(crate) struct Broken(());

    impl Drop for Broken {
        fn drop(&mut self) {
            BROKEN.set(None);
        }
    }

    /// Breaks a step for the models that the calling test runs.
    pub(crate) fn break_step(step: ProtocolStep) -> Broken {
        BROKEN.set(Some(step));
        Broken(())
    }

    pub(crate) fn unless_broken<T>(step: ProtocolStep, sound: T, broken: T) -> T {
        if BROKEN.get() == Some(step) { broken } else { sound }
    }
}

/// Sleeps until somebody notifies, or `longest` has passed.
#[cfg(not(loom))]
pub(crate) fn wait_for<'a, T>(
    condvar: &Condvar,
    mut guard: MutexGuard<'a, T>,
    longest: Duration,
) -> MutexGuard<'a, T> {
    condvar.wait_for(&mut guard, longest);
    guard
}

/// Sleeps until somebody notifies: in a model, a wake-up that only a limit would bring is a wake-up lost.
#[cfg(loom)]
pub(crate) fn wait_for<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    _longest: Duration,
) -> MutexGuard<'a, T> {
    condvar.wait(guard)
}
