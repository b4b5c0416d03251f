//! Searches in lanes: the same value as everybody's, evaluations in batches, and clean ends.

use crate::common::MOST_WORKERS;
use starsplit::Searcher;
use starsplit::evaluator::{
    Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, HashRandom, mix64,
};
use starsplit::game::Game;
use starsplit::score::{Bounds, Score, Window};
use starsplit::search::{
    Algorithm, LaneOptions, Limits, Method, Options, SearchError, SiblingBatch, Splits, StopFlag,
};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphShape, RandomGraph};
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A random evaluation for which many at once are said to be cheap. Counts what it is asked for, and can
/// fail.
pub(crate) struct Batched {
    inner: HashRandom,
    cost: EvaluationCost,
    calls: AtomicU64,
    evaluations: AtomicU64,
    largest: AtomicUsize,
    /// The evaluation that panics; never where it is 0.
    panics_at: u64,
    /// The one that fails with an error.
    fails_at: u64,
    /// The one that raises the flag.
    stops_at: u64,
    flag: StopFlag,
}

impl Batched {
    pub(crate) fn new(seed: u64, limit: Score) -> Self {
        Batched {
            inner: HashRandom::new(seed, limit),
            cost: EvaluationCost { fixed_ns: 5_000, each_ns: 100 },
            calls: AtomicU64::new(0),
            evaluations: AtomicU64::new(0),
            largest: AtomicUsize::new(0),
            panics_at: 0,
            fails_at: 0,
            stops_at: 0,
            flag: StopFlag::new(),
        }
    }
}

impl<G: Game> Evaluator<G> for Batched {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.inner.facts(game).with_cost(self.cost)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, state: &()) -> Score {
        self.inner.evaluate(game, position, state)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        assert!(!nodes.is_empty() && nodes.len() == scores.len());
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.largest.fetch_max(nodes.len(), Ordering::Relaxed);
        for ((position, state), score) in nodes.iter().zip(scores) {
            let made = self.evaluations.fetch_add(1, Ordering::Relaxed) + 1;
            if made == self.panics_at {
                panic!("the device is gone");
            }
            if made == self.fails_at {
                return Err(EvaluationError::new("out of memory"));
            }
            if made == self.stops_at {
                self.flag.stop();
            }
            *score = self.evaluate(game, position, state);
        }
        Ok(())
    }
}

fn graph(seed: u64) -> RandomGraph {
    let shape = GraphShape { positions: 4_000, terminal_percent: 2, ..GraphShape::default() };
    RandomGraph::new(&shape, seed).unwrap()
}

/// Threads, lanes on each of them, the most evaluations of a call, and whether a device makes them.
type Case = (usize, usize, usize, bool);

const CASES: [Case; 12] = [
    (1, 2, 1, false),
    (1, 7, 3, true),
    (1, 32, 64, false),
    (1, 256, 64, false),
    (1, 256, 64, true),
    (2, 1, 64, true),
    (2, 2, 64, false),
    (2, 7, 3, false),
    (2, 32, 64, true),
    (2, 256, 3, true),
    (8, 7, 1, true),
    (8, 32, 64, false),
];

const METHODS: [Method; 6] = [
    Method::Both,
    Method::ChanceSplit,
    Method::DecisionSplit,
    Method::RootSplit,
    Method::SharedTable,
    Method::Abdada,
];

/// Options with all threads from the beginning.
fn lanes((threads, lanes, batch, device): Case) -> Options {
    let helpers_after = Duration::ZERO;
    Options {
        threads,
        lanes: LaneOptions { count: Some(lanes), batch: Some(batch), device, ..LaneOptions::default() },
        splits: Splits { helpers_after, ..Splits::default() },
        ..Options::default()
    }
}

/// What happened in many searches.
#[derive(Debug, Default)]
struct Seen {
    full_batches: u64,
    steals: u64,
    thread_steals: u64,
}

