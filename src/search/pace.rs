//! How often a worker polls the clock and the stop flags.
//!
//! Where nodes are cheap, polling every so many nodes is enough. If an evaluation takes a millisecond, or a
//! move generator is slow, the worker becomes *watchful*. At every interior node, and at every turn of a loop
//! that may evaluate, it checks whether enough evaluations were made since the last poll.
//!
//! The cost of nodes and evaluations is measured during the search, so two runs poll at different moments.
//! That decides only when a worker notices that it must end. The tests of `clock.rs` check that a watchful
//! worker visits, probes and stores the same as any other.

use crate::search::plies::{Depth, NO_DEPTH};
use crate::time::Instant;
use std::time::Duration;

/// The nodes between two polls of a worker that is not watchful.
const NODES: u64 = 256;

/// If [`NODES`] nodes take longer, nodes are dear, and a worker becomes watchful if the next few are dear as
/// well. It stops being watchful below half this time.
const DEAR: Duration = Duration::from_millis(4);

/// How many "the next few" are. A thread that was preempted once is hardly ever preempted again so soon.
const FEW: u64 = 16;

/// The evaluations from which the cost of nodes is first estimated. Each wrong estimate quadruples the
/// sample: an evaluator may know most positions at once and be slow for others.
const SAMPLE: u64 = 4;
const LARGEST_SAMPLE: u64 = 1 << 16;

/// An estimate is wrong if nodes become dear again within this many of them.
const SOON: u64 = 4 * NODES;

/// The time between two polls of a watchful worker.
const BETWEEN_POLLS: Duration = Duration::from_micros(250);

/// The time between two polls of a worker that may call helpers.
const BETWEEN_POLLS_FOR_HELPERS: Duration = Duration::from_micros(20);

/// A watchful worker polls after this many checks even without an evaluation.
const OCCASIONS: u64 = 64;

/// When a worker polls for the end of the search, and what it knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polling {
    /// Whether the current search must end: the whole search, or only this worker's task.
    pub(super) halted: bool,
    /// Whether the worker has met a value off the grid, so that its later results are void; see `breach.rs`.
    pub(super) is_void: bool,
    /// Whether the worker is halted or watchful, so that its loops poll at each turn.
    pub(super) polls_each_turn: bool,
    /// The least depth of decision nodes that check other workers or the clock before each move.
    pub(super) checking_depth: Depth,
    /// The least depth of nodes that check whether the task is cancelled.
    pub(super) cancellation_depth: Depth,
    /// The nodes reported so far.
    pub(super) reported_nodes: u64,
    /// The node count at which the worker polls the limits.
    pub(super) next_poll: u64,
    /// When it polls the clock.
    pub(super) pace: Pace,
}

impl Polling {
    /// For a worker that begins now.
    pub(super) fn new(now: Moment) -> Self {
        Polling {
            halted: false,
            is_void: false,
            polls_each_turn: true,
            checking_depth: 0,
            cancellation_depth: NO_DEPTH,
            reported_nodes: 0,
            next_poll: 0,
            pace: Pace::new(now),
        }
    }

    /// For a worker that continues with another task, not halted.
    pub(super) fn resumed(self) -> Self {
        let Polling { reported_nodes, pace, .. } = self;
        Polling { reported_nodes, pace, ..Polling::new(pace.polled) }
    }
}

/// A moment in a worker's search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) time: Instant,
    /// Nodes visited until then.
    pub(super) nodes: u64,
    /// Evaluations made until then.
    pub(super) evaluations: u64,
}

/// A worker's polls of the clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) is_watchful: bool,
    /// Whether it also polls for helpers, which may arrive at any moment.
    pub(super) is_expecting: bool,
    polled: Moment,
    /// The nodes until the next poll, if it is not watchful.
    nodes: u64,
    /// The evaluations until the next poll of a watchful worker.
    interval: u64,
    /// The checks left until a poll without evaluations.
    occasions: u64,
    /// When the current measurement began.
    measured: Moment,
    /// The evaluations that a measurement takes.
    sample: u64,
}

