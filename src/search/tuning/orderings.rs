//! How moves are ranked at decision nodes near the leaves: by static evaluation of their successors, or by
//! killers and history.
//!
//! Evaluating every move finds a good one first, but is wasted where another move would have caused the
//! cutoff as well. Which is cheaper depends on the game, the evaluator and the parity of the depth. Above
//! collapsing chance nodes, or with dear evaluations, ranking costs most of what it saves.
//!
//! So at each depth one sample of nodes is ranked in each way, whichever is current, and the costs of their
//! searches are compared. A position's hash decides its sample. So all searches of a position are in the same
//! sample, a probe as well as the search that profits from the probe's table entry. Both samples have about
//! the same number of positions, so their total costs can be compared, however often each position was
//! searched.

use crate::game::PositionHash;
use crate::search::plies::Depth;
use crate::search::request::{MoveOrdering, Options};
use crate::search::tuning::Plan;

/// The depths at which the ordering is chosen. At depth 1 no successor is evaluated in advance, but winning
/// moves come first. Above depth 3 static ranking is nearly free, and samples would be dear.
const DEPTHS: std::ops::RangeInclusive<Depth> = 1..=3;

/// A choice is made once both samples have this many searches. Counts are halved at eight times as many.
const SEARCHES: u64 = 32;

/// Each sample is one node in 2^bits: the greatest and the least number of bits. The least is greater closer
/// to the leaves, where there are many nodes, and measuring one costs as much as searching it.
const MOST_BITS: u32 = 10;
fn least_bits(depth: Depth) -> u32 {
    7 - u32::from(depth)
}

/// The share of the search that the samples may cost, beyond the better ordering.
const SHARE: f64 = 1.0 / 64.0;

/// The ordering changes if the other one cost less than this part of the current one, and less by this many
/// standard errors.
const CLEARLY_LESS: f64 = 0.95;
const STANDARD_ERRORS: f64 = 1.0;

/// A measured node: how its moves are ranked, and the price of all that was done before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Trial {
    pub(in crate::search) is_static: bool,
    pub(super) depth: Depth,
    pub(super) before: u64,
}

/// The costs of the searches in a sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Costs {
    pub(super) searches: u64,
    sum: f64,
    squares: f64,
}

impl Costs {
    pub(super) fn note(&mut self, price: u64) {
        let price = price as f64;
        *self = Costs {
            searches: self.searches + 1,
            sum: self.sum + price,
            squares: self.squares + price * price,
        };
    }

    fn fade(&mut self) {
        *self = Costs { searches: self.searches / 2, sum: self.sum / 2.0, squares: self.squares / 4.0 };
    }

    /// The mean, and the square of its error; without searches no cost, and an error without bound.
    pub(super) fn mean(&self) -> (f64, f64) {
        if self.searches == 0 {
            return (0.0, f64::INFINITY);
        }
        let searches = self.searches as f64;
        (self.sum / searches, self.squares / (searches * searches))
    }
}

/// The two samples of a depth.
#[derive(Clone, Copy, Debug)]
struct Samples {
    /// Each sample is one node in 2^bits.
    bits: u32,
    heuristic: Costs,
    by_evaluation: Costs,
}

impl Samples {
    fn is_told(&self) -> bool {
        self.heuristic.searches.min(self.by_evaluation.searches) >= SEARCHES
    }

    /// The better ordering, given the current one.
    fn better(&self, is_static: bool) -> bool {
        let (present, other) = match is_static {
            true => (&self.by_evaluation, &self.heuristic),
            false => (&self.heuristic, &self.by_evaluation),
        };
        let gain = present.sum - other.sum;
        // Positions enter a sample at random, each with all its cost.
        let error = present.squares + other.squares;
        let is_clear =
            other.sum < CLEARLY_LESS * present.sum && gain * gain > STANDARD_ERRORS * STANDARD_ERRORS * error;
        is_static != is_clear
    }

    /// Makes the samples as large as their loss, the difference between the orderings, allows.
    fn resize(&mut self, depth: Depth) {
        let (one, other) = (self.heuristic.sum, self.by_evaluation.sum);
        let loss = one.max(other) / one.min(other).max(1.0) - 1.0;
        let parts = (loss / SHARE).max(1.0);
        self.bits = (parts.log2().ceil() as u32).clamp(least_bits(depth), MOST_BITS);
    }
}

/// The samples of each depth.
#[derive(Debug)]
pub(super) struct Orderings {
    is_tried: bool,
    at: [Samples; 3],
}

