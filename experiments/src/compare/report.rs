//! From the costs of single runs to the figures of a comparison.

use crate::analysis::conditions::{Disturbance, in_headline, words};
use crate::analysis::costs::{Cost, Costs};
use crate::analysis::measures;
use crate::analysis::order::Order;
use crate::analysis::ratios::Paired;
use crate::analysis::tables::new_table;
use crate::records::chosen::Chosen;
use comfy_table::Table;
use serde::Serialize;
use starsplit::search::Algorithm;
use starsplit_statistics::bootstrap::Intervals;
use starsplit_statistics::summary::median;

/// The figures of a comparison, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompareFigures {
    /// The algorithm of the searches.
    pub algorithm: &'static str,
    /// The depth of the searches.
    pub depth: u32,
    /// How many positions count: those that every contender has searched without error.
    pub positions: usize,
    /// Whether every run found its position's value.
    pub values_equal: bool,
    /// The serial search.
    pub serial: CompareSerial,
    /// The parallel search, for each number of threads.
    pub parallel: Vec<CompareParallel>,
    /// How it was measured.
    pub conditions: CompareConditions,
    /// Whether Ctrl-C ended the comparison early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The medians over the positions, for people.
    #[serde(skip)]
    pub(super) medians: Vec<Cost>,
}

/// Under what conditions the searches ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CompareConditions {
    /// In which order they came; none where that is not known.
    pub order: Option<Order>,
    /// When the machine was disturbed; none where nobody looked.
    pub disturbance: Option<Disturbance>,
    /// Whether threads were pinned to processors.
    pub pinned: bool,
}

/// The serial search; the medians of each position's runs, summed over the positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompareSerial {
    /// Nodes.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
    /// What the search of the last position chose for itself; none where that is not known.
    pub chosen: Option<Chosen>,
}

/// The parallel search with one number of threads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompareParallel {
    /// The number of threads.
    pub threads: usize,
    /// Nodes: the medians of each position's runs, summed over the positions.
    pub nodes: u64,
    /// Wall time, summed in the same way.
    pub seconds: f64,
    /// Serial seconds over parallel seconds, of the sums: the median over the rounds.
    pub speedup_total: f64,
    /// The median over the positions of serial seconds over parallel seconds, at each of which it is the
    /// median over the rounds.
    pub speedup_median: f64,
    /// Of that median, by the bootstrap: over positions, and over rounds and positions.
    pub speedup_intervals: Intervals,
    /// Parallel nodes over serial nodes, less 1, of the sums: the median over the rounds.
    pub search_overhead: f64,
    /// What the search of the last position chose for itself; none where that is not known.
    pub chosen: Option<Chosen>,
}

impl CompareFigures {
    /// The figures of searches by this algorithm to this depth; `thread_counts` are those of the parallel
    /// contenders.
    pub(super) fn new(
        costs: &Costs,
        (algorithm, depth): (Algorithm, u32),
        thread_counts: &[usize],
        values_equal: bool,
        stopped: bool,
    ) -> CompareFigures {
        let positions = costs.complete();
        let contenders = 0..=thread_counts.len();
        let medians: Vec<Vec<Cost>> =
            contenders.map(|contender| costs.medians(contender, &positions)).collect();
        let sum = |contender: usize| medians[contender].iter().copied().sum::<Cost>();
        let serial = Paired::costs(costs, SERIAL, &positions);
        let total = sum(SERIAL);
        let versus = |(contender, &threads): (usize, &usize)| {
            versus(&serial, &Paired::costs(costs, contender, &positions), sum(contender), threads)
        };
        CompareFigures {
            algorithm: algorithm.name(),
            depth,
            positions: positions.len(),
            values_equal,
            serial: CompareSerial { nodes: total.nodes.round() as u64, seconds: total.seconds, chosen: None },
            parallel: (SERIAL + 1..).zip(thread_counts).map(versus).collect(),
            conditions: CompareConditions::default(),
            stopped,
            medians: medians.iter().map(|costs| Cost::median(costs)).collect(),
        }
    }

    /// How it was measured, for people.
    pub(super) fn conditions_text(&self) -> String {
        let CompareConditions { order, disturbance, pinned } = &self.conditions;
        order.as_ref().map_or_else(String::new, |order| words(order, disturbance.as_ref(), Some(*pinned)))
    }

