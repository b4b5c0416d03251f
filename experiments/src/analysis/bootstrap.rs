//! How far a figure over some positions depends on which positions these are.

use crate::analysis::statistics::median;
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

/// How many times the samples are drawn anew.
const DRAWS: usize = 10_000;

/// What is drawn is the same in every run.
const SEED: u128 = 0x5eed;

/// An interval in which a figure lies with a confidence of 95%, as far as the samples tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Fewer samples than this tell nothing of how they are spread.
const FEWEST: usize = 6;

/// The interval for the median of what `samples` were drawn from, by the percentile bootstrap (Efron,
/// "Bootstrap methods: another look at the jackknife", Annals of Statistics 7(1), 1979): as many samples are
/// drawn from these, with repetition, ten thousand times, and the middle 95% of their medians are kept.
/// `None` of fewer than six. Of a dozen or fewer it is rather too narrow: of seven it holds the true median
/// nine times in ten. The same samples in any order have the same interval.
pub fn median_interval(samples: &[f64]) -> Option<Interval> {
    if samples.len() < FEWEST {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut random = Pcg64Mcg::new(SEED);
    let mut drawn = vec![0.0; sorted.len()];
    let mut medians = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        for place in &mut drawn {
            *place = sorted[below(&mut random, sorted.len())];
        }
        medians.push(median(&drawn)?);
    }
    medians.sort_by(f64::total_cmp);
    let at = |share: f64| medians[((DRAWS - 1) as f64 * share).round() as usize];
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn intervals_lie_among_the_samples_around_the_median(
            samples in proptest::collection::vec(-1e3..1e3f64, 6..30),
            factor in 0.5..4.0f64,
        ) {
            let Interval { low, high } = median_interval(&samples).unwrap();
            let (least, greatest) = samples.iter().fold((f64::MAX, f64::MIN), |(l, g), &s| (l.min(s), g.max(s)));
            let median = median(&samples).unwrap();
            prop_assert!(least <= low && low <= median && median <= high && high <= greatest);
            // The order does not matter, and scaling scales.
            let turned: Vec<f64> = samples.iter().rev().map(|sample| sample * factor).collect();
            let other = median_interval(&turned).unwrap();
            prop_assert!((other.low - low * factor).abs() < 1e-6 && (other.high - high * factor).abs() < 1e-6);
        }
    }
}
