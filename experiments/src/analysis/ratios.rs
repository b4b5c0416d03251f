//! Ratios of runs that lay next to each other in time.
//!
//! In every round each contender searches each position once, one right after the other. A machine whose
//! speed changes by the second is about as fast for one run as for the next, and not for one of another
//! round. So a ratio is taken within each round, and its median over the rounds is what counts. The ratio of
//! two medians would set a moment at which the machine was fast for one contender against a moment at which
//! it was slow for the other.

use crate::analysis::costs::{Cost, Costs};
use crate::analysis::efforts::{Effort, Efforts};
use starsplit_statistics::summary::median;
use std::iter::Sum;

/// What something is in every round that all contenders have run: at each position, and over all positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired<T> {
    /// Over all positions, in every round that all of them have.
    pub total: Vec<T>,
    /// At each position, in every round that it has.
    pub each: Vec<Vec<T>>,
}

/// A ratio of two costs in every round: at each position, and of the sums over all positions.
pub type Ratio = Paired<f64>;

impl<T> Paired<T> {
    /// What `run` says of a position and a round, for all that are paired in `costs` at `positions`, and the
    /// sums of it.
    pub(crate) fn of(costs: &Costs, positions: &[usize], run: impl Fn(usize, usize) -> T) -> Self
    where
        T: Sum,
    {
        let sum = |round| positions.iter().map(|&position| run(position, round)).sum();
        let at = |&position: &usize| {
            costs.rounds(position).into_iter().map(|round| run(position, round)).collect()
        };
        Paired {
            total: costs.shared_rounds(positions).into_iter().map(sum).collect(),
            each: positions.iter().map(at).collect(),
        }
    }

    /// What `join` makes of both, round by round. Both are of the same positions.
    pub fn with<U, V>(&self, other: &Paired<U>, join: impl Fn(&T, &U) -> V) -> Paired<V> {
        let rounds =
            |one: &[T], other: &[U]| one.iter().zip(other).map(|(one, other)| join(one, other)).collect();
        Paired {
            total: rounds(&self.total, &other.total),
            each: self.each.iter().zip(&other.each).map(|(one, other)| rounds(one, other)).collect(),
        }
    }
}

impl Paired<Cost> {
    /// The costs of a contender at `positions`, round by round.
    pub fn costs(costs: &Costs, contender: usize, positions: &[usize]) -> Self {
        Paired::of(costs, positions, |position, round| costs.run(contender, position, round))
    }
}

impl Paired<Effort> {
    /// What a contender spent at `positions`, in the rounds that are paired in `costs`.
    pub fn efforts(costs: &Costs, efforts: &Efforts, contender: usize, positions: &[usize]) -> Self {
        Paired::of(costs, positions, |position, round| efforts.run(contender, position, round))
    }
}

impl Ratio {
    /// The same ratio over the other, round by round.
    #[must_use]
    pub fn over(&self, other: &Ratio) -> Ratio {
        self.with(other, |one, other| one / other)
    }

    /// The median over the rounds, of the sums over all positions; not a number where no round has all
    /// positions.
    pub fn of_sums(&self) -> f64 {
        middle(&self.total)
    }

    /// The median over the rounds at the position with this number among those that count.
    pub fn at(&self, place: usize) -> f64 {
        middle(&self.each[place])
    }

    /// The median over the rounds at each position.
    pub fn by_position(&self) -> Vec<f64> {
        (0..self.each.len()).map(|place| self.at(place)).collect()
    }
}

