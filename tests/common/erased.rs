//! Evaluators behind a pointer. A search is compiled once for all that are of one kind; to compile them one
//! by one would be most of a build of the tests.

use starsplit::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, Hash};
use starsplit::score::{Bounds, Score};
use std::any::type_name;
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
    pub(crate) fn of<E: Evaluator<G, State: Carried> + 'e>(evaluator: E) -> Self {
        assert_eq!(E::ABILITIES, Self::ABILITIES, "another kind: {}", type_name::<E>());
        Erased(Arc::new(evaluator))
    }
}

/// The state of an evaluator.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    None,
    Number(u32),
    Hash(Hash),
}

/// A type of states.
pub(crate) trait Carried: Clone + Send + Sync {
    fn erased(self) -> State;

    /// The state that was erased.
    fn of(state: &State) -> &Self;
}

impl Carried for () {
    fn erased(self) -> State {
        State::None
    }

    fn of(_: &State) -> &() {
        &()
    }
}

impl Carried for u32 {
    fn erased(self) -> State {
        State::Number(self)
    }

    fn of(state: &State) -> &u32 {
        let State::Number(number) = state else { panic!("{state:?} is of another evaluator") };
        number
    }
}

impl Carried for Hash {
    fn erased(self) -> State {
        State::Hash(self)
    }

    fn of(state: &State) -> &Hash {
        let State::Hash(hash) = state else { panic!("{state:?} is of another evaluator") };
        hash
    }
}

/// An evaluator around an erased one can be erased again.
impl Carried for State {
    fn erased(self) -> State {
        self
    }

    fn of(state: &State) -> &State {
        state
    }
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

impl<G: Game, E: Evaluator<G, State: Carried>> Evaluates<G> for E {
    fn facts(&self, game: &G) -> EvaluatorFacts {
        Evaluator::facts(self, game)
    }

    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, State>>) -> State {
        let before = before.map(|Before { position, state, step }| {
            let state = E::State::of(state);
            Before { position, state, step }
        });
        Evaluator::state(self, game, position, before).erased()
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        Evaluator::ignores_outcome(self, game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &State) -> Score {
        Evaluator::evaluate(self, game, position, E::State::of(state))
    }

    fn evaluate_after_move(
        &self,
        game: &G,
        state: &State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        Evaluator::evaluate_after_move(self, game, E::State::of(state), before, mv, after)
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
