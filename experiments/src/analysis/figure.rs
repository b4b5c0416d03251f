//! A ratio over many positions.

use crate::analysis::ratios::Ratio;
use serde::Serialize;
use starsplit_statistics::summary::Spread;

/// A ratio over many positions, at each of which it is the median over the rounds. Without positions it is
/// not a number, which JSON writes as null.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Of the sums over all positions: the median over the rounds.
    pub total: f64,
    /// Over all positions.
    pub all: Option<Spread>,
    /// Over the large positions.
    pub large: Option<Spread>,
}

impl Figure {
    /// Of a ratio in all and `each` position, some of them `large`.
    pub(crate) fn new(total: f64, each: &[f64], large: &[bool]) -> Self {
        let chosen: Vec<f64> =
            each.iter().zip(large).filter(|(_, large)| **large).map(|(ratio, _)| *ratio).collect();
        Figure { total, all: Spread::of(each), large: Spread::of(&chosen) }
    }

    /// Of the medians over the rounds.
    pub(crate) fn of(ratio: &Ratio, large: &[bool]) -> Self {
        Figure::new(ratio.of_sums(), &ratio.by_position(), large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_positions_have_a_figure_of_their_own() {
        let figure = Figure::new(7.0, &[1.0, 2.0, 4.0], &[false, true, true]);
        assert_eq!((figure.total, figure.all.unwrap().median, figure.large.unwrap().median), (7.0, 2.0, 3.0));
        assert_eq!(Figure::new(7.0, &[1.0], &[false]).large, None);
    }
}
