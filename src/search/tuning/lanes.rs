//! The number of lanes of a thread and the batches of siblings, chosen by the cost of evaluations.
//!
//! More lanes fill larger batches, but search more that a serial search would not: little in large searches,
//! much in small ones and where positions recur. 16 lanes made 4% more evaluations in backgammon, 9 to 25%
//! more in Dice, hyper-backgammon and 2048, and 1.5 to 2.6 times as many in EinStein, Pig and Abalone, by
//! `run lanes`. The waste grows about with the square root of the lanes. The constant below is a mean: too
//! few lanes cost a tenth where too many cost twice the time. The constants of batches of siblings were
//! measured in the same way.

use crate::evaluator::EvaluatorFacts;
use crate::search::request::{LaneOptions, MAX_BATCH, MAX_WORKERS, Options, SiblingBatch};

/// The share of wasted evaluations, beside one worker's, per square root of the number of workers.
const WASTE: f64 = 0.12;

/// The time that a lane adds to an evaluation, in nanoseconds: to leave a request and to switch lanes.
const HAND_OVER_NS: f64 = 100.0;

/// The search time per evaluation, in nanoseconds; the waste multiplies it as well.
const SEARCH_NS: f64 = 300.0;

/// The least share of the time that lanes must save.
const LEAST_GAIN: f64 = 0.1;

/// The least batch that is chosen: a lane may have several requests.
const LEAST_BATCH: usize = 64;

/// The most lanes of all threads that a search chooses for itself. Each has a stack, for few of which
/// addresses of 32 bits leave room.
const MOST_CHOSEN: usize = if usize::BITS < 64 { 32 } else { MAX_WORKERS };

/// For each choice: the factor on evaluations, and the mean requests of a lane. (The rest of a node's moves
/// is evaluated in vain after a cutoff, but the best of all moves proves more than the first that causes a
/// cutoff. In total backgammon makes a tenth fewer evaluations, EinStein a tenth more; a lane has two to five
/// requests.)
const BATCHES: [(SiblingBatch, f64, f64); 4] = [
    (SiblingBatch::None, 1.0, 1.0),
    (SiblingBatch::Probes, 1.02, 1.2),
    (SiblingBatch::Rest, 1.0, 2.5),
    (SiblingBatch::Moves, 1.7, 4.0),
];

/// How a search makes its evaluations: in which lanes, and how many in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lanes {
    /// The workers that take turns on each thread.
    pub lanes: usize,
    /// The most evaluations in a call.
    pub batch: usize,
    /// The evaluations that a worker requests beside the one that it needs.
    pub sibling_batch: SiblingBatch,
}

impl Lanes {
    /// One worker on each thread, which makes its evaluations one by one.
    pub(crate) const NONE: Lanes = Lanes { lanes: 1, batch: 1, sibling_batch: SiblingBatch::None };

    /// The lanes and batches that the options ask for, or that the costs of a call, of an evaluation and of a
    /// successor suggest; `None` if each worker makes its evaluations one by one. Call this only for
    /// evaluators with batches.
    #[cfg(not(loom))]
    pub(crate) fn of(options: &Options, evaluator: &EvaluatorFacts, successor_ns: u32) -> Option<Lanes> {
        let (lanes, sibling_batch) = choose(options, evaluator, successor_ns, may_have_lanes(options));
        let usual = lanes.max(LEAST_BATCH).min(most_in_call(evaluator));
        let batch = options.lanes.batch.unwrap_or(usual);
        let chosen = Lanes { lanes, batch, sibling_batch };
        (chosen.take_turns(options) || sibling_batch != SiblingBatch::None).then_some(chosen)
    }

    /// Whether workers take turns on the threads of a search with these options: several of them, or one
    /// that waits for a device.
    #[cfg(not(loom))]
    pub(crate) fn take_turns(self, options: &Options) -> bool {
        self.lanes > 1 || options.lanes.device && may_have_lanes(options)
    }

    /// The options with these lanes filled in.
    pub(crate) fn fix(self, options: Options) -> Options {
        let (count, batch, sibling_batch) = (Some(self.lanes), Some(self.batch), self.sibling_batch);
        Options { lanes: LaneOptions { count, batch, sibling_batch, ..options.lanes }, ..options }
    }
}

