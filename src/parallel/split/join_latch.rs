//! Who has which share of a split point, and when all of them are done.
//!
//! # Protocol
//!
//! *Claim*: `next` hands out the shares, each to one worker, in order. *Finish*: the claimant writes down what it found,
//! and then counts its share as finished. *Cut*: whoever finds that the rest does not matter raises `cut`; nobody
//! claims any more, and whoever searches below notices and unwinds. *Close*: the owner swaps `next` for a number beyond
//! every share, learns how many were claimed, and waits until as many are finished. *Wait*: the owner says that it
//! waits before it looks for the last time and goes to sleep; a claimant finishes before it looks whether the owner
//! waits. So one of the two sees the other. Then nobody but the owner looks at the split point's data.
//!
//! The models at the end of this file run the protocol under loom, and again with each of its lines broken.

use crate::sync::{
    AcqRel, Acquire, AtomicBool, AtomicU32, AtomicU64, CachePadded, Condvar, Line, Mutex, Relaxed, Release,
    SeqCst, fence, unless_broken, wait_for,
};
use std::time::Duration;

/// A number beyond every share's: half the range, so that late claims cannot wrap it.
const CLOSED: u32 = 1 << 31;

/// The shares of a split point.
#[derive(Debug)]
pub(crate) struct Ledger {
    shares: u32,
    counts: CachePadded<Counts>,
    /// Apart from the counts: workers below look at it at every node.
    cut: CachePadded<AtomicBool>,
    /// Whether the owner sleeps, or is about to.
    waits: AtomicBool,
    bed: Mutex<()>,
    wake_up: Condvar,
}

#[derive(Debug)]
struct Counts {
    next: AtomicU32,
    finished: AtomicU32,
    /// How many nodes the shares took so far, whoever visited them.
    visited: AtomicU64,
}

impl Ledger {
    pub(crate) fn new(shares: u32) -> Self {
        Ledger {
            shares,
            counts: CachePadded::new(Counts {
                next: AtomicU32::new(0),
                finished: AtomicU32::new(0),
                visited: AtomicU64::new(0),
            }),
            cut: CachePadded::new(AtomicBool::new(false)),
            waits: AtomicBool::new(false),
            bed: Mutex::new(()),
            wake_up: Condvar::new(),
        }
    }

    /// How many shares there are.
    pub(crate) fn shares(&self) -> u32 {
        self.shares
    }

    /// Takes the next share; `None` when there is none left, or no need. Who takes one has to [`finish`](Self::finish)
    /// it, however the search of it ends.
    pub(crate) fn claim(&self) -> Option<u32> {
        if !self.is_open() {
            return None;
        }
        // AcqRel: pairs with the swap in `close`. A claim counted there happens before it; a later one sees it.
        let share = if unless_broken(Line::ClaimAdds, true, false) {
            self.counts.next.fetch_add(1, AcqRel)
        } else {
            let next = self.counts.next.load(Acquire);
            self.counts.next.store(next + 1, Release);
            next
        };
        (share < self.shares).then_some(share)
    }

