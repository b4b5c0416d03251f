//! The figures of readings for people, at a terminal and on the page beside the records.

use crate::analysis::tables::new_table;
use crate::paper_tables::published::{ALGORITHMS, NODES, Published, RATIOS, SECONDS, pair_name};
use crate::paper_tables::text::{in_its_layout, named_rows};
use crate::readings::figures::{Judged, NearestTables, Range, ReadingFigures, ReadingsFigures};
use comfy_table::Table;
use starsplit::search::Algorithm;

/// The columns beside those of the ratios of nodes.
const COLUMNS: [&str; 8] = [
    "evaluations of the last",
    "distance",
    "nodes",
    "time",
    "levels",
    "headline",
    "within the paper's ends",
    "Star2 beyond Star1",
];

/// What the columns are.
const LEGEND: &str = "Ratios are of the sums of nodes over a set of positions, then of the sums of \
    evaluations; where there are several sets and networks the median, with the least and the greatest. \
    Distances are root mean squares of natural logarithms of our figures over the paper's, 0 where ours \
    would be rounded to what it prints: of 35 figures; of the 15 ratios in Table I's rows; of the 15 in \
    Table II's, where ours are evaluations; of Expectimax's five in Table I; then the largest logarithm \
    among the ratios of the means; and the first once more, of positions alone at which Expectimax visits no \
    fewer and no more nodes than the paper's least and greatest.";

impl ReadingsFigures {
    /// For people at a terminal.
    pub(super) fn text(&self) -> String {
        let tables = self.tables().into_iter().map(|(title, table)| format!("{title}\n\n{table}\n\n"));
        format!("Readings to depth {}\n\n{}\n\n{}", self.depth, self.summary(), tables.collect::<String>())
    }

    /// What stands before the tables: the paper's ratios, how many readings there are to choose from, and
    /// what the columns are.
    pub(crate) fn summary(&self) -> String {
        let [one, two, three, four] = self.paper.nodes;
        let (last, count) = (self.paper.time[3], self.readings.len());
        let mut text = format!(
            "The paper: {one:.3}, {two:.3}, {three:.3}, {four:.3} of nodes, {last:.3} the last of time. \
             Readings to choose from: {count}."
        );
        let wrong = self.readings.iter().filter(|found| found.other_values > 0);
        let wrong: Vec<_> =
            wrong.map(|found| format!("{} at {} positions", found.reading, found.other_values)).collect();
        if !wrong.is_empty() {
            text += &format!(" Other values than Expectimax's: {}.", wrong.join(", "));
        }
        if !self.values_equal {
            text += " Readings with values that are not Expectimax's are LEFT OUT.";
        }
        format!("{text}\n\n{LEGEND}")
    }

    /// The tables, with what they show.
    pub(crate) fn tables(&self) -> Vec<(String, Table)> {
        let chosen_on = self.judged(|found| found.chosen_on.as_ref());
        let held_out = self.judged(|found| found.held_out.as_ref());
        let mut tables = vec![("On the first set with the library's network".to_owned(), chosen_on)];
        if !held_out.is_empty() {
            tables.push(("On other sets and networks, which chose nothing".to_owned(), held_out));
        }
        tables.extend(self.nearest.iter().flat_map(NearestTables::tables));
        let mut about = new_table(&["reading", "what it is"], 2);
        self.readings.iter().for_each(|found| {
            about.add_row([&found.reading, &found.about]);
        });
        tables.push(("What they are".to_owned(), about));
        tables
    }

    /// What the readings give on the sets and networks that chose the nearest, or on the others.
    fn judged(&self, of: fn(&ReadingFigures) -> Option<&Judged>) -> Table {
        let columns = RATIOS.map(pair_name).into_iter().chain(COLUMNS.map(str::to_owned));
        let row = |found: &ReadingFigures| {
            let judged = of(found)?;
            let last = [judged.evaluations[3]];
            let ranges = judged.nodes.into_iter().chain(last).chain(judged.distance.parts());
            let mut cells: Vec<_> = ranges.chain([judged.distance_within]).map(range).collect();
            cells.push(format!("{} of {}", judged.star2_beyond_star1, judged.positions));
            Some((found.reading.clone(), cells))
        };
        named_rows("reading", &columns.collect::<Vec<_>>(), self.readings.iter().filter_map(row))
    }
}

fn range(range: Range) -> String {
    if range.least == range.greatest {
        return format!("{:.3}", range.median);
    }
    format!("{:.3} [{:.3} .. {:.3}]", range.median, range.least, range.greatest)
}

impl NearestTables {
    /// The paper's tables as the nearest has them, beside the paper's.
    fn tables(&self) -> [(String, Table); 3] {
        let names = ALGORITHMS.map(Algorithm::name);
        let beside = |ours: [[f64; 4]; 5], printed: &Published| {
            in_its_layout(&names, |row, column| format!("{:.2}", ours[row][column]), Some(printed))
        };
        let means = self.by_depth.iter().enumerate().map(|(number, means)| {
            ((number + 1).to_string(), means.iter().map(|mean| format!("{mean:.0}")).collect())
        });
        let (by, means) = (&self.reading, named_rows("iteration", &names, means));
        let unit = "in a unit that makes Expectimax's mean the paper's seconds";
        [
            (format!("Table I by {by}, millions of nodes"), beside(self.nodes, &NODES)),
            (format!("Table II by {by}, evaluations {unit}"), beside(self.seconds, &SECONDS)),
            (format!("Figure 6.3 by {by}, mean nodes until an iteration was complete"), means),
        ]
    }
}
