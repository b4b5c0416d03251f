//! Simulated searches with lanes and a device that evaluates for them: the value of every search, calls that
//! take their time, and the same search twice from the same seed.

use crate::common::watchdog::without_hanging;
use starsplit::Searcher;
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::{Algorithm, LaneOptions, Limits, Method, Options, SearchError};
use starsplit::simulate::{CostModel, Simulated, SimulatedDevice, Simulation};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphShape, RandomGraph};
use std::time::Duration;

const DEVICE: SimulatedDevice = SimulatedDevice { call_ns: 50_000, each_ns: 100 };

const METHODS: [Method; 6] = [
    Method::Both,
    Method::ChanceSplit,
    Method::DecisionSplit,
    Method::RootSplit,
    Method::SharedTable,
    Method::Abdada,
];

fn with_seed(seed: u64) -> Simulation {
    Simulation { costs: CostModel::UNIT, seed, device: Some(DEVICE) }
}

fn lanes(threads: usize, lanes: usize, batch: usize) -> Options {
    Options {
        threads,
        lanes: LaneOptions { count: Some(lanes), batch: Some(batch), ..LaneOptions::default() },
        ..Options::default()
    }
}

fn graph(seed: u64) -> RandomGraph {
    let shape = GraphShape { positions: 4_000, terminal_percent: 2, ..GraphShape::default() };
    RandomGraph::new(&shape, seed).expect("a shape that makes a graph")
}

type Found = Simulated<u32, u32>;

fn simulate(graph_seed: u64, depth: u32, options: Options, simulation: &Simulation) -> Found {
    let game = graph(graph_seed);
    let (start, limit) = (game.start(), game.facts().grid.limit());
    let table = LocklessTable::new(4).expect("memory");
    let searcher = Searcher::new(game, HashRandom::new(graph_seed, limit), table).with_options(options);
    searcher.simulate(&start, &Limits::depth(depth), simulation).expect("a search")
}

#[test]
fn every_number_of_lanes_finds_the_same_value_with_a_device() {
    let (mut steals, mut full) = (0, 0);
    for seed in 0..4 {
        let depth = 5 + (seed % 2) as u32;
        let alone = Simulation { device: None, ..with_seed(seed) };
        let expected = simulate(seed, depth, Options::default(), &alone).result;
        let mut place = seed as usize;
        for threads in [1, 2, 8] {
            for count in [1, 4, 64] {
                for batch in [1, 16, 64] {
                    let method = METHODS[place % METHODS.len()];
                    let algorithm = Algorithm::ALL[place / 2 % Algorithm::ALL.len()];
                    place += 1;
                    let options = Options { method, algorithm, ..lanes(threads, count, batch) };
                    let found = simulate(seed, depth, options, &with_seed(seed));
                    let case = format!("seed {seed}: {threads}, {count}, {batch}, {method}, {algorithm}");
                    assert_eq!(found.result.bounds, expected.bounds, "{case}");
                    let batches = found.result.batches;
                    assert_eq!(batches.evaluations, found.result.stats.nodes.evaluations, "{case}");
                    assert!(batches.evaluations <= batches.calls * batch as u64, "{case}");
                    assert!(found.result.elapsed >= device_time(&found), "{case}");
                    assert!(threads as u32 * found.result.elapsed >= found.work(), "{case}");
                    assert_eq!(found.span, None, "{case}");
                    steals += found.result.stats.split.steals;
                    full += u64::from(batch > 1 && batches.fill(batch) > 0.5);
                }
            }
        }
    }
    assert!(steals >= 1_000, "{steals} steals");
    assert!(full >= 8, "{full} searches with full batches");
}

/// What the device's calls took.
fn device_time(found: &Found) -> Duration {
    let batches = found.result.batches;
    let SimulatedDevice { call_ns, each_ns } = DEVICE;
    Duration::from_nanos(batches.calls * u64::from(call_ns) + batches.evaluations * u64::from(each_ns))
}

