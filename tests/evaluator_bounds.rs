//! One value where the evaluator tells bounds of what searches find with it: every algorithm, table use,
//! method, number of threads and of virtual processors gives the root what the oracle gives it, to the last
//! bit, on random graphs with and without rewards. And what searches make of bounds that should not be told.

use crate::common::campaign::{self, assert_met};
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Erased, Seeing};
use crate::common::foresight::{Foreseeing, Telling};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, graph_of, rewards, root_of, shapes};
use crate::common::oracle::{Oracle, oracle_value};
use crate::common::techniques::techniques;
use crate::common::verdict::{Graph, agrees, are_ranked};
use crate::common::watchdog::{Watch, watched};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::score::{Bounds, Score};
use starsplit::search::{
    Algorithm, Limits, Method, MoveOrdering, Options, SearchError, SearchResult, Splits, Stats, TableUse,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::{LocklessTable, Reuse};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{
    Fault, GraphPosition, GraphShape, OutcomeBlind, Plays, RandomGraph, RewardedGraph, Rewards,
    check_evaluator,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

/// How many graphs are searched by one thread, and how many by several.
const GRAPHS: u32 = 4_000;
const SHARED_GRAPHS: u32 = 600;

/// How many threads share a search; one of them splits alone.
const THREADS: [usize; 4] = [1, 2, 3, 8];

/// The deepest search, where the whole tree is small enough.
const DEEPEST: u32 = 8;

/// The greatest whole tree below a root.
const NODES: u64 = 4_000;

/// A graph with everything that is to be tried on it.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    rewards: Rewards,
    seed: u64,
    root: u32,
    /// Buckets of the table that all searches share.
    buckets: u64,
    is_beyond: bool,
    setups: Vec<Setup>,
}

/// One search.
#[derive(Clone, Debug)]
struct Setup {
    options: Options,
    /// Whether the evaluator ignores outcomes, so that chance nodes may collapse.
    is_blind: bool,
    /// Virtual processors instead of threads, with this seed.
    schedule: Option<u64>,
}

/// Every algorithm with every table use, by one thread.
fn serial() -> Vec<BoxedStrategy<Setup>> {
    let alone = |form| setup(Just(form), Method::default(), Just(1), false).boxed();
    forms().into_iter().map(alone).collect()
}

/// Every method, on threads, and on virtual processors where it can be simulated.
fn shared() -> Vec<BoxedStrategy<Setup>> {
    let form = || prop::sample::select(forms());
    let by_method = Method::ALL.iter().flat_map(|&method| {
        let threads = || setup(form(), method, prop::sample::select(THREADS.to_vec()), false).boxed();
        let virtually = || setup(form(), method, prop::sample::select(vec![2usize, 5, 17]), true).boxed();
        let simulated = (!method.uses_whole_pool()).then(virtually);
        [threads(), threads()].into_iter().chain(simulated)
    });
    by_method.collect()
}

fn setup(
    form: impl Strategy<Value = (Algorithm, TableUse)>,
    method: Method,
    threads: impl Strategy<Value = usize>,
    is_simulated: bool,
) -> impl Strategy<Value = Setup> {
    let orderings = prop::sample::select(MoveOrdering::ALL.to_vec());
    (form, threads, orderings, techniques(), any::<(bool, u64)>()).prop_map(
        move |((algorithm, table_use), threads, ordering, techniques, (is_blind, seed))| Setup {
            options: Options {
                algorithm,
                table_use,
                ordering,
                method,
                threads,
                splits: Splits {
                    alone: threads > 1 || method != Method::default(),
                    size: Some(0),
                    helpers_after: Duration::ZERO,
                    ..techniques.splits
                },
                ..techniques
            },
            is_blind,
            schedule: is_simulated.then_some(seed),
        },
    )
}

fn cases(setups: Vec<BoxedStrategy<Setup>>) -> impl Strategy<Value = Case> {
    let graphs = shapes().prop_flat_map(|shape| {
        let limit = shape.limit;
        (Just(shape), rewards(limit))
    });
    (graphs, any::<(u64, u32)>(), 1u64..=64, prop::bool::weighted(0.2), setups.prop_shuffle()).prop_map(
        |((shape, rewards), (seed, root), buckets, is_beyond, setups)| Case {
            shape,
            rewards,
            seed,
            root,
            buckets,
            is_beyond,
            setups,
        },
    )
}

struct Campaign<'w> {
    pools: HashMap<usize, Pool>,
    watch: &'w Watch,
    stats: RefCell<Stats>,
}

