//! What is drawn, as a table that other programs read.

use crate::analysis::figure::Figure;
use crate::report::curves::{Panel, Point};
use starsplit_statistics::bootstrap::median_interval;
use starsplit_statistics::summary::{Spread, geometric_mean, mean};

const COLUMNS: [&str; 6] = ["costs", "method", "ordering", "processors", "positions", "large_positions"];

/// What there is of every figure.
const PARTS: [&str; 7] = [
    "total",
    "all_lower_quartile",
    "all_median",
    "all_upper_quartile",
    "large_lower_quartile",
    "large_median",
    "large_upper_quartile",
];

/// Of the speedups that are drawn: the interval in which their median lies with a confidence of 95%, and
/// their means.
const DRAWN: [&str; 4] =
    ["drawn_median_low", "drawn_median_high", "drawn_geometric_mean", "drawn_arithmetic_mean"];

/// A figure's name, and where it is in a point.
type Part = (&'static str, fn(&Point) -> Option<Figure>);

const FIGURES: [Part; 9] = [
    ("speedup", |point| Some(point.speedup)),
    ("ceiling", |point| point.ceiling),
    ("ceiling_share", |point| point.ceiling_share),
    ("search_overhead", |point| Some(point.search_overhead)),
    ("node_rate_ratio", |point| point.factor("node_rate_ratio")),
    ("idle", |point| point.factor("idle")),
    ("aborted", |point| point.factor("aborted")),
    ("residual", |point| point.factor("residual")),
    ("bound", |point| point.bound),
];

/// The columns that a table has besides where a machine was watched.
const WATCHED: [&str; 2] = ["drawn_median_low_over_rounds", "drawn_median_high_over_rounds"];

/// The figure of those.
const MATCHED: Part = ("matched_share", |point| point.matched_share);

/// A line for every point of every curve; empty where something is not known. `costs` is `real` in real time.
///
/// # Errors
/// When it cannot be written, which has no reason that is known.
pub(super) fn text(panels: &[Panel]) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let figures = FIGURES.iter().flat_map(|(name, _)| PARTS.map(|part| format!("{name}_{part}")));
    let is_watched = panels.iter().any(|panel| panel.watched.is_some());
    let watched =
        WATCHED.map(str::to_owned).into_iter().chain(PARTS.map(|part| format!("{}_{part}", MATCHED.0)));
    let watched = watched.filter(|_| is_watched);
    let first = COLUMNS.iter().chain(&DRAWN).map(|&name| name.to_owned());
    table.write_record(first.chain(figures).chain(watched))?;
    for panel in panels {
        for curve in &panel.curves {
            for point in &curve.points {
                let [processors, positions, large] =
                    [point.processors, panel.positions, panel.large].map(|number| number.to_string());
                let costs = panel.costs_name().to_owned();
                let (method, ordering) = (curve.method.to_owned(), curve.ordering.to_owned());
                let columns = [costs, method, ordering, processors, positions, large];
                let figures = FIGURES.iter().flat_map(|(_, figure)| parts(figure(point)));
                let drawn = drawn(&panel.samples(point));
                let two_stage =
                    [point.two_stage.map(|own| own.low), point.two_stage.map(|own| own.high)].map(text_of);
                let watched = two_stage.into_iter().chain(parts(MATCHED.1(point))).filter(|_| is_watched);
                table.write_record(columns.into_iter().chain(drawn).chain(figures).chain(watched))?;
            }
        }
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

fn drawn(samples: &[f64]) -> [String; DRAWN.len()] {
    let interval = median_interval(samples);
    let numbers = [
        interval.map(|interval| interval.low),
        interval.map(|interval| interval.high),
        geometric_mean(samples),
        mean(samples),
    ];
    numbers.map(text_of)
}

fn text_of(number: Option<f64>) -> String {
    // What a machine's own logarithm does to the last digits is not shown.
    number.map_or_else(String::new, |number| format!("{number:.9}"))
}

fn parts(figure: Option<Figure>) -> [String; PARTS.len()] {
    let spread = |spread: Option<Spread>| match spread {
        Some(spread) => [spread.lower_quartile, spread.median, spread.upper_quartile].map(Some),
        None => [None; 3],
    };
    let [all, large] = [figure.and_then(|figure| figure.all), figure.and_then(|figure| figure.large)];
    let [a, b, c] = spread(all);
    let [d, e, f] = spread(large);
    let total = figure.map(|figure| figure.total);
    [total, a, b, c, d, e, f].map(text_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::curves::tests::panel;

    #[test]
    fn every_point_is_a_line_as_long_as_the_first() {
        let mut panel = panel(&["chance-split", "both"], &[(1, 1.0), (2, 1.5)]);
        panel.model = Some("a, b".to_owned());
        let text = text(&[panel]).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        assert_eq!(header.len(), COLUMNS.len() + DRAWN.len() + FIGURES.len() * PARTS.len());
        let lines: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(lines.len(), 4);
        let of = |line: usize, name: &str| {
            let column = header.iter().position(|column| column == name).unwrap();
            lines[line].get(column).unwrap()
        };
        assert_eq!((of(3, "costs"), of(3, "method"), of(3, "processors")), ("a, b", "both", "2"));
        assert_eq!((of(3, "speedup_total"), of(3, "speedup_large_median")), ("1.500000000", "3.000000000"));
        assert_eq!(of(3, "ceiling_share_total"), "");
    }
}
