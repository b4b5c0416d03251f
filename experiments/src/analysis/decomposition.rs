//! Where a speedup comes from and where it is lost.
//!
//! speedup = ordering ratio x P x node-rate ratio x (1 - idle) / (1 + search overhead). Every factor is made
//! of counts and of times that each worker clocked on its own; what elapsed is in none of them. So the
//! product is a prediction, and how far it is from the speedup measured tells how much of the workers' time
//! the clocks did not see.

use crate::analysis::costs::Cost;
use crate::analysis::efforts::Effort;
use serde::Serialize;

/// What a parallel search is measured against, and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AgainstBaseline {
    /// The baseline, the serial search that is the fastest.
    pub(crate) baseline: Cost,
    /// The serial search under the same ordering.
    pub(crate) serial: Cost,
    pub(crate) threads: usize,
    /// Whether the workers clock what they do without work.
    pub(crate) clocked: bool,
    /// Whether searches are cut short in a way that is counted.
    pub(crate) splits: bool,
    /// Whether duplicate nodes were counted.
    pub(crate) explained: bool,
}

/// The factors of one speedup. Shares are of the time of all workers, or of the serial search's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Factors {
    /// The baseline's time over that of the serial search under the same ordering.
    pub ordering_ratio: f64,
    /// Nodes in a second of busy time, over those in a second of the serial search under the same ordering.
    pub node_rate_ratio: f64,
    /// The share of the workers' time without a search: the next three. This and they are none where only
    /// busy time is clocked.
    pub idle: Option<f64>,
    /// Without work, between two looks for some.
    pub waiting: Option<f64>,
    /// Looking into the others' queues.
    pub stealing: Option<f64>,
    /// Asleep.
    pub parked: Option<f64>,
    /// Nodes over those of the serial search under the same ordering, less 1: the next three.
    pub search_overhead: f64,
    /// Nodes of searches that were cut short; this and the next are none where every worker searches the
    /// whole tree.
    pub aborted: Option<f64>,
    /// Nodes below a node that another worker was in at the time; none where they were not counted, either.
    pub duplicate: Option<f64>,
    /// What is left: nodes visited with stale windows or in another order, and the two before where they are
    /// none. Below 0 where the search was lucky.
    pub rest: f64,
    /// The product.
    pub predicted: Option<f64>,
    /// The baseline's time over the elapsed time.
    pub measured: f64,
    /// The product over the speedup measured, less 1.
    pub residual: Option<f64>,
}

impl Factors {
    /// Takes apart the speedup of a search that spent `effort`.
    pub(crate) fn new(against: &AgainstBaseline, effort: &Effort) -> Self {
        let AgainstBaseline { baseline, serial, threads, clocked, splits, explained } = *against;
        let share = |part: f64| clocked.then_some(part / effort.clocked());
        let overhead = |nodes: f64| nodes / serial.nodes;
        let ordering_ratio = baseline.seconds / serial.seconds;
        let node_rate_ratio = (effort.nodes / effort.busy) / (serial.nodes / serial.seconds);
        let idle = share(effort.waiting + effort.stealing + effort.parked);
        let search_overhead = overhead(effort.nodes) - 1.0;
        let aborted = splits.then_some(overhead(effort.aborted_nodes));
        let duplicate = (splits && explained).then_some(overhead(effort.duplicate_nodes));
        let measured = baseline.seconds / effort.wall;
        let predicted = idle.map(|idle| {
            ordering_ratio * threads as f64 * node_rate_ratio * (1.0 - idle) / (1.0 + search_overhead)
        });
        Factors {
            ordering_ratio,
            node_rate_ratio,
            idle,
            waiting: share(effort.waiting),
            stealing: share(effort.stealing),
            parked: share(effort.parked),
            search_overhead,
            aborted,
            duplicate,
            rest: search_overhead - aborted.unwrap_or(0.0) - duplicate.unwrap_or(0.0),
            predicted,
            measured,
            residual: predicted.map(|predicted| predicted / measured - 1.0),
        }
    }

    /// Those of the round whose measured speedup is in the middle, or of the lower of the two there: of one
    /// round as a whole, so that they multiply up. None for no rounds.
    pub(crate) fn middle(rounds: &[Factors]) -> Option<Self> {
        let mut sorted = rounds.to_vec();
        sorted.sort_by(|one, other| one.measured.total_cmp(&other.measured));
        sorted.get(sorted.len().saturating_sub(1) / 2).copied()
    }