    /// What the comparison showed, of the most threads; nothing without several.
    pub(super) fn shown_text(&self) -> String {
        let several = self.parallel.iter().filter(|parallel| parallel.threads > 1);
        let is_told = |_: &&CompareParallel| self.positions > 0 && !self.stopped;
        let Some(most) = several.max_by_key(|parallel| parallel.threads).filter(is_told) else {
            return String::new();
        };
        let usual = self.medians[SERIAL].seconds;
        if usual < LEAST_SECONDS {
            return format!(
                "In short: half of the searches took less than {usual:.6} s, which is too little to share; a \
                     greater --depth shows more.\n"
            );
        }
        let values = if self.values_equal { "the same values, bit for bit" } else { "OTHER VALUES" };
        format!(
            "In short: {} threads took {:.2} of the serial search's time ({:.2} times as fast) for {:+.1}% \
                 nodes, and found {values}{}.\n",
            most.threads,
            1.0 / most.speedup_total,
            most.speedup_total,
            100.0 * most.search_overhead,
            in_headline(self.conditions.disturbance.as_ref())
        )
    }

    /// The same with what each contender `chose`, by its number.
    pub(super) fn with_chosen(mut self, chose: impl Fn(usize) -> Option<Chosen>) -> Self {
        self.serial.chosen = chose(SERIAL);
        for (number, parallel) in (SERIAL + 1..).zip(&mut self.parallel) {
            parallel.chosen = chose(number);
        }
        self
    }
}

/// Below this a search is over about when others begin to help: see `Options::helpers_after`.
const LEAST_SECONDS: f64 = 0.001;

/// The serial contender's number; those of the parallel ones follow.
const SERIAL: usize = 0;

/// The figures of the parallel contender, whose median runs add up to `sum`, against the serial one's.
/// Without positions the ratios are not numbers, which JSON writes as null.
fn versus(serial: &Paired<Cost>, parallel: &Paired<Cost>, sum: Cost, threads: usize) -> CompareParallel {
    let speedup = serial.with(parallel, measures::speedup);
    let overhead = serial.with(parallel, measures::search_overhead);
    CompareParallel {
        threads,
        nodes: sum.nodes.round() as u64,
        seconds: sum.seconds,
        speedup_total: speedup.of_sums(),
        speedup_median: median(&speedup.by_position()).unwrap_or(f64::NAN),
        speedup_intervals: Intervals::of(&speedup.each),
        search_overhead: overhead.of_sums(),
        chosen: None,
    }
}

