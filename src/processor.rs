//! What a worker runs on: its clock, and what it does when there is nothing to do.
//!
//! The search and the scheduler are written once. On a thread of the machine an event costs what it costs,
//! and [`charge`](Processor::charge) is nothing; on a processor that is simulated it takes simulated time.

use crate::evaluator::{Before, EvaluationCost, Evaluator};
use crate::game::{Game, Step};
use crate::score::Score;
use crate::sync::Backoff;
use std::time::Instant;

/// Something that takes time and touches what workers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The entry into a node.
    Node,
    /// A static evaluation.
    Evaluation,
    /// A look-up or a store.
    Table,
    /// A look whether the work still matters, or at who is without work.
    Poll,
    /// A split point made and published.
    Split,
    /// A ticket stolen.
    Steal,
    /// A look for work that found none: in the others' queues, below a split point of one's own, or at a
    /// ticket whose split point was over.
    FailedSteal,
}

/// How many of a processor's lanes that look for any work do so in a row. Where one finds none the others
/// would find none, but that what it was about to take may just have been over.
#[cfg(any(feature = "lanes", feature = "simulate"))]
pub(crate) const LOOKS_IN_A_ROW: usize = 4;

/// One worker's processor.
pub(crate) trait Processor: Clone {
    /// What a split point keeps of the longest chain of work that leads to it and through it.
    type Chain;

    /// Takes the time that an event costs. Before an event that touches what workers share, those who are
    /// behind in time come first.
    fn charge(&self, event: Event);

    /// Lets those who are behind in time come first, before something is touched that workers share.
    fn catch_up(&self);

    /// Nanoseconds since the search began.
    fn now(&self) -> u64;

    /// Gives way to others while there is nothing to do; longer and longer as `looks`, the number of times in
    /// a row, grows.
    fn relax(&self, looks: u32);

    /// The same for a worker that has looked for work wherever there may be some, and would have been glad of
    /// any: where several do that on one processor, they all find none.
    fn rest(&self, looks: u32) {
        self.relax(looks);
    }

    /// The search forks here, into the tasks of a split point.
    fn fork(&self) -> Self::Chain;

    /// A task of a split point begins.
    fn begin_task(&self, chain: &Self::Chain);

    /// A task of a split point is done.
    fn end_task(&self, chain: &Self::Chain);

    /// All tasks are joined.
    fn join(&self, chain: &Self::Chain);
}

/// How a worker on this processor evaluates positions.
pub(crate) trait Evaluates<G: Game, E: Evaluator<G>> {
    /// Whether it may wait for others with an evaluation. Where this is false, what is only for those that do
    /// is not compiled.
    const MAY_BATCH: bool = false;

    /// Whether it does, so that several asked for at once are cheaper.
    #[inline(always)]
    fn in_batches(&self) -> bool {
        false
    }

    /// What an evaluation costs here.
    #[inline]
    fn cost(&self, evaluator: &E, game: &G) -> EvaluationCost {
        evaluator.facts(game).cost
    }

    /// As [`Evaluator::evaluate`].
    #[inline(always)]
    fn evaluate(&self, evaluator: &E, game: &G, position: &G::Position, state: &E::State) -> Score {
        evaluator.evaluate(game, position, state)
    }

    /// As [`Evaluator::evaluate_after_move`].
    #[inline(always)]
    fn evaluate_after_move(
        &self,
        evaluator: &E,
        game: &G,
        (before, state): (&G::Position, &E::State),
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        if self.in_batches() {
            let before = Before { position: before, state, step: Step::Move(mv) };
            return self.evaluate(evaluator, game, after, &evaluator.state(game, after, Some(before)));
        }
        evaluator.evaluate_after_move(game, state, before, mv, after)
    }

    /// Evaluates all of these, into `scores`.
    fn evaluate_all<'n>(
        &self,
        evaluator: &E,
        game: &G,
        nodes: impl Iterator<Item = (&'n G::Position, &'n E::State)>,
        scores: &mut [Score],
    ) where
        G::Position: 'n,
        E::State: 'n,
    {
        for ((position, state), score) in nodes.zip(scores) {
            *score = self.evaluate(evaluator, game, position, state);
        }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluates<G, E> for Thread {}

/// A thread of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    began: Instant,
}

impl Thread {
    /// The calling thread, in a search that began at that time.
    pub(crate) fn new(began: Instant) -> Self {
        Thread { began }
    }
}

impl Processor for Thread {
    // Threads clock no chains.
    type Chain = ();

    #[inline(always)]
    fn charge(&self, _event: Event) {}

    #[inline(always)]
    fn catch_up(&self) {}

    fn now(&self) -> u64 {
        // 2^64 nanoseconds are 584 years.
        self.began.elapsed().as_nanos() as u64
    }

    fn relax(&self, looks: u32) {
        if looks < 8 {
            Backoff::new().spin();
        } else {
            // Yields rather than spins: the thread that is waited for may want this very core.
            std::thread::yield_now();
        }
    }

    #[inline(always)]
    fn fork(&self) {}

    #[inline(always)]
    fn begin_task(&self, (): &()) {}

    #[inline(always)]
    fn end_task(&self, (): &()) {}

    #[inline(always)]
    fn join(&self, (): &()) {}
}
