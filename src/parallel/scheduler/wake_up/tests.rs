use super::*;
use crate::sync::break_step;
use loom::thread;

/// A thread stands by while the caller may have given up already. In a model a sleep has no time limit.
fn model() {
    loom::model(|| {
        let (call, signal) = WakeUp::new();
        let thread = thread::spawn(move || signal.sleep_until_over());
        let _ = call.is_answered();
        drop(call);
        thread.join().unwrap();
    });
}

#[test]
fn loom_who_stands_by_is_let_go() {
    model();
}

#[test]
#[should_panic(expected = "deadlock")]
fn loom_fails_where_the_end_is_not_told() {
    let _mended_afterwards = break_step(ProtocolStep::WakeUpEnds);
    model();
}
