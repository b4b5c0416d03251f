//! The tables for people, and beside ours the paper's own figures with the ratios of both.

use crate::analysis::tables::{fitted, new_table, ratio};
use crate::paper_tables::published::{self, ALGORITHMS, NODES, Published, RATIOS, SECONDS, STATISTICS};
use crate::paper_tables::report::{PaperAlgorithm, PaperFigures, PaperOrdering};
use comfy_table::Table;
use starsplit_statistics::summary::Summary;
use std::collections::BTreeSet;

/// What a table shows of an algorithm.
type Part = fn(&PaperAlgorithm) -> Option<Summary>;

impl PaperFigures {
    /// The tables for people.
    pub(super) fn text(&self) -> String {
        self.tables().iter().map(|(title, table)| format!("{title}\n{}\n\n", fitted(table))).collect()
    }

    /// The tables, with what they show.
    pub(crate) fn tables(&self) -> Vec<(String, Table)> {
        let printed = |published| self.is_the_paper_s.then_some(published);
        let beside = if self.is_the_paper_s { ", beside the paper's to depth 13" } else { "" };
        let mut tables = Vec::new();
        for ordering in &self.orderings {
            let to = format!("to depth {}, ordering {}", self.depth, ordering.ordering);
            let nodes = ordering.summaries(|one| one.nodes, 1e-6, printed(&NODES));
            let seconds = ordering.summaries(|one| one.seconds, 1.0, printed(&SECONDS));
            let evaluations = ordering.summaries(|one| one.evaluations, 1e-6, None);
            tables.push((format!("Table I. Nodes {to} (millions){beside}"), nodes));
            tables.push((format!("Table II. Time {to} (seconds){beside}"), seconds));
            if self.is_the_paper_s {
                tables.push((format!("Ratios {to}{beside}"), ordering.ratios()));
            }
            tables.push((format!("Evaluations {to} (millions)"), evaluations));
            let title = format!("Figure 6.3. Mean nodes until a depth is complete, {to}");
            tables.push((title, ordering.depths()));
        }
        tables
    }
}

/// A table whose rows have a name and a cell for each of the columns.
pub(crate) fn named_rows(
    names: &str,
    columns: &[impl AsRef<str>],
    rows: impl IntoIterator<Item = (String, Vec<String>)>,
) -> Table {
    let header: Vec<_> = std::iter::once(names).chain(columns.iter().map(AsRef::as_ref)).collect();
    let mut table = new_table(&header, 1);
    for (name, cells) in rows {
        table.add_row(std::iter::once(name).chain(cells));
    }
    table
}

/// A table in the paper's layout: the algorithms across, the statistics down, `ours` by their places. What
/// the paper has of the same algorithms stands behind ours.
pub(crate) fn in_its_layout(
    algorithms: &[&str],
    ours: impl Fn(usize, usize) -> String,
    beside: Option<&Published>,
) -> Table {
    let is_here = |&place: &usize| beside.is_some() && algorithms.contains(&ALGORITHMS[place].name());
    let here: Vec<_> = (0..ALGORITHMS.len()).filter(is_here).collect();
    let own = algorithms.iter().map(|&name| name.to_owned());
    let columns = own.chain(here.iter().map(|&place| format!("the paper: {}", ALGORITHMS[place])));
    let rows = STATISTICS.iter().enumerate().map(|(row, (name, _))| {
        let own = (0..algorithms.len()).map(|algorithm| ours(row, algorithm));
        let printed = here.iter().filter_map(|&place| Some(beside?[row][place].to_owned()));
        ((*name).to_owned(), own.chain(printed).collect())
    });
    named_rows("", &columns.collect::<Vec<_>>(), rows)
}

impl PaperOrdering {
    fn names(&self) -> Vec<&'static str> {
        self.algorithms.iter().map(|algorithm| algorithm.algorithm).collect()
    }

    fn summaries(&self, part: Part, scale: f64, beside: Option<&Published>) -> Table {
        let cell = |statistic: usize, algorithm: usize| {
            let summary = part(&self.algorithms[algorithm]);
            let figure = summary.map(|summary| STATISTICS[statistic].1(&summary) * scale);
            figure.map_or("-".to_owned(), |figure| format!("{figure:.4}"))
        };
        in_its_layout(&self.names(), cell, beside)
    }

    fn depths(&self) -> Table {
        let all = self.algorithms.iter().flat_map(|algorithm| &algorithm.by_depth);
        let depths: BTreeSet<u32> = all.map(|at| at.depth).collect();
        let rows = depths.into_iter().map(|depth| {
            let cell = |algorithm: &PaperAlgorithm| {
                let at = algorithm.by_depth.iter().find(|at| at.depth == depth);
                at.map_or("-".to_owned(), |at| format!("{:.0}", at.nodes))
            };
            (depth.to_string(), self.algorithms.iter().map(cell).collect())
        });
        named_rows("depth", &self.names(), rows)
    }

    /// One algorithm over another in each row of both tables, ours and the paper's.
    fn ratios(&self) -> Table {
        let of = |place: usize| self.algorithms.iter().find(|one| one.algorithm == ALGORITHMS[place].name());
        let pairs = RATIOS.into_iter().filter(|&(one, other)| of(one).is_some() && of(other).is_some());
        let columns = pairs.clone().flat_map(|pair| [published::pair_name(pair), "the paper".to_owned()]);
        let parts: [(_, Part, _); 2] =
            [("nodes", |one| one.nodes, &NODES), ("time", |one| one.seconds, &SECONDS)];
        let mut rows = Vec::new();
        for (number, (name, statistic)) in STATISTICS.iter().enumerate() {
            for (what, part, printed) in parts {
                let ours = |place: usize| part(of(place)?).map(|summary| statistic(&summary));
                let cells = pairs.clone().flat_map(|(one, other)| {
                    let own = ours(one).zip(ours(other)).map(|(one, other)| one / other);
                    let own = own.filter(|own| own.is_finite()).map_or("-".to_owned(), ratio);
                    [own, ratio(published::ratio(&printed[number], (one, other)))]
                });
                rows.push((format!("{name}, {what}"), cells.collect()));
            }
        }
        named_rows("", &columns.collect::<Vec<_>>(), rows)
    }
}
