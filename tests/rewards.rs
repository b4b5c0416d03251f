//! One value where moves and outcomes carry rewards: every algorithm, table use, table, ordering, probing,
//! method, number of threads and of virtual processors gives the root what the oracle gives it, to the last
//! bit, on random graphs where values saturate as well as on graphs where they do not.

use crate::common::campaign::{self, assert_met};
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Seeing};
use crate::common::erased_game::{Stepped, at};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, rewards, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use crate::common::verdict::{agrees, are_ranked, assert_happened};
use crate::common::watchdog::{Watch, watched};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::{Evaluator, HashRandom, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Bounds, Grid, Score};
use starsplit::search::{
    Algorithm, Interrupted, Limits, Method, MoveOrdering, Options, RootRanking, SearchError, SearchResult,
    Splits, Stats, TableUse,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::{LocklessTable, NoTable, Reuse, Table};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph, RewardedGraph, Rewards};
use std::cell::RefCell;
use std::collections::HashMap;

/// How many graphs are searched by one thread, and how many by several.
const GRAPHS: u32 = 10_000;
const SHARED_GRAPHS: u32 = 1_000;

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
    /// Buckets of the warm table.
    buckets: u64,
    setups: Vec<Setup>,
}

/// One search.
#[derive(Clone, Debug)]
struct Setup {
    options: Options,
    /// Whether the evaluator ignores outcomes, so that chance nodes may collapse.
    is_blind: bool,
    store: Store,
    /// Virtual processors instead of threads, with this seed.
    schedule: Option<u64>,
    /// How many plies short of the affordable depth.
    shallower: u32,
}

/// Where the search keeps what it proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Store {
    Nowhere,
    /// A new table of one bucket.
    Tiny,
    /// What all earlier searches of the case have left there.
    Warm,
}

type Form = (Algorithm, TableUse);

/// Who searches.
#[derive(Clone, Copy, Debug)]
enum Team {
    Alone,
    Threads(Method, usize),
    Virtual(Method, usize),
}

/// Every algorithm with every table use, by one thread.
fn serial() -> Vec<BoxedStrategy<Setup>> {
    forms().into_iter().map(|form| setup(form, Just(Team::Alone)).boxed()).collect()
}

/// Every method with the default algorithm and with two others, and as many on virtual processors.
fn shared() -> Vec<BoxedStrategy<Setup>> {
    let Options { algorithm, table_use, .. } = Options::default();
    let form = || prop_oneof![Just((algorithm, table_use)), prop::sample::select(forms())];
    let threads = || prop::sample::select(THREADS.to_vec());
    let by_method = Method::ALL.iter().flat_map(|&method| {
        let by_threads = move || {
            (form(), threads()).prop_flat_map(move |(form, n)| setup(form, Just(Team::Threads(method, n))))
        };
        let virtually = (form(), prop::sample::select(vec![2usize, 5, 17]))
            .prop_flat_map(move |(form, n)| setup(form, Just(Team::Virtual(method, n))));
        let simulated = (!method.uses_whole_pool()).then(|| virtually.boxed());
        [by_threads().boxed(), by_threads().boxed(), by_threads().boxed()].into_iter().chain(simulated)
    });
    by_method.collect()
}

