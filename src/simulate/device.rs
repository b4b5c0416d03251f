//! The device of a simulated search: what evaluates for the lanes of all virtual processors, in calls that
//! take virtual time.

use crate::evaluator::EvaluationCost;
use crate::search::BatchCounts;
use std::collections::VecDeque;

/// A device that makes the evaluations of a simulated search, one call after the other. How many evaluations
/// a call takes at the most is the options' [`batch`](crate::search::LaneOptions::batch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedDevice {
    /// What each call takes, however many evaluations it is for, in units of virtual time.
    pub call_ns: u32,
    /// What each evaluation takes beside that.
    pub each_ns: u32,
}

impl SimulatedDevice {
    /// What an evaluation costs here, as the search takes it into account.
    pub(crate) fn cost(self) -> EvaluationCost {
        EvaluationCost { fixed_ns: self.call_ns, each_ns: self.each_ns }
    }

    /// How long a call for so many takes.
    fn call(self, evaluations: usize) -> u64 {
        u64::from(self.call_ns) + u64::from(self.each_ns) * evaluations as u64
    }
}

/// Evaluations that a lane waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) lane: usize,
    pub(super) evaluations: usize,
}

/// A device at work.
#[derive(Debug)]
pub(super) struct Queue {
    device: SimulatedDevice,
    /// The most evaluations of a call.
    cap: usize,
    /// What was handed over and is in no call yet, the oldest first.
    waiting: VecDeque<Request>,
    /// When the call under way ends.
    ends: Option<u64>,
    /// The lanes that then have all they waited for.
    answered: Vec<usize>,
    pub(super) counts: BatchCounts,
}

impl Queue {
    /// One that is free.
    pub(super) fn new(device: SimulatedDevice, cap: usize) -> Self {
        let (waiting, answered) = (VecDeque::new(), Vec::new());
        Queue { device, cap, waiting, ends: None, answered, counts: BatchCounts::default() }
    }

    /// The most evaluations of a call.
    pub(super) fn cap(&self) -> usize {
        self.cap
    }

    /// When the call under way ends, if one is.
    pub(super) fn ends(&self) -> Option<u64> {
        self.ends
    }

    /// These are handed over at the time `now`, not before any that were before them.
    pub(super) fn hand_over(&mut self, now: u64, requests: impl Iterator<Item = Request>) {
        self.waiting.extend(requests);
        if self.ends.is_none() {
            self.begin(now);
        }
    }

    /// Ends the call under way and begins the next; gives the lanes that have all they waited for.
    pub(super) fn end_call(&mut self) -> Vec<usize> {
        let answered = std::mem::take(&mut self.answered);
        if let Some(now) = self.ends.take() {
            self.begin(now);
        }
        answered
    }

    /// Begins a call for what has gathered, if anything has.
    fn begin(&mut self, now: u64) {
        let mut room = self.cap;
        while room > 0
            && let Some(first) = self.waiting.front_mut()
        {
            let taken = first.evaluations.min(room);
            room -= taken;
            first.evaluations -= taken;
            if first.evaluations == 0 {
                self.answered.push(first.lane);
                self.waiting.pop_front();
            }
        }
        let evaluations = self.cap - room;
        if evaluations > 0 {
            self.counts.calls += 1;
            self.counts.evaluations += evaluations as u64;
            self.ends = Some(now.saturating_add(self.device.call(evaluations)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(lane: usize, evaluations: usize) -> Request {
        Request { lane, evaluations }
    }

    #[test]
    fn a_free_device_takes_what_has_gathered_up_to_its_cap() {
        let mut queue = Queue::new(SimulatedDevice { call_ns: 50, each_ns: 2 }, 4);
        queue.hand_over(100, [request(0, 1)].into_iter());
        assert_eq!(queue.ends(), Some(152));
        queue.hand_over(120, [request(1, 3), request(2, 3)].into_iter());
        assert_eq!(queue.ends(), Some(152), "it is busy");
        assert_eq!((queue.end_call(), queue.ends()), (vec![0], Some(152 + 58)));
        assert_eq!((queue.end_call(), queue.ends()), (vec![1], Some(210 + 54)), "the rest of lane 2");
        assert_eq!((queue.end_call(), queue.ends()), (vec![2], None));
        assert_eq!((queue.counts.calls, queue.counts.evaluations), (3, 7));
        queue.hand_over(300, [request(3, 9)].into_iter());
        assert_eq!((queue.end_call(), queue.end_call(), queue.end_call()), (vec![], vec![], vec![3]));
    }
}
