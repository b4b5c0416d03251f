//! Evaluators behind a pointer. A search is compiled once for all that are of one kind; to compile them one
//! by one would be most of a build of the tests.

use starsplit::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use starsplit::game::Game;
use starsplit::score::{Bounds, Score};
use std::any::{Any, TypeId, type_name};
use std::sync::Arc;

/// An evaluator that sees outcomes, and foretells nothing.
pub(crate) type Seeing<'e, G> = Erased<'e, G, false, false>;
/// An evaluator that ignores outcomes, and foretells nothing.
pub(crate) type Blind<'e, G> = Erased<'e, G, true, false>;

/// An evaluator of whatever type. Of its abilities two are told to the search: whether it ignores outcomes,
/// and whether it has bounds.
pub(crate) struct Erased<'e, G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool>(
    Arc<dyn Evaluates<G> + 'e>,
);

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
        Erased(Arc::new(evaluator))
    }
}

/// The state of an evaluator; none where it is `()`.
pub(crate) type State = Option<Arc<dyn Any + Send + Sync>>;

fn erased<S: Any + Send + Sync>(state: S) -> State {
    let is_some = TypeId::of::<S>() != TypeId::of::<()>();
    is_some.then(|| Arc::new(state) as Arc<dyn Any + Send + Sync>)
}

/// The state that was erased.
fn of<S: Any>(state: &State) -> &S {
    let state: &dyn Any = match state {
        Some(state) => &**state,
        None => &(),
    };
    state.downcast_ref().expect("a state of this evaluator")
}

/// [`Evaluator`] with states of one type, so that pointers to it can be made.
trait Evaluates<G: Game>: Send + Sync {
    fn facts(&self, game: &G) -> EvaluatorFacts;
    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, State>>) -> State;
    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool;
    fn evaluate(&self, game: &G, position: &G::Position, state: &State) -> Score;
    fn evaluate_after_move(
        &self,
        game: &G,
        state: &State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score;
    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds;
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: &mut dyn FnMut(Bounds));
}

impl<G: Game, E: Evaluator<G, State: 'static>> Evaluates<G> for E {
    fn facts(&self, game: &G) -> EvaluatorFacts {
        Evaluator::facts(self, game)
    }

    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, State>>) -> State {
        let before = before.map(|Before { position, state, step }| {
            let state = of(state);
            Before { position, state, step }
        });
        erased(Evaluator::state(self, game, position, before))
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        Evaluator::ignores_outcome(self, game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &State) -> Score {
        Evaluator::evaluate(self, game, position, of(state))
    }

    fn evaluate_after_move(
        &self,
        game: &G,
        state: &State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        Evaluator::evaluate_after_move(self, game, of(state), before, mv, after)
    }

    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        Evaluator::bounds(self, game, position, depth)
    }

    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: &mut dyn FnMut(Bounds)) {
        Evaluator::outcome_bounds(self, game, position, depth, push);
    }
}

// The lint: a new method must be forwarded here.
#[deny(clippy::missing_trait_methods)]
impl<G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool> Evaluator<G>
    for Erased<'_, G, IS_BLIND, HAS_BOUNDS>
{
    type State = State;
    const ABILITIES: Abilities =
        (if IS_BLIND { Abilities::NONE.ignoring_outcomes() } else { Abilities::NONE })
            .with_bounds(HAS_BOUNDS);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, State>>) -> State {
        self.0.state(game, position, before)
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        self.0.ignores_outcome(game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &State) -> Score {
        self.0.evaluate(game, position, state)
    }

    fn evaluate_after_move(
        &self,
        game: &G,
        state: &State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        self.0.evaluate_after_move(game, state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &State)],
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

    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, mut push: impl FnMut(Bounds)) {
        self.0.outcome_bounds(game, position, depth, &mut push);
    }
}
