//! How often a worker looks at the clock and at the wishes to stop.
//!
//! Where nodes are cheap it is enough to look every so many nodes. Where they are not, for an evaluation
//! takes a millisecond or a move generator thinks for long, the worker is *watchful*: at every interior node,
//! and at every turn of a loop that may evaluate, it asks whether it made so many evaluations since the last
//! look that time may have passed.
//!
//! What nodes and evaluations take is measured as they are searched, so when a worker looks is not the same
//! in two runs. When it notices that it has to end is all that is decided by it: the tests of `clock.rs` hold
//! that a watchful worker visits, looks up and stores what any other does.

use std::time::{Duration, Instant};

/// How many nodes a worker visits between two looks, if it is not watchful.
const NODES: u64 = 256;

/// So many nodes that take longer are dear: they make a worker watchful, if the next few are dear, too. It is
/// so no more when they would take half as long.
const DEAR: Duration = Duration::from_millis(4);

/// How many the next few are. A thread that was kept off its processor for a moment is hardly ever kept off
/// it again within so few.
const FEW: u64 = 16;

/// What nodes take is told from so many evaluations at first, and from more each time that it proves wrong:
/// an evaluator may know most positions and think for long about the others.
const SAMPLE: u64 = 4;
const LARGEST_SAMPLE: u64 = 1 << 16;

/// It proves wrong where nodes become dear within so many of them.
const SOON: u64 = 4 * NODES;

/// The time that is to pass between two looks of a watchful worker,
const BETWEEN_LOOKS: Duration = Duration::from_micros(250);

/// and between those of any worker that expects others.
const BETWEEN_LOOKS_OUT: Duration = Duration::from_micros(20);

/// A watchful worker looks after so many occasions without an evaluation, too.
const OCCASIONS: u64 = 64;

/// When a worker looks at what may end its search, and what it has learnt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    /// Whether what is being searched has to end: the whole search, or the split point that this worker is
    /// under.
    pub(super) halted: bool,
    /// Whether it has met a breach of the contract that makes what it finds from then on worth nothing; see
    /// `breach.rs`.
    pub(super) is_void: bool,
    /// Whether it has to end, or the clock is to be looked at more often than nodes are reported.
    pub(super) is_alert: bool,
    /// The least depth of decision nodes that look about before each move: at the other workers, or at the
    /// clock.
    pub(super) careful_depth: u8,
    /// The least depth of nodes that look whether they still matter.
    pub(super) polling_depth: u8,
    /// How many nodes were reported.
    pub(super) reported_nodes: u64,
    /// The number of nodes at which it looks at the limits.
    pub(super) next_look: u64,
    /// When it looks at the clock.
    pub(super) pace: Pace,
}

impl Looks {
    /// Of a worker that begins now.
    pub(super) fn new(now: Moment) -> Self {
        Looks {
            halted: false,
            is_void: false,
            is_alert: true,
            careful_depth: 0,
            polling_depth: u8::MAX,
            reported_nodes: 0,
            next_look: 0,
            pace: Pace::new(now),
        }
    }

    /// Of a worker that goes on with other work, which nothing has ended yet.
    pub(super) fn resumed(self) -> Self {
        let Looks { reported_nodes, pace, .. } = self;
        Looks { reported_nodes, pace, ..Looks::new(pace.looked) }
    }
}

/// A moment in a worker's search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) time: Instant,
    /// Nodes visited up to then,
    pub(super) nodes: u64,
    /// and evaluations made.
    pub(super) evaluations: u64,
}

/// A worker's looks at the clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) is_watchful: bool,
    /// Whether it looks for other workers, too, who may come any moment.
    pub(super) is_expecting: bool,
    looked: Moment,
    /// After how many nodes it looks again, if it is not watchful.
    nodes: u64,
    /// After how many evaluations a watchful worker looks again.
    interval: u64,
    /// How many occasions are left until it looks even if it makes none.
    occasions: u64,
    /// When it began to measure what nodes take.
    measured: Moment,
    /// How many evaluations that takes.
    sample: u64,
}

impl Pace {
    /// A worker that begins knows nothing of what nodes take.
    pub(super) fn new(now: Moment) -> Self {
        let (interval, occasions, sample) = (1, OCCASIONS, SAMPLE);
        let (is_watchful, is_expecting) = (true, false);
        Pace {
            is_watchful,
            is_expecting,
            looked: now,
            nodes: NODES,
            interval,
            occasions,
            measured: now,
            sample,
        }
    }