fn setup((algorithm, table_use): Form, team: impl Strategy<Value = Team>) -> impl Strategy<Value = Setup> {
    let stores = prop_oneof![1 => Just(Store::Nowhere), 1 => Just(Store::Tiny), 3 => Just(Store::Warm)];
    let orderings = prop::sample::select(MoveOrdering::ALL.to_vec());
    let split_depths = prop::option::weighted(0.9, prop_oneof![3 => 2u8..=3, 1 => 4u8..=7]);
    let depths =
        (split_depths, 0u8..=6, prop::option::of(0u8..=3), prop_oneof![2 => Just(0u32), 1 => 1u32..3]);
    (orderings, prop::option::of(0u32..=3), depths, stores, (any::<bool>(), techniques(), any::<u64>()), team)
        .prop_map(move |(ordering, probing_factor, depths, store, (is_blind, techniques, seed), team)| {
            let (split_depth, successor_probing_depth, table_depth, shallower) = depths;
            let (method, threads) = match team {
                Team::Alone => (Method::default(), 1),
                Team::Threads(method, threads) | Team::Virtual(method, threads) => (method, threads),
            };
            let options = Options {
                algorithm,
                table_use,
                method,
                threads,
                splits: Splits { alone: !matches!(team, Team::Alone), ..eager(split_depth) },
                ordering,
                probing_factor,
                successor_probing_depth,
                table_depth,
                ..techniques
            };
            let schedule = matches!(team, Team::Virtual(..)).then_some(seed);
            // One evaluator alone goes without a table, on threads alone, so that fewer searches are built.
            let is_built = store != Store::Nowhere || schedule.is_none();
            let store = if is_built { store } else { Store::Warm };
            Setup { options, is_blind: is_blind || store == Store::Nowhere, store, schedule, shallower }
        })
}

fn cases(setups: Vec<BoxedStrategy<Setup>>) -> impl Strategy<Value = Case> {
    let graphs = shapes().prop_flat_map(|shape| {
        let limit = shape.limit;
        (Just(shape), rewards(limit))
    });
    (graphs, any::<u64>(), any::<u32>(), 1u64..=64, setups.prop_shuffle()).prop_map(
        |((shape, rewards), seed, root, buckets, setups)| Case {
            shape,
            rewards,
            seed,
            root,
            buckets,
            setups,
        },
    )
}

/// What a campaign has counted, over all its searches.
#[derive(Default)]
struct Counts {
    stats: Stats,
    by_algorithm: HashMap<Algorithm, u64>,
    /// Values that the oracle brought back onto the grid.
    clamped: u64,
    /// Graphs whose values came to nothing but the grid's ends, and all graphs.
    extreme: u64,
    ranked_moves: u64,
    collapsed: u64,
}

struct Campaign<'w> {
    pools: HashMap<usize, Pool>,
    watch: &'w Watch,
    counts: RefCell<Counts>,
}

/// The evaluators of a case.
#[derive(Clone)]
struct Evaluators {
    carried: Seeing<'static, RewardedGraph>,
    blind: Blind<'static, RewardedGraph>,
}

fn rewarded(shape: &GraphShape, rewards: Rewards, seed: u64) -> RewardedGraph {
    let graph = RandomGraph::new(shape, seed).expect("the shape is within its limits");
    RewardedGraph::new(graph, rewards).expect("the rewards are within their limits")
}

