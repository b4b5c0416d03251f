//! From the lines of readings to their ratios and their distance from what the paper prints.

use crate::paper_tables::published::{self, MEAN, NODES, Published, RATIOS, SECONDS};
use crate::readings::distance::{self, Distance, distance};
use crate::records::others::{ReadingLine, ReadingSearches};
use serde::Serialize;
use starsplit_readings::list::Reading;
use starsplit_readings::sets::{LIBRARY, SEEDS};
use starsplit_statistics::summary::Spread;
use std::collections::BTreeMap;

/// All figures, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadingsFigures {
    /// The depth of the searches.
    pub depth: u64,
    /// The paper's ratios of its means: Star1 and Star2 over Expectimax, Star2 over Star1, Star2-TT over
    /// Star2.
    pub paper: PaperRatios,
    /// Whether every sound reading found the value of Expectimax everywhere.
    pub values_equal: bool,
    /// The readings, the nearest first.
    pub readings: Vec<ReadingFigures>,
    /// The tables of the nearest, of the set and network that chose it.
    pub nearest: Option<NearestTables>,
    /// Whether Ctrl-C ended the run early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// The ratios of the paper's means, in the order of `RATIOS`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PaperRatios {
    /// Of Table I.
    pub nodes: [f64; 4],
    /// Of Table II.
    pub time: [f64; 4],
}

/// What a reading gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadingFigures {
    /// What it is called.
    pub reading: String,
    /// What its name says.
    pub about: String,
    /// On the first set with the library's network, which choose the nearest.
    pub chosen_on: Option<Judged>,
    /// On all other sets and networks.
    pub held_out: Option<Judged>,
    /// At how many positions some algorithm found another value than Expectimax: 0 unless it is unsound.
    pub other_values: u64,
}

/// What a reading gives over some sets and networks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// How many sets with a network.
    pub combinations: usize,
    /// How many positions there are, counted with each network.
    pub positions: u64,
    /// The four ratios of nodes.
    pub nodes: [Range; 4],
    /// The four ratios of evaluations.
    pub evaluations: [Range; 4],
    /// Wall time of Star2-TT over that of Star2.
    pub wall_time: Range,
    /// From all that the paper prints.
    pub distance: Distance<Range>,
    /// The same of the positions alone at which Expectimax visits no fewer and no more nodes than the paper's
    /// least and greatest: without late endgames and without the first plies.
    pub distance_within: Range,
    /// At how many positions Star2 visits more nodes than Star1.
    pub star2_beyond_star1: u64,
    /// At how many Star2-TT does.
    pub star2_tt_beyond_star1: u64,
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

/// The paper's tables as a reading has them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NearestTables {
    /// Which.
    pub reading: String,
    /// Table I, in millions.
    pub nodes: [[f64; 4]; 5],
    /// Table II: evaluations, in a unit that makes Expectimax's mean the paper's.
    pub seconds: [[f64; 4]; 5],
    /// Figure 6.3: mean nodes until a depth was complete, from the least depth.
    pub by_depth: Vec<[f64; 4]>,
}

impl Range {
    /// Of figures of which there is one at least.
    fn of(figures: impl Iterator<Item = f64>) -> Range {
        let spread = Spread::of(&figures.collect::<Vec<_>>());
        let parts = spread.map(|spread| [spread.median, spread.min, spread.max]);
        let [median, least, greatest] = parts.unwrap_or([f64::NAN; 3]);
        Range { median, least, greatest }
    }
}

impl ReadingsFigures {
    /// The figures of these lines.
    pub(super) fn new(depth: u64, lines: &[ReadingLine], stopped: bool) -> Self {
        let mut whole: BTreeMap<&str, Vec<&ReadingLine>> = BTreeMap::new();
        for line in lines.iter().filter(|line| line.error.is_none()) {
            whole.entry(&line.reading).or_default().push(line);
        }
        let mut readings: Vec<_> =
            whole.iter().map(|(name, lines)| ReadingFigures::new(name, lines)).collect();
        readings.sort_by(|one, other| one.rank().total_cmp(&other.rank()));
        let first = readings.first().map(|first| &whole[first.reading.as_str()]);
        let chosen_by = first.and_then(|lines| lines.iter().find(|line| chooses(line)));
        let nearest = chosen_by.and_then(|line| NearestTables::new(line));
        let of = |table: &Published| RATIOS.map(|pair| published::ratio(&table[MEAN], pair));
        let paper = PaperRatios { nodes: of(&NODES), time: of(&SECONDS) };
        let values_equal = lines.iter().all(|line| line.error.is_none());
        ReadingsFigures { depth, paper, values_equal, readings, nearest, stopped }
    }
}

