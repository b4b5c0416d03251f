//! A random evaluation for which many at once are said to be cheap, so that it can be searched with in lanes.

use starsplit::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;

/// The evaluations of [`HashRandom`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batched(pub(crate) HashRandom);

impl<G: Game> Evaluator<G> for Batched {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game).with_cost(EvaluationCost { fixed_ns: 5_000, each_ns: 100 })
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, state: &()) -> Score {
        self.0.evaluate(game, position, state)
    }
}