impl Campaign<'_> {
    fn try_case(&self, case: &Case) -> Result<(), TestCaseError> {
        let graph = rewarded(&case.shape, case.rewards, case.seed);
        let limit = case.shape.limit;
        let carried = Carried::new(case.seed, limit, case.setups.iter().any(|s| s.options.threads > 1));
        let blind = OutcomeBlind::new(graph.graph(), case.seed, limit);
        let evaluators = Evaluators { carried: Seeing::of(carried), blind: Blind::of(blind) };
        let root = root_of(graph.graph(), case.root);
        let affordable = affordable_depth(graph.graph(), root, DEEPEST, NODES);
        let warm = LocklessTable::with_buckets(case.buckets).expect("a small table");
        let mut oracle = Oracle::new(&graph, &evaluators.carried);
        let mut blind_oracle = Oracle::new(&graph, &evaluators.blind);
        for setup in &case.setups {
            let depth = affordable.saturating_sub(setup.shallower).max(1);
            let named = || format!("{setup:?} to depth {depth} in {case:?}");
            self.watch
                .over(named, || self.search(setup, &graph, &evaluators, &warm, &root, depth))
                .map_err(|error| error.to_string())
                .and_then(|result| {
                    let ranked = if setup.is_blind {
                        judge(&graph, &mut blind_oracle, &root, depth, &result)
                    } else {
                        judge(&graph, &mut oracle, &root, depth, &result)
                    }?;
                    self.count(setup, ranked, &result, limit);
                    Ok(())
                })
                .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {setup:?} to depth {depth}")))?;
        }
        self.counts.borrow_mut().clamped += oracle.clamped + blind_oracle.clamped;
        Ok(())
    }

    fn count(&self, setup: &Setup, ranked_moves: u64, result: &SearchResult<u32, u32>, limit: Score) {
        let mut counts = self.counts.borrow_mut();
        counts.stats += result.stats;
        counts.ranked_moves += ranked_moves;
        counts.collapsed += result.stats.nodes.collapsed;
        counts.extreme += u64::from(result.bounds.lower.abs() == limit);
        *counts.by_algorithm.entry(setup.options.algorithm).or_default() += result.stats.nodes.total();
    }

    fn search(
        &self,
        setup: &Setup,
        graph: &RewardedGraph,
        evaluators: &Evaluators,
        warm: &LocklessTable,
        root: &GraphPosition,
        depth: u32,
    ) -> Result<SearchResult<u32, u32>, SearchError> {
        let tiny = LocklessTable::with_buckets(1).expect("a small table");
        let table = if setup.store == Store::Tiny { &tiny } else { warm };
        let Evaluators { carried, blind } = evaluators.clone();
        match (setup.store, setup.is_blind, setup.schedule) {
            (Store::Nowhere, ..) => self
                .searcher(setup, graph, blind, NoTable)
                .request(root)
                .limits(Limits::depth(depth))
                .search(),
            (_, true, None) => {
                self.searcher(setup, graph, blind, table).request(root).limits(Limits::depth(depth)).search()
            }
            (_, false, None) => self
                .searcher(setup, graph, carried, table)
                .request(root)
                .limits(Limits::depth(depth))
                .search(),
            (_, true, Some(seed)) => simulate(&self.searcher(setup, graph, blind, table), root, depth, seed),
            (_, false, Some(seed)) => {
                simulate(&self.searcher(setup, graph, carried, table), root, depth, seed)
            }
        }
    }

    fn searcher<E: Evaluator<RewardedGraph>, T: Table>(
        &self,
        setup: &Setup,
        graph: &RewardedGraph,
        evaluator: E,
        table: T,
    ) -> Searcher<RewardedGraph, E, T> {
        let searcher = Searcher::new(graph.clone(), evaluator, table).with_options(setup.options.clone());
        match self.pools.get(&setup.options.threads) {
            Some(pool) if setup.options.splits.alone => searcher.with_pool(pool.clone()),
            _ => searcher,
        }
    }
}

fn simulate<E: Evaluator<RewardedGraph>, T: Table>(
    searcher: &Searcher<RewardedGraph, E, T>,
    root: &GraphPosition,
    depth: u32,
    seed: u64,
) -> Result<SearchResult<u32, u32>, SearchError> {
    let simulation = Simulation { costs: CostModel::UNIT, seed };
    searcher
        .request(root)
        .limits(Limits::depth(depth))
        .simulate(&simulation)
        .map(|simulated| simulated.result)
}

/// Whether a result is the oracle's, its moves ranked as the oracle has them; gives how many were ranked.
fn judge<E: Evaluator<RewardedGraph>>(
    graph: &RewardedGraph,
    oracle: &mut Oracle<'_, RewardedGraph, E>,
    root: &GraphPosition,
    depth: u32,
    result: &SearchResult<u32, u32>,
) -> Result<u64, String> {
    agrees(graph, oracle, root, depth, result)?;
    are_ranked(oracle, root, depth, &result.root_moves)?;
    Ok(result.root_moves.len() as u64)
}

fn campaign(watch: &Watch, graphs: u32, setups: Vec<BoxedStrategy<Setup>>) -> Counts {
    let pool = |threads| (threads, Pool::new(threads).expect("the system starts the threads"));
    let pools = THREADS.map(pool).into_iter().collect();
    let campaign = Campaign { pools, watch, counts: RefCell::default() };
    campaign::run(campaign::graphs(graphs), 3, &cases(setups), |case| campaign.try_case(&case));
    campaign.counts.into_inner()
}