impl Campaign<'_> {
    /// Searches the graph, and the same without its rewards.
    fn try_case(&self, case: &Case) -> Result<(), TestCaseError> {
        let graph = graph_of(&case.shape, case.seed);
        let rewarded = RewardedGraph::new(graph.clone(), case.rewards).expect("they are within their limits");
        let is_shared = case.setups.iter().any(|setup| setup.options.threads > 1);
        let carried = Carried::new(case.seed, case.shape.limit, is_shared);
        let blind = OutcomeBlind::new(&graph, case.seed, case.shape.limit);
        self.try_evaluator(case, &graph, &rewarded, Seeing::of(carried))?;
        self.try_evaluator(case, &graph, &rewarded, Blind::of(&blind))?;
        self.try_evaluator(case, &graph, &graph, Blind::of(&blind))
    }

    fn try_evaluator<G: Graph + Clone, const IS_BLIND: bool>(
        &self,
        case: &Case,
        graph: &RandomGraph,
        game: &G,
        evaluator: Erased<'_, G, IS_BLIND, false>,
    ) -> Result<(), TestCaseError> {
        let telling = if case.is_beyond { Telling::Beyond } else { Telling::Truth };
        let positions = case.shape.positions;
        let evaluator = Foreseeing::new(game, positions, evaluator, DEEPEST, (telling, case.seed));
        let root = root_of(graph, case.root);
        let depth = affordable_depth(graph, root, DEEPEST, NODES);
        let table = LocklessTable::with_buckets(case.buckets).expect("a small table");
        let mut oracle = Oracle::new(game, evaluator.inner());
        let erased = Erased::of(&evaluator);
        for setup in case.setups.iter().filter(|setup| setup.is_blind == IS_BLIND) {
            let named = || format!("{setup:?} to depth {depth} in {case:?}");
            self.watch
                .over(named, || self.search::<_, IS_BLIND>(setup, game, &erased, &table, &root, depth))
                .map_err(|error| error.to_string())
                .and_then(|result| {
                    *self.stats.borrow_mut() += result.stats;
                    judge(game, &mut oracle, &root, depth, &result)
                })
                .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {setup:?} to depth {depth}")))?;
        }
        Ok(())
    }

    fn search<G: Graph + Clone, const IS_BLIND: bool>(
        &self,
        setup: &Setup,
        game: &G,
        evaluator: &Erased<'_, G, IS_BLIND, true>,
        table: &LocklessTable,
        root: &GraphPosition,
        depth: u32,
    ) -> Result<SearchResult<u32, u32>, SearchError> {
        let searcher =
            Searcher::new(game.clone(), evaluator.clone(), table).with_options(setup.options.clone());
        if let Some(seed) = setup.schedule {
            let simulation = Simulation { costs: CostModel::UNIT, seed };
            return searcher
                .request(root)
                .limits(Limits::depth(depth))
                .simulate(&simulation)
                .map(|found| found.result);
        }
        let searcher = match self.pools.get(&setup.options.threads) {
            Some(pool) if setup.options.splits.alone => searcher.with_pool(pool.clone()),
            _ => searcher,
        };
        searcher.request(root).limits(Limits::depth(depth)).search()
    }
}

/// Whether a result is the oracle's, its moves ranked as the oracle has them.
fn judge<G: Graph, E: Evaluator<G>>(
    game: &G,
    oracle: &mut Oracle<'_, G, E>,
    root: &GraphPosition,
    depth: u32,
    result: &SearchResult<u32, u32>,
) -> Result<(), String> {
    agrees(game, oracle, root, depth, result)?;
    are_ranked(oracle, root, depth, &result.root_moves)?;
    Ok(())
}

fn campaign(watch: &Watch, graphs: u32, setups: Vec<BoxedStrategy<Setup>>) -> Stats {
    let pool = |threads| (threads, Pool::new(threads).expect("the system starts the threads"));
    let pools = THREADS.map(pool).into_iter().collect();
    let campaign = Campaign { pools, watch, stats: RefCell::default() };
    campaign::run(campaign::graphs(graphs), 4, &cases(setups), |case| campaign.try_case(&case));
    campaign.stats.into_inner()
}

