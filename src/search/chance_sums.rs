//! The exact sums of a chance node: weighted sums of its successors' bounds, how they round to the node's
//! bounds, and the window of each successor.
//!
//! The value of a chance node is `round(sum(w_i * v_i) / W)`, half away from zero. This is monotone and odd,
//! so the player does not matter. Every test uses the sums, without rounding and without division:
//!
//! * `lower >= beta` exactly when `sum(w_i * lower_i) >= beta_threshold`, the least sum that rounds to `beta`
//!   or more;
//! * `upper <= alpha` exactly when `sum(w_i * upper_i) <= alpha_threshold`, the greatest sum that rounds to
//!   `alpha` or less.
//!
//! The paper's `ChildMin` and `ChildMax` (section IV) follow with floor and ceiling: a lower bound of
//! `child_max` for a successor makes `lower >= beta`, an upper bound of `child_min` makes `upper <= alpha`,
//! and nothing weaker does. The tests check this by brute force.

use crate::score::{Bounds, Score, Window};
use crate::search::answer::SearchError;

/// Whether the weights of a chance node's outcomes are valid: the least of them, and their sum.
#[inline]
pub(crate) fn are_weights(least: u32, total: u64) -> bool {
    least > 0 && (1..=u64::from(u32::MAX)).contains(&total)
}

/// What is wrong with weights that are not valid.
#[cold]
pub(crate) fn fault_of_weights(least: u32, total: u64) -> SearchError {
    if least == 0 { SearchError::ZeroWeight } else { SearchError::TotalWeight { total } }
}

/// The sums of a chance node and the thresholds of its window. Sums stay below 2^56: weights sum to less than
/// 2^32, scores are below 2^23, and a threshold is within one W of a sum that can occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChanceSums {
    /// W, the sum of the weights.
    pub(crate) total: i64,
    /// The weighted sum of the successors' lower bounds.
    pub(crate) lower: i64,
    /// The weighted sum of the successors' upper bounds.
    pub(crate) upper: i64,
    /// The least sum that rounds to beta or more.
    pub(crate) beta_threshold: i64,
    /// The greatest sum that rounds to alpha or less.
    pub(crate) alpha_threshold: i64,
}

impl ChanceSums {
    /// The sums of a node without known successors.
    pub(crate) fn new(total: i64, limit: Score, window: Window) -> Self {
        ChanceSums {
            total,
            lower: -i64::from(limit) * total,
            upper: i64::from(limit) * total,
            beta_threshold: least_sum_reaching(window.beta, total),
            alpha_threshold: greatest_sum_within(window.alpha, total),
        }
    }

    /// Sets the thresholds of another window; the sums stay.
    pub(crate) fn ask(&mut self, window: Window) {
        self.beta_threshold = least_sum_reaching(window.beta, self.total);
        self.alpha_threshold = greatest_sum_within(window.alpha, self.total);
    }

    /// A successor's bounds changed from `before` to `after`.
    #[inline]
    pub(crate) fn update(&mut self, weight: u32, before: Bounds, after: Bounds) {
        let (lower, upper) = changes(weight, before, after);
        self.lower += lower;
        self.upper += upper;
    }

