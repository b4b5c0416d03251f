//! What "to the last bit" rests on, with its figures: how far the grid is from exact fractions, how often a
//! slot is taken for another position's, how much stack a ply takes.

use crate::common::erased::Seeing;
use starsplit::Searcher;
use starsplit::evaluator::{Before, EvaluationCost, Evaluator, EvaluatorFacts, HashRandom, mix64};
use starsplit::game::{Game, NodeKind, PositionHash};
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::search::{Limits, MAX_DEPTH};
use starsplit::table::{LocklessTable, NewEntry, Reuse, Table};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph, Weights};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A fraction of whole numbers, in its lowest terms.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    fn new(above: i128, below: i128) -> Self {
        let (mut greater, mut lesser) = (below, above.abs());
        while lesser > 0 {
            (greater, lesser) = (lesser, greater % lesser);
        }
        Fraction { above: above / greater, below: below / greater }
    }

    /// None where it has no room in 128 bits.
    fn plus(self, other: Fraction) -> Option<Self> {
        let above = self.above.checked_mul(other.below)?.checked_add(other.above.checked_mul(self.below)?)?;
        Some(Fraction::new(above, self.below.checked_mul(other.below)?))
    }

    fn times(self, factor: i128) -> Option<Self> {
        Some(Fraction::new(self.above.checked_mul(factor)?, self.below))
    }

    fn is_above(self, other: Fraction) -> Option<bool> {
        Some(self.above.checked_mul(other.below)? > other.above.checked_mul(self.below)?)
    }
}

/// The value without any rounding, as the position's own player sees it, and the most chance nodes on a line.
fn exactly(
    graph: &RandomGraph,
    evaluator: &HashRandom,
    position: &GraphPosition,
    depth: u32,
) -> Option<(Fraction, u32)> {
    let whole = |score: Score| Some((Fraction::new(i128::from(score), 1), 0));
    let below = |after: &GraphPosition| {
        let (value, layers) = exactly(graph, evaluator, after, depth - 1)?;
        let is_same = graph.player(after) == graph.player(position);
        Some((if is_same { value } else { value.times(-1)? }, layers))
    };
    match graph.kind(position) {
        NodeKind::Terminal => whole(graph.terminal_score(position)),
        _ if depth == 0 => whole(evaluator.evaluate(graph, position, &())),
        NodeKind::Decision => {
            let mut moves = Vec::new();
            graph.moves(position, |mv| moves.push(mv));
            let mut best: Option<(Fraction, u32)> = None;
            for mv in moves {
                let (value, layers) = below(&graph.play(position, mv))?;
                best = Some(match best {
                    None => (value, layers),
                    Some((known, most)) => {
                        (if value.is_above(known)? { value } else { known }, most.max(layers))
                    }
                });
            }
            best
        }
        NodeKind::Chance => {
            let mut outcomes = Vec::new();
            graph.outcomes(position, |outcome, weight| outcomes.push((outcome, i128::from(weight))));
            let (mut sum, mut most) = (Fraction::new(0, 1), 0);
            for &(outcome, weight) in &outcomes {
                let (value, layers) = below(&graph.resolve(position, outcome))?;
                (sum, most) = (sum.plus(value.times(weight)?)?, most.max(layers));
            }
            let weights = outcomes.iter().map(|(_, weight)| weight).sum::<i128>();
            Some((Fraction::new(sum.above, sum.below.checked_mul(weights)?), most + 1))
        }
    }
}

#[test]
fn a_value_is_within_half_a_step_for_each_chance_node_of_a_line_of_the_exact_fraction() {
    let (mut compared, mut worst) = (0, [0.0f64; 7]);
    for seed in 0..1_000 {
        let shape = GraphShape {
            positions: 40,
            chance_percent: 60,
            successors: 1..=3,
            weights: [Weights::Ties, Weights::EvenSum, Weights::OddSum, Weights::Mixed][seed as usize % 4],
            limit: [4, 1 << 10, MAX_LIMIT][seed as usize / 4 % 3],
            ..GraphShape::default()
        };
        let graph = RandomGraph::new(&shape, seed).expect("a graph");
        let (evaluator, root, depth) = (HashRandom::new(seed, shape.limit), graph.start(), 6);
        let Some((exact, layers)) = exactly(&graph, &evaluator, &root, depth) else { continue };
        let searcher = Searcher::new(graph, evaluator, LocklessTable::with_buckets(64).expect("a table"));
        let score = searcher
            .request(&root)
            .limits(Limits::depth(depth))
            .search()
            .expect("a search")
            .score()
            .expect("exact");
        let Some(scaled) = i128::from(score).checked_mul(exact.below) else { continue };
        let (off, most) = (2 * (scaled - exact.above).abs(), i128::from(layers) * exact.below);
        assert!(off <= most, "seed {seed}: {score} is not {exact:?}, with {layers} layers");
        compared += 1;
        let steps = off as f64 / (2 * exact.below) as f64;
        worst[layers as usize] = worst[layers as usize].max(steps);
    }
    println!("{compared} values; the most steps by layers: {worst:?}");
    assert!(compared > 400, "{compared} fractions had room");
    // One layer and an even sum of weights: half a step is reached.
    assert!(worst[1] == 0.5 && worst[6] > 1.0, "{worst:?}");
}

