//! The figures for people.

use super::report::{Figure, ParallelReport, Report};
use crate::crew::Quantiles;
use crate::statistics::Spread;
use comfy_table::{CellAlignment, Table, presets};
use std::fmt::Write;

impl Report {
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
            "Where the speedup comes from: ordering ratio x threads x node rate ratio x (1 - idle) / (1 + overhead), of the sums",
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
        let over = |part: Part| match part {
            Part::Total => "total".to_owned(),
            Part::All => format!("all {}", self.positions),
            Part::Large => format!("large {}", self.large_positions),
        };
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

    /// A row for each parallel search. Idle is waiting, stealing and parked, the overhead aborted, duplicate and rest.
    fn decomposition_table(&self) -> Table {
        let header = [
            "method",
            "threads",
            "ordering",
            "ordering ratio",
            "node rate ratio",
            "idle",
            "waiting",
            "stealing",
            "parked",
            "overhead",
            "aborted",
            "duplicate",
            "rest",
            "predicted",
            "measured",
            "residual",
            "abort p99",
        ];
        let mut table = new_table(&header, 3);
        for row in &self.parallel {
            let factors = &row.factors;
            let who = [row.method.to_owned(), row.threads.to_string(), row.ordering.to_owned()];
            let known = |value: Option<f64>, show: fn(f64) -> String| value.map_or("n/a".to_owned(), show);
            let cells = [
                share_of_one(factors.ordering_ratio),
                share_of_one(factors.node_rate_ratio),
                known(factors.idle, percent_of),
                known(factors.waiting, percent_of),
                known(factors.stealing, percent_of),
                known(factors.parked, percent_of),
                percent(factors.search_overhead),
                known(factors.aborted, percent_of),
                known(factors.duplicate, percent_of),
                percent(factors.rest),
                known(factors.predicted, ratio),
                ratio(factors.measured),
                known(factors.residual, percent),
                latency(row.abort_latency_ns),
            ];
            table.add_row(who.into_iter().chain(cells));
        }
        table
    }

    fn position_table(&self) -> Table {
        let name = |row: &ParallelReport| format!("{} {} {}", row.method, row.threads, row.ordering);
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

/// Which positions a row is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Total,
    All,
    Large,
}

impl Part {
    const ALL: [Part; 3] = [Part::Total, Part::All, Part::Large];

    /// Who the row is about, said once.
    fn label(self, who: &[String; 3]) -> [String; 3] {
        if self == Part::Total { who.clone() } else { Default::default() }
    }

    fn of(self, figure: &Figure, show: fn(f64) -> String) -> String {
        match self {
            Part::Total => show(figure.total),
            Part::All => spread(figure.all.as_ref(), show),
            Part::Large => spread(figure.large.as_ref(), show),
        }
    }
}

fn spread(spread: Option<&Spread>, show: fn(f64) -> String) -> String {
    let Some(spread) = spread else { return "-".to_owned() };
    format!("{} [{} .. {}]", show(spread.median), show(spread.lower_quartile), show(spread.upper_quartile))
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}

fn ratio(ratio: f64) -> String {
    format!("{ratio:.2}")
}

fn share_of_one(share: f64) -> String {
    format!("{share:.3}")
}

fn percent(share: f64) -> String {
    format!("{:+.1}%", 100.0 * share)
}

fn percent_of(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The latency that all but one abort in a hundred keep, if there were any.
fn latency(ns: Quantiles) -> String {
    if ns.count == 0 { "-".to_owned() } else { format!("{:.1} us", ns.p99 as f64 / 1e3) }
}

/// A table whose columns from number `numbers` on are aligned to the right.
fn new_table(header: &[&str], numbers: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header.iter().copied());
    for column in table.column_iter_mut().skip(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_stands_with_its_quartiles() {
        let figure = Figure { total: 1.5, all: Spread::of(&[1.0, 2.0, 3.0]), large: None };
        assert_eq!(Part::Total.of(&figure, ratio), "1.50");
        assert_eq!(Part::All.of(&figure, ratio), "2.00 [1.50 .. 2.50]");
        assert_eq!(Part::Large.of(&figure, ratio), "-");
        assert_eq!(percent(-0.0123), "-1.2%");
    }

    #[test]
    fn the_latency_is_that_of_the_slowest_in_a_hundred() {
        assert_eq!(latency(Quantiles::default()), "-");
        assert_eq!(latency(Quantiles { count: 3, p99: 12_340, ..Quantiles::default() }), "12.3 us");
    }
}