fn middle(rounds: &[f64]) -> f64 {
    median(rounds).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn how_fast_the_machine_was_in_a_round_changes_no_ratio(
            runs in prop::collection::vec((1.0..10.0_f64, 1.0..10.0_f64, 0.1..10.0_f64), 1..8),
        ) {
            let ratio = |is_steady: bool| {
                let mut costs = Costs::new(2, 1);
                for (round, (one, other, speed)) in runs.iter().enumerate() {
                    let speed = if is_steady { 1.0 } else { *speed };
                    for (contender, seconds) in [one, other].into_iter().enumerate() {
                        costs.add(contender, 0, round, Cost { nodes: 1.0, seconds: seconds / speed });
                    }
                }
                speedup(&costs)
            };
            let (steady, changing) = (ratio(true), ratio(false));
            prop_assert!((steady.of_sums() / changing.of_sums() - 1.0).abs() < 1e-9);
            prop_assert!((steady.at(0) / changing.at(0) - 1.0).abs() < 1e-9);
        }
    }

    /// The seconds of two contenders at each position, round by round; in every round the machine has another
    /// speed.
    fn costs(speeds: &[f64]) -> Costs {
        let mut costs = Costs::new(2, 2);
        for (round, speed) in speeds.iter().enumerate() {
            for (contender, position, seconds) in [(0, 0, 6.0), (1, 0, 3.0), (0, 1, 10.0), (1, 1, 7.0)] {
                costs.add(contender, position, round, Cost { nodes: 100.0, seconds: seconds / speed });
            }
        }
        costs
    }

    fn speedup(costs: &Costs) -> Ratio {
        let [one, other] = [0, 1].map(|contender| Paired::costs(costs, contender, &costs.complete()));
        one.with(&other, |one, other| one.seconds / other.seconds)
    }

    #[test]
    fn a_machine_that_slows_down_between_rounds_changes_no_ratio() {
        let (steady, slowing) = (speedup(&costs(&[1.0, 1.0, 1.0])), speedup(&costs(&[1.0, 0.5, 0.5])));
        assert_eq!(slowing, steady);
        assert_eq!((steady.of_sums(), steady.by_position()), (1.6, vec![2.0, 10.0 / 7.0]));
    }

    #[test]
    fn runs_of_the_same_round_are_paired_not_medians() {
        // The machine changes its speed between rounds, and within two of them.
        let mut costs = Costs::new(2, 1);
        let seconds = [(8.0, 8.0), (4.0, 2.0), (8.0, 4.0), (16.0, 8.0), (4.0, 8.0)];
        for (round, (one, other)) in seconds.into_iter().enumerate() {
            costs.add(0, 0, round, Cost { nodes: 1.0, seconds: one });
            costs.add(1, 0, round, Cost { nodes: 1.0, seconds: other });
        }
        assert_eq!([0, 1].map(|contender| costs.medians(contender, &[0])[0].seconds), [8.0, 8.0]);
        let found = speedup(&costs);
        assert_eq!(found.each, [[1.0, 2.0, 2.0, 2.0, 0.5]]);
        assert_eq!((found.by_position(), found.of_sums()), (vec![2.0], 2.0));
    }

    #[test]
    fn one_ratio_over_another_is_taken_round_by_round() {
        let one = Ratio { total: vec![6.0, 1.0, 8.0], each: vec![vec![9.0, 2.0], vec![5.0]] };
        let other = Ratio { total: vec![2.0, 1.0, 2.0], each: vec![vec![3.0, 4.0], vec![10.0]] };
        let share = one.over(&other);
        assert_eq!(share, Ratio { total: vec![3.0, 1.0, 4.0], each: vec![vec![3.0, 0.5], vec![0.5]] });
        // The medians are 6 and 2, and 5.5 and 3.5: their ratios would be 3 and 1.57.
        assert_eq!((share.of_sums(), share.by_position()), (3.0, vec![1.75, 0.5]));
    }

    #[test]
    fn rounds_that_not_all_have_run_do_not_count() {
        let mut costs = costs(&[1.0, 1.0]);
        // A third round that ended in the middle: the first position is through, the second is not.
        costs.add(0, 0, 2, Cost { nodes: 100.0, seconds: 9.0 });
        costs.add(1, 0, 2, Cost { nodes: 100.0, seconds: 1.0 });
        costs.add(0, 1, 2, Cost { nodes: 100.0, seconds: 1_000.0 });
        let found = speedup(&costs);
        assert_eq!(found.each, [vec![2.0, 2.0, 9.0], vec![10.0 / 7.0; 2]]);
        assert_eq!(found.total, [1.6, 1.6]);
    }

    #[test]
    fn without_rounds_there_is_no_ratio() {
        let found = speedup(&Costs::new(2, 2));
        assert!(found.of_sums().is_nan() && found.by_position().is_empty(), "{found:?}");
    }
}
