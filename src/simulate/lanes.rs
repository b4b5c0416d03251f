//! Virtual processors with lanes: each processor's coroutines share a clock, and one device evaluates for
//! all.
//!
//! A processor chooses its next lane as a thread does (`lanes/thread.rs`): a ready one, else one that finds
//! work; if there is none, it hands the requests over to the device. A processor whose lanes have all found
//! no work looks again only after news, because nothing else can change what it would see.

use crate::processor::LOOKS_IN_A_ROW;
use crate::simulate::device::{Queue, Request};
use crate::simulate::schedule::{Coroutines, Pause, Schedule, Turn};
use corosensei::CoroutineResult;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

/// Runs all lanes to their ends, with `queue` as the device's: the first `lanes` on the first processor, and
/// so on. Returns when the last one ended.
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

/// A lane that runs, or waits only for processors that are behind in time.
#[derive(Clone, Copy, Debug)]
struct Current {
    lane: usize,
    /// Whether it looks for work and has found none so far.
    looks: bool,
}

/// A round of looks for work: by every lane that waits for other workers, and by some that would take any
/// work.
#[derive(Clone, Copy, Debug)]
struct Round {
    waiting: usize,
    workless: usize,
    /// The number of deeds when the round began.
    seen: u64,
}

/// A virtual processor with lanes.
#[derive(Debug)]
struct Thread {
    clock: u64,
    current: Option<Current>,
    /// The lanes that can go on.
    ready: VecDeque<usize>,
    /// The lanes that wait for other workers at their own split points.
    idle: VecDeque<usize>,
    /// The lanes that have found no work anywhere.
    workless: VecDeque<usize>,
    round: Option<Round>,
    /// The requests not yet handed over.
    asked: Vec<Request>,
    /// The number of evaluations in them.
    evaluations: usize,
    /// Whether it waits for the device or for news.
    is_asleep: bool,
    /// The number of lanes that have not ended.
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

    /// Adds a request, to be handed over later.
    fn ask(&mut self, lane: usize, evaluations: usize) {
        self.asked.push(Request { lane, evaluations });
        self.evaluations += evaluations;
    }

    /// Hands the requests over to the device.
    fn hand_over(&mut self, queue: &mut Queue) {
        if !self.asked.is_empty() {
            queue.hand_over(self.clock, self.asked.drain(..));
            self.evaluations = 0;
        }
    }

    /// Whether any of its lanes looks for work.
    fn has_idle(&self) -> bool {
        !(self.idle.is_empty() && self.workless.is_empty())
    }

    /// The lane that runs now; `None` if none can. `done` is the number of deeds so far.
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

/// All virtual processors and the device.
struct Machine<'m, 's, 'p> {
    schedule: &'m Schedule<'s>,
    coroutines: &'m mut Coroutines<'p>,
    threads: Vec<Thread>,
    /// The number of lanes on each processor.
    lanes: usize,
    queue: &'m mut Queue,
    /// The turns of the processors that are awake.
    turns: BinaryHeap<Turn>,
    /// When the last lane ended.
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
                    // There was no news, so all look again one unit later.
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

    /// Wakes a processor at `time`, or at its own clock if that is later.
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

    /// Wakes all processors with idle lanes.
    fn wake_idle(&mut self, time: u64) {
        if self.schedule.deeds.sleepers.get() > 0 {
            for index in 0..self.threads.len() {
                if self.threads[index].has_idle() {
                    self.wake(index, time);
                }
            }
        }
    }

    /// Runs the next lane of the processor furthest behind until the lane gives way.
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
