//! Scores, bounds and windows on an integer grid.
//!
//! A game's value is rounded once onto a symmetric integer grid. From then on sums over outcomes are exact
//! and do not depend on the order of summation. So a parallel search returns the same bits as a serial one.

pub(crate) mod not_a_number;

pub(crate) use not_a_number::is_not_a_number;

use bytemuck::NoUninit;
use not_a_number::NOT_A_NUMBER;

/// A value on the grid, for one player: an integer from `-grid.limit()` to `grid.limit()`.
pub type Score = i32;

/// The limit of the finest grid. Scores fit in 24 bits, as a table slot needs.
pub const MAX_LIMIT: Score = (1 << 23) - 1;

/// The score farthest off the grid. Values farther away have it, or its negative. A sum of two such scores
/// fits.
pub(crate) const FARTHEST: Score = (1 << 29) - 1;

/// Whether a score lies on a grid with this limit.
#[inline]
pub(crate) fn is_on_grid(score: Score, limit: Score) -> bool {
    // One comparison for both ends: the addition wraps a score below the grid to a large unsigned number.
    score.wrapping_add(limit) as u32 <= 2 * limit as u32
}

/// The map between a game's own units, from `low` to `high`, and [`Score`]s.
///
/// The grid is symmetric about the middle of the range, so a change of viewpoint is a change of sign.
///
/// Values of the game and its evaluator must lie in the range, or a search ends with
/// [`SearchError::OffGrid`](crate::search::SearchError::OffGrid). A game or an evaluator whose values are to
/// be clamped declares it ([`GameFacts::saturates`](crate::game::GameFacts::saturates),
/// [`EvaluatorFacts::saturates`](crate::evaluator::EvaluatorFacts::saturates)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    low: f64,
    high: f64,
    limit: Score,
}

impl Default for Grid {
    /// The range from -1 to 1 on the finest grid.
    fn default() -> Self {
        Grid { low: -1.0, high: 1.0, limit: MAX_LIMIT }
    }
}

impl Grid {
    /// The finest grid over `low..=high`, the least and the greatest value for the first player
    /// ([`Player::Max`](crate::game::Player::Max)).
    ///
    /// # Errors
    /// When the range is empty or an end is not finite.
    pub fn new(low: f64, high: f64) -> Result<Self, GridError> {
        Self::with_limit(low, high, MAX_LIMIT)
    }

    /// A grid of `2 * limit + 1` points over `low..=high`. A coarse grid finds faults that a fine one hides.
    ///
    /// # Errors
    /// When the range is empty, an end is not finite, or `limit` is not in `1..=MAX_LIMIT`.
    pub fn with_limit(low: f64, high: f64, limit: Score) -> Result<Self, GridError> {
        let is_usable = low.is_finite() && high.is_finite() && low < high && ((high - low) / 2.0).is_normal();
        if !is_usable {
            return Err(GridError::Range { low, high });
        }
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(GridError::Limit { limit });
        }
        Ok(Grid { low, high, limit })
    }

    /// The score of the greatest value; its negative is the score of the least.
    #[inline]
    pub fn limit(&self) -> Score {
        self.limit
    }

    /// The least and the greatest value, in the game's units.
    pub fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The grid point nearest to `value`, which is in the game's units, for
    /// [`Player::Max`](crate::game::Player::Max).
    ///
    /// A value outside the range by more than half a step gets a score beyond [`limit`](Grid::limit), so that
    /// a search notices it. Scores stop at 64 times the finest limit. The score of a NaN ends every search
    /// that meets it. To clamp instead, use [`saturating_score`](Grid::saturating_score).
    pub fn score(&self, value: f64) -> Score {
        nearest((value - self.middle()) / self.half_width() * f64::from(self.limit))
    }

    /// [`score`](Grid::score) clamped to the range. That of a NaN still ends searches.
    pub fn saturating_score(&self, value: f64) -> Score {
        let score = self.score(value);
        if is_not_a_number(score) { score } else { score.clamp(-self.limit, self.limit) }
    }

    /// The value of a score in the game's units, for [`Player::Max`](crate::game::Player::Max). NaN for
    /// the score of a NaN.
    pub fn value(&self, score: Score) -> f64 {
        if is_not_a_number(score) {
            return f64::NAN;
        }
        self.middle() + self.half_width() * (f64::from(score) / f64::from(self.limit))
    }

    /// The difference between two values in steps of the grid, rounded: a reward in the game's units, for
    /// [`Player::Max`](crate::game::Player::Max). Two values of the range differ by at most twice the limit.
    /// Greater differences and NaN are treated as in [`score`](Grid::score).
    pub fn steps(&self, difference: f64) -> Score {
        nearest(difference / self.half_width() * f64::from(self.limit))
    }

    /// The difference of this many steps in the game's units. NaN for those of a NaN.
    pub fn difference(&self, steps: Score) -> f64 {
        if is_not_a_number(steps) {
            return f64::NAN;
        }
        f64::from(steps) * (self.half_width() / f64::from(self.limit))
    }

    fn middle(&self) -> f64 {
        self.low + self.half_width()
    }

    fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The nearest whole number of steps, within [`FARTHEST`].
