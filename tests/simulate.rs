//! Searches on virtual processors: one value however many there are, the serial search's nodes on one of them, and the
//! same search twice from the same seed.

mod common;

use common::carried::Carried;
use common::faulty::{Fault, Faulty};
use common::graphs::{affordable_depth, root_of, shapes};
use common::verdict::assert_happened;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use starsplit::Searcher;
use starsplit::evaluator::{Constant, HashRandom};
use starsplit::game::Game;
use starsplit::games::dice::{Dice, Rules};
use starsplit::search::{Limits, Method, Options, OptionsError, SearchError, Stats, StopReason};
use starsplit::simulate::{CostModel, Simulated, Simulation};
use starsplit::table::LocklessTable;
use starsplit::testkit::{GraphShape, RandomGraph};
use std::cell::Cell;
use std::time::Duration;

const UNIT: Simulation = Simulation { costs: CostModel::UNIT, seed: 1 };

const PROCESSORS: [usize; 12] = [1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// The methods that are simulated.
fn methods() -> impl Iterator<Item = Method> {
    Method::ALL.iter().copied().filter(|&method| method != Method::ForkJoin)
}

/// Options under which small searches are split as well.
fn split_often(method: Method, threads: usize) -> Options {
    Options { method, threads, split_alone: true, split_depth: 3, split_size: 0, ..Options::default() }
}

type SimulatedDice = Simulated<<Dice as Game>::Move, <Dice as Game>::Outcome>;

/// A middle game of Dice, searched with a table of its own.
fn simulate(options: Options, simulation: &Simulation, limits: &Limits) -> SimulatedDice {
    let dice = Dice::new(Rules::default());
    let position = dice.parse("x.o../..x../.oo../.x..o/...x. x -").expect("a position");
    let evaluator = HashRandom::new(1, dice.grid().limit());
    let searcher =
        Searcher::new(dice, evaluator, LocklessTable::new(4).expect("memory")).with_options(options);
    searcher.simulate(&position, limits, simulation).expect("a search")
}

#[test]
fn every_number_of_processors_finds_the_serial_value() {
    let serial = simulate(Options::default(), &UNIT, &Limits::depth(7)).result;
    let mut split = Stats::default().split;
    for method in methods() {
        let shares_much = matches!(method, Method::ChanceSplit | Method::Both);
        for processors in PROCESSORS.into_iter().filter(|&p| shares_much || p <= 16) {
            let found = simulate(split_often(method, processors), &UNIT, &Limits::depth(7)).result;
            assert_eq!(found.bounds, serial.bounds, "{method} on {processors}");
            assert_eq!(found.workers.len(), processors, "{method}");
            split += found.stats.split;
        }
    }
    assert_happened(&[
        ("splits of the probing phase", split.probing_splits, 3_000),
        ("splits of the Star1 phase", split.star1_splits, 1_000),
        ("splits of decision nodes", split.decision_splits, 500),
        ("steals", split.steals, 5_000),
        ("aborts", split.aborts, 200),
        ("deferrals", split.deferred, 200),
    ]);
}

#[test]
fn one_processor_visits_the_nodes_of_the_serial_search() {
    for costs in [CostModel::UNIT, CostModel::FREE] {
        let simulation = Simulation { costs, seed: 1 };
        let serial = simulate(Options::default(), &simulation, &Limits::depth(9)).result;
        let nodes = serial.stats.nodes;
        let time = u64::from(costs.node) * nodes.total() + u64::from(costs.evaluation) * nodes.evaluations;
        assert_eq!(serial.elapsed, Duration::from_nanos(time), "{costs:?}");
        for method in methods() {
            let alone = simulate(split_often(method, 1), &simulation, &Limits::depth(9)).result;
            assert_eq!(alone.stats.nodes, nodes, "{method}, {costs:?}");
            assert_eq!(alone.stats.table, serial.stats.table, "{method}, {costs:?}");
        }
    }
}

/// Everything about a simulated search that can differ.
fn all_of(simulated: &SimulatedDice) -> impl PartialEq + std::fmt::Debug + use<> {
    let workers: Vec<_> = simulated
        .result
        .workers
        .iter()
        .map(|w| {
            (w.stats, w.times, w.splits.clone(), w.task_ns.clone(), w.steal_ns.clone(), w.abort_ns.clone())
        })
        .collect();
    (simulated.events, simulated.result.elapsed, simulated.result.stats, simulated.result.bounds, workers)
}

#[test]
fn the_same_seed_gives_the_same_search() {
    for method in methods() {
        let with_seed = |seed| {
            all_of(&simulate(split_often(method, 24), &Simulation { seed, ..UNIT }, &Limits::depth(7)))
        };
        let first = with_seed(1);
        assert_eq!(with_seed(1), first, "{method}");
        assert!((2..9).any(|seed| with_seed(seed) != first), "{method}: the seed changes nothing");
    }
}

#[test]
fn every_moment_of_virtual_time_is_clocked() {
    for method in methods() {
        let result = simulate(split_often(method, 13), &UNIT, &Limits::depth(7)).result;
        let elapsed = result.elapsed.as_nanos() as u64;
        assert_eq!(result.workers[0].times.total(), elapsed, "{method}");
        // Where work is shared, nobody goes home later than the last look for work takes; where every worker searches
        // the whole tree, when it next looks whether the search is over.
        let is_whole = matches!(method, Method::SharedTable | Method::Abdada);
        let late = u64::from(CostModel::UNIT.failed_steal + CostModel::UNIT.steal);
        for worker in &result.workers {
            let total = worker.times.total();
            assert!(
                total <= elapsed && (is_whole || total + late >= elapsed),
                "{method}: {total} of {elapsed}"
            );
        }
        let work: u64 = result.workers.iter().map(|worker| worker.times.busy).sum();
        let (nodes, split) = (result.stats.nodes, result.stats.split);
        let splits = split.probing_splits + split.star1_splits + split.decision_splits;
        assert_eq!(work, nodes.total() + 2 * nodes.evaluations + 2 * splits, "{method}");
    }
}

/// No search on `P` processors takes less time than its span, nor than its work divided by `P`.
#[test]
fn work_and_span_bound_the_time() {
    let limits = Limits::depth(7);
    let serial = simulate(Options::default(), &UNIT, &limits);
    assert_eq!((serial.span, serial.work()), (Some(serial.result.elapsed), serial.result.elapsed));
    for method in [Method::ChanceSplit, Method::DecisionSplit, Method::Both, Method::RootSplit] {
        for processors in [1, 2, 16, 256] {
            let found = simulate(split_often(method, processors), &UNIT, &limits);
            let (work, elapsed) = (found.work(), found.result.elapsed);
            let span = found.span.unwrap_or_else(|| panic!("{method} has split points"));
            let name = format!("{method} on {processors}: work {work:?}, span {span:?}, time {elapsed:?}");
            assert!(span <= work && span <= elapsed, "{name}");
            assert!(work <= elapsed * processors as u32, "{name}");
            assert!(processors == 1 || span < work, "{name}: nothing was split");
        }
    }
    for method in [Method::SharedTable, Method::Abdada] {
        assert_eq!(simulate(split_often(method, 2), &UNIT, &limits).span, None, "{method}");
    }
}

/// A graph, a method, processors and a seed.
fn cases() -> impl Strategy<Value = (GraphShape, u64, u32, Method, usize, u64)> {
    let methods: Vec<_> = methods().collect();
    let processors = prop::sample::select(vec![2usize, 3, 5, 17, 65]);
    (shapes(), any::<u64>(), any::<u32>(), prop::sample::select(methods), processors, any::<u64>())
}

#[test]
fn random_graphs_have_one_value() {
    let steals = Cell::new(0);
    let config = ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&cases(), |(shape, seed, root, method, threads, schedule)| {
            let limit = shape.limit;
            let graph = RandomGraph::new(&shape, seed).expect("a shape that makes a graph");
            let root = root_of(&graph, root);
            let limits = Limits::depth(affordable_depth(&graph, root, 7, 3_000));
            let options = Options { split_depth: 2, ..split_often(method, threads) };
            let searcher = |options| {
                let table = LocklessTable::with_buckets(64).expect("memory");
                Searcher::new(graph.clone(), Carried::new(seed, limit, false), table).with_options(options)
            };
            let serial = searcher(Options::default()).search_within(&root, &limits).expect("a search");
            let simulation = Simulation { seed: schedule, ..UNIT };
            let found = searcher(options).simulate(&root, &limits, &simulation).expect("a search").result;
            steals.set(steals.get() + found.stats.split.steals);
            prop_assert_eq!(found.bounds, serial.bounds);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert_happened(&[("steals", steals.get(), 2_000)]);
}

#[test]
fn fork_and_join_is_not_simulated() {
    let dice = Dice::new(Rules::default());
    let options = Options { method: Method::ForkJoin, threads: 2, ..Options::default() };
    let position = dice.initial();
    let searcher = Searcher::new(dice, Constant::new(0), LocklessTable::new(1).expect("memory"));
    let error = searcher.with_options(options).simulate(&position, &Limits::depth(3), &UNIT).unwrap_err();
    let expected = OptionsError::NotSimulated { method: Method::ForkJoin };
    assert!(matches!(error, SearchError::Options(found) if found == expected));
}

#[test]
fn a_limit_of_nodes_ends_a_simulated_search() {
    let limits = Limits { nodes: Some(20_000), ..Limits::depth(11) };
    let found = simulate(split_often(Method::ChanceSplit, 8), &UNIT, &limits).result;
    assert_eq!(found.stopped_by, StopReason::Nodes);
    assert!(found.depth < 11 && found.stats.nodes.total() < 60_000, "{}", found.stats.nodes.total());
}

#[test]
fn a_panic_on_any_processor_is_an_error() {
    let shape = GraphShape { positions: 60, ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, 3).expect("a shape that makes a graph");
    let root = root_of(&graph, 0);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {})); // the panics are planned
    let outcomes: Vec<_> = (1..200)
        .map(|successor| {
            let game = Faulty::new(graph.clone(), Fault::PanicAtSuccessor(successor));
            let table = LocklessTable::with_buckets(64).expect("memory");
            let options = Options { split_depth: 2, ..split_often(Method::ChanceSplit, 7) };
            let searcher = Searcher::new(game, Constant::new(0), table).with_options(options);
            searcher.simulate(&root, &Limits::depth(5), &UNIT).map(|found| found.events)
        })
        .collect();
    std::panic::set_hook(usual);
    for (successor, outcome) in outcomes.iter().enumerate() {
        assert!(matches!(outcome, Err(SearchError::Panicked { .. })), "successor {successor}: {outcome:?}");
    }
}
