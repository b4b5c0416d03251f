//! The lanes of one thread: coroutines that take turns.
//!
//! A lane that is ready runs until it requests an evaluation or finds no work. Only if no lane is ready do
//! the idle lanes look for work again, and only if none finds any does the thread evaluate a batch that is
//! not full. A device gets the requests as soon as no lane is ready.
//!
//! A new lane begins only when all others have work, and when the calls so far have cost as much as all lanes
//! do: a search of a few evaluations never needs a thousand.

use crate::coroutines::{CoroutineHandle, Coroutines, with_coroutines};
use crate::evaluator::{EvaluationError, Evaluator};
use crate::game::Game;
use crate::lanes::batch::{Batch, EvalQueueOf};
use crate::lanes::request::Answering;
use crate::parallel::LOOKS_WITHOUT_ROOM;
use crate::processor::{Evaluates, LOOKS_IN_A_ROW, Processor, Thread};
use crate::score::Score;
use crate::search::Control;
use corosensei::CoroutineResult;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// Why a lane gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pause {
    /// It waits for evaluations.
    Asked,
    /// It waits for other workers at its own split point, and has found no task there.
    Idle,
    /// It has found no work anywhere.
    Workless,
}

/// The program of a lane.
pub(super) type LaneProgram<'s, 'p, G, E> = Box<dyn FnOnce(Lane<'s, G, E>) + 'p>;

/// A lane: the handle that its own program has.
pub(crate) struct Lane<'s, G: Game, E: Evaluator<G>> {
    batch: &'s Batch<G, E>,
    thread: Thread,
    handle: CoroutineHandle<Pause>,
    index: usize,
}

impl<G: Game, E: Evaluator<G>> Clone for Lane<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Evaluator<G>> Copy for Lane<'_, G, E> {}

impl<G: Game, E: Evaluator<G>> Lane<'_, G, E> {
    /// Requests the evaluations, and waits for them.
    fn ask(&self, nodes: &[(&G::Position, &E::State)], scores: &mut [Score]) {
        self.batch.ask(self.index, nodes, scores, || self.handle.give_way(Pause::Asked));
    }
}

impl<G: Game, E: Evaluator<G>> Processor for Lane<'_, G, E> {
    type Chain = ();

    fn now(&self) -> u64 {
        self.thread.now()
    }

    fn relax(&self, _looks: u32) {
        self.handle.give_way(Pause::Idle);
    }

    fn rest(&self, _looks: u32) {
        self.handle.give_way(Pause::Workless);
    }
}

impl<G: Game, E: Evaluator<G>> Evaluates<G, E> for Lane<'_, G, E> {
    const IN_BATCHES: bool = true;
    const WAITS: bool = true;

    fn evaluate(&self, _: &E, _: &G, position: &G::Position, state: &E::State) -> Score {
        let mut score = [0];
        self.ask(&[(position, state)], &mut score);
        score[0]
    }

    /// Into batches with the requests of other lanes, whose size is set there. Their error ends the search.
    fn evaluate_all(
        &self,
        _: &E,
        _: &G,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.ask(nodes, scores);
        Ok(())
    }
}

/// Who makes the evaluations that a thread's lanes request.
pub(super) enum Answers<'a, G: Game, E: Evaluator<G>> {
    /// The thread itself.
    Own(Answering<'a, G, E>),
    /// The device behind a queue.
    Device(&'a EvalQueueOf<G, E>),
}

impl<'a, G: Game, E: Evaluator<G>> Answers<'a, G, E> {
    /// The device behind the queue, if there is a queue.
    pub(super) fn new(game: &'a G, evaluator: &'a E, queue: Option<&'a EvalQueueOf<G, E>>) -> Self {
        queue.map_or_else(|| Answers::Own(Answering::new(game, evaluator)), Answers::Device)
    }
}

/// How a thread without work waits if there are more threads than processors. A look takes time from busy
/// threads then, and hundreds of looking threads take all of it.
#[derive(Clone, Copy)]
pub(super) struct Crowd<'a> {
    /// Sleeps until work is published, or for the longest sleep.
    pub(super) sleep: &'a dyn Fn(),
    /// The longest sleep while waiting for the device.
    pub(super) longest: Duration,
}

