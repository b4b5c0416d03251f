//! One value by every method and every algorithm: however the threads share the search and however many they
//! are, one alone or more than the machine has cores, each iteration's bounds of the root are the oracle's,
//! on graphs made to hurt.

use crate::common::campaign::{self, assert_met};
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Seeing};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, graph_of, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use crate::common::verdict::{agrees, assert_happened};
use crate::common::watchdog::{Watch, watched};
use crate::common::yielding::Yielding;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::Evaluator;
use starsplit::search::{
    Algorithm, Limits, Method, MoveOrdering, Options, SearchError, SearchResult, Splits, Stats, TableUse,
    Telemetry,
};
use starsplit::table::{LocklessTable, NoTable, Table};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

/// How many graphs are searched: by the default algorithm with every method and number of threads, and by
/// every algorithm with every use of the table and every method, with a number of threads that is drawn.
const GRAPHS: u32 = 1_000;

/// One thread goes the parallel way all the same; the last two are more than most machines have cores.
const THREADS: [usize; 5] = [1, 2, 3, 8, 64];

/// The deepest search, where the whole tree is small enough.
const DEEPEST: u32 = 8;

/// The greatest whole tree below a root.
const NODES: u64 = 5_000;

/// A graph with everything that is to be tried on it.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    /// Buckets of the warm table.
    buckets: u64,
    /// For every method and number of threads, and for every method, algorithm and table use.
    setups: Vec<Setup>,
}

/// One search.
#[derive(Clone, Debug)]
struct Setup {
    options: Options,
    /// Whether the evaluator ignores outcomes, so that chance nodes may collapse.
    is_blind: bool,
    store: Store,
    /// How many plies short of the affordable depth.
    shallower: u32,
}

/// Where the search keeps what it proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Store {
    Nowhere,
    /// A new table of one bucket.
    Tiny,
    /// What all earlier searches of the case, whatever their method, have left there.
    Warm,
}

impl Setup {
    /// Whether decision nodes above collapsed ones have a loop of their own, which they have where they share
    /// nothing, with the table or with other threads, and follow nobody.
    fn has_frontier(&self) -> bool {
        let Options {
            ordering,
            table_depth,
            move_probing_depth,
            splits: Splits { depth: split_depth, .. },
            ..
        } = self.options;
        // Teams of more than four share smaller searches.
        let is_apart = self.options.threads <= 4 && split_depth.is_some_and(|depth| depth > 2);
        is_apart
            && self.options.algorithm.prunes()
            && ordering != MoveOrdering::Static
            && table_depth.is_some_and(|depth| depth > 2)
            && move_probing_depth.is_none_or(|depth| depth > 2)
    }
}

fn setups(
    method: Method,
    (algorithm, table_use): (Algorithm, TableUse),
    threads: impl Strategy<Value = usize>,
) -> impl Strategy<Value = Setup> {
    let stores = prop_oneof![2 => Just(Store::Nowhere), 1 => Just(Store::Tiny), 2 => Just(Store::Warm)];
    let orderings = prop::sample::select(MoveOrdering::ALL.to_vec());
    // The deeper the nodes that are shared, the more of the tree is searched as by one thread alone.
    let split_depths = prop::option::weighted(0.9, prop_oneof![3 => 2u8..=3, 1 => 4u8..=7]);
    let depths =
        (split_depths, 0u8..=6, prop::option::of(0u8..=3), prop_oneof![2 => Just(0u32), 1 => 1u32..3]);
    // Helpers called at once, or in the middle of the search.
    let calls = prop_oneof![5 => Just(0u64), 1 => 1u64..=20].prop_map(Duration::from_micros);
    let plain = (any::<bool>(), any::<bool>(), techniques(), calls, threads);
    (orderings, prop::option::of(0u32..=2), depths, stores, plain).prop_map(
        move |(
            ordering,
            probing_factor,
            depths,
            store,
            (count_duplicates, is_blind, techniques, helpers_after, threads),
        )| {
            let (split_depth, successor_probing_depth, table_depth, shallower) = depths;
            // One evaluator alone goes without a table, so that fewer kinds of search are built.
            let is_blind = is_blind || store == Store::Nowhere;
            let options = Options {
                algorithm,
                table_use,
                method,
                threads,
                splits: Splits { alone: true, depth: split_depth, size: Some(0), helpers_after },
                ordering,
                probing_factor,
                successor_probing_depth,
                table_depth,
                telemetry: Telemetry { count_duplicates, ..techniques.telemetry },
                ..techniques
            };
            Setup { options, is_blind, store, shallower }
        },
    )
}

