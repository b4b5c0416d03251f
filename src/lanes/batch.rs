//! The requests for evaluations that the lanes of one thread have left, and the calls that answer them.

#![allow(unsafe_code, reason = "requests refer to what lies on the stacks of lanes that wait")]

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::catch;
use crate::score::Score;
use crate::search::{BatchCounts, SearchError};
use std::cell::{Cell, RefCell};

/// A position to be evaluated, with its state, for a lane that waits for its score.
struct Request<P, S> {
    position: *const P,
    state: *const S,
    answer: *mut Score,
    lane: usize,
}

/// What the lanes of a thread have asked for and wait for.
pub(super) struct Batch<G: Game, E: Evaluator<G>> {
    /// The most positions of a call.
    cap: usize,
    requests: RefCell<Vec<Request<G::Position, E::State>>>,
    /// How many scores each lane waits for.
    awaited: Box<[Cell<usize>]>,
    /// Whether a call has failed: what is asked for then is never answered.
    is_lost: Cell<bool>,
    counts: Cell<BatchCounts>,
}

// SAFETY: the pointers are the only reason why it is not `Send` by itself. They point into the stacks of
// lanes, which never leave the thread that has the batch; a batch that has gone to another thread before
// there were lanes, or after they have ended, holds none, since each request is gone before its lane goes on.
unsafe impl<G: Game, E: Evaluator<G>> Send for Batch<G, E> {}

impl<G: Game, E: Evaluator<G>> Batch<G, E> {
    /// An empty one, for so many lanes.
    pub(super) fn new(cap: usize, lanes: usize) -> Self {
        Batch {
            cap,
            requests: RefCell::new(Vec::with_capacity(cap)),
            awaited: (0..lanes).map(|_| Cell::new(0)).collect(),
            is_lost: Cell::new(false),
            counts: Cell::new(BatchCounts::default()),
        }
    }

    /// Has a lane ask for the evaluation of each of these, and wait by `wait` until all are answered.
    ///
    /// # Panics
    /// Unwinds, without a message of its own, when a call of the evaluator has failed; that is the search's
    /// error already.
    pub(super) fn ask<'n>(
        &self,
        lane: usize,
        nodes: impl Iterator<Item = (&'n G::Position, &'n E::State)>,
        scores: &mut [Score],
        wait: impl Fn(),
    ) where
        G::Position: 'n,
        E::State: 'n,
    {
        if !self.is_lost.get() {
            let requests = nodes.zip(scores.iter_mut()).map(|((position, state), score)| Request {
                position: std::ptr::from_ref(position),
                state: std::ptr::from_ref(state),
                answer: std::ptr::from_mut(score),
                lane,
            });
            let mut all = self.requests.borrow_mut();
            let before = all.len();
            all.extend(requests);
            self.awaited[lane].set(all.len() - before);
            drop(all);
            // The lane stays here, with what its requests point to, until each was answered and is gone.
            while self.awaited[lane].get() > 0 {
                wait();
            }
        }
        if self.is_lost.get() {
            std::panic::resume_unwind(Box::new("a batch of evaluations failed"));
        }
    }

    /// Whether there is enough for a full call.
    pub(super) fn is_full(&self) -> bool {
        self.requests.borrow().len() >= self.cap
    }

    /// Whether nobody asks for anything.
    pub(super) fn is_empty(&self) -> bool {
        self.requests.borrow().is_empty()
    }

    /// Answers the oldest requests in one call, as many as one takes; calls `answered` for each lane that
    /// waits for nothing any more.
    ///
    /// # Errors
    /// When the evaluator panics. Then all requests are gone, and every lane that had one is `answered`.
    pub(super) fn evaluate(
        &self,
        game: &G,
        evaluator: &E,
        mut answered: impl FnMut(usize),
    ) -> Result<(), SearchError> {
        let requests: Vec<_> = {
            let mut all = self.requests.borrow_mut();
            let count = all.len().min(self.cap);
            all.drain(..count).collect()
        };
        // SAFETY: positions and states are borrowed by `ask`, in which their lane stays until its count of
        // awaited scores is 0, which this function alone lowers, below; so what they point to lives, and is
        // not changed, as long as these references do.
        let nodes: Vec<(&G::Position, &E::State)> =
            requests.iter().map(|request| unsafe { (&*request.position, &*request.state) }).collect();
        let mut scores = vec![0; nodes.len()];
        let made = catch(|| evaluator.evaluate_many(game, &nodes, &mut scores));
        drop(nodes);
        if made.is_err() {
            self.is_lost.set(true);
        }
        let mut counts = self.counts.get();
        counts.calls += 1;
        counts.evaluations += scores.len() as u64;
        self.counts.set(counts);
        for (request, score) in requests.iter().zip(scores) {
            // SAFETY: as above; `ask` has lent the place of the answer mutably, and looks at it only when
            // all its requests are gone.
            unsafe { request.answer.write(score) };
            self.note_answer(request.lane, &mut answered);
        }
        if made.is_err() {
            let rest = std::mem::take(&mut *self.requests.borrow_mut());
            rest.iter().for_each(|request| self.note_answer(request.lane, &mut answered));
        }
        made
    }

    fn note_answer(&self, lane: usize, answered: &mut impl FnMut(usize)) {
        let awaited = &self.awaited[lane];
        awaited.set(awaited.get() - 1);
        if awaited.get() == 0 {
            answered(lane);
        }
    }

    /// What was evaluated so far.
    pub(super) fn counts(&self) -> BatchCounts {
        self.counts.get()
    }
}
