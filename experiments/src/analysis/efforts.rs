//! What parallel searches spent, kept by contender and position until a report takes their speedups apart.

use crate::records::recorded::RecordedSearch;
use crate::records::workers::Quantiles;
use std::collections::BTreeMap;
use std::iter;

/// What a parallel search spent, summed over its workers; or the sum of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Wall time; this and all times in seconds.
    pub wall: f64,
    /// Searching.
    pub busy: f64,
    /// Without work, between two looks for some.
    pub waiting: f64,
    /// Looking into the others' queues.
    pub stealing: f64,
    /// Asleep.
    pub parked: f64,
    /// Nodes.
    pub nodes: f64,
    /// Nodes of searches that were cut short.
    pub aborted_nodes: f64,
    /// Nodes below a node that another worker was found in, where these were counted.
    pub duplicate_nodes: f64,
}

impl Effort {
    /// What the workers of a recorded search spent; times that were not clocked are 0.
    pub(crate) fn of(search: &RecordedSearch) -> Self {
        let seconds = |ns: Option<u64>| ns.unwrap_or_default() as f64 / 1e9;
        Effort {
            wall: search.seconds(),
            busy: seconds(search.busy_ns),
            waiting: seconds(search.idle_ns),
            stealing: seconds(search.stealing_ns),
            parked: seconds(search.parked_ns),
            nodes: search.nodes as f64,
            aborted_nodes: search.aborted_nodes as f64,
            duplicate_nodes: search.duplicate_nodes.unwrap_or_default() as f64,
        }
    }

    /// What all workers clocked.
    pub fn clocked(&self) -> f64 {
        self.busy + self.waiting + self.stealing + self.parked
    }
}

impl iter::Sum for Effort {
    /// The sum of each part.
    fn sum<I: Iterator<Item = Effort>>(efforts: I) -> Self {
        efforts.fold(Effort::default(), |sum, effort| Effort {
            wall: sum.wall + effort.wall,
            busy: sum.busy + effort.busy,
            waiting: sum.waiting + effort.waiting,
            stealing: sum.stealing + effort.stealing,
            parked: sum.parked + effort.parked,
            nodes: sum.nodes + effort.nodes,
            aborted_nodes: sum.aborted_nodes + effort.aborted_nodes,
            duplicate_nodes: sum.duplicate_nodes + effort.duplicate_nodes,
        })
    }
}

/// The efforts of all parallel runs, by contender, position and round.
#[derive(Clone, Debug)]
pub struct Efforts {
    runs: Vec<Vec<BTreeMap<usize, Effort>>>,
    /// How often each contender's workers took how long to leave what had become useless, in all runs.
    aborts: Vec<BTreeMap<u64, u64>>,
}

impl Efforts {
    /// No runs yet of so many contenders at so many positions.
    pub fn new(contenders: usize, positions: usize) -> Self {
        Efforts {
            runs: vec![vec![BTreeMap::new(); positions]; contenders],
            aborts: vec![BTreeMap::new(); contenders],
        }
    }

    /// Adds how often the workers of a run took so many nanoseconds to leave what had become useless.
    pub fn add_aborts(&mut self, contender: usize, counts: &[(u64, u64)]) {
        for &(ns, count) in counts {
            *self.aborts[contender].entry(ns).or_default() += count;
        }
    }

    /// Adds a run of this effort.
    pub fn add_effort(&mut self, contender: usize, position: usize, round: usize, effort: Effort) {
        self.runs[contender][position].insert(round, effort);
    }

    /// What a run spent; nothing where there was no parallel one.
    pub fn run(&self, contender: usize, position: usize, round: usize) -> Effort {
        self.runs[contender][position].get(&round).copied().unwrap_or_default()
    }

    /// How long the contender's workers took to leave what had become useless, over all of its runs; in
    /// nanoseconds.
    pub fn abort_latency(&self, contender: usize) -> Quantiles {
        Quantiles::of_counts(self.aborts[contender].iter().map(|(&ns, &count)| (ns, count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effort(wall: f64, busy: f64) -> Effort {
        Effort { wall, busy, ..Effort::default() }
    }

    #[test]
    fn all_that_is_clocked_is_added_up() {
        let whole =
            Effort { busy: 1.0, waiting: 2.0, stealing: 4.0, parked: 8.0, wall: 100.0, ..Effort::default() };
        assert_eq!(whole.clocked(), 15.0);
        let sum: Effort = [whole, whole].into_iter().sum();
        assert_eq!((sum.clocked(), sum.wall), (30.0, 200.0));
    }

    #[test]
    fn efforts_are_kept_apart() {
        let mut efforts = Efforts::new(2, 2);
        efforts.add_effort(1, 0, 0, effort(4.0, 1.0));
        efforts.add_effort(1, 1, 0, effort(7.0, 2.0));
        efforts.add_effort(1, 1, 1, effort(9.0, 3.0));
        assert_eq!([0, 1].map(|round| efforts.run(1, 1, round)), [effort(7.0, 2.0), effort(9.0, 3.0)]);
        assert_eq!((efforts.run(0, 0, 0), efforts.run(1, 0, 1)), (Effort::default(), Effort::default()));
        assert_eq!(efforts.abort_latency(1), Quantiles::default());
    }
}
