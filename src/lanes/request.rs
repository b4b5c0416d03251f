//! A lane's request for an evaluation, and the call that answers many.

#![allow(unsafe_code, reason = "requests refer to what lies on the stacks of lanes that wait")]

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::lanes::eval_queue::FromThread;
use crate::score::Score;
use crate::search::catch;
use crate::search::{BatchCounts, SearchError};

/// A position to evaluate, with its state, for a lane that waits for the score.
///
/// Its holder may read what it points to and write the answer. A lane with requests stays where it is, with
/// all that they point to, and reads no answer until all of them are gone.
#[derive(Debug)]
pub(super) struct Request<P, S> {
    position: *const P,
    state: *const S,
    answer: *mut Score,
    thread: usize,
    lane: usize,
}

/// A request in a search of this game with this evaluator.
pub(super) type RequestOf<G, E> = Request<<G as Game>::Position, <E as Evaluator<G>>::State>;

// SAFETY: it acts as a shared reference to a position and a state, which other threads may share, and as the
// only, mutable reference to a score.
unsafe impl<P: Sync, S: Sync> Send for Request<P, S> {}

impl<P, S> Request<P, S> {
    /// A request of this lane on this thread, by their indices.
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

    /// The index of the lane that waits for it.
    pub(super) fn lane(&self) -> usize {
        self.lane
    }
}

impl<P, S> FromThread for Request<P, S> {
    fn thread(&self) -> usize {
        self.thread
    }
}

/// The cost of a lane, in nanoseconds: to begin, and to be given work. In searches of 0.2 to 20 milliseconds
/// twice as much kept lanes of dear calls waiting, and half as much saved less.
const LANE_NS: u64 = 40_000;

/// The least cost of a call, in nanoseconds, so that lanes begin for cheap ones, too, where options ask for
/// them.
const LEAST_CALL_NS: u32 = 5_000;

/// Answers requests with the evaluator, and counts the calls.
pub(super) struct Answering<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    call_ns: u64,
    counts: BatchCounts,
}

impl<'a, G: Game, E: Evaluator<G>> Answering<'a, G, E> {
    /// One with no calls made.
    pub(super) fn new(game: &'a G, evaluator: &'a E) -> Self {
        let call_ns = evaluator.facts(game).cost.fixed_ns.max(LEAST_CALL_NS).into();
        Answering { game, evaluator, call_ns, counts: BatchCounts::default() }
    }

    /// Whether all calls, with the next one, cost what so many lanes beside the first do.
    pub(super) fn pay_for(&self, lanes: usize) -> bool {
        lanes as u64 * LANE_NS <= LANE_NS + (self.counts.calls + 1) * self.call_ns
    }

    /// Answers all `requests` in one call.
    ///
    /// # Errors
    /// If the evaluator fails or panics.
    pub(super) fn answer(&mut self, requests: &[RequestOf<G, E>]) -> Result<(), SearchError> {
        // SAFETY: the lanes that made the requests stay where they are until these are gone; see `Request`.
        let nodes: Vec<(&G::Position, &E::State)> =
            requests.iter().map(|request| unsafe { (&*request.position, &*request.state) }).collect();
        let mut scores = vec![0; nodes.len()];
        self.counts.calls += 1;
        self.counts.evaluations += scores.len() as u64;
        catch(|| self.evaluator.evaluate_many(self.game, &nodes, &mut scores))??;
        for (request, score) in requests.iter().zip(scores) {
            // SAFETY: as above. Until the request is gone, nothing else reads or writes its answer.
            unsafe { request.answer.write(score) };
        }
        Ok(())
    }

    /// The calls and evaluations so far.
    pub(super) fn counts(&self) -> BatchCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::HashRandom;
    use crate::tests::Graph;

    #[test]
    fn lanes_begin_as_calls_pay_for_them() {
        let game = Graph::<false>::default();
        let evaluator = HashRandom::new(1, game.facts().grid.limit());
        let paid = |call_ns, calls| {
            let mut answering = Answering { call_ns, ..Answering::new(&game, &evaluator) };
            (0..calls).for_each(|_| answering.answer(&[]).expect("no evaluation"));
            (1..).take_while(|&lanes| answering.pay_for(lanes)).count()
        };
        assert_eq!(Answering::new(&game, &evaluator).call_ns, u64::from(LEAST_CALL_NS));
        assert_eq!([0, 6, 7, 15, 119].map(|calls| paid(5_000, calls)), [1, 1, 2, 3, 16]);
        assert_eq!([0, 1].map(|calls| paid(1_000_000, calls)), [26, 51]);
    }
}
