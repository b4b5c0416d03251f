//! An inner game's evaluator for its wrapper.

use crate::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use crate::game::{Game, GameWrapper};
use crate::score::Score;

/// Evaluates a [wrapper](GameWrapper) by an evaluator of its inner game. It drops that evaluator's bounds,
/// which hold for the inner game only.
#[derive(Clone, Copy, Debug)]
pub struct OfInner<E>(pub E);

impl<W: GameWrapper, E: Evaluator<W::Inner>> Evaluator<W> for OfInner<E> {
    type State = E::State;
    const ABILITIES: Abilities = E::ABILITIES.with_bounds(false);

    fn facts(&self, game: &W) -> EvaluatorFacts {
        self.0.facts(game.inner())
    }

    #[inline]
    fn state(&self, game: &W, position: &W::Position, before: Option<Before<'_, W, E::State>>) -> E::State {
        let inner = before.map(|Before { position, state, step }| Before {
            position: W::inner_position(position),
            state,
            step,
        });
        self.0.state(game.inner(), W::inner_position(position), inner)
    }

    #[inline]
    fn ignores_outcome(&self, game: &W, position: &W::Position) -> bool {
        self.0.ignores_outcome(game.inner(), W::inner_position(position))
    }

    #[inline]
    fn evaluate(&self, game: &W, position: &W::Position, state: &E::State) -> Score {
        self.0.evaluate(game.inner(), W::inner_position(position), state)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &W,
        state: &E::State,
        before: &W::Position,
        mv: <W::Inner as Game>::Move,
        after: &W::Position,
    ) -> Score {
        let (before, after) = (W::inner_position(before), W::inner_position(after));
        self.0.evaluate_after_move(game.inner(), state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &W,
        nodes: &[(&W::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let inner: Vec<_> = nodes.iter().map(|&(node, state)| (W::inner_position(node), state)).collect();
        self.0.evaluate_many(game.inner(), &inner, scores)
    }
}