/// A thread's work besides its lanes.
pub(super) struct Beside<'a> {
    /// How it waits, if there are more threads than processors.
    pub(super) crowd: Option<Crowd<'a>>,
    /// Called after each batch that the thread evaluates.
    pub(super) answered: &'a dyn Fn(),
}

/// A thread's lanes.
struct ThreadLanes<'a, 'd, 's: 'p, 'p, G: Game, E: Evaluator<G>> {
    batch: &'s Batch<G, E>,
    thread: Thread,
    /// The programs of lanes that have not begun.
    unbegun: std::vec::IntoIter<LaneProgram<'s, 'p, G, E>>,
    /// The lanes that have begun.
    coroutines: &'a mut Coroutines<'p, Pause>,
    /// The lanes that can go on.
    ready: VecDeque<usize>,
    /// The lanes that wait for other workers at their own split points.
    idle: VecDeque<usize>,
    /// The lanes that have found no work anywhere.
    workless: VecDeque<usize>,
    /// The number of lanes that have begun and not ended.
    running: usize,
    control: &'a Control,
    answers: &'a mut Answers<'d, G, E>,
    beside: Beside<'a>,
    /// The stack of a lane, in bytes.
    stack: usize,
}

/// Runs programs in lanes of this thread to their ends. The first `at_once` begin at once, each other one
/// when all that have begun have work, and calls pay for it. Each lane has a stack of `stack` bytes. Lanes
/// that have not begun when all others have ended never do.
///
/// # Errors
/// If the system grants no stack for the first lanes. If it grants none for a later lane, fewer lanes run.
pub(super) fn run_lanes<'s, G: Game, E: Evaluator<G>>(
    control: &Control,
    answers: &mut Answers<'_, G, E>,
    batch: &'s Batch<G, E>,
    (thread, beside): (Thread, Beside<'_>),
    (programs, at_once, stack): (Vec<LaneProgram<'s, '_, G, E>>, usize, usize),
) -> io::Result<()> {
    with_coroutines(|coroutines| {
        let lanes = ThreadLanes {
            batch,
            thread,
            unbegun: programs.into_iter(),
            coroutines,
            ready: VecDeque::new(),
            idle: VecDeque::new(),
            workless: VecDeque::new(),
            running: 0,
            control,
            answers,
            beside,
            stack,
        };
        lanes.run(at_once)
    })
}

