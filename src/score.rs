//! Scores, bounds and windows: the integer grid on which every search value lives.
//!
//! A value of a game is rounded once onto a symmetric integer grid and stays an integer from then on, so that
//! sums over outcomes are exact and do not depend on the order in which they are formed. That is what lets a
//! parallel search return the same bits as a serial one.

use bytemuck::NoUninit;

/// A value on the grid: an integer from `-grid.limit()` to `grid.limit()`, as one player sees it.
pub type Score = i32;

/// The finest grid: scores fit 24 bits, which is what a table slot stores.
pub const MAX_LIMIT: Score = (1 << 23) - 1;

/// How far off the grid a score can tell that a value is; what lies farther has this score or its negative.
/// Sums of two such scores still fit.
pub(crate) const FARTHEST: Score = (1 << 29) - 1;

/// The score of what is not a number, as is its negative: no number has it, however far off the grid.
pub const NOT_A_NUMBER: Score = (1 << 30) - 1;

/// Whether a score, whoever's it is, is that of what is not a number.
pub(crate) fn is_not_a_number(score: Score) -> bool {
    score == NOT_A_NUMBER || score == -NOT_A_NUMBER
}

/// Whether a score lies on a grid of this limit.
#[inline(always)]
pub(crate) fn is_on_grid(score: Score, limit: Score) -> bool {
    // One comparison for both ends; what is far off wraps around to what is far off.
    score.wrapping_add(limit) as u32 <= 2 * limit as u32
}

/// The map between a game's own units, in the closed range from `low` to `high`, and [`Score`]s.
///
/// The grid is symmetric about the middle of the range, so that changing the viewpoint is a change of sign.
///
/// What the game and its evaluator give has to lie in the range, or a search ends with
/// [`SearchError::OffGrid`](crate::search::SearchError::OffGrid): clamped values are not the game's. Where
/// the clamped game is what is meant, the game or the evaluator says so
/// ([`GameFacts::saturates`](crate::game::GameFacts::saturates),
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
    /// The finest grid over `low..=high`, the least and the greatest value of the game, as the first player
    /// ([`Player::Max`](crate::game::Player::Max)) sees them.
    ///
    /// # Errors
    /// When the range is empty or an end is not finite.
    pub fn new(low: f64, high: f64) -> Result<Self, GridError> {
        Self::with_limit(low, high, MAX_LIMIT)
    }

    /// A grid of `2 * limit + 1` points over `low..=high`. Coarse grids find faults that fine ones hide.
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

    /// The grid point nearest to `value` (in the game's units, as [`Player::Max`](crate::game::Player::Max)
    /// sees it).
    ///
    /// A value outside the range, by more than half a step, has a score beyond [`limit`](Grid::limit), so
    /// that a search sees it; what is more than 64 times as far out as the ends may have a score less far
    /// out. A NaN is [`NOT_A_NUMBER`]. Who wants the range's nearer end for what lies outside takes
    /// [`saturating_score`](Grid::saturating_score).
    pub fn score(&self, value: f64) -> Score {
        nearest((value - self.middle()) / self.half_width() * f64::from(self.limit))
    }

    /// The same, but values outside the range go to its nearer end. A NaN is [`NOT_A_NUMBER`] all the same.
    pub fn saturating_score(&self, value: f64) -> Score {
        let score = self.score(value);
        if is_not_a_number(score) { score } else { score.clamp(-self.limit, self.limit) }
    }

    /// The value, in the game's units, of a score as [`Player::Max`](crate::game::Player::Max) sees it; NaN
    /// for [`NOT_A_NUMBER`].
    pub fn value(&self, score: Score) -> f64 {
        if is_not_a_number(score) {
            return f64::NAN;
        }
        self.middle() + self.half_width() * (f64::from(score) / f64::from(self.limit))
    }

    /// How many steps a difference between two values is, to the nearest: a reward, in the game's units, as
    /// [`Player::Max`](crate::game::Player::Max) sees it. No two values of the range differ by more than
    /// twice the limit; what is more, and a NaN, have steps as [`score`](Grid::score) has it.
    pub fn steps(&self, difference: f64) -> Score {
        nearest(difference / self.half_width() * f64::from(self.limit))
    }

    /// What so many steps are, in the game's units; NaN for [`NOT_A_NUMBER`].
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

/// The whole number nearest to so many steps, as far as a score can tell.
#[inline]
fn nearest(steps: f64) -> Score {
    let whole = steps.round();
    if whole.abs() <= f64::from(FARTHEST) { whole as Score } else { farther(whole) }
}

#[cold]
fn farther(steps: f64) -> Score {
    if steps.is_nan() {
        NOT_A_NUMBER
    } else if steps > 0.0 {
        FARTHEST
    } else {
        -FARTHEST
    }
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

/// What is proven of a value: it lies in `lower..=upper`. Exact when the two meet.
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
    /// Both bounds at once.
    #[inline]
    pub fn new(lower: Score, upper: Score) -> Self {
        Bounds { lower, upper }
    }

    /// A value known exactly.
    #[inline]
    pub fn exactly(score: Score) -> Self {
        Bounds { lower: score, upper: score }
    }

    /// Nothing known but that the value is on the grid.
    #[inline]
    pub fn unknown(limit: Score) -> Self {
        Bounds { lower: -limit, upper: limit }
    }

    /// Whether the two bounds meet.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The same knowledge seen by the other player.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Bounds { lower: -self.upper, upper: -self.lower }
    }

    /// Both pieces of knowledge together, or `None` where they contradict each other: two proofs about one
    /// value never do, so a contradiction means a false table hit, a fault, or knowledge of different depths.
    #[inline]
    pub fn meet(self, other: Bounds) -> Option<Bounds> {
        let met = Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        (met.lower <= met.upper).then_some(met)
    }
}

/// The window of a search: the caller wants the exact value only if it lies strictly between `alpha` and
/// `beta`; otherwise a proof of `value <= alpha` or `value >= beta` is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// A proof that the value is no greater than this ends the search.
    pub alpha: Score,
    /// A proof that the value is no less than this ends the search.
    pub beta: Score,
}

impl Window {
    /// A window from its two ends.
    #[inline]
    pub fn new(alpha: Score, beta: Score) -> Self {
        Window { alpha, beta }
    }

    /// The widest window: every search in it ends with an exact value.
    #[inline]
    pub fn full(limit: Score) -> Self {
        Window { alpha: -limit, beta: limit }
    }

    /// A window that no value is outside of, nor at the ends of: nothing but an exact value answers it.
    #[inline]
    pub(crate) fn beyond(limit: Score) -> Self {
        Window { alpha: -limit - 1, beta: limit + 1 }
    }

    /// The same window seen by the other player.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether nothing lies in the window.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Whether `bounds` answer what the window asks.
    #[inline]
    pub fn is_settled_by(self, bounds: Bounds) -> bool {
        bounds.lower >= self.beta || bounds.upper <= self.alpha || bounds.is_exact()
    }

    /// The part of the window that `bounds` leave open.
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
