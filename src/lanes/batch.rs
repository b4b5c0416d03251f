//! The pending evaluation requests of one thread's lanes.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::lanes::eval_queue::EvalQueue;
use crate::lanes::request::{Answering, Request, RequestOf};
use crate::score::Score;
use crate::search::SearchError;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// The queue of a search.
pub(super) type EvalQueueOf<G, E> = EvalQueue<RequestOf<G, E>>;

/// The pending requests of a thread's lanes.
pub(super) struct Batch<G: Game, E: Evaluator<G>> {
    /// The greatest number of positions in a call.
    cap: usize,
    /// The thread's index in the search.
    thread: usize,
    requests: RefCell<Vec<RequestOf<G, E>>>,
    /// The number of scores that each lane waits for.
    awaited: Box<[Cell<usize>]>,
    /// Whether a call has failed. Later requests are never answered.
    is_lost: Cell<bool>,
}

impl<G: Game, E: Evaluator<G>> Batch<G, E> {
    /// An empty batch for `lanes` lanes of this thread.
    pub(super) fn new(cap: usize, thread: usize, lanes: usize) -> Self {
        Batch {
            cap,
            thread,
            requests: RefCell::new(Vec::with_capacity(cap)),
            awaited: (0..lanes).map(|_| Cell::new(0)).collect(),
            is_lost: Cell::new(false),
        }
    }

    /// Requests an evaluation of each node for a lane, and calls `wait` until all are answered.
    ///
    /// # Panics
    /// If a call of the evaluator has failed. Unwinds without a message, because the search has the error
    /// already.
    pub(super) fn ask(
        &self,
        lane: usize,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
        wait: impl Fn(),
    ) {
        if !self.is_lost.get() {
            let place = (self.thread, lane);
            let mut all = self.requests.borrow_mut();
            let before = all.len();
            all.extend(nodes.iter().zip(scores).map(|(&node, score)| Request::new(node, score, place)));
            self.awaited[lane].set(all.len() - before);
            drop(all);
            // The lane stays here until its requests are gone, so what they point to stays valid.
            while self.awaited[lane].get() > 0 {
                wait();
            }
        }
        if self.is_lost.get() {
            std::panic::resume_unwind(Box::new("a batch of evaluations failed"));
        }
    }

    /// Whether the requests fill a call.
    pub(super) fn is_full(&self) -> bool {
        self.requests.borrow().len() >= self.cap
    }

    /// Whether no request is left here.
    pub(super) fn is_empty(&self) -> bool {
        self.requests.borrow().is_empty()
    }

    /// The thread's index in the search.
    pub(super) fn thread(&self) -> usize {
        self.thread
    }

    /// Whether any lane waits for an evaluation.
    pub(super) fn awaits_any(&self) -> bool {
        self.awaited.iter().any(|awaited| awaited.get() > 0)
    }

    /// The thread sleeps until the device has returned requests of its own, at most for `longest`.
    pub(super) fn wait(&self, queue: &EvalQueueOf<G, E>, longest: Duration) {
        queue.wait(self.thread, longest);
    }

    /// Answers the oldest requests in one call, at most `cap`. Calls `answered` for each lane that has all
    /// its scores.
    ///
    /// # Errors
    /// If the evaluator fails or panics. All requests are then gone, and `answered` is called for every lane
    /// that had one.
    pub(super) fn evaluate(
        &self,
        answering: &mut Answering<'_, G, E>,
        mut answered: impl FnMut(usize),
    ) -> Result<(), SearchError> {
        let mut requests: Vec<_> = {
            let mut all = self.requests.borrow_mut();
            let count = all.len().min(self.cap);
            all.drain(..count).collect()
        };
        let made = answering.answer(&requests);
        if made.is_err() {
            self.is_lost.set(true);
            requests.append(&mut self.requests.borrow_mut());
        }
        requests.into_iter().for_each(|request| self.note_answer(&request, &mut answered));
        made
    }

    /// Hands all requests over to the device.
    pub(super) fn hand_over(&self, queue: &EvalQueueOf<G, E>) {
        queue.hand_over(&mut self.requests.borrow_mut());
    }

    /// Fetches the requests that the device has returned. Calls `answered` for each lane that waits for no
    /// more.
    pub(super) fn fetch(&self, queue: &EvalQueueOf<G, E>, mut answered: impl FnMut(usize)) {
        queue.fetch(self.thread, |request| {
            if queue.is_lost() {
                self.is_lost.set(true);
            }
            self.note_answer(&request, &mut answered);
        });
    }

    /// Notes that a request is gone.
    fn note_answer(&self, request: &RequestOf<G, E>, answered: &mut impl FnMut(usize)) {
        let awaited = &self.awaited[request.lane()];
        awaited.set(awaited.get() - 1);
        if awaited.get() == 0 {
            answered(request.lane());
        }
    }
}