/// Compares searches of a graph in lanes with the serial search of it.
fn compare(game: &RandomGraph, seed: u64, depth: u32, cases: impl Iterator<Item = Case>, seen: &mut Seen) {
    let limit = game.facts().grid.limit();
    let limits = Limits::depth(depth);
    let serial = Searcher::builder(game.clone(), HashRandom::new(seed, limit)).limits(limits.clone());
    let expected = serial.build().unwrap().search(&game.start()).unwrap();
    for (place, case) in cases.enumerate() {
        let method = METHODS[(seed as usize + place) % METHODS.len()];
        let algorithm = Algorithm::ALL[(seed as usize / 3 + place) % Algorithm::ALL.len()];
        let sibling_batch = SiblingBatch::ALL[(seed as usize / 2 + place) % SiblingBatch::ALL.len()];
        // Other threads are called at once, or after some ten microseconds.
        let helpers_after = Duration::from_micros([0, 0, 0, 2][(seed as usize / 6 + place) % 4]);
        // What the search would split here, or all that it can: lanes have more to steal then.
        let finest = Splits { depth: Some(2), size: Some(0), ..Splits::default() };
        let splits = [Splits::default(), finest][(seed as usize / 2 + place) % 2];
        let options = Options {
            method,
            algorithm,
            lanes: LaneOptions { sibling_batch, ..lanes(case).lanes },
            splits: Splits { helpers_after, ..splits },
            ..lanes(case)
        };
        let threads = options.threads;
        let evaluator = Batched::new(seed, limit);
        let table = LocklessTable::new(1).unwrap();
        let searcher = Searcher::new(game.clone(), &evaluator, &table).with_options(options.clone());
        let found = searcher.request(&game.start()).limits(limits.clone()).search().unwrap();
        let case = format!("seed {seed}, {case:?}, {method}, {algorithm}, {sibling_batch}");
        assert_eq!(found.score(), expected.score(), "{case}");
        assert_eq!(found.stats.batches.calls, evaluator.calls.load(Ordering::Relaxed), "{case}");
        if found.lanes.lanes > 1 || options.lanes.device {
            assert_eq!(found.stats.batches.evaluations, found.stats.nodes.evaluations, "{case}");
            assert!(found.workers.iter().any(|worker| worker.times.busy > 0), "{case}");
            let all = threads * found.lanes.lanes;
            let have_begun = if method.splits() { 1..=all } else { all..=all };
            assert!(have_begun.contains(&found.workers.len()), "{case}: {}", found.workers.len());
        }
        let largest = evaluator.largest.load(Ordering::Relaxed);
        assert!(largest <= found.lanes.batch, "{case}: {largest}");
        seen.full_batches += u64::from(largest > 1 && largest == found.lanes.batch);
        seen.steals += found.stats.split.steals;
        seen.thread_steals += found.stats.split.thread_steals;
        let score = expected.score().expect("an exact value");
        let window = Window::new(score - (seed as Score % 3), score - (seed as Score % 3) + 1);
        let Bounds { lower, upper } =
            searcher.request(&game.start()).limits(Limits::depth(depth)).prove(window).unwrap().bounds;
        assert!(lower <= score && score <= upper, "{case}: {lower} to {upper} in {window:?}");
        assert!(window.is_settled_by(Bounds::new(lower, upper)), "{case}: {lower} to {upper} in {window:?}");
    }
}

/// Threads sleep where there is no processor for each of them.
#[test]
fn more_threads_than_processors_find_the_same_value() {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let cases = [processors + 1, 4 * processors]
        .into_iter()
        .flat_map(|threads| [1, 4].map(|lanes| (threads, lanes)))
        .flat_map(|(threads, lanes)| [false, true].map(|device| (threads, lanes, 8, device)));
    let mut seen = Seen::default();
    for seed in 8..14 {
        compare(&graph(seed), seed, 5 + (seed % 3) as u32, cases.clone(), &mut seen);
    }
    assert!(seen.thread_steals >= 10, "{seen:?}");
}

