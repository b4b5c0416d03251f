//! How far a figure over some positions depends on which positions these are.

use crate::summary::median;
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::collections::BTreeMap;

/// How many times the samples are drawn anew.
const DRAWS: usize = 10_000;

/// What is drawn is the same in every run.
const SEED: u128 = 0x5eed;

/// The same of the rounds, apart from what is drawn of the positions.
const SEED_OF_ROUNDS: u128 = 0x0dd5eed;

/// An interval in which a figure lies with a confidence of 95%, as far as the samples tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Two intervals of the same median over positions, or of a ratio of two such medians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Intervals {
    /// [`median_interval`]: how far it depends on which positions these are.
    pub positions: Option<Interval>,
    /// [`two_stage_interval`]: how far it depends on these and on the rounds.
    pub two_stage: Option<Interval>,
}

impl Intervals {
    /// Of a figure at some positions, in every round of each.
    pub fn of(positions: &[Vec<f64>]) -> Self {
        let medians: Vec<f64> = positions.iter().filter_map(|rounds| median(rounds)).collect();
        Intervals { positions: median_interval(&medians), two_stage: two_stage_interval(positions) }
    }

    /// Of the `other` figure over the `one` at the same positions, in rounds of their own.
    pub fn of_ratio(one: &[Vec<f64>], other: &[Vec<f64>]) -> Self {
        let ratio = |(one, other): (&Vec<f64>, &Vec<f64>)| Some(median(other)? / median(one)?);
        let ratios: Vec<f64> = one.iter().zip(other).filter_map(ratio).collect();
        Intervals { positions: median_interval(&ratios), two_stage: two_stage_ratio_interval(one, other) }
    }

    /// The one that says more: over rounds and positions where there is one.
    pub fn widest(&self) -> Option<Interval> {
        self.two_stage.or(self.positions)
    }
}

/// Fewer samples than this tell nothing of how they are spread.
const FEWEST: usize = 6;

/// The interval for the median of what `samples` were drawn from, by the percentile bootstrap (Efron,
/// "Bootstrap methods: another look at the jackknife", Annals of Statistics 7(1), 1979): as many samples are
/// drawn from these, with repetition, ten thousand times, and the middle 95% of their medians are kept.
/// `None` of fewer than six. Of a dozen or fewer it is rather too narrow: of seven it holds the true median
/// nine times in ten. The same samples in any order have the same interval. What is not a number is no
/// sample.
pub fn median_interval(samples: &[f64]) -> Option<Interval> {
    let mut sorted: Vec<f64> = samples.iter().copied().filter(|sample| !sample.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let mut drawn = vec![0.0; sorted.len()];
    interval_of(sorted.len(), |places| {
        places.zip(&mut drawn).for_each(|(place, drawn)| *drawn = sorted[place]);
        median(&drawn)
    })
}

/// The interval for the ratio of two sums over positions, of each of which `positions` has both costs in
/// every round: of the sums' ratio the median over the rounds. By the same bootstrap, which draws positions;
/// `None` of fewer than six. All have the same rounds.
pub fn sums_interval(positions: &[Vec<(f64, f64)>]) -> Option<Interval> {
    let rounds = positions.iter().map(Vec::len).min().unwrap_or_default();
    let mut sums = vec![(0.0, 0.0); rounds];
    interval_of(positions.len(), |places| {
        sums.fill((0.0, 0.0));
        for place in places {
            for (sum, pair) in sums.iter_mut().zip(&positions[place]) {
                *sum = (sum.0 + pair.0, sum.1 + pair.1);
            }
        }
        median(&sums.iter().map(|(one, other)| one / other).collect::<Vec<_>>())
    })
}

/// Fewer rounds than this tell nothing of how they differ.
const FEWEST_ROUNDS: usize = 3;

/// The interval for the median over positions, at each of which a figure is the median over its rounds, where
/// both the positions and the rounds might have been others: by a bootstrap of two stages, ten thousand
/// times. First as many rounds are drawn as there are, with repetition, the same for all positions, since
/// what disturbs the machine in a round disturbs all of it; each position's figure is the median over these.
/// Then positions are drawn, as in [`median_interval`]. `None` of fewer than three rounds or six positions,
/// and where not all have the same number of rounds.
///
/// Source: A. B. Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 1(2), 2007, which shows that
/// drawing rows and columns apart from one another is on the safe side where both vary. Of a handful of
/// rounds it is rather too narrow, as any bootstrap is.
pub fn two_stage_interval(positions: &[Vec<f64>]) -> Option<Interval> {
    let mut random = Pcg64Mcg::new(SEED_OF_ROUNDS);
    let mut rounds = Rounds::of(positions)?;
    let mut drawn = vec![0.0; positions.len()];
    interval_of(positions.len(), |places| {
        let medians = rounds.drawn(&mut random);
        places.zip(&mut drawn).for_each(|(place, drawn)| *drawn = medians[place]);
        median(&drawn)
    })
}

/// The same for the median over positions of the `other` figure over the `one`, where both are of the same
/// positions, but of runs of their own: rounds of each are drawn apart from those of the other.
pub fn two_stage_ratio_interval(one: &[Vec<f64>], other: &[Vec<f64>]) -> Option<Interval> {
    let mut random = Pcg64Mcg::new(SEED_OF_ROUNDS);
    let mut drawn = vec![0.0; one.len().min(other.len())];
    let (mut one, mut other) = (Rounds::of(one)?, Rounds::of(other)?);
    interval_of(drawn.len(), |places| {
        let (one, other) = (one.drawn(&mut random), other.drawn(&mut random));
        places.zip(&mut drawn).for_each(|(place, drawn)| *drawn = other[place] / one[place]);
        median(&drawn)
    })
}

/// A figure at some positions, of whose rounds some are drawn again and again.
struct Rounds<'a> {
    positions: &'a [Vec<f64>],
    /// How many rounds each position has.
    count: usize,
    /// The medians over rounds that were drawn before: of a few rounds the same ones are drawn many times.
    known: BTreeMap<Vec<usize>, Vec<f64>>,
}

