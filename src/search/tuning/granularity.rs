//! The least depth and size of searches that are split among threads.
//!
//! Between two threads a split pays if the search that is split takes about fifty microseconds. Among more,
//! of which some are idle more often, it pays from twenty on, and among lanes, which cost little while idle,
//! from a hundred on; when many workers of a large team are idle, from an eighth of that. The cost of nodes
//! so far gives the size in nodes; the sizes of earlier iterations give the depth.

use crate::evaluator::EvaluationCost;
use crate::search::plies::Depth;
use crate::search::request::Options;

/// The least cost of a search that is split, in nanoseconds: among lanes, between two threads, among more.
const AMONG_LANES_NS: f64 = 100e3;
const BETWEEN_TWO_NS: f64 = 50e3;
const AMONG_MORE_NS: f64 = 20e3;

/// The most lanes that share the cost of a call. Where calls are very dear, lanes need work however small it
/// is.
const MOST_CALLERS: usize = 8;

/// Evaluations this dear, in nanoseconds, dominate the cost of a search in any game.
const DEAR_NS: u64 = 1_000;

/// A search smaller than the least size divided by this is never split: the split and the steal cost as much
/// as the search.
pub(crate) const FINEST_PART: u64 = 8;

/// How many plies lower the least depth is in large teams, where it does not follow from sizes.
const FINER: Depth = 4;

/// Growth per ply as a logarithm: the least, and the one assumed without better knowledge.
const LEAST_GROWTH: f64 = 0.1;
const USUAL_GROWTH: f64 = 1.4;

/// The least depth and size of searches that are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Granularity {
    /// The least depth of a node that is split; see [`Splits::depth`](crate::search::Splits::depth).
    pub(crate) depth: Depth,
    /// The least depth when many workers of a large team are idle.
    pub(crate) finest: Depth,
    /// The least size in nodes of a search that is split; see [`Splits::size`](crate::search::Splits::size).
    pub(crate) size: u64,
}

impl Granularity {
    /// From the options, with defaults for what they leave open.
    pub(crate) fn new(options: &Options) -> Self {
        let depth = options.splits.depth.map_or(7, Depth::from).max(2);
        let size = options.splits.size.unwrap_or(400);
        Granularity { depth, finest: depth.saturating_sub(FINER).max(2), size }
    }

    /// Before the first iteration. With dear evaluations a few of them make a split pay, and the first
    /// iteration may be the only one.
    pub(super) fn before(options: &Options, evaluation_ns: u64) -> Self {
        if evaluation_ns < DEAR_NS {
            return Granularity::new(options);
        }
        // Assumes the usual growth from the root on.
        Granularity::after(options, &[(0, 1)], evaluation_ns as f64)
    }

    /// From the depths and nodes of `iterations`, where the options leave it open. A node costs `price_each`
    /// nanoseconds.
    pub(super) fn after(options: &Options, iterations: &[(Depth, u64)], price_each: f64) -> Self {
        let least_ns = match options.threads {
            _ if options.has_lanes() => AMONG_LANES_NS,
            ..=2 => BETWEEN_TWO_NS,
            _ => AMONG_MORE_NS,
        };
        let size = (least_ns / price_each.max(1.0)).max(1.0);
        let usual =
            Granularity { size: options.splits.size.unwrap_or(size as u64), ..Granularity::new(options) };
        let depths = [size, size / FINEST_PART as f64].map(|size| least_depth(iterations, size));
        match depths {
            [Some(depth), Some(finest)] if options.splits.depth.is_none() => {
                let depth = depth.max(2);
                Granularity { depth, finest: finest.clamp(2, depth), ..usual }
            }
            _ => usual,
        }
    }

    /// As one word, never 0.
    pub(in crate::search) fn pack(self) -> u64 {
        let Granularity { depth, finest, size } = self;
        size.min(u64::from(u32::MAX)) << 32 | u64::from(finest) << 16 | u64::from(depth)
    }

    /// Reverses [`pack`](Self::pack); `None` for 0.
    pub(in crate::search) fn unpack(word: u64) -> Option<Self> {
        let [depth, finest] = [word, word >> 16].map(|bits| bits as Depth);
        (word != 0).then_some(Granularity { depth, finest, size: word >> 32 })
    }
}

