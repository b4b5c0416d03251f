//! The paper's own figures, as printed: its Tables I and II (Veness and Blair, section VI).

use starsplit::search::Algorithm;
use starsplit_statistics::summary::Summary;

/// The algorithms across, as the tables have them.
pub const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Expectimax, Algorithm::Star1, Algorithm::Star2, Algorithm::Star2Tt];

/// A figure of a summary.
pub type Statistic = fn(&Summary) -> f64;

/// The statistics down, by their names and how a summary has them.
pub const STATISTICS: [(&str, Statistic); 5] = [
    ("Min", |summary| summary.min),
    ("Median", |summary| summary.median),
    ("Max", |summary| summary.max),
    ("Mean", |summary| summary.mean),
    ("Std", |summary| summary.std),
];

/// A table of the paper: statistics down, algorithms across.
pub type Published = [[&'static str; 4]; 5];

/// Table I: millions of nodes to depth 13.
pub const NODES: Published = [
    ["0.02", "0.01", "0.01", "0.01"],
    ["13.93", "3.99", "3.24", "1.79"],
    ["273.8", "136.7", "31.69", "22.81"],
    ["37.78", "14.76", "6.12", "3.85"],
    ["54.67", "24.38", "7.01", "4.70"],
];

/// Table II: seconds to depth 13.
pub const SECONDS: Published = [
    ["0.44", "0.27", "0.31", "0.27"],
    ["211", "62.25", "45.14", "28.26"],
    ["4669", "2326", "487.8", "374.1"],
    ["609.1", "238.1", "88.55", "60.83"],
    ["913.5", "408.3", "104.6", "75.9"],
];

/// The pairs of algorithms that the paper's statements are about, one over the other, as places in
/// [`ALGORITHMS`].
pub const RATIOS: [(usize, usize); 4] = [(1, 0), (2, 0), (2, 1), (3, 2)];

/// What such a pair is called.
pub(crate) fn pair_name((one, other): (usize, usize)) -> String {
    format!("{} / {}", ALGORITHMS[one], ALGORITHMS[other])
}

/// Where the tables have the mean.
pub const MEAN: usize = 3;

/// One algorithm over another in a printed row, by a pair of places in [`ALGORITHMS`].
pub fn ratio(row: &[&str; 4], (one, other): (usize, usize)) -> f64 {
    value(row[one]) / value(row[other])
}

/// What a printed figure may have been before it was rounded.
///
/// ```
/// # use starsplit_experiments::paper_tables::published::rounded_from;
/// assert_eq!(rounded_from("211"), (210.5, 211.5));
/// ```
pub fn rounded_from(printed: &str) -> (f64, f64) {
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    let (value, half) = (value(printed), 0.5 * 10f64.powi(-decimals));
    (value - half, value + half)
}

/// A printed figure as a number; not a number where it is none.
pub fn value(printed: &str) -> f64 {
    printed.parse().unwrap_or(f64::NAN)
}
