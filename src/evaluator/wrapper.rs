//! Evaluators that change a few things of another evaluator.

use crate::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use crate::game::{Game, Step};
use crate::score::{Bounds, Score};

/// An evaluator made from another one, its [inner](EvaluatorWrapper::inner) evaluator, for the same games.
/// Methods mean the same as in [`Evaluator`]; what the wrapper does not implement is the inner evaluator's.
/// Every type with this trait is an [`Evaluator`].
///
/// Evaluations after a move and of batches use the wrapper's own [`evaluate`](EvaluatorWrapper::evaluate).
/// Bounds are the inner evaluator's, and must hold for the wrapper's evaluations.
pub trait EvaluatorWrapper: Send + Sync {
    /// The inner evaluator. States are its states.
    type Inner: Send + Sync;

    /// The inner evaluator.
    fn inner(&self) -> &Self::Inner;

    /// See [`Evaluator::facts`]. The identity must differ where evaluations do.
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
    /// Whatever prevents the evaluation; the default never fails.
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

/// The state of the inner evaluator.
type InnerState<W, G> = <<W as EvaluatorWrapper>::Inner as Evaluator<G>>::State;

// The lint: a new method of `Evaluator` must be listed here.
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
