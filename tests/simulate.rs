//! Searches on virtual processors: one value however many there are, the serial search's nodes on one of
//! them, and the same search twice from the same seed.

use crate::common::MOST_WORKERS;
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Erased, Seeing};
use crate::common::faulty::{Fault, Faulty};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, graph_of, root_of, shapes, wide_graph};
use crate::common::quiet::quieten_planned_panics;
use crate::common::techniques::techniques;
use crate::common::verdict::assert_happened;
use crate::common::watchdog::without_hanging;
use crate::timeline::total;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use starsplit::Searcher;
use starsplit::evaluator::{Constant, HashRandom};
use starsplit::game::Game;
use starsplit::search::{
    Activity, Algorithm, LaneOptions, Limits, Method, Options, SearchError, Splits, Stats, StopReason,
    TableUse, Telemetry,
};
use starsplit::simulate::{CostModel, Simulated, Simulation};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphShape, OutcomeBlind, RandomGraph};
use std::cell::Cell;
use std::time::Duration;

const UNIT: Simulation = Simulation { costs: CostModel::UNIT, seed: 1 };

/// Where waking takes time, and looks so little that those without work soon sleep.
const MACHINE: CostModel = CostModel {
    node: 10,
    evaluation: 30,
    table: 50,
    poll: 2,
    split: 900,
    steal: 400,
    failed_steal: 1,
    wake: 4_000,
    wake_latency: 30_000,
};

