//! An evaluator that stops the search after so many evaluations, which happens at the same node each time.

use super::carried::Carried;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, Hash};
use starsplit::score::Score;
use starsplit::search::StopFlag;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// The evaluations of [`Carried`], so many of them.
#[derive(Debug)]
pub(crate) struct Alarmed {
    inner: Carried,
    flag: StopFlag,
    left: AtomicI64,
}

impl Alarmed {
    /// Raises `flag` at the evaluation after the next `evaluations` ones.
    pub(crate) fn new(inner: Carried, flag: StopFlag, evaluations: u32) -> Self {
        Alarmed { inner, flag, left: AtomicI64::new(i64::from(evaluations)) }
    }
}

impl<G: Game> Evaluator<G> for Alarmed {
    type State = Hash;

    fn identity(&self) -> u64 {
        Evaluator::<G>::identity(&self.inner)
    }

    fn state(&self, game: &G, position: &G::Position) -> Hash {
        self.inner.state(game, position)
    }

    fn after_move(
        &self,
        game: &G,
        state: &Hash,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Hash {
        self.inner.after_move(game, state, before, mv, after)
    }

    fn after_outcome(
        &self,
        game: &G,
        state: &Hash,
        before: &G::Position,
        outcome: G::Outcome,
        after: &G::Position,
    ) -> Hash {
        self.inner.after_outcome(game, state, before, outcome, after)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &Hash) -> Score {
        if self.left.fetch_sub(1, Relaxed) == 0 {
            self.flag.stop();
        }
        self.inner.evaluate(game, position, state)
    }
}
