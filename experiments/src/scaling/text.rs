//! The figures for people.

use super::report::ScalingFigures;
use crate::analysis::conditions::words;
use crate::analysis::figure::Figure;
use crate::analysis::tables::{
    self, BEYOND, BEYOND_WORDS, Part, fitted, interval, new_table, percent, ratio, seconds, share_of_one,
};
use crate::records::workers::Quantiles;
use comfy_table::Table;
use std::fmt::Write;

impl ScalingFigures {
    /// The tables.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut show = |title: &str, table: Table| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{title}\n{}\n", fitted(&table));
        };
        let baseline = self.baseline;
        show(&format!("Serial search; the baseline is the ordering {baseline}"), self.serial_table());
        show(
            "The machine's ceiling, the one like for like (matched-ceiling) and the parallel search; \
             medians with [lower quartile .. upper quartile]",
            self.scaling_table(),
        );
        show(
            "95% intervals of the medians over the large positions (all where none is large): over rounds \
             and positions, from three rounds on; over positions alone",
            self.interval_table(),
        );
        show(
            "Where the speedup comes from: ordering ratio x threads x node rate ratio x (1 - idle) / (1 + \
                overhead), of the sums",
            self.decomposition_table(),
        );
        if text.contains(BEYOND) {
            text += &format!("{BEYOND_WORDS}\n\n");
        }
        text + &words(&self.order, self.probed.as_ref(), self.pinned) + "\n"
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
            "of the matched one",
            "search overhead",
        ];
        let mut table = new_table(&header, 4);
        let over = |part: Part| part.over(self.positions, self.large_positions);
        let kinds = [("ceiling", &self.ceilings), ("matched-ceiling", &self.matched_ceilings)];
        for (kind, row) in kinds.into_iter().flat_map(|(kind, rows)| rows.iter().map(move |row| (kind, row)))
        {
            let who = [kind.to_owned(), row.threads.to_string(), row.ordering.to_owned()];
            for part in Part::ALL {
                let ceiling = part.ceiling(&row.ceiling, row.threads);
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
                    share(part, row.ceiling_share.as_ref()),
                    share(part, row.matched_share.as_ref()),
                    part.of(&row.search_overhead, percent),
                ];
                table.add_row(part.label(&who).into_iter().chain(cells));
            }
        }
        table
    }

    /// A row for each parallel search.
    fn interval_table(&self) -> Table {
        let header =
            ["method", "threads", "ordering", "speedup", "positions", "share of ceiling", "positions"];
        let header = header.into_iter().chain(["of the matched one", "positions"]).collect::<Vec<_>>();
        let mut table = new_table(&header, 3);
        for row in &self.parallel {
            let (speedup, shares) =
                (row.speedup_intervals, [row.ceiling_share_intervals, row.matched_share_intervals]);
            let who = [row.method.to_owned(), row.threads.to_string(), row.ordering.to_owned()];
            let shares = shares.map(Option::unwrap_or_default);
            let shares = shares.into_iter().flat_map(|own| [own.two_stage, own.positions]);
            let speedup = [speedup.two_stage, speedup.positions].map(|own| interval(own, ratio));
            table
                .add_row(who.into_iter().chain(speedup).chain(shares.map(|own| interval(own, share_of_one))));
        }
        table
    }

    /// A row for each parallel search.
    fn decomposition_table(&self) -> Table {
        let header: Vec<_> = ["method", "threads", "ordering"]
            .into_iter()
            .chain(tables::factor_names())
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
}

fn share(part: Part, share: Option<&Figure>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| part.of(share, share_of_one))
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
