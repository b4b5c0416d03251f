//! What the work and the span of simulated searches say about how fast they can be.

use crate::analysis::figure::Figure;
use serde::Serialize;
use std::iter;

/// Work and span of a search, or sums of those of several; in virtual seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WorkAndSpan {
    /// What all processors did together but steal and wait.
    pub(super) work: f64,
    /// The longest chain of it.
    pub(super) span: f64,
}

impl iter::Sum for WorkAndSpan {
    fn sum<I: Iterator<Item = WorkAndSpan>>(parts: I) -> Self {
        parts.fold(WorkAndSpan::default(), |sum, part| WorkAndSpan {
            work: sum.work + part.work,
            span: sum.span + part.span,
        })
    }
}

impl WorkAndSpan {
    /// The speedup over a serial search of `serial` seconds that any scheduler gives to these searches on so
    /// many processors if it leaves none idle while there is work, and if stealing takes no time: their time
    /// is work / processors + span at most (Brent, "The parallel evaluation of general arithmetic
    /// expressions", Journal of the ACM 21(2), 1974). Work stealing comes within a constant factor of the
    /// span of it (Blumofe and Leiserson, "Scheduling multithreaded computations by work stealing", Journal
    /// of the ACM 46(5), 1999).
    fn bound(&self, serial: f64, processors: usize) -> f64 {
        serial / (self.work / processors as f64 + self.span)
    }

    /// The speedup that no number of processors would have exceeded.
    fn limit(&self, serial: f64) -> f64 {
        serial / self.span
    }
}

/// The bounds that work and span set to the speedups of one method on one number of processors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpanFigures {
    /// T1 / (work / P + span): what greedy scheduling guarantees where stealing takes no time.
    pub bound: Figure,
    /// T1 / span: what no number of processors would have exceeded.
    pub limit: Figure,
    /// The span in virtual nanoseconds, summed over the positions.
    pub span_ns: u64,
    /// The bound at each position.
    #[serde(skip)]
    pub(crate) bounds: Vec<f64>,
}

impl SpanFigures {
    /// Of what was found at each position, whose serial searches took these times in seconds.
    pub(super) fn new(found: &[WorkAndSpan], serial: &[f64], processors: usize, large: &[bool]) -> Self {
        let sum: WorkAndSpan = found.iter().copied().sum();
        let of_sums: f64 = serial.iter().sum();
        let each = |ratio: &dyn Fn(&WorkAndSpan, f64) -> f64| -> Vec<f64> {
            found.iter().zip(serial).map(|(found, &serial)| ratio(found, serial)).collect()
        };
        let bounds = each(&|found, serial| found.bound(serial, processors));
        let limits = each(&|found, serial| found.limit(serial));
        SpanFigures {
            bound: Figure::new(sum.bound(of_sums, processors), &bounds, large),
            limit: Figure::new(sum.limit(of_sums), &limits, large),
            span_ns: (sum.span * 1e9).round() as u64,
            bounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_from_work_and_span() {
        let found = [WorkAndSpan { work: 110.0, span: 5.0 }, WorkAndSpan { work: 40.0, span: 10.0 }];
        let report = SpanFigures::new(&found, &[100.0, 40.0], 10, &[true, false]);
        assert_eq!(report.bound.large.unwrap().median, 100.0 / 16.0);
        assert_eq!(report.bound.total, 140.0 / 30.0);
        assert_eq!(report.bounds, [100.0 / 16.0, 40.0 / 14.0]);
        assert_eq!((report.limit.total, report.limit.all.unwrap().max), (140.0 / 15.0, 20.0));
        assert_eq!(report.span_ns, 15_000_000_000);
    }
}
