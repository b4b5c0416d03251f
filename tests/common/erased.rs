//! Evaluators behind a pointer. A search is compiled once for all that are of one kind; to compile them one
//! by one would be most of a build of the tests.

use starsplit::evaluator::{
    Abilities, AnyEvaluator, AnyState, Before, EvaluationError, Evaluator, EvaluatorFacts,
};
use starsplit::game::Game;
use starsplit::score::{Bounds, Score};
use std::any::type_name;
use std::sync::Arc;

/// An evaluator that sees outcomes, and foretells nothing.
pub(crate) type Seeing<'e, G> = Erased<'e, G, false, false>;
/// An evaluator that ignores outcomes, and foretells nothing.
pub(crate) type Blind<'e, G> = Erased<'e, G, true, false>;

/// An evaluator of whatever type. Of its abilities two are told to the search: whether it ignores outcomes,
/// and whether it has bounds.
pub(crate) struct Erased<'e, G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool>(Arc<AnyEvaluator<'e, G>>);

impl<G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool> Clone for Erased<'_, G, IS_BLIND, HAS_BOUNDS> {
    fn clone(&self) -> Self {
        Erased(self.0.clone())
    }
}

impl<'e, G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool> Erased<'e, G, IS_BLIND, HAS_BOUNDS> {
    /// This evaluator, which has these abilities and no others.
    pub(crate) fn of<E: Evaluator<G, State: 'static> + 'e>(evaluator: E) -> Self {
        assert_eq!(E::ABILITIES, Self::ABILITIES, "another kind: {}", type_name::<E>());
        Self::without_batches(evaluator)
    }

    /// The same of one that may have batches: no search makes any.
    pub(crate) fn without_batches<E: Evaluator<G, State: 'static> + 'e>(evaluator: E) -> Self {
        assert_eq!(E::ABILITIES.with_batches(false), Self::ABILITIES, "another kind: {}", type_name::<E>());
        Erased(Arc::new(AnyEvaluator::new(evaluator)))
    }
}

// The lint: a new method must be forwarded here.
#[deny(clippy::missing_trait_methods)]
impl<G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool> Evaluator<G>
    for Erased<'_, G, IS_BLIND, HAS_BOUNDS>
{
    type State = AnyState;
    const ABILITIES: Abilities =
        (if IS_BLIND { Abilities::NONE.ignoring_outcomes() } else { Abilities::NONE })
            .with_bounds(HAS_BOUNDS);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, AnyState>>) -> AnyState {
        self.0.state(game, position, before)
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        self.0.ignores_outcome(game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &AnyState) -> Score {
        self.0.evaluate(game, position, state)
    }

    fn evaluate_after_move(
        &self,
        game: &G,
        state: &AnyState,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        self.0.evaluate_after_move(game, state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &AnyState)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        for (&(position, state), score) in nodes.iter().zip(scores) {
            *score = self.0.evaluate(game, position, state);
        }
        Ok(())
    }

    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        self.0.bounds(game, position, depth)
    }

    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: impl FnMut(Bounds)) {
        self.0.outcome_bounds(game, position, depth, push);
    }
}
