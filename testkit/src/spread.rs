//! How far numbers lie apart.

use std::fmt;

/// The least, the mean and the greatest of some whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    count: u64,
    least: i64,
    greatest: i64,
    sum: i128,
}

impl Spread {
    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The least of them; `None` where there are none.
    pub fn least(&self) -> Option<i64> {
        (self.count > 0).then_some(self.least)
    }

    /// The greatest of them; `None` where there are none.
    pub fn greatest(&self) -> Option<i64> {
        (self.count > 0).then_some(self.greatest)
    }

    /// Their mean; `None` where there are none.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The number that all of them are; `None` where they differ, or where there are none.
    pub fn only(&self) -> Option<i64> {
        self.least().filter(|_| self.least == self.greatest)
    }

    pub(crate) fn add(&mut self, number: i64) {
        let one = Spread { count: 1, least: number, greatest: number, sum: number.into() };
        if self.count == 0 {
            *self = one;
            return;
        }
        *self = Spread {
            count: self.count + 1,
            least: self.least.min(number),
            greatest: self.greatest.max(number),
            sum: self.sum + one.sum,
        };
    }
}

impl fmt::Display for Spread {
    /// The least, the mean and the greatest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.only(), self.mean()) {
            (_, None) => write!(f, "none"),
            (Some(only), _) => write!(f, "always {only}"),
            (None, Some(mean)) => write!(f, "{} to {}, on average {mean:.2}", self.least, self.greatest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(numbers: &[i64]) -> Spread {
        let mut spread = Spread::default();
        numbers.iter().for_each(|&number| spread.add(number));
        spread
    }

    #[test]
    fn a_spread_tells_least_mean_and_greatest() {
        let found = spread(&[3, -4, 9, 0]);
        assert_eq!((found.count(), found.least(), found.greatest()), (4, Some(-4), Some(9)));
        assert_eq!((found.mean(), found.only()), (Some(2.0), None));
        assert_eq!(found.to_string(), "-4 to 9, on average 2.00");
        assert_eq!((spread(&[7, 7]).only(), spread(&[7, 7]).to_string()), (Some(7), "always 7".to_owned()));
        assert_eq!((spread(&[]).mean(), spread(&[]).least(), spread(&[]).only()), (None, None, None));
        assert_eq!(spread(&[]).to_string(), "none");
        assert_eq!(spread(&[i64::MAX, i64::MAX]).mean(), Some(i64::MAX as f64));
    }
}
