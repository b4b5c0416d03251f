//! What runs cost, kept by contender and position until a report makes figures of it.

use crate::records::recorded::RecordedSearch;
use crate::records::turns::MATCHED_CEILING;
use starsplit_statistics::summary::median;
use std::collections::BTreeMap;
use std::iter;

/// What it took to search something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Nodes.
    pub nodes: f64,
    /// Wall time.
    pub seconds: f64,
}

impl Cost {
    /// The cost of one search, or of one among several that ran at once: of those, the mean of the nodes, and
    /// the time that goes with the mean of their rates, which is the harmonic mean of their times.
    ///
    /// # Panics
    /// When there is no search.
    pub(crate) fn of(searches: &[RecordedSearch]) -> Self {
        let count = searches.len() as f64;
        match searches {
            [] => panic!("the cost of no search"),
            [one] => Cost { nodes: one.nodes as f64, seconds: one.seconds() },
            _ => Cost {
                nodes: searches.iter().map(|search| search.nodes as f64).sum::<f64>() / count,
                seconds: count / searches.iter().map(|search| 1.0 / search.seconds()).sum::<f64>(),
            },
        }
    }

    /// The cost of a turn by that method. Of searches that the first of them to end has stopped: the nodes of
    /// all, and the time in which they would have visited these together, each at its own rate until it was
    /// stopped.
    ///
    /// # Panics
    /// When there is no search.
    pub(crate) fn of_turn(method: &str, searches: &[RecordedSearch]) -> Self {
        if method != MATCHED_CEILING {
            return Cost::of(searches);
        }
        let nodes: f64 = searches.iter().map(|search| search.nodes as f64).sum();
        let rate: f64 = searches.iter().map(|search| search.nodes as f64 / search.seconds()).sum();
        Cost { nodes, seconds: nodes / rate }
    }

    /// The median of the nodes and that of the seconds; zero for nothing.
    pub fn median(costs: &[Cost]) -> Self {
        let of =
            |part: fn(&Cost) -> f64| median(&costs.iter().map(part).collect::<Vec<_>>()).unwrap_or_default();
        Cost { nodes: of(|cost| cost.nodes), seconds: of(|cost| cost.seconds) }
    }
}

impl iter::Sum for Cost {
    /// The sums of the nodes and of the seconds.
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Self {
        costs.fold(Cost::default(), |sum, cost| Cost {
            nodes: sum.nodes + cost.nodes,
            seconds: sum.seconds + cost.seconds,
        })
    }
}

/// The costs of all runs, by contender, position and round. A round is one repeat of everything, counted from
/// 0; its runs of one position lie next to each other in time.
#[derive(Clone, Debug)]
pub struct Costs {
    runs: Vec<Vec<BTreeMap<usize, Cost>>>,
}

impl Costs {
    /// No costs yet of so many contenders at so many positions.
    pub fn new(contenders: usize, positions: usize) -> Self {
        Costs { runs: vec![vec![BTreeMap::new(); positions]; contenders] }
    }

    /// Adds a run.
    pub fn add(&mut self, contender: usize, position: usize, round: usize, cost: Cost) {
        self.runs[contender][position].insert(round, cost);
    }

    /// The rounds in which every contender has searched the position. Others, such as the one in which a
    /// measurement was stopped, have no pairs of runs.
    pub fn rounds(&self, position: usize) -> Vec<usize> {
        let Some((first, others)) = self.runs.split_first() else { return Vec::new() };
        let paired = |round: &usize| others.iter().all(|runs| runs[position].contains_key(round));
        first[position].keys().copied().filter(paired).collect()
    }

    /// The rounds in which every contender has searched all of these positions.
    pub fn shared_rounds(&self, positions: &[usize]) -> Vec<usize> {
        let rounds: Vec<_> = positions.iter().map(|&position| self.rounds(position)).collect();
        let is_shared = |round: &usize| rounds.iter().all(|own| own.binary_search(round).is_ok());
        rounds.first().into_iter().flatten().copied().filter(is_shared).collect()
    }

