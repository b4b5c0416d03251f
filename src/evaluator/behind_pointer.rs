//! An evaluator of a game, for searchers that share the game behind a pointer.

use crate::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
use crate::game::Game;
use crate::score::{Bounds, Score};
use std::ops::Deref;

/// An evaluator of the game that a pointer leads to: with it a searcher takes `&game` or `Arc<game>` for its
/// game.
///
/// # Examples
/// ```
/// # #[path = "../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use starsplit::Searcher;
/// # use starsplit::evaluator::{BehindPointer, Constant};
/// # use pig::under_way;
/// # use std::sync::Arc;
/// # let (game, position) = under_way();
/// let shared = Arc::new(game);
/// let searcher = Searcher::builder(shared.clone(), BehindPointer(Constant::default())).build()?;
/// assert!(searcher.search(&position)?.depth > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BehindPointer<E>(pub E);

/// A position of the game that a pointer leads to.
type PointeePosition<P> = <<P as Deref>::Target as Game>::Position;

/// The same position and state before, for the game itself.
fn of_target<P: Deref<Target: Game + Sized> + Send + Sync, S>(
    before: Before<'_, P, S>,
) -> Before<'_, P::Target, S> {
    let Before { position, state, step } = before;
    Before { position, state, step }
}

// The lint: a new method must be forwarded here.
#[deny(clippy::missing_trait_methods)]
impl<P, E> Evaluator<P> for BehindPointer<E>
where
    P: Deref<Target: Game + Sized> + Send + Sync,
    E: Evaluator<P::Target>,
{
    type State = E::State;
    const ABILITIES: Abilities = E::ABILITIES;

    fn facts(&self, game: &P) -> EvaluatorFacts {
        self.0.facts(game)
    }

    #[inline]
    fn state(
        &self,
        game: &P,
        position: &PointeePosition<P>,
        before: Option<Before<'_, P, E::State>>,
    ) -> E::State {
        self.0.state(game, position, before.map(of_target))
    }

    #[inline]
    fn ignores_outcome(&self, game: &P, position: &PointeePosition<P>) -> bool {
        self.0.ignores_outcome(game, position)
    }

    #[inline]
    fn evaluate(&self, game: &P, position: &PointeePosition<P>, state: &E::State) -> Score {
        self.0.evaluate(game, position, state)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &P,
        state: &E::State,
        before: &PointeePosition<P>,
        mv: <P::Target as Game>::Move,
        after: &PointeePosition<P>,
    ) -> Score {
        self.0.evaluate_after_move(game, state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &P,
        nodes: &[(&PointeePosition<P>, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.0.evaluate_many(game, nodes, scores)
    }

    #[inline]
    fn bounds(&self, game: &P, position: &PointeePosition<P>, depth: u8) -> Bounds {
        self.0.bounds(game, position, depth)
    }

    #[inline]
    fn outcome_bounds(&self, game: &P, position: &PointeePosition<P>, depth: u8, push: impl FnMut(Bounds)) {
        self.0.outcome_bounds(game, position, depth, push);
    }
}
