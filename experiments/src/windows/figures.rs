//! From the records of searches in other windows to what these save.

use crate::analysis::bootstrap::{Interval, median_interval};
use crate::analysis::statistics::median;
use crate::records::meta::Meta;
use crate::records::others::{WindowsLine, WindowsSearch};
use crate::runner::by_position::positions;
use crate::windows::runner::SEARCH;
use serde::Serialize;

/// The figures, in the form of the JSON object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WindowsFigures {
    /// The game.
    pub game: String,
    /// The evaluator of the leaves.
    pub evaluator: String,
    /// The depth of the last iterations.
    pub depth: u32,
    /// How many positions count: those that were searched without error.
    pub positions: usize,
    /// How many iterations the searches of all positions had.
    pub iterations: u64,
    /// Whether every way found the values of the library's search.
    pub values_equal: bool,
    /// What became of the ways, the library's search first.
    pub ways: Vec<WayFigures>,
    /// Whether Ctrl-C ended the experiment early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// A way beside its engine's full windows, summed over the positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WayFigures {
    /// As it was written.
    pub way: String,
    /// The way that it is set beside.
    pub beside: String,
    /// Nodes.
    pub nodes: u64,
    /// Static evaluations.
    pub evaluations: u64,
    /// Look-ups in the table.
    pub look_ups: u64,
    /// Searches of the root.
    pub passes: u64,
    /// Successors that were searched in less than their usual window.
    pub narrowed: u64,
    /// Those that had to be searched again.
    pub re_searches: u64,
    /// Nodes over those beside it.
    pub nodes_ratio: Ratio,
    /// Evaluations over those beside it.
    pub evaluations_ratio: Ratio,
    /// Look-ups over those beside it.
    pub look_ups_ratio: Ratio,
    /// Nodes over those of the library's search as it is, of the sums.
    pub nodes_over_search: f64,
}

/// How many times as much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Of the sums over the positions.
    pub of_sums: f64,
    /// The median over the positions.
    pub median: f64,
    /// Its 95% bootstrap interval; none of fewer than six positions.
    pub interval: Option<Interval>,
}

/// The figures of the `lines` of a folder, which `meta` describes.
///
/// # Errors
/// When a line is none of `windows`, or of a position that was there before, in words.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<WindowsLine, String>>,
    meta: &Meta,
) -> Result<WindowsFigures, String> {
    let mut figures = WindowsFigures::of(&positions(lines)?)?;
    figures.game.clone_from(&meta.game);
    figures.evaluator = meta.settings.evaluator();
    figures.depth = meta.settings.depth().unwrap_or(0);
    Ok(figures)
}

impl WindowsFigures {
    fn of(lines: &[WindowsLine]) -> Result<Self, String> {
        let sound: Vec<_> = lines.iter().filter(|line| line.error.is_none()).collect();
        let names = sound.first().map_or(&[][..], |line| &line.searches);
        let ways = names.iter().map(|search| WayFigures::of(&search.way, &sound));
        Ok(WindowsFigures {
            positions: sound.len(),
            iterations: sound.iter().map(|line| line.depths.len() as u64).sum(),
            values_equal: sound.len() == lines.len(),
            ways: ways.collect::<Result<_, _>>()?,
            ..WindowsFigures::default()
        })
    }
}

/// The way that `way` is set beside: its engine's full windows, and the library's own search for those.
fn beside(way: &str) -> String {
    let engine = way.split(':').next().unwrap_or_default();
    let full = format!("{engine}:full");
    if way == SEARCH || way == full { SEARCH.to_owned() } else { full }
}

impl WayFigures {
    fn of(way: &str, lines: &[&WindowsLine]) -> Result<Self, String> {
        let beside = beside(way);
        let (own, other) = (searches(way, lines)?, searches(&beside, lines)?);
        let usual = searches(SEARCH, lines)?;
        let sum = |part: fn(&WindowsSearch) -> u64| own.iter().map(|search| part(search)).sum();
        let ratio = |part: fn(&WindowsSearch) -> u64| Ratio::of(&own, &other, part);
        Ok(WayFigures {
            way: way.to_owned(),
            nodes: sum(|search| search.nodes),
            evaluations: sum(|search| search.evaluations),
            look_ups: sum(|search| search.look_ups),
            passes: sum(|search| search.passes),
            narrowed: sum(|search| search.narrowed),
            re_searches: sum(|search| search.re_searches),
            nodes_ratio: ratio(|search| search.nodes),
            evaluations_ratio: ratio(|search| search.evaluations),
            look_ups_ratio: ratio(|search| search.look_ups),
            nodes_over_search: Ratio::of(&own, &usual, |search| search.nodes).of_sums,
            beside,
        })
    }
}

