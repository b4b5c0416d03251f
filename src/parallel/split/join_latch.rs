//! Who has which task of a split point, and when all of them are done.
//!
//! # Protocol
//!
//! *Claim*: `next` hands out the tasks, each to one worker, in order. *Finish*: the claimant writes down what
//! it found, and then counts its task as finished. *Cut*: whoever finds that the rest does not matter raises
//! `cut`; nobody claims any more, and whoever searches below notices and unwinds. *Close*: the owner swaps
//! `next` for a number beyond every task, learns how many were claimed, and waits until as many are finished.
//! *Wait*: the owner says that it waits before it looks for the last time and goes to sleep; a claimant
//! finishes before it looks whether the owner waits. So one of the two sees the other. Then nobody but the
//! owner looks at the split point's data.
//!
//! The models at the end of this file run the protocol under loom, and again with each of its steps broken.

use crate::sync::{
    AcqRel, Acquire, AtomicBool, AtomicU32, AtomicU64, CachePadded, Condvar, Mutex, ProtocolStep, Relaxed,
    Release, SeqCst, fence, unless_broken, wait_for,
};
use std::time::Duration;

/// A number beyond every task's: half the range, so that late claims cannot wrap it.
const CLOSED: u32 = 1 << 31;

/// The tasks of a split point.
#[derive(Debug)]
pub(crate) struct JoinLatch {
    tasks: u32,
    counts: CachePadded<Counts>,
    /// Apart from the counts: workers below look at it at every node.
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
    /// How many nodes the tasks took so far, whoever visited them.
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

    /// How many tasks there are.
    pub(crate) fn tasks(&self) -> u32 {
        self.tasks
    }

    /// Takes the next task; `None` when there is none left, or no need. Who takes one has to
    /// [`finish`](Self::finish) it, however the search of it ends.
    pub(crate) fn claim(&self) -> Option<u32> {
        if !self.is_open() {
            return None;
        }
        // AcqRel: pairs with the swap in `close`. A claim counted there happens before it; a later one sees
        // it.
        let task = if unless_broken(ProtocolStep::ClaimAdds, true, false) {
            self.counts.next.fetch_add(1, AcqRel)
        } else {
            let next = self.counts.next.load(Acquire);
            self.counts.next.store(next + 1, Release);
            next
        };
        (task < self.tasks).then_some(task)
    }

