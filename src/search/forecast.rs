//! Forecasts the time of the next two iterations, to decide whether helpers would find work, and for nothing
//! else.
//!
//! An iteration is expected to grow, relative to the one two plies before it, as much as the last one did.
//! (With a step of two plies these are consecutive iterations. Depths of one parity end at the same kind of
//! node and cost alike.) The forecast stops after two iterations, because near the end of a game growth slows
//! down. It takes a few nanoseconds, which matters for searches of twenty microseconds.

use crate::search::plies::Depth;
use std::time::Duration;

/// The greatest growth expected over two plies after an iteration shorter than [`SHORT`].
const MOST_GROWTH_WHEN_SHORT: f64 = 16.0;

/// In nanoseconds. Short iterations meet many positions for the first time, which takes long.
const SHORT: f64 = 20e3;

/// The greatest growth expected over two plies after a longer iteration.
const MOST_GROWTH: f64 = 40.0;

/// The greatest growth expected from the next iteration to the one after it.
const MOST_GROWTH_LATER: f64 = 6.0;

/// A completed iteration.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    depth: Depth,
    ns: f64,
}

/// The last completed iterations, the latest first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forecast {
    last: [Done; 3],
}

impl Forecast {
    /// Records the time of an iteration.
    pub(super) fn note(&mut self, depth: Depth, took: Duration) {
        let ns = took.as_nanos() as f64;
        self.last = [Done { depth, ns }, self.last[0], self.last[1]];
    }

    /// The expected time of an iteration to `depth`, and of one to `later` after it. `None` without enough
    /// completed iterations.
    pub(super) fn of(&self, depth: Depth, later: Option<Depth>) -> Option<[Duration; 2]> {
        let [last, ..] = self.last;
        let before = self.done(last.depth.checked_sub(2)?)?;
        let most = if last.ns < SHORT { MOST_GROWTH_WHEN_SHORT } else { MOST_GROWTH };
        let growth = (last.ns / before.ns.max(1.0)).min(most);
        let next = self.done(depth.checked_sub(2)?)?.ns * growth;
        let after_next = match later {
            Some(later) if later >= depth + 2 => next * growth.min(MOST_GROWTH_LATER),
            Some(_) => last.ns * growth, // two plies deeper than the last one
            None => 0.0,
        };
        Some([next, after_next].map(|ns| Duration::from_nanos(ns as u64)))
    }

    fn done(&self, depth: Depth) -> Option<Done> {
        self.last.into_iter().find(|done| done.depth > 0 && done.depth == depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(times: &[(Depth, u64)]) -> Forecast {
        let mut forecast = Forecast::default();
        times.iter().for_each(|&(depth, took)| forecast.note(depth, Duration::from_nanos(took)));
        forecast
    }

    fn ns(ns: [u64; 2]) -> Option<[Duration; 2]> {
        Some(ns.map(Duration::from_nanos))
    }

    #[test]
    fn nothing_is_told_from_too_little() {
        assert_eq!(after(&[]).of(1, None), None);
        assert_eq!(after(&[(1, 10)]).of(3, None), None);
        assert_eq!(after(&[(1, 10), (2, 30)]).of(3, None), None);
        assert_eq!(after(&[(9, 10)]).of(18, None), None);
    }

    #[test]
    fn iterations_grow_as_they_have_grown() {
        assert_eq!(after(&[(1, 10), (3, 40)]).of(5, None), ns([160, 0]));
        assert_eq!(after(&[(1, 10), (3, 40)]).of(5, Some(7)), ns([160, 640]));
        // The fifth over the third as the fourth over the second; the sixth over the fourth.
        assert_eq!(after(&[(1, 10), (2, 10), (3, 40), (4, 30)]).of(5, Some(6)), ns([120, 90]));
    }

    #[test]
    fn what_has_grown_much_is_not_expected_to_go_on_so() {
        assert_eq!(after(&[(1, 1), (3, 1_000)]).of(5, Some(7)), ns([16_000, 96_000]));
        assert_eq!(after(&[(1, 1_000), (3, 1_000_000)]).of(5, None), ns([40_000_000, 0]));
        assert_eq!(after(&[(1, 0), (3, 0)]).of(5, Some(7)), ns([0, 0]));
    }
}