/// The least depth at which the whole tree has `size` nodes; `None` before the first iteration.
///
/// Assumes geometric growth from an earlier iteration to the first one of at least `size` nodes. Takes the
/// earlier iteration that gives the least growth, since table hits make some iterations small for their
/// depth. If no iteration is large enough, growth goes on from the last one. If that has hardly grown, the
/// usual growth from the root on is assumed: the table may have answered it, which says nothing about later
/// iterations, and searches that turn out small are not split anyway.
fn least_depth(iterations: &[(Depth, u64)], size: f64) -> Option<Depth> {
    let nodes = |(_, nodes): (Depth, u64)| nodes.max(1) as f64;
    let last = iterations.len().checked_sub(1)?;
    let above = iterations.iter().position(|&iteration| nodes(iteration) >= size).unwrap_or(last);
    let to = iterations[above];
    let growth_from =
        |from: (Depth, u64)| (nodes(to) / nodes(from)).ln() / f64::from(to.0.abs_diff(from.0).max(1));
    let earlier = iterations[..above].iter().copied();
    let from = earlier.min_by(|&a, &b| growth_from(a).total_cmp(&growth_from(b))).unwrap_or((0, 1));
    let growth = growth_from(from);
    let (base, growth) = match nodes(to) >= size {
        true => (from, growth.max(LEAST_GROWTH)),
        false if growth >= USUAL_GROWTH => (to, growth),
        false => ((0, 1), USUAL_GROWTH),
    };
    let plies = (size / nodes(base)).ln() / growth;
    Some(base.0.saturating_add(plies.max(0.0).ceil() as Depth))
}

