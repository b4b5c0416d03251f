//! Evaluators of known games behind a pointer, with states of whatever type. A search is compiled once for
//! all that are of one kind; to compile them one by one would be most of a build of the tests. The doors to
//! the games compile searches of each by its own type.

use starsplit::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use starsplit::game::Game;
use starsplit::score::{Bounds, Score};
use starsplit_games::{EvaluatorVisitor, Invalid, KnownGame};
use std::any::{Any, TypeId, type_name};
use std::sync::Arc;

/// An evaluator that sees outcomes, and foretells nothing.
pub(crate) type Seeing<G> = Erased<G, false, false>;
/// An evaluator that sees outcomes, and has bounds.
pub(crate) type Foreseeing<G> = Erased<G, false, true>;
/// An evaluator that ignores outcomes, and foretells nothing.
pub(crate) type Blind<G> = Erased<G, true, false>;

/// An evaluator of whatever type. Of its abilities two are told to the search: whether it ignores outcomes,
/// and whether it has bounds. No test here searches in batches.
pub(crate) struct Erased<G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool>(Arc<dyn Evaluates<G>>);

impl<G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool> Clone for Erased<G, IS_BLIND, HAS_BOUNDS> {
    fn clone(&self) -> Self {
        Erased(self.0.clone())
    }
}

impl<G: Game + 'static, const IS_BLIND: bool, const HAS_BOUNDS: bool> Erased<G, IS_BLIND, HAS_BOUNDS> {
    /// This evaluator, which has these abilities and no others but batches.
    pub(crate) fn of<E: Evaluator<G> + 'static>(evaluator: E) -> Self {
        assert_eq!(
            E::ABILITIES.with_batches(false),
            <Self as Evaluator<G>>::ABILITIES,
            "another kind: {}",
            type_name::<E>()
        );
        Erased(Arc::new(evaluator))
    }
}

impl<G: KnownGame, const IS_BLIND: bool, const HAS_BOUNDS: bool> Erased<G, IS_BLIND, HAS_BOUNDS> {
    /// The game's evaluator of this name.
    pub(crate) fn named(game: &G, name: &str, seed: u64) -> Result<Self, Invalid> {
        game.visit_evaluator(name, seed, Erase::<IS_BLIND, HAS_BOUNDS>)
    }
}

/// Makes an evaluator one of a kind.
struct Erase<const IS_BLIND: bool, const HAS_BOUNDS: bool>;

impl<G: KnownGame, const IS_BLIND: bool, const HAS_BOUNDS: bool> EvaluatorVisitor<G>
    for Erase<IS_BLIND, HAS_BOUNDS>
{
    type Output = Erased<G, IS_BLIND, HAS_BOUNDS>;

    fn visit<E: Evaluator<G> + 'static>(self, evaluator: E) -> Self::Output {
        Erased::of(evaluator)
    }
}

/// The state of an evaluator; none where it is `()`.
type State = Option<Arc<dyn Any + Send + Sync>>;

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

impl<G: Game + 'static, E: Evaluator<G> + 'static> Evaluates<G> for E {
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
impl<G: Game, const IS_BLIND: bool, const HAS_BOUNDS: bool> Evaluator<G> for Erased<G, IS_BLIND, HAS_BOUNDS> {
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
