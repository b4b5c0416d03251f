//! Evaluators of the game without the rule, for the game with it.

use crate::evaluator::{EvaluationCost, EvaluationError, Evaluator};
use crate::game::Game;
use crate::repetition::{Repeating, Returns, WithPast};
use crate::score::Score;

/// An evaluator of the plain game that serves the one with the rule: the same evaluation, whatever the past.
/// Of its bounds none is used: they leave repetitions out.
#[derive(Clone, Copy, Debug)]
pub struct OfPlain<E>(pub E);

impl<G: Game, R: Returns<G>, E: Evaluator<G>> Evaluator<Repeating<G, R>> for OfPlain<E> {
    type State = E::State;
    const IGNORES_OUTCOME: bool = E::IGNORES_OUTCOME;
    const MAY_IGNORE_OUTCOME: bool = E::MAY_IGNORE_OUTCOME;
    const HAS_BATCHES: bool = E::HAS_BATCHES;

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    fn saturates(&self, game: &Repeating<G, R>) -> bool {
        self.0.saturates(game.plain())
    }

    fn state(&self, game: &Repeating<G, R>, position: &WithPast<G::Position>) -> E::State {
        self.0.state(game.plain(), position.position())
    }

    #[inline]
    fn after_move(
        &self,
        game: &Repeating<G, R>,
        state: &E::State,
        before: &WithPast<G::Position>,
        mv: G::Move,
        after: &WithPast<G::Position>,
    ) -> E::State {
        self.0.after_move(game.plain(), state, before.position(), mv, after.position())
    }

    #[inline]
    fn after_outcome(
        &self,
        game: &Repeating<G, R>,
        state: &E::State,
        before: &WithPast<G::Position>,
        outcome: G::Outcome,
        after: &WithPast<G::Position>,
    ) -> E::State {
        self.0.after_outcome(game.plain(), state, before.position(), outcome, after.position())
    }

    #[inline]
    fn ignores_outcome(&self, game: &Repeating<G, R>, position: &WithPast<G::Position>) -> bool {
        self.0.ignores_outcome(game.plain(), position.position())
    }

    #[inline]
    fn evaluate(&self, game: &Repeating<G, R>, position: &WithPast<G::Position>, state: &E::State) -> Score {
        self.0.evaluate(game.plain(), position.position(), state)
    }

    fn evaluate_many(
        &self,
        game: &Repeating<G, R>,
        nodes: &[(&WithPast<G::Position>, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let plain: Vec<_> = nodes.iter().map(|&(node, state)| (node.position(), state)).collect();
        self.0.evaluate_many(game.plain(), &plain, scores)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &Repeating<G, R>,
        state: &E::State,
        before: &WithPast<G::Position>,
        mv: G::Move,
        after: &WithPast<G::Position>,
    ) -> Score {
        self.0.evaluate_after_move(game.plain(), state, before.position(), mv, after.position())
    }

    fn cost(&self) -> EvaluationCost {
        self.0.cost()
    }
}
