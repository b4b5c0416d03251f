//! Models of the protocol. Run with `RUSTFLAGS="--cfg loom" cargo test --release --lib loom`. A model whose
//! name says `fails` breaks one step of the protocol, and is expected to panic.

#![allow(unsafe_code, reason = "loom checks the access that the latch's protocol alone protects")]

use super::*;
use crate::parallel::split::shared_sums::SharedSums;
use crate::search::ChanceSums;
use crate::sync::break_step;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// Tasks with their results, which only the latch protects.
struct Split {
    latch: JoinLatch,
    found: Vec<UnsafeCell<u32>>,
    sums: SharedSums,
    reach: i64,
}

// The latch's protocol makes this sound; loom checks every access.
unsafe impl Sync for Split {}
unsafe impl Send for Split {}

impl Split {
    fn new(tasks: u32, reach: i64) -> Arc<Self> {
        let found = (0..tasks).map(|_| UnsafeCell::new(0)).collect();
        // Every task adds one to the lower sum; none of them lowers the upper sum.
        let sums = ChanceSums {
            total: 1,
            lower: 0,
            upper: i64::MAX,
            beta_threshold: reach,
            alpha_threshold: i64::MIN,
        };
        Arc::new(Split { latch: JoinLatch::new(tasks), found, sums: SharedSums::new(&sums), reach })
    }

    /// Claims and finishes tasks until none is left. Each adds one to the sum.
    fn take_part(&self) {
        while let Some(task) = self.latch.claim() {
            self.found[task as usize].with_mut(|found| unsafe { *found += 1 });
            if self.sums.add(1, 0) {
                self.latch.cut();
            }
            self.latch.finish();
        }
    }

    /// What the owner does after its own tasks. Returns the number of tasks searched.
    fn join(&self) -> u32 {
        let claimed = self.latch.close();
        while !self.latch.has_finished(claimed) {
            self.latch.wait(claimed, Duration::from_secs(1));
        }
        self.found.iter().map(|found| found.with(|found| unsafe { *found })).sum()
    }
}

/// An owner and `helpers` others share a split point. Every task is searched once, or the node is cut.
/// The owner sees all results and always wakes up.
///
/// Tries every order with at most four preemptions for two threads, and at most two for three threads.
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

/// Either the owner, about to sleep, sees the last task finished, or the task's worker sees that the
/// owner waits.
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
