//! Means with intervals by Student's t, of samples that are independent of one another.

use crate::summary::Summary;
use serde::Serialize;
use std::f64::consts::PI;

/// A mean with its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The arithmetic mean.
    pub mean: f64,
    /// The lower end of the interval; none with fewer than two samples.
    pub low: Option<f64>,
    /// The upper end; none with fewer than two samples.
    pub high: Option<f64>,
}

impl Estimate {
    /// That of the samples; `None` when there are none.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let Summary { mean, std, .. } = Summary::of(samples)?;
        let freedom = samples.len() - 1;
        let half = (freedom > 0).then(|| quantile(freedom) * std / (samples.len() as f64).sqrt());
        Some(Estimate { mean, low: half.map(|half| mean - half), high: half.map(|half| mean + half) })
    }

    /// What `figure`, which grows with its argument, makes of it.
    #[must_use]
    pub fn map(self, figure: impl Fn(f64) -> f64) -> Self {
        Estimate { mean: figure(self.mean), low: self.low.map(&figure), high: self.high.map(&figure) }
    }
}

/// The 97.5% quantile of Student's t with so many degrees of freedom, at least 1, to about ten digits:
/// between it and its negative lie 95%.
pub fn quantile(freedom: usize) -> f64 {
    let (mut low, mut high) = (0.0, 16.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if within(middle, freedom) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The probability that Student's t lies between `-t` and `t`, by the finite series for whole degrees of
/// freedom (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
fn within(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    // The powers of the cosine and their factors, from the lowest; the last power is freedom - 2.
    let (mut term, mut sum) = if is_odd { (cosine, 0.0) } else { (1.0, 0.0) };
    let mut power = usize::from(is_odd);
    while power + 2 <= freedom {
        sum += term;
        term *= cosine * cosine * (power + 1) as f64 / (power + 2) as f64;
        power += 2;
    }
    if is_odd { 2.0 / PI * (angle + sine * sum) } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_published_ones() {
        let published = [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228)];
        for (freedom, expected) in published.into_iter().chain([(30, 2.042), (60, 2.000), (120, 1.980)]) {
            assert!((quantile(freedom) - expected).abs() < 6e-4, "{freedom}: {}", quantile(freedom));
        }
        assert!((quantile(20_000) - 1.960).abs() < 6e-4);
    }

    #[test]
    fn an_interval_is_the_one_computed_by_hand() {
        // Mean 1/2; squares 1/4, 1/4, 9/4, 9/4 sum to 5; deviation sqrt(5/3); of the mean sqrt(5/12).
        let found = Estimate::of(&[1.0, 0.0, 2.0, -1.0]).unwrap();
        let half = 3.182_446_305 * (5.0_f64 / 12.0).sqrt();
        assert_eq!(found.mean, 0.5);
        assert!((found.low.unwrap() - (0.5 - half)).abs() < 1e-8, "{found:?}");
        assert!((found.high.unwrap() - (0.5 + half)).abs() < 1e-8, "{found:?}");
        assert_eq!(found.map(|x| 2.0 * x).mean, 1.0);
    }

    #[test]
    fn one_sample_has_no_interval_and_none_no_mean() {
        assert_eq!(Estimate::of(&[3.0]), Some(Estimate { mean: 3.0, low: None, high: None }));
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of(&[2.0; 5]).unwrap().high, Some(2.0));
    }
}
