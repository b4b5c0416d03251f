//! From the searches of random games to figures.

use serde::Serialize;
use starsplit::score::MAX_LIMIT;
use starsplit_experiments::analysis::bootstrap::{Interval, median_interval};
use starsplit_experiments::analysis::statistics::median;
use starsplit_experiments::analysis::tables::{interval, new_table, ratio};
use starsplit_experiments::records::others::{GraphLine, GraphSearch};
use std::collections::BTreeMap;

/// All figures, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GraphsReport {
    depth: u32,
    sizes: Vec<Size>,
}

/// The games with so many positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Size {
    positions: u64,
    games: usize,
    /// Nodes of all games.
    exact_nodes: u64,
    at_least_nodes: u64,
    /// The second over the first.
    ratio: f64,
    /// The median over the games.
    median_ratio: f64,
    /// What the percentile bootstrap over the games gives it with a confidence of 95%; none of fewer than
    /// six.
    interval: Option<Interval>,
    /// How many games had another value, or none that is exact.
    other_values: usize,
    /// How many of those had none that is exact.
    inexact: usize,
    /// How far the other values are off, as shares of the way from the least value to the greatest: the
    /// median and the greatest; none where there is none.
    off_median: Option<f64>,
    off_greatest: Option<f64>,
}

fn is_exact(search: &GraphSearch) -> bool {
    search.lower == search.upper
}

/// How far the nearest value that `search` allows is from the one that `other` found.
fn off(search: &GraphSearch, other: &GraphSearch) -> f64 {
    let (lower, upper, value) = (i64::from(search.lower), i64::from(search.upper), i64::from(other.lower));
    let steps = (lower - value).max(value - upper).max(0);
    steps as f64 / (2.0 * f64::from(MAX_LIMIT))
}

impl GraphsReport {
    pub(super) fn new(depth: u32, samples: &[GraphLine]) -> Self {
        let mut sizes: BTreeMap<u64, Vec<&GraphLine>> = BTreeMap::new();
        for sample in samples {
            sizes.entry(sample.positions).or_default().push(sample);
        }
        GraphsReport { depth, sizes: sizes.iter().map(|(&positions, of)| Size::new(positions, of)).collect() }
    }

    pub(super) fn text(&self) -> String {
        let header = [
            "positions",
            "games",
            "nodes, exact",
            "nodes, at-least",
            "ratio",
            "median [95%]",
            "other values",
            "not exact",
            "off by, median",
            "off by, greatest",
        ];
        let mut table = new_table(&header, 0);
        let share =
            |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |off| format!("{:.2}%", 100.0 * off));
        for size in &self.sizes {
            table.add_row([
                size.positions.to_string(),
                size.games.to_string(),
                size.exact_nodes.to_string(),
                size.at_least_nodes.to_string(),
                format!("{:.3}", size.ratio),
                format!("{} [{}]", ratio(size.median_ratio), interval(size.interval, ratio)),
                size.other_values.to_string(),
                size.inexact.to_string(),
                share(size.off_median),
                share(size.off_greatest),
            ]);
        }
        format!("Random games to depth {}, at-least over exact\n\n{table}\n", self.depth)
    }
}

impl Size {
    fn new(positions: u64, samples: &[&GraphLine]) -> Self {
        let sum =
            |of: fn(&GraphLine) -> &GraphSearch| samples.iter().map(|sample| of(sample).nodes).sum::<u64>();
        let (exact_nodes, at_least_nodes) = (sum(|sample| &sample.exact), sum(|sample| &sample.at_least));
        let ratio = |sample: &&GraphLine| sample.at_least.nodes as f64 / sample.exact.nodes as f64;
        let ratios: Vec<f64> = samples.iter().map(ratio).collect();
        let found = |search: &GraphSearch| (search.lower, search.upper);
        let others: Vec<_> =
            samples.iter().filter(|sample| found(&sample.exact) != found(&sample.at_least)).collect();
        let off: Vec<f64> = others.iter().map(|sample| off(&sample.at_least, &sample.exact)).collect();
        Size {
            positions,
            games: samples.len(),
            exact_nodes,
            at_least_nodes,
            ratio: at_least_nodes as f64 / exact_nodes as f64,
            median_ratio: median(&ratios).unwrap_or(f64::NAN),
            interval: median_interval(&ratios),
            other_values: others.len(),
            inexact: others.iter().filter(|sample| !is_exact(&sample.at_least)).count(),
            off_median: median(&off),
            off_greatest: off.into_iter().reduce(f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(positions: u64, nodes: [u64; 2], at_least: (i32, i32)) -> GraphLine {
        let search = |nodes, (lower, upper)| GraphSearch { nodes, lower, upper };
        let (exact, at_least) = (search(nodes[0], (8, 8)), search(nodes[1], at_least));
        GraphLine { schema: 4, positions, seed: 1, depth: 9, exact, at_least }
    }

    #[test]
    fn games_of_one_size_are_summed_and_other_values_counted() {
        let tenth = MAX_LIMIT / 5;
        let report = GraphsReport::new(
            9,
            &[
                sample(20, [100, 50], (8, 8)),
                sample(7, [10, 20], (8, 8)),
                sample(20, [300, 100], (8 + tenth, 8 + tenth)),
                sample(20, [100, 100], (0, 9)),
            ],
        );
        let [small, large] = report.sizes.as_slice() else { panic!("two sizes") };
        assert_eq!((small.positions, small.games, small.ratio, small.other_values), (7, 1, 2.0, 0));
        assert_eq!((small.off_median, small.off_greatest), (None, None));
        assert_eq!(
            (large.exact_nodes, large.at_least_nodes, large.ratio, large.median_ratio),
            (500, 250, 0.5, 0.5)
        );
        assert_eq!((large.other_values, large.inexact), (2, 1));
        assert!((large.off_greatest.unwrap() - 0.1).abs() < 1e-6, "{large:?}");
        assert!((large.off_median.unwrap() - 0.05).abs() < 1e-6, "{large:?}");
    }
}
