//! One value: every algorithm, table use, table, ordering, probing factor and number of threads gives the
//! root the value that the oracle gives it, to the last bit, on graphs made to hurt.

use crate::common::campaign::{self, assert_met};
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Erased, Seeing};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, graph_of, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use crate::common::verdict::agrees;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::Constant;
use starsplit::score::Score;
use starsplit::search::{
    Algorithm, Limits, MoveOrdering, Options, SearchError, SearchResult, Splits, Stats, TableUse,
};
use starsplit::table::{LocklessTable, NoTable, Reuse, Table};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::LazyLock;

/// How many graphs each campaign searches.
const GRAPHS: u32 = 10_000;

/// The deepest search, where the whole tree is small enough.
const DEEPEST: u32 = 8;

/// An algorithm, its table use and its number of threads.
type Form = (Algorithm, TableUse, usize);

/// How many threads the parallel searches have; one of them splits alone, or does not.
const THREADS: [usize; 4] = [1, 2, 4, 8];

/// Every algorithm with every table use it accepts, on one thread.
fn serial_forms() -> Vec<BoxedStrategy<Form>> {
    forms().into_iter().map(|(algorithm, table_use)| Just((algorithm, table_use, 1)).boxed()).collect()
}

/// The default algorithm with every number of threads, and each other one with a table use and a number of
/// threads that are drawn.
fn parallel_forms() -> Vec<BoxedStrategy<Form>> {
    let Options { algorithm: default, table_use, .. } = Options::default();
    let by_default = THREADS.map(|threads| Just((default, table_use, threads)).boxed());
    let others = Algorithm::ALL.iter().filter(|&&algorithm| algorithm != default).map(|&algorithm| {
        let uses: Vec<_> = forms().into_iter().filter(|&(of, _)| of == algorithm).collect();
        let drawn = (prop::sample::select(uses), prop::sample::select(THREADS.to_vec()));
        drawn.prop_map(|((algorithm, table_use), threads)| (algorithm, table_use, threads)).boxed()
    });
    by_default.into_iter().chain(others).collect()
}

/// A graph with everything that is to be tried on it.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    evaluation: Evaluation,
    /// Buckets of the tables, 1 to 64.
    buckets: u64,
    setups: Vec<Setup>,
}

#[derive(Clone, Copy, Debug)]
enum Evaluation {
    /// Hash-random, as coarse or as fine as the grid, or coarser, or reaching beyond its ends.
    PositionHash { seed: u64, width: Width },
    /// The same everywhere, which lets a chance node's evaluation serve its successors.
    Constant { seed: u64 },
    /// The same after every outcome of a chance node, which does so too.
    Blind { seed: u64, width: Width },
}

#[derive(Clone, Copy, Debug)]
enum Width {
    Grid,
    OnlyThreeScores,
    BeyondTheGrid,
}

/// One search.
#[derive(Clone, Debug)]
struct Setup {
    form: Form,
    ordering: MoveOrdering,
    probing_factor: Option<u32>,
    successor_probing_depth: u8,
    table_depth: Option<u8>,
    split_depth: Option<u8>,
    /// Whether one thread alone takes the parallel path.
    split_alone: bool,
    /// What else a search can do: for all that is not named above.
    techniques: Options,
    store: Store,
    /// How many plies short of the affordable depth.
    shallower: u32,
}

/// Where the search keeps what it proves. The warm table holds what all earlier searches of the case left
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Store {
    Nowhere,
    Fresh,
    Warm,
}

impl Setup {
    fn options(&self) -> Options {
        Options {
            algorithm: self.form.0,
            table_use: self.form.1,
            reuse: Reuse::Exact,
            ordering: self.ordering,
            probing_factor: self.probing_factor,
            successor_probing_depth: self.successor_probing_depth,
            table_depth: self.table_depth,
            threads: self.form.2,
            splits: Splits { alone: self.split_alone, ..eager(self.split_depth) },
            ..self.techniques.clone()
        }
    }
}

fn evaluations() -> impl Strategy<Value = Evaluation> {
    let widths = vec![Width::Grid, Width::Grid, Width::OnlyThreeScores, Width::BeyondTheGrid];
    let drawn = || (any::<u64>(), prop::sample::select(widths.clone()));
    prop_oneof![
        5 => drawn().prop_map(|(seed, width)| Evaluation::PositionHash { seed, width }),
        2 => drawn().prop_map(|(seed, width)| Evaluation::Blind { seed, width }),
        1 => any::<u64>().prop_map(|seed| Evaluation::Constant { seed }),
    ]
}