/// Whether workers may take turns on a thread.
#[cfg(not(loom))]
fn may_have_lanes(options: &Options) -> bool {
    cfg!(feature = "lanes") && !options.method.uses_whole_pool()
}

/// The factor on evaluations of this many workers, relative to one without waste.
fn in_vain(workers: usize) -> f64 {
    1.0 + WASTE * (workers as f64).sqrt()
}

/// The greatest number of evaluations in a call that costs no more than one call.
fn most_in_call(evaluator: &EvaluatorFacts) -> usize {
    evaluator.call_size.map_or(MAX_BATCH, |size| (size as usize).clamp(1, MAX_BATCH))
}

/// The number of lanes and the batches of siblings with the least expected time, within the options. One lane
/// without batches if nothing saves enough.
fn choose(
    options: &Options,
    evaluator: &EvaluatorFacts,
    successor_ns: u32,
    may_have_lanes: bool,
) -> (usize, SiblingBatch) {
    let (threads, LaneOptions { count, batch, sibling_batch: asked, device }) =
        (options.threads, options.lanes);
    let cap = batch.unwrap_or(MAX_BATCH).min(most_in_call(evaluator));
    let cost = evaluator.cost.or_assumed();
    let [fixed, each] = [cost.fixed_ns, cost.each_ns].map(f64::from);
    // The position that is evaluated had to be made.
    let searching = SEARCH_NS + f64::from(successor_ns);
    // A device batches the lanes of all threads.
    let callers = if device && may_have_lanes { threads } else { 1 };
    let expected = |lanes: usize, (_, waste, requests): (SiblingBatch, f64, f64)| {
        let waste = waste * in_vain(threads * lanes);
        let together = ((callers * lanes) as f64 * requests).min(cap as f64);
        waste * (fixed / together + each + searching + HAND_OVER_NS)
    };
    let batches = BATCHES.into_iter().filter(|&(one, ..)| asked == SiblingBatch::Chosen || asked == one);
    let powers =
        (2..).map(|bits| 1usize << bits).take_while(|lanes| may_have_lanes && threads * lanes <= MOST_CHOSEN);
    // Expectimax takes moves in their order, and asks for none together.
    let alone = options.algorithm.prunes().then_some(1);
    let sizes: Vec<_> = match count {
        Some(lanes) => vec![lanes],
        None => alone.into_iter().chain(powers).collect(),
    };
    let candidates = batches.flat_map(|siblings| sizes.iter().map(move |&lanes| (lanes, siblings)));
    let Some((lanes, siblings)) = candidates.min_by(|&(one, beside), &(other, beside_other)| {
        expected(one, beside).total_cmp(&expected(other, beside_other))
    }) else {
        return (1, SiblingBatch::None);
    };
    let one_by_one = in_vain(threads) * (fixed + each + searching);
    let pays = expected(lanes, siblings) <= (1.0 - LEAST_GAIN) * one_by_one;
    match asked {
        _ if lanes == 1 && !options.algorithm.prunes() => (1, SiblingBatch::None),
        _ if pays || count.is_some_and(|lanes| lanes > 1) => (lanes, siblings.0),
        SiblingBatch::Chosen => (1, SiblingBatch::None),
        _ => (1, asked),
    }
}

#[cfg(all(test, not(loom), feature = "lanes"))]
mod tests {
    use super::*;
    use crate::evaluator::EvaluationCost;

    fn cost(fixed_ns: u32, each_ns: u32) -> EvaluatorFacts {
        EvaluatorFacts::new(0).with_cost(EvaluationCost { fixed_ns, each_ns })
    }

    fn lanes(options: &Options, evaluator: EvaluatorFacts) -> usize {
        choose(options, &evaluator, 0, true).0
    }

    #[test]
    fn the_dearer_a_call_the_more_lanes() {
        let lanes = |fixed, each| lanes(&Options::default(), cost(fixed, each));
        assert_eq!([lanes(0, 100), lanes(0, 100_000), lanes(20, 200)], [1, 1, 1]);
        let of_network = lanes(6_000, 4_000);
        assert!((4..=32).contains(&of_network), "{of_network}");
        let of_accelerator = lanes(50_000, 100);
        let least = if usize::BITS < 64 { MOST_CHOSEN } else { 64 };
        assert!((least..=4096).contains(&of_accelerator), "{of_accelerator}");
        let small = Options {
            lanes: LaneOptions { batch: Some(16), ..LaneOptions::default() },
            ..Options::default()
        };
        assert!(super::tests::lanes(&small, cost(50_000, 100)) <= 64, "calls of 16 need no thousand lanes");
    }

