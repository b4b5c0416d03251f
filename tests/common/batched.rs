//! A random evaluation for which many at once are said to be cheap, so that it can be searched with in lanes.

use starsplit::evaluator::{EvaluationCost, Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;

/// The evaluations of [`HashRandom`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batched(pub(crate) HashRandom);

impl<G: Game> Evaluator<G> for Batched {
    type State = ();
    const HAS_BATCHES: bool = true;

    fn identity(&self) -> u64 {
        Evaluator::<G>::identity(&self.0)
    }

    fn saturates(&self, game: &G) -> bool {
        self.0.saturates(game)
    }

    fn state(&self, _: &G, _: &G::Position) {}

    fn after_move(&self, _: &G, _: &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    fn evaluate(&self, game: &G, position: &G::Position, state: &()) -> Score {
        self.0.evaluate(game, position, state)
    }

    fn cost(&self) -> EvaluationCost {
        EvaluationCost { fixed_ns: 5_000, each_ns: 100 }
    }
}