#[test]
fn one_lane_waits_for_each_of_its_evaluations() {
    let found = simulate(3, 6, lanes(1, 1, 64), &with_seed(1));
    let nodes = found.result.stats.nodes;
    assert_eq!(found.work(), Duration::from_nanos(nodes.total() + 2 * nodes.evaluations));
    assert_eq!(found.result.elapsed, device_time(&found) + found.work());
    assert!(found.result.workers.is_empty(), "it is the serial search");
}

#[test]
fn a_device_makes_many_lanes_worth_their_while() {
    let time = |count| simulate(3, 7, lanes(1, count, 64), &with_seed(1)).result.elapsed;
    let [one, four, many] = [1, 4, 64].map(time);
    assert!(2 * four < one && 5 * many < one, "{one:?}, {four:?}, {many:?}");
}

#[test]
fn the_same_seed_gives_the_same_search_with_a_device() {
    let all_of = |found: &Found| {
        let result = &found.result;
        let workers: Vec<_> = result.workers.iter().map(|worker| (worker.stats, worker.times)).collect();
        (found.events, result.elapsed, result.stats, result.batches, workers)
    };
    for (threads, count, batch) in [(2, 7, 16), (8, 32, 64)] {
        let search = |seed| all_of(&simulate(5, 6, lanes(threads, count, batch), &with_seed(seed)));
        let first = search(1);
        assert_eq!(search(1), first);
        assert!((2..9).any(|seed| search(seed) != first), "the seed changes nothing");
    }
}

/// Work that costs nothing, stealing and looking for it among them, and a device that takes no time.
#[test]
fn a_search_in_no_time_comes_to_its_end() {
    without_hanging("a search in no time", || {
        let device = Some(SimulatedDevice { call_ns: 0, each_ns: 0 });
        let simulation = Simulation { costs: CostModel::FREE, seed: 1, device };
        let expected = simulate(3, 6, lanes(1, 1, 1), &simulation).result.bounds;
        for method in METHODS {
            let options = Options { method, ..lanes(4, 16, 8) };
            assert_eq!(simulate(3, 6, options, &simulation).result.bounds, expected, "{method}");
        }
    });
}

/// A random evaluation that fails at one position in a hundred.
struct Failing(HashRandom);

impl<G: Game> Evaluator<G> for Failing {
    type State = ();

    fn facts(&self, game: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(self.0.facts(game).identity)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, state: &()) -> Score {
        let score = self.0.evaluate(game, position, state);
        assert!(score % 100 != 0, "the device is gone");
        score
    }
}

#[test]
fn a_panic_of_an_evaluation_ends_a_search_with_a_device() {
    let game = graph(3);
    let (start, limit) = (game.start(), game.facts().grid.limit());
    for (threads, count, batch) in [(1, 1, 1), (1, 16, 4), (8, 32, 64)] {
        let evaluator = Failing(HashRandom::new(3, limit));
        let table = LocklessTable::new(4).expect("memory");
        let searcher =
            Searcher::new(game.clone(), evaluator, table).with_options(lanes(threads, count, batch));
        let found = searcher.simulate(&start, &Limits::depth(9), &with_seed(1));
        let expected = SearchError::Panicked { message: "the device is gone".to_owned() };
        assert_eq!(found.map(|found| found.result.bounds), Err(expected), "{threads}, {count}, {batch}");
    }
}

#[test]
fn what_does_not_go_with_a_device_is_refused() {
    let game = graph(3);
    let start = game.start();
    let refused = |options, simulation: &Simulation| {
        let searcher = Searcher::new(game.clone(), HashRandom::new(3, 1_000), LocklessTable::new(4).unwrap());
        let searcher = searcher.with_options(options);
        searcher.simulate(&start, &Limits::depth(3), simulation).map(|_| ()).unwrap_err().to_string()
    };
    let alone = Simulation { device: None, ..with_seed(1) };
    assert_eq!(
        refused(lanes(1, 4, 64), &alone),
        "lanes 4: expected 1 in a simulated search without a device"
    );
    let jobs = Options { method: Method::ForkJoin, ..lanes(1, 4, 64) };
    assert_eq!(refused(jobs, &with_seed(1)), "method fork-join: expected one that can be simulated");
    let too_many = "lanes 4096: expected 1 to 2048 on each thread";
    assert_eq!(refused(lanes(8, 4_096, 64), &with_seed(1)), too_many);
}