    /// Whether the node is cut: proven to be at least beta or at most alpha.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.lower >= self.beta_threshold || self.upper <= self.alpha_threshold
    }

    /// Whether beta is less than `far`: a lower bound of `far` would cut the node.
    #[inline]
    pub(crate) fn may_reach(&self, far: Score) -> bool {
        2 * self.beta_threshold < (2 * i64::from(far) - 1) * self.total
    }

    /// Whether alpha is greater than `-far`: an upper bound of `-far` would cut the node.
    #[inline]
    pub(crate) fn may_stay_within(&self, far: Score) -> bool {
        2 * self.alpha_threshold > (1 - 2 * i64::from(far)) * self.total
    }

    /// Whether no sum lies between the thresholds. Only windows of different moments, one of them empty by
    /// now, can leave the thresholds so.
    pub(crate) fn is_crossed(&self) -> bool {
        self.alpha_threshold >= self.beta_threshold
    }

    /// The bounds of the node.
    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        let lower = rounded_quotient(self.lower, self.total);
        let upper = if self.upper == self.lower { lower } else { rounded_quotient(self.upper, self.total) };
        Bounds { lower, upper }
    }

    /// The window for a successor with these bounds: `ChildMin` and `ChildMax`, clipped to the bounds.
    ///
    /// Never empty while the node is not cut, its own window is not empty and the successor is not exact. The
    /// sums may be stale (they are then wider, and so is the window); `bounds` must be current.
    #[inline]
    pub(crate) fn window_for(&self, weight: u32, bounds: Bounds) -> Window {
        // The distance of the sums from the thresholds, divided by the successor's weight. Fair dice need no
        // division.
        let (mut up, mut down) = (self.beta_threshold - self.lower, self.alpha_threshold - self.upper);
        if weight != 1 {
            (up, down) = (div_ceil(up, i64::from(weight)), down.div_euclid(i64::from(weight)));
        }
        let window = Window {
            alpha: (down + i64::from(bounds.upper)).max(i64::from(bounds.lower)) as Score,
            beta: (up + i64::from(bounds.lower)).min(i64::from(bounds.upper)) as Score,
        };
        debug_assert!(
            window.alpha < window.beta,
            "empty window {window:?} from {self:?}, {weight}, {bounds:?}"
        );
        window
    }
}

/// The changes of the weighted sums of the bounds.
#[inline]
pub(crate) fn changes(weight: u32, before: Bounds, after: Bounds) -> (i64, i64) {
    let weight = i64::from(weight);
    (weight * i64::from(after.lower - before.lower), weight * i64::from(after.upper - before.upper))
}

/// `sum / total` rounded to the nearest integer, halves away from zero.
#[inline]
pub(crate) fn rounded_quotient(sum: i64, total: i64) -> Score {
    let magnitude = (2 * sum.unsigned_abs() + total as u64) / (2 * total as u64);
    if sum < 0 { -(magnitude as Score) } else { magnitude as Score }
}

/// The least sum that rounds to `beta` or more.
#[inline]
fn least_sum_reaching(beta: Score, total: i64) -> i64 {
    let twice = (2 * i64::from(beta) - 1) * total;
    // A half rounds away from zero: up to a positive beta, so the half itself is enough; down from any other,
    // so the sum must exceed it. Shifting right is flooring.
    if beta >= 1 { (twice + 1) >> 1 } else { (twice >> 1) + 1 }
}

/// The greatest sum that rounds to `alpha` or less.
#[inline]
fn greatest_sum_within(alpha: Score, total: i64) -> i64 {
    -least_sum_reaching(-alpha, total)
}

