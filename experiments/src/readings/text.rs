//! The figures of readings as text: plain, and as the page beside the records.

use crate::analysis::tables::new_table;
use crate::readings::figures::{Range, ReadingFigures, ReadingsFigures};
use std::fmt::Write;

const HEADER: [&str; 10] = [
    "reading",
    "Star1 / Expectimax",
    "Star2 / Expectimax",
    "Star2 / Star1",
    "Star2-TT / Star2",
    "distance",
    "two plies less",
    "all four",
    "Star2 beyond Star1",
    "other values",
];

fn range(range: Range) -> String {
    format!("{:.3} [{:.3} .. {:.3}]", range.median, range.least, range.greatest)
}

fn row(found: &ReadingFigures) -> [String; 10] {
    let [one, two, three, four] = found.ratios.map(range);
    [
        found.reading.clone(),
        one,
        two,
        three,
        four,
        range(found.distance),
        format!("{:.3}", found.distance_before.median),
        if found.holds { "yes" } else { "no" }.to_owned(),
        format!("{} of {}", found.star2_beyond_star1, found.positions),
        found.other_values.to_string(),
    ]
}

/// The paper's ratios, and which readings come to all of them.
fn summary(figures: &ReadingsFigures) -> String {
    let [one, two, three, four] = figures.paper;
    let holding: Vec<_> = figures.readings.iter().filter(|found| found.holds).collect();
    let holding = match holding.as_slice() {
        [] => "No reading comes to all four".to_owned(),
        some => {
            let names: Vec<_> = some.iter().map(|found| found.reading.as_str()).collect();
            format!("All four lie within the range of {}", names.join("; "))
        }
    };
    let nearest = figures.readings.first().map_or_else(String::new, |nearest| {
        format!(" The nearest is {}, at a distance of {}.", nearest.reading, range(nearest.distance))
    });
    format!("The paper: {one:.3}, {two:.3}, {three:.3}, {four:.3}. {holding}.{nearest}")
}

/// For people at a terminal.
pub(super) fn plain(figures: &ReadingsFigures) -> String {
    let mut table = new_table(&HEADER, 1);
    for found in &figures.readings {
        table.add_row(row(found));
    }
    format!("Readings to depth {}, nodes\n\n{table}\n\n{}", figures.depth, summary(figures))
}

/// The page beside the records.
pub(super) fn page(figures: &ReadingsFigures) -> String {
    let mut page = format!(
        "# Readings of the paper to depth {}\n\nRatios of the sums of nodes over a set of positions: the \
         median over sets and networks, with the least and the greatest. Distance is the largest absolute \
         value of the logarithm of a ratio over the paper's. {}\n\n",
        figures.depth,
        summary(figures)
    );
    let line = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
    page += &line(&HEADER);
    page += &line(&["---"; 10]);
    for found in &figures.readings {
        page += &line(&row(found).each_ref().map(String::as_str));
    }
    page += "\n| reading | what it is |\n|---|---|\n";
    for found in &figures.readings {
        let _ = writeln!(page, "| {} | {} |", found.reading, found.about);
    }
    page
}
