//! What the page of searches in other windows has.

use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, markdown, number, verdict, words};
use crate::windows::{Ratio, WayFigures, WindowsFigures};

/// What the experiment shows.
pub(super) fn shown(report: &WindowsFigures) -> anyhow::Result<Shown> {
    let text = format!(
        "{}. {}\n\n`library:search` is the library's default search as it is. The other ways of `library` \
         are calls of the same search for one iteration and one window each, whose table is kept from call \
         to call, while what it learns of moves and of what to look up is not: `library:full` tells what \
         that alone costs. Those of `own` are of a plain serial Star2-TT of the experiment's, in which \
         windows below the root can be chosen. Ratios are to the full windows of the same engine, of the \
         sums over the positions, and the median over the positions with its 95% bootstrap interval; those \
         of `library:full` and `own:full` are to `library:search`. Passes: searches of the root. Narrowed: \
         successors that were searched in less than their usual window; re-searched: those that had to be \
         searched again.\n\n{}",
        report.heading(),
        verdict(report.values_equal),
        markdown(report.table()),
    );
    Ok(Shown {
        sections: vec![Section { heading: "Other windows beside the usual ones".to_owned(), text }],
        tables: vec![figures(&report.ways)?],
        ..Shown::default()
    })
}

/// Every figure of a way in its line.
fn figures(ways: &[WayFigures]) -> anyhow::Result<Csv> {
    let mut header = words(&["way", "beside", "nodes", "evaluations", "look_ups", "passes", "narrowed"]);
    header.push("re_searches".to_owned());
    for name in ["nodes", "evaluations", "look_ups"] {
        header.extend(["of_sums", "median", "low", "high"].map(|part| format!("{name}_{part}")));
    }
    header.push("nodes_over_search".to_owned());
    let line = |way: &WayFigures| {
        let counts = [way.nodes, way.evaluations, way.look_ups, way.passes, way.narrowed, way.re_searches];
        let mut line = vec![way.way.clone(), way.beside.clone()];
        line.extend(counts.map(|count| count.to_string()));
        line.extend([way.nodes_ratio, way.evaluations_ratio, way.look_ups_ratio].into_iter().flat_map(ratio));
        line.push(number(way.nodes_over_search));
        line
    };
    csv(FIGURES, std::iter::once(header).chain(ways.iter().map(line)))
}

fn ratio(ratio: Ratio) -> [String; 4] {
    let end =
        |end: fn(crate::analysis::bootstrap::Interval) -> f64| number(ratio.interval.map_or(f64::NAN, end));
    [number(ratio.of_sums), number(ratio.median), end(|found| found.low), end(|found| found.high)]
}
