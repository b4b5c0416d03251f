//! What the page of readings of the paper has.

use crate::paper_tables::published::{RATIOS, pair_name};
use crate::readings::{Judged, Range, ReadingFigures, ReadingsFigures};
use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, markdown, number, words};

/// What the experiment shows.
pub(super) fn shown(report: &ReadingsFigures) -> anyhow::Result<Shown> {
    let heading = format!("Readings of the paper to depth {}", report.depth);
    let summary = Section { heading, text: format!("{}\n", report.summary()) };
    let tables = report.tables().into_iter();
    let tables = tables.map(|(heading, table)| Section { heading, text: markdown(table) });
    Ok(Shown {
        asked: vec![("readings", report.readings.len().to_string()), ("depth", report.depth.to_string())],
        sections: std::iter::once(summary).chain(tables).collect(),
        tables: vec![figures(report)?],
        ..Shown::default()
    })
}

/// A line for each reading and for those who chose the nearest or did not; every figure by its median, its
/// least and its greatest.
fn figures(report: &ReadingsFigures) -> anyhow::Result<Csv> {
    let mut header = words(&["reading", "judged", "rank", "combinations", "positions", "star2_beyond_star1"]);
    header.extend(words(&["star2_tt_beyond_star1", "other_values"]));
    let pair = |pair| pair_name(pair).replace(" / ", "_over_").replace('-', "_");
    let ratios = ["nodes", "evaluations"].map(|what| RATIOS.map(|of| format!("{what}_{}", pair(of))));
    let parts =
        ["all", "nodes", "time", "levels", "headline", "within"].map(|part| format!("distance_{part}"));
    for name in ratios.into_iter().flatten().chain(["wall_time".to_owned()]).chain(parts) {
        header.extend(["median", "least", "greatest"].map(|end| format!("{name}_{end}")));
    }
    let mut lines = vec![header];
    for (reading, rank) in report.readings.iter().zip(1..) {
        let line = |judged, found| line((reading, rank), judged, found);
        lines.extend(reading.chosen_on.iter().map(|found| line("chosen on", found)));
        lines.extend(reading.held_out.iter().map(|found| line("held out", found)));
    }
    csv(FIGURES, lines.into_iter())
}

fn line((reading, rank): (&ReadingFigures, u64), judged: &str, found: &Judged) -> Vec<String> {
    let counts = [rank, found.combinations as u64, found.positions, found.star2_beyond_star1];
    let counts = counts.into_iter().chain([found.star2_tt_beyond_star1, reading.other_values]);
    let ranges = found.nodes.into_iter().chain(found.evaluations).chain([found.wall_time]);
    let ends = |range: Range| [range.median, range.least, range.greatest].map(number);
    let ranges = ranges.chain(found.distance.parts()).chain([found.distance_within]);
    let mut line = vec![reading.reading.clone(), judged.to_owned()];
    line.extend(counts.map(|count| count.to_string()).chain(ranges.flat_map(ends)));
    line
}
