//! The figures for people. Whatever is shown is said to be simulated.

use crate::analysis::tables::{self, Part, fitted, new_table, percent, percent_of, ratio, share_of_one};
use crate::simulate::report::{SimulateFigures, SimulateModel, SimulateParallel};
use crate::simulate::span::GREEDY_GUARANTEE;
use comfy_table::Table;
use starsplit_statistics::summary::Spread;

/// Rates of nodes above this, relative to the serial search, are more than rounding.
const MOST_RATE: f64 = 1.005;

impl SimulateFigures {
    /// The tables.
    pub(super) fn text(&self) -> String {
        self.models.iter().map(|model| model.text(self.positions)).collect()
    }
}

impl SimulateModel {
    fn text(&self, positions: usize) -> String {
        let baseline = self.baseline;
        let serial = format!("serial search ({}); the baseline is the ordering {baseline}", self.charges());
        let tables = [
            (serial.as_str(), self.serial_table()),
            (
                "the parallel search; medians with [lower quartile .. upper quartile]",
                self.parallel_table(positions),
            ),
            (
                "where the speedup comes from: ordering ratio x processors x node rate ratio x (1 - idle) \
                 / (1 + overhead), of the sums",
                self.decomposition_table(),
            ),
        ];
        let show = |(title, table): (_, Table)| {
            format!("Simulated, costs {}: {title}\n{}\n\n", self.model, fitted(&table))
        };
        tables.into_iter().map(show).chain(self.doubts()).collect()
    }

    /// What processors alone cannot give: there the baseline is not the best serial search, or the parallel
    /// one is lucky.
    fn doubts(&self) -> Option<String> {
        let doubt = |row: &SimulateParallel| {
            let (processors, rate) = (row.processors as f64, row.factors.node_rate_ratio);
            let greatest = row.speedup.all.map(|spread| spread.max).filter(|&speedup| speedup > processors);
            let what = match greatest {
                Some(speedup) => format!("a speedup of {}", ratio(speedup)),
                None if rate > MOST_RATE => format!("a rate of nodes of {}", ratio(rate)),
                None => return None,
            };
            let overhead = percent(row.factors.search_overhead);
            Some(format!("  {}: {what}, search overhead {overhead}\n", who(row).join(", ")))
        };
        let rows: String = self.parallel.iter().filter_map(doubt).collect();
        let title = format!("Simulated, costs {}: more than processors alone can give\n", self.model);
        (!rows.is_empty()).then(|| title + &rows + "\n")
    }

    /// What events cost, in words.
    pub(crate) fn charges(&self) -> String {
        let busy = self.busy.map_or(String::new(), |busy| format!("; on several processors {busy}"));
        format!("{}{busy}", self.costs)
    }

    fn serial_table(&self) -> Table {
        let mut table = new_table(&["ordering", "nodes", "work T1, virtual ns"], 1);
        for serial in &self.serial {
            let numbers = [serial.nodes, serial.virtual_ns].map(|number| number.to_string());
            table.add_row([serial.ordering.to_owned()].into_iter().chain(numbers));
        }
        table
    }

    /// Three rows for each contender: the total, the median over all positions, and that over the large ones.
    fn parallel_table(&self, positions: usize) -> Table {
        let who_and_times = ["method", "processors", "ordering", "over", "virtual ns", "speedup"];
        let more = [
            "least .. greatest",
            "efficiency",
            GREEDY_GUARANTEE,
            "limit",
            "search overhead",
            "idle",
            "steals",
        ];
        let header = [&who_and_times[..], &more].concat();
        let mut table = new_table(&header, 4);
        for row in &self.parallel {
            let who = who(row);
            for part in Part::ALL {
                let of_sums = |sum: u64| if part == Part::Total { sum.to_string() } else { String::new() };
                let ends = match part {
                    Part::Total => row.over_seeds.total,
                    Part::All => row.speedup.all,
                    Part::Large => row.speedup.large,
                };
                let idle = row.decomposition.get("idle").copied().flatten();
                let cells = [
                    part.over(positions, self.large_positions),
                    of_sums(row.virtual_ns),
                    part.of(&row.speedup, ratio),
                    ends.map_or("-".to_owned(), |spread| between(&spread)),
                    part.of(&row.efficiency, share_of_one),
                    row.span.as_ref().map_or("n/a".to_owned(), |span| part.of(&span.bound, ratio)),
                    row.span.as_ref().map_or("n/a".to_owned(), |span| part.of(&span.limit, ratio)),
                    part.of(&row.search_overhead, percent),
                    idle.map_or("n/a".to_owned(), |idle| part.of(&idle, percent_of)),
                    of_sums(row.steals),
                ];
                table.add_row(part.label(&who).into_iter().chain(cells));
            }
        }
        table
    }

    fn decomposition_table(&self) -> Table {
        let header: Vec<_> =
            ["method", "processors", "ordering"].into_iter().chain(tables::factor_names()).collect();
        let mut table = new_table(&header, 3);
        for row in &self.parallel {
            table.add_row(who(row).into_iter().chain(tables::factors(&row.factors)));
        }
        table
    }
}

fn who(row: &SimulateParallel) -> [String; 3] {
    [row.method.to_owned(), row.processors.to_string(), row.ordering.to_owned()]
}

fn between(spread: &Spread) -> String {
    format!("{} .. {}", ratio(spread.min), ratio(spread.max))
}