/// Whether a line is of the set and network that choose the nearest.
fn chooses(line: &ReadingLine) -> bool {
    line.set == SEEDS[0] && line.network == LIBRARY
}

impl ReadingFigures {
    /// Of the lines of a reading, of which there is one at least.
    fn new(name: &str, lines: &[&ReadingLine]) -> Self {
        let (choosing, others): (Vec<_>, Vec<_>) = lines.iter().partition(|line| chooses(line));
        let other_values = |line: &&ReadingLine| {
            algorithms(line).iter().map(|searches| searches.other_values).max().unwrap_or_default()
        };
        ReadingFigures {
            reading: name.to_owned(),
            about: Reading::named(name).map(|reading| reading.about).unwrap_or_default(),
            chosen_on: Judged::new(&choosing),
            held_out: Judged::new(&others),
            other_values: lines.iter().map(other_values).sum(),
        }
    }

    /// By what it is ranked.
    fn rank(&self) -> f64 {
        let judged = self.chosen_on.as_ref().or(self.held_out.as_ref());
        judged.map_or(f64::NAN, |judged| judged.distance.all.median)
    }
}

impl Judged {
    /// None without lines.
    fn new(lines: &[&ReadingLine]) -> Option<Self> {
        let range = |figure: &dyn Fn(&ReadingLine) -> f64| Range::of(lines.iter().map(|line| figure(line)));
        let ratios = |part: fn(&ReadingSearches) -> &Vec<u64>| {
            let sum = |line: &ReadingLine, algorithm: usize| {
                part(algorithms(line)[algorithm]).iter().sum::<u64>() as f64
            };
            RATIOS.map(|(one, other)| range(&|line| sum(line, one) / sum(line, other)))
        };
        let distance = |keeps: fn(u64) -> bool, part: usize| {
            range(&|line| of_line(line, keeps).map_or(f64::NAN, |distance| distance.parts()[part]))
        };
        let beyond = |one: fn(&ReadingLine) -> &ReadingSearches| {
            let pairs = lines.iter().flat_map(|line| one(line).nodes.iter().zip(&line.star1.nodes));
            pairs.filter(|(one, star1)| one > star1).count() as u64
        };
        let [all, nodes, time, levels, headline] = [0, 1, 2, 3, 4].map(|part| distance(|_| true, part));
        (!lines.is_empty()).then(|| Judged {
            combinations: lines.len(),
            positions: lines.iter().map(|line| line.positions).sum(),
            nodes: ratios(|searches| &searches.nodes),
            evaluations: ratios(|searches| &searches.evaluations),
            wall_time: range(&|line| line.star2_tt.wall_ns as f64 / line.star2.wall_ns as f64),
            distance: Distance { all, nodes, time, levels, headline },
            distance_within: distance(within_the_paper_s, 0),
            star2_beyond_star1: beyond(|line| &line.star2),
            star2_tt_beyond_star1: beyond(|line| &line.star2_tt),
        })
    }
}

impl NearestTables {
    fn new(line: &ReadingLine) -> Option<Self> {
        let all = algorithms(line);
        let nodes = distance::rows(all.map(|one| &one.nodes))?;
        let evaluations = distance::rows(all.map(|one| &one.evaluations))?;
        let unit = published::value(SECONDS[MEAN][0]) / evaluations[MEAN][0];
        let depths = all.iter().map(|one| one.by_depth.len()).min().unwrap_or_default();
        let mean = |at: usize| all.map(|one| one.by_depth[at] as f64 / line.positions as f64);
        Some(NearestTables {
            reading: line.reading.clone(),
            nodes: nodes.map(|row| row.map(|nodes| nodes / 1e6)),
            seconds: evaluations.map(|row| row.map(|evaluations| evaluations * unit)),
            by_depth: (0..depths).map(mean).collect(),
        })
    }
}

