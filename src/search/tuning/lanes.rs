//! How many lanes a thread has, where that is left to the search: by what evaluations cost.
//!
//! More lanes make fuller batches, and search more that a serial search would not. What they search beside
//! it was measured in backgammon, to 5 plies, on one thread: 6% more evaluations with 16 lanes, 11 to 15%
//! with 64, 26 to 35% with 256; as much with as many workers on threads of their own. It grows a little
//! slower than their square root.

use crate::evaluator::EvaluationCost;
use crate::search::request::{MAX_BATCH, MAX_WORKERS, Options};

/// The share of evaluations that are made in vain beside one worker's, times the root of the number of
/// workers.
const WASTE: f64 = 0.018;

/// What is added to an evaluation by lanes, in nanoseconds: to leave a request and to go on with another lane.
const HAND_OVER_NS: f64 = 100.0;

/// The least share of the time of evaluations that has to be saved.
const LEAST_GAIN: f64 = 0.2;

/// The least batch that is chosen: lanes may have several requests each.
const LEAST_BATCH: usize = 64;

/// The lanes of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// How many workers take turns on each thread.
    pub lanes: usize,
    /// How many evaluations a call makes at the most.
    pub batch: usize,
}

impl Lanes {
    /// Workers that have their threads to themselves.
    pub const NONE: Lanes = Lanes { lanes: 1, batch: 1 };

    /// What is asked for, and where it is left to the search, what the cost of evaluations suggests; `None`
    /// where each worker makes its own evaluations. To be asked only for evaluators that have batches.
    #[cfg(not(loom))]
    pub(crate) fn of(options: &Options, cost: EvaluationCost) -> Option<Lanes> {
        if !cfg!(feature = "lanes") || !options.method.properties().can_be_simulated {
            return None;
        }
        let most = options.batch.unwrap_or(MAX_BATCH);
        let lanes = options.lanes.unwrap_or_else(|| chosen(cost, options.threads, most));
        let batch = options.batch.unwrap_or(lanes.max(LEAST_BATCH));
        (lanes > 1 || options.device).then_some(Lanes { lanes, batch })
    }
}

/// The number of lanes on each of so many threads with which evaluations, in calls of at most `cap`, are
/// expected to take the least time; one where that would save little.
fn chosen(cost: EvaluationCost, threads: usize, cap: usize) -> usize {
    let [fixed, each] = [cost.fixed_ns, cost.each_ns].map(f64::from);
    let alone = fixed + each;
    let expected = |lanes: usize| {
        let waste = WASTE * ((threads * lanes) as f64).sqrt();
        (1.0 + waste) * (fixed / lanes.min(cap) as f64 + each + HAND_OVER_NS)
    };
    let sizes = (2..).map(|bits| 1usize << bits).take_while(|lanes| threads * lanes <= MAX_WORKERS);
    let best = sizes.min_by(|&one, &other| expected(one).total_cmp(&expected(other)));
    best.filter(|&lanes| expected(lanes) <= (1.0 - LEAST_GAIN) * alone).unwrap_or(1)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const fn cost(fixed_ns: u32, each_ns: u32) -> EvaluationCost {
        EvaluationCost { fixed_ns, each_ns }
    }

    #[test]
    fn the_dearer_a_call_the_more_lanes() {
        let lanes = |fixed, each| chosen(cost(fixed, each), 1, MAX_BATCH);
        assert_eq!([lanes(0, 100), lanes(0, 100_000), lanes(20, 200)], [1, 1, 1]);
        let of_network = lanes(6_000, 4_000);
        assert!((8..=32).contains(&of_network), "{of_network}");
        let of_accelerator = lanes(50_000, 100);
        assert!((256..=4096).contains(&of_accelerator), "{of_accelerator}");
        assert!(chosen(cost(50_000, 100), 1, 16) <= 64, "calls that take 16 need no thousand lanes");
    }

    #[test]
    fn no_search_has_too_many_workers() {
        for threads in [1, 2, 64, 1024] {
            let lanes = chosen(cost(u32::MAX, 0), threads, MAX_BATCH);
            assert!(threads * lanes <= MAX_WORKERS, "{threads} threads: {lanes}");
        }
    }

    #[test]
    fn what_is_asked_for_counts() {
        let options = Options { lanes: Some(7), batch: Some(3), ..Options::default() };
        assert_eq!(Lanes::of(&options, cost(0, 100)), Some(Lanes { lanes: 7, batch: 3 }));
        let chosen = Lanes::of(&Options::default(), cost(50_000, 100)).unwrap();
        assert!(chosen.lanes > 64 && chosen.batch == chosen.lanes, "{chosen:?}");
        assert_eq!(Lanes::of(&Options::default(), cost(0, 100)), None);
        let device = Options { device: true, ..Options::default() };
        assert_eq!(Lanes::of(&device, cost(0, 100)), Some(Lanes { lanes: 1, batch: LEAST_BATCH }));
    }
}
