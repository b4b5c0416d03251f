use super::*;
use crate::parallel::scheduler::steal_hints::StealHints;
use crate::sync::{AtomicBool, break_step};
use loom::sync::Arc;
use loom::thread;

/// One worker goes to sleep while another causes an event and wakes it. In a model a sleep has no time
/// limit, so a lost wake-up is a deadlock.
fn model(make_known: fn(&StealHints, &AtomicBool, &Sleep)) {
    loom::model(move || {
        let shared = Arc::new((Sleep::new(2), StealHints::new(2), AtomicBool::new(false)));
        let callers = shared.clone();
        let caller = thread::spawn(move || {
            let (sleep, hints, is_over) = &*callers;
            make_known(hints, is_over, sleep);
        });
        let (sleep, hints, is_over) = &*shared;
        sleep.sleep(0, Duration::from_secs(1), || is_over.load(Relaxed) || hints.is_any_but(0));
        caller.join().unwrap();
        assert!(is_over.load(Relaxed) || hints.is_any_but(0));
    });
}

fn publish(hints: &StealHints, _: &AtomicBool, sleep: &Sleep) {
    hints.announce(1);
    sleep.wake_one();
}

#[test]
fn loom_a_sleeper_is_woken_for_a_ticket() {
    model(publish);
}

#[test]
fn loom_a_sleeper_is_woken_when_the_search_is_over() {
    model(|_, is_over, sleep| {
        is_over.store(true, Relaxed);
        sleep.wake_all();
    });
}

#[test]
#[should_panic(expected = "deadlock")]
fn loom_fails_where_the_caller_has_no_fence() {
    let _mended_afterwards = break_step(ProtocolStep::WakeFences);
    model(publish);
}
