//! Evaluators that are another evaluator but for a few things.

use crate::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use crate::game::{Game, Step};
use crate::score::{Bounds, Score};

/// An evaluator made from another one of the same games, its [inner](EvaluatorWrapper::inner) evaluator.
/// Whatever the wrapper does not say itself is as there, and what implements this is an [`Evaluator`] of
/// every game that the inner one is of. Methods mean what they mean there.
///
/// What evaluates after a move, or many positions, is made of the wrapper's own
/// [`evaluate`](EvaluatorWrapper::evaluate). Bounds are the inner evaluator's, so evaluations have to be such
/// that they hold.
pub trait EvaluatorWrapper: Send + Sync {
    /// The other evaluator; states are its states.
    type Inner: Send + Sync;

    /// The other evaluator.
    fn inner(&self) -> &Self::Inner;

    /// See [`Evaluator::facts`]. The identity is another one where evaluations are.
    fn facts<G: Game>(&self, game: &G) -> EvaluatorFacts
    where
        Self::Inner: Evaluator<G>,
    {
        self.inner().facts(game)
    }

    /// See [`Evaluator::evaluate`].
    #[inline]
    fn evaluate<G: Game>(&self, game: &G, position: &G::Position, state: &InnerState<Self, G>) -> Score
    where
        Self::Inner: Evaluator<G>,
    {
        self.inner().evaluate(game, position, state)
    }

    /// See [`Evaluator::evaluate_after_move`].
    #[inline]
    fn evaluate_after_move<G: Game>(
        &self,
        game: &G,
        state: &InnerState<Self, G>,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score
    where
        Self::Inner: Evaluator<G>,
    {
        let before = Before { position: before, state, step: Step::Move(mv) };
        self.evaluate(game, after, &self.inner().state(game, after, Some(before)))
    }

    /// See [`Evaluator::evaluate_many`].
    ///
    /// # Errors
    /// Whatever keeps the wrapper from evaluating; as it is here, nothing.
    fn evaluate_many<G: Game>(
        &self,
        game: &G,
        nodes: &[(&G::Position, &InnerState<Self, G>)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError>
    where
        Self::Inner: Evaluator<G>,
    {
        for (&(position, state), score) in nodes.iter().zip(scores) {
            *score = self.evaluate(game, position, state);
        }
        Ok(())
    }
}

/// What the inner evaluator carries along.
type InnerState<W, G> = <<W as EvaluatorWrapper>::Inner as Evaluator<G>>::State;

// Nothing that an evaluator may say is forgotten.
#[deny(clippy::missing_trait_methods)]
impl<G: Game, W: EvaluatorWrapper<Inner: Evaluator<G>>> Evaluator<G> for W {
    type State = InnerState<W, G>;
    const ABILITIES: Abilities = <W::Inner as Evaluator<G>>::ABILITIES;

    fn facts(&self, game: &G) -> EvaluatorFacts {
        W::facts(self, game)
    }

    #[inline]
    fn state(
        &self,
        game: &G,
        position: &G::Position,
        before: Option<Before<'_, G, Self::State>>,
    ) -> Self::State {
        self.inner().state(game, position, before)
    }

    #[inline]
    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        self.inner().ignores_outcome(game, position)
    }

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> Score {
        W::evaluate(self, game, position, state)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &G,
        state: &Self::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        W::evaluate_after_move(self, game, state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &Self::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        W::evaluate_many(self, game, nodes, scores)
    }

    #[inline]
    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        self.inner().bounds(game, position, depth)
    }

    #[inline]
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: impl FnMut(Bounds)) {
        self.inner().outcome_bounds(game, position, depth, push);
    }
}

impl<E: Send + Sync> EvaluatorWrapper for &E {
    type Inner = E;

    #[inline]
    fn inner(&self) -> &E {
        self
    }

    #[inline]
    fn evaluate_after_move<G: Game>(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score
    where
        E: Evaluator<G>,
    {
        E::evaluate_after_move(self, game, state, before, mv, after)
    }

    fn evaluate_many<G: Game>(
        &self,
        game: &G,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError>
    where
        E: Evaluator<G>,
    {
        E::evaluate_many(self, game, nodes, scores)
    }
}
