//! From the lines of readings to their ratios and their distance from the paper's.

use crate::readings::list::READINGS;
use crate::records::others::{ReadingLine, ReadingSearches};
use serde::Serialize;

/// The ratios of the paper's Table I, of its means: Star1 and Star2 over Expectimax, Star2 over Star1,
/// Star2-TT over Star2.
pub const PAPER: [f64; 4] = [14.76 / 37.78, 6.12 / 37.78, 6.12 / 14.76, 3.85 / 6.12];

/// All figures, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadingsFigures {
    /// The depth of the searches.
    pub depth: u64,
    /// The paper's ratios.
    pub paper: [f64; 4],
    /// Whether every sound reading found the value of Expectimax everywhere.
    pub values_equal: bool,
    /// The readings, the nearest first.
    pub readings: Vec<ReadingFigures>,
    /// Whether Ctrl-C ended the run early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// What a reading gives, over all sets and networks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadingFigures {
    /// What it is called.
    pub reading: String,
    /// In what it differs from its family's first.
    pub about: &'static str,
    /// How many sets with a network count.
    pub combinations: usize,
    /// The four ratios of nodes.
    pub ratios: [Range; 4],
    /// The largest absolute value of the logarithm of a ratio over the paper's.
    pub distance: Range,
    /// The same at the depth that is less by two.
    pub distance_before: Range,
    /// Whether each of the paper's four ratios lies between the least and the greatest here.
    pub holds: bool,
    /// At how many positions, counted with each network, Star2 visits more nodes than Star1.
    pub star2_beyond_star1: u64,
    /// At how many Star2-TT does.
    pub star2_tt_beyond_star1: u64,
    /// How many positions there are, counted with each network.
    pub positions: u64,
    /// At how many of them some algorithm found another value than Expectimax: 0 unless it is unsound.
    pub other_values: u64,
}

/// A figure over sets and networks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    /// The median.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Range {
    /// Of figures of which there is one at least.
    fn of(mut figures: Vec<f64>) -> Range {
        figures.sort_by(f64::total_cmp);
        let (first, last) = (figures.first().copied(), figures.last().copied());
        let median = crate::analysis::statistics::median(&figures);
        let or_none = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
        Range { median: or_none(median), least: or_none(first), greatest: or_none(last) }
    }

    /// Whether it comes to this figure.
    fn has(self, figure: f64) -> bool {
        (self.least..=self.greatest).contains(&figure)
    }
}

impl ReadingsFigures {
    /// The figures of these lines.
    pub(super) fn new(depth: u64, lines: &[ReadingLine], stopped: bool) -> Self {
        let whole: Vec<_> = lines.iter().filter(|line| line.error.is_none()).collect();
        let of = |reading: &crate::readings::list::Reading| {
            let own: Vec<_> = whole.iter().copied().filter(|line| line.reading == reading.name).collect();
            (!own.is_empty()).then(|| ReadingFigures::new(reading.about, &own))
        };
        let mut readings: Vec<_> = READINGS.iter().filter_map(of).collect();
        readings.sort_by(|one, other| one.distance.median.total_cmp(&other.distance.median));
        let values_equal = whole.len() == lines.len();
        ReadingsFigures { depth, paper: PAPER, values_equal, readings, stopped }
    }
}

impl ReadingFigures {
    fn new(about: &'static str, lines: &[&ReadingLine]) -> Self {
        let ratios: Vec<_> = lines.iter().map(|line| ratios(line, |searches| searches.nodes)).collect();
        let before = lines.iter().map(|line| distance(ratios_before(line))).collect();
        let range = |ratio: usize| Range::of(ratios.iter().map(|found| found[ratio]).collect());
        let sum = |part: fn(&ReadingLine) -> u64| lines.iter().map(|line| part(line)).sum();
        let ranges = [0, 1, 2, 3].map(range);
        ReadingFigures {
            reading: lines.first().map(|line| line.reading.clone()).unwrap_or_default(),
            about,
            combinations: lines.len(),
            ratios: ranges,
            distance: Range::of(ratios.iter().copied().map(distance).collect()),
            distance_before: Range::of(before),
            holds: ranges.iter().zip(PAPER).all(|(range, figure)| range.has(figure)),
            star2_beyond_star1: sum(|line| line.star2_beyond_star1),
            star2_tt_beyond_star1: sum(|line| line.star2_tt_beyond_star1),
            positions: sum(|line| line.positions),
            other_values: sum(|line| {
                let algorithms = [line.star1, line.star2, line.star2_tt];
                algorithms.iter().map(|searches| searches.other_values).max().unwrap_or_default()
            }),
        }
    }
}

/// The four ratios of a line, of what `nodes` takes for them.
fn ratios(line: &ReadingLine, nodes: impl Fn(&ReadingSearches) -> u64) -> [f64; 4] {
    let [expectimax, star1, star2, star2_tt] =
        [&line.expectimax, &line.star1, &line.star2, &line.star2_tt].map(|searches| nodes(searches) as f64);
    [star1 / expectimax, star2 / expectimax, star2 / star1, star2_tt / star2]
}

fn ratios_before(line: &ReadingLine) -> [f64; 4] {
    ratios(line, |searches| searches.nodes_before)
}

fn distance(ratios: [f64; 4]) -> f64 {
    ratios.iter().zip(PAPER).map(|(ratio, paper)| (ratio / paper).ln().abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(reading: &str, nodes: [u64; 4]) -> ReadingLine {
        let [expectimax, star1, star2, star2_tt] =
            nodes.map(|nodes| ReadingSearches { nodes, nodes_before: nodes / 10, ..Default::default() });
        let reading = reading.to_owned();
        ReadingLine { reading, positions: 50, expectimax, star1, star2, star2_tt, ..Default::default() }
    }

    #[test]
    fn the_nearest_comes_first_and_holds_where_all_four_lie_within() {
        let lines = [
            line("cuts", [3778, 400, 300, 200]),
            line("hints", [3778, 1400, 600, 370]),
            line("hints", [3778, 1500, 616, 400]),
            ReadingLine { error: Some("x".to_owned()), ..line("cuts-one", [1, 1, 1, 1]) },
        ];
        let figures = ReadingsFigures::new(11, &lines, false);
        let names: Vec<_> = figures.readings.iter().map(|found| found.reading.as_str()).collect();
        assert_eq!((names, figures.values_equal), (vec!["hints", "cuts"], false));
        let [hints, cuts] = figures.readings.as_slice() else { panic!("two") };
        assert!(hints.holds && !cuts.holds, "{hints:?}");
        assert_eq!((hints.combinations, hints.positions), (2, 100));
        assert!((cuts.distance.median - (14.76f64 / 4.0).ln()).abs() < 1e-9, "{cuts:?}");
    }
}
