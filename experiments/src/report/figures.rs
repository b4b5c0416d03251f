//! What is drawn, as a table that other programs read.

use crate::analysis::figure::Figure;
use crate::report::curves::{Panel, Point};
use starsplit_statistics::bootstrap::{Interval, median_interval};
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

/// What a table of real searches has besides: at how many positions they were slower than the baseline, and
/// intervals over rounds and positions, which there are from three rounds on.
const REAL: [&str; 5] = [
    "slower_positions",
    "drawn_median_low_over_rounds",
    "drawn_median_high_over_rounds",
    "drawn_share_low_over_rounds",
    "drawn_share_high_over_rounds",
];

/// What it has besides where a machine was watched.
const MATCHED: Part = ("matched_share", |point| point.matched_share);

/// A line for every point of every curve; empty where something is not known. `costs` is `real` in real time.
///
/// # Errors
/// When it cannot be written, which has no reason that is known.
pub(super) fn text(panels: &[Panel]) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let figures = FIGURES.iter().flat_map(|(name, _)| PARTS.map(|part| format!("{name}_{part}")));
    let is_real = panels.iter().all(|panel| panel.model.is_none());
    let is_watched = panels.iter().any(|panel| panel.watched.is_some());
    let real = REAL.map(str::to_owned).into_iter().filter(|_| is_real);
    let watched = PARTS.map(|part| format!("{}_{part}", MATCHED.0)).into_iter().filter(|_| is_watched);
    let first = COLUMNS.iter().chain(&DRAWN).map(|&name| name.to_owned());
    table.write_record(first.chain(figures).chain(real).chain(watched))?;
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
                let real = of_real(point).into_iter().filter(|_| is_real);
                let watched = parts(MATCHED.1(point)).into_iter().filter(|_| is_watched);
                let all = columns.into_iter().chain(drawn).chain(figures);
                table.write_record(all.chain(real).chain(watched))?;
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

fn of_real(point: &Point) -> [String; REAL.len()] {
    let ends = |interval: Option<Interval>| [interval.map(|own| own.low), interval.map(|own| own.high)];
    let ([low, high], [share_low, share_high]) = (ends(point.two_stage), ends(point.share_two_stage));
    let [low, high, share_low, share_high] = [low, high, share_low, share_high].map(text_of);
    [point.slower().to_string(), low, high, share_low, share_high]
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

    #[test]
    fn real_searches_have_intervals_over_rounds_and_what_was_slower() {
        let mut panel = Panel { model: None, ..panel(&["both"], &[(2, 1.5)]) };
        let point = &mut panel.curves[0].points[0];
        point.two_stage = Some(Interval { low: 1.25, high: 1.75 });
        point.share_two_stage = Some(Interval { low: 0.5, high: 0.875 });
        let text = text(&[panel]).unwrap();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let [header, line] = lines.as_slice() else { panic!("two lines, not {text}") };
        let found = REAL.map(|name| line[header.iter().position(|column| *column == name).unwrap()]);
        // Of 1.5, 3.0 and 0.75 times as fast.
        assert_eq!(found, ["1", "1.250000000", "1.750000000", "0.500000000", "0.875000000"]);
    }
}