fn cases() -> impl Strategy<Value = Case> {
    let setups: Vec<_> = Method::ALL
        .iter()
        .flat_map(|&method| {
            let default = Options::default();
            let by_default = THREADS
                .map(|threads| setups(method, (default.algorithm, default.table_use), Just(threads)).boxed());
            // Most of the time goes to searches by 64 threads, which every graph has by default already.
            let some =
                || prop_oneof![9 => prop::sample::select(THREADS[..4].to_vec()), 1 => Just(THREADS[4])];
            let by_all = forms().into_iter().map(move |form| setups(method, form, some()).boxed());
            by_default.into_iter().chain(by_all)
        })
        .collect();
    (shapes(), any::<u64>(), any::<u32>(), 1u64..=64, setups.prop_shuffle())
        .prop_map(|(shape, seed, root, buckets, setups)| Case { shape, seed, root, buckets, setups })
}

/// The threads of all searches, by how many they are. Idle threads of a pool look for work all the same, so
/// that a pool larger than its searches takes most of a small machine's time; those by three threads have
/// one.
struct Pools(HashMap<usize, Pool>);

impl Pools {
    fn new() -> Self {
        let pool = |threads| Pool::new(threads).expect("the system starts the threads");
        Pools(THREADS.iter().map(|&threads| (threads, pool(threads))).collect())
    }

    fn for_options(&self, options: &Options) -> Pool {
        // Fork and join uses every thread that its pool has.
        let is_larger = options.threads == 3 && !options.method.uses_whole_pool();
        self.0[if is_larger { &8 } else { &options.threads }].clone()
    }
}

/// What the searches of one method by one algorithm counted, over all numbers of threads.
type Counts = HashMap<(Method, Algorithm), Stats>;

/// What a campaign works with.
struct Campaign<'w> {
    pools: Pools,
    watch: &'w Watch,
    counts: RefCell<Counts>,
    /// Nodes collapsed where decision nodes above them have a loop of their own (`search/above_leaves.rs`).
    at_frontier: RefCell<u64>,
}

/// The evaluators of a case.
struct Evaluators {
    carried: Seeing<'static, RandomGraph>,
    blind: Blind<'static, RandomGraph>,
}

impl Campaign<'_> {
    fn try_case(&self, case: &Case) -> Result<(), TestCaseError> {
        let graph = graph_of(&case.shape, case.seed);
        let limit = case.shape.limit;
        let carried = Seeing::of(Carried::new(case.seed, limit, true));
        let blind = Blind::of(Yielding(OutcomeBlind::new(&graph, case.seed, limit)));
        let evaluators = Evaluators { carried, blind };
        let root = root_of(&graph, case.root);
        let affordable = affordable_depth(&graph, root, DEEPEST, NODES);
        let warm = LocklessTable::with_buckets(case.buckets).expect("a small table");
        let mut oracle = Oracle::new(&graph, &evaluators.carried);
        let mut blind_oracle = Oracle::new(&graph, &evaluators.blind);
        for setup in &case.setups {
            let depth = affordable.saturating_sub(setup.shallower).max(1);
            let named = || format!("{setup:?} to depth {depth} in {:?}, seed {}", case.shape, case.seed);
            let stats = self
                .watch
                .over(named, || self.search(setup, &graph, &evaluators, &warm, &root, depth))
                .map_err(|error| error.to_string())
                .and_then(|result| {
                    let verdict = if setup.is_blind {
                        agrees(&graph, &mut blind_oracle, &root, depth, &result)
                    } else {
                        agrees(&graph, &mut oracle, &root, depth, &result)
                    };
                    verdict.map(|()| result.stats)
                })
                .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {}", named())))?;
            let Options { method, algorithm, .. } = setup.options;
            *self.counts.borrow_mut().entry((method, algorithm)).or_default() += stats;
            if setup.has_frontier() {
                *self.at_frontier.borrow_mut() += stats.nodes.collapsed;
            }
        }
        Ok(())
    }

    fn search(
        &self,
        setup: &Setup,
        graph: &RandomGraph,
        evaluators: &Evaluators,
        warm: &LocklessTable,
        root: &GraphPosition,
        depth: u32,
    ) -> Result<SearchResult<u32, u32>, SearchError> {
        let tiny = LocklessTable::with_buckets(1).expect("a small table");
        let table = if setup.store == Store::Tiny { &tiny } else { warm };
        let Evaluators { carried, blind } = evaluators;
        match (setup.store, setup.is_blind) {
            (Store::Nowhere, _) => self.search_in(setup, graph, blind.clone(), NoTable, root, depth),
            (_, true) => self.search_in(setup, graph, blind.clone(), table, root, depth),
            (_, false) => self.search_in(setup, graph, carried.clone(), table, root, depth),
        }
    }

    fn search_in<E: Evaluator<RandomGraph>, T: Table>(
        &self,
        setup: &Setup,
        graph: &RandomGraph,
        evaluator: E,
        table: T,
        root: &GraphPosition,
        depth: u32,
    ) -> Result<SearchResult<u32, u32>, SearchError> {
        let searcher = Searcher::new(graph.clone(), evaluator, table)
            .with_options(setup.options.clone())
            .with_pool(self.pools.for_options(&setup.options));
        searcher.request(root).limits(Limits::depth(depth)).search()
    }
}

