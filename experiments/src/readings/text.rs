//! The figures of readings as text: plain, and as the page beside the records.

use crate::analysis::tables::new_table;
use crate::paper_tables::published::{NODES, Published, SECONDS, STATISTICS};
use crate::readings::figures::{Judged, NearestTables, Range, ReadingFigures, ReadingsFigures};
use std::fmt::Write;

const HEADER: [&str; 13] = [
    "reading",
    "Star1 / Expectimax",
    "Star2 / Expectimax",
    "Star2 / Star1",
    "Star2-TT / Star2",
    "evaluations of the last",
    "distance",
    "nodes",
    "time",
    "levels",
    "headline",
    "within the paper's ends",
    "Star2 beyond Star1",
];

fn range(range: Range) -> String {
    if range.least == range.greatest {
        return format!("{:.3}", range.median);
    }
    format!("{:.3} [{:.3} .. {:.3}]", range.median, range.least, range.greatest)
}

fn row(found: &ReadingFigures, judged: &Judged) -> [String; 13] {
    let [one, two, three, four] = judged.nodes.map(range);
    let distance = judged.distance;
    [
        found.reading.clone(),
        one,
        two,
        three,
        four,
        range(judged.evaluations[3]),
        range(distance.all),
        range(distance.nodes),
        range(distance.time),
        range(distance.levels),
        range(distance.headline),
        range(judged.distance_within),
        format!("{} of {}", judged.star2_beyond_star1, judged.positions),
    ]
}

/// What was judged, and the rows of it: on the set and network that chose, and on the others.
type Part = (&'static str, Vec<[String; 13]>);

fn parts(figures: &ReadingsFigures) -> [Part; 2] {
    let rows = |of: fn(&ReadingFigures) -> Option<&Judged>| {
        figures.readings.iter().filter_map(|found| Some(row(found, of(found)?))).collect()
    };
    [
        ("On the first set with the library's network", rows(|found| found.chosen_on.as_ref())),
        ("On other sets and networks, which chose nothing", rows(|found| found.held_out.as_ref())),
    ]
}

/// The paper's ratios, and how many readings there are to choose from.
fn summary(figures: &ReadingsFigures) -> String {
    let [one, two, three, four] = figures.paper.nodes;
    let wrong: Vec<_> = figures
        .readings
        .iter()
        .filter(|found| found.other_values > 0)
        .map(|found| format!("{} at {} positions", found.reading, found.other_values))
        .collect();
    let mut text = format!(
        "The paper: {one:.3}, {two:.3}, {three:.3}, {four:.3} of nodes, {:.3} the last of time. Readings to \
         choose from: {}.",
        figures.paper.time[3],
        figures.readings.len()
    );
    if !wrong.is_empty() {
        let _ = write!(text, " Other values than Expectimax's: {}.", wrong.join(", "));
    }
    text
}

/// For people at a terminal.
pub(super) fn plain(figures: &ReadingsFigures) -> String {
    let mut text = format!("Readings to depth {}, nodes\n\n", figures.depth);
    for (title, rows) in parts(figures) {
        if rows.is_empty() {
            continue;
        }
        let mut table = new_table(&HEADER, 1);
        rows.into_iter().for_each(|row| {
            table.add_row(row);
        });
        let _ = write!(text, "{title}\n\n{table}\n\n");
    }
    text + &summary(figures)
}

fn line(cells: &[impl AsRef<str>]) -> String {
    format!("| {} |\n", cells.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" | "))
}

fn head(header: &[&str]) -> String {
    line(header) + &line(&vec!["---"; header.len()])
}

/// What the columns are.
const LEGEND: &str = "Ratios are of the sums of nodes over a set of positions, then of the sums of \
    evaluations; where there are several sets and networks the median, with the least and the greatest. \
    Distances are root mean squares of natural logarithms of our figures over the paper's, 0 where ours \
    would be rounded to what it prints: of 35 figures; of the 15 ratios in Table I's rows; of the 15 in \
    Table II's, where ours are evaluations; of Expectimax's five in Table I; then the largest logarithm \
    among the ratios of the means; and the first once more, of positions alone at which Expectimax visits no \
    fewer and no more nodes than the paper's least and greatest.";

impl ReadingsFigures {
    /// The parts of the page beside the records, each with its heading.
    pub(crate) fn sections(&self) -> Vec<(String, String)> {
        let verdict = if self.values_equal {
            ""
        } else {
            " Readings with values that are not Expectimax's are LEFT OUT."
        };
        let what = format!("{}{verdict}\n\n{LEGEND}\n", summary(self));
        let mut sections = vec![(format!("Readings of the paper to depth {}", self.depth), what)];
        for (title, rows) in parts(self) {
            if !rows.is_empty() {
                let rows = rows.iter().map(|row| line(row)).collect::<String>();
                sections.push((title.to_owned(), head(&HEADER) + &rows));
            }
        }
        if let Some(nearest) = &self.nearest {
            sections.push((format!("The paper's tables by {}", nearest.reading), tables(nearest)));
        }
        let about = self.readings.iter().map(|found| line(&[found.reading.as_str(), found.about]));
        let about = head(&["reading", "what it is"]) + &about.collect::<String>();
        sections.push(("What they are".to_owned(), about));
        sections
    }
}

/// The paper's tables as the nearest has them, beside the paper's.
fn tables(nearest: &NearestTables) -> String {
    const SIDES: [&str; 10] = [
        "",
        "Expectimax",
        "Star1",
        "Star2",
        "Star2-TT",
        "the paper:",
        "Expectimax",
        "Star1",
        "Star2",
        "Star2-TT",
    ];
    let mut text = String::new();
    let both = |text: &mut String, title: &str, ours: &[[f64; 4]; 5], paper: &Published| {
        let _ = write!(text, "{title}\n\n{}", head(&SIDES));
        for (((name, _), ours), paper) in STATISTICS.iter().zip(ours).zip(paper) {
            let mut cells = vec![(*name).to_owned()];
            cells.extend(ours.iter().map(|figure| format!("{figure:.2}")));
            cells.push(String::new());
            cells.extend(paper.iter().map(|&printed| printed.to_owned()));
            *text += &line(&cells);
        }
        text.push('\n');
    };
    both(&mut text, "Table I, millions of nodes:", &nearest.nodes, &NODES);
    let title = "Table II, evaluations in a unit that makes Expectimax's mean the paper's seconds:";
    both(&mut text, title, &nearest.seconds, &SECONDS);
    let _ = write!(text, "Figure 6.3, mean nodes until an iteration was complete:\n\n");
    text += &head(&["iteration", "Expectimax", "Star1", "Star2", "Star2-TT"]);
    for (number, means) in nearest.by_depth.iter().enumerate() {
        let mut cells = vec![(number + 1).to_string()];
        cells.extend(means.iter().map(|mean| format!("{mean:.0}")));
        text += &line(&cells);
    }
    text
}
