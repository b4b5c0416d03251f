//! An evaluator that gives up, or gives what is no score.

use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is wrong with the evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whim {
    /// The n-th panics, and so does every later one.
    PanicAt(u64),
    /// Three of four lie beyond the grid.
    BeyondTheGrid,
    /// The least and the greatest integer, and little else.
    Extreme,
    /// Half of them were no numbers before the grid made scores of them.
    NotANumber,
}

/// Pseudo-random evaluations with a fault.
#[derive(Debug)]
pub(crate) struct Whimsical {
    whim: Whim,
    /// Whether it declares that it saturates.
    saturates: bool,
    inner: HashRandom,
    made: AtomicU64,
}

impl Whimsical {
    pub(crate) fn new(whim: Whim) -> Self {
        Whimsical { whim, saturates: false, inner: HashRandom::new(5, 1 << 20), made: AtomicU64::new(0) }
    }

    /// The same, declared to saturate.
    pub(crate) fn saturating(whim: Whim) -> Self {
        Whimsical { saturates: true, ..Whimsical::new(whim) }
    }
}

impl<G: Game> Evaluator<G> for Whimsical {
    type State = ();

    fn facts(&self, _: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(0x7768_696d).saturating(self.saturates)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, _: &()) -> Score {
        let score = self.inner.evaluate(game, position, &());
        match self.whim {
            Whim::PanicAt(number) => {
                let made = self.made.fetch_add(1, Relaxed) + 1;
                assert!(made < number, "the evaluator gave up at evaluation {number}");
                score
            }
            Whim::BeyondTheGrid => score.saturating_mul(32),
            Whim::Extreme => match score % 3 {
                0 => i32::MIN,
                1 | -1 => i32::MAX,
                _ => score,
            },
            Whim::NotANumber => {
                let value = f64::from(score) / f64::from(1 << 20);
                game.facts().grid.score(if score % 2 == 0 { f64::NAN } else { value })
            }
        }
    }
}
