//! The tables for people, and beside ours the paper's own figures with the ratios of both.

use crate::analysis::statistics::Summary;
use crate::paper_tables::published::{self, ALGORITHMS, NODES, Published, RATIOS, SECONDS, STATISTICS};
use crate::paper_tables::report::{PaperAlgorithm, PaperFigures, PaperOrdering};
use comfy_table::{CellAlignment, Table, presets};
use starsplit::search::Algorithm;
use std::collections::BTreeSet;

/// A table of the paper with what ours is of.
struct Beside {
    /// As printed.
    published: &'static Published,
    /// What ours is of.
    part: fn(&PaperAlgorithm) -> Option<Summary>,
}

/// Its Tables I and II.
const TABLES: [Beside; 2] = [
    Beside { published: &NODES, part: |algorithm| algorithm.nodes },
    Beside { published: &SECONDS, part: |algorithm| algorithm.seconds },
];

impl PaperFigures {
    /// The tables for people.
    pub(super) fn text(&self) -> String {
        self.tables().iter().map(|(title, table)| format!("{title}\n{table}\n\n")).collect()
    }

    /// The tables, with what they show.
    pub(crate) fn tables(&self) -> Vec<(String, Table)> {
        let mut tables = Vec::new();
        for ordering in &self.orderings {
            let to = format!("to depth {}, ordering {}", self.depth, ordering.ordering);
            let beside = |number: usize| self.is_the_paper_s.then_some(TABLES[number].published);
            let beside_words = if self.is_the_paper_s { ", beside the paper's to depth 13" } else { "" };
            tables.extend([
                (
                    format!("Table I. Nodes {to} (millions){beside_words}"),
                    ordering.summaries(|a| a.nodes, 1e-6, beside(0)),
                ),
                (
                    format!("Table II. Time {to} (seconds){beside_words}"),
                    ordering.summaries(|a| a.seconds, 1.0, beside(1)),
                ),
            ]);
            if self.is_the_paper_s {
                tables.push((format!("Ratios {to}{beside_words}"), ordering.ratios()));
            }
            tables.extend([
                (format!("Evaluations {to} (millions)"), ordering.summaries(|a| a.evaluations, 1e-6, None)),
                (format!("Figure 6.3. Mean nodes until a depth is complete, {to}"), ordering.depths()),
            ]);
        }
        tables
    }
}

impl PaperOrdering {
    /// A table in the paper's layout: the algorithms across, the statistics down. What the paper has stands
    /// behind ours.
    fn summaries(
        &self,
        part: fn(&PaperAlgorithm) -> Option<Summary>,
        scale: f64,
        beside: Option<&Published>,
    ) -> Table {
        let names = self.algorithms.iter().map(|algorithm| algorithm.algorithm.to_owned());
        let named = beside.map(|_| self.printed(&ALGORITHMS.map(Algorithm::name))).unwrap_or_default();
        let header = std::iter::once(String::new()).chain(names);
        let mut table = self.table_of(header.chain(named.iter().map(|name| format!("the paper: {name}"))));
        for (number, (name, statistic)) in STATISTICS.into_iter().enumerate() {
            let cell = |algorithm| match part(algorithm) {
                Some(summary) => format!("{:.4}", statistic(&summary) * scale),
                None => "-".to_owned(),
            };
            let printed = beside.map(|published| self.printed(&published[number])).unwrap_or_default();
            let row = std::iter::once(name.to_owned()).chain(self.algorithms.iter().map(cell));
            table.add_row(row.chain(printed.into_iter().map(str::to_owned)));
        }
        table
    }

    fn depths(&self) -> Table {
        let names = self.algorithms.iter().map(|algorithm| algorithm.algorithm.to_owned());
        let mut table = self.table_of(std::iter::once("depth".to_owned()).chain(names));
        let depths: BTreeSet<u32> = self
            .algorithms
            .iter()
            .flat_map(|algorithm| algorithm.by_depth.iter().map(|at| at.depth))
            .collect();
        for depth in depths {
            let cell = |algorithm: &PaperAlgorithm| {
                let at = algorithm.by_depth.iter().find(|at| at.depth == depth);
                at.map_or("-".to_owned(), |at| format!("{:.0}", at.nodes))
            };
            table.add_row(std::iter::once(depth.to_string()).chain(self.algorithms.iter().map(cell)));
        }
        table
    }

    /// An empty table, whose figures stand to the right.
    fn table_of(&self, header: impl Iterator<Item = String>) -> Table {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    /// One algorithm over another in each row of both tables, ours and the paper's.
    fn ratios(&self) -> Table {
        let pairs: Vec<_> = RATIOS
            .into_iter()
            .filter_map(|(one, other)| Some(((one, other), (self.place(one)?, self.place(other)?))))
            .collect();
        let header = pairs.iter().flat_map(|&((one, other), _)| {
            [format!("{} / {}", ALGORITHMS[one], ALGORITHMS[other]), "the paper".to_owned()]
        });
        let mut table = self.table_of(std::iter::once(String::new()).chain(header));
        for (number, (name, statistic)) in STATISTICS.into_iter().enumerate() {
            for (what, beside) in ["nodes", "time"].into_iter().zip(&TABLES) {
                let printed = &beside.published[number];
                let ours = |place: usize| (beside.part)(&self.algorithms[place]).map(|one| statistic(&one));
                let cells = pairs.iter().flat_map(|&((one, other), (own, own_other))| {
                    let ratio = ours(own).zip(ours(own_other)).map(|(one, other)| one / other);
                    let ratio = ratio.filter(|ratio| ratio.is_finite());
                    let ratio = ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
                    [ratio, format!("{:.2}", published::ratio(printed, (one, other)))]
                });
                table.add_row(std::iter::once(format!("{name}, {what}")).chain(cells));
            }
        }
        table
    }

    /// Where this has an algorithm of the paper's.
    fn place(&self, published: usize) -> Option<usize> {
        self.algorithms.iter().position(|one| one.algorithm == ALGORITHMS[published].name())
    }

    /// What the paper prints in a row, of the algorithms that are here.
    fn printed(&self, row: &[&'static str; 4]) -> Vec<&'static str> {
        let here = (0..ALGORITHMS.len()).filter(|&published| self.place(published).is_some());
        here.map(|published| row[published]).collect()
    }
}