#[test]
fn every_number_of_lanes_finds_the_same_value() {
    let mut seen = Seen::default();
    for seed in 0..8 {
        compare(&graph(seed), seed, 5 + (seed % 3) as u32, cases(), &mut seen);
    }
    let Seen { full_batches, steals, thread_steals } = seen;
    // Where addresses have 32 bits, there is room for fewer lanes.
    let (batches, lane_steals) = if cfg!(target_pointer_width = "32") { (10, 500) } else { (20, 1_000) };
    assert!(full_batches >= batches, "{seen:?}");
    assert!(thread_steals >= 10 && steals - thread_steals >= lane_steals, "{seen:?}");
}

/// Those for whose stacks there is room.
fn cases() -> impl Iterator<Item = Case> {
    CASES.into_iter().filter(|&(threads, lanes, ..)| threads * lanes <= MOST_WORKERS)
}

/// Every number of lanes and threads, every cap, with a device and without: each on many small graphs.
fn on_small_graphs(count: u64) {
    let cases: Vec<Case> = [1, 2, 8]
        .into_iter()
        .flat_map(|threads| [1, 2, 7, 32, 256].map(|lanes| (threads, lanes)))
        .filter(|(threads, lanes)| threads * lanes <= MOST_WORKERS)
        .flat_map(|(threads, lanes)| [1, 3, 64].map(|batch| (threads, lanes, batch)))
        .flat_map(|(threads, lanes, batch)| [false, true].map(|device| (threads, lanes, batch, device)))
        .collect();
    let (mut seen, mut ended_early) = (Seen::default(), 0);
    for seed in 0..count {
        let shape = GraphShape { positions: 300, terminal_percent: 5, ..GraphShape::default() };
        let game = RandomGraph::new(&shape, seed).unwrap();
        let case = cases[seed as usize % cases.len()];
        compare(&game, seed, 3 + (seed % 4) as u32, std::iter::once(case), &mut seen);
        ended_early += u64::from(end_early(&game, seed, case));
    }
    let least = count / 10;
    assert!(ended_early >= least, "{ended_early} searches ended early");
    assert!(seen.full_batches >= least && seen.thread_steals >= least, "{seen:?}");
    assert!(seen.steals - seen.thread_steals >= least, "{seen:?}");
}

/// Searches the graph again, and at some evaluation there is a panic, an error or a wish to stop; whether the
/// search came to it.
fn end_early(game: &RandomGraph, seed: u64, case: Case) -> bool {
    let at = 1 + mix64(seed) % 200;
    let mut evaluator = Batched::new(seed, game.facts().grid.limit());
    match seed % 3 {
        0 => evaluator.panics_at = at,
        1 => evaluator.fails_at = at,
        _ => evaluator.stops_at = at,
    }
    let limits = Limits::depth(7).with_stop(evaluator.flag.clone());
    let table = LocklessTable::new(1).unwrap();
    let searcher = Searcher::new(game.clone(), &evaluator, &table).with_options(lanes(case));
    let found = searcher.request(&game.start()).limits(limits.clone()).search();
    let has_come = evaluator.evaluations.load(Ordering::Relaxed) >= at;
    let panicked = SearchError::Panicked { message: "the device is gone".to_owned() };
    let failed = SearchError::Evaluation(EvaluationError::new("out of memory"));
    match (found, has_come, seed % 3) {
        (Err(error), true, 0) => assert_eq!(error, panicked, "seed {seed}, {case:?}"),
        (Err(error), true, 1) => assert_eq!(error, failed, "seed {seed}, {case:?}"),
        (Ok(_), true, 2) | (Ok(_), false, _) => {}
        (found, ..) => panic!("seed {seed}, {case:?}: {found:?}"),
    }
    has_come
}

