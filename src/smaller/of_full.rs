//! Evaluators of the full game, for a smaller one.

use crate::evaluator::{EvaluationCost, EvaluationError, Evaluator};
use crate::game::Game;
use crate::score::Score;
use crate::smaller::Smaller;

/// An evaluator of the full game that serves a smaller one: the same evaluation everywhere. Of its bounds
/// none is used: they are of the full game.
#[derive(Clone, Copy, Debug)]
pub struct OfFull<E>(pub E);

impl<S: Smaller, E: Evaluator<S::Full>> Evaluator<S> for OfFull<E> {
    type State = E::State;
    const IGNORES_OUTCOME: bool = E::IGNORES_OUTCOME;
    const MAY_IGNORE_OUTCOME: bool = E::MAY_IGNORE_OUTCOME;
    const HAS_BATCHES: bool = E::HAS_BATCHES;

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    fn saturates(&self, game: &S) -> bool {
        self.0.saturates(game.full())
    }

    fn state(&self, game: &S, position: &S::Position) -> E::State {
        self.0.state(game.full(), position)
    }

    #[inline]
    fn after_move(
        &self,
        game: &S,
        state: &E::State,
        before: &S::Position,
        mv: S::Move,
        after: &S::Position,
    ) -> E::State {
        self.0.after_move(game.full(), state, before, mv, after)
    }

    #[inline]
    fn after_outcome(
        &self,
        game: &S,
        state: &E::State,
        before: &S::Position,
        outcome: S::Outcome,
        after: &S::Position,
    ) -> E::State {
        self.0.after_outcome(game.full(), state, before, outcome, after)
    }

    #[inline]
    fn ignores_outcome(&self, game: &S, position: &S::Position) -> bool {
        self.0.ignores_outcome(game.full(), position)
    }

    #[inline]
    fn evaluate(&self, game: &S, position: &S::Position, state: &E::State) -> Score {
        self.0.evaluate(game.full(), position, state)
    }

    fn evaluate_many(
        &self,
        game: &S,
        nodes: &[(&<S as Game>::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.0.evaluate_many(game.full(), nodes, scores)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &S,
        state: &E::State,
        before: &S::Position,
        mv: S::Move,
        after: &S::Position,
    ) -> Score {
        self.0.evaluate_after_move(game.full(), state, before, mv, after)
    }

    fn cost(&self) -> EvaluationCost {
        self.0.cost()
    }
}
