//! An evaluator that raises a flag after so many evaluations, which happens at the same node each time; when
//! the search looks at the flag depends on what its evaluations take.

use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::StopFlag;
use starsplit_wrappers::{EvaluatorWrapper, forward};
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

impl<E: Send + Sync> EvaluatorWrapper for Alarmed<E> {
    type Inner = E;

    fn inner(&self) -> &E {
        &self.inner
    }

    fn evaluate<G: Game>(&self, game: &G, position: &G::Position, state: &E::State) -> Score
    where
        E: Evaluator<G>,
    {
        if self.left.fetch_sub(1, Relaxed) == 0 {
            self.flag.stop();
        }
        self.inner.evaluate(game, position, state)
    }
}

forward! { impl<E: Send + Sync> Evaluator for Alarmed<E> }