impl Pace {
    /// A new worker is watchful: it does not know the cost of nodes.
    pub(super) fn new(now: Moment) -> Self {
        Pace {
            is_watchful: true,
            is_expecting: false,
            polled: now,
            nodes: NODES,
            interval: 1,
            occasions: OCCASIONS,
            measured: now,
            sample: SAMPLE,
        }
    }

    /// Restarts after time that was not spent searching.
    pub(super) fn begin_anew(&mut self, now: Moment) {
        (self.polled, self.measured) = (now, now);
    }

    /// Whether a watchful worker is due to poll, after this many evaluations. Each call is one check.
    pub(super) fn is_due(&mut self, evaluations: u64) -> bool {
        self.occasions -= 1;
        self.occasions == 0 || evaluations - self.polled.evaluations >= self.interval
    }

    /// The node count of the next poll, if the worker is not watchful.
    pub(super) fn next(&self) -> u64 {
        self.polled.nodes + self.nodes
    }

    /// Records a poll of a watchful worker.
    pub(super) fn note_poll(&mut self, now: Moment) {
        let made = now.evaluations - self.polled.evaluations;
        if made > 0 {
            self.interval = self.affordable(made, since(now, self.polled)).min(2 * self.interval);
        }
        let (nodes, evaluations) =
            (now.nodes - self.measured.nodes, now.evaluations - self.measured.evaluations);
        if evaluations >= self.sample || nodes >= NODES.max(self.sample) {
            let took = since(now, self.measured).as_nanos();
            self.is_watchful = took * u128::from(2 * NODES) >= DEAR.as_nanos() * u128::from(nodes);
            self.measured = now;
        }
        (self.polled, self.occasions) = (now, OCCASIONS);
    }

    /// Records a poll of a worker that is not watchful.
    pub(super) fn note_nodes(&mut self, now: Moment) {
        let (visited, took) = (now.nodes - self.polled.nodes, since(now, self.polled));
        let is_dear = took.as_nanos() * u128::from(NODES) > DEAR.as_nanos() * u128::from(visited.max(1));
        let were_few = self.nodes <= FEW;
        let most = if is_dear { FEW } else { (4 * self.nodes).min(NODES) };
        self.nodes = if self.is_expecting { self.affordable(visited, took).min(NODES) } else { most };
        if is_dear && were_few {
            // Long after the last measurement, two preemptions are the likelier cause: the sample starts
            // small again.
            let is_soon = now.nodes - self.measured.nodes <= SOON;
            self.sample = if is_soon { (4 * self.sample).min(LARGEST_SAMPLE) } else { SAMPLE };
            (self.is_watchful, self.interval, self.measured) = (true, 1, now);
        }
        (self.polled, self.occasions) = (now, OCCASIONS);
    }

    /// The evaluations, or nodes, until the next poll, where the last `passed` took this long.
    fn affordable(&self, passed: u64, took: Duration) -> u64 {
        let between = if self.is_expecting { BETWEEN_POLLS_FOR_HELPERS } else { BETWEEN_POLLS };
        let affordable = between.as_nanos() * u128::from(passed) / took.as_nanos().max(1);
        u64::try_from(affordable).unwrap_or(u64::MAX).max(1)
    }
}