const PROCESSORS: [usize; 12] = [1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// The methods that are simulated.
fn methods() -> impl Iterator<Item = Method> {
    Method::ALL.iter().copied().filter(|method| !method.uses_whole_pool())
}

/// Options under which small searches are split as well.
fn split_often(method: Method, threads: usize) -> Options {
    Options {
        method,
        threads,
        splits: Splits { alone: true, depth: Some(3), size: Some(0), ..Splits::default() },
        ..Options::default()
    }
}

type Found = Simulated<u32, u32>;

/// A graph, searched with a table of its own.
fn simulate(options: Options, simulation: &Simulation, limits: &Limits) -> Found {
    let graph = wide_graph();
    let start = graph.start();
    let evaluator = HashRandom::new(1, graph.facts().grid.limit());
    let searcher =
        Searcher::new(graph, evaluator, LocklessTable::new(4).expect("memory")).with_options(options);
    searcher.request(&start).limits(limits.clone()).simulate(simulation).expect("a search")
}

#[test]
fn every_number_of_processors_finds_the_serial_value() {
    let bounds = |options, depth| {
        let found = simulate(options, &UNIT, &Limits::depth(depth)).result;
        (found.bounds, found)
    };
    let serial = [5, 7].map(|depth| bounds(Options::default(), depth).0);
    let mut stats = Stats::default();
    for method in methods() {
        // Many workers that search the whole tree each, or find nothing to share, take long.
        let shares_much = matches!(method, Method::ChanceSplit | Method::Both);
        for processors in PROCESSORS.into_iter().filter(|&processors| processors <= MOST_WORKERS) {
            let is_deep = shares_much || processors <= 16;
            let (value, found) = bounds(split_often(method, processors), if is_deep { 7 } else { 5 });
            assert_eq!(value, serial[usize::from(is_deep)], "{method} on {processors}");
            assert_eq!(found.workers.len(), processors, "{method}");
            stats += found.stats;
        }
    }
    let split = stats.split;
    assert_happened(&[
        ("splits of the probing phase", split.probing_splits, 500),
        ("splits of the Star1 phase", split.star1_splits, 300),
        ("splits of decision nodes", split.decision_splits, 150),
        ("steals", split.steals, 1_500),
        ("aborts", split.aborts, 60),
        ("deferrals", split.deferred, 60),
    ]);
}

/// Options under which small searches call their helpers after this time.
fn call_after(helpers_after: Duration, method: Method, processors: usize) -> Options {
    let options = split_often(method, processors);
    Options { splits: Splits { helpers_after, ..options.splits }, ..options }
}

#[test]
fn helpers_that_are_called_find_the_serial_value() {
    let (limits, costs) = (Limits::depth(7), MACHINE);
    let serial = simulate(Options::default(), &UNIT, &limits).result.bounds;
    let woken = u64::from(costs.wake + costs.wake_latency);
    let (mut steals, mut wake_ups) = (0, 0);
    for method in methods() {
        for (processors, after) in [(2, 0), (3, 100), (17, 40), (64, 20)] {
            let called = call_after(Duration::from_micros(after), method, processors);
            let telemetry = Telemetry { timeline: 10_000, ..called.telemetry };
            let options = Options { telemetry, ..called };
            let found = simulate(options, &Simulation { costs, seed: after }, &limits).result;
            let name = format!("{method} on {processors} after {after} us");
            assert_eq!(found.bounds, serial, "{name}");
            assert_eq!(found.workers.len(), processors, "{name}");
            for helper in &found.workers[1..] {
                assert!(helper.times.parked >= woken, "{name}: {:?}", helper.times);
                let activities = helper.timeline.activities.iter();
                let sleeps = activities.filter(|span| matches!(span.activity, Activity::Parked)).count();
                wake_ups += sleeps as u64 - 1;
            }
            steals += found.stats.split.steals;
        }
    }
    assert_happened(&[("steals", steals, 500), ("wake-ups after the first", wake_ups, 20)]);
}

#[test]
fn a_search_that_ends_before_it_calls_helpers_is_the_serial_one() {
    let (limits, simulation) = (Limits::depth(7), Simulation { costs: MACHINE, seed: 1 });
    let serial = simulate(Options::default(), &simulation, &limits);
    for method in methods() {
        let found = simulate(call_after(Duration::from_secs(1), method, 64), &simulation, &limits);
        assert_eq!(found.result.stats, serial.result.stats, "{method}");
        let (own, elapsed) = (serial.result.elapsed, found.result.elapsed);
        assert!(own <= elapsed && elapsed <= own + own / 100, "{method}: {elapsed:?}, serial {own:?}");
        assert!(found.result.workers.is_empty(), "{method}");
    }
}

/// Options under which an algorithm splits often, with the table where the paper's comparison has it.
fn split_often_by(algorithm: Algorithm, method: Method, processors: usize) -> Options {
    let table_use = Options::paper(algorithm).table_use;
    Options { algorithm, table_use, ..split_often(method, processors) }
}

#[test]
fn every_algorithm_finds_the_serial_value_on_every_number_of_processors() {
    let expected = simulate(Options::default(), &UNIT, &Limits::depth(6)).result.bounds;
    for &algorithm in Algorithm::ALL {
        let mut stats = Stats::default();
        for method in methods() {
            for processors in [1, 2, 5, 16, 32, 64] {
                let options = split_often_by(algorithm, method, processors);
                let found = simulate(options, &UNIT, &Limits::depth(6)).result;
                assert_eq!(found.bounds, expected, "{algorithm} by {method} on {processors}");
                assert_eq!(found.workers.len(), processors, "{algorithm} by {method}");
                stats += found.stats;
            }
        }
        println!("{algorithm}");
        let split = stats.split;
        assert_happened(&[
            ("splits of chance nodes", split.probing_splits + split.star1_splits, 150),
            ("splits of decision nodes", split.decision_splits, 200),
            ("steals", split.steals, 500),
            ("deferrals", split.deferred, 5_000),
        ]);
    }
}

/// Without cuts, and without a table, nothing is searched in vain however many help.
#[test]
fn many_processors_visit_the_nodes_of_a_serial_search_that_does_not_prune() {
    let limits = Limits::depth(5);
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| !algorithm.prunes()) {
        let options = |method, processors| {
            let table_use = TableUse::None;
            Options { table_use, ..split_often_by(algorithm, method, processors) }
        };
        let serial = Options {
            splits: Splits { alone: false, ..options(Method::default(), 1).splits },
            ..options(Method::default(), 1)
        };
        let nodes = simulate(serial, &UNIT, &limits).result.stats.nodes;
        for method in methods().filter(|method| method.splits()) {
            for processors in [1, 7, 64] {
                let found = simulate(options(method, processors), &UNIT, &limits).result.stats;
                assert_eq!(found.nodes, nodes, "{algorithm} by {method} on {processors}");
                assert_eq!(found.split.aborts, 0, "{algorithm} by {method} on {processors}");
            }
        }
    }
}