impl<'a> Rounds<'a> {
    /// None where there are too few rounds, or not the same number at all positions.
    fn of(positions: &'a [Vec<f64>]) -> Option<Self> {
        let count = positions.first()?.len();
        let is_whole = count >= FEWEST_ROUNDS && positions.iter().all(|own| own.len() == count);
        is_whole.then(|| Rounds { positions, count, known: BTreeMap::new() })
    }

    /// The median at each position over as many rounds as there are, drawn with repetition.
    fn drawn(&mut self, random: &mut Pcg64Mcg) -> &[f64] {
        let mut chosen: Vec<usize> = (0..self.count).map(|_| below(random, self.count)).collect();
        chosen.sort_unstable();
        let at = |own: &Vec<f64>, chosen: &[usize]| {
            median(&chosen.iter().map(|&round| own[round]).collect::<Vec<_>>()).unwrap_or(f64::NAN)
        };
        let medians = |chosen: &Vec<usize>| self.positions.iter().map(|own| at(own, chosen)).collect();
        self.known.entry(chosen).or_insert_with_key(medians)
    }
}

/// The middle 95% of what `figure` makes of as many of the places below `count`, drawn with repetition, ten
/// thousand times; `None` of fewer than six.
fn interval_of(
    count: usize,
    mut figure: impl FnMut(&mut dyn Iterator<Item = usize>) -> Option<f64>,
) -> Option<Interval> {
    if count < FEWEST {
        return None;
    }
    let mut random = Pcg64Mcg::new(SEED);
    let mut figures = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        figures.push(figure(&mut (0..count).map(|_| below(&mut random, count)))?);
    }
    figures.sort_by(f64::total_cmp);
    let at = |share: f64| figures[((DRAWS - 1) as f64 * share).round() as usize];
    Some(Interval { low: at(0.025), high: at(0.975) })
}

