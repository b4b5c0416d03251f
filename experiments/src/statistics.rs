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
        let mean = samples.iter().sum::<f64>() / count;
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
    /// How `samples` are spread; `None` when there are none. A quartile that falls between two samples is found by
    /// linear interpolation.
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
        Some(Spread { min, lower_quartile, median: quartile(2), upper_quartile, max })
    }
}

/// The middle of `samples`, or the mean of the two in the middle; `None` when there are none.
pub fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(if lower == upper { lower } else { (lower + upper) / 2.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn one_sample_does_not_vary_and_none_has_no_summary() {
        let one = Summary::of(&[7.5]).unwrap();
        assert_eq!(one, Summary { min: 7.5, median: 7.5, max: 7.5, mean: 7.5, std: 0.0 });
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(median(&[]), None);
    }
}
