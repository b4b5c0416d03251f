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
        let stays_awake = || is_over.load(Relaxed) || hints.is_any_but(0);
        sleep.sleep(0, stays_awake, || sleep.rest(0, Duration::from_secs(1)));
        caller.join().unwrap();
        assert!(is_over.load(Relaxed) || hints.is_any_but(0));
    });
}

fn publish(hints: &StealHints, _: &AtomicBool, sleep: &Sleep) {
    hints.announce(1);
    sleep.one().into_iter().for_each(|sleeper| sleep.wake(sleeper));
}

#[test]
fn loom_a_sleeper_is_woken_for_a_ticket() {
    model(publish);
}

#[test]
fn loom_a_sleeper_is_woken_when_the_search_is_over() {
    model(|_, is_over, sleep| {
        is_over.store(true, Relaxed);
        wake_first(sleep);
    });
}

fn wake_first(sleep: &Sleep) {
    sleep.first_of_all().into_iter().for_each(|sleeper| sleep.wake(sleeper));
}

/// Two sleep while the search ends, of whom one is woken, who wakes the other. Without a bound of preemptions
/// the model takes minutes; it holds there, too.
#[test]
fn loom_all_sleepers_are_woken_when_the_search_is_over() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let shared = Arc::new((Sleep::new(2), AtomicBool::new(false)));
        let fall_asleep = |worker| {
            let shared = shared.clone();
            thread::spawn(move || {
                let (sleep, is_over) = &*shared;
                sleep.sleep(worker, || is_over.load(Relaxed), || sleep.rest(worker, Duration::from_secs(1)));
                wake_first(sleep);
            })
        };
        let sleepers = [0, 1].map(fall_asleep);
        shared.1.store(true, Relaxed);
        wake_first(&shared.0);
        sleepers.map(|sleeper| sleeper.join().unwrap());
    });
}

#[test]
#[should_panic(expected = "deadlock")]
fn loom_fails_where_the_caller_has_no_fence() {
    let _mended_afterwards = break_step(ProtocolStep::WakeFences);
    model(publish);
}
