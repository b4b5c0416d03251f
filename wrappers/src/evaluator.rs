//! Evaluators that change a few things of another evaluator.

use starsplit::evaluator::{Before, EvaluationError, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, Step};
use starsplit::score::Score;

/// An evaluator made from another one, its [inner](EvaluatorWrapper::inner) evaluator, for the same games.
/// Methods mean the same as in [`Evaluator`]; what the wrapper does not implement is the inner evaluator's.
/// [`forward!`](crate::forward) makes the type an [`Evaluator`].
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
