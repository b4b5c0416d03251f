//! An evaluator that gives the processor away now and then, so that threads meet in many different orders.

use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit_wrappers::{EvaluatorWrapper, forward};

/// The evaluations of another evaluator, some of which give the processor away first.
#[derive(Clone, Debug)]
pub(crate) struct Yielding<E>(pub(crate) E);

impl<E: Send + Sync> EvaluatorWrapper for Yielding<E> {
    type Inner = E;

    fn inner(&self) -> &E {
        &self.0
    }

    fn evaluate<G: Game>(&self, game: &G, position: &G::Position, state: &E::State) -> Score
    where
        E: Evaluator<G>,
    {
        if game.hash(position).low % 16 == 0 {
            std::thread::yield_now();
        }
        self.0.evaluate(game, position, state)
    }
}

forward! { impl<E: Send + Sync> Evaluator for Yielding<E> }
