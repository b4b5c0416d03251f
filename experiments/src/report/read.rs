//! What the page of readings of the paper has.

use crate::paper_tables::published::RATIOS;
use crate::readings::{Judged, Range, ReadingFigures, ReadingsFigures};
use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, number, words};

/// What the experiment shows.
pub(super) fn shown(report: &ReadingsFigures) -> anyhow::Result<Shown> {
    let section = |(heading, text)| Section { heading, text };
    Ok(Shown {
        asked: vec![("readings", report.readings.len().to_string()), ("depth", report.depth.to_string())],
        sections: report.sections().into_iter().map(section).collect(),
        tables: vec![figures(report)?],
        ..Shown::default()
    })
}

/// What the columns of ratios are called, in the order of `RATIOS`.
const PAIRS: [&str; RATIOS.len()] =
    ["star1_over_expectimax", "star2_over_expectimax", "star2_over_star1", "star2_tt_over_star2"];

/// A line for each reading and for those who chose the nearest or did not; every figure by its median, its
/// least and its greatest.
fn figures(report: &ReadingsFigures) -> anyhow::Result<Csv> {
    let mut header = words(&["reading", "judged", "rank", "combinations", "positions", "star2_beyond_star1"]);
    header.extend(words(&["star2_tt_beyond_star1", "other_values"]));
    let ratios =
        ["nodes", "evaluations"].into_iter().flat_map(|what| PAIRS.map(|pair| format!("{what}_{pair}")));
    let parts =
        ["all", "nodes", "time", "levels", "headline", "within"].map(|part| format!("distance_{part}"));
    for name in ratios.chain(["wall_time".to_owned()]).chain(parts) {
        header.extend(["median", "least", "greatest"].map(|end| format!("{name}_{end}")));
    }
    let line = |rank: usize, reading: &ReadingFigures, judged: &str, found: &Judged| {
        let mut line = vec![reading.reading.clone(), judged.to_owned(), (rank + 1).to_string()];
        line.extend([found.combinations as u64, found.positions].map(|count| count.to_string()));
        let beyond = [found.star2_beyond_star1, found.star2_tt_beyond_star1, reading.other_values];
        line.extend(beyond.map(|count| count.to_string()));
        let distance = found.distance;
        let distances = [distance.all, distance.nodes, distance.time, distance.levels, distance.headline];
        let all = found.nodes.into_iter().chain(found.evaluations).chain([found.wall_time]);
        line.extend(all.chain(distances).chain([found.distance_within]).flat_map(range));
        line
    };
    let lines = report.readings.iter().enumerate().flat_map(|(rank, reading)| {
        let of = |judged: &str, found: &Option<Judged>| {
            found.as_ref().map(|found| line(rank, reading, judged, found))
        };
        [of("chosen on", &reading.chosen_on), of("held out", &reading.held_out)].into_iter().flatten()
    });
    csv(FIGURES, std::iter::once(header).chain(lines))
}

fn range(range: Range) -> [String; 3] {
    [range.median, range.least, range.greatest].map(number)
}
