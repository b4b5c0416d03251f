//! Virtual processors with lanes: many coroutines share a clock, and a device evaluates for those of all
//! processors.
//!
//! Which lane of a processor runs next is decided as on threads (`lanes/thread.rs`): one that has what it
//! waited for; or else one that finds work; and when there is neither, what was asked for is handed to the
//! device. A processor none of whose lanes has found work looks again only when somebody has done something
//! that may have made some: what it would have looked at till then is what it has seen.

use crate::processor::LOOKS_IN_A_ROW;
use crate::simulate::device::{Queue, Request};
use crate::simulate::schedule::{Coroutines, Pause, Schedule, Turn};
use corosensei::CoroutineResult;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

/// Runs these lanes to their ends, the first so many on the first processor and so on, with `queue` before
/// the device; gives when the last came to its end.
pub(super) fn run_lanes(
    schedule: &Schedule<'_>,
    coroutines: &mut Coroutines<'_>,
    lanes: usize,
    queue: &mut Queue,
) -> u64 {
    let first: Vec<usize> = (0..coroutines.len()).step_by(lanes).collect();
    let threads = first.iter().map(|&first| Thread::new(first..first + lanes)).collect();
    let turns = (0..first.len()).map(|index| Reverse((0, schedule.lot(index as u64), index))).collect();
    let mut machine = Machine { schedule, coroutines, threads, lanes, queue, turns, last: 0 };
    machine.run();
    machine.last
}

/// A lane that runs, or would if others were not behind in time.
#[derive(Clone, Copy, Debug)]
struct Current {
    lane: usize,
    /// Whether it looks for work and has found none so far.
    looks: bool,
}

/// A round of looks for work: by each lane that waits for others' work, and by some of those that look for
/// any.
#[derive(Clone, Copy, Debug)]
struct Round {
    waiting: usize,
    workless: usize,
    /// How much was done when it began.
    seen: u64,
}

/// A virtual processor with lanes.
#[derive(Debug)]
struct Thread {
    clock: u64,
    current: Option<Current>,
    /// The lanes that have what they waited for.
    ready: VecDeque<usize>,
    /// Those that wait for others' work to be done.
    idle: VecDeque<usize>,
    /// Those that have found no work anywhere.
    workless: VecDeque<usize>,
    round: Option<Round>,
    /// What was asked for and not handed over yet.
    asked: Vec<Request>,
    /// How many evaluations that is.
    evaluations: usize,
    /// Whether it waits for the device or for news.
    is_asleep: bool,
    /// How many lanes have not come to their ends.
    running: usize,
}

impl Thread {
    fn new(lanes: Range<usize>) -> Self {
        Thread {
            clock: 0,
            current: None,
            running: lanes.len(),
            ready: lanes.collect(),
            idle: VecDeque::new(),
            workless: VecDeque::new(),
            round: None,
            asked: Vec::new(),
            evaluations: 0,
            is_asleep: false,
        }
    }

    /// Asks the device for so many evaluations, later.
    fn ask(&mut self, lane: usize, evaluations: usize) {
        self.asked.push(Request { lane, evaluations });
        self.evaluations += evaluations;
    }

    /// Hands what was asked for to the device.
    fn hand_over(&mut self, queue: &mut Queue) {
        if !self.asked.is_empty() {
            queue.hand_over(self.clock, self.asked.drain(..));
            self.evaluations = 0;
        }
    }

    /// Whether some of its lanes look for work.
    fn has_idle(&self) -> bool {
        !(self.idle.is_empty() && self.workless.is_empty())
    }

    /// Which lane runs now; `None` when none can. `done` is how much was done so far.
    fn choose(&mut self, queue: &mut Queue, done: u64) -> Option<Current> {
        loop {
            let ready = self.ready.pop_front_if(|_| self.current.is_none());
            let ready = ready.map(|lane| Current { lane, looks: false });
            if let Some(current) = self.current.take().or(ready) {
                return Some(current);
            }
            let (waiting, workless) = (self.idle.len(), self.workless.len().min(LOOKS_IN_A_ROW));
            let round = self.round.get_or_insert(Round { waiting, workless, seen: done });
            let (left, lanes) = match round.waiting {
                0 => (&mut round.workless, &mut self.workless),
                _ => (&mut round.waiting, &mut self.idle),
            };
            if *left > 0 {
                *left -= 1;
                let lane = lanes.pop_front().expect("who was idle as the round began still is");
                return Some(Current { lane, looks: true });
            }
            let is_seen = round.seen == done;
            self.round = None;
            self.hand_over(queue);
            if is_seen || !self.has_idle() {
                return None;
            }
        }
    }
}

