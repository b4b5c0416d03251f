//! The processor of a worker: its clock, and how it waits.
//!
//! The search and the scheduler are written once for all processors. On a real thread
//! [`charge`](Processor::charge) does nothing; on a virtual processor it takes virtual time.

use crate::evaluator::{EvaluationError, Evaluator};
use crate::game::Game;
use crate::score::Score;
use crate::sync::Backoff;
use crate::time::Instant;
use std::time::Duration;

/// Events that cost time, and may touch what workers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The entry into a node.
    Node,
    /// A static evaluation.
    Evaluation,
    /// A table probe or store.
    Table,
    /// A poll: whether the task is cancelled, or which workers are idle.
    Poll,
    /// Making and publishing a split point.
    Split,
    /// A ticket stolen.
    Steal,
    /// Waking a sleeping worker, which real threads do without being charged.
    #[cfg(all(feature = "simulate", not(loom)))]
    Wake,
    /// A search for work that found none: in the deques of others, below the worker's own split point, or at
    /// a ticket whose split point was over.
    FailedSteal,
}

/// How many idle lanes of a processor look for work one after another. If one finds none, neither will the
/// others, unless the first only met a split point that had just ended.
#[cfg(feature = "lanes")]
pub(crate) const LOOKS_IN_A_ROW: usize = 4;

/// A worker's processor.
pub(crate) trait Processor: Clone {
    /// A split point's record of the longest chain of work that leads to it and through it.
    type Chain: Default;

    /// Takes the time of an event. If the event touches what workers share, processors whose clocks are
    /// behind run first. Real time passes by itself.
    #[inline]
    fn charge(&self, _event: Event) {}

    /// Lets processors whose clocks are behind run first, before a worker touches what is shared.
    #[inline]
    fn catch_up(&self) {}

    /// Nanoseconds since the search began.
    fn now(&self) -> u64;

    /// The same where time is virtual.
    #[inline]
    fn virtual_time(&self) -> Option<Duration> {
        None
    }

    /// Gives way while there is nothing to do. The wait grows with `looks`, the failed looks in a row.
    fn relax(&self, looks: u32);

    /// As [`relax`](Processor::relax), for a worker that would take any work and found none anywhere. Other
    /// idle workers of the same processor would find none either.
    fn rest(&self, looks: u32) {
        self.relax(looks);
    }

    /// Forks the chain into the tasks of a split point. Only virtual time records chains.
    #[inline]
    fn fork(&self) -> Self::Chain {
        Self::Chain::default()
    }

    /// Begins a task of a split point.
    #[inline]
    fn begin_task(&self, _chain: &Self::Chain) {}

    /// Ends a task of a split point.
    #[inline]
    fn end_task(&self, _chain: &Self::Chain) {}

    /// Joins the chain after all tasks.
    #[inline]
    fn join(&self, _chain: &Self::Chain) {}
}

/// How a worker on this processor evaluates positions.
pub(crate) trait Evaluates<G: Game, E: Evaluator<G>> {
    /// Whether several positions can be evaluated in one call. Where false, code for batches is not compiled.
    const IN_BATCHES: bool = false;
    /// Whether a worker waits for its evaluations, and lets other workers of its thread search meanwhile.
    const WAITS: bool = false;

    /// As [`Evaluator::evaluate`].
    #[inline]
    fn evaluate(&self, evaluator: &E, game: &G, position: &G::Position, state: &E::State) -> Score {
        evaluator.evaluate(game, position, state)
    }

    /// As [`Evaluator::evaluate_after_move`]. Not asked of one that waits: the loops that ask are not for it.
    #[inline]
    fn evaluate_after_move(
        &self,
        evaluator: &E,
        game: &G,
        (before, state): (&G::Position, &E::State),
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        evaluator.evaluate_after_move(game, state, before, mv, after)
    }

    /// Evaluates all `nodes`, at least one, into `scores`.
    ///
    /// # Errors
    /// If the evaluator fails.
    fn evaluate_all(
        &self,
        evaluator: &E,
        game: &G,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        evaluator.evaluate_many(game, nodes, scores)
    }
}

impl<G: Game, E: Evaluator<G>> Evaluates<G, E> for Thread {
    const IN_BATCHES: bool = E::ABILITIES.batches;
}

/// A real thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    began: Instant,
}

impl Thread {
    /// The calling thread, in a search that began at `began`.
    pub(crate) fn new(began: Instant) -> Self {
        Thread { began }
    }
}

impl Processor for Thread {
    type Chain = ();

    fn now(&self) -> u64 {
        // 2^64 nanoseconds are 584 years.
        self.began.elapsed().as_nanos() as u64
    }

    fn relax(&self, looks: u32) {
        if looks < 8 {
            Backoff::new().spin();
        } else {
            // Yields instead of spinning: the awaited thread may need this very core.
            std::thread::yield_now();
        }
    }
}