/// Searches every graph in every way; gives what was counted, and what collapsed at frontiers.
fn campaign(watch: &Watch) -> (Counts, u64) {
    let campaign =
        Campaign { pools: Pools::new(), watch, counts: RefCell::default(), at_frontier: RefCell::default() };
    campaign::run(campaign::graphs(GRAPHS), 11, &cases(), |case| campaign.try_case(&case));
    (campaign.counts.into_inner(), campaign.at_frontier.into_inner())
}

/// Asserts that a campaign has met what a method does.
fn assert_method_happened(method: Method, of_method: &Stats) {
    let Stats { nodes, split, table, .. } = *of_method;
    assert_eq!(table.contradictions, 0, "{method}");
    assert_met(&[
        ("nodes", nodes.total(), 1_000_000),
        ("hits", table.hits, 10_000),
        ("chance nodes collapsed", nodes.collapsed, 10_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 1_000),
        ("decision nodes cut by their successors' entries", table.move_cutoffs, 100),
    ]);
    if matches!(method, Method::ChanceSplit | Method::Both | Method::ForkJoin) {
        assert_met(&[
            ("splits in the probing phase", split.probing_splits, 10_000),
            ("splits in the Star1 phase", split.star1_splits, 10_000),
        ]);
    }
    if matches!(method, Method::DecisionSplit | Method::Both) {
        assert_met(&[("splits at decision nodes", split.decision_splits, 10_000)]);
    }
    match method {
        Method::ChanceSplit | Method::DecisionSplit | Method::Both => assert_met(&[
            ("steals", split.steals, 1_000),
            ("helped successors", split.helped, 1_000),
            ("aborts", split.aborts, 30),
        ]),
        Method::ForkJoin => {
            assert_met(&[("helped successors", split.helped, 10_000), ("aborts", split.aborts, 30)])
        }
        Method::RootSplit => assert_met(&[
            ("splits of the root", split.star1_splits + split.decision_splits, 1_000),
            ("steals", split.steals, 1_000),
            ("helped successors", split.helped, 1_000),
        ]),
        Method::SharedTable => {
            assert_met(&[("nodes searched twice", split.duplicate_nodes, 10_000)]);
        }
        Method::Abdada => assert_met(&[("successors put off", split.deferred, 1_000)]),
        other => panic!("nothing is known of {other}"),
    }
}

/// The same for one algorithm, by what every algorithm does under the method.
fn assert_algorithm_happened(method: Method, algorithm: Algorithm, counted: &Stats) {
    let Stats { nodes, split, table, .. } = *counted;
    assert_eq!(table.contradictions, 0, "{algorithm}, {method}");
    assert_met(&[("nodes", nodes.total(), 100_000), ("hits", table.hits, 1_000)]);
    let splits = split.probing_splits + split.star1_splits + split.decision_splits;
    match method {
        Method::ChanceSplit | Method::DecisionSplit | Method::Both | Method::RootSplit => assert_met(&[
            ("splits", splits, 1_000),
            ("steals", split.steals, 300),
            ("helped successors", split.helped, 300),
        ]),
        Method::ForkJoin => {
            assert_met(&[("splits", splits, 1_000), ("helped successors", split.helped, 1_000)])
        }
        Method::SharedTable => {
            assert_met(&[("nodes searched twice", split.duplicate_nodes, 1_000)]);
        }
        Method::Abdada => assert_met(&[("successors put off", split.deferred, 300)]),
        other => panic!("nothing is known of {other}"),
    }
    if !algorithm.prunes() {
        assert_eq!((split.aborts, nodes.static_cutoffs), (0, 0), "{algorithm}, {method}");
    }
}

#[test]
fn every_method_gives_the_oracles_value_by_every_algorithm_with_any_number_of_threads() {
    let (counts, at_frontier) = watched(campaign);
    assert_met(&[("nodes collapsed at frontiers", at_frontier, 10_000)]);
    for &method in Method::ALL {
        println!("{method}");
        assert_method_happened(method, &counts[&(method, Algorithm::default())]);
        for &algorithm in Algorithm::ALL {
            println!("{method}, {algorithm}");
            assert_algorithm_happened(method, algorithm, &counts[&(method, algorithm)]);
        }
    }
}

