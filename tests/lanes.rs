//! Searches in lanes: the same value as everybody's, evaluations in batches, and clean ends.

#![cfg(all(feature = "lanes", feature = "testkit"))]

mod common;

use starsplit::Searcher;
use starsplit::evaluator::{EvaluationCost, Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits, Method, Options, OptionsError, SearchError, StopFlag};
use starsplit::table::LocklessTable;
use starsplit::testkit::{GraphShape, RandomGraph};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A random evaluation for which many at once are said to be cheap. Counts what it is asked for, and can
/// fail.
struct Batched {
    inner: HashRandom,
    cost: EvaluationCost,
    calls: AtomicU64,
    evaluations: AtomicU64,
    largest: AtomicUsize,
    /// The evaluation that panics; never where it is 0.
    fails_at: u64,
    /// The one that raises the flag.
    stops_at: u64,
    flag: StopFlag,
}

impl Batched {
    fn new(seed: u64, limit: Score) -> Self {
        Batched {
            inner: HashRandom::new(seed, limit),
            cost: EvaluationCost { fixed_ns: 5_000, each_ns: 100 },
            calls: AtomicU64::new(0),
            evaluations: AtomicU64::new(0),
            largest: AtomicUsize::new(0),
            fails_at: 0,
            stops_at: 0,
            flag: StopFlag::new(),
        }
    }
}

impl<G: Game> Evaluator<G> for Batched {
    type State = ();
    const HAS_BATCHES: bool = true;

    fn identity(&self) -> u64 {
        Evaluator::<G>::identity(&self.inner)
    }

    fn state(&self, _: &G, _: &G::Position) {}

    fn after_move(&self, _: &G, _: &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    fn evaluate(&self, game: &G, position: &G::Position, state: &()) -> Score {
        self.inner.evaluate(game, position, state)
    }

    fn evaluate_many(&self, game: &G, nodes: &[(&G::Position, &())], scores: &mut [Score]) {
        assert!(!nodes.is_empty() && nodes.len() == scores.len());
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.largest.fetch_max(nodes.len(), Ordering::Relaxed);
        for ((position, state), score) in nodes.iter().zip(scores) {
            let made = self.evaluations.fetch_add(1, Ordering::Relaxed) + 1;
            if made == self.fails_at {
                panic!("the device is gone");
            }
            if made == self.stops_at {
                self.flag.stop();
            }
            *score = self.evaluate(game, position, state);
        }
    }

    fn cost(&self) -> EvaluationCost {
        self.cost
    }
}

fn graph(seed: u64) -> RandomGraph {
    let shape = GraphShape { positions: 4_000, terminal_percent: 2, ..GraphShape::default() };
    RandomGraph::new(&shape, seed).unwrap()
}

const CASES: [(usize, usize, usize); 7] =
    [(1, 2, 1), (1, 7, 3), (1, 32, 64), (1, 256, 64), (2, 2, 64), (2, 7, 3), (8, 32, 64)];

#[test]
fn every_number_of_lanes_finds_the_same_value() {
    let (mut full, mut between) = (0, 0);
    for seed in 0..12 {
        let game = graph(seed);
        let depth = 5 + (seed % 3) as u32;
        let limit = game.grid().limit();
        let serial = Searcher::builder(game.clone(), HashRandom::new(seed, limit))
            .limits(Limits::depth(depth))
            .build()
            .unwrap();
        let expected = serial.search(&game.start()).unwrap();
        for (place, (threads, lanes, batch)) in CASES.into_iter().enumerate() {
            let methods = [
                Method::Both,
                Method::ChanceSplit,
                Method::DecisionSplit,
                Method::RootSplit,
                Method::SharedTable,
                Method::Abdada,
            ];
            let method = methods[(seed as usize + place) % methods.len()];
            let algorithm = Algorithm::ALL[(seed as usize / 3 + place) % Algorithm::ALL.len()];
            let options = Options { threads, lanes, batch, method, algorithm, ..Options::default() };
            let evaluator = Batched::new(seed, limit);
            let table = LocklessTable::new(4);
            let searcher = Searcher::new(game.clone(), &evaluator, table.unwrap()).with_options(options);
            let found = searcher.search_within(&game.start(), &Limits::depth(depth)).unwrap();
            let case =
                format!("seed {seed}, {threads} threads, {lanes} lanes, {batch}, {method}, {algorithm}");
            assert_eq!(found.score(), expected.score(), "{case}");
            assert_eq!(found.batches.calls, evaluator.calls.load(Ordering::Relaxed), "{case}");
            assert_eq!(found.batches.evaluations, found.stats.nodes.evaluations, "{case}");
            let largest = evaluator.largest.load(Ordering::Relaxed);
            assert!((1..=batch).contains(&largest), "{case}: {largest}");
            full += u64::from(largest == batch && batch > 1);
            between += found.stats.split.steals;
        }
    }
    assert!(full >= 20, "{full} searches with a full batch");
    assert!(between >= 1_000, "{between} steals");
}

fn lanes(threads: usize, lanes: usize, batch: usize) -> Options {
    Options { threads, lanes, batch, ..Options::default() }
}

fn search(evaluator: &Batched, options: Options, limits: &Limits) -> Result<Option<Score>, SearchError> {
    let game = graph(3);
    let start = game.start();
    let searcher = Searcher::new(game, evaluator, LocklessTable::new(4).unwrap()).with_options(options);
    searcher.search_within(&start, limits).map(|found| found.score())
}

#[test]
fn a_panic_in_a_batch_ends_the_search_with_its_message() {
    let limit = graph(3).grid().limit();
    for (threads, count, batch) in CASES {
        for fails_at in [1, 2, 50, 333] {
            let evaluator = Batched { fails_at, ..Batched::new(3, limit) };
            let found = search(&evaluator, lanes(threads, count, batch), &Limits::depth(9));
            let expected = SearchError::Panicked { message: "the device is gone".to_owned() };
            assert_eq!(found, Err(expected), "{threads}, {count}, {batch}, {fails_at}");
        }
    }
}

#[test]
fn a_search_in_lanes_stops_when_it_is_asked_to() {
    let limit = graph(3).grid().limit();
    for (threads, count, batch) in CASES {
        for stops_at in [1, 40, 900] {
            let evaluator = Batched { stops_at, ..Batched::new(3, limit) };
            let limits = Limits::depth(200).with_stop(evaluator.flag.clone());
            search(&evaluator, lanes(threads, count, batch), &limits).unwrap();
            let made = evaluator.evaluations.load(Ordering::Relaxed);
            // Workers look at the flag once in a thousand nodes.
            assert!(made < stops_at + 2_000 * (threads * count) as u64, "{made} after {stops_at}");
        }
    }
}

#[test]
fn what_does_not_go_with_lanes_is_refused() {
    let refused = |options: Options| options.check().unwrap_err();
    let jobs = Options { method: Method::ForkJoin, ..lanes(2, 4, 64) };
    let error = search(&Batched::new(3, 1000), jobs, &Limits::depth(3)).unwrap_err();
    assert_eq!(error, OptionsError::NotInLanes { method: Method::ForkJoin }.into());
    assert_eq!(refused(lanes(1, 0, 64)), OptionsError::Lanes { found: 0, most: 16_384 });
    assert_eq!(refused(lanes(1024, 17, 64)), OptionsError::Lanes { found: 17, most: 16 });
    assert_eq!(refused(lanes(1, 4, 0)), OptionsError::Batch { found: 0 });
    assert!(lanes(1024, 16, 65_536).check().is_ok());
}