#[test]
fn every_serial_search_with_such_bounds_gives_the_oracles_value() {
    let Stats { nodes, table, .. } = watched(|watch| campaign(watch, GRAPHS, serial()));
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 1_000_000),
        ("Star2 probes", nodes.star2_probes, 10_000),
        ("table hits", table.hits, 10_000),
        ("decision nodes cut by the table", table.decision_cutoffs, 1_000),
        ("chance nodes cut by the table", table.chance_cutoffs, 1_000),
        ("chance nodes collapsed", nodes.collapsed, 1_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 1_000),
    ]);
}

#[test]
fn every_method_with_such_bounds_gives_the_oracles_value() {
    let Stats { nodes, table, split, .. } = watched(|watch| campaign(watch, SHARED_GRAPHS, shared()));
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 500_000),
        ("splits in the probing phase", split.probing_splits, 1_000),
        ("splits in the Star1 phase", split.star1_splits, 1_000),
        ("splits at decision nodes", split.decision_splits, 1_000),
        ("helped successors", split.helped, 1_000),
        ("successors put off", split.deferred, 100),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 1_000),
    ]);
}

/// Searches graphs with and without the bounds told, by every algorithm and table use; `check` is given the
/// oracle's value, what was found without and what with them.
fn search_all(
    telling: Telling,
    mut check: impl FnMut(Score, &Options, &SearchResult<u32, u32>, &SearchResult<u32, u32>),
) {
    for seed in 0..60 {
        let limit = [4, 1 << 10, starsplit::score::MAX_LIMIT][seed as usize % 3];
        let shape = GraphShape { limit, terminal_percent: 20, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let game = RewardedGraph::new(graph, Rewards { move_percent: 30, outcome_percent: 10, most: limit })
            .expect("they are within their limits");
        let root = game.graph().start();
        let depth = affordable_depth(game.graph(), root, 6, 20_000);
        let inner = HashRandom::new(seed, limit);
        let expected = oracle_value(&game, &inner, &root, depth) as Score;
        let evaluator = Foreseeing::new(&game, shape.positions, inner, depth, (telling, seed));
        let evaluator = Erased::<_, false, true>::of(evaluator);
        for (algorithm, table_use) in forms() {
            let options = Options { algorithm, table_use, ..Options::default() };
            let search = |static_bounds| {
                let table = LocklessTable::with_buckets(64).expect("a small table");
                let options = Options { static_bounds, ..options.clone() };
                let searcher = Searcher::new(game.clone(), evaluator.clone(), &table).with_options(options);
                searcher.request(&root).limits(Limits::depth(depth)).search().expect("a search")
            };
            check(expected, &options, &search(false), &search(true));
        }
    }
}

#[test]
fn true_bounds_save_nodes_but_for_expectimax() {
    let (mut without, mut with) = (0, 0);
    search_all(Telling::Truth, |expected, options, one, other| {
        assert_eq!((one.bounds, other.bounds), (Bounds::exactly(expected), Bounds::exactly(expected)));
        if options.algorithm.prunes() {
            without += one.stats.nodes.total();
            with += other.stats.nodes.total();
        } else {
            assert_eq!(one.stats.nodes, other.stats.nodes);
        }
    });
    assert!(with < without / 2, "{with} nodes with bounds, {without} without");
}

#[test]
fn crossed_bounds_are_left_out_and_counted() {
    let mut contradictions = 0;
    search_all(Telling::Crossed, |expected, _, one, other| {
        assert_eq!((one.bounds, other.bounds), (Bounds::exactly(expected), Bounds::exactly(expected)));
        assert_eq!(one.stats.table.contradictions, 0);
        contradictions += other.stats.table.contradictions;
    });
    assert!(contradictions > 1_000, "only {contradictions} crossed bounds were counted");
}

/// What is false may make a value wrong, but no value that is none, and no panic.
#[test]
fn false_bounds_leave_values_on_the_grid() {
    let (mut wrong, mut contradictions) = (0, 0);
    search_all(Telling::Lies, |expected, _, one, other| {
        assert_eq!(one.bounds, Bounds::exactly(expected));
        let Bounds { lower, upper } = other.bounds;
        let limit = starsplit::score::MAX_LIMIT;
        assert!(-limit <= lower && lower <= upper && upper <= limit, "{:?}", other.bounds);
        wrong += u64::from(other.bounds != Bounds::exactly(expected));
        contradictions += other.stats.table.contradictions;
    });
    assert!(wrong > 0 && contradictions > 0, "{wrong} wrong values, {contradictions} contradictions");
}

/// Deeper entries may contradict bounds to a depth, and of the value nothing is promised then.
#[test]
fn bounds_beside_deeper_entries_leave_values_on_the_grid() {
    for seed in 0..100 {
        let shape = GraphShape { limit: [4, 1 << 20][seed as usize % 2], ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let inner = HashRandom::new(seed, shape.limit);
        let evaluator = Foreseeing::new(&graph, shape.positions, inner, 6, (Telling::Truth, seed));
        let evaluator = Erased::<_, false, true>::of(evaluator);
        for threads in [1, 2] {
            let options = Options {
                reuse: Reuse::AtLeast,
                threads,
                splits: Splits { helpers_after: Duration::ZERO, depth: Some(2), ..Splits::default() },
                ..Options::default()
            };
            let table = LocklessTable::with_buckets(256).expect("a small table");
            let searcher = Searcher::new(graph.clone(), evaluator.clone(), &table).with_options(options);
            let found = searcher.request(&graph.start()).limits(Limits::depth(6)).search().expect("a search");
            let Bounds { lower, upper } = found.bounds;
            assert!(-shape.limit <= lower && lower <= upper && upper <= shape.limit, "{:?}", found.bounds);
        }
    }
}

/// The bounds of a graph's evaluator held against what they should be.
fn checked(telling: Telling, seed: u64) -> Result<starsplit_testkit::Report, Fault> {
    let shape = GraphShape {
        positions: 30,
        terminal_percent: 3,
        successors: 3..=5,
        limit: 1 << 10,
        ..GraphShape::default()
    };
    let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
    let inner = HashRandom::new(seed, shape.limit);
    let evaluator = Foreseeing::new(&graph, shape.positions, inner, 3, (telling, seed));
    let plays = Plays { games: 20, max_plies: 40, seed };
    check_evaluator(&graph, &evaluator, &graph.start(), &plays).map_err(|violation| violation.fault)
}

#[test]
fn the_test_kit_finds_lies_and_nothing_else() {
    let (mut lies_of_positions, mut lies_of_outcomes) = (0, 0);
    for seed in 0..30 {
        let report = checked(Telling::Truth, seed).expect("the bounds hold");
        assert!(report.bounds_checked > 50 && report.bounds_unchecked == 0, "{report}");
        match checked(Telling::Lies, seed).expect_err("they do not") {
            Fault::Bounds { depth, offered, value } => {
                assert!((1..=3).contains(&depth) && !(offered.lower <= value && value <= offered.upper));
                lies_of_positions += 1;
            }
            Fault::OutcomeBounds { depth, offered, possible, .. } => {
                assert!((2..=4).contains(&depth) && possible.is_exact() && offered.meet(possible).is_none());
                lies_of_outcomes += 1;
            }
            other => panic!("{other}"),
        }
        let formless = [Telling::Beyond, Telling::Crossed].map(|telling| checked(telling, seed));
        for fault in formless.into_iter().filter_map(Result::err) {
            assert!(
                matches!(fault, Fault::BoundsForm { .. } | Fault::OutcomeBoundsForm { .. }),
                "seed {seed}: {fault}"
            );
        }
        assert!(checked(Telling::Crossed, seed).is_err(), "seed {seed}");
    }
    assert!(lies_of_positions > 0 && lies_of_outcomes > 0, "{lies_of_positions}, {lies_of_outcomes}");
}

#[test]
fn what_the_test_kit_says_of_bounds() {
    let (offered, value) = (Bounds::new(2, 5), 7);
    assert_eq!(
        Fault::Bounds { depth: 3, offered, value }.to_string(),
        "to depth 3 the evaluator says that the value is 2 to 5: expected bounds of 7, which a search finds"
    );
    assert_eq!(
        Fault::BoundsForm { depth: 3, offered, limit: 4 }.to_string(),
        "to depth 3 the evaluator says that the value is 2 to 5: expected two scores from -4 to 4, the lower \
         first"
    );
}
