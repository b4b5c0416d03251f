//! The figures for people.

use super::report::{ScalingFigures, ScalingParallel};
use crate::analysis::tables::{self, Part, new_table, percent, ratio, seconds, share_of_one};
use crate::records::workers::Quantiles;
use comfy_table::Table;
use std::fmt::Write;

impl ScalingFigures {
    /// The tables; that of the single positions only if asked for.
    pub(super) fn text(&self, by_position: bool) -> String {
        let mut text = String::new();
        let mut show = |title: &str, table: Table| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{title}\n{table}\n");
        };
        let baseline = self.baseline;
        show(&format!("Serial search; the baseline is the ordering {baseline}"), self.serial_table());
        show(
            "The machine's ceiling and the parallel search; medians with [lower quartile .. upper quartile]",
            self.scaling_table(),
        );
        show(
            "Where the speedup comes from: ordering ratio x threads x node rate ratio x (1 - idle) / (1 + \
                overhead), of the sums",
            self.decomposition_table(),
        );
        if by_position {
            show("Speedup by position (and share of the ceiling)", self.position_table());
        }
        text
    }

    fn serial_table(&self) -> Table {
        let mut table = new_table(&["ordering", "nodes", "seconds"], 1);
        for serial in &self.serial {
            let cells = [serial.ordering.to_owned(), serial.nodes.to_string(), seconds(serial.seconds)];
            table.add_row(cells);
        }
        table
    }

    /// Three rows for each contender: the total, the median over all positions, and that over the large ones.
    fn scaling_table(&self) -> Table {
        let header = [
            "method",
            "threads",
            "ordering",
            "over",
            "seconds",
            "speedup",
            "share of ceiling",
            "search overhead",
        ];
        let mut table = new_table(&header, 4);
        let over = |part: Part| part.over(self.positions, self.large_positions);
        for row in &self.ceilings {
            let who = ["ceiling".to_owned(), row.threads.to_string(), row.ordering.to_owned()];
            for part in Part::ALL {
                let ceiling = part.of(&row.ceiling, ratio);
                table.add_row(part.label(&who).into_iter().chain([over(part), String::new(), ceiling]));
            }
        }
        for row in &self.parallel {
            let who = [row.method.to_owned(), row.threads.to_string(), row.ordering.to_owned()];
            for part in Part::ALL {
                let time = if part == Part::Total { seconds(row.seconds) } else { String::new() };
                let cells = [
                    over(part),
                    time,
                    part.of(&row.speedup, ratio),
                    row.ceiling_share.as_ref().map_or("-".to_owned(), |share| part.of(share, share_of_one)),
                    part.of(&row.search_overhead, percent),
                ];
                table.add_row(part.label(&who).into_iter().chain(cells));
            }
        }
        table
    }

    /// A row for each parallel search.
    fn decomposition_table(&self) -> Table {
        let header: Vec<_> = ["method", "threads", "ordering"]
            .into_iter()
            .chain(tables::FACTORS)
            .chain(["abort p99"])
            .collect();
        let mut table = new_table(&header, 3);
        for row in &self.parallel {
            let who = [row.method.to_owned(), row.threads.to_string(), row.ordering.to_owned()];
            let factors = tables::factors(&row.factors);
            table.add_row(who.into_iter().chain(factors).chain([latency(row.abort_latency_ns)]));
        }
        table
    }

    fn position_table(&self) -> Table {
        let name = |row: &ScalingParallel| format!("{} {} {}", row.method, row.threads, row.ordering);
        let ceilings = self.ceilings.iter().map(|row| format!("ceiling {} {}", row.threads, row.ordering));
        let header: Vec<String> = ["position", "nodes", "seconds"]
            .map(str::to_owned)
            .into_iter()
            .chain(ceilings)
            .chain(self.parallel.iter().map(name))
            .collect();
        let mut table = new_table(&header.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        for row in &self.by_position {
            let ceilings = row.ceilings.iter().map(|&ceiling| ratio(ceiling));
            let speedups =
                row.speedups.iter().zip(&row.ceiling_shares).map(|(&speedup, share)| match share {
                    Some(share) => format!("{} ({})", ratio(speedup), share_of_one(*share)),
                    None => ratio(speedup),
                });
            let first = [row.index.to_string(), row.nodes.to_string(), seconds(row.seconds)];
            table.add_row(first.into_iter().chain(ceilings).chain(speedups));
        }
        table
    }
}

/// The latency that all but one abort in a hundred keep, if there were any.
fn latency(ns: Quantiles) -> String {
    if ns.count == 0 { "-".to_owned() } else { format!("{:.1} us", ns.p99 as f64 / 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latency_is_that_of_the_slowest_in_a_hundred() {
        assert_eq!(latency(Quantiles::default()), "-");
        assert_eq!(latency(Quantiles { count: 3, p99: 12_340, ..Quantiles::default() }), "12.3 us");
    }
}
