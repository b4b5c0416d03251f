//! What the tables for people are made of.

use crate::analysis::bootstrap::Interval;
use crate::analysis::decomposition::Factors;
use crate::analysis::figure::Figure;
use crate::analysis::statistics::Spread;
use comfy_table::{CellAlignment, Table, presets};

/// Which positions a row is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Total,
    All,
    Large,
}

impl Part {
    pub(crate) const ALL: [Part; 3] = [Part::Total, Part::All, Part::Large];

    /// Who the row is about, said once.
    pub(crate) fn label(self, who: &[String; 3]) -> [String; 3] {
        if self == Part::Total { who.clone() } else { Default::default() }
    }

    /// The name of the positions, of which so many count.
    pub(crate) fn over(self, positions: usize, large: usize) -> String {
        match self {
            Part::Total => self.name().to_owned(),
            Part::All => format!("{} {positions}", self.name()),
            Part::Large => format!("{} {large}", self.name()),
        }
    }

    /// What the positions are called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Total => "total",
            Part::All => "all",
            Part::Large => "large",
        }
    }

    /// The figure over those positions.
    pub(crate) fn of(self, figure: &Figure, show: fn(f64) -> String) -> String {
        match self {
            Part::Total => show(figure.total),
            Part::All => spread(figure.all.as_ref(), show),
            Part::Large => spread(figure.large.as_ref(), show),
        }
    }
}

fn spread(spread: Option<&Spread>, show: fn(f64) -> String) -> String {
    let Some(spread) = spread else { return "-".to_owned() };
    format!("{} [{} .. {}]", show(spread.median), show(spread.lower_quartile), show(spread.upper_quartile))
}

/// An interval, where there is one.
pub fn interval(interval: Option<Interval>, show: fn(f64) -> String) -> String {
    interval
        .map_or_else(|| "-".to_owned(), |Interval { low, high }| format!("{} .. {}", show(low), show(high)))
}

pub(crate) fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}

/// A ratio with two digits.
pub fn ratio(ratio: f64) -> String {
    format!("{ratio:.2}")
}

pub(crate) fn share_of_one(share: f64) -> String {
    format!("{share:.3}")
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:+.1}%", 100.0 * share)
}

pub(crate) fn percent_of(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A table whose columns from number `numbers` on are aligned to the right.
pub fn new_table(header: &[&str], numbers: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header.iter().copied());
    for column in table.column_iter_mut().skip(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What the columns of the factors are called.
pub(crate) const FACTORS: [&str; 13] = [
    "ordering ratio",
    "node rate ratio",
    "idle",
    "waiting",
    "stealing",
    "parked",
    "overhead",
    "aborted",
    "duplicate",
    "rest",
    "predicted",
    "measured",
    "residual",
];

/// The factors of a speedup. Idle is waiting, stealing and parked, the overhead aborted, duplicate and rest.
pub(crate) fn factors(factors: &Factors) -> [String; 13] {
    let known = |value: Option<f64>, show: fn(f64) -> String| value.map_or("n/a".to_owned(), show);
    [
        share_of_one(factors.ordering_ratio),
        share_of_one(factors.node_rate_ratio),
        known(factors.idle, percent_of),
        known(factors.waiting, percent_of),
        known(factors.stealing, percent_of),
        known(factors.parked, percent_of),
        percent(factors.search_overhead),
        known(factors.aborted, percent_of),
        known(factors.duplicate, percent_of),
        percent(factors.rest),
        known(factors.predicted, ratio),
        ratio(factors.measured),
        known(factors.residual, percent),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_stands_with_its_quartiles() {
        let figure = Figure { total: 1.5, all: Spread::of(&[1.0, 2.0, 3.0]), large: None };
        assert_eq!(Part::Total.of(&figure, ratio), "1.50");
        assert_eq!(Part::All.of(&figure, ratio), "2.00 [1.50 .. 2.50]");
        assert_eq!(Part::Large.of(&figure, ratio), "-");
        assert_eq!(percent(-0.0123), "-1.2%");
    }
}
