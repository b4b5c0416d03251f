//! An evaluator whatever its type, so that searches of smaller games are compiled once a game and not once an
//! evaluator. It carries no state along: each evaluation makes its own, which a network notices.

use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts};
use starsplit::game::Game;
use starsplit::score::Score;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// What an evaluator does without its state.
trait Stateless<G: Game>: Debug + Send + Sync {
    fn facts(&self, game: &G) -> EvaluatorFacts;
    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool;
    fn evaluate(&self, game: &G, position: &G::Position) -> Score;
}

impl<G: Game, E: Evaluator<G> + Debug> Stateless<G> for E {
    fn facts(&self, game: &G) -> EvaluatorFacts {
        Evaluator::facts(self, game)
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        E::ABILITIES.may_ignore_outcome && Evaluator::ignores_outcome(self, game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position) -> Score {
        Evaluator::evaluate(self, game, position, &self.state(game, position, None))
    }
}

/// An evaluator of a game.
pub(crate) struct Erased<G>(Arc<dyn Stateless<G>>);

impl<G: Game> Erased<G> {
    pub(crate) fn new(evaluator: impl Evaluator<G> + Debug + 'static) -> Self {
        Erased(Arc::new(evaluator))
    }
}

impl<G> Clone for Erased<G> {
    fn clone(&self) -> Self {
        Erased(self.0.clone())
    }
}

impl<G> Debug for Erased<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<G: Game> Evaluator<G> for Erased<G> {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.ignoring_some_outcomes();

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        self.0.ignores_outcome(game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, (): &()) -> Score {
        self.0.evaluate(game, position)
    }
}
