//! What the tables for people are made of.

use crate::analysis::decomposition::Factors;
use crate::analysis::figure::Figure;
use crate::cli;
use comfy_table::{Cell, CellAlignment, Row, Table, presets};
use starsplit_statistics::bootstrap::Interval;
use starsplit_statistics::summary::Spread;

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

    /// A ceiling of so many threads over those positions, with a mark where it is more than they can give.
    pub(crate) fn ceiling(self, ceiling: &Figure, threads: usize) -> String {
        let middle = match self {
            Part::Total => Some(ceiling.total),
            Part::All => ceiling.all.map(|spread| spread.median),
            Part::Large => ceiling.large.map(|spread| spread.median),
        };
        let mark = if middle.is_some_and(|middle| is_beyond(middle, threads)) { BEYOND } else { "" };
        self.of(ceiling, ratio) + mark
    }
}

/// What stands after a ceiling that is more than its threads can give.
pub(crate) const BEYOND: &str = " (!)";

/// What that means.
pub(crate) const BEYOND_WORDS: &str = "(!): more than so many threads can give. The searches alone, by \
    which it is measured, were slower than those at once: by noise or, of the matched one, by their larger \
    table. Shares of it are too low.";

/// Whether a ceiling is more than so many threads can give, as far as its two digits tell.
pub(crate) fn is_beyond(ceiling: f64, threads: usize) -> bool {
    ceiling >= threads as f64 + 0.005
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
pub fn new_table(header: &[impl AsRef<str>], numbers: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header.iter().map(AsRef::as_ref));
    for column in table.column_iter_mut().skip(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The table as it is printed. Where the terminal is too narrow for it, a column for each of its rows, as
/// many side by side as there is room for.
pub(crate) fn fitted(table: &Table) -> String {
    fitted_to(table, cli::terminal_width().map_or(usize::MAX, usize::from))
}

fn fitted_to(table: &Table, width: usize) -> String {
    let is_wide = |text: &str| text.lines().any(|line| line.chars().count() > width);
    let text = table.to_string();
    if !is_wide(&text) {
        return text;
    }
    let mut rows: Vec<_> = table.row_iter().collect();
    let mut shown = Vec::new();
    while !rows.is_empty() {
        let beside = |count: &usize| turned(table, &rows[..*count]).to_string();
        let most = (1..=rows.len()).take_while(|count| !is_wide(&beside(count))).last().unwrap_or(1);
        shown.push(beside(&most));
        rows.drain(..most);
    }
    shown.join("\n")
}

/// A row for each column of the table, with its name and what these rows say.
fn turned(table: &Table, rows: &[&Row]) -> Table {
    let mut turned = Table::new();
    turned.load_style(presets::UTF8_FULL_CONDENSED);
    let names = table.header().into_iter().flat_map(Row::cell_iter);
    for (place, name) in names.enumerate() {
        let cells = rows.iter().map(|row| row.cell_iter().nth(place).map_or_else(String::new, Cell::content));
        turned.add_row(std::iter::once(name.content()).chain(cells));
    }
    turned
}

/// What the column of a factor is called, and how the factor is shown.
type ShownFactor = (&'static str, fn(f64) -> String);

/// Those of all factors.
const FACTORS: [ShownFactor; 13] = [
    ("ordering ratio", share_of_one),
    ("node rate ratio", share_of_one),
    ("idle", percent_of),
    ("waiting", percent_of),
    ("stealing", percent_of),
    ("parked", percent_of),
    ("overhead", percent),
    ("aborted", percent_of),
    ("duplicate", percent_of),
    ("rest", percent),
    ("predicted", ratio),
    ("measured", ratio),
    ("residual", percent),
];

/// What the columns of the factors are called.
pub(crate) fn factor_names() -> [&'static str; 13] {
    FACTORS.map(|(name, _)| name)
}

/// The factors of a speedup. Idle is waiting, stealing and parked, the overhead aborted, duplicate and rest.
pub(crate) fn factors(factors: &Factors) -> impl Iterator<Item = String> + use<> {
    let shown = factors.named().into_iter().zip(FACTORS);
    shown.map(|((_, value), (_, show))| value.map_or("n/a".to_owned(), show))
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

    #[test]
    fn a_ceiling_above_what_its_threads_can_give_is_marked() {
        let figure = Figure { total: 2.86, all: Spread::of(&[1.9, 2.004, 2.5]), large: None };
        assert_eq!(Part::Total.ceiling(&figure, 2), "2.86 (!)");
        assert_eq!(Part::Total.ceiling(&figure, 4), "2.86");
        assert_eq!(Part::All.ceiling(&figure, 2), "2.00 [1.95 .. 2.25]", "as far as the digits tell");
        assert_eq!(Part::Large.ceiling(&figure, 2), "-");
    }

    #[test]
    fn a_table_that_is_too_wide_has_a_column_for_each_row() {
        let mut table = new_table(&["method", "speedup", "nodes"], 1);
        for row in [["both", "1.8", "7"], ["root-split", "1.2", "8"], ["abdada", "1.5", "9"]] {
            table.add_row(row);
        }
        assert_eq!(fitted_to(&table, 80), table.to_string());
        let shown = fitted_to(&table, 31);
        assert!(shown.lines().all(|line| line.chars().count() <= 31), "{shown}");
        let names = shown.lines().filter(|line| line.contains("speedup")).count();
        assert_eq!(names, 2, "two beside each other, then one: {shown}");
        for cell in ["both", "root-split", "abdada", "1.8", "1.2", "1.5"] {
            assert_eq!(shown.matches(cell).count(), 1, "{cell}: {shown}");
        }
    }
}