/// All of them, and the device.
struct Machine<'m, 's, 'p> {
    schedule: &'m Schedule<'s>,
    coroutines: &'m mut Coroutines<'p>,
    threads: Vec<Thread>,
    /// How many lanes each thread has.
    lanes: usize,
    queue: &'m mut Queue,
    /// Of the threads that are awake.
    turns: BinaryHeap<Turn>,
    /// When the last lane came to its end.
    last: u64,
}

impl Machine<'_, '_, '_> {
    fn run(&mut self) {
        loop {
            let next = self.turns.peek().map(|Reverse((clock, _, _))| *clock);
            let end = self.queue.ends().filter(|&end| next.is_none_or(|next| end <= next));
            match (end, next) {
                (Some(end), _) => self.end_call(end),
                (None, Some(_)) => {
                    let Reverse((_, _, index)) = self.turns.pop().expect("it was just seen");
                    self.take_turn(index);
                }
                (None, None) if self.threads.iter().any(|thread| thread.running > 0) => {
                    // Nobody had news, so all look again, a moment later.
                    let latest = self.threads.iter().map(|thread| thread.clock).max();
                    self.wake_idle(latest.unwrap_or_default() + 1);
                }
                (None, None) => return,
            }
        }
    }

    fn end_call(&mut self, end: u64) {
        for lane in self.queue.end_call() {
            let index = lane / self.lanes;
            self.threads[index].ready.push_back(lane);
            self.wake(index, end);
        }
        self.wake_idle(end);
    }

    /// Has a thread go on at that time, or when its clock shows a later one.
    fn wake(&mut self, index: usize, time: u64) {
        let Machine { schedule, threads, turns, .. } = self;
        let thread = &mut threads[index];
        if thread.is_asleep {
            thread.is_asleep = false;
            thread.clock = thread.clock.max(time);
            turns.push(Reverse((thread.clock, schedule.lot(thread.clock), index)));
            let sleepers = &schedule.deeds.sleepers;
            sleepers.set(sleepers.get() - 1);
        }
    }

    /// The same of all threads with lanes that look for work.
    fn wake_idle(&mut self, time: u64) {
        if self.schedule.deeds.sleepers.get() > 0 {
            for index in 0..self.threads.len() {
                if self.threads[index].has_idle() {
                    self.wake(index, time);
                }
            }
        }
    }

    /// Has the thread that is the furthest behind run its next lane until that gives way.
    fn take_turn(&mut self, index: usize) {
        let Machine { schedule, coroutines, threads, queue, turns, last, .. } = self;
        let (deeds, thread) = (&schedule.deeds, &mut threads[index]);
        if thread.evaluations >= queue.cap() {
            thread.hand_over(queue);
        }
        let Some(Current { lane, looks }) = thread.choose(queue, deeds.count.get()) else {
            thread.is_asleep = true;
            deeds.sleepers.set(deeds.sleepers.get() + 1);
            return;
        };
        schedule.now.set(thread.clock);
        let others = turns.peek().map_or(u64::MAX, |Reverse((clock, _, _))| *clock);
        schedule.earliest.set(others.min(queue.ends().unwrap_or(u64::MAX)));
        let before = deeds.count.get();
        let result = coroutines.resume(lane);
        thread.clock = schedule.now.get();
        let looks = looks && deeds.count.get() == before;
        if !looks {
            thread.round = None;
        }
        match result {
            CoroutineResult::Yield(Pause::Ahead) => thread.current = Some(Current { lane, looks }),
            CoroutineResult::Yield(Pause::Idle) => thread.idle.push_back(lane),
            CoroutineResult::Yield(Pause::Workless) => thread.workless.push_back(lane),
            CoroutineResult::Yield(Pause::Asked(evaluations)) => {
                thread.round = None;
                thread.ask(lane, evaluations);
            }
            CoroutineResult::Return(()) => {
                thread.running -= 1;
                *last = (*last).max(thread.clock);
                schedule.note_news();
            }
        }
        if thread.running > 0 {
            turns.push(Reverse((thread.clock, schedule.lot(thread.clock), index)));
        }
        if let Some(time) = deeds.news.take() {
            self.wake_idle(time);
        }
    }
}