    /// Every factor with its name.
    pub(crate) fn named(&self) -> [(&'static str, Option<f64>); 13] {
        [
            ("ordering_ratio", Some(self.ordering_ratio)),
            ("node_rate_ratio", Some(self.node_rate_ratio)),
            ("idle", self.idle),
            ("waiting", self.waiting),
            ("stealing", self.stealing),
            ("parked", self.parked),
            ("search_overhead", Some(self.search_overhead)),
            ("aborted", self.aborted),
            ("duplicate", self.duplicate),
            ("rest", Some(self.rest)),
            ("predicted", self.predicted),
            ("measured", Some(self.measured)),
            ("residual", self.residual),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two workers that take 8 seconds where the serial search takes 12, and visit 1,200 nodes instead of
    /// 1,000.
    const EFFORT: Effort = Effort {
        wall: 8.0,
        busy: 12.0,
        waiting: 2.0,
        stealing: 1.0,
        parked: 1.0,
        nodes: 1_200.0,
        aborted_nodes: 150.0,
        duplicate_nodes: 80.0,
    };

    const AGAINST: AgainstBaseline = AgainstBaseline {
        baseline: Cost { nodes: 700.0, seconds: 9.0 },
        serial: Cost { nodes: 1_000.0, seconds: 12.0 },
        threads: 2,
        clocked: true,
        splits: true,
        explained: true,
    };

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-12
    }

    #[test]
    fn where_the_clocks_see_everything_the_product_is_the_speedup() {
        let factors = Factors::new(&AGAINST, &EFFORT);
        assert_eq!((factors.ordering_ratio, factors.measured), (0.75, 1.125));
        assert!(close(factors.node_rate_ratio, 1.2), "{factors:?}");
        assert!(close(factors.search_overhead, 0.2), "{factors:?}");
        assert_eq!(factors.idle, Some(0.25));
        assert_eq!(
            (factors.waiting, factors.stealing, factors.parked),
            (Some(0.125), Some(0.0625), Some(0.0625))
        );
        assert!(close(factors.predicted.unwrap(), 1.125), "{factors:?}");
        assert!(close(factors.residual.unwrap(), 0.0), "{factors:?}");
    }

    #[test]
    fn time_that_no_clock_saw_is_the_residual() {
        // The workers were there for 16 seconds and say what they did in 12.8 of them.
        let blind = Effort { busy: 8.8, ..EFFORT };
        let factors = Factors::new(&AGAINST, &blind);
        assert!(close(factors.measured, 1.125) && close(factors.residual.unwrap(), 0.25), "{factors:?}");
    }

    #[test]
    fn the_causes_of_overhead_add_up() {
        let factors = Factors::new(&AGAINST, &EFFORT);
        assert!(
            close(factors.aborted.unwrap(), 0.15) && close(factors.duplicate.unwrap(), 0.08),
            "{factors:?}"
        );
        assert!(close(factors.rest, -0.03), "{factors:?}");
        let unexplained = Factors::new(&AgainstBaseline { explained: false, ..AGAINST }, &EFFORT);
        assert!(unexplained.duplicate.is_none() && close(unexplained.rest, 0.05), "{unexplained:?}");
        let whole = Factors::new(&AgainstBaseline { splits: false, ..AGAINST }, &EFFORT);
        assert!(whole.aborted.is_none() && whole.duplicate.is_none() && close(whole.rest, 0.2), "{whole:?}");
    }

    #[test]
    fn nothing_is_predicted_from_busy_time_alone() {
        let busy = Effort { waiting: 0.0, stealing: 0.0, parked: 0.0, ..EFFORT };
        let factors = Factors::new(&AgainstBaseline { clocked: false, ..AGAINST }, &busy);
        assert_eq!(
            (factors.idle, factors.parked, factors.predicted, factors.residual),
            (None, None, None, None)
        );
        assert!(close(factors.node_rate_ratio, 1.2) && close(factors.search_overhead, 0.2), "{factors:?}");
    }

    #[test]
    fn the_round_with_the_middle_speedup_counts_as_a_whole() {
        // Speedups of 1.125, 0.9, 4.5 and 2.25, with idle times in another order.
        let rounds = [(8.0, 2.0), (10.0, 9.0), (2.0, 1.0), (4.0, 5.0)]
            .map(|(wall, waiting)| Factors::new(&AGAINST, &Effort { wall, waiting, ..EFFORT }));
        assert_eq!(Factors::middle(&rounds[..1]), Some(rounds[0]));
        assert_eq!(Factors::middle(&rounds[..2]), Some(rounds[1]), "the lower of two");
        assert_eq!(Factors::middle(&rounds[..3]), Some(rounds[0]));
        assert_eq!(Factors::middle(&rounds), Some(rounds[0]), "the lower of those in the middle");
        assert_eq!(Factors::middle(&rounds[1..]), Some(rounds[3]));
        assert_eq!(Factors::middle(&[]), None);
    }

    #[test]
    fn every_factor_has_the_name_it_has_in_the_object() {
        let factors = Factors::new(&AGAINST, &EFFORT);
        let object = serde_json::to_value(factors).unwrap();
        assert_eq!(object.as_object().unwrap().len(), factors.named().len());
        for (name, value) in factors.named() {
            assert_eq!(object[name].as_f64(), value, "{name}");
        }
    }
}