    /// Whether there may be something to claim.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        // Relaxed: only a hint; `claim` decides.
        self.counts.next.load(Relaxed) < self.tasks && !self.is_cut()
    }

    /// Says that the tasks do not matter any more.
    #[inline]
    pub(crate) fn cut(&self) {
        // Release: pairs with the fence in `SplitPoint::cut_at`, so that who has seen the flag reads the time
        // that was stored before it.
        self.cut.store(true, Release);
    }

    /// Whether the tasks do not matter any more.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        // Relaxed: a wish to stop; the bounds that justify it are read after `close`, ordered by `finished`.
        self.cut.load(Relaxed)
    }

    /// Counts a claimed task as finished; what its claimant wrote before is visible to the owner.
    pub(crate) fn finish(&self) {
        if self.count_finished() {
            self.wake_owner();
        }
    }

    /// The first half of `finish`: whether the owner has to be woken.
    fn count_finished(&self) -> bool {
        // Release: pairs with `has_finished`.
        self.counts.finished.fetch_add(1, unless_broken(ProtocolStep::FinishReleases, Release, Relaxed));
        // The fence keeps the look at `waits` behind the count; with the one in `has_to_wait`, either the
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
            // The lock keeps this from falling between the owner's last look and its falling asleep.
            let _guard = self.guard.lock();
            self.wake_up.notify_one();
        }
    }

    /// How many tasks are finished, or were a moment ago.
    pub(crate) fn finished(&self) -> u32 {
        self.counts.finished.load(Relaxed) // Relaxed: a hint that there is something new to read.
    }

    /// Counts the nodes of a task that is about to be finished.
    pub(crate) fn add_visited(&self, nodes: u64) {
        self.counts.visited.fetch_add(nodes, Relaxed); // Relaxed: `finish` orders it before the owner's look.
    }

    /// How many nodes the tasks took. For the owner, when all claimed ones have finished.
    pub(crate) fn visited(&self) -> u64 {
        self.counts.visited.load(Relaxed) // Relaxed: `has_finished` ordered it.
    }

    /// Ends the handing out of tasks: from now on no claim succeeds. Gives the number of those claimed.
    /// Called by the owner, once.
    pub(crate) fn close(&self) -> u32 {
        // AcqRel: pairs with the addition in `claim`.
        let next = if unless_broken(ProtocolStep::CloseSwaps, true, false) {
            self.counts.next.swap(CLOSED, AcqRel)
        } else {
            self.counts.next.load(Acquire)
        };
        next.min(self.tasks)
    }

    /// Whether so many tasks are finished, in which case all that their claimants learnt is visible.
    #[inline]
    pub(crate) fn has_finished(&self, claimed: u32) -> bool {
        // Acquire: pairs with the release in `finish`, so that the owner sees bounds and sums.
        self.counts.finished.load(unless_broken(ProtocolStep::WaitAcquires, Acquire, Relaxed)) == claimed
    }

    /// Sleeps until a task is finished, somebody wakes it, or `longest` has passed; not at all if `claimed`
    /// tasks are finished. For the owner.
    pub(crate) fn wait(&self, claimed: u32, longest: Duration) {
        let guard = self.guard.lock();
        // Tasks are finished without the lock, but whoever finishes one takes it before it wakes.
        if self.has_to_wait(claimed) {
            drop(wait_for(&self.wake_up, guard, longest));
        }
        self.waits.store(false, Relaxed); // Relaxed: at worst somebody wakes it in vain.
    }

    /// Says that the owner waits, and whether it has to.
    fn has_to_wait(&self, claimed: u32) -> bool {
        self.waits.store(true, Relaxed); // Relaxed: the fence orders it.
        // As in `count_finished`.
        if unless_broken(ProtocolStep::WaitFences, true, false) {
            fence(SeqCst);
        }
        !self.has_finished(claimed)
    }
}

/// Models of the protocol. Run with `RUSTFLAGS="--cfg loom" cargo test --release --lib loom`. Those whose
/// name says that they fail break one step of the protocol, and are expected to panic.
#[cfg(all(test, loom))]
#[allow(unsafe_code, reason = "loom checks the access that the latch's protocol alone protects")]
mod loom_models {
    use super::*;
    use crate::parallel::split::shared_sums::SharedSums;
    use crate::search::ChanceSums;
    use crate::sync::break_step;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    /// Tasks with what their claimants found, written without any protection but the latch's.
    struct Split {
        latch: JoinLatch,
        found: Vec<UnsafeCell<u32>>,
        sums: SharedSums,
        reach: i64,
    }

    // The latch's protocol is what makes this true; loom checks every access.
    unsafe impl Sync for Split {}
    unsafe impl Send for Split {}

    impl Split {
        fn new(tasks: u32, reach: i64) -> Arc<Self> {
            let found = (0..tasks).map(|_| UnsafeCell::new(0)).collect();
            // Every task adds one to the sum; none of them proves an upper bound.
            let sums = ChanceSums {
                total: 1,
                lower: 0,
                upper: i64::MAX,
                beta_threshold: reach,
                alpha_threshold: i64::MIN,
            };
            Arc::new(Split { latch: JoinLatch::new(tasks), found, sums: SharedSums::new(&sums), reach })
        }

        /// Claims and finishes until there is nothing left, each task adding one to the sum.
        fn take_part(&self) {
            while let Some(task) = self.latch.claim() {
                self.found[task as usize].with_mut(|found| unsafe { *found += 1 });
                if self.sums.add(1, 0) {
                    self.latch.cut();
                }
                self.latch.finish();
            }
        }

        /// What the owner does after it has taken part; gives how many tasks were searched.
        fn join(&self) -> u32 {
            let claimed = self.latch.close();
            while !self.latch.has_finished(claimed) {
                self.latch.wait(claimed, Duration::from_secs(1));
            }
            self.found.iter().map(|found| found.with(|found| unsafe { *found })).sum()
        }
    }

