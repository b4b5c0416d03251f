//! From the costs of single runs to the figures of a comparison.

use crate::costs::{Cost, Costs};
use crate::statistics::median;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

/// The figures of a comparison, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The depth of the searches.
    pub depth: u32,
    /// How many positions count: those that every contender has searched without error.
    pub positions: usize,
    /// Whether every run found its position's value.
    pub values_equal: bool,
    /// The serial search.
    pub serial: SerialReport,
    /// The parallel search, for each number of threads.
    pub parallel: Vec<ParallelReport>,
    /// Whether Ctrl-C ended the comparison early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The medians over the positions, for people.
    #[serde(skip)]
    medians: Vec<Cost>,
}

/// The serial search, summed over the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SerialReport {
    /// Nodes.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
}

/// The parallel search with one number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ParallelReport {
    /// The number of threads.
    pub threads: usize,
    /// Nodes, summed over the positions.
    pub nodes: u64,
    /// Wall time, summed over the positions.
    pub seconds: f64,
    /// Serial seconds over parallel seconds, of the sums.
    pub speedup_total: f64,
    /// The median over the positions of serial seconds over parallel seconds.
    pub speedup_median: f64,
    /// Parallel nodes over serial nodes, less 1, of the sums.
    pub search_overhead: f64,
}

impl Report {
    /// The figures; `thread_counts` are those of the parallel contenders.
    pub(super) fn new(
        costs: &Costs,
        depth: u32,
        thread_counts: &[usize],
        values_equal: bool,
        stopped: bool,
    ) -> Report {
        let positions = costs.complete();
        let costs: Vec<Vec<Cost>> =
            (0..=thread_counts.len()).map(|contender| costs.medians(contender, &positions)).collect();
        let (serial, parallel) = costs.split_first().expect("the serial contender is always there");
        let total = Cost::sum(serial);
        Report {
            depth,
            positions: serial.len(),
            values_equal,
            serial: SerialReport { nodes: total.nodes.round() as u64, seconds: total.seconds },
            parallel: thread_counts
                .iter()
                .zip(parallel)
                .map(|(&t, costs)| versus(serial, costs, t))
                .collect(),
            stopped,
            medians: costs.iter().map(|costs| Cost::median(costs)).collect(),
        }
    }
}

/// The parallel contender's figures against the serial one's. Without positions the ratios are not numbers, which JSON
/// writes as null.
fn versus(serial: &[Cost], parallel: &[Cost], threads: usize) -> ParallelReport {
    let (serial_sum, parallel_sum) = (Cost::sum(serial), Cost::sum(parallel));
    let speedups: Vec<f64> = serial.iter().zip(parallel).map(|(s, p)| s.seconds / p.seconds).collect();
    ParallelReport {
        threads,
        nodes: parallel_sum.nodes.round() as u64,
        seconds: parallel_sum.seconds,
        speedup_total: serial_sum.seconds / parallel_sum.seconds,
        speedup_median: median(&speedups).unwrap_or(f64::NAN),
        search_overhead: parallel_sum.nodes / serial_sum.nodes - 1.0,
    }
}

impl Report {
    /// The figures for people, a row for each contender.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED).set_header([
            "threads",
            "nodes, total",
            "nodes, median",
            "seconds, total",
            "seconds, median",
            "speedup, total",
            "speedup, median",
            "search overhead",
        ]);
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
        for column in table.column_iter_mut() {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> Costs {
        let mut costs = Costs::new(2, 3);
        for (position, (serial, parallel)) in [(8.0, 2.0), (6.0, 3.0), (1.0, 1.0)].into_iter().enumerate() {
            costs.add(0, position, Cost { nodes: 100.0, seconds: serial });
            costs.add(1, position, Cost { nodes: 110.0, seconds: parallel });
        }
        costs
    }

    #[test]
    fn totals_are_sums_and_medians_are_over_positions() {
        let report = Report::new(&costs(), 5, &[2], true, false);
        assert_eq!(report.serial, SerialReport { nodes: 300, seconds: 15.0 });
        let parallel = report.parallel[0];
        assert_eq!((parallel.threads, parallel.nodes, parallel.seconds), (2, 330, 6.0));
        assert_eq!((parallel.speedup_total, parallel.speedup_median), (2.5, 2.0));
        assert!((parallel.search_overhead - 0.1).abs() < 1e-12);
        assert_eq!(report.medians[0], Cost { nodes: 100.0, seconds: 6.0 });
    }

    #[test]
    fn positions_that_not_all_contenders_have_searched_do_not_count() {
        let mut costs = Costs::new(2, 2);
        for (contender, position, nodes) in [(0, 0, 10.0), (1, 0, 12.0), (0, 1, 10.0)] {
            costs.add(contender, position, Cost { nodes, seconds: 1.0 });
        }
        let report = Report::new(&costs, 5, &[2], true, true);
        assert_eq!((report.positions, report.serial.nodes, report.parallel[0].nodes), (1, 10, 12));
    }

    #[test]
    fn without_positions_ratios_are_null() {
        let report = serde_json::to_value(Report::new(&Costs::new(2, 2), 5, &[2], true, true)).unwrap();
        assert_eq!((report["positions"].as_u64(), report["stopped"].as_bool()), (Some(0), Some(true)));
        assert!(report["parallel"][0]["speedup_total"].is_null());
    }
}