#[inline]
fn nearest(steps: f64) -> Score {
    let whole = steps.round();
    if whole.abs() <= f64::from(FARTHEST) { whole as Score } else { farther(whole) }
}

#[cold]
fn farther(steps: f64) -> Score {
    if steps.is_nan() { NOT_A_NUMBER } else { FARTHEST * steps.signum() as Score }
}

/// The ends are never NaN.
impl Eq for Grid {}

/// Why a [`Grid`] could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The range is empty or not finite.
    #[error("value range {low}..={high}: expected two finite numbers, the first below the second")]
    Range {
        /// The lower end asked for.
        low: f64,
        /// The upper end asked for.
        high: f64,
    },
    /// The grid would be too fine or have no points.
    #[error("grid limit {limit}: expected 1 to {MAX_LIMIT}")]
    Limit {
        /// The limit asked for.
        limit: Score,
    },
}

/// A proof about a value: it lies in `lower..=upper`. The value is exact where both are equal.
///
/// Aligned to its size, so that it can be one atomic word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, NoUninit)]
#[repr(C, align(8))]
pub struct Bounds {
    /// The value is proven to be at least this.
    pub lower: Score,
    /// The value is proven to be at most this.
    pub upper: Score,
}

impl Bounds {
    /// Bounds from both ends.
    #[inline]
    pub fn new(lower: Score, upper: Score) -> Self {
        Bounds { lower, upper }
    }

    /// A value known exactly.
    #[inline]
    pub fn exactly(score: Score) -> Self {
        Bounds { lower: score, upper: score }
    }

    /// The whole grid: nothing is known.
    #[inline]
    pub fn unknown(limit: Score) -> Self {
        Bounds { lower: -limit, upper: limit }
    }

    /// Whether both bounds are equal.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The same bounds for the other player.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Bounds { lower: -self.upper, upper: -self.lower }
    }

    /// The intersection, or `None` where the bounds contradict each other. Two proofs about one value never
    /// do: a contradiction means a false table hit, a fault, or bounds of different depths.
    #[inline]
    pub fn meet(self, other: Bounds) -> Option<Bounds> {
        let met = Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        (met.lower <= met.upper).then_some(met)
    }
}

/// The window of a search. The caller wants the exact value only if it lies strictly between `alpha` and
/// `beta`; otherwise a proof of `value <= alpha` or `value >= beta` is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// A proof that the value is at most this ends the search.
    pub alpha: Score,
    /// A proof that the value is at least this ends the search.
    pub beta: Score,
}

impl Window {
    /// A window from its two ends.
    #[inline]
    pub fn new(alpha: Score, beta: Score) -> Self {
        Window { alpha, beta }
    }

    /// The window of the whole grid: every search in it returns an exact value.
    #[inline]
    pub fn full(limit: Score) -> Self {
        Window { alpha: -limit, beta: limit }
    }

    /// A window wider than the grid: no value lies outside it or at its ends.
    #[inline]
    pub(crate) fn beyond(limit: Score) -> Self {
        Window { alpha: -limit - 1, beta: limit + 1 }
    }

    /// The same window for the other player.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether no score lies in the window.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Whether `bounds` answer the window: a cutoff or an exact value.
    #[inline]
    pub fn is_settled_by(self, bounds: Bounds) -> bool {
        bounds.lower >= self.beta || bounds.upper <= self.alpha || bounds.is_exact()
    }