/// The searches of a way, one of every line.
fn searches<'a>(way: &str, lines: &[&'a WindowsLine]) -> Result<Vec<&'a WindowsSearch>, String> {
    let of = |line: &&'a WindowsLine| {
        let found = line.searches.iter().find(|search| search.way == way);
        found.ok_or_else(|| format!("expected a search of {way} at index {}", line.index))
    };
    lines.iter().map(of).collect()
}

impl Ratio {
    fn of(own: &[&WindowsSearch], other: &[&WindowsSearch], part: fn(&WindowsSearch) -> u64) -> Self {
        let pairs = own.iter().zip(other).map(|(own, other)| (part(own) as f64, part(other) as f64));
        let (one, two) = pairs.clone().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        // A position at which neither takes any, as a game that is over soon, says nothing.
        let ratios: Vec<f64> = pairs.filter(|pair| pair.1 > 0.0).map(|pair| pair.0 / pair.1).collect();
        Ratio {
            of_sums: one / two,
            median: median(&ratios).unwrap_or(f64::NAN),
            interval: median_interval(&ratios),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(way: &str, cost: u64) -> WindowsSearch {
        WindowsSearch {
            way: way.to_owned(),
            score: 0,
            nodes: cost,
            evaluations: 10 * cost,
            look_ups: 0,
            passes: 2,
            narrowed: 3,
            re_searches: 1,
        }
    }

    fn line(index: usize, costs: [u64; 3]) -> WindowsLine {
        let ways = [SEARCH, "own:full", "own:last=1"];
        let searches = ways.into_iter().zip(costs).map(|(way, cost)| search(way, cost)).collect();
        WindowsLine { index, depths: vec![1, 3], searches, ..WindowsLine::default() }
    }

    #[test]
    fn ways_are_set_beside_their_own_engine() {
        let lines = [line(1, [100, 200, 100]), line(2, [100, 300, 330]), line(3, [10, 10, 20])];
        let found = WindowsFigures::of(&lines).unwrap();
        assert_eq!((found.positions, found.iterations, found.values_equal), (3, 6, true));
        let [usual, full, last] = found.ways.as_slice() else { panic!("three ways") };
        assert_eq!((usual.nodes, usual.nodes_ratio.of_sums, usual.nodes_over_search), (210, 1.0, 1.0));
        assert_eq!((full.beside.as_str(), full.nodes_ratio.median), (SEARCH, 2.0));
        assert_eq!((last.beside.as_str(), last.nodes_over_search), ("own:full", 450.0 / 210.0));
        let Ratio { of_sums, median, interval } = last.nodes_ratio;
        assert_eq!((of_sums, median, interval), (450.0 / 510.0, 1.1, None));
        assert_eq!((last.evaluations, last.narrowed, last.re_searches, last.passes), (4500, 9, 3, 6));
        assert!(last.look_ups_ratio.of_sums.is_nan(), "nobody has looked anything up");
    }

    #[test]
    fn positions_with_errors_do_not_count() {
        let mut lines = [line(1, [100, 200, 100]), line(2, [100, 300, 330])];
        lines[1].error = Some("own:full: depth 1: score None, expected 3".to_owned());
        let found = WindowsFigures::of(&lines).unwrap();
        assert_eq!((found.positions, found.values_equal, found.ways[0].nodes), (1, false, 100));
    }

    #[test]
    fn lines_that_are_not_of_it_are_named() {
        let twice = positions([Ok(line(1, [1; 3])), Ok(line(1, [1; 3]))].into_iter()).unwrap_err();
        assert_eq!(twice, "expected a position in line 2 (index 1 was there before)");
        let mut lines = [line(1, [1; 3]), line(2, [1; 3])];
        lines[1].searches.pop();
        assert_eq!(WindowsFigures::of(&lines).unwrap_err(), "expected a search of own:last=1 at index 2");
    }
}
