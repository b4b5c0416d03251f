//! What is known of a chance node, in exact integers: the same arithmetic as the library's, written apart
//! from it.

use starsplit::score::{Bounds, Score, Window};

/// The weighted sums of a chance node's successors, and what its window asks of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    /// The sum of the weights.
    pub(super) total: i64,
    /// The weighted sum of the lower bounds.
    pub(super) lower: i64,
    /// The weighted sum of the upper bounds.
    pub(super) upper: i64,
    /// The least sum that rounds to beta or more.
    pub(super) reach: i64,
    /// The greatest sum that rounds to alpha or less.
    pub(super) within: i64,
}

impl Sums {
    /// The sums of no successors, for weights of this sum.
    pub(super) fn new(total: i64, window: Window) -> Self {
        let (reach, within) = (least_reaching(window.beta, total), -least_reaching(-window.alpha, total));
        Sums { total, lower: 0, upper: 0, reach, within }
    }

    /// A successor of which nothing was counted has these bounds.
    pub(super) fn add(&mut self, weight: u32, bounds: Bounds) {
        self.lower += i64::from(weight) * i64::from(bounds.lower);
        self.upper += i64::from(weight) * i64::from(bounds.upper);
    }

    /// The bounds of a successor are others now.
    pub(super) fn change(&mut self, weight: u32, before: Bounds, after: Bounds) {
        self.lower += i64::from(weight) * i64::from(after.lower - before.lower);
        self.upper += i64::from(weight) * i64::from(after.upper - before.upper);
    }

    /// Whether the node is proven to be at least beta or at most alpha.
    pub(super) fn is_cut(&self) -> bool {
        self.lower >= self.reach || self.upper <= self.within
    }

    /// The node's own bounds.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::new(rounded(self.lower, self.total), rounded(self.upper, self.total))
    }

    /// Star1's window for a successor of which `bounds` are known (the paper's `ChildMin` and `ChildMax`).
    pub(super) fn window_for(&self, weight: u32, bounds: Bounds) -> Window {
        let weight = i64::from(weight);
        let up = -(self.lower - self.reach).div_euclid(weight);
        let down = (self.within - self.upper).div_euclid(weight);
        Window {
            alpha: (down + i64::from(bounds.upper)).max(i64::from(bounds.lower)) as Score,
            beta: (up + i64::from(bounds.lower)).min(i64::from(bounds.upper)) as Score,
        }
    }
}

/// `sum / total` rounded, halves away from zero.
fn rounded(sum: i64, total: i64) -> Score {
    let magnitude = (2 * sum.abs() + total) / (2 * total);
    (sum.signum() * magnitude) as Score
}

/// The least sum whose rounded quotient is at least `beta`.
fn least_reaching(beta: Score, total: i64) -> i64 {
    let twice = (2 * i64::from(beta) - 1) * total;
    // Up to a positive beta a half is enough; a half below zero has to be passed.
    if beta >= 1 { -(-twice).div_euclid(2) } else { twice.div_euclid(2) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_the_first_and_the_last_sums_that_round_so() {
        for total in 1..=9 {
            for score in -5..=5 {
                let sums = Sums::new(total, Window::new(score, score + 1));
                let of = |sum| rounded(sum, total);
                assert!(of(sums.within) <= score && of(sums.within + 1) > score, "{score} of {total}");
                assert!(of(sums.reach) > score && of(sums.reach - 1) <= score, "{score} of {total}");
            }
        }
    }

    #[test]
    fn a_window_is_as_wide_as_it_has_to_be() {
        let known = [Bounds::new(-4, 4), Bounds::new(-1, 3)];
        for weights in [[1, 1], [2, 3], [5, 1]] {
            for alpha in -4..4 {
                let mut sums = Sums::new(i64::from(weights[0] + weights[1]), Window::new(alpha, alpha + 1));
                (0..2).for_each(|place| sums.add(weights[place], known[place]));
                if sums.is_cut() {
                    continue;
                }
                let window = sums.window_for(weights[0], known[0]);
                for value in -4..=4 {
                    let mut after = sums;
                    after.change(weights[0], known[0], Bounds::new(value, 4));
                    assert_eq!(
                        after.lower >= after.reach,
                        value >= window.beta && window.beta < 4 || {
                            value == 4 && after.lower >= after.reach
                        }
                    );
                    let mut after = sums;
                    after.change(weights[0], known[0], Bounds::new(-4, value));
                    assert!((after.upper <= after.within) <= (value <= window.alpha), "{value} {window:?}");
                }
            }
        }
    }
}