    /// Whether there may be something to claim.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        // Relaxed: only a hint; `claim` decides.
        self.counts.next.load(Relaxed) < self.shares && !self.is_cut()
    }

    /// Says that the shares do not matter any more.
    #[inline]
    pub(crate) fn cut(&self) {
        self.cut.store(true, Release); // Release: whoever sees it may want to know since when.
    }

    /// Whether the shares do not matter any more.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        // Relaxed: a wish to stop; the bounds that justify it are read after `close`, ordered by `finished`.
        self.cut.load(Relaxed)
    }

    /// Counts a claimed share as finished; what its claimant wrote before is visible to the owner.
    pub(crate) fn finish(&self) {
        if self.count_finished() {
            self.call();
        }
    }

    /// The first half of `finish`: whether the owner has to be called.
    fn count_finished(&self) -> bool {
        // Release: pairs with `has_finished`.
        self.counts.finished.fetch_add(1, unless_broken(Line::FinishReleases, Release, Relaxed));
        // The fence keeps the look at `waits` behind the count; with the one in `has_to_wait`, either the owner sees
        // the count, or this thread sees that the owner waits.
        if unless_broken(Line::FinishFences, true, false) {
            fence(SeqCst);
        }
        self.waits.load(Relaxed) // Relaxed: the fences order it.
    }

    /// Wakes the owner if it sleeps.
    pub(crate) fn call(&self) {
        // Relaxed: the fences order it.
        if self.waits.load(Relaxed) {
            // The lock keeps this from falling between the owner's last look and its falling asleep.
            let _bed = self.bed.lock();
            self.wake_up.notify_one();
        }
    }

    /// How many shares are finished, or were a moment ago.
    pub(crate) fn finished(&self) -> u32 {
        self.counts.finished.load(Relaxed) // Relaxed: a hint that there is something new to read.
    }

    /// Takes note of how many nodes a share took that is about to be finished.
    pub(crate) fn add_visited(&self, nodes: u64) {
        self.counts.visited.fetch_add(nodes, Relaxed); // Relaxed: `finish` orders it before the owner's look.
    }

    /// How many nodes the shares took. For the owner, when all claimed ones have finished.
    pub(crate) fn visited(&self) -> u64 {
        self.counts.visited.load(Relaxed) // Relaxed: `has_finished` ordered it.
    }

    /// Ends the handing out of shares: from now on no claim succeeds. Gives the number of those claimed. Called by the
    /// owner, once.
    pub(crate) fn close(&self) -> u32 {
        // AcqRel: pairs with the addition in `claim`.
        let next = if unless_broken(Line::CloseSwaps, true, false) {
            self.counts.next.swap(CLOSED, AcqRel)
        } else {
            self.counts.next.load(Acquire)
        };
        next.min(self.shares)
    }

    /// Whether so many shares are finished, in which case all that their claimants learnt is visible.
    #[inline]
    pub(crate) fn has_finished(&self, claimed: u32) -> bool {
        // Acquire: pairs with the release in `finish`, so that the owner sees bounds and sums.
        self.counts.finished.load(unless_broken(Line::WaitAcquires, Acquire, Relaxed)) == claimed
    }

    /// Sleeps until a share is finished, somebody calls, or `longest` has passed; not at all if `claimed` shares are
    /// finished. For the owner.
    pub(crate) fn wait(&self, claimed: u32, longest: Duration) {
        let bed = self.bed.lock();
        // Shares are finished without the lock, but whoever finishes one takes it before it wakes.
        if self.has_to_wait(claimed) {
            drop(wait_for(&self.wake_up, bed, longest));
        }
        self.waits.store(false, Relaxed); // Relaxed: at worst somebody calls in vain.
    }

    /// Says that the owner waits, and whether it has to.
    fn has_to_wait(&self, claimed: u32) -> bool {
        self.waits.store(true, Relaxed); // Relaxed: the fence orders it.
        // As in `count_finished`.
        if unless_broken(Line::WaitFences, true, false) {
            fence(SeqCst);
        }
        !self.has_finished(claimed)
    }
}

/// Models of the protocol. Run with `RUSTFLAGS="--cfg loom" cargo test --release --lib loom`. Those whose name says
/// that they fail break one line of the protocol, and are expected to panic.
#[cfg(all(test, loom))]
#[allow(unsafe_code, reason = "loom checks the access that the ledger's protocol alone protects")]
mod loom_models {
    use super::*;
    use crate::parallel::split::shared_sums::SharedSums;
    use crate::search::ChanceSums;
    use crate::sync::break_line;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    /// Shares with what their claimants found, written without any protection but the ledger's.
    struct Split {
        ledger: Ledger,
        found: Vec<UnsafeCell<u32>>,
        sums: SharedSums,
        reach: i64,
    }

    // The ledger's protocol is what makes this true; loom checks every access.
    unsafe impl Sync for Split {}
    unsafe impl Send for Split {}

    impl Split {
        fn new(shares: u32, reach: i64) -> Arc<Self> {
            let found = (0..shares).map(|_| UnsafeCell::new(0)).collect();
            // Every share adds one to the sum; none of them proves an upper bound.
            let sums = ChanceSums { total: 1, lower: 0, upper: i64::MAX, reach, within: i64::MIN };
            Arc::new(Split { ledger: Ledger::new(shares), found, sums: SharedSums::new(&sums), reach })
        }