#[inline]
fn div_ceil(dividend: i64, divisor: i64) -> i64 {
    -(-dividend).div_euclid(divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Score = 4;

    #[test]
    fn quotients_round_half_away_from_zero() {
        for total in 1..=9i64 {
            for sum in -40..=40i64 {
                let exact = sum as f64 / total as f64;
                assert_eq!(rounded_quotient(sum, total), exact.round() as Score, "{sum} / {total}");
                assert_eq!(
                    rounded_quotient(sum, total),
                    -rounded_quotient(-sum, total),
                    "odd at {sum} / {total}"
                );
            }
        }
    }

    #[test]
    fn thresholds_are_the_first_and_last_sums_that_round_so() {
        for total in 1..=9i64 {
            for score in -LIMIT - 1..=LIMIT + 1 {
                let reach = least_sum_reaching(score, total);
                assert!(rounded_quotient(reach, total) >= score, "{reach} / {total} reaches {score}");
                assert!(
                    rounded_quotient(reach - 1, total) < score,
                    "{reach} - 1 / {total} does not reach {score}"
                );
                let within = greatest_sum_within(score, total);
                assert!(rounded_quotient(within, total) <= score, "{within} / {total} is within {score}");
                assert!(
                    rounded_quotient(within + 1, total) > score,
                    "{within} + 1 / {total} is not within {score}"
                );
            }
        }
    }

    /// Every window that a node of two or three successors can have on a coarse grid. The successor's window
    /// must be exactly what the cut tests need, and never empty.
    #[test]
    fn windows_are_neither_wider_nor_narrower_than_soundness_needs() {
        let mut checked = 0;
        for weights in [[1, 1, 1], [1, 2, 3], [5, 1, 2], [3, 3, 4], [1, 7, 7]] {
            let total: i64 = weights.iter().map(|&w| i64::from(w)).sum();
            for other in all_bounds(2) {
                for own in all_bounds(2) {
                    for (alpha, beta) in (-LIMIT..=LIMIT).flat_map(|a| (a + 1..=LIMIT).map(move |b| (a, b))) {
                        let mut sums = ChanceSums::new(total, LIMIT, Window::new(alpha, beta));
                        let unknown = Bounds::unknown(LIMIT);
                        sums.update(weights[0], unknown, own);
                        sums.update(weights[1], unknown, other);
                        if sums.is_cut() || own.is_exact() {
                            continue;
                        }
                        let window = sums.window_for(weights[0], own);
                        assert!(window.alpha < window.beta);
                        for v in own.lower..=own.upper {
                            let cut_high = learnt(sums, weights[0], own, Bounds::new(v, own.upper)).lower
                                >= sums.beta_threshold;
                            assert_eq!(cut_high, v >= window.beta && window.beta <= own.upper && cut_high);
                            assert!(cut_high || v < window.beta || v == own.upper, "too narrow above");
                            assert!(!cut_high || v >= window.beta, "too wide above");
                            let cut_low = learnt(sums, weights[0], own, Bounds::new(own.lower, v)).upper
                                <= sums.alpha_threshold;
                            assert!(cut_low || v > window.alpha || v == own.lower, "too narrow below");
                            assert!(!cut_low || v <= window.alpha, "too wide below");
                        }
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 10_000, "only {checked} windows were checked");
    }

    /// The greatest weights and the finest grid, compared with the definitions in wider numbers.
    #[test]
    fn extremes_do_not_overflow() {
        let limit = crate::score::MAX_LIMIT;
        let rounded = |sum: i128, total: i128| {
            let twice = 2 * sum.abs() + total;
            sum.signum() * (twice / (2 * total))
        };
        for weights in [[1, u32::MAX - 1], [u32::MAX / 2, u32::MAX / 2 + 1], [u32::MAX - 1, 1]] {
            let total = i64::from(weights[0]) + i64::from(weights[1]);
            for (alpha, beta) in [(-limit, limit), (limit - 1, limit), (-limit, 1 - limit), (-1, 0), (0, 1)] {
                let sums = ChanceSums::new(total, limit, Window::new(alpha, beta));
                let as_score = |sum: i64| rounded(i128::from(sum), i128::from(total));
                assert!(
                    as_score(sums.beta_threshold) >= i128::from(beta)
                        && as_score(sums.beta_threshold - 1) < i128::from(beta)
                );
                assert!(
                    as_score(sums.alpha_threshold) <= i128::from(alpha)
                        && as_score(sums.alpha_threshold + 1) > i128::from(alpha)
                );
                for own in
                    [Bounds::unknown(limit), Bounds::new(limit - 1, limit), Bounds::new(-limit, -limit + 1)]
                {
                    for weight in weights {
                        let mut sums = sums;
                        sums.update(weight, Bounds::unknown(limit), own);
                        assert_eq!(i128::from(sums.bounds().lower), as_score(sums.lower));
                        assert_eq!(i128::from(sums.bounds().upper), as_score(sums.upper));
                        if !sums.is_cut() {
                            let window = sums.window_for(weight, own);
                            assert!(own.lower <= window.alpha && window.beta <= own.upper);
                        }
                    }
                }
            }
        }
    }

    fn all_bounds(step: usize) -> impl Iterator<Item = Bounds> {
        (-LIMIT..=LIMIT)
            .step_by(step)
            .flat_map(move |lower| (lower..=LIMIT).step_by(step).map(move |upper| Bounds::new(lower, upper)))
    }

    fn learnt(mut sums: ChanceSums, weight: u32, before: Bounds, after: Bounds) -> ChanceSums {
        sums.update(weight, before, after);
        sums
    }
}