fn setup(forms: BoxedStrategy<Form>) -> impl Strategy<Value = Setup> {
    let stores = prop_oneof![
        1 => Just(Store::Nowhere),
        3 => Just(Store::Fresh),
        5 => Just(Store::Warm),
    ];
    let orderings = prop::sample::select(MoveOrdering::ALL.to_vec());
    let splitting = (forms, prop::option::weighted(0.9, 1u8..=3), any::<bool>());
    let depths_and_techniques = (0u8..=6, prop::option::of(0u8..=3), techniques());
    (
        orderings,
        prop::option::of(0u32..=4),
        depths_and_techniques,
        splitting,
        stores,
        prop_oneof![2 => Just(0u32), 1 => 1u32..4],
    )
        .prop_map(
            move |(
                ordering,
                probing_factor,
                (successor_probing_depth, table_depth, techniques),
                (form, split_depth, split_alone),
                store,
                shallower,
            )| Setup {
                form,
                ordering,
                probing_factor,
                successor_probing_depth,
                table_depth,
                split_depth,
                split_alone,
                techniques,
                store,
                shallower,
            },
        )
}

fn cases(forms: Vec<BoxedStrategy<Form>>) -> impl Strategy<Value = Case> {
    let setups: Vec<_> = forms.into_iter().map(|form| setup(form).boxed()).collect();
    (shapes(), any::<u64>(), any::<u32>(), evaluations(), 1u64..=64, setups.prop_shuffle()).prop_map(
        |(shape, seed, root, evaluation, buckets, setups)| Case {
            shape,
            seed,
            root,
            evaluation,
            buckets,
            setups,
        },
    )
}

/// What the searches of a campaign counted, by algorithm.
type Counts = HashMap<Algorithm, Stats>;

/// Everything counted.
fn sum(counts: &Counts) -> Stats {
    let mut sum = Stats::default();
    counts.values().for_each(|&stats| sum += stats);
    sum
}

/// Runs a campaign and gives what was counted.
fn campaign(forms: Vec<BoxedStrategy<Form>>, nodes: u64, yields: bool) -> Counts {
    let total = RefCell::new(Counts::new());
    campaign::run(campaign::graphs(GRAPHS), 1, &cases(forms), |case| {
        let counts = try_case(&case, nodes, yields)?;
        let mut total = total.borrow_mut();
        counts.into_iter().for_each(|(algorithm, stats)| *total.entry(algorithm).or_default() += stats);
        Ok(())
    });
    total.into_inner()
}

fn try_case(case: &Case, nodes: u64, yields: bool) -> Result<Counts, TestCaseError> {
    let graph = graph_of(&case.shape, case.seed);
    let limit = case.shape.limit;
    let reach = |width| match width {
        Width::Grid => limit,
        Width::OnlyThreeScores => 1,
        Width::BeyondTheGrid => 2 * limit,
    };
    match case.evaluation {
        Evaluation::PositionHash { seed, width } => {
            try_setups(case, &graph, &Seeing::of(Carried::new(seed, reach(width), yields)), nodes)
        }
        Evaluation::Blind { seed, width } => {
            try_setups(case, &graph, &Blind::of(OutcomeBlind::new(&graph, seed, reach(width))), nodes)
        }
        Evaluation::Constant { seed } => {
            let score = (seed % (2 * limit as u64 + 1)) as Score - limit;
            try_setups(case, &graph, &Blind::of(Constant::new(score)), nodes)
        }
    }
}

fn try_setups<const IS_BLIND: bool>(
    case: &Case,
    graph: &RandomGraph,
    evaluator: &Erased<'_, RandomGraph, IS_BLIND, false>,
    nodes: u64,
) -> Result<Counts, TestCaseError> {
    let root = root_of(graph, case.root);
    let depth = affordable_depth(graph, root, DEEPEST, nodes);
    let warm = LocklessTable::with_buckets(case.buckets).expect("a small table");
    leave_strangers(graph, &root, &warm, depth.min(3));
    let mut oracle = Oracle::new(graph, evaluator);
    let mut total = Counts::new();
    for setup in &case.setups {
        let depth = depth.saturating_sub(setup.shallower).max(1);
        let stats = search(case, setup, graph, evaluator, &warm, &root, depth)
            .map_err(|error| error.to_string())
            .and_then(|result| agrees(graph, &mut oracle, &root, depth, &result).map(|()| result.stats))
            .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {setup:?} at depth {depth}")))?;
        *total.entry(setup.form.0).or_default() += stats;
    }
    Ok(total)
}

