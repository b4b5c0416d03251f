//! Evaluations that take longer than they need, to measure searches with dear evaluators.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

/// Time that an evaluation takes beyond what it needs. Changes no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay(Option<Duration>);

impl Delay {
    /// None.
    pub const NONE: Delay = Delay(None);

    /// Five microseconds, as a small network takes: the evaluator `slow` of every game.
    pub const SLOW: Delay = Delay(Some(Duration::from_micros(5)));

    /// A millisecond, as a large network takes.
    pub const SLOWEST: Delay = Delay(Some(Duration::from_millis(1)));

    /// Lets the time pass on this thread, busily: sleeping is too coarse.
    #[inline]
    pub fn pass(self) {
        if let Some(duration) = self.0 {
            pass(duration);
        }
    }
}

#[cold]
fn pass(duration: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < duration {
        spin_loop();
    }
}
