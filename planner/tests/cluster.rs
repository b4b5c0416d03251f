//! Searches on simulated clusters: one value whatever the machines, their connections and what they tell each
//! other; the same run twice from the same seed; figures that add up.

use crate::common::carried::Carried;
use crate::common::faulty::{Fault, Faulty};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, root_of, shapes, wide_graph};
use crate::common::oracle::Oracle;
use crate::common::quiet::quieten_planned_panics;
use crate::common::techniques::techniques;
use crate::common::verdict::{assert_happened, check_best_move};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use starsplit::Searcher;
use starsplit::evaluator::Constant;
use starsplit::game::{Game, NodeKind};
use starsplit::search::{Limits, Method, Options, SearchError, Splits, StopFlag};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::{LocklessTable, Reuse};
use starsplit_planner::cluster::{Cluster, ClusterError, Clustered, search_on_cluster};
use starsplit_planner::{PlanError, PlannerOptions};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use std::cell::Cell;
use std::time::Duration;

/// Connections that are fast beside the small searches of a test.
const CLUSTER: Cluster = Cluster {
    costs: CostModel::UNIT,
    seed: 1,
    latency_ns: 50,
    message_ns: 5,
    shares_bounds: true,
    waiting: 1,
    planner: PlannerOptions { split_above: 200, parts: 64 },
};

/// So many machines of the same kind at one search.
fn search(
    graph: &RandomGraph,
    root: &GraphPosition,
    evaluator: Carried,
    (count, options, buckets): (usize, &Options, u64),
    limits: &Limits,
    cluster: &Cluster,
) -> Result<Clustered<u32>, ClusterError> {
    let tables: Vec<_> =
        (0..count).map(|_| LocklessTable::with_buckets(buckets).expect("a small table")).collect();
    let machine = |table| Searcher::new(graph.clone(), evaluator, table).with_options(options.clone());
    let machines: Vec<_> = tables.iter().map(machine).collect();
    search_on_cluster(&machines, root, limits, cluster)
}

#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    options: Options,
    machines: usize,
    buckets: u64,
    cluster: Cluster,
}

fn clusters() -> impl Strategy<Value = Cluster> {
    let times = (prop::sample::select(vec![0u64, 1, 30, 1_000, 100_000]), 0u64..200);
    let split_above = prop_oneof![Just(0u64), 1u64..50, 50u64..500];
    let parts = prop_oneof![Just(4u32), Just(1_000_000)];
    (times, any::<bool>(), 0usize..=2, any::<u64>(), split_above, parts).prop_map(
        |((latency_ns, message_ns), shares_bounds, waiting, seed, split_above, parts)| Cluster {
            costs: CostModel::UNIT,
            seed,
            latency_ns,
            message_ns,
            shares_bounds,
            waiting,
            planner: PlannerOptions { split_above, parts },
        },
    )
}

fn cases() -> impl Strategy<Value = Case> {
    let methods: Vec<_> =
        Method::ALL.iter().copied().filter(|method| method.properties().can_be_simulated).collect();
    let default = Options::default();
    let forms = prop_oneof![Just((default.algorithm, default.table_use)), prop::sample::select(forms())];
    let processors = prop::sample::select(vec![1usize, 1, 2, 5]);
    let options = (prop::sample::select(methods), forms, processors, techniques()).prop_map(
        |(method, (algorithm, table_use), threads, techniques)| {
            let splits = threads > 1;
            Options {
                algorithm,
                table_use,
                method: if splits { method } else { Method::default() },
                reuse: Reuse::Exact,
                threads,
                splits: Splits { alone: splits, depth: Some(2), size: Some(0), ..techniques.splits },
                ..techniques
            }
        },
    );
    let machines = (1usize..=6, prop::sample::select(vec![1u64, 8, 64]));
    (shapes(), any::<u64>(), any::<u32>(), options, machines, clusters()).prop_map(
        |(shape, seed, root, options, (machines, buckets), cluster)| Case {
            shape,
            seed,
            root,
            options,
            machines,
            buckets,
            cluster,
        },
    )
}

/// What the runs of a campaign have met.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    tasks: u64,
    stopped: u64,
    restarted: u64,
    waited: u64,
}