fn search<const IS_BLIND: bool>(
    case: &Case,
    setup: &Setup,
    graph: &RandomGraph,
    evaluator: &Erased<'_, RandomGraph, IS_BLIND, false>,
    warm: &LocklessTable,
    root: &GraphPosition,
    depth: u32,
) -> Result<SearchResult<u32, u32>, SearchError> {
    let options = setup.options();
    let buckets = case.buckets;
    match setup.store {
        Store::Nowhere => search_in(graph, evaluator, NoTable, options, root, depth),
        Store::Fresh => {
            let table = LocklessTable::with_buckets(buckets).expect("a small table");
            search_in(graph, evaluator, &table, options, root, depth)
        }
        Store::Warm => search_in(graph, evaluator, warm, options, root, depth),
    }
}

/// Threads for all searches that need so many. To start them anew would take longer than most of these
/// searches, so that only every other of two threads does.
fn pool_for(options: &Options) -> Option<&'static Pool> {
    static POOLS: LazyLock<HashMap<usize, Pool>> = LazyLock::new(|| {
        THREADS.map(|threads| (threads, Pool::new(threads).expect("the system starts the threads"))).into()
    });
    let starts_its_own = !options.splits.alone && options.threads <= 2;
    if starts_its_own { None } else { POOLS.get(&options.threads) }
}

fn search_in<const IS_BLIND: bool, T: Table>(
    graph: &RandomGraph,
    evaluator: &Erased<'_, RandomGraph, IS_BLIND, false>,
    table: T,
    options: Options,
    root: &GraphPosition,
    depth: u32,
) -> Result<SearchResult<u32, u32>, SearchError> {
    let pool = pool_for(&options).cloned();
    let searcher = Searcher::new(graph.clone(), evaluator.clone(), table).with_options(options);
    let searcher = if let Some(pool) = pool { searcher.with_pool(pool) } else { searcher };
    searcher.request(root).limits(Limits::depth(depth)).search()
}

/// Entries that must not be taken for the case's own: of another evaluator, and of the other reuse policy.
fn leave_strangers(graph: &RandomGraph, root: &GraphPosition, table: &LocklessTable, depth: u32) {
    for (score, reuse) in [(1, Reuse::Exact), (-1, Reuse::AtLeast)] {
        let (evaluator, options) = (Blind::of(Constant::new(score)), Options { reuse, ..Options::default() });
        search_in(graph, &evaluator, table, options, root, depth).expect("the graph keeps its contract");
    }
}

#[test]
fn every_serial_search_of_random_graphs_gives_the_oracles_value() {
    let Stats { nodes, table, .. } = sum(&campaign(serial_forms(), 6_000, false));
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 1_000_000),
        ("Star2 probes", nodes.star2_probes, 100_000),
        ("table hits", table.hits, 100_000),
        ("decision nodes cut by the table", table.decision_cutoffs, 10_000),
        ("chance nodes cut by the table", table.chance_cutoffs, 10_000),
        ("chance nodes cut by successor probing", table.successor_cutoffs, 1_000),
        ("decision nodes cut by their successors' entries", table.move_cutoffs, 1_000),
        ("chance nodes collapsed", nodes.collapsed, 10_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 1_000),
        ("replacements", table.replacements, 10_000),
    ]);
}

#[test]
fn every_parallel_search_of_random_graphs_gives_the_oracles_value() {
    let counts = campaign(parallel_forms(), 30_000, true);
    assert_eq!(sum(&counts).table.contradictions, 0);
    let Stats { nodes, table, split, .. } = counts[&Algorithm::default()];
    assert_met(&[
        ("nodes", nodes.total(), 1_000_000),
        ("Star2 probes", nodes.star2_probes, 100_000),
        ("table hits", table.hits, 100_000),
        ("chance nodes cut by successor probing", table.successor_cutoffs, 1_000),
        ("decision nodes cut by their successors' entries", table.move_cutoffs, 1_000),
        ("chance nodes collapsed", nodes.collapsed, 10_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 1_000),
        ("splits in the probing phase", split.probing_splits, 10_000),
        ("splits in the Star1 phase", split.star1_splits, 10_000),
        ("steals", split.steals, 1_000),
        ("helped successors", split.helped, 1_000),
        ("aborts", split.aborts, 100),
    ]);
    for (algorithm, Stats { split, .. }) in counts {
        println!("{algorithm}");
        assert_met(&[
            ("splits", split.probing_splits + split.star1_splits, 5_000),
            ("steals", split.steals, 300),
            ("helped successors", split.helped, 300),
        ]);
    }
}
