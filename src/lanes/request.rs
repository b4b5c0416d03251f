//! A lane's request for an evaluation, and the call that answers many.

#![allow(unsafe_code, reason = "requests refer to what lies on the stacks of lanes that wait")]

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::lanes::desk::FromThread;
use crate::parallel::catch;
use crate::score::Score;
use crate::search::{BatchCounts, SearchError};

/// A position to be evaluated, with its state, for a lane that waits for its score.
///
/// Whoever has it may read what it refers to and write the answer: a lane that has made requests stays where
/// it is, with all that they refer to, and looks at no answer, until it has been told that all of them are
/// gone.
#[derive(Debug)]
pub(super) struct Request<P, S> {
    position: *const P,
    state: *const S,
    answer: *mut Score,
    thread: usize,
    lane: usize,
}

/// A request of a search of this game with this evaluator.
pub(super) type RequestOf<G, E> = Request<<G as Game>::Position, <E as Evaluator<G>>::State>;

// SAFETY: it is a shared reference to a position and a state, which other threads may have, and the only
// one, a mutable one, to a score.
unsafe impl<P: Sync, S: Sync> Send for Request<P, S> {}

impl<P, S> Request<P, S> {
    /// A request of the lane of that number on the thread of that number.
    pub(super) fn new(
        (position, state): (&P, &S),
        answer: &mut Score,
        (thread, lane): (usize, usize),
    ) -> Self {
        Request {
            position: std::ptr::from_ref(position),
            state: std::ptr::from_ref(state),
            answer: std::ptr::from_mut(answer),
            thread,
            lane,
        }
    }

    /// The lane that waits for it.
    pub(super) fn lane(&self) -> usize {
        self.lane
    }
}

impl<P, S> FromThread for Request<P, S> {
    fn thread(&self) -> usize {
        self.thread
    }
}

/// What answers requests: the evaluator, and a count of its calls.
pub(super) struct Answering<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    counts: BatchCounts,
}

impl<'a, G: Game, E: Evaluator<G>> Answering<'a, G, E> {
    /// Nothing is answered yet.
    pub(super) fn new(game: &'a G, evaluator: &'a E) -> Self {
        Answering { game, evaluator, counts: BatchCounts::default() }
    }

    /// Answers all of these in one call.
    ///
    /// # Errors
    /// When the evaluator fails or panics.
    pub(super) fn answer(&mut self, requests: &[RequestOf<G, E>]) -> Result<(), SearchError> {
        // SAFETY: the lanes that made the requests stay where they are until these are gone, see `Request`.
        let nodes: Vec<(&G::Position, &E::State)> =
            requests.iter().map(|request| unsafe { (&*request.position, &*request.state) }).collect();
        let mut scores = vec![0; nodes.len()];
        self.counts.calls += 1;
        self.counts.evaluations += scores.len() as u64;
        catch(|| self.evaluator.evaluate_many(self.game, &nodes, &mut scores))??;
        for (request, score) in requests.iter().zip(scores) {
            // SAFETY: as above; nobody else reads or writes the answer of a request that is not gone.
            unsafe { request.answer.write(score) };
        }
        Ok(())
    }

    /// What was evaluated so far.
    pub(super) fn counts(&self) -> BatchCounts {
        self.counts
    }
}
