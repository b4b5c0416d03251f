//! What the work and the span of simulated searches say about how fast they can be.

use crate::analysis::figure::Figure;
use serde::Serialize;

/// What people read for T1 / (work / P + span), wherever they do.
pub(crate) const GREEDY_GUARANTEE: &str = "greedy guarantee";

/// The speedups that follow from the work and the span of one method on one number of processors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpanFigures {
    /// The greedy guarantee, T1 / (work / P + span): what greedy scheduling of the same work gives at least,
    /// where stealing takes no time.
    pub bound: Figure,
    /// T1 / span: what no number of processors would have exceeded.
    pub limit: Figure,
    /// The span in virtual nanoseconds, summed over the positions.
    pub span_ns: u64,
    /// The greedy guarantee at each position.
    #[serde(skip)]
    pub(crate) bounds: Vec<f64>,
}

/// Work and span of a search in virtual seconds: what all processors did together but steal and wait, and the
/// longest chain of it.
pub(super) type WorkAndSpan = (f64, f64);

impl SpanFigures {
    /// Of what was found at each position, whose serial searches took these times in seconds.
    ///
    /// A schedule is greedy if it leaves no processor idle while there is work. If stealing takes no time, it
    /// takes work / processors + span at most (Brent, "The parallel evaluation of general arithmetic
    /// expressions", Journal of the ACM 21(2), 1974). That is the greedy guarantee. The search itself may be
    /// faster, as most greedy schedules are, or slower, for its steals take time: work stealing comes within
    /// a constant factor of the span of it (Blumofe and Leiserson, "Scheduling multithreaded computations by
    /// work stealing", Journal of the ACM 46(5), 1999). Another schedule may prune otherwise, and has other
    /// work then.
    pub(super) fn new(found: &[WorkAndSpan], serial: &[f64], processors: usize, large: &[bool]) -> Self {
        let bound = |serial: f64, (work, span): WorkAndSpan| serial / (work / processors as f64 + span);
        let limit = |serial: f64, (_, span): WorkAndSpan| serial / span;
        let sum = found.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        let serial_sum = serial.iter().sum();
        let both = || serial.iter().copied().zip(found.iter().copied());
        let bounds: Vec<f64> = both().map(|(serial, found)| bound(serial, found)).collect();
        let limits: Vec<f64> = both().map(|(serial, found)| limit(serial, found)).collect();
        SpanFigures {
            bound: Figure::new(bound(serial_sum, sum), &bounds, large),
            limit: Figure::new(limit(serial_sum, sum), &limits, large),
            span_ns: (sum.1 * 1e9).round() as u64,
            bounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speedups_follow_from_work_and_span() {
        let found = [(110.0, 5.0), (40.0, 10.0)];
        let report = SpanFigures::new(&found, &[100.0, 40.0], 10, &[true, false]);
        assert_eq!(report.bound.large.unwrap().median, 100.0 / 16.0);
        assert_eq!(report.bound.total, 140.0 / 30.0);
        assert_eq!(report.bounds, [100.0 / 16.0, 40.0 / 14.0]);
        assert_eq!((report.limit.total, report.limit.all.unwrap().max), (140.0 / 15.0, 20.0));
        assert_eq!(report.span_ns, 15_000_000_000);
    }
}