/// A number below `end`. How little it prefers small ones does not matter here.
fn below(random: &mut Pcg64Mcg, end: usize) -> usize {
    ((u128::from(random.next_u64()) * end as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_interval_of_a_known_sample_is_about_that_of_order_statistics() {
        // Of 1 to 99 the median's interval is about the 40th to the 60th: 50 -+ 1.96 * sqrt(99) / 2.
        let samples: Vec<f64> = (1..100).map(f64::from).collect();
        let Interval { low, high } = median_interval(&samples).unwrap();
        assert!((low - 40.0).abs() <= 2.0 && (high - 60.0).abs() <= 2.0, "{low} to {high}");
        assert_eq!(median_interval(&[]), None);
        assert_eq!(median_interval(&[2.5; 5]), None);
        assert_eq!(median_interval(&[2.5; 6]), Some(Interval { low: 2.5, high: 2.5 }));
    }

    #[test]
    fn the_ratio_of_sums_varies_with_the_positions_and_not_with_the_rounds() {
        // Everywhere twice as long, but on a machine that is ten times as slow in the second round.
        let rounds = |cost: f64| vec![(2.0 * cost, cost), (20.0 * cost, 10.0 * cost)];
        let steady: Vec<_> = (1..=9).map(|cost| rounds(f64::from(cost))).collect();
        assert_eq!(sums_interval(&steady), Some(Interval { low: 2.0, high: 2.0 }));
        assert_eq!((sums_interval(&steady[..5]), sums_interval(&[])), (None, None));
        // Half of the positions take three times as long, half as long: of equal ones the sums' ratio is 2.
        let mixed: Vec<_> =
            (0..20).map(|place| vec![(if place % 2 == 0 { 3.0 } else { 1.0 }, 1.0)]).collect();
        let Interval { low, high } = sums_interval(&mixed).unwrap();
        // The mean of 20 ratios of 1 or 3 has a standard deviation of 1 / sqrt(20).
        assert!((low - 1.56).abs() <= 0.11 && (high - 2.44).abs() <= 0.11, "{low} to {high}");
        // A position a thousand times as large is all that counts wherever it is drawn.
        let large: Vec<_> = mixed.into_iter().chain([vec![(4e3, 1e3)]]).collect();
        assert!(sums_interval(&large).unwrap().high > 3.9);
    }

    #[test]
    fn where_rounds_differ_the_interval_of_two_stages_is_wider() {
        let positions = |spread: f64| -> Vec<Vec<f64>> {
            let round =
                |position: usize, round: usize| 1.0 + 0.01 * position as f64 + spread * (round as f64 - 2.0);
            (0..20).map(|position| (0..5).map(|number| round(position, number)).collect()).collect()
        };
        let width = |interval: Option<Interval>| interval.map(|Interval { low, high }| high - low).unwrap();
        // All rounds alike: what is left is the positions' part, but for other draws.
        let steady = Intervals::of(&positions(0.0));
        assert!((width(steady.positions) - width(steady.two_stage)).abs() < 0.02, "{steady:?}");
        let varying = Intervals::of(&positions(0.5));
        assert_eq!(varying.positions, steady.positions);
        // As `two_stage_interval` of results/recompute.py finds it.
        let Interval { low, high } = varying.two_stage.unwrap();
        assert!((low - 0.09).abs() < 1e-9 && (high - 2.1).abs() < 1e-9, "{low} to {high}");
        // The median of five rounds drawn of five is any of the middle three at least.
        assert!(width(varying.two_stage) > 1.0 && width(varying.positions) < 0.2, "{varying:?}");
        assert_eq!(
            two_stage_interval(&positions(0.5)),
            varying.two_stage,
            "the draws are the same every time"
        );
    }

    #[test]
    fn rounds_of_two_records_are_drawn_apart() {
        let steady = vec![vec![2.0; 5]; 8];
        let varying = vec![vec![1.0, 2.0, 3.0, 4.0, 5.0]; 8];
        let found = Intervals::of_ratio(&steady, &varying);
        assert_eq!(found.positions, Some(Interval { low: 1.5, high: 1.5 }));
        // The median of five rounds drawn of five is 1 to 5, and in 95% of the draws all but the ends.
        let Interval { low, high } = found.two_stage.unwrap();
        assert!(low < 1.5 && high > 1.5 && (0.5..=2.5).contains(&low) && (0.5..=2.5).contains(&high));
        // Rounds that were drawn together would leave the ratio at 1.
        let both = two_stage_ratio_interval(&varying, &varying).unwrap();
        assert!(both.low < 0.8 && both.high > 1.25, "{both:?}");
        assert_eq!(Intervals::of_ratio(&vec![vec![1.0]; 8], &varying).two_stage, None);
        let alone = Interval { low: 3.0, high: 3.0 };
        let ends = Intervals::of_ratio(&vec![vec![1.0]; 8], &varying).widest();
        assert_eq!((ends, found.widest()), (Some(alone), found.two_stage));
    }

    #[test]
    fn of_too_few_rounds_or_unequal_ones_there_is_no_interval_of_two_stages() {
        assert_eq!(two_stage_interval(&[]), None);
        assert_eq!(two_stage_interval(&vec![vec![1.0; 2]; 10]), None);
        assert_eq!(two_stage_interval(&vec![vec![1.0; 3]; 5]), None);
        assert_eq!(two_stage_interval(&vec![vec![1.0; 3]; 6]), Some(Interval { low: 1.0, high: 1.0 }));
        let mut unequal = vec![vec![1.0; 3]; 6];
        unequal[2].pop();
        assert_eq!(two_stage_interval(&unequal), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn intervals_lie_among_the_samples_around_the_median(
            samples in proptest::collection::vec(-1e3..1e3f64, 6..30),
            factor in 0.5..4.0f64,
        ) {
            let Interval { low, high } = median_interval(&samples).unwrap();
            let least = samples.iter().copied().fold(f64::MAX, f64::min);
            let greatest = samples.iter().copied().fold(f64::MIN, f64::max);
            let median = median(&samples).unwrap();
            prop_assert!(least <= low && low <= median && median <= high && high <= greatest);
            // The order does not matter, and scaling scales.
            let turned: Vec<f64> = samples.iter().rev().map(|sample| sample * factor).collect();
            let other = median_interval(&turned).unwrap();
            prop_assert!((other.low - low * factor).abs() < 1e-6);
            prop_assert!((other.high - high * factor).abs() < 1e-6);
        }
    }
}