#[test]
fn every_serial_search_of_graphs_with_rewards_gives_the_oracles_value() {
    let counts = watched(|watch| campaign(watch, GRAPHS, serial()));
    let Stats { nodes, table, .. } = counts.stats;
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 1_000_000),
        ("rewards that led beyond the grid", counts.clamped, 100_000),
        ("roots worth all that there is", counts.extreme, 1_000),
        ("moves ranked", counts.ranked_moves, 1_000),
        ("Star2 probes", nodes.star2_probes, 100_000),
        ("table hits", table.hits, 100_000),
        ("decision nodes cut by the table", table.decision_cutoffs, 10_000),
        ("chance nodes cut by the table", table.chance_cutoffs, 10_000),
        ("chance nodes cut by successor probing", table.successor_cutoffs, 1_000),
        ("decision nodes cut by their successors' entries", table.move_cutoffs, 1_000),
        ("chance nodes collapsed", nodes.collapsed, 10_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 1_000),
    ]);
    for (algorithm, nodes) in counts.by_algorithm {
        assert_met(&[(algorithm.name(), nodes, 100_000)]);
    }
}

#[test]
fn every_method_gives_graphs_with_rewards_the_oracles_value() {
    let counts = watched(|watch| campaign(watch, SHARED_GRAPHS, shared()));
    let Stats { nodes, table, split, .. } = counts.stats;
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 1_000_000),
        ("rewards that led beyond the grid", counts.clamped, 10_000),
        ("splits in the probing phase", split.probing_splits, 10_000),
        ("splits in the Star1 phase", split.star1_splits, 10_000),
        ("splits at decision nodes", split.decision_splits, 10_000),
        ("steals", split.steals, 1_000),
        ("helped successors", split.helped, 1_000),
        ("aborts", split.aborts, 100),
        ("successors put off", split.deferred, 1_000),
        ("chance nodes collapsed", nodes.collapsed, 10_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 1_000),
    ]);
}