fn since(now: Moment, then: Moment) -> Duration {
    now.time.saturating_duration_since(then.time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: Instant, nodes: u64, evaluations: u64) -> Moment {
        Moment { time, nodes, evaluations }
    }

    /// The evaluations before each of the first polls of a watchful worker, where each evaluation takes this
    /// long and belongs to one node.
    fn intervals(evaluation: Duration, polls: usize) -> Vec<u64> {
        let mut now = at(Instant::now(), 0, 0);
        let mut pace = Pace::new(now);
        let next = |_| {
            if !pace.is_watchful {
                return None;
            }
            let before = now.evaluations;
            while now.evaluations == before || !pace.is_due(now.evaluations) {
                now = at(now.time + evaluation, now.nodes + 1, now.evaluations + 1);
            }
            pace.note_poll(now);
            Some(now.evaluations - before)
        };
        (0..polls).map_while(next).collect()
    }

    #[test]
    fn a_dear_evaluation_is_followed_by_a_poll() {
        assert_eq!(intervals(Duration::from_millis(1), 50), [1; 50]);
        assert_eq!(intervals(Duration::from_micros(250), 50), [1; 50]);
    }

    #[test]
    fn polls_are_as_far_apart_as_the_cost_allows() {
        assert_eq!(intervals(Duration::from_micros(50), 6), [1, 2, 4, 5, 5, 5]);
        assert_eq!(intervals(Duration::from_micros(10), 8), [1, 2, 4, 8, 16, 25, 25, 25]);
    }

    #[test]
    fn a_worker_with_cheap_nodes_is_soon_watchful_no_more() {
        assert_eq!(intervals(Duration::from_micros(1), 50), [1, 2, 4]);
        assert_eq!(intervals(Duration::ZERO, 50), [1, 2, 4]);
    }

    #[test]
    fn nodes_without_evaluations_say_nothing_of_what_evaluations_take() {
        let begin = Instant::now();
        let mut pace = Pace::new(at(begin, 0, 0));
        for nodes in 1..OCCASIONS {
            assert!(!pace.is_due(0), "after {nodes} nodes");
        }
        assert!(pace.is_due(0));
        pace.note_poll(at(begin, OCCASIONS, 0));
        assert_eq!((pace.is_watchful, pace.interval), (true, 1));
    }

    #[test]
    fn a_worker_stays_watchful_where_evaluations_are_cheap_but_nodes_have_very_many() {
        let begin = Instant::now();
        let mut pace = Pace::new(at(begin, 7, 0));
        pace.note_poll(at(begin + Duration::from_micros(40), 8, 40));
        assert!(pace.is_watchful);
    }

    #[test]
    fn a_moment_off_the_processor_is_soon_forgotten() {
        let begin = Instant::now();
        let mut pace = Pace { is_watchful: false, sample: LARGEST_SAMPLE, ..Pace::new(at(begin, 0, 0)) };
        pace.note_nodes(at(begin, SOON + 1, SOON + 1));
        let (mut now, mut nodes) = (begin, SOON + 1);
        let mut look_after = |pace: &mut Pace, expected: u64, took: Duration| {
            assert_eq!((pace.is_watchful, pace.next()), (false, nodes + expected));
            (now, nodes) = (now + took, nodes + expected);
            pace.note_nodes(at(now, nodes, nodes));
        };
        for (expected, took) in
            [(NODES, DEAR * 3), (FEW, Duration::ZERO), (4 * FEW, Duration::ZERO), (NODES, DEAR)]
        {
            look_after(&mut pace, expected, took);
        }
        look_after(&mut pace, NODES, DEAR * 3);
        look_after(&mut pace, FEW, DEAR);
        assert!(pace.is_watchful, "it was off the processor twice");
        pace.note_poll(at(now, nodes + SAMPLE, nodes + SAMPLE));
        assert!(!pace.is_watchful);
    }

    #[test]
    fn nodes_that_become_dear_are_noticed_and_the_next_sample_is_larger() {
        let begin = Instant::now();
        let mut pace = Pace { is_watchful: false, ..Pace::new(at(begin, 0, 0)) };
        pace.note_nodes(at(begin + DEAR, 256, 256));
        assert!(!pace.is_watchful);
        pace.note_nodes(at(begin + DEAR * 3, 512, 512));
        let (dear, nodes) = (begin + DEAR * 4, 512 + FEW);
        pace.note_nodes(at(dear, nodes, nodes));
        assert!(pace.is_watchful && pace.is_due(nodes + 1));
        pace.note_poll(at(dear, nodes + SAMPLE, nodes + SAMPLE));
        assert!(pace.is_watchful, "a few cheap ones in a row are not enough any more");
        pace.note_poll(at(dear, nodes + 4 * SAMPLE, nodes + 4 * SAMPLE));
        assert!(!pace.is_watchful);
    }
}
