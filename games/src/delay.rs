//! Evaluations that take longer than they need, to measure searches with dear evaluators.

use starsplit::evaluator::{EvaluationCost, EvaluationError, Evaluator};
use starsplit::game::Game;
use starsplit::score::Score;
use std::hint::spin_loop;
use std::time::{Duration, Instant};

/// Time that a call of an evaluator takes beyond what it needs, for one position or for many. Changes no
/// value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay(Option<Duration>);

impl Delay {
    /// None.
    pub const NONE: Delay = Delay(None);

    /// Five microseconds, as a small network takes: the evaluator `slow` of every game.
    pub const SLOW: Delay = Delay(Some(Duration::from_micros(5)));

    /// A millisecond, as a large network takes.
    pub const SLOWEST: Delay = Delay(Some(Duration::from_millis(1)));

    /// So long.
    pub const fn of(duration: Duration) -> Delay {
        Delay(Some(duration))
    }

    /// Whether evaluations take longer than they need. Such an evaluator stands for one of which nothing is
    /// known, so it tells no bounds.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0.is_some()
    }

    /// What evaluations cost that take `ns` without the delay.
    pub fn on_top_of(self, ns: u32) -> EvaluationCost {
        let delay = self.0.map_or(0, |delay| delay.as_nanos().try_into().unwrap_or(u32::MAX));
        EvaluationCost { fixed_ns: delay, each_ns: ns }
    }

    /// Evaluates these together, which takes the delay once: by `prompt`, the same evaluator without one.
    pub(crate) fn evaluate_many<G: Game, E: Evaluator<G>>(
        self,
        prompt: &E,
        game: &G,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.pass();
        for (&(position, state), score) in nodes.iter().zip(scores) {
            *score = prompt.evaluate(game, position, state);
        }
        Ok(())
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