/// The cost of an evaluation, in nanoseconds, where splits are chosen: lanes share calls.
pub(super) fn split_ns(evaluation: EvaluationCost, options: &Options) -> u64 {
    let callers = options.lanes.count.unwrap_or(1).clamp(1, MOST_CALLERS) as u64;
    u64::from(evaluation.fixed_ns) / callers + u64::from(evaluation.each_ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::request::{LaneOptions, Splits};

    /// For more than two threads.
    fn more() -> Options {
        Options { threads: 3, ..Options::default() }
    }

    /// Iterations of a game of dice, of backgammon, and of a game without chance.
    const DICE: &[(Depth, u64)] = &[(1, 1), (3, 28), (5, 483), (7, 5_361)];
    const BACKGAMMON: &[(Depth, u64)] = &[(1, 1), (3, 1_447)];
    const ABALONE: &[(Depth, u64)] = &[(1, 52), (2, 403), (3, 3_429)];

    #[test]
    fn what_is_split_takes_as_long_in_every_game() {
        let options = more();
        let after = |iterations, each| Granularity::after(&options, iterations, each);
        assert_eq!(after(DICE, 60.0), Granularity { depth: 5, finest: 4, size: 333 });
        assert_eq!(after(BACKGAMMON, 160.0), Granularity { depth: 3, finest: 2, size: 125 });
        assert_eq!(after(ABALONE, 23.0), Granularity { depth: 3, finest: 2, size: 869 });
        // Dear evaluations.
        assert_eq!(after(DICE, 5_000.0), Granularity { depth: 2, finest: 2, size: 4 });
        assert_eq!(after(BACKGAMMON, 5_000.0), Granularity { depth: 2, finest: 2, size: 4 });
    }

    #[test]
    fn two_threads_and_lanes_split_what_takes_longer() {
        let after = |options, price_each| Granularity::after(&options, DICE, price_each);
        let of_threads = |threads| Options { threads, ..Options::default() };
        for threads in 1..=2 {
            let expected = Granularity { depth: 6, finest: 4, size: 833 };
            assert_eq!(after(of_threads(threads), 60.0), expected, "{threads} threads");
        }
        let lanes = LaneOptions { count: Some(2), ..LaneOptions::default() };
        assert_eq!(after(of_threads(3), 60.0).size, 333);
        for threads in [1, 2, 16] {
            assert_eq!(after(Options { lanes, ..of_threads(threads) }, 60.0).size, 1_666);
        }
        assert_eq!(after(of_threads(2), 1e6), Granularity { depth: 2, finest: 2, size: 1 });
    }

    #[test]
    fn lanes_share_the_cost_of_calls_where_splits_are_chosen() {
        let split_ns = |lanes, fixed_ns| {
            let lanes = LaneOptions { count: lanes, ..LaneOptions::default() };
            let evaluation = EvaluationCost { fixed_ns, each_ns: 125 };
            super::split_ns(evaluation, &Options { lanes, ..Options::default() })
        };
        assert_eq!([None, Some(1), Some(2)].map(|lanes| split_ns(lanes, 5_000)), [5_125, 5_125, 2_625]);
        // Not all of many lanes: with dear calls they need work however small it is.
        assert_eq!([8, 16, 256].map(|lanes| split_ns(Some(lanes), 1_000_000)), [125_125; 3]);
    }

    #[test]
    fn dear_evaluations_are_split_from_the_first_iteration_on() {
        let options = more();
        let first = |evaluation_ns| Granularity::before(&options, evaluation_ns);
        assert_eq!([first(0), first(100), first(999)], [Granularity::new(&options); 3]);
        assert_eq!(first(1_000), Granularity { depth: 3, finest: 2, size: 20 });
        assert_eq!(first(5_000), Granularity { depth: 2, finest: 2, size: 4 });
        assert_eq!(first(1_000_000), Granularity { depth: 2, finest: 2, size: 1 });
        let options =
            Options { splits: Splits { depth: Some(6), size: Some(100), ..Splits::default() }, ..more() };
        assert_eq!(Granularity::before(&options, 5_000), Granularity::new(&options));
    }

    #[test]
    fn what_no_iteration_has_reached_is_foretold() {
        let iterations = [(1, 1), (2, 10), (3, 100)];
        let depth = |size| least_depth(&iterations, size);
        assert_eq!([depth(1.0), depth(10.0), depth(100.0)], [Some(0), Some(2), Some(3)]);
        assert_eq!([depth(900.0), depth(1_100.0), depth(2e8)], [Some(4), Some(5), Some(10)]);
        // Near the end of a game trees stop growing; after table hits they only seem to.
        assert_eq!(least_depth(&[(3, 30), (5, 20)], 400.0), Some(5));
        assert_eq!(least_depth(&[(252, 30), (254, 3_000)], 1e9), Some(260));
        assert_eq!(least_depth(&[], 400.0), None);
    }

    #[test]
    fn what_the_table_has_answered_tells_nothing() {
        let warm = [(1, 1), (3, 28), (5, 20), (7, 30), (9, 20), (11, 400_000)];
        let depths = |iterations| [400.0, 50.0].map(|size| least_depth(iterations, size));
        assert_eq!(depths(&DICE[..2]), [Some(5), Some(4)]);
        assert_eq!(depths(&warm[..5]), [Some(5), Some(3)]);
        assert_eq!(depths(&warm), [Some(6), Some(4)]);
        assert_eq!(depths(&[(1, 1), (3, 1), (5, 1), (7, 1), (9, 1), (11, 400_000)]), [Some(6), Some(5)]);
    }

    #[test]
    fn one_iteration_tells_something() {
        // An evaluation of five microseconds, or hundreds of moves and outcomes.
        assert_eq!([least_depth(&[(1, 1)], 4.0), least_depth(&[(1, 1)], 400.0)], [Some(1), Some(5)]);
        assert_eq!([least_depth(&[(2, 400)], 121.0), least_depth(&[(2, 400)], 1_000.0)], [Some(2), Some(3)]);
        assert_eq!(Granularity::after(&Options::default(), &[], 50.0).depth, 7, "too little to tell");
    }

    #[test]
    fn what_the_options_say_stays() {
        let options =
            Options { splits: Splits { depth: Some(5), size: Some(0), ..Splits::default() }, ..more() };
        assert_eq!(Granularity::after(&options, DICE, 55.0), Granularity { depth: 5, finest: 2, size: 0 });
        let options = Options { splits: Splits { depth: Some(0), ..Splits::default() }, ..more() };
        assert_eq!(Granularity::after(&options, DICE, 55.0).depth, 2);
        let options = Options { splits: Splits { size: Some(9), ..Splits::default() }, ..more() };
        assert_eq!(Granularity::after(&options, DICE, 60.0), Granularity { depth: 5, finest: 4, size: 9 });
    }

    #[test]
    fn a_granularity_goes_through_a_word() {
        assert_eq!(Granularity::unpack(0), None);
        for (depth, finest, size) in [(2, 2, 0), (254, 250, 1 << 31), (4096, 4096, u32::MAX.into())] {
            let granularity = Granularity { depth, finest, size };
            assert_eq!(Granularity::unpack(granularity.pack()), Some(granularity));
        }
    }
}