/// A graph of rewards that are all 0 is searched node for node as the graph itself, which has none.
#[test]
fn rewards_of_nothing_change_no_node() {
    let nothing = Rewards { move_percent: 0, outcome_percent: 0, most: 1 };
    let mut nodes = 0;
    for seed in 0..100 {
        let limit = [4, 1 << 20][seed as usize % 2];
        let shape = GraphShape { limit, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let depth = affordable_depth(&graph, graph.start(), 7, 20_000);
        let with = RewardedGraph::new(graph.clone(), nothing).expect("no rewards");
        let blind = OutcomeBlind::new(&graph, seed, limit);
        for (algorithm, table_use) in forms() {
            for &ordering in MoveOrdering::ALL {
                // Where there may be rewards, the end of the grid is sooner out of reach.
                let usual =
                    Options { probing_factor: Some(1), window_shares: Some(false), ..Options::default() };
                let options = Options { algorithm, table_use, ordering, ..usual };
                let table = || LocklessTable::with_buckets(64).expect("a small table");
                let (root, limits) = (graph.start(), Limits::depth(depth));
                let (of_plain, of_rewarded) = (table(), table());
                let plain = Searcher::new(graph.clone(), Blind::of(&blind), &of_plain);
                let plain = plain.with_options(options.clone());
                let expected = plain.request(&root).limits(limits.clone()).search().expect("a search");
                let rewarded = Searcher::new(with.clone(), Blind::of(&blind), &of_rewarded);
                let rewarded = rewarded.with_options(options);
                let found = rewarded.request(&root).limits(limits.clone()).search().expect("a search");
                assert_eq!(found.bounds, expected.bounds, "seed {seed}");
                let name = format!("seed {seed}, {algorithm}, {table_use}, {ordering}");
                assert_eq!(found.stats.table, expected.stats.table, "{name}");
                assert_eq!(found.stats.nodes, expected.stats.nodes, "{name}");
                nodes += found.stats.nodes.total();
            }
        }
    }
    assert_happened(&[("nodes", nodes, 1_000_000)]);
}

/// A search that is stopped half way has proven what it says, and so has one that takes deeper entries for
/// what it looks for, of whose value nothing else is promised.
#[test]
fn interrupted_searches_and_deeper_entries_keep_to_what_is_possible() {
    let (mut interrupted, mut narrowed) = (0, 0);
    for seed in 0..150 {
        let limit = [1, 4, 1 << 20][seed as usize % 3];
        let shape = GraphShape { limit, ..GraphShape::default() };
        let most = [1, limit, 2 * limit][seed as usize / 3 % 3];
        let graph = rewarded(&shape, Rewards { move_percent: 70, outcome_percent: 70, most }, seed);
        let (root, evaluator) = (graph.graph().start(), Seeing::of(HashRandom::new(seed, limit)));
        let depth = affordable_depth(graph.graph(), root, DEEPEST, 50_000);
        let mut oracle = Oracle::new(&graph, &evaluator);
        let table = LocklessTable::with_buckets(16).expect("a small table");
        for (algorithm, table_use) in forms() {
            let options = Options { algorithm, table_use, table_depth: Some(1), ..Options::default() };
            let search = |reuse, limits: &Limits| {
                let options = Options { reuse, ..options.clone() };
                let searcher = Searcher::new(graph.clone(), evaluator.clone(), &table).with_options(options);
                searcher.request(&root).limits(limits.clone()).search().expect("a search")
            };
            let found = search(Reuse::Exact, &Limits::depth(depth).with_nodes(2_000));
            if let Some(Interrupted { depth, bounds, .. }) = found.interrupted {
                let value = oracle.value(&root, depth) as Score;
                let name = format!("seed {seed}, {algorithm}, {table_use} to depth {depth}");
                assert!(bounds.lower <= value && value <= bounds.upper, "{bounds:?} of {value}, {name}");
                interrupted += 1;
                narrowed += u64::from(bounds != Bounds::unknown(limit));
            }
            let Bounds { lower, upper } = search(Reuse::AtLeast, &Limits::depth(depth.min(6))).bounds;
            assert!(-limit <= lower && lower <= upper && upper <= limit, "{lower} to {upper}, seed {seed}");
        }
    }
    assert_happened(&[
        ("interrupted searches", interrupted, 100),
        ("that had proven something", narrowed, 30),
    ]);
}

/// A game by hand, for Max and Min, on a grid from -10 to 10:
///
/// ```text
/// 0  Max moves:  a, reward 4, to 1;   b, reward -3, to 2;   c, reward 20, to 3
/// 1  chance, told for Max:  weight 1, reward -6, to 4;   weight 1, reward 1, to 5
/// 2  Min moves:  d, reward 2, to 4;   e, reward -12, to 5
/// 3  chance, told for Min:  weight 3, reward 9, to 4;   weight 1, reward -1, to 5
/// 4  the end, worth 7 to Max
/// 5  the end, worth 8 to Min
/// ```
///
/// Node 1: the first outcome is worth -6 + 7 = 1, the second 1 - 8 = -7; the mean is -3. Node 2, to Min: d is
/// worth 2 - 7 = -5, e -12 + 8 = -4; so -4, to Max 4. Node 3, to Min: the first is worth 9 - 7 = 2, the
/// second -1 + 8 = 7; the mean is 13 / 4, to the nearest 3, to Max -3. Node 0: a is worth 4 - 3 = 1, b -3 + 4
/// = 1, c 20 - 3 = 17, clamped to 10.
#[derive(Clone, Copy, Debug)]
struct ByHand {
    /// What c's reward is instead.
    c: Score,
}

impl ByHand {
    const EDGES: [&[(u32, Score)]; 6] =
        [&[(1, 4), (2, -3), (3, 20)], &[(4, -6), (5, 1)], &[(4, 2), (5, -12)], &[(4, 9), (5, -1)], &[], &[]];
}

impl Game for ByHand {
    type Position = u32;
    type Move = u32;
    type Outcome = u32;
    const STEPS: Steps = Steps::PLAIN.with_rewards(true);

    fn identity(&self) -> u64 {
        self.c as u64
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, 10).expect("a grid")).saturating(true)
    }

    fn kind(&self, &position: &u32) -> NodeKind {
        [
            NodeKind::Decision,
            NodeKind::Chance,
            NodeKind::Decision,
            NodeKind::Chance,
            NodeKind::Terminal,
            NodeKind::Terminal,
        ][position as usize]
    }

    fn player(&self, &position: &u32) -> Player {
        if matches!(position, 2 | 3 | 5) { Player::Min } else { Player::Max }
    }

    fn terminal_score(&self, &position: &u32) -> Score {
        if position == 4 { 7 } else { 8 }
    }

    fn hash(&self, &position: &u32) -> PositionHash {
        PositionHash::from(mix64(u64::from(position) + 1))
    }

    fn moves(&self, &position: &u32, push: impl FnMut(u32)) {
        (0..Self::EDGES[position as usize].len() as u32).for_each(push);
    }

    fn play(&self, &position: &u32, mv: u32) -> u32 {
        Self::EDGES[position as usize][mv as usize].0
    }

    fn reward(&self, &before: &u32, step: Step<u32, u32>, _: &u32) -> Score {
        let (Step::Move(edge) | Step::Outcome(edge)) = step;
        if (before, edge) == (0, 2) { self.c } else { Self::EDGES[before as usize][edge as usize].1 }
    }

    fn outcomes(&self, &position: &u32, mut push: impl FnMut(u32, u32)) {
        push(0, if position == 3 { 3 } else { 1 });
        push(1, 1);
    }

    fn resolve(&self, position: &u32, outcome: u32) -> u32 {
        self.play(position, outcome)
    }
}