/// How many graphs a full-width search is tried on, by every method that splits with every number of threads.
const FULL_WIDTH_GRAPHS: u32 = 60;

/// Without a table and without cuts there is one tree, whoever searches what of it: no node is left out, and
/// none is searched twice.
#[test]
fn a_search_that_does_not_prune_visits_the_serial_searchs_nodes_whoever_splits_it() {
    let pools = Pools::new();
    let splitting: Vec<_> = Method::ALL.iter().copied().filter(|method| method.splits()).collect();
    let mut split = vec![Stats::default(); splitting.len()];
    for seed in 0..u64::from(campaign::graphs(FULL_WIDTH_GRAPHS)) {
        let shape = GraphShape { positions: 60, successors: 2..=5, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let evaluator = Seeing::of(Carried::new(seed, shape.limit, true));
        let root = root_of(&graph, seed as u32);
        let depth = affordable_depth(&graph, root, DEEPEST, 4 * NODES);
        for &algorithm in Algorithm::ALL.iter().filter(|algorithm| !algorithm.prunes()) {
            let search = |options: Options| {
                let (pool, alone) =
                    (pools.for_options(&options), options.threads == 1 && !options.splits.alone);
                let searcher = Searcher::new(graph.clone(), evaluator.clone(), NoTable).with_options(options);
                let searcher = if alone { searcher } else { searcher.with_pool(pool) };
                searcher.request(&root).limits(Limits::depth(depth)).search().expect("a sound game")
            };
            let table_use = TableUse::None;
            let serial = search(Options { algorithm, table_use, ..Options::default() });
            for (place, &method) in splitting.iter().enumerate() {
                for threads in THREADS {
                    let found = search(Options {
                        algorithm,
                        table_use,
                        method,
                        threads,
                        splits: Splits { alone: true, ..eager(Some(2)) },
                        ..Options::default()
                    });
                    let name = format!("{algorithm} by {method} on {threads} to depth {depth}, seed {seed}");
                    assert_eq!((found.bounds, found.best_move), (serial.bounds, serial.best_move), "{name}");
                    assert_eq!(found.stats.nodes, serial.stats.nodes, "{name}");
                    assert_eq!(found.stats.split.aborts, 0, "{name}");
                    split[place] += found.stats;
                }
            }
        }
    }
    for (method, Stats { split, .. }) in splitting.iter().zip(split) {
        println!("{method}");
        let splits = split.star1_splits + split.decision_splits;
        assert_met(&[("splits", splits, 100), ("helped successors", split.helped, 100)]);
    }
}

/// Where every worker searches the whole tree, the one whose answer counts visits no more than the serial
/// search does; what the others visit comes on top, and without a table helps nobody.
#[test]
fn helpers_that_search_the_whole_tree_change_no_value_without_a_table() {
    let pools = Pools::new();
    let mut helped = 0;
    for seed in 0..20 {
        let shape = GraphShape { positions: 60, successors: 2..=4, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let evaluator = Seeing::of(Carried::new(seed, shape.limit, true));
        let root = root_of(&graph, seed as u32);
        let depth = affordable_depth(&graph, root, DEEPEST, NODES);
        for &(algorithm, table_use) in forms().iter().filter(|&&(_, table_use)| table_use != TableUse::All) {
            let options = Options { algorithm, table_use, ..Options::default() };
            let search = |options: Options| {
                let pool = pools.for_options(&options);
                let table = LocklessTable::with_buckets(64).expect("a small table");
                let searcher = Searcher::new(graph.clone(), evaluator.clone(), &table);
                let searcher = searcher.with_options(options).with_pool(pool);
                searcher.request(&root).limits(Limits::depth(depth)).search().expect("a sound game")
            };
            let serial = search(options.clone());
            for &method in Method::ALL.iter().filter(|method| !method.splits()) {
                let (threads, helpers_after) = (3, Duration::ZERO);
                let found = search(Options {
                    method,
                    threads,
                    splits: Splits { helpers_after, depth: Some(2), ..options.splits },
                    ..options.clone()
                });
                let name = format!("{algorithm}, {table_use} by {method} to depth {depth}, seed {seed}");
                assert_eq!(found.bounds, serial.bounds, "{name}");
                if !algorithm.prunes() && table_use == TableUse::None {
                    assert_eq!(found.workers[0].stats.nodes, serial.stats.nodes, "{name}");
                    helped += found.workers[1].stats.nodes.total();
                }
            }
        }
    }
    assert_happened(&[("nodes of a helper", helped, 1_000)]);
}
