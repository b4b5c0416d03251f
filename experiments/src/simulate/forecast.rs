//! How long the simulations that are left will take.

use std::collections::BTreeMap;
use std::time::Duration;

/// What is known of the searches of one kind: one contender under one cost model. How long one takes goes
/// with the size of the serial search of its position.
#[derive(Clone, Copy, Debug, Default)]
struct SearchKind {
    seconds: f64,
    nodes: f64,
    nodes_left: f64,
}

/// Real time and what it went into.
#[derive(Clone, Debug, Default)]
pub(super) struct Forecast {
    kinds: BTreeMap<(usize, usize), SearchKind>,
    runs: u64,
    events: u64,
}

impl Forecast {
    /// A search of this kind is to be done, of a position whose serial search takes so many `nodes`.
    pub(super) fn plan(&mut self, kind: (usize, usize), nodes: u64) {
        self.kinds.entry(kind).or_default().nodes_left += nodes as f64;
    }

    /// It took so long.
    pub(super) fn done(&mut self, kind: (usize, usize), nodes: u64, events: u64, took: Duration) {
        let known = self.kinds.entry(kind).or_default();
        known.nodes_left -= nodes as f64;
        known.nodes += nodes as f64;
        known.seconds += took.as_secs_f64();
        self.events += events;
        self.runs += 1;
    }

    /// How long `jobs` at once will take for what is left, where something is known. A kind of which nothing
    /// is known is taken to be as slow as the slowest known.
    pub(super) fn left(&self, jobs: usize) -> Option<Duration> {
        let rate = |kind: &SearchKind| (kind.nodes > 0.0).then_some(kind.seconds / kind.nodes);
        let slowest = self.kinds.values().filter_map(rate).reduce(f64::max)?;
        let seconds: f64 =
            self.kinds.values().map(|kind| kind.nodes_left.max(0.0) * rate(kind).unwrap_or(slowest)).sum();
        Duration::try_from_secs_f64(seconds / jobs as f64).ok()
    }

    /// How many searches, events and seconds were spent so far.
    pub(super) fn spent(&self) -> (u64, u64, f64) {
        (self.runs, self.events, self.kinds.values().map(|kind| kind.seconds).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_its_like_took() {
        let mut forecast = Forecast::default();
        for (kind, nodes) in [((0, 1), 100), ((0, 1), 300), ((0, 2), 100), ((0, 2), 300)] {
            forecast.plan(kind, nodes);
        }
        assert_eq!(forecast.left(1), None);
        forecast.done((0, 1), 100, 50, Duration::from_secs(2));
        assert_eq!(forecast.left(1), Some(Duration::from_secs(6 + 8)), "the other kind is as slow");
        forecast.done((0, 2), 100, 50, Duration::from_secs(1));
        assert_eq!(forecast.left(3), Some(Duration::from_secs(3)));
        assert_eq!(forecast.spent(), (2, 100, 3.0));
    }
}