    /// The worker begins anew after something that was no search.
    pub(super) fn begin_anew(&mut self, now: Moment) {
        (self.looked, self.measured) = (now, now);
    }

    /// Whether it is time for a watchful worker to look, on an occasion after so many evaluations.
    pub(super) fn is_due(&mut self, evaluations: u64) -> bool {
        self.occasions -= 1;
        self.occasions == 0 || evaluations - self.looked.evaluations >= self.interval
    }

    /// The number of nodes at which the worker looks next, if it is not watchful.
    pub(super) fn next(&self) -> u64 {
        self.looked.nodes + self.nodes
    }

    /// A watchful worker has looked.
    pub(super) fn note_look(&mut self, now: Moment) {
        let made = now.evaluations - self.looked.evaluations;
        if made > 0 {
            self.interval = self.affordable(made, since(now, self.looked)).min(2 * self.interval);
        }
        let (nodes, evaluations) =
            (now.nodes - self.measured.nodes, now.evaluations - self.measured.evaluations);
        if evaluations >= self.sample || nodes >= NODES.max(self.sample) {
            let took = since(now, self.measured).as_nanos();
            self.is_watchful = took * u128::from(2 * NODES) >= DEAR.as_nanos() * u128::from(nodes);
            self.measured = now;
        }
        (self.looked, self.occasions) = (now, OCCASIONS);
    }

    /// A worker that is not watchful has looked.
    pub(super) fn note_nodes(&mut self, now: Moment) {
        let (visited, took) = (now.nodes - self.looked.nodes, since(now, self.looked));
        let is_dear = took.as_nanos() * u128::from(NODES) > DEAR.as_nanos() * u128::from(visited.max(1));
        let were_few = self.nodes <= FEW;
        let most = if is_dear { FEW } else { (4 * self.nodes).min(NODES) };
        self.nodes = if self.is_expecting { self.affordable(visited, took).min(NODES) } else { most };
        if is_dear && were_few {
            // Long after it was measured, it is more likely that the thread was kept off its processor after
            // all, twice.
            let is_soon = now.nodes - self.measured.nodes <= SOON;
            self.sample = if is_soon { (4 * self.sample).min(LARGEST_SAMPLE) } else { SAMPLE };
            (self.is_watchful, self.interval, self.measured) = (true, 1, now);
        }
        (self.looked, self.occasions) = (now, OCCASIONS);
    }

    /// How many evaluations, or nodes, there may be until the next look, where the last `passed` took so
    /// long.
    fn affordable(&self, passed: u64, took: Duration) -> u64 {
        let between = if self.is_expecting { BETWEEN_LOOKS_OUT } else { BETWEEN_LOOKS };
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

    /// How many evaluations a worker makes before each of its first looks, where each takes so long and is a
    /// node, while it is watchful.
    fn intervals(evaluation: Duration, looks: usize) -> Vec<u64> {
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
            pace.note_look(now);
            Some(now.evaluations - before)
        };
        (0..looks).map_while(next).collect()
    }

    #[test]
    fn a_dear_evaluation_is_followed_by_a_look() {
        assert_eq!(intervals(Duration::from_millis(1), 50), [1; 50]);
        assert_eq!(intervals(Duration::from_micros(250), 50), [1; 50]);
    }

    #[test]
    fn looks_are_as_far_apart_as_the_cost_allows() {
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
        pace.note_look(at(begin, OCCASIONS, 0));
        assert_eq!((pace.is_watchful, pace.interval), (true, 1));
    }

    #[test]
    fn a_worker_stays_watchful_where_evaluations_are_cheap_but_nodes_have_very_many() {
        let begin = Instant::now();
        let mut pace = Pace::new(at(begin, 7, 0));
        pace.note_look(at(begin + Duration::from_micros(40), 8, 40));
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
        pace.note_look(at(now, nodes + SAMPLE, nodes + SAMPLE));
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
        pace.note_look(at(dear, nodes + SAMPLE, nodes + SAMPLE));
        assert!(pace.is_watchful, "a few cheap ones in a row are not enough any more");
        pace.note_look(at(dear, nodes + 4 * SAMPLE, nodes + 4 * SAMPLE));
        assert!(!pace.is_watchful);
    }
}
