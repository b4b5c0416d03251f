//! An inner game's evaluator for its wrapper.

use crate::GameWrapper;
use starsplit::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use starsplit::game::Game;
use starsplit::score::Score;

/// Evaluates a [wrapper](GameWrapper) by an evaluator of its inner game. It drops that evaluator's bounds,
/// which hold for the inner game only.
#[derive(Clone, Copy, Debug)]
pub struct OfInner<E>(pub E);

/// A position of the wrapper. (`W::Position` could be that of either trait.)
type PositionOf<W> = <W as Game>::Position;

impl<W, E: Evaluator<W::Inner>> Evaluator<W> for OfInner<E>
where
    W: GameWrapper
        + Game<
            Position = <W as GameWrapper>::Position,
            Move = <<W as GameWrapper>::Inner as Game>::Move,
            Outcome = <<W as GameWrapper>::Inner as Game>::Outcome,
        >,
{
    type State = E::State;
    const ABILITIES: Abilities = E::ABILITIES.with_bounds(false);

    fn facts(&self, game: &W) -> EvaluatorFacts {
        self.0.facts(game.inner())
    }

    #[inline]
    fn state(&self, game: &W, position: &PositionOf<W>, before: Option<Before<'_, W, E::State>>) -> E::State {
        let inner = before.map(|Before { position, state, step }| Before {
            position: W::inner_position(position),
            state,
            step,
        });
        self.0.state(game.inner(), W::inner_position(position), inner)
    }

    #[inline]
    fn ignores_outcome(&self, game: &W, position: &PositionOf<W>) -> bool {
        self.0.ignores_outcome(game.inner(), W::inner_position(position))
    }

    #[inline]
    fn evaluate(&self, game: &W, position: &PositionOf<W>, state: &E::State) -> Score {
        self.0.evaluate(game.inner(), W::inner_position(position), state)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &W,
        state: &E::State,
        before: &PositionOf<W>,
        mv: <W::Inner as Game>::Move,
        after: &PositionOf<W>,
    ) -> Score {
        let (before, after) = (W::inner_position(before), W::inner_position(after));
        self.0.evaluate_after_move(game.inner(), state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &W,
        nodes: &[(&PositionOf<W>, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let inner: Vec<_> = nodes.iter().map(|&(node, state)| (W::inner_position(node), state)).collect();
        self.0.evaluate_many(game.inner(), &inner, scores)
    }
}
