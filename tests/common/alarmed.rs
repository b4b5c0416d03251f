//! An evaluator that raises a flag after so many evaluations, which happens at the same node each time; when
//! the search looks at the flag depends on what its evaluations take.

use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::StopFlag;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// The evaluations of another evaluator, so many of them.
#[derive(Debug)]
pub(crate) struct Alarmed<E> {
    inner: E,
    flag: StopFlag,
    left: AtomicI64,
}

impl<E> Alarmed<E> {
    /// Raises `flag` at the evaluation after the next `evaluations` ones.
    pub(crate) fn new(inner: E, flag: StopFlag, evaluations: u32) -> Self {
        Alarmed { inner, flag, left: AtomicI64::new(i64::from(evaluations)) }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Alarmed<E> {
    type State = E::State;
    const IGNORES_OUTCOME: bool = E::IGNORES_OUTCOME;

    fn identity(&self) -> u64 {
        self.inner.identity()
    }

    fn saturates(&self, game: &G) -> bool {
        self.inner.saturates(game)
    }

    fn state(&self, game: &G, position: &G::Position) -> E::State {
        self.inner.state(game, position)
    }

    fn after_move(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> E::State {
        self.inner.after_move(game, state, before, mv, after)
    }

    fn after_outcome(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        outcome: G::Outcome,
        after: &G::Position,
    ) -> E::State {
        self.inner.after_outcome(game, state, before, outcome, after)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &E::State) -> Score {
        if self.left.fetch_sub(1, Relaxed) == 0 {
            self.flag.stop();
        }
        self.inner.evaluate(game, position, state)
    }
}
