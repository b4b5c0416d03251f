//! An evaluator that is chosen when a program runs.

use crate::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use crate::game::Game;
use crate::score::{Bounds, Score};
use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

/// Any evaluator of a game, behind one type: for programs that choose it when they run.
///
/// It finds the values of its own evaluator, and is slower: each state takes memory of its own, and each call
/// is one through a table. Searches are compiled as for an evaluator that may ignore outcomes and has bounds
/// and batches ([`Abilities`]); whether it does is asked each time.
///
/// # Examples
/// ```
/// # #[path = "../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use starsplit::Searcher;
/// # use starsplit::evaluator::{AnyEvaluator, Constant, HashRandom};
/// # use pig::under_way;
/// # let (game, position) = under_way();
/// for evaluator in [AnyEvaluator::new(Constant::default()), AnyEvaluator::new(HashRandom::new(1, 1000))] {
///     let searcher = Searcher::builder(game.clone(), evaluator).build()?;
///     println!("{}", searcher.search(&position)?.value);
/// }
/// # Ok(())
/// # }
/// ```
pub struct AnyEvaluator<'e, G: Game>(Box<dyn Object<G> + 'e>);

impl<'e, G: Game> AnyEvaluator<'e, G> {
    /// The evaluator of this type as one of any.
    pub fn new<E: Evaluator<G, State: 'static> + 'e>(evaluator: E) -> Self {
        AnyEvaluator(Box::new(evaluator))
    }
}

impl<G: Game> fmt::Debug for AnyEvaluator<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyEvaluator").finish_non_exhaustive()
    }
}

/// A state of an evaluator of any type.
#[derive(Clone, Debug)]
pub struct AnyState(
    /// None where it is `()`, so that evaluators without a state take no memory.
    Option<Arc<dyn Any + Send + Sync>>,
);

impl AnyState {
    fn new<S: Any + Send + Sync>(state: S) -> Self {
        let is_some = TypeId::of::<S>() != TypeId::of::<()>();
        AnyState(is_some.then(|| Arc::new(state) as _))
    }

    /// The state in its own type. A search gives an evaluator its own states; another's is a panic, which
    /// ends the search with an error.
    fn of<S: Any>(&self) -> &S {
        let state: &dyn Any = self.0.as_ref().map_or(&(), |state| &**state);
        state.downcast_ref().expect("a state of this evaluator's own")
    }
}

/// [`Evaluator`] without types of its own.
trait Object<G: Game>: Send + Sync {
    fn facts(&self, game: &G) -> EvaluatorFacts;
    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, AnyState>>) -> AnyState;
    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool;
    fn evaluate(&self, game: &G, position: &G::Position, state: &AnyState) -> Score;
    fn evaluate_after_move(
        &self,
        game: &G,
        state: &AnyState,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score;
    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &AnyState)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError>;
    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds;
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: &mut dyn FnMut(Bounds));
}

impl<G: Game, E: Evaluator<G, State: 'static>> Object<G> for E {
    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.facts(game)
    }

    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, AnyState>>) -> AnyState {
        let before =
            before.map(|Before { position, state, step }| Before { position, state: state.of(), step });
        AnyState::new(Evaluator::state(self, game, position, before))
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        E::ABILITIES.may_ignore_outcome && Evaluator::ignores_outcome(self, game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &AnyState) -> Score {
        Evaluator::evaluate(self, game, position, state.of())
    }

    fn evaluate_after_move(
        &self,
        game: &G,
        state: &AnyState,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        Evaluator::evaluate_after_move(self, game, state.of(), before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &AnyState)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let nodes: Vec<_> = nodes.iter().map(|&(position, state)| (position, state.of())).collect();
        Evaluator::evaluate_many(self, game, &nodes, scores)
    }

    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        if E::ABILITIES.bounds {
            Evaluator::bounds(self, game, position, depth)
        } else {
            Bounds::unknown(game.facts().grid.limit())
        }
    }

    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: &mut dyn FnMut(Bounds)) {
        if E::ABILITIES.bounds {
            Evaluator::outcome_bounds(self, game, position, depth, push);
        }
    }
}

// The lint: a new method must be forwarded here.
#[deny(clippy::missing_trait_methods)]
impl<G: Game> Evaluator<G> for AnyEvaluator<'_, G> {
    type State = AnyState;
    const ABILITIES: Abilities =
        Abilities::NONE.ignoring_some_outcomes().with_bounds(true).with_batches(true);

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
        self.0.evaluate_many(game, nodes, scores)
    }

    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        self.0.bounds(game, position, depth)
    }

    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, mut push: impl FnMut(Bounds)) {
        self.0.outcome_bounds(game, position, depth, &mut push);
    }
}
