//! Which worker has which task of a split point, and when all tasks are done.
//!
//! # Protocol
//!
//! * *Claim*: `next` hands out the tasks in order, each to one worker.
//! * *Finish*: the worker writes its result, then counts its task as finished.
//! * *Cut*: a worker that finds the rest needless sets `cut`. Workers that see it claim no more, and unwind
//!   from what is below.
//! * *Close*: the owner swaps `next` for a number beyond every task. It learns how many tasks were claimed,
//!   and waits until that many are finished.
//! * *Wait*: the owner announces that it waits, then looks a last time and sleeps. A worker counts its task
//!   as finished, then looks whether the owner waits. So one of the two sees the other.
//!
//! After that only the owner uses the tasks and sums; a helper that claims too late finds no task.
//!
//! Models run the protocol under loom, and again with each of its steps broken (`join_latch/tests.rs`).

use crate::sync::{
    AcqRel, Acquire, AtomicBool, AtomicU32, AtomicU64, CachePadded, Condvar, Mutex, ProtocolStep, Relaxed,
    Release, SeqCst, fence, unless_broken, wait_for,
};
use std::time::Duration;

/// A number beyond every task: half the range, so that late claims cannot wrap around.
const CLOSED: u32 = 1 << 31;

/// The tasks of a split point.
#[derive(Debug)]
pub(crate) struct JoinLatch {
    tasks: u32,
    counts: CachePadded<Counts>,
    /// In its own cache line: workers below read it at every node.
    cut: CachePadded<AtomicBool>,
    /// Whether the owner sleeps, or is about to.
    waits: AtomicBool,
    guard: Mutex<()>,
    wake_up: Condvar,
}

#[derive(Debug)]
struct Counts {
    next: AtomicU32,
    finished: AtomicU32,
    /// The nodes of the tasks so far, by any worker.
    visited: AtomicU64,
}

impl JoinLatch {
    pub(crate) fn new(tasks: u32) -> Self {
        JoinLatch {
            tasks,
            counts: CachePadded::new(Counts {
                next: AtomicU32::new(0),
                finished: AtomicU32::new(0),
                visited: AtomicU64::new(0),
            }),
            cut: CachePadded::new(AtomicBool::new(false)),
            waits: AtomicBool::new(false),
            guard: Mutex::new(()),
            wake_up: Condvar::new(),
        }
    }

    /// The number of tasks.
    pub(crate) fn tasks(&self) -> u32 {
        self.tasks
    }

    /// Claims the next task; `None` if there is none left, or no need. The caller must
    /// [`finish`](Self::finish) it, however its search ends.
    pub(crate) fn claim(&self) -> Option<u32> {
        if !self.is_open() {
            return None;
        }
        // AcqRel: pairs with the swap in `close`. A claim that `close` counts happens before it; a later
        // claim sees `CLOSED`.
        let task = if unless_broken(ProtocolStep::ClaimAdds, true, false) {
            self.counts.next.fetch_add(1, AcqRel)
        } else {
            let next = self.counts.next.load(Acquire);
            self.counts.next.store(next + 1, Release);
            next
        };
        (task < self.tasks).then_some(task)
    }

    /// Whether there may be a task to claim.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        // Relaxed: only a hint; `claim` decides.
        self.counts.next.load(Relaxed) < self.tasks && !self.is_cut()
    }

    /// Cuts the tasks: they no longer matter.
    #[inline]
    pub(crate) fn cut(&self) {
        // Release: pairs with the fence in `SplitPoint::cut_at`, so that a thread that has seen the flag
        // reads the time stored before it.
        self.cut.store(true, Release);
    }

    /// Whether the tasks are cut.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        // Relaxed: a request to stop. The bounds behind it are read after `close`, ordered by `finished`.
        self.cut.load(Relaxed)
    }

    /// Counts a claimed task as finished. What its worker wrote before is visible to the owner.
    pub(crate) fn finish(&self) {
        if self.count_finished() {
            self.wake_owner();
        }
    }

    /// The first half of `finish`: whether the owner may have to be woken.
    fn count_finished(&self) -> bool {
        // Release: pairs with `has_finished`.
        self.counts.finished.fetch_add(1, unless_broken(ProtocolStep::FinishReleases, Release, Relaxed));
        // The fence keeps the look at `waits` after the count. With the fence in `has_to_wait`, either the
        // owner sees the count, or this thread sees that the owner waits.
        if unless_broken(ProtocolStep::FinishFences, true, false) {
            fence(SeqCst);
        }
        self.waits.load(Relaxed) // Relaxed: the fences order it.
    }

    /// Wakes the owner if it sleeps.
    pub(crate) fn wake_owner(&self) {
        // Relaxed: the fences order it.
        if self.waits.load(Relaxed) {
            // The lock keeps the notification from falling between the owner's last look and its sleep.
            let _guard = self.guard.lock();
            self.wake_up.notify_one();
        }
    }

    /// The number of finished tasks; it may be stale.
    pub(crate) fn finished(&self) -> u32 {
        self.counts.finished.load(Relaxed) // Relaxed: a hint that there is something new to read.
    }

    /// Adds the nodes of a task that is about to finish.
    pub(crate) fn add_visited(&self, nodes: u64) {
        self.counts.visited.fetch_add(nodes, Relaxed); // Relaxed: `finish` orders it before the owner's look.
    }

    /// The nodes of all tasks. For the owner, after all claimed tasks have finished.
    pub(crate) fn visited(&self) -> u64 {
        self.counts.visited.load(Relaxed) // Relaxed: `has_finished` ordered it.
    }

    /// Closes the latch: no later claim succeeds. Returns the number of claimed tasks. The owner calls it
    /// once.
    pub(crate) fn close(&self) -> u32 {
        // AcqRel: pairs with the addition in `claim`.
        let next = if unless_broken(ProtocolStep::CloseSwaps, true, false) {
            self.counts.next.swap(CLOSED, AcqRel)
        } else {
            self.counts.next.load(Acquire)
        };
        next.min(self.tasks)
    }

    /// Whether this many tasks are finished. If so, all that their workers wrote is visible.
    #[inline]
    pub(crate) fn has_finished(&self, claimed: u32) -> bool {
        // Acquire: pairs with the release in `finish`, so that the owner sees bounds and sums.
        self.counts.finished.load(unless_broken(ProtocolStep::WaitAcquires, Acquire, Relaxed)) == claimed
    }

    /// Sleeps until a task is finished, a thread wakes the owner, or `longest` has passed. Returns at once if
    /// `claimed` tasks are finished. For the owner.
    pub(crate) fn wait(&self, claimed: u32, longest: Duration) {
        let guard = self.guard.lock();
        // A worker finishes its task without the lock, but takes it to wake the owner.
        if self.has_to_wait(claimed) {
            drop(wait_for(&self.wake_up, guard, longest));
        }
        self.waits.store(false, Relaxed); // Relaxed: at worst a thread wakes the owner in vain.
    }

    /// Announces that the owner waits, and returns whether it must.
    fn has_to_wait(&self, claimed: u32) -> bool {
        self.waits.store(true, Relaxed); // Relaxed: the fence orders it.
        // As in `count_finished`.
        if unless_broken(ProtocolStep::WaitFences, true, false) {
            fence(SeqCst);
        }
        !self.has_finished(claimed)
    }
}

#[cfg(all(test, loom))]
mod tests;