/// The searches of a line, in the order of the paper's tables.
fn algorithms(line: &ReadingLine) -> [&ReadingSearches; 4] {
    [&line.expectimax, &line.star1, &line.star2, &line.star2_tt]
}

/// The distance of the positions of a line at which Expectimax's nodes are as asked.
fn of_line(line: &ReadingLine, keeps: fn(u64) -> bool) -> Option<Distance> {
    let all = algorithms(line);
    let kept = |part: &[u64]| -> Vec<u64> {
        let positions = part.iter().zip(&line.expectimax.nodes);
        positions.filter(|&(_, &expectimax)| keeps(expectimax)).map(|(&one, _)| one).collect()
    };
    distance(all.map(|one| kept(&one.nodes)), all.map(|one| kept(&one.evaluations)))
}

/// Whether the paper's set may have had a position at which Expectimax visits so many nodes.
fn within_the_paper_s(nodes: u64) -> bool {
    let (least, _) = published::rounded_from(NODES[0][0]);
    let (_, greatest) = published::rounded_from(NODES[2][0]);
    (least..greatest).contains(&(nodes as f64 / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(reading: &str, set: u64, nodes: [u64; 4]) -> ReadingLine {
        let [expectimax, star1, star2, star2_tt] = nodes.map(|nodes| ReadingSearches {
            nodes: vec![nodes * 10_000, nodes * 30_000],
            evaluations: vec![nodes, 3 * nodes],
            by_depth: vec![nodes, 4 * nodes],
            wall_ns: nodes,
            ..Default::default()
        });
        let (reading, network) = (reading.to_owned(), LIBRARY.to_owned());
        let positions = 2;
        ReadingLine {
            reading,
            set,
            network,
            positions,
            expectimax,
            star1,
            star2,
            star2_tt,
            ..Default::default()
        }
    }

    #[test]
    fn the_nearest_comes_first_and_what_did_not_choose_it_is_apart() {
        let lines = [
            line("cuts", 1, [3778, 400, 300, 200]),
            line("hints", 1, [3778, 1476, 612, 385]),
            line("hints", 2, [3778, 1500, 1600, 400]),
            ReadingLine { error: Some("x".to_owned()), ..line("cuts-one", 1, [1, 1, 1, 1]) },
        ];
        let figures = ReadingsFigures::new(11, &lines, false);
        let names: Vec<_> = figures.readings.iter().map(|found| found.reading.as_str()).collect();
        assert_eq!((names, figures.values_equal), (vec!["hints", "cuts"], false));
        let [hints, cuts] = figures.readings.as_slice() else { panic!("two") };
        let (chosen_on, held_out) = (hints.chosen_on.as_ref().unwrap(), hints.held_out.as_ref().unwrap());
        assert_eq!((chosen_on.combinations, held_out.combinations, cuts.held_out.is_none()), (1, 1, true));
        assert!(chosen_on.distance.headline.median < 1e-9, "{chosen_on:?}");
        assert_eq!((chosen_on.star2_beyond_star1, held_out.star2_beyond_star1), (0, 2));
        assert!((held_out.nodes[2].median - 1600.0 / 1500.0).abs() < 1e-9);
        assert!((held_out.wall_time.median - 0.25).abs() < 1e-9);
        let nearest = figures.nearest.unwrap();
        assert!(
            (nearest.seconds[MEAN][0] - 609.1).abs() < 1e-9 && nearest.by_depth.len() == 2,
            "{nearest:?}"
        );
    }

    #[test]
    fn a_position_beyond_the_paper_s_ends_does_not_count_within() {
        let mut one = line("cuts", 1, [3778, 400, 300, 200]);
        one.expectimax.nodes.push(14_999);
        for searches in [&mut one.star1, &mut one.star2, &mut one.star2_tt] {
            searches.nodes.push(1);
        }
        for searches in [&mut one.expectimax, &mut one.star1, &mut one.star2, &mut one.star2_tt] {
            searches.evaluations.push(1);
        }
        let plain = line("cuts", 1, [3778, 400, 300, 200]);
        assert_eq!(of_line(&one, within_the_paper_s), of_line(&plain, |_| true));
        assert_ne!(of_line(&one, |_| true), of_line(&plain, |_| true));
        assert!(within_the_paper_s(15_000) && !within_the_paper_s(273_850_000));
    }
}
