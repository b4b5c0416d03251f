//! Shares of a window: null windows that ask each successor of a chance node for its part of beta.
//!
//! The probes of Star2 are cheap and weak: with them a node may come close to beta and not reach it. Star1
//! then searches one successor after another in a window that only a value beyond all expectation would end.
//! Veness and Blair ask whether windows could be adjusted instead (section VIII.B). This phase, between the
//! two, is an answer.
//!
//! With the sum S of the upper bounds, the least sum B that reaches beta, and weights w, a node reaches beta
//! if no successor gives up more than its share of S - B. Successors are asked one after another: is it worth
//! at least `upper - (S - B - spent) / left`? `left` is the weight of those that have not been asked, and
//! `spent` what the others still lack to their upper bounds. A successor that reaches its share ends early,
//! at its first good move; one that cannot has told how little it is worth. What either proves is a bound
//! like any other, so values cannot change.
//!
//! The greatest weights come first, as they bring most; of equal ones the least lower bound, where the
//! probe's move was the worst guess.
//!
//! Whether it pays is counted (`tuning/share_trials.rs`): where successors have many moves it does. Ballard's
//! Star2.5 and the probing factors of Hauk, Buro and Schaeffer search more moves of every successor instead,
//! and so do not stop at a share.

use crate::score::{Bounds, Score};
use crate::search::chance_sums::ChanceSums;

/// The parts of the shares of successors that have not been asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shares {
    /// The sum of their weights.
    pub(crate) left: i64,
    /// The lack of those that were asked to their upper bounds, weighted.
    pub(crate) spent: i64,
}

impl Shares {
    /// Before anyone is asked, of successors with these weights.
    pub(crate) fn over(weights: impl Iterator<Item = u32>) -> Self {
        Shares { left: weights.map(i64::from).sum(), spent: 0 }
    }

    /// The null window in which a successor with these bounds is asked for its share, as bounds: its score
    /// before the share, and the share. `None` if nothing is to be asked.
    pub(crate) fn ask(self, sums: &ChanceSums, weight: u32, bounds: Bounds) -> Option<Bounds> {
        let room = sums.upper - sums.beta_threshold - self.spent;
        if room < 0 || self.left <= 0 {
            return None; // beta cannot be reached without what others have missed
        }
        let usual = sums.window_for(weight, bounds);
        // Where others take their shares meanwhile, less may be left than `room` is for, and the share beyond
        // any score.
        let share = (i64::from(bounds.upper) - room / self.left).min(usual.beta.into());
        (share > usual.alpha.into()).then(|| Bounds::new(share as Score - 1, share as Score))
    }

    /// A successor was asked, or needed not be, and has these bounds.
    pub(crate) fn note(&mut self, weight: u32, bounds: Bounds) {
        self.left -= i64::from(weight);
        self.spent += lack(weight, bounds);
    }
}