    /// An owner and `helpers` others share a split point. Every task is searched once, or the node is cut;
    /// the owner sees all of it and is not left waiting.
    ///
    /// Two threads are tried in every order with at most four preemptions, three in every one with at most
    /// two.
    fn model(helpers: usize, tasks: u32, reach: i64, owner_works: bool) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(if helpers > 1 { 2 } else { 4 });
        builder.check(move || {
            let split = Split::new(tasks, reach);
            let threads: Vec<_> = (0..helpers)
                .map(|_| {
                    let split = split.clone();
                    thread::spawn(move || split.take_part())
                })
                .collect();
            if owner_works {
                split.take_part();
            }
            let searched = split.join();
            let is_cut = split.latch.is_cut();
            assert!(searched <= tasks);
            if owner_works {
                assert!(searched == tasks || is_cut, "{searched} of {tasks} without a cut");
            }
            assert_eq!(is_cut, i64::from(searched) >= reach, "{searched} of {tasks}, reach {reach}");
            for thread in threads {
                thread.join().unwrap();
            }
            let after = split.found.iter().map(|found| found.with(|found| unsafe { *found })).sum::<u32>();
            assert_eq!(after, searched, "a task was searched after the owner had gone");
        });
    }

    fn model_broken(step: ProtocolStep, helpers: usize, tasks: u32, reach: i64, owner_works: bool) {
        let _mended_afterwards = break_step(step);
        model(helpers, tasks, reach, owner_works);
    }

    const NEVER: i64 = i64::MAX;

    #[test]
    fn loom_two_threads_split_two() {
        model(1, 2, NEVER, true);
    }

    #[test]
    fn loom_three_threads_split_two() {
        model(2, 2, NEVER, true);
    }

    #[test]
    fn loom_two_threads_cut() {
        model(1, 2, 1, true);
    }

    #[test]
    fn loom_three_threads_cut() {
        model(2, 2, 1, false);
    }

    #[test]
    fn loom_the_owner_sleeps_until_its_helper_is_done() {
        model(1, 1, NEVER, false);
    }

    #[test]
    #[should_panic(expected = "Concurrent write accesses")]
    fn loom_fails_where_a_claim_is_not_one_step() {
        model_broken(ProtocolStep::ClaimAdds, 1, 2, NEVER, true);
    }

    #[test]
    #[should_panic(expected = "Concurrent read and write accesses")]
    fn loom_fails_where_finish_does_not_release() {
        model_broken(ProtocolStep::FinishReleases, 1, 2, NEVER, true);
    }

    #[test]
    #[should_panic(expected = "Concurrent read and write accesses")]
    fn loom_fails_where_the_owner_does_not_acquire() {
        model_broken(ProtocolStep::WaitAcquires, 1, 2, NEVER, true);
    }

    #[test]
    #[should_panic(expected = "Concurrent read and write accesses")]
    fn loom_fails_where_close_does_not_swap() {
        model_broken(ProtocolStep::CloseSwaps, 1, 2, NEVER, false);
    }

    /// The owner that is about to sleep sees the last task finished, or its claimant sees the owner.
    fn handshake() {
        loom::model(|| {
            let split = Split::new(1, NEVER);
            assert_eq!(split.latch.claim(), Some(0));
            let claimed = split.latch.close();
            let helper = split.clone();
            let helper = thread::spawn(move || helper.latch.count_finished());
            let sleeps = split.latch.has_to_wait(claimed);
            let is_woken = helper.join().unwrap();
            assert!(is_woken || !sleeps, "the owner sleeps and nobody wakes it");
        });
    }

    #[test]
    fn loom_the_owner_and_its_last_helper_do_not_miss_each_other() {
        handshake();
    }

    #[test]
    #[should_panic(expected = "the owner sleeps and nobody wakes it")]
    fn loom_fails_where_finish_has_no_fence() {
        let _mended_afterwards = break_step(ProtocolStep::FinishFences);
        handshake();
    }

    #[test]
    #[should_panic(expected = "the owner sleeps and nobody wakes it")]
    fn loom_fails_where_the_owner_has_no_fence() {
        let _mended_afterwards = break_step(ProtocolStep::WaitFences);
        handshake();
    }

    #[test]
    #[should_panic(expected = "2 of 2, reach 2")]
    fn loom_fails_where_the_cut_test_reads_the_sum_before_it_adds() {
        model_broken(ProtocolStep::CutUsesReturnedSum, 1, 2, 2, true);
    }
}