#[test]
fn small_graphs_have_one_value_in_lanes() {
    on_small_graphs(360);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_graphs_have_one_value_in_lanes() {
    on_small_graphs(10_000);
}

#[test]
fn the_search_chooses_lanes_by_what_a_call_costs() {
    let game = graph(4);
    let lanes_at = |fixed_ns| {
        let cost = EvaluationCost { fixed_ns, each_ns: 100 };
        let evaluator = Batched { cost, ..Batched::new(4, game.facts().grid.limit()) };
        let table = LocklessTable::new(1).unwrap();
        let searcher = Searcher::new(game.clone(), &evaluator, &table);
        searcher.request(&game.start()).limits(Limits::depth(4)).search().unwrap().lanes
    };
    assert_eq!((lanes_at(0).lanes, lanes_at(0).batch), (1, 1));
    let (few, many) = (lanes_at(2_000).lanes, lanes_at(100_000).lanes);
    assert!(few > 1 && (few < many || few == many && many >= MOST_WORKERS / 2), "{few}, {many}");
}

/// Without lanes: threads, the most evaluations of a call, and what is requested together.
fn siblings(threads: usize, batch: usize, sibling_batch: SiblingBatch) -> Options {
    let usual = lanes((threads, 1, batch, false));
    Options { lanes: LaneOptions { sibling_batch, ..usual.lanes }, ..usual }
}

#[test]
fn siblings_share_calls_without_lanes() {
    let limit = graph(0).facts().grid.limit();
    let (mut most, mut splits, mut probed) = (0.0_f64, 0, 0);
    for seed in 0..6 {
        let (game, depth) = (graph(seed), 5 + (seed % 3) as u32);
        let serial =
            Searcher::builder(game.clone(), HashRandom::new(seed, limit)).limits(Limits::depth(depth));
        let expected = serial.build().unwrap().search(&game.start()).unwrap().score();
        let kinds = [SiblingBatch::None, SiblingBatch::Probes, SiblingBatch::Rest, SiblingBatch::Moves];
        for (place, sibling_batch) in kinds.into_iter().enumerate() {
            for (threads, batch) in [(1, 64), (1, 2), (2, 64)] {
                let algorithm = Algorithm::ALL[(seed as usize + place) % Algorithm::ALL.len()];
                // Jobs of a general pool, too.
                let method = Method::ALL[(seed as usize / 2 + place) % Method::ALL.len()];
                let options = Options { algorithm, method, ..siblings(threads, batch, sibling_batch) };
                let evaluator = Batched::new(seed, limit);
                let table = LocklessTable::new(1).unwrap();
                let searcher = Searcher::new(game.clone(), &evaluator, &table).with_options(options);
                let found = searcher.request(&game.start()).limits(Limits::depth(depth)).search().unwrap();
                let case = format!("seed {seed}, {threads}, {batch}, {method}, {algorithm}, {sibling_batch}");
                assert_eq!(found.score(), expected, "{case}");
                let (counts, largest) = (found.stats.batches, evaluator.largest.load(Ordering::Relaxed));
                assert_eq!(counts.calls, evaluator.calls.load(Ordering::Relaxed), "{case}");
                assert_eq!(counts.evaluations, evaluator.evaluations.load(Ordering::Relaxed), "{case}");
                assert!(largest <= batch && counts.evaluations <= found.stats.nodes.evaluations, "{case}");
                // Not every search probes, and Expectimax leaves the moves in their order.
                let probes = found.stats.nodes.star2_probes > 0;
                probed += u32::from(probes && sibling_batch == SiblingBatch::Probes);
                let must = match sibling_batch {
                    SiblingBatch::Rest | SiblingBatch::Moves => algorithm.prunes(),
                    SiblingBatch::Probes => probes,
                    _ => false,
                };
                assert!(counts.calls > 0 || !must, "{case}");
                assert!(sibling_batch != SiblingBatch::None || counts.calls == 0, "{case}");
                let is_told = found.lanes.lanes == 1 && found.lanes.sibling_batch == sibling_batch;
                assert!(is_told && found.lanes.batch >= largest, "{case}: {:?}", found.lanes);
                most = most.max(counts.fill(1));
                splits += found.stats.split.tasks;
            }
        }
    }
    assert!(most > 2.0 && splits > 100, "{most} evaluations a call at the most, {splits} tasks");
    assert!(probed >= 6, "{probed} searches probed");
}

#[test]
fn a_failed_call_without_lanes_ends_the_search() {
    let limit = graph(3).facts().grid.limit();
    for options in [siblings(1, 64, SiblingBatch::Moves), siblings(2, 3, SiblingBatch::Rest)] {
        for at in [1, 2, 50, 333] {
            let panicking = Batched { panics_at: at, ..Batched::new(3, limit) };
            let found = search(&panicking, options.clone(), &Limits::depth(9));
            assert_eq!(
                found,
                Err(SearchError::Panicked { message: "the device is gone".to_owned() }),
                "{at}"
            );
            let failing = Batched { fails_at: at, ..Batched::new(3, limit) };
            let found = search(&failing, options.clone(), &Limits::depth(9));
            assert_eq!(found, Err(SearchError::Evaluation(EvaluationError::new("out of memory"))), "{at}");
            let evaluator = Batched { stops_at: at, ..Batched::new(3, limit) };
            let limits = Limits::depth(200).with_stop(evaluator.flag.clone());
            search(&evaluator, options.clone(), &limits).unwrap();
            let made = evaluator.evaluations.load(Ordering::Relaxed);
            assert!(made < at + 4_000, "{made} after {at}");
        }
    }
}

fn search(evaluator: &Batched, options: Options, limits: &Limits) -> Result<Option<Score>, SearchError> {
    let game = graph(3);
    let start = game.start();
    let table = LocklessTable::new(1).unwrap();
    let searcher = Searcher::new(game, evaluator, &table).with_options(options);
    searcher.request(&start).limits(limits.clone()).search().map(|found| found.score())
}

#[test]
fn a_panic_or_an_error_in_a_batch_ends_the_search_with_its_message() {
    let limit = graph(3).facts().grid.limit();
    for case in cases() {
        for at in [1, 2, 50, 333] {
            let panicking = Batched { panics_at: at, ..Batched::new(3, limit) };
            let found = search(&panicking, lanes(case), &Limits::depth(9));
            let expected = SearchError::Panicked { message: "the device is gone".to_owned() };
            assert_eq!(found, Err(expected), "{case:?}, {at}");
            let failing = Batched { fails_at: at, ..Batched::new(3, limit) };
            let found = search(&failing, lanes(case), &Limits::depth(9));
            let expected = SearchError::Evaluation(EvaluationError::new("out of memory"));
            assert_eq!(found, Err(expected), "{case:?}, {at}");
        }
    }
}

#[test]
fn a_search_in_lanes_stops_when_it_is_asked_to() {
    let limit = graph(3).facts().grid.limit();
    for case in cases() {
        for stops_at in [1, 40, 900] {
            let evaluator = Batched { stops_at, ..Batched::new(3, limit) };
            let limits = Limits::depth(200).with_stop(evaluator.flag.clone());
            search(&evaluator, lanes(case), &limits).unwrap();
            let made = evaluator.evaluations.load(Ordering::Relaxed);
            let workers = (case.0 * case.1) as u64;
            // Workers look at the flag once in a thousand nodes.
            assert!(made < stops_at + 2_000 * workers, "{case:?}: {made} after {stops_at}");
        }
    }
}

#[test]
fn what_does_not_go_with_lanes_is_refused() {
    let refused = |options: Options| options.check().unwrap_err().to_string();
    let jobs = Options { method: Method::ForkJoin, ..lanes((2, 4, 64, false)) };
    let error = search(&Batched::new(3, 1000), jobs, &Limits::depth(3)).unwrap_err();
    assert!(matches!(error, SearchError::Options(_)), "{error:?}");
    let expected = "method fork-join: expected one without threads of its own where there are lanes";
    assert_eq!(error.to_string(), expected);
    assert_eq!(refused(lanes((1, 0, 64, false))), "lanes 0: expected 1 to 16384 on each thread");
    assert_eq!(refused(lanes((1024, 17, 64, false))), "lanes 17: expected 1 to 16 on each thread");
    assert_eq!(refused(lanes((1, 4, 0, false))), "batch 0: expected 1 to 65536");
    assert!(lanes((1024, 16, 65_536, true)).check().is_ok());
}
