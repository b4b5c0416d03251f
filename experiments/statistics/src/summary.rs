//! Summaries of samples, as the paper's tables give them.

use serde::Serialize;

/// Least, median, greatest, mean and standard deviation of some samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The least sample.
    pub min: f64,
    /// The middle sample, or the mean of the two middle ones.
    pub median: f64,
    /// The greatest sample.
    pub max: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard deviation, with n - 1 below the line; 0 for a single sample.
    pub std: f64,
}

impl Summary {
    /// Summarises `samples`; `None` when there are none.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let median = median(samples)?;
        let count = samples.len() as f64;
        let mean = mean(samples)?;
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        let std = if samples.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        let min = samples.iter().copied().fold(f64::INFINITY, f64::min);
        let max = samples.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Summary { min, median, max, mean, std })
    }
}

/// How samples are spread: the median with the quartiles and the ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The least sample.
    pub min: f64,
    /// A quarter of the samples is below.
    pub lower_quartile: f64,
    /// The middle sample, or the mean of the two middle ones.
    pub median: f64,
    /// A quarter of the samples is above.
    pub upper_quartile: f64,
    /// The greatest sample.
    pub max: f64,
}

impl Spread {
    /// How `samples` are spread; `None` when there are none. A quartile that falls between two samples is
    /// found by linear interpolation.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let quartile = |quarters: usize| {
            let place = (sorted.len() - 1) * quarters;
            let (below, above) = (sorted[place / 4], sorted[place.div_ceil(4)]);
            below + (above - below) * (place % 4) as f64 / 4.0
        };
        let (lower_quartile, upper_quartile) = (quartile(1), quartile(3));
        Some(Spread { min, lower_quartile, median: median(samples)?, upper_quartile, max })
    }
}

/// The geometric mean of `samples`, which a ratio and its inverse have in common; `None` when there are none.
/// Not a number when one is below zero.
pub fn geometric_mean(samples: &[f64]) -> Option<f64> {
    let logarithms = samples.iter().map(|sample| sample.ln()).sum::<f64>();
    (!samples.is_empty()).then(|| (logarithms / samples.len() as f64).exp())
}

/// The arithmetic mean of `samples`; `None` when there are none.
pub fn mean(samples: &[f64]) -> Option<f64> {
    (!samples.is_empty()).then(|| samples.iter().sum::<f64>() / samples.len() as f64)
}

/// The middle of `samples`, or the mean of the two in the middle; `None` when there are none. What is not a
/// number, such as the ratio of two searches that took nothing, is no sample.
pub fn median(samples: &[f64]) -> Option<f64> {
    // Not sorted as a whole: bootstraps take ten thousand medians for an interval.
    let mut samples: Vec<f64> = samples.iter().copied().filter(|sample| !sample.is_nan()).collect();
    if samples.is_empty() {
        return None;
    }
    let is_odd = !samples.len().is_multiple_of(2);
    let middle = samples.len() / 2;
    let (below, &mut upper, _) = samples.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| !is_odd).unwrap_or(upper);
    Some(if lower == upper { lower } else { (lower + upper) / 2.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn samples() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(1e-3..1e6_f64, 1..40)
    }

    #[test]
    fn what_is_no_number_is_no_sample() {
        let nothing = f64::NAN;
        assert_eq!(median(&[nothing, 2.0, -nothing, 3.0, 7.0]), Some(3.0));
        assert_eq!(median(&[nothing]), None);
    }

    fn is_close(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
    }

    proptest! {
        #[test]
        fn middles_lie_within_the_samples_and_in_order(samples in samples()) {
            let Summary { min, median, max, mean, std } = Summary::of(&samples).unwrap();
            let spread = Spread::of(&samples).unwrap();
            prop_assert!(min <= median && median <= max && std >= 0.0);
            let slack = 1e-9 * max;
            let geometric = geometric_mean(&samples).unwrap();
            prop_assert!(min - slack <= geometric && geometric <= mean + slack && mean <= max + slack);
            prop_assert_eq!((spread.min, spread.median, spread.max), (min, median, max));
            prop_assert!(min <= spread.lower_quartile && spread.lower_quartile <= median);
            prop_assert!(median <= spread.upper_quartile && spread.upper_quartile <= max);
        }

        #[test]
        fn neither_their_order_nor_their_unit_matters(samples in samples(), unit in 1e-3..1e3_f64) {
            let mut turned = samples.clone();
            turned.reverse();
            prop_assert_eq!(Spread::of(&turned), Spread::of(&samples));
            let scaled: Vec<_> = samples.iter().map(|sample| unit * sample).collect();
            for middle in [median, mean, geometric_mean] {
                prop_assert!(is_close(middle(&scaled).unwrap(), unit * middle(&samples).unwrap()));
            }
        }

        #[test]
        fn ratios_and_their_inverses_have_inverse_geometric_means(ratios in samples()) {
            let inverse: Vec<_> = ratios.iter().map(|ratio| 1.0 / ratio).collect();
            prop_assert!(is_close(geometric_mean(&ratios).unwrap() * geometric_mean(&inverse).unwrap(), 1.0));
        }

        #[test]
        fn a_median_has_as_many_samples_above_as_below(samples in samples()) {
            let middle = median(&samples).unwrap();
            let [below, above] = [f64::lt, f64::gt]
                .map(|is| samples.iter().filter(|sample| is(sample, &middle)).count());
            prop_assert!(2 * below <= samples.len() && 2 * above <= samples.len());
        }
    }

    #[test]
    fn known_samples_have_their_known_summary() {
        let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((summary.min, summary.median, summary.max, summary.mean), (2.0, 4.5, 9.0, 5.0));
        assert!((summary.std - (32.0f64 / 7.0).sqrt()).abs() < 1e-12, "{summary:?}");
    }

    #[test]
    fn the_order_of_the_samples_does_not_matter() {
        assert_eq!(Summary::of(&[3.0, 1.0, 2.0]), Summary::of(&[1.0, 2.0, 3.0]));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }

    #[test]
    fn quartiles_are_interpolated() {
        let spread = Spread::of(&[5.0, 1.0, 3.0, 2.0, 4.0]).unwrap();
        let expected = Spread { min: 1.0, lower_quartile: 2.0, median: 3.0, upper_quartile: 4.0, max: 5.0 };
        assert_eq!(spread, expected);
        let spread = Spread::of(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((spread.lower_quartile, spread.median, spread.upper_quartile), (1.75, 2.5, 3.25));
        assert_eq!(Spread::of(&[7.5]).unwrap().upper_quartile, 7.5);
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn a_ratio_and_its_inverse_have_inverse_geometric_means() {
        let ratios = [0.5, 2.0, 8.0];
        assert!((geometric_mean(&ratios).unwrap() - 2.0).abs() < 1e-12);
        assert!((geometric_mean(&ratios.map(|ratio| 1.0 / ratio)).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!((geometric_mean(&[]), mean(&[]), mean(&ratios)), (None, None, Some(3.5)));
    }

    #[test]
    fn one_sample_does_not_vary_and_none_has_no_summary() {
        let one = Summary::of(&[7.5]).unwrap();
        assert_eq!(one, Summary { min: 7.5, median: 7.5, max: 7.5, mean: 7.5, std: 0.0 });
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(median(&[]), None);
    }
}