    /// The window that `bounds` leave open.
    #[inline]
    #[must_use]
    pub fn narrowed_by(self, bounds: Bounds) -> Self {
        Window { alpha: self.alpha.max(bounds.lower), beta: self.beta.min(bounds.upper) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_are_differences_in_steps() {
        let grid = Grid::with_limit(0.0, 10.0, 100).unwrap();
        assert_eq!(
            [1.0, -0.5, 0.026, 10.1, 1e9, -1e9, f64::NAN].map(|reward| grid.steps(reward)),
            [20, -10, 1, 202, FARTHEST, -FARTHEST, NOT_A_NUMBER]
        );
        assert!((-200..=200).all(|steps| grid.steps(grid.difference(steps)) == steps));
    }

    #[test]
    fn values_survive_the_grid_within_half_a_step() {
        for (low, high) in [(-1.0, 1.0), (0.0, 1.0), (-3.5, 10.0)] {
            let grid = Grid::new(low, high).unwrap();
            for k in 0..=1000 {
                let value = low + (high - low) * f64::from(k) / 1000.0;
                let error = (grid.value(grid.score(value)) - value).abs();
                assert!(
                    error <= 0.5001 * (high - low) / (2.0 * f64::from(MAX_LIMIT)),
                    "{value} in {low}..{high}"
                );
            }
        }
    }

    #[test]
    fn outside_values_show_unless_a_rounding_error_takes_them_there() {
        let grid = Grid::with_limit(-1.0, 1.0, 4).unwrap();
        assert_eq!(grid.score(7.0), 28);
        assert_eq!(grid.score(1.12), 4);
        assert_eq!(grid.score(1.13), 5);
        assert_eq!(grid.score(f64::NEG_INFINITY), -FARTHEST);
        assert_eq!(grid.score(f64::NAN), NOT_A_NUMBER);
        assert!(grid.value(-NOT_A_NUMBER).is_nan());
        assert_eq!([7.0, -1e300, 0.5].map(|value| grid.saturating_score(value)), [4, -4, 2]);
        assert_eq!(grid.saturating_score(f64::NAN), NOT_A_NUMBER);
        let finest = Grid::new(-1.0, 1.0).unwrap();
        assert_eq!(finest.score(1.0 + f64::EPSILON), MAX_LIMIT);
        assert_eq!(finest.value(finest.score(10.0)), 10.0);
        const { assert!(FARTHEST / MAX_LIMIT >= 64) };
    }

    #[test]
    fn one_comparison_tells_what_is_on_the_grid() {
        for limit in [1, 4, MAX_LIMIT] {
            for score in [-limit, 1 - limit, 0, limit] {
                assert!(is_on_grid(score, limit), "{score} of {limit}");
            }
            let far = [FARTHEST, -FARTHEST, NOT_A_NUMBER, -NOT_A_NUMBER, Score::MAX, Score::MIN];
            for score in [limit + 1, -limit - 1].into_iter().chain(far) {
                assert!(!is_on_grid(score, limit), "{score} of {limit}");
            }
        }
    }

    #[test]
    fn impossible_grids_are_refused() {
        assert!(matches!(Grid::new(1.0, 1.0), Err(GridError::Range { .. })));
        assert!(matches!(Grid::new(f64::NAN, 1.0), Err(GridError::Range { .. })));
        assert!(matches!(Grid::new(0.0, f64::from_bits(1)), Err(GridError::Range { .. })));
        assert!(matches!(Grid::new(f64::MIN, f64::MAX), Err(GridError::Range { .. })));
        assert!(matches!(Grid::with_limit(0.0, 1.0, 0), Err(GridError::Limit { .. })));
        assert!(matches!(Grid::with_limit(0.0, 1.0, MAX_LIMIT + 1), Err(GridError::Limit { .. })));
    }

    #[test]
    fn contradicting_bounds_do_not_meet() {
        assert_eq!(Bounds::new(0, 3).meet(Bounds::new(2, 9)), Some(Bounds::new(2, 3)));
        assert_eq!(Bounds::new(0, 3).meet(Bounds::new(4, 9)), None);
    }
}
