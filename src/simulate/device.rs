//! The device of a simulated search. It evaluates for the lanes of all virtual processors, in calls that take
//! virtual time.

use crate::evaluator::EvaluationCost;
use crate::search::BatchCounts;
use std::collections::VecDeque;

/// A device that makes the evaluations of a simulated search, one call after another. The option
/// [`batch`](crate::search::LaneOptions::batch) is the greatest number of evaluations in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedDevice {
    /// The fixed time of each call, in units of virtual time.
    pub call_ns: u32,
    /// The time of each evaluation in a call, in the same unit.
    pub each_ns: u32,
}

impl SimulatedDevice {
    /// The cost of an evaluation, as the search sees it.
    pub(crate) fn cost(self) -> EvaluationCost {
        EvaluationCost { fixed_ns: self.call_ns, each_ns: self.each_ns }
    }

    /// The time of a call with this many evaluations.
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

/// The device and its queue of requests.
#[derive(Debug)]
pub(super) struct Queue {
    device: SimulatedDevice,
    /// The greatest number of evaluations in a call.
    cap: usize,
    /// The requests that are not yet wholly in a call, the oldest first.
    waiting: VecDeque<Request>,
    /// The end of the current call.
    ends: Option<u64>,
    /// The lanes that then have all their evaluations.
    answered: Vec<usize>,
    pub(super) counts: BatchCounts,
}

impl Queue {
    /// A free device with an empty queue.
    pub(super) fn new(device: SimulatedDevice, cap: usize) -> Self {
        let (waiting, answered) = (VecDeque::new(), Vec::new());
        Queue { device, cap, waiting, ends: None, answered, counts: BatchCounts::default() }
    }

    /// The greatest number of evaluations in a call.
    pub(super) fn cap(&self) -> usize {
        self.cap
    }

    /// The end of the current call, if there is one.
    pub(super) fn ends(&self) -> Option<u64> {
        self.ends
    }

    /// Takes requests at time `now`, no earlier than any before.
    pub(super) fn hand_over(&mut self, now: u64, requests: impl Iterator<Item = Request>) {
        self.waiting.extend(requests);
        if self.ends.is_none() {
            self.begin(now);
        }
    }

    /// Ends the current call and begins the next. Returns the lanes that now have all their evaluations.
    pub(super) fn end_call(&mut self) -> Vec<usize> {
        let answered = std::mem::take(&mut self.answered);
        if let Some(now) = self.ends.take() {
            self.begin(now);
        }
        answered
    }

    /// Begins a call for the waiting requests, if there are any.
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