    /// The positions that every contender has searched in the same round, be it one.
    pub fn complete(&self) -> Vec<usize> {
        let positions = self.runs.first().map_or(0, Vec::len);
        (0..positions).filter(|&position| !self.rounds(position).is_empty()).collect()
    }

    /// What a run cost.
    ///
    /// # Panics
    /// When there is none of that round, which is not one of [`Costs::rounds`] then.
    pub fn run(&self, contender: usize, position: usize, round: usize) -> Cost {
        self.runs[contender][position][&round]
    }

    /// The medians of the contender's runs at each of `positions`.
    pub fn medians(&self, contender: usize, positions: &[usize]) -> Vec<Cost> {
        let runs = |&position: &usize| self.runs[contender][position].values().copied().collect::<Vec<_>>();
        positions.iter().map(|position| Cost::median(&runs(position))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(nodes: u64, seconds: u64) -> RecordedSearch {
        RecordedSearch { nodes, wall_ns: seconds * 1_000_000_000, ..RecordedSearch::default() }
    }

    #[test]
    fn of_searches_at_once_the_rates_are_averaged() {
        assert_eq!(Cost::of(&[search(7, 3)]), Cost { nodes: 7.0, seconds: 3.0 });
        let cost = Cost::of(&[search(10, 2), search(10, 6)]);
        // Rates of 1/2 and 1/6: on average 1/3.
        assert_eq!(cost.nodes, 10.0);
        assert!((cost.seconds - 3.0).abs() < 1e-12, "{cost:?}");
    }

    #[test]
    fn of_searches_that_the_first_stops_the_rates_are_added() {
        let searches = [search(10, 2), search(6, 3)];
        let cost = Cost::of_turn(MATCHED_CEILING, &searches);
        // 5 and 2 nodes a second.
        assert!(cost.nodes == 16.0 && (cost.nodes / cost.seconds - 7.0).abs() < 1e-12, "{cost:?}");
        assert_eq!(Cost::of_turn("ceiling", &searches), Cost::of(&searches));
    }

    #[test]
    fn each_positions_median_repeat_counts() {
        let mut costs = Costs::new(1, 2);
        for (position, round, seconds) in [(0, 0, 8.0), (0, 1, 1_000.0), (0, 2, 9.0), (1, 0, 5.0)] {
            costs.add(0, position, round, Cost { nodes: 100.0, seconds });
        }
        let expected = [9.0, 5.0].map(|seconds| Cost { nodes: 100.0, seconds });
        assert_eq!(costs.medians(0, &[0, 1]), expected);
        assert_eq!(expected.into_iter().sum::<Cost>(), Cost { nodes: 200.0, seconds: 14.0 });
    }

    #[test]
    fn a_position_is_complete_when_every_contender_has_searched_it() {
        let mut costs = Costs::new(2, 3);
        for (contender, position) in [(0, 0), (0, 2), (1, 1), (1, 2)] {
            costs.add(contender, position, 0, Cost::default());
        }
        assert_eq!(costs.complete(), [2]);
        assert_eq!(Costs::new(0, 0).complete(), [0; 0]);
    }

    #[test]
    fn a_round_counts_when_every_contender_has_run_it() {
        let mut costs = Costs::new(2, 1);
        // A run with an error is missing in the middle, and the others keep their rounds.
        for (contender, round) in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 2)] {
            costs.add(contender, 0, round, Cost { nodes: 1.0, seconds: round as f64 });
        }
        assert_eq!(costs.rounds(0), [0, 2]);
        assert_eq!(costs.run(1, 0, 2).seconds, 2.0);
        let mut apart = Costs::new(2, 1);
        apart.add(0, 0, 0, Cost::default());
        apart.add(1, 0, 1, Cost::default());
        assert_eq!((apart.rounds(0), apart.complete()), (vec![], vec![]));
    }
}