impl CompareFigures {
    /// The figures for people, a row for each contender.
    pub(super) fn table(&self) -> Table {
        let header = [
            "threads",
            "nodes, total",
            "nodes, median",
            "seconds, total",
            "seconds, median",
            "speedup, total",
            "speedup, median",
            "search overhead",
        ];
        let mut table = new_table(&header, 0);
        let cost = |label: String, nodes: u64, seconds: f64, median: &Cost| {
            vec![
                label,
                nodes.to_string(),
                format!("{:.0}", median.nodes),
                format!("{seconds:.3}"),
                format!("{:.6}", median.seconds),
            ]
        };
        let serial = cost("serial".to_owned(), self.serial.nodes, self.serial.seconds, &self.medians[0]);
        table.add_row(serial);
        for (parallel, median) in self.parallel.iter().zip(&self.medians[1..]) {
            let mut row = cost(parallel.threads.to_string(), parallel.nodes, parallel.seconds, median);
            row.push(format!("{:.2}", parallel.speedup_total));
            row.push(format!("{:.2}", parallel.speedup_median));
            row.push(format!("{:+.1}%", 100.0 * parallel.search_overhead));
            table.add_row(row);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::conditions::Conditions;
    use crate::records::line::Line;

    const OF: (Algorithm, u32) = (Algorithm::Star2Tt, 5);

    fn costs() -> Costs {
        let mut costs = Costs::new(2, 3);
        for (position, (serial, parallel)) in [(8.0, 2.0), (6.0, 3.0), (1.0, 1.0)].into_iter().enumerate() {
            costs.add(0, position, 0, Cost { nodes: 100.0, seconds: serial });
            costs.add(1, position, 0, Cost { nodes: 110.0, seconds: parallel });
        }
        costs
    }

    #[test]
    fn totals_are_sums_and_medians_are_over_positions() {
        let report = CompareFigures::new(&costs(), OF, &[2], true, false);
        assert_eq!(report.serial, CompareSerial { nodes: 300, seconds: 15.0, chosen: None });
        let parallel = &report.parallel[0];
        assert_eq!((parallel.threads, parallel.nodes, parallel.seconds), (2, 330, 6.0));
        assert_eq!((parallel.speedup_total, parallel.speedup_median), (2.5, 2.0));
        assert!((parallel.search_overhead - 0.1).abs() < 1e-12);
        assert_eq!(report.medians[0], Cost { nodes: 100.0, seconds: 6.0 });
    }

    #[test]
    fn what_was_shown_is_of_the_most_threads() {
        let shown = |threads: &[usize], values_equal| {
            CompareFigures::new(&costs(), OF, threads, values_equal, false).shown_text()
        };
        assert_eq!(
            shown(&[2], true),
            "In short: 2 threads took 0.40 of the serial search's time (2.50 times as fast) for +10.0% \
                nodes, and found the same values, bit for bit.\n"
        );
        assert!(shown(&[2], false).contains("found OTHER VALUES."));
        let mut disturbed = CompareFigures::new(&costs(), OF, &[2], true, false);
        let mut conditions = Conditions::default();
        for (repeat, probe_ns) in [(1, 100), (2, 101), (3, 200)] {
            conditions.note(&Line { index: 1, repeat, probe_ns: Some(probe_ns), ..Line::default() });
        }
        disturbed.conditions.disturbance = conditions.disturbance();
        let text = disturbed.shown_text();
        assert!(text.ends_with("bit for bit (disturbed: 1 of 3 rounds).\n"), "{text}");
        assert_eq!((shown(&[1], true), shown(&[], true)), (String::new(), String::new()));
        let mut short = Costs::new(2, 1);
        (0..2).for_each(|contender| short.add(contender, 0, 0, Cost { nodes: 9.0, seconds: 0.0001 }));
        let shown = CompareFigures::new(&short, OF, &[2], true, false).shown_text();
        assert!(shown.contains("took less than 0.000100 s, which is too little to share"), "{shown}");
    }

    /// The costs with two rounds more, in which each contender takes so many times as long.
    fn costs_with(factors: [[f64; 2]; 2]) -> Costs {
        let mut costs = costs();
        for (round, factors) in (1..).zip(factors) {
            for (contender, factor) in factors.into_iter().enumerate() {
                for position in 0..3 {
                    let Cost { nodes, seconds } = costs.run(contender, position, 0);
                    costs.add(contender, position, round, Cost { nodes, seconds: seconds * factor });
                }
            }
        }
        costs
    }

    #[test]
    fn a_machine_that_slows_down_between_rounds_changes_no_speedup() {
        let [steady, slowing] = [costs(), costs_with([[4.0, 4.0], [2.0, 2.0]])]
            .map(|costs| CompareFigures::new(&costs, OF, &[2], true, false).parallel.remove(0));
        assert_eq!(slowing, CompareParallel { seconds: 2.0 * steady.seconds, ..steady });
    }

    #[test]
    fn ratios_are_not_those_of_the_medians() {
        // The serial search is slow in two rounds, and in one of them the parallel search is not.
        let found = CompareFigures::new(&costs_with([[2.0, 2.0], [4.0, 1.0]]), OF, &[2], true, false);
        assert_eq!((found.serial.seconds, found.parallel[0].seconds), (30.0, 6.0));
        assert_eq!((found.parallel[0].speedup_total, found.parallel[0].speedup_median), (2.5, 2.0));
    }

    #[test]
    fn positions_that_not_all_contenders_have_searched_do_not_count() {
        let mut costs = Costs::new(2, 2);
        for (contender, position, nodes) in [(0, 0, 10.0), (1, 0, 12.0), (0, 1, 10.0)] {
            costs.add(contender, position, 0, Cost { nodes, seconds: 1.0 });
        }
        let report = CompareFigures::new(&costs, OF, &[2], true, true);
        assert_eq!((report.positions, report.serial.nodes, report.parallel[0].nodes), (1, 10, 12));
    }

    #[test]
    fn without_positions_ratios_are_null() {
        let report =
            serde_json::to_value(CompareFigures::new(&Costs::new(2, 2), OF, &[2], true, true)).unwrap();
        assert_eq!((report["positions"].as_u64(), report["stopped"].as_bool()), (Some(0), Some(true)));
        assert!(report["parallel"][0]["speedup_total"].is_null());
    }
}