fn try_case(case: &Case) -> Result<Counts, TestCaseError> {
    let graph = RandomGraph::new(&case.shape, case.seed).expect("a shape that makes a graph");
    let root = root_of(&graph, case.root);
    let evaluator = Carried::new(case.seed, case.shape.limit, false);
    let depth = affordable_depth(&graph, root, 7, 1_500);
    let machines = (case.machines, &case.options, case.buckets);
    let found = search(&graph, &root, evaluator, machines, &Limits::depth(depth), &case.cluster);
    let found = found.map_err(|error| TestCaseError::fail(error.to_string()))?;
    let mut oracle = Oracle::new(&graph, &evaluator);
    let expected = oracle.value(&root, depth);
    let bounds = found.plan.bounds;
    prop_assert_eq!((i64::from(bounds.lower), i64::from(bounds.upper)), (expected, expected));
    check_best_move(&graph, &mut oracle, &root, depth, found.plan.best_move, bounds.lower)
        .map_err(TestCaseError::fail)?;
    prop_assert!(found.in_transit <= found.idle);
    prop_assert!(found.planning <= found.elapsed);
    prop_assert!(found.nodes >= found.plan.nodes, "{} of {}", found.nodes, found.plan.nodes);
    let Clustered { tasks, stopped, restarted, idle, .. } = found;
    Ok(Counts { tasks, stopped, restarted, waited: u64::from(idle > Duration::ZERO) })
}

#[test]
fn random_graphs_have_one_value() {
    let total = Cell::new(Counts::default());
    let config = ProptestConfig { cases: 1_200, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&cases(), |case| {
            let Counts { tasks, stopped, restarted, waited } = try_case(&case)?;
            let sum = total.get();
            total.set(Counts {
                tasks: sum.tasks + tasks,
                stopped: sum.stopped + stopped,
                restarted: sum.restarted + restarted,
                waited: sum.waited + waited,
            });
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let Counts { tasks, stopped, restarted, waited } = total.get();
    assert_happened(&[
        ("tasks", tasks, 15_000),
        ("tasks stopped", stopped, 50),
        ("tasks begun anew", restarted, 5),
        ("runs in which machines waited", waited, 100),
    ]);
}

/// A search of some ten thousand nodes on machines of four processors.
fn of_wide_graph(count: usize, cluster: &Cluster) -> Clustered<u32> {
    let graph = wide_graph();
    let start = graph.start();
    let options = Options {
        threads: 4,
        splits: Splits { depth: Some(3), size: Some(0), ..Splits::default() },
        ..Options::default()
    };
    let evaluator = Carried::new(1, 1000, false);
    search(&graph, &start, evaluator, (count, &options, 1 << 10), &Limits::depth(7), cluster)
        .expect("a search")
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let all = |found: &Clustered<u32>| format!("{found:?}");
    let runs: Vec<_> = (0..3).map(|_| all(&of_wide_graph(5, &CLUSTER))).collect();
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], runs[2]);
    let differs = |seed| all(&of_wide_graph(5, &Cluster { seed, ..CLUSTER })) != runs[0];
    assert!((2..12).any(differs), "the seed changes nothing");
}

#[test]
fn more_machines_are_faster_and_slower_connections_slower() {
    let time = |count, cluster: &Cluster| of_wide_graph(count, cluster).elapsed;
    let (one, four) = (time(1, &CLUSTER), time(4, &CLUSTER));
    assert!(four < one, "{four:?} on four, {one:?} on one");
    let slow = time(4, &Cluster { latency_ns: 1_000_000, ..CLUSTER });
    assert!(slow > 2 * Duration::from_nanos(1_000_000), "{slow:?}");
    assert!(slow > four, "{slow:?} by slow messages, {four:?} by fast ones");
}

/// Processors' time is machines' time: with a task, or without.
#[test]
fn every_moment_of_a_machine_is_accounted_for() {
    let found = of_wide_graph(3, &CLUSTER);
    let accounted = found.occupied + found.idle;
    let (least, most) = (3 * found.elapsed, 3 * (found.elapsed + Duration::from_nanos(2_000)));
    // A task that is stopped at the end, or for another, may have come a little farther.
    assert!(least <= accounted && accounted <= most, "{accounted:?}, expected {least:?} to {most:?}");
    assert!(found.work <= 4 * found.occupied, "{:?} in {:?}", found.work, found.occupied);
}