/// What every algorithm finds below `root`: bounds and moves with their values, best first.
fn by_hand(c: Score, root: u32) -> (Bounds, Vec<(u32, Score)>) {
    let mut answers = forms().into_iter().map(|(algorithm, table_use)| {
        let options = Options {
            algorithm,
            table_use,
            root_ranking: RootRanking::All,
            table_depth: Some(1),
            ..Options::default()
        };
        let table = LocklessTable::with_buckets(64).expect("a small table");
        let searcher =
            Searcher::new(Stepped::of(ByHand { c }), HashRandom::new(1, 10), table).with_options(options);
        let found = searcher.request(&at(root)).limits(Limits::depth(4)).search().expect("a search");
        let moves = found.root_moves.iter().map(|ranked| (ranked.mv, ranked.bounds.lower)).collect();
        (found.bounds, moves)
    });
    let first = answers.next().expect("there are algorithms");
    answers.for_each(|other| assert_eq!(other, first));
    first
}

#[test]
fn a_game_worked_out_by_hand_has_its_values() {
    assert_eq!(by_hand(20, 0), (Bounds::exactly(10), vec![(2, 10), (0, 1), (1, 1)]));
    assert_eq!(by_hand(5, 0), (Bounds::exactly(2), vec![(2, 2), (0, 1), (1, 1)]));
    assert_eq!(by_hand(20, 1), (Bounds::exactly(-3), vec![]));
    assert_eq!(by_hand(20, 2), (Bounds::exactly(-4), vec![(1, -4), (0, -5)]));
    assert_eq!(by_hand(20, 3), (Bounds::exactly(3), vec![]));
}

/// Where values saturate a reward beyond twice the limit makes no more difference, however large it is.
#[test]
fn rewards_of_any_size_count_as_twice_the_limit() {
    for (most, beyond) in
        [(20, [21, 1_000, i32::MAX - 5, i32::MAX]), (-20, [-21, -1_000, i32::MIN + 5, i32::MIN])]
    {
        for reward in beyond {
            assert_eq!(by_hand(reward, 0), by_hand(most, 0), "{reward}");
        }
    }
}
