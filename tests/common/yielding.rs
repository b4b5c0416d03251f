//! An evaluator that gives the processor away now and then, so that threads meet in many different orders.

use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::score::Score;

/// The evaluations of another evaluator, some of which give the processor away first.
#[derive(Clone, Debug)]
pub(crate) struct Yielding<E>(pub(crate) E);

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Yielding<E> {
    type State = E::State;
    const IGNORES_OUTCOME: bool = E::IGNORES_OUTCOME;

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    fn saturates(&self, game: &G) -> bool {
        self.0.saturates(game)
    }

    fn state(&self, game: &G, position: &G::Position) -> E::State {
        self.0.state(game, position)
    }

    fn after_move(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> E::State {
        self.0.after_move(game, state, before, mv, after)
    }

    fn after_outcome(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        outcome: G::Outcome,
        after: &G::Position,
    ) -> E::State {
        self.0.after_outcome(game, state, before, outcome, after)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &E::State) -> Score {
        if game.hash(position).low.is_multiple_of(16) {
            std::thread::yield_now();
        }
        self.0.evaluate(game, position, state)
    }
}