/// One machine whose only task is the whole search takes what a simulated search takes, and its messages.
#[test]
fn one_machine_with_one_task_is_a_search_and_two_messages() {
    let graph = RandomGraph::new(&GraphShape::default(), 1).expect("a graph");
    let mut roots = (0..100).map(|index| root_of(&graph, index));
    let root = roots.find(|root| graph.kind(root) == NodeKind::Chance).expect("a chance node");
    let evaluator = Carried::new(1, GraphShape::default().limit, false);
    let options = Options::default();
    let planner = PlannerOptions { split_above: u64::MAX, parts: 1 };
    let cluster = Cluster { planner, ..CLUSTER };
    let limits = Limits::depth(graph.facts().depth_step.into());
    let found = search(&graph, &root, evaluator, (1, &options, 64), &limits, &cluster).expect("a search");
    let table = LocklessTable::with_buckets(64).expect("a small table");
    let alone = Searcher::new(graph.clone(), evaluator, &table).with_options(options);
    let simulation = Simulation { costs: CostModel::UNIT, seed: 1, device: None };
    let alone = alone.simulate(&root, &limits, &simulation).expect("a search").result;
    assert_eq!((found.plan.bounds, found.nodes), (alone.bounds, alone.stats.nodes.total()));
    let messages = Duration::from_nanos(2 * CLUSTER.latency_ns + 4 * CLUSTER.message_ns);
    assert_eq!((found.messages, found.elapsed), (2, alone.elapsed + messages));
}

#[test]
fn what_cannot_be_done_is_an_error() {
    quieten_planned_panics();
    let graph = wide_graph();
    let start = graph.start();
    let evaluator = Carried::new(1, 1000, false);
    let options = Options::default();
    let depth = Limits::depth(5);
    let none = search(&graph, &start, evaluator, (0, &options, 8), &depth, &CLUSTER);
    assert_eq!(none.unwrap_err(), ClusterError::NoMachines);
    let deep = search(&graph, &start, evaluator, (1, &options, 8), &Limits::depth(255), &CLUSTER);
    assert_eq!(deep.unwrap_err(), PlanError::Depth { found: 255 }.into());
    let stop = StopFlag::new();
    stop.stop();
    let stopped =
        search(&graph, &start, evaluator, (2, &options, 8), &depth.clone().with_stop(stop), &CLUSTER);
    assert_eq!(stopped.unwrap_err(), ClusterError::Stopped);
    let unsimulated = Options { method: Method::ForkJoin, threads: 2, ..Options::default() };
    let refused = search(&graph, &start, evaluator, (2, &unsimulated, 8), &depth, &CLUSTER).unwrap_err();
    assert!(matches!(refused, ClusterError::Search(SearchError::Options(_))), "{refused}");
    let tables = [(); 2].map(|()| LocklessTable::with_buckets(8).expect("a small table"));
    let at_least = Options { reuse: Reuse::AtLeast, ..Options::default() };
    let machines: Vec<_> = [options, at_least]
        .into_iter()
        .zip(&tables)
        .map(|(options, table)| Searcher::new(graph.clone(), evaluator, table).with_options(options))
        .collect();
    let differs = search_on_cluster(&machines, &start, &depth, &CLUSTER).unwrap_err();
    assert_eq!(differs, ClusterError::Differs { machine: 2 });
    let game = Faulty::new(graph.clone(), Fault::PanicAtSuccessor(300));
    let tables = [(); 2].map(|()| LocklessTable::with_buckets(8).expect("a small table"));
    let machines: Vec<_> =
        tables.into_iter().map(|table| Searcher::new(game.clone(), Constant::new(0), table)).collect();
    let panicked = search_on_cluster(&machines, &start, &depth, &CLUSTER).unwrap_err();
    assert!(matches!(panicked, ClusterError::Search(SearchError::Panicked { .. })), "{panicked}");
}
