//! The search for the best of many settings: all search a few positions, the best third go on, and so on
//! until one is left.
//!
//! Successive halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML
//! 2013) by thirds, with an equal share of the time for each rung. What comes next follows from what was
//! found, so that records can be gone on with.

use crate::runner::turns::in_turn;

/// One in so many settings goes on from a rung to the next.
const KEPT: usize = 3;

/// A setting that is far off so often is left out, wherever its rung is: once may be the machine's doing.
const STRIKES: u32 = 2;

/// How often a rung goes through the positions at most.
const PASSES: usize = 2;

/// What settings search next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The rung, from 0.
    pub(super) rung: usize,
    /// The position's place among those of the search.
    pub(super) place: usize,
    /// How often the position was searched before.
    pub(super) round: usize,
    /// The settings in the order in which they run.
    pub(super) order: Vec<usize>,
}

/// What a setting took at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// The setting.
    pub(super) setting: usize,
    /// Wall time, in nanoseconds.
    pub(super) wall_ns: u64,
    /// Whether that is far more than others take, or wrong.
    pub(super) is_off: bool,
}

/// How far the search has come.
#[derive(Clone, Debug)]
pub(super) struct Halving {
    /// The settings that may still be the best.
    left: Vec<usize>,
    /// The others, the latest to be left out first.
    out: Vec<usize>,
    /// What each has taken, all in all.
    total_ns: Vec<u64>,
    /// How often each was far off.
    strikes: Vec<u32>,
    positions: usize,
    rung: usize,
    rung_ns: u64,
    /// What this rung has taken.
    spent_ns: u64,
    /// The steps of this rung, and of all.
    steps: usize,
    all_steps: usize,
}

impl Halving {
    /// The search among so many settings for which there is so much time, on so many positions.
    pub(super) fn new(settings: usize, positions: usize, budget_ns: u64) -> Self {
        Halving {
            left: (0..settings).collect(),
            out: Vec::new(),
            total_ns: vec![0; settings],
            strikes: vec![0; settings],
            positions,
            rung: 0,
            rung_ns: budget_ns / rungs(settings).max(1),
            spent_ns: 0,
            steps: 0,
            all_steps: 0,
        }
    }

    /// What comes next; none when one setting is left.
    pub(super) fn next(&self) -> Option<Step> {
        let count = self.left.len();
        (count > 1).then(|| Step {
            rung: self.rung,
            place: self.all_steps % self.positions,
            round: self.all_steps / self.positions,
            order: in_turn(count, self.all_steps).map(|place| self.left[place]).collect(),
        })
    }

    /// Goes on from the step that came next: what each setting took, and what all of it took.
    pub(super) fn settle(&mut self, taken: &[Taken], spent_ns: u64) {
        for &Taken { setting, wall_ns, is_off } in taken {
            self.total_ns[setting] += wall_ns;
            self.strikes[setting] += u32::from(is_off);
        }
        self.spent_ns += spent_ns;
        self.steps += 1;
        self.all_steps += 1;
        let (out, left): (Vec<_>, Vec<_>) =
            self.ranked().into_iter().partition(|&setting| self.strikes[setting] >= STRIKES);
        if !left.is_empty() {
            self.leave(left, out);
        }
        if self.is_rung_over() {
            let mut left = self.ranked();
            let out = left.split_off(left.len().div_ceil(KEPT));
            self.leave(left, out);
            (self.rung, self.spent_ns, self.steps) = (self.rung + 1, 0, 0);
        }
    }

    /// Whether the rung's time is spent, as nearly as steps as long as those before it allow.
    fn is_rung_over(&self) -> bool {
        let step_ns = self.spent_ns / self.steps as u64;
        self.spent_ns + step_ns / 2 >= self.rung_ns || self.steps == PASSES * self.positions
    }

    fn leave(&mut self, mut left: Vec<usize>, mut out: Vec<usize>) {
        left.sort_unstable();
        out.append(&mut self.out);
        (self.left, self.out) = (left, out);
    }

