//! The comparison for people.

use crate::analysis::tables::{Part, new_table, percent, ratio};
use crate::simulate::against::{Against, AgainstModel, AgainstParallel, AgainstPosition};
use comfy_table::Table;
use std::fmt::Write;

impl Against {
    /// Adds the tables to `text`; those of the single positions only if asked for.
    pub(in crate::simulate) fn write(&self, text: &mut String, by_position: bool) {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{}", self.introduction());
        for model in &self.models {
            let name = &model.model;
            let _ = writeln!(
                text,
                "Virtual beside real, costs {name}: medians with [lower quartile .. upper quartile]\n{}\n",
                self.table(model)
            );
            let _ = writeln!(
                text,
                "Virtual beside real, costs {name}: where the residual of the total comes from, as virtual / \
                    real - 1 of \
                 each factor\n{}\n",
                explained_table(model)
            );
            if by_position {
                let _ = writeln!(
                    text,
                    "Virtual beside real, costs {name}: speedup by position, real, virtual, residual\n{}\n",
                    position_table(model)
                );
            }
        }
    }

    fn introduction(&self) -> String {
        let rounds = match self.rounds {
            None => "no rounds".to_owned(),
            Some((least, greatest)) if least == greatest => format!("{least} rounds"),
            Some((least, greatest)) => format!("{least} to {greatest} rounds"),
        };
        let unlike = match self.unlike_positions {
            0 => String::new(),
            unlike => format!(
                "\nAt {unlike} positions a serial search had OTHER NODES there: it is not the search that \
                    was simulated."
            ),
        };
        format!(
            "Real: {}, revision {}, {rounds} on a machine of {} threads; speedups over the serial search \
                under the \
             ordering {}\nUndisturbed: share of that machine's ceiling x threads{unlike}\n",
            self.folder,
            self.revision.as_deref().unwrap_or("unknown"),
            self.cores,
            self.baseline
        )
    }

    /// Three rows for each contender: the total, the median over all positions, and that over the large ones.
    fn table(&self, model: &AgainstModel) -> Table {
        let header = [
            "method",
            "threads",
            "ordering",
            "over",
            "real",
            "rounds",
            "virtual",
            "residual",
            "undisturbed",
            "residual",
            "real overhead",
            "virtual",
            "difference, points",
        ];
        let mut table = new_table(&header, 4);
        for row in &model.parallel {
            for part in Part::ALL {
                let rounds = match (part, row.over_rounds) {
                    (Part::Total, Some(spread)) => format!("{} .. {}", ratio(spread.min), ratio(spread.max)),
                    _ => String::new(),
                };
                let known = |figure: &Option<_>, show| {
                    figure.as_ref().map_or("n/a".to_owned(), |figure| part.of(figure, show))
                };
                let cells = [
                    part.over(self.positions, self.large_positions),
                    part.of(&row.real_speedup, ratio),
                    rounds,
                    part.of(&row.virtual_speedup, ratio),
                    part.of(&row.residual, percent),
                    known(&row.undisturbed_speedup, ratio),
                    known(&row.undisturbed_residual, percent),
                    part.of(&row.real_overhead, percent),
                    part.of(&row.virtual_overhead, percent),
                    part.of(&row.overhead_difference, points),
                ];
                table.add_row(part.label(&who(row)).into_iter().chain(cells));
            }
        }
        table
    }
}

fn explained_table(model: &AgainstModel) -> Table {
    let header = ["method", "threads", "ordering", "ordering", "node rate", "busy", "overhead", "unclocked"];
    let mut table = new_table(&header, 3);
    for row in &model.parallel {
        let known = |factor: Option<f64>| factor.map_or("n/a".to_owned(), percent);
        let why = row.explained;
        let factors = [
            percent(why.ordering_ratio),
            percent(why.node_rate_ratio),
            known(why.busy),
            percent(why.search_overhead),
            known(why.unclocked),
        ];
        table.add_row(who(row).into_iter().chain(factors));
    }
    table
}

fn position_table(model: &AgainstModel) -> Table {
    let name = |row: &AgainstParallel| format!("{} {} {}", row.method, row.threads, row.ordering);
    let first = ["position", "nodes"].map(str::to_owned);
    let header: Vec<String> = first.into_iter().chain(model.parallel.iter().map(name)).collect();
    let mut table = new_table(&header.iter().map(String::as_str).collect::<Vec<_>>(), 0);
    for row in &model.by_position {
        let AgainstPosition { real_speedups, virtual_speedups, residuals, .. } = row;
        let figures = real_speedups.iter().zip(virtual_speedups).zip(residuals).map(
            |((&real, &simulated), &residual)| {
                format!("{} {} {}", ratio(real), ratio(simulated), percent(residual))
            },
        );
        let first = [row.index as u64, row.nodes].map(|number| number.to_string());
        table.add_row(first.into_iter().chain(figures));
    }
    table
}

fn who(row: &AgainstParallel) -> [String; 3] {
    [row.method.to_owned(), row.threads.to_string(), row.ordering.to_owned()]
}

/// A difference of shares in points.
fn points(difference: f64) -> String {
    format!("{:+.2}", 100.0 * difference)
}