#[test]
fn nodes_that_two_processors_search_at_once_are_counted_and_change_nothing_else() {
    for method in [Method::ChanceSplit, Method::Both] {
        let search = |count_duplicates| {
            let options = Options {
                telemetry: Telemetry { count_duplicates, ..split_often(method, 64).telemetry },
                ..split_often(method, 64)
            };
            simulate(options, &UNIT, &Limits::depth(9)).result.stats
        };
        let (plain, mut counted) = (search(false), search(true));
        let duplicates = std::mem::take(&mut counted.split.duplicate_nodes);
        assert!(duplicates > 0 && duplicates < counted.nodes.total() / 2, "{method}: {duplicates}");
        assert_eq!(counted, plain, "{method}");
    }
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
    for &algorithm in Algorithm::ALL {
        let alone = |method| split_often_by(algorithm, method, 1);
        let serial = Options {
            splits: Splits { alone: false, ..alone(Method::default()).splits },
            ..alone(Method::default())
        };
        let expected = simulate(serial, &UNIT, &Limits::depth(5)).result.stats;
        for method in methods() {
            let found = simulate(alone(method), &UNIT, &Limits::depth(5)).result.stats;
            assert_eq!((found.nodes, found.table), (expected.nodes, expected.table), "{algorithm}, {method}");
        }
    }
}

/// Everything about a simulated search that can differ.
fn all_of(simulated: &Found) -> impl PartialEq + std::fmt::Debug + use<> {
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
    let called = |method| call_after(Duration::from_micros(30), method, 24);
    for method in methods() {
        for (costs, options) in [(CostModel::UNIT, split_often(method, 24)), (MACHINE, called(method))] {
            let with_seed =
                |seed| all_of(&simulate(options.clone(), &Simulation { costs, seed }, &Limits::depth(7)));
            let first = with_seed(1);
            assert_eq!(with_seed(1), first, "{method}");
            // By odd costs clocks are seldom equal.
            let may_change = costs == CostModel::UNIT;
            let is_changed = (2..9).any(|seed| with_seed(seed) != first);
            assert!(is_changed || !may_change, "{method}: the seed changes nothing");
        }
    }
}

#[test]
fn every_moment_of_virtual_time_is_clocked() {
    for method in methods() {
        let result = simulate(split_often(method, 13), &UNIT, &Limits::depth(7)).result;
        let elapsed = result.elapsed.as_nanos() as u64;
        assert_eq!(total(&result.workers[0].times), elapsed, "{method}");
        // Where work is shared, nobody goes home later than the last look for work takes; where every worker
        // searches the whole tree, when it next looks whether the search is over.
        let is_whole = !method.splits();
        let late = u64::from(CostModel::UNIT.failed_steal + CostModel::UNIT.steal);
        for worker in &result.workers {
            let total = total(&worker.times);
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
        for processors in [1, 2, 16, 256].into_iter().filter(|&processors| processors <= MOST_WORKERS) {
            let found = simulate(split_often(method, processors), &UNIT, &limits);
            let (work, elapsed) = (found.work(), found.result.elapsed);
            let span = found.span.unwrap_or_else(|| panic!("{method} has split points"));
            let name = format!("{method} on {processors}: work {work:?}, span {span:?}, time {elapsed:?}");
            assert!(span <= work && span <= elapsed, "{name}");
            assert!(work <= elapsed * processors as u32, "{name}");
            assert!(processors == 1 || span < work, "{name}: nothing was split");
        }
    }
    for &method in Method::ALL.iter().filter(|method| !method.splits()) {
        assert_eq!(simulate(split_often(method, 2), &UNIT, &limits).span, None, "{method}");
    }
}

/// A random graph, and how it is searched.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    /// Whether the evaluator ignores outcomes, so that chance nodes may collapse.
    is_blind: bool,
    options: Options,
    costs: CostModel,
    schedule: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let methods: Vec<_> = methods().collect();
    let processors = prop::sample::select(vec![2usize, 3, 5, 17, 65]);
    let split_depths = prop::option::weighted(0.9, prop_oneof![3 => Just(2u8), 1 => 3u8..=7]);
    // Star2-TT, the default, as often as all others together.
    let default = Options::default();
    let forms = prop_oneof![Just((default.algorithm, default.table_use)), prop::sample::select(forms())];
    let helpers_after = (0_u64..100).prop_map(Duration::from_micros);
    let splits = (split_depths, helpers_after).prop_map(|(depth, helpers_after)| Splits {
        alone: true,
        depth,
        size: Some(0),
        helpers_after,
    });
    let options = (prop::sample::select(methods), forms, processors, splits, techniques()).prop_map(
        |(method, (algorithm, table_use), threads, splits, techniques)| Options {
            algorithm,
            table_use,
            method,
            threads,
            splits,
            ..techniques
        },
    );
    let costs = prop::sample::select(vec![CostModel::UNIT, MACHINE]);
    (shapes(), any::<u64>(), any::<u32>(), any::<bool>(), options, (costs, any::<u64>())).prop_map(
        |(shape, seed, root, is_blind, options, (costs, schedule))| Case {
            shape,
            seed,
            root,
            is_blind,
            options,
            costs,
            schedule,
        },
    )
}