#[test]
fn a_full_bucket_is_taken_for_another_position_four_times_in_two_to_the_bits_of_the_tag() {
    for bits in [8, 10, 12, 14] {
        let table = LocklessTable::with_buckets(64).expect("a table");
        // All that verifies an entry is in the upper 48 bits of the low half; here few of them differ.
        let key = |number: u64| PositionHash {
            high: mix64(2 * number),
            low: (mix64(2 * number + 1) & ((1 << bits) - 1)) << 16,
        };
        for number in 0..10_000 {
            table.store(key(number), NewEntry::new(3, Bounds::exactly(5), MAX_LIMIT), Reuse::Exact);
        }
        let probes = 1 << (bits + 8);
        let others =
            (10_000..).take(probes).filter(|&number| table.probe(key(number), 3, Reuse::Exact).is_some());
        let (found, expected) = (others.count() as f64, 4.0 * 256.0);
        println!("{bits} bits: {found} false hits of {probes} look-ups, {expected} expected");
        assert!((found / expected - 1.0).abs() < 0.15, "{bits} bits: {found}, not {expected}");
    }
}

/// Notes how deep the stack is where it is asked, at the most and at the least.
#[derive(Debug)]
struct Plumb {
    deepest: AtomicUsize,
    highest: AtomicUsize,
}

impl Evaluator<RandomGraph> for Plumb {
    type State = ();

    fn facts(&self, _: &RandomGraph) -> EvaluatorFacts {
        EvaluatorFacts::new(1).with_cost(EvaluationCost::default())
    }

    fn state(&self, _: &RandomGraph, _: &GraphPosition, _: Option<Before<'_, RandomGraph, ()>>) {}

    fn evaluate(&self, _: &RandomGraph, _: &GraphPosition, (): &()) -> Score {
        // Relaxed, both: one thread.
        self.deepest.fetch_min(address(), Ordering::Relaxed);
        self.highest.fetch_max(address(), Ordering::Relaxed);
        0
    }
}

/// Where the stack is now.
#[inline(never)]
fn address() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

#[test]
fn the_deepest_search_fits_in_the_stack_of_a_thread() {
    // A path: as deep as may be, and short work.
    let shape = GraphShape {
        positions: 1_000,
        chance_percent: 50,
        terminal_percent: 0,
        successors: 1..=1,
        cycles: true,
        ..GraphShape::default()
    };
    let graph = RandomGraph::new(&shape, 3).expect("a graph");
    let used = |depth: u32| {
        let plumb = Plumb { deepest: AtomicUsize::new(usize::MAX), highest: AtomicUsize::new(0) };
        let table = LocklessTable::with_buckets(64).expect("a table");
        let searcher = Searcher::new(graph.clone(), Seeing::of(&plumb), &table);
        searcher.request(&graph.start()).limits(Limits::depth(depth)).search().expect("a search");
        plumb.highest.load(Ordering::Relaxed) - plumb.deepest.load(Ordering::Relaxed)
    };
    let deepest = MAX_DEPTH;
    let (some, most) = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(16 << 20);
        let searching = thread.spawn_scoped(scope, || (used(deepest / 2), used(deepest))).expect("a thread");
        searching.join().expect("no panic")
    });
    let ply = (most - some) / (deepest - deepest / 2) as usize;
    println!("{most} bytes of stack to depth {deepest}, {ply} a ply");
    assert!(most < 8 << 20, "{most} bytes");
    assert!(ply > 0, "nothing was measured");
}