    /// Those that are left, the best first.
    fn ranked(&self) -> Vec<usize> {
        let mut ranked = self.left.clone();
        ranked.sort_by_key(|&setting| self.total_ns[setting]);
        ranked
    }

    /// All settings, the best first.
    pub(super) fn ranking(&self) -> Vec<usize> {
        [self.ranked(), self.out.clone()].concat()
    }
}

/// How many rungs lead from so many settings to one.
fn rungs(settings: usize) -> u64 {
    std::iter::successors(Some(settings), |&left| (left > 1).then(|| left.div_ceil(KEPT))).count() as u64 - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Goes on until one is left, each setting taking what `cost` says of it and the step.
    fn run(halving: &mut Halving, cost: impl Fn(usize, &Step) -> (u64, bool)) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(step) = halving.next() {
            let taken = |&setting: &usize| {
                let (wall_ns, is_off) = cost(setting, &step);
                Taken { setting, wall_ns, is_off }
            };
            let taken: Vec<_> = step.order.iter().map(taken).collect();
            halving.settle(&taken, taken.iter().map(|taken| taken.wall_ns).sum());
            steps.push(step);
        }
        steps
    }

    #[test]
    fn thirds_go_on_while_the_time_lasts() {
        let mut halving = Halving::new(9, 4, 300);
        // The setting of number 7 is the fastest, then 6, 8, 5, ...
        let steps = run(&mut halving, |setting, _| (10 + (setting as u64).abs_diff(7), false));
        // A rung has 150: a step of nine settings takes 112, one of three 32.
        let sizes: Vec<_> = steps.iter().map(|step| (step.rung, step.order.len())).collect();
        assert_eq!(sizes, [(0, 9), (1, 3), (1, 3), (1, 3), (1, 3), (1, 3)]);
        let places: Vec<_> = steps.iter().map(|step| (step.place, step.round)).collect();
        assert_eq!(places, [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1)]);
        assert_eq!(halving.ranking(), [7, 6, 8, 5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn who_is_far_off_twice_is_left_out_at_once_unless_all_are() {
        let mut halving = Halving::new(3, 2, 1_000_000);
        // Number 2 is the fastest, but for the second position; number 1 is off once.
        let off = |setting, step: &Step| match setting {
            2 => step.place == 1,
            setting => setting == 1 && step.place == 0 && step.round == 0,
        };
        let steps = run(&mut halving, |setting, step| (10 - setting as u64, off(setting, step)));
        assert_eq!(steps.iter().map(|step| step.order.len()).collect::<Vec<_>>(), [3, 3, 3, 3]);
        assert_eq!(halving.ranking(), [1, 0, 2]);
        let mut halving = Halving::new(2, 1, 1_000_000);
        assert_eq!((run(&mut halving, |_, _| (1, true)).len(), halving.ranking()), (PASSES, vec![0, 1]));
    }

    #[test]
    fn one_setting_is_the_best_unseen() {
        let halving = Halving::new(1, 5, 0);
        assert_eq!((halving.next(), halving.ranking()), (None, vec![0]));
        assert_eq!([1, 2, 3, 4, 216].map(rungs), [0, 1, 1, 2, 5]);
    }

    proptest! {
        #[test]
        fn every_setting_is_ranked_once_and_a_search_without_noise_finds_the_best(
            costs in prop::collection::vec(1..1000_u64, 1..40),
            positions in 1..6_usize,
            budget in 0..100_000_u64,
        ) {
            let mut halving = Halving::new(costs.len(), positions, budget);
            let steps = run(&mut halving, |setting, _| (costs[setting], false));
            let mut ranking = halving.ranking();
            prop_assert_eq!(costs[ranking[0]], *costs.iter().min().unwrap());
            ranking.sort_unstable();
            prop_assert_eq!(ranking, (0..costs.len()).collect::<Vec<_>>());
            prop_assert!(steps.len() as u64 <= rungs(costs.len()) * (PASSES * positions) as u64);
        }
    }
}
