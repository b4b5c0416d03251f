//! Evaluations that take longer than they need, to measure searches with dear evaluators.

use starsplit::evaluator::EvaluationCost;
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

    /// Whether evaluations take longer than they need. Such an evaluator stands for one of which nothing is
    /// known, so it tells no bounds.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0.is_some()
    }

    /// What evaluations cost that take `ns` without the delay.
    pub fn on_top_of(self, ns: u32) -> EvaluationCost {
        let delay = self.0.map_or(0, |delay| delay.as_nanos().try_into().unwrap_or(u32::MAX));
        EvaluationCost::each(delay.saturating_add(ns))
    }

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