/// Simulates the search beside the serial one, which goes the library's own way; gives what was counted.
fn try_case<const IS_BLIND: bool>(
    case: &Case,
    graph: &RandomGraph,
    evaluator: &Erased<'_, RandomGraph, IS_BLIND, false>,
) -> Result<Stats, TestCaseError> {
    let root = root_of(graph, case.root);
    let limits = Limits::depth(affordable_depth(graph, root, 7, 3_000));
    let table = || LocklessTable::with_buckets(64).expect("memory");
    let (of_serial, of_virtual) = (table(), table());
    let searcher =
        |table, options| Searcher::new(graph.clone(), evaluator.clone(), table).with_options(options);
    let serial = searcher(&of_serial, Options::default())
        .request(&root)
        .limits(limits.clone())
        .search()
        .expect("a search");
    let simulation = Simulation { seed: case.schedule, costs: case.costs };
    let searcher = searcher(&of_virtual, case.options.clone());
    let found =
        searcher.request(&root).limits(limits.clone()).simulate(&simulation).expect("a search").result;
    prop_assert_eq!(found.bounds, serial.bounds);
    Ok(found.stats)
}

#[test]
fn random_graphs_have_one_value() {
    let total = Cell::new(Stats::default());
    let config = ProptestConfig { cases: 1_800, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&cases(), |case| {
            let graph = graph_of(&case.shape, case.seed);
            let limit = case.shape.limit;
            let stats = if case.is_blind {
                try_case(&case, &graph, &Blind::of(OutcomeBlind::new(&graph, case.seed, limit)))
            } else {
                try_case(&case, &graph, &Seeing::of(Carried::new(case.seed, limit, false)))
            }?;
            let mut sum = total.get();
            sum += stats;
            total.set(sum);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let Stats { nodes, table, split, .. } = total.get();
    assert_eq!(table.contradictions, 0);
    assert_happened(&[
        ("steals", split.steals, 2_000),
        ("chance nodes collapsed", nodes.collapsed, 10_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 200),
        ("decision nodes cut by their successors' entries", table.move_cutoffs, 20),
    ]);
}

/// As in the moves of one game, or the tasks of a plan: the table has what the first iterations ask.
#[test]
fn what_the_table_answers_does_not_keep_the_rest_from_being_split() {
    let graph = wide_graph();
    let start = graph.start();
    let evaluator = HashRandom::new(1, graph.facts().grid.limit());
    let options = Options { threads: 16, ..Options::default() };
    let searcher = || {
        Searcher::new(graph.clone(), evaluator, LocklessTable::new(4).expect("memory"))
            .with_options(options.clone())
    };
    let simulate = |searcher: &Searcher<_, _, _>, depth| {
        searcher.request(&start).limits(Limits::depth(depth)).simulate(&UNIT).expect("a search").result
    };
    let (cold, warm) = (searcher(), searcher());
    let shallow = simulate(&warm, 9);
    let (cold, warm) = (simulate(&cold, 10), simulate(&warm, 10));
    assert_eq!((cold.bounds, shallow.depth), (warm.bounds, 9));
    assert!(2 * warm.stats.nodes.total() < 3 * cold.stats.nodes.total(), "the table has helped");
    let speedup = |result: &starsplit::search::SearchResult<u32, u32>| {
        let busy: u64 = result.workers.iter().map(|worker| worker.times.busy).sum();
        busy as f64 / result.elapsed.as_nanos() as f64
    };
    assert!(speedup(&cold) > 8.0, "{}", speedup(&cold));
    assert!(
        speedup(&warm) > speedup(&cold) / 2.0,
        "{}, {} with an empty table",
        speedup(&warm),
        speedup(&cold)
    );
}

#[test]
fn fork_and_join_is_not_simulated() {
    let graph = wide_graph();
    let options = Options { method: Method::ForkJoin, threads: 2, ..Options::default() };
    let start = graph.start();
    let searcher = Searcher::new(graph, HashRandom::new(1, 1), LocklessTable::new(1).expect("memory"));
    let error =
        searcher.with_options(options).request(&start).limits(Limits::depth(3)).simulate(&UNIT).unwrap_err();
    assert!(matches!(error, SearchError::Options(_)), "{error:?}");
    assert_eq!(error.to_string(), "method fork-join: expected one that can be simulated");
}

#[test]
fn lanes_are_not_simulated() {
    let lanes = LaneOptions { count: Some(4), ..LaneOptions::default() };
    let options = Options { threads: 2, lanes, ..Options::default() };
    let graph = wide_graph();
    let start = graph.start();
    let searcher = Searcher::new(graph, HashRandom::new(1, 1), LocklessTable::new(1).expect("memory"));
    let error =
        searcher.with_options(options).request(&start).limits(Limits::depth(3)).simulate(&UNIT).unwrap_err();
    assert_eq!(error.to_string(), "lanes 4: expected 1 in a simulated search");
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
    quieten_planned_panics();
    let outcomes: Vec<_> = (1..200)
        .map(|successor| {
            let game = Faulty::new(graph.clone(), Fault::PanicAtSuccessor(successor));
            let table = LocklessTable::with_buckets(64).expect("memory");
            let options = Options {
                splits: Splits { depth: Some(2), ..split_often(Method::ChanceSplit, 7).splits },
                ..split_often(Method::ChanceSplit, 7)
            };
            let searcher = Searcher::new(game, Constant::new(0), table).with_options(options);
            searcher.request(&root).limits(Limits::depth(5)).simulate(&UNIT).map(|found| found.events)
        })
        .collect();
    for (successor, outcome) in outcomes.iter().enumerate() {
        assert!(matches!(outcome, Err(SearchError::Panicked { .. })), "successor {successor}: {outcome:?}");
    }
}

/// One node lasts as long as billions of looks for work: those who look have to notice that the search is
/// over, or it never is.
#[test]
fn a_simulated_search_ends_whatever_its_events_cost() {
    let costs = [
        CostModel { node: u32::MAX, table: 1, ..CostModel::FREE },
        CostModel { node: u32::MAX, ..MACHINE },
        CostModel { node: u32::MAX, ..CostModel::UNIT },
        CostModel { evaluation: u32::MAX, failed_steal: 1, ..CostModel::FREE },
    ];
    for (costs, method) in costs.into_iter().flat_map(|costs| methods().map(move |method| (costs, method))) {
        let limits = Limits::depth(9).with_time(Duration::from_millis(20));
        let found = without_hanging((costs, method), move || {
            simulate(split_often(method, 64), &Simulation { costs, seed: 1 }, &limits).result
        });
        assert_eq!(found.stopped_by, StopReason::Time, "{method} with {costs:?}");
    }
}
