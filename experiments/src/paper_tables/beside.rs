//! Our tables beside the paper's own figures, and the ratios of both.

use crate::analysis::statistics::Summary;
use crate::paper_tables::PaperOrdering;
use crate::paper_tables::published::{ALGORITHMS, NODES, Published, RATIOS, SECONDS, STATISTICS, value};
use crate::paper_tables::report::PaperAlgorithm;
use comfy_table::Table;

/// A table of the paper with what ours is of.
pub(super) struct Beside {
    /// As printed.
    pub(super) published: &'static Published,
    /// What ours is of.
    pub(super) part: fn(&PaperAlgorithm) -> Option<Summary>,
}

/// Its Tables I and II.
pub(super) const TABLES: [Beside; 2] = [
    Beside { published: &NODES, part: |algorithm| algorithm.nodes },
    Beside { published: &SECONDS, part: |algorithm| algorithm.seconds },
];

impl PaperOrdering {
    /// One algorithm over another in each row of both tables, ours and the paper's; then the seconds of a million
    /// nodes, which are microseconds a node.
    pub(super) fn ratios(&self) -> Table {
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
                    [ratio, format!("{:.2}", value(printed[one]) / value(printed[other]))]
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
    pub(super) fn printed(&self, row: &[&'static str; 4]) -> Vec<&'static str> {
        let here = (0..ALGORITHMS.len()).filter(|&published| self.place(published).is_some());
        here.map(|published| row[published]).collect()
    }
}