fn place(depth: Depth) -> usize {
    usize::from(depth - DEPTHS.start())
}

impl Orderings {
    pub(super) fn new(options: &Options) -> Self {
        let none = |depth| Samples {
            bits: least_bits(depth),
            heuristic: Costs::default(),
            by_evaluation: Costs::default(),
        };
        let is_tried = options.ordering == MoveOrdering::Chosen && options.algorithm.prunes();
        Orderings { is_tried, at: [1, 2, 3].map(none) }
    }

    /// The greatest depth of nodes in samples; 0 without samples.
    pub(super) fn deepest(&self) -> Depth {
        if self.is_tried { *DEPTHS.end() } else { 0 }
    }

    /// How to rank the moves of a node that is in a sample; `None` if it is in neither.
    #[inline]
    pub(super) fn trial(&self, depth: Depth, hash: PositionHash) -> Option<bool> {
        if !self.is_tried || !DEPTHS.contains(&depth) {
            return None;
        }
        // The top bits of products: similar positions may have similar hashes, that differ anywhere.
        let mixed = hash.high.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).wrapping_add(hash.low);
        let sample = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.at[place(depth)].bits);
        (sample < 2).then_some(sample == 0)
    }

    pub(super) fn note(&mut self, trial: Trial, price: u64) {
        let samples = &mut self.at[place(trial.depth)];
        if trial.is_static { samples.by_evaluation.note(price) } else { samples.heuristic.note(price) }
    }

    /// The plan that follows from the samples.
    pub(super) fn choose(&mut self, mut plan: Plan) -> Plan {
        if !self.is_tried {
            return plan;
        }
        for depth in DEPTHS {
            let samples = &mut self.at[place(depth)];
            if samples.is_told() {
                let is_static = samples.better(plan.ranks_statically(depth));
                plan = plan.with_ranking(depth, is_static);
                samples.resize(depth);
                if samples.heuristic.searches.max(samples.by_evaluation.searches) >= 8 * SEARCHES {
                    samples.heuristic.fade();
                    samples.by_evaluation.fade();
                }
            }
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(prices: impl IntoIterator<Item = u64>) -> Costs {
        let mut costs = Costs::default();
        prices.into_iter().for_each(|price| costs.note(price));
        costs
    }

    fn samples(heuristic: u64, by_evaluation: u64) -> Samples {
        // Half of the searches at twice the price, half free.
        let of = |price: u64| costs((0..1000).map(|n| if n % 2 == 0 { 2 * price } else { 0 }));
        Samples { bits: 4, heuristic: of(heuristic), by_evaluation: of(by_evaluation) }
    }

    #[test]
    fn what_is_clearly_cheaper_is_taken_and_what_is_about_the_same_stays() {
        assert!(samples(1000, 700).better(false));
        assert!(!samples(700, 1000).better(true));
        assert!(!samples(1000, 945).better(false), "within the errors");
        assert!(samples(945, 1000).better(true));
        let few = Samples { heuristic: costs([1000, 0]), by_evaluation: costs([0, 900]), bits: 5 };
        assert!(!few.is_told());
    }

    #[test]
    fn samples_are_small_where_the_two_ways_differ_much() {
        let bits = |heuristic, by_evaluation| {
            let mut samples = samples(heuristic, by_evaluation);
            samples.resize(3);
            samples.bits
        };
        assert_eq!(bits(1000, 1000), 4);
        assert_eq!(bits(1000, 2000), 6);
        assert_eq!(bits(100_000, 1000), MOST_BITS);
    }

    #[test]
    fn a_node_is_in_one_sample_or_the_other_or_in_none() {
        let mut orderings = Orderings::new(&Options::default());
        let forms: [fn(u64) -> PositionHash; 4] = [
            |n| PositionHash { high: 0, low: n },
            |n| PositionHash { high: n, low: 0 },
            |n| PositionHash { high: n << 49, low: 7 },
            |n| PositionHash { high: n / 128, low: n % 128 },
        ];
        for hash_of in forms {
            let mut counts = [0; 3];
            for n in 0..32_768 {
                counts[orderings.trial(3, hash_of(n)).map_or(2, usize::from)] += 1;
            }
            assert!(counts[..2].iter().all(|n| (1_900..2_200).contains(n)), "{counts:?}");
        }
        assert_eq!(
            orderings.trial(4, PositionHash::default()).or(orderings.trial(6, PositionHash::default())),
            None
        );
        orderings.is_tried = false;
        assert_eq!(orderings.trial(3, PositionHash::default()), None);
    }
}