/// The lack of the lower bound to the upper bound, weighted.
pub(crate) fn lack(weight: u32, bounds: Bounds) -> i64 {
    i64::from(weight) * i64::from(bounds.upper - bounds.lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MAX_LIMIT, Window};

    const LIMIT: Score = 6;

    /// Successors with weights from 1 to 3 and any bounds, drawn from the bits of a number.
    fn drawn(seed: u64) -> Vec<(u32, Bounds)> {
        let mut bits = crate::evaluator::mix64(seed);
        let mut draw = |most: u64| {
            bits = crate::evaluator::mix64(bits);
            bits % most
        };
        let count = 1 + draw(5);
        let one = |_| {
            let lower = draw(2 * LIMIT as u64) as Score - LIMIT;
            let upper = lower + 1 + draw((LIMIT - lower) as u64) as Score;
            (1 + draw(3) as u32, Bounds::new(lower, upper))
        };
        (0..count).map(one).collect()
    }

    fn sums_of(successors: &[(u32, Bounds)], window: Window) -> ChanceSums {
        let total = successors.iter().map(|&(weight, _)| i64::from(weight)).sum();
        let mut sums = ChanceSums::new(total, LIMIT, window);
        successors.iter().for_each(|&(weight, bounds)| sums.update(weight, Bounds::unknown(LIMIT), bounds));
        sums
    }

    fn shares_of(successors: &[(u32, Bounds)]) -> Shares {
        Shares::over(successors.iter().map(|&(weight, _)| weight))
    }

    /// Asks all in turn. `answer` gives the bounds after each question. Returns the sums, and how many were
    /// asked.
    fn ask_all(
        successors: &[(u32, Bounds)],
        window: Window,
        answer: impl Fn(Bounds, Bounds) -> Bounds,
    ) -> (ChanceSums, u64) {
        let (mut sums, mut shares, mut asked) = (sums_of(successors, window), shares_of(successors), 0);
        for &(weight, before) in successors {
            if sums.is_cut() {
                break;
            }
            let mut after = before;
            if let Some(null) = shares.ask(&sums, weight, before) {
                assert_eq!(null.lower + 1, null.upper, "a null window");
                assert!(
                    before.lower <= null.lower && null.upper <= before.upper,
                    "{null:?} within {before:?}"
                );
                let usual = sums.window_for(weight, before);
                assert!(usual.alpha <= null.lower && null.upper <= usual.beta, "{null:?} within {usual:?}");
                (after, asked) = (answer(before, null), asked + 1);
            }
            sums.update(weight, before, after);
            shares.note(weight, after);
        }
        (sums, asked)
    }

    #[test]
    fn a_node_whose_successors_reach_their_shares_reaches_beta() {
        let (mut reached, mut asked) = (0, 0);
        for seed in 0..20_000 {
            let successors = drawn(seed);
            let window = Window::new(-LIMIT, 1 - LIMIT + (seed % 11) as Score);
            let sums = sums_of(&successors, window);
            if sums.is_cut() || sums.upper < sums.beta_threshold {
                continue;
            }
            let just = |before: Bounds, null: Bounds| Bounds::new(null.upper, before.upper);
            let (sums, questions) = ask_all(&successors, window, just);
            assert!(sums.lower >= sums.beta_threshold, "{successors:?}, {window:?}: {sums:?}");
            (reached, asked) = (reached + 1, asked + questions);
        }
        assert!(reached > 5_000 && asked > 2 * reached, "{reached}, {asked}");
    }

    /// Among threads what is left may be told of late, or before what was spent.
    #[test]
    fn a_share_is_within_the_window_whatever_has_been_told_of_others() {
        let unknown = Bounds::unknown(MAX_LIMIT);
        for weight in [1, 1 << 9, 1 << 23, u32::MAX / 600] {
            let total = 600 * i64::from(weight);
            let sums = ChanceSums::new(total, MAX_LIMIT, Window::new(-MAX_LIMIT, 1 - MAX_LIMIT));
            let usual = sums.window_for(weight, unknown);
            for left in [1, i64::from(weight), total / 2, total] {
                for spent in [0, total, total * i64::from(MAX_LIMIT)] {
                    let Some(null) = (Shares { left, spent }).ask(&sums, weight, unknown) else {
                        continue;
                    };
                    assert!(
                        usual.alpha <= null.lower && null.upper <= usual.beta,
                        "{null:?}, {left}, {spent}"
                    );
                }
            }
        }
    }

    #[test]
    fn nobody_is_asked_for_what_others_have_missed() {
        for seed in 0..20_000 {
            let successors = drawn(seed);
            let window = Window::new(-LIMIT, 1 - LIMIT + (seed % 11) as Score);
            // Whoever is asked has nothing to give but proof of the contrary.
            let missed = |before: Bounds, null: Bounds| Bounds::new(before.lower, null.lower);
            let (sums, _) = ask_all(&successors, window, missed);
            let sure = sums.lower >= sums.beta_threshold;
            let before = sums_of(&successors, window);
            assert_eq!(sure, before.lower >= before.beta_threshold, "{successors:?}, {window:?}");
        }
    }
}