    #[test]
    fn where_successors_are_dear_lanes_have_to_save_more() {
        let lanes = |successor_ns| choose(&Options::default(), &cost(6_000, 4_000), successor_ns, true).0;
        assert!(lanes(0) > 1 && lanes(1_000) > 1);
        assert_eq!(lanes(100_000), 1);
    }

    #[test]
    fn no_search_has_too_many_workers() {
        for threads in [1, 2, 64, 1024] {
            let lanes = lanes(&Options { threads, ..Options::default() }, cost(u32::MAX, 0));
            assert!(threads * lanes <= MAX_WORKERS, "{threads} threads: {lanes}");
        }
    }

    #[test]
    fn company_is_for_batches_that_lanes_do_not_fill() {
        let sibling_batch = |lanes, batch, cost: EvaluatorFacts| {
            choose(
                &Options {
                    lanes: LaneOptions { count: Some(lanes), batch: Some(batch), ..LaneOptions::default() },
                    ..Options::default()
                },
                &cost,
                0,
                true,
            )
            .1
        };
        let call = cost(50_000, 100);
        assert_eq!(sibling_batch(2, 64, call), SiblingBatch::Rest);
        assert_eq!(sibling_batch(64, 64, call), SiblingBatch::None, "they fill it without");
        assert_eq!(sibling_batch(2, 64, cost(0, 100)), SiblingBatch::None, "nothing is gained");
    }

    #[test]
    fn what_is_asked_for_counts() {
        let sibling_batch = SiblingBatch::Rest;
        let options = Options {
            lanes: LaneOptions { count: Some(7), batch: Some(3), sibling_batch, ..LaneOptions::default() },
            ..Options::default()
        };
        assert_eq!(Lanes::of(&options, &cost(0, 100), 0), Some(Lanes { lanes: 7, batch: 3, sibling_batch }));
        let chosen = Lanes::of(&Options::default(), &cost(50_000, 100), 0).unwrap();
        assert!(chosen.lanes > 16 && chosen.batch >= chosen.lanes, "{chosen:?}");
        assert_eq!(Lanes::of(&Options::default(), &cost(0, 100), 0), None);
        let device =
            Options { lanes: LaneOptions { device: true, ..LaneOptions::default() }, ..Options::default() };
        let found = Lanes::of(&device, &cost(0, 100), 0).unwrap();
        assert_eq!((found.lanes, found.batch), (1, LEAST_BATCH));
    }

    #[test]
    fn without_lanes_siblings_share_a_call_where_it_is_dear() {
        let siblings = |evaluator, asked| {
            let lanes = LaneOptions { sibling_batch: asked, ..LaneOptions::default() };
            choose(&Options { lanes, ..Options::default() }, &evaluator, 0, false)
        };
        let (lanes, found) = siblings(cost(13_000, 2_000), SiblingBatch::Chosen);
        assert!(lanes == 1 && found != SiblingBatch::None, "{found:?}");
        assert_eq!(siblings(cost(0, 2_000), SiblingBatch::Chosen), (1, SiblingBatch::None));
        assert_eq!(siblings(cost(20, 100), SiblingBatch::Chosen), (1, SiblingBatch::None));
        assert_eq!(siblings(cost(0, 2_000), SiblingBatch::Moves), (1, SiblingBatch::Moves));
        assert_eq!(siblings(cost(13_000, 2_000), SiblingBatch::None), (1, SiblingBatch::None));
    }

    #[test]
    fn padded_calls_are_filled_once() {
        let padded = |size| {
            let facts = cost(50_000, 0).with_call_size(size);
            Lanes::of(&Options::default(), &facts, 0).unwrap()
        };
        assert!(padded(16).lanes <= 16 && padded(16).batch == 16, "{:?}", padded(16));
        assert_eq!(Lanes::of(&Options::default(), &cost(50_000, 0).with_call_size(1), 0), None);
        assert!(padded(4096).lanes > padded(16).lanes);
    }
}