        /// Claims and finishes until there is nothing left, each share adding one to the sum.
        fn take_part(&self) {
            while let Some(share) = self.ledger.claim() {
                self.found[share as usize].with_mut(|found| unsafe { *found += 1 });
                if self.sums.add(1, 0) {
                    self.ledger.cut();
                }
                self.ledger.finish();
            }
        }

        /// What the owner does after it has taken part; gives how many shares were searched.
        fn join(&self) -> u32 {
            let claimed = self.ledger.close();
            while !self.ledger.has_finished(claimed) {
                self.ledger.wait(claimed, Duration::from_secs(1));
            }
            self.found.iter().map(|found| found.with(|found| unsafe { *found })).sum()
        }
    }

    /// An owner and `helpers` others share a split point. Every share is searched once, or the node is cut; the owner
    /// sees all of it and is not left waiting.
    ///
    /// Two threads are tried in every order with at most four preemptions, three in every one with at most two.
    fn model(helpers: usize, shares: u32, reach: i64, owner_works: bool) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(if helpers > 1 { 2 } else { 4 });
        builder.check(move || {
            let split = Split::new(shares, reach);
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
            let is_cut = split.ledger.is_cut();
            assert!(searched <= shares);
            if owner_works {
                assert!(searched == shares || is_cut, "{searched} of {shares} without a cut");
            }
            assert_eq!(is_cut, i64::from(searched) >= reach, "{searched} of {shares}, reach {reach}");
            for thread in threads {
                thread.join().unwrap();
            }
            let after = split.found.iter().map(|found| found.with(|found| unsafe { *found })).sum::<u32>();
            assert_eq!(after, searched, "a share was searched after the owner had gone");
        });
    }

    fn model_broken(line: Line, helpers: usize, shares: u32, reach: i64, owner_works: bool) {
        let _mended_afterwards = break_line(line);
        model(helpers, shares, reach, owner_works);
    }

    const NEVER: i64 = i64::MAX;

    #[test]
    fn loom_two_threads_share_two() {
        model(1, 2, NEVER, true);
    }

    #[test]
    fn loom_three_threads_share_two() {
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
        model_broken(Line::ClaimAdds, 1, 2, NEVER, true);
    }

    #[test]
    #[should_panic(expected = "Concurrent read and write accesses")]
    fn loom_fails_where_finish_does_not_release() {
        model_broken(Line::FinishReleases, 1, 2, NEVER, true);
    }

    #[test]
    #[should_panic(expected = "Concurrent read and write accesses")]
    fn loom_fails_where_the_owner_does_not_acquire() {
        model_broken(Line::WaitAcquires, 1, 2, NEVER, true);
    }

    #[test]
    #[should_panic(expected = "Concurrent read and write accesses")]
    fn loom_fails_where_close_does_not_swap() {
        model_broken(Line::CloseSwaps, 1, 2, NEVER, false);
    }

    /// The owner that is about to sleep sees the last share finished, or its claimant sees the owner.
    fn handshake() {
        loom::model(|| {
            let split = Split::new(1, NEVER);
            assert_eq!(split.ledger.claim(), Some(0));
            let claimed = split.ledger.close();
            let helper = split.clone();
            let helper = thread::spawn(move || helper.ledger.count_finished());
            let sleeps = split.ledger.has_to_wait(claimed);
            let is_called = helper.join().unwrap();
            assert!(is_called || !sleeps, "the owner sleeps and nobody calls it");
        });
    }

    #[test]
    fn loom_the_owner_and_its_last_helper_do_not_miss_each_other() {
        handshake();
    }

    #[test]
    #[should_panic(expected = "the owner sleeps and nobody calls it")]
    fn loom_fails_where_finish_has_no_fence() {
        let _mended_afterwards = break_line(Line::FinishFences);
        handshake();
    }

    #[test]
    #[should_panic(expected = "the owner sleeps and nobody calls it")]
    fn loom_fails_where_the_owner_has_no_fence() {
        let _mended_afterwards = break_line(Line::WaitFences);
        handshake();
    }

    #[test]
    #[should_panic(expected = "2 of 2, reach 2")]
    fn loom_fails_where_the_cut_test_reads_the_sum_before_it_adds() {
        model_broken(Line::CutUsesReturnedSum, 1, 2, 2, true);
    }
}
