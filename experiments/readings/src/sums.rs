//! A chance node's bounds and its successors' windows (Veness and Blair, section IV: LB, UB, ChildMin,
//! ChildMax), in integers, for faces that are equally likely.

use crate::game::FACES;
use crate::table::Bounds;
use starsplit::score::Score;

/// What is known of the successors of a chance node: the paper's `cinfo`.
pub(crate) struct Successors {
    pub(crate) lower: [Score; FACES],
    pub(crate) upper: [Score; FACES],
    pub(crate) count: usize,
}

impl Successors {
    /// Of so many nothing is known but that they lie between `-limit` and `limit`.
    pub(crate) fn unknown(count: usize, limit: Score) -> Self {
        Successors { lower: [-limit; FACES], upper: [limit; FACES], count }
    }

    fn sum(&self, bounds: &[Score; FACES]) -> i64 {
        bounds[..self.count].iter().map(|&bound| i64::from(bound)).sum()
    }

    /// Takes over what a search has proven of successor `i`: its value, or a bound, which never gets wider.
    pub(crate) fn note(&mut self, i: usize, proof: Bounds) {
        match proof {
            (Some(lower), Some(upper)) => (self.lower[i], self.upper[i]) = (lower, upper),
            (Some(lower), None) => self.lower[i] = lower.max(self.lower[i]),
            (None, upper) => self.upper[i] = upper.map_or(self.upper[i], |upper| upper.min(self.upper[i])),
        }
    }

    /// LB(n), rounded onto the grid.
    pub(crate) fn lower(&self) -> Score {
        rounded(self.sum(&self.lower), self.count)
    }

    /// UB(n), rounded onto the grid.
    pub(crate) fn upper(&self) -> Score {
        rounded(self.sum(&self.upper), self.count)
    }

    /// ChildMax(n, i): what successor `i` has to be worth at least, for the node to be worth `beta`. May lie
    /// beyond the grid.
    pub(crate) fn child_max(&self, i: usize, beta: Score) -> i64 {
        least_sum(beta, self.count) - self.sum(&self.lower) + i64::from(self.lower[i])
    }

    /// ChildMin(n, i): what it has to be worth at most, for the node to be worth no more than `alpha`.
    pub(crate) fn child_min(&self, i: usize, alpha: Score) -> i64 {
        -least_sum(-alpha, self.count) - self.sum(&self.upper) + i64::from(self.upper[i])
    }
}

/// The mean of a sum over so many, rounded half away from zero, as the library rounds.
pub(crate) fn rounded(sum: i64, count: usize) -> Score {
    let count = count as i64;
    let half = (2 * sum.abs() + count) / (2 * count);
    (half * sum.signum()) as Score
}

/// The least sum whose mean over so many rounds to `beta` or more.
fn least_sum(beta: Score, count: usize) -> i64 {
    let twice = (2 * i64::from(beta) - 1) * count as i64;
    if beta >= 1 { (twice + 1).div_euclid(2) } else { twice.div_euclid(2) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_neither_narrower_nor_wider_than_rounding_needs() {
        for count in 1..=6 {
            for bound in -9..=9 {
                let least = (-100..=100).find(|&sum| rounded(sum, count) >= bound).unwrap();
                assert_eq!(least_sum(bound, count), least, "{bound} of {count}");
            }
        }
    }

    #[test]
    fn a_successor_at_its_childmax_or_childmin_ends_the_node() {
        let mut known = Successors::unknown(3, 10);
        known.note(0, (Some(8), Some(8)));
        // The paper's Figure 2.1 in tenths: after 0.8, the window [-0.4, 0.1], the second ends it at 0.5.
        assert_eq!(known.child_max(1, 1), 4, "a sum of 2 rounds up to 1");
        known.lower[1] = 4;
        assert_eq!(known.lower(), 1);
        let mut known = Successors::unknown(2, 10);
        known.upper[0] = -3;
        let most = known.child_min(1, -4);
        known.upper[1] = most as Score;
        assert_eq!(known.upper(), -4);
        known.upper[1] = most as Score + 1;
        assert_eq!(known.upper(), -3);
    }
}