impl<'s: 'p, 'p, G: Game, E: Evaluator<G>> ThreadLanes<'_, '_, 's, 'p, G, E> {
    /// Runs the lanes until all that have begun have ended.
    fn run(mut self, at_once: usize) -> io::Result<()> {
        for _ in 0..at_once {
            let begun = self.begin()?;
            self.ready.extend(begun);
        }
        let mut looks = 0;
        while self.running > 0 {
            self.turn_to_device();
            if self.go_on() {
                looks = 0;
            } else if !self.batch.is_empty() {
                self.answer();
                looks = 0;
            } else {
                match self.beside.crowd.filter(|_| looks >= LOOKS_WITHOUT_ROOM && self.idle.is_empty()) {
                    Some(crowd) => self.sleep(crowd),
                    None => self.thread.relax(looks),
                }
                looks = looks.saturating_add(1);
            }
            while self.batch.is_full() {
                self.answer();
            }
        }
        Ok(())
    }

    /// Begins the next lane, if there is one. Returns its index.
    fn begin(&mut self) -> io::Result<Option<usize>> {
        let Some(program) = self.unbegun.next() else { return Ok(None) };
        let (batch, thread, index) = (self.batch, self.thread, self.coroutines.len());
        self.coroutines.begin(self.stack, move |handle| program(Lane { batch, thread, handle, index }))?;
        self.running += 1;
        Ok(Some(index))
    }

    /// Begins and runs another lane if all that have begun have work, and calls pay for it; a device needs
    /// many at once. Returns whether it did something.
    fn begin_another(&mut self) -> bool {
        let is_early = matches!(self.answers, Answers::Own(own) if !own.pay_for(self.running));
        if is_early || !self.workless.is_empty() {
            return false;
        }
        match self.begin() {
            Ok(begun) => begun.is_some_and(|lane| self.resume(lane)),
            Err(_) => {
                // Without a stack, go on without this lane and all later ones: any number of lanes will do.
                self.unbegun = Vec::new().into_iter();
                false
            }
        }
    }

    /// Runs a ready lane, or one that finds work. Returns whether there was any.
    fn go_on(&mut self) -> bool {
        if let Some(lane) = self.ready.pop_front() {
            self.resume(lane);
            return true;
        }
        let waiting = (0..self.idle.len()).any(|_| {
            let lane = self.idle.pop_front().expect("as many are idle as before, or one has found work");
            self.resume(lane)
        });
        waiting
            || (0..self.workless.len().min(LOOKS_IN_A_ROW)).any(|_| {
                let lane = self.workless.pop_front().expect("as many look as before, or one has found work");
                self.resume(lane)
            })
            || self.begin_another()
    }

    /// Runs a lane until it gives way. Returns whether it did something.
    fn resume(&mut self, lane: usize) -> bool {
        match self.coroutines.resume(lane) {
            CoroutineResult::Yield(Pause::Asked) => true,
            CoroutineResult::Yield(Pause::Idle) => {
                self.idle.push_back(lane);
                false
            }
            CoroutineResult::Yield(Pause::Workless) => {
                self.workless.push_back(lane);
                false
            }
            CoroutineResult::Return(()) => {
                self.running -= 1;
                true
            }
        }
    }

    /// Answers requests: a batch here, or all of them by the device.
    fn answer(&mut self) {
        let ThreadLanes { batch, ready, answers, .. } = self;
        match answers {
            Answers::Device(queue) => batch.hand_over(queue),
            Answers::Own(answering) => {
                if let Err(error) = batch.evaluate(answering, |lane| ready.push_back(lane)) {
                    self.control.fail(error);
                }
                (self.beside.answered)();
            }
        }
    }

    /// The thread sleeps until the device has answered some of its lanes, or if none waits for that, until
    /// there may be work; at most for the longest sleep.
    fn sleep(&self, crowd: Crowd<'_>) {
        match self.answers {
            &mut Answers::Device(queue) if self.batch.awaits_any() => self.batch.wait(queue, crowd.longest),
            _ => (crowd.sleep)(),
        }
    }

    /// Fetches the answers of a device. Hands over the requests if no lane is ready.
    fn turn_to_device(&mut self) {
        let ThreadLanes { batch, ready, answers: Answers::Device(queue), .. } = self else { return };
        batch.fetch(queue, |lane| ready.push_back(lane));
        if ready.is_empty() && !batch.is_empty() {
            batch.hand_over(queue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{EvaluationCost, HashRandom};
    use crate::parallel::STACK;
    use crate::search::{Limits, StopFlag};
    use crate::tests::Graph;
    use crate::time::Instant;
    use std::cell::{Cell, RefCell};

    /// Runs `lanes` lanes that each request the same evaluation `times` times. Returns the time of all.
    fn ask(lanes: usize, times: u32, batch: usize) -> std::time::Duration {
        let game = Graph::<false>::default();
        let evaluator = HashRandom::new(1, game.facts().grid.limit());
        let position = 0;
        let expected = evaluator.evaluate(&game, &position, &());
        let control = Control::with_progress(&Limits::unbounded(), &StopFlag::new(), Default::default());
        let (batch, answered) = (Batch::new(batch, 0, lanes), Cell::new(0u64));
        let (game, evaluator, position, answered) = (&game, &evaluator, &position, &answered);
        let program = || {
            Box::new(move |lane: Lane<'_, Graph, HashRandom>| {
                for _ in 0..times {
                    assert_eq!(lane.evaluate(evaluator, game, position, &()), expected);
                    answered.set(answered.get() + 1);
                }
            }) as LaneProgram<'_, '_, Graph, HashRandom>
        };
        let mut answers = Answers::new(game, evaluator, None);
        let began = Instant::now();
        let programs = (0..lanes).map(|_| program()).collect();
        let beside = Beside { crowd: None, answered: &|| {} };
        run_lanes(&control, &mut answers, &batch, (Thread::new(began), beside), (programs, lanes, STACK))
            .unwrap();
        assert_eq!(answered.get(), lanes as u64 * u64::from(times));
        assert!(matches!(answers, Answers::Own(own) if own.counts().evaluations == answered.get()));
        began.elapsed()
    }

    #[test]
    fn every_lane_is_answered() {
        for (lanes, batch) in [(1, 1), (1, 8), (3, 8), (8, 3), (100, 64)] {
            ask(lanes, 50, batch);
        }
    }

    /// The first lane requests; the second then begins and finds no work; the third is never needed.
    #[test]
    fn a_lane_begins_when_all_that_have_begun_have_work() {
        let game = Graph::<false>::default();
        let evaluator = HashRandom::new(1, game.facts().grid.limit());
        let position = 0;
        let expected = evaluator.evaluate(&game, &position, &());
        let control = Control::with_progress(&Limits::unbounded(), &StopFlag::new(), Default::default());
        let (batch, begun, is_over) = (Batch::new(8, 0, 3), RefCell::new(vec![]), Cell::new(false));
        let (game, evaluator, position, begun, is_over) = (&game, &evaluator, &position, &begun, &is_over);
        let leader = move |lane: Lane<'_, Graph, HashRandom>| {
            begun.borrow_mut().push(0);
            (0..5).for_each(|_| assert_eq!(lane.evaluate(evaluator, game, position, &()), expected));
            is_over.set(true);
        };
        let mut programs: Vec<LaneProgram<'_, '_, Graph, HashRandom>> = vec![Box::new(leader)];
        programs.extend((1..3).map(|number| {
            Box::new(move |lane: Lane<'_, Graph, HashRandom>| {
                begun.borrow_mut().push(number);
                while !is_over.get() {
                    lane.rest(0);
                }
            }) as LaneProgram<'_, '_, Graph, HashRandom>
        }));
        let (mut answers, calls) = (Answers::new(game, evaluator, None), Cell::new(0));
        let beside = Beside { crowd: None, answered: &|| calls.set(calls.get() + 1) };
        run_lanes(
            &control,
            &mut answers,
            &batch,
            (Thread::new(Instant::now()), beside),
            (programs, 1, STACK),
        )
        .unwrap();
        assert_eq!((begun.take(), calls.get()), (vec![0, 1], 5));
    }

    /// For people: the time of a batched evaluation. Less the hash's declared cost it is batching's.
    #[test]
    #[ignore = "measures, and asserts nothing of it"]
    fn what_a_hand_over_takes() {
        let game = Graph::<false>::default();
        let evaluator = HashRandom::new(1, game.facts().grid.limit());
        let EvaluationCost { fixed_ns, each_ns } = evaluator.facts(&game).cost;
        println!("an evaluation is declared to take {} ns", fixed_ns + each_ns);
        for (lanes, batch) in [(1, 1), (2, 2), (8, 8), (16, 16), (64, 64), (256, 256)] {
            let times = 4_000_000 / lanes as u32;
            let mut each: Vec<f64> = (0..5)
                .map(|_| ask(lanes, times, batch).as_nanos() as f64 / f64::from(times) / lanes as f64)
                .collect();
            each.sort_by(f64::total_cmp);
            println!(
                "{lanes} lanes, calls of {batch}: {:.1} ns each, {:.1} to {:.1}",
                each[2], each[0], each[4]
            );
        }
    }
}
