//! One value where moves and outcomes take none, one or more plies: every algorithm, table use, table,
//! ordering, probing, method, number of threads and of virtual processors gives the root what the oracle
//! gives it, to the last bit, on random graphs without rewards and with them; and a chain of moves or
//! outcomes that takes no ply and never ends is an error.

use crate::common::campaign::{self, assert_met};
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Erased, Seeing};
use crate::common::erased_game::{Stepped, at};
use crate::common::foresight::{ByDefault, Foreseeing, Telling};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth_of, graph_of, rewards, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use crate::common::verdict::{Graph, agrees, are_ranked, assert_happened};
use crate::common::watchdog::{Watch, watched};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Bounds, Grid, Score};
use starsplit::search::{
    Algorithm, Interrupted, Limits, MAX_PATH_LENGTH, Method, MoveOrdering, Options, SearchError,
    SearchResult, Splits, Stats, TableUse, Telemetry,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, OutcomeBlind, PliedGraph, RandomGraph, RewardedGraph,
    Rewards,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::resume_unwind;

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
    plies: EdgePlies,
    rewards: Option<Rewards>,
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
    evaluation: Evaluation,
    /// Whether nothing is kept but in a new table of one bucket.
    is_fresh: bool,
    /// Virtual processors instead of threads, with this seed.
    schedule: Option<u64>,
    /// How many plies short of the affordable depth.
    shallower: u32,
}

/// How positions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evaluation {
    Seeing,
    /// It ignores outcomes, so that chance nodes may collapse.
    Blind,
    /// It knows bounds.
    Foreseeing,
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
    let by_method = Method::ALL.iter().flat_map(|&method| {
        let threads = (form(), prop::sample::select(THREADS.to_vec()))
            .prop_flat_map(move |(form, n)| setup(form, Just(Team::Threads(method, n))))
            .boxed();
        let virtually = (form(), prop::sample::select(vec![2usize, 5, 17]))
            .prop_flat_map(move |(form, n)| setup(form, Just(Team::Virtual(method, n))));
        let simulated = (!method.uses_whole_pool()).then(|| virtually.boxed());
        [threads.clone(), threads.clone(), threads].into_iter().chain(simulated)
    });
    by_method.collect()
}

fn setup((algorithm, table_use): Form, team: impl Strategy<Value = Team>) -> impl Strategy<Value = Setup> {
    let orderings = prop::sample::select(MoveOrdering::ALL.to_vec());
    let split_depths = prop::option::weighted(0.9, prop_oneof![3 => 2u8..=3, 1 => 4u8..=7]);
    let depths =
        (split_depths, 0u8..=6, prop::option::of(0u8..=3), prop_oneof![2 => Just(0u32), 1 => 1u32..3]);
    let evaluations = prop::sample::select(vec![
        Evaluation::Seeing,
        Evaluation::Seeing,
        Evaluation::Blind,
        Evaluation::Blind,
        Evaluation::Foreseeing,
    ]);
    let kept = (prop::bool::weighted(0.25), evaluations, techniques(), any::<u64>());
    (orderings, prop::option::of(0u32..=3), depths, kept, team).prop_map(
        move |(ordering, probing_factor, depths, (is_fresh, evaluation, techniques, seed), team)| {
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
            Setup { options, evaluation, is_fresh, schedule, shallower }
        },
    )
}

/// Few or many that take none, few or many that take several.
fn edge_plies() -> impl Strategy<Value = EdgePlies> {
    let percents = || prop_oneof![1 => Just(0u32), 3 => 5u32..60];
    (percents(), percents(), prop_oneof![3 => Just(2u8), 2 => 3u8..=9]).prop_map(
        |(none_percent, more, most)| {
            let more_percent = more.min(100 - none_percent);
            EdgePlies { none_percent, more_percent, most }
        },
    )
}

fn cases(setups: Vec<BoxedStrategy<Setup>>) -> impl Strategy<Value = Case> {
    let graphs = shapes().prop_flat_map(|shape| {
        let limit = shape.limit;
        (Just(shape), edge_plies(), prop::option::of(rewards(limit)))
    });
    (graphs, any::<u64>(), any::<u32>(), 1u64..=64, setups.prop_shuffle()).prop_map(
        |((shape, plies, rewards), seed, root, buckets, setups)| Case {
            shape,
            plies,
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
    /// Moves and outcomes of the oracle's trees that took no ply, and more than one.
    plies_none: u64,
    plies_more: u64,
    /// Rewards that led the oracle beyond the grid.
    clamped: u64,
    ranked_moves: u64,
}

struct Campaign<'w> {
    pools: HashMap<usize, Pool>,
    watch: &'w Watch,
    counts: RefCell<Counts>,
}

impl Campaign<'_> {
    fn try_case(&self, case: &Case) -> Result<(), TestCaseError> {
        let graph = graph_of(&case.shape, case.seed);
        match case.rewards {
            None => self.try_graph(case, &plied(graph, case.plies)),
            Some(rewards) => {
                let graph = RewardedGraph::new(graph, rewards).expect("the rewards are within their limits");
                self.try_graph(case, &plied(graph, case.plies))
            }
        }
    }

    fn try_graph<G: GraphGame>(&self, case: &Case, graph: &PliedGraph<G>) -> Result<(), TestCaseError> {
        let (limit, inner) = (case.shape.limit, graph.game().graph());
        let carried = Carried::new(case.seed, limit, case.setups.iter().any(|s| s.options.threads > 1));
        let blind = OutcomeBlind::new(inner, case.seed, limit);
        let positions = inner.positions().count() as u32;
        let foresight = Foreseeing::new(graph, positions, carried, DEEPEST, (Telling::Truth, case.seed));
        let (carried, blind) = (Seeing::of(carried), Blind::of(blind));
        let foreseeing = Erased::<_, false, true>::of(ByDefault(foresight));
        let root = root_of(inner, case.root);
        let affordable = affordable_depth_of(graph, root, DEEPEST, NODES);
        let warm = LocklessTable::with_buckets(case.buckets).expect("a small table");
        let mut oracle = Oracle::new(graph, &carried);
        let mut blind_oracle = Oracle::new(graph, &blind);
        for setup in &case.setups {
            let depth = affordable.saturating_sub(setup.shallower).max(1);
            let named = || format!("{setup:?} to depth {depth} in {case:?}");
            let tiny = LocklessTable::with_buckets(1).expect("a small table");
            let table = if setup.is_fresh { &tiny } else { &warm };
            let search = || match setup.evaluation {
                Evaluation::Seeing => self.search(setup, graph, carried.clone(), table, &root, depth),
                Evaluation::Blind => self.search(setup, graph, blind.clone(), table, &root, depth),
                Evaluation::Foreseeing => self.search(setup, graph, foreseeing.clone(), table, &root, depth),
            };
            self.watch
                .over(named, search)
                .map_err(|error| error.to_string())
                .and_then(|result| match setup.evaluation {
                    Evaluation::Blind => {
                        judge(graph, &mut blind_oracle, &root, depth, &result).map(|()| result)
                    }
                    _ => judge(graph, &mut oracle, &root, depth, &result).map(|()| result),
                })
                .map(|result| self.count(setup, &result))
                .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {setup:?} to depth {depth}")))?;
        }
        let mut counts = self.counts.borrow_mut();
        counts.plies_none += oracle.plies_none + blind_oracle.plies_none;
        counts.plies_more += oracle.plies_more + blind_oracle.plies_more;
        counts.clamped += oracle.clamped + blind_oracle.clamped;
        Ok(())
    }

    fn count(&self, setup: &Setup, result: &SearchResult<u32, u32>) {
        let mut counts = self.counts.borrow_mut();
        counts.stats += result.stats;
        counts.ranked_moves += result.root_moves.len() as u64;
        *counts.by_algorithm.entry(setup.options.algorithm).or_default() += result.stats.nodes.total();
    }

    fn search<G: GraphGame, E: Evaluator<PliedGraph<G>>>(
        &self,
        setup: &Setup,
        graph: &PliedGraph<G>,
        evaluator: E,
        table: &LocklessTable,
        root: &GraphPosition,
        depth: u32,
    ) -> Result<SearchResult<u32, u32>, SearchError> {
        let searcher = Searcher::new(graph.clone(), evaluator, table).with_options(setup.options.clone());
        let searcher = match self.pools.get(&setup.options.threads) {
            Some(pool) if setup.options.splits.alone => searcher.with_pool(pool.clone()),
            _ => searcher,
        };
        let limits = Limits::depth(depth);
        match setup.schedule {
            None => searcher.request(root).limits(limits.clone()).search(),
            Some(seed) => {
                let simulation = Simulation { costs: CostModel::UNIT, seed };
                searcher
                    .request(root)
                    .limits(limits.clone())
                    .simulate(&simulation)
                    .map(|simulated| simulated.result)
            }
        }
    }
}

fn plied<G: GraphGame>(graph: G, plies: EdgePlies) -> PliedGraph<G> {
    PliedGraph::new(graph, plies).expect("the plies are within their limits")
}

/// Whether a result is the oracle's, its moves ranked as the oracle has them.
fn judge<G: Graph, E: Evaluator<G>>(
    graph: &G,
    oracle: &mut Oracle<'_, G, E>,
    root: &GraphPosition,
    depth: u32,
    result: &SearchResult<u32, u32>,
) -> Result<(), String> {
    agrees(graph, oracle, root, depth, result)?;
    are_ranked(oracle, root, depth, &result.root_moves)?;
    follow_line(graph, root, depth, &result.pv)
}

/// Whether a principal line goes no further than its plies let it.
fn follow_line<G: Graph>(
    graph: &G,
    root: &GraphPosition,
    depth: u32,
    line: &[Step<u32, u32>],
) -> Result<(), String> {
    let (mut position, mut left) = (*root, depth);
    for step in line {
        if left == 0 {
            return Err(format!("the line {line:?} goes beyond depth {depth}"));
        }
        let before = position;
        let plies = match *step {
            Step::Move(mv) => {
                position = graph.play(&before, mv);
                graph.plies(&before, Step::Move(mv), &position)
            }
            Step::Outcome(outcome) => {
                position = graph.resolve(&before, outcome);
                graph.plies(&before, Step::Outcome(outcome), &position)
            }
        };
        left = left.saturating_sub(u32::from(plies));
    }
    Ok(())
}

fn campaign(watch: &Watch, graphs: u32, setups: Vec<BoxedStrategy<Setup>>) -> Counts {
    let pool = |threads| (threads, Pool::new(threads).expect("the system starts the threads"));
    let pools = THREADS.map(pool).into_iter().collect();
    let campaign = Campaign { pools, watch, counts: RefCell::default() };
    campaign::run(campaign::graphs(graphs), 3, &cases(setups), |case| campaign.try_case(&case));
    campaign.counts.into_inner()
}

#[test]
fn every_serial_search_of_graphs_with_plies_gives_the_oracles_value() {
    let counts = watched(|watch| campaign(watch, GRAPHS, serial()));
    let Stats { nodes, table, .. } = counts.stats;
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 1_000_000),
        ("moves and outcomes of no ply", counts.plies_none, 100_000),
        ("moves and outcomes of several plies", counts.plies_more, 100_000),
        ("rewards that led beyond the grid", counts.clamped, 10_000),
        ("moves ranked", counts.ranked_moves, 1_000),
        ("Star2 probes", nodes.star2_probes, 50_000),
        ("table hits", table.hits, 50_000),
        ("decision nodes cut by the table", table.decision_cutoffs, 5_000),
        ("chance nodes cut by the table", table.chance_cutoffs, 5_000),
        ("chance nodes cut by successor probing", table.successor_cutoffs, 500),
        ("decision nodes cut by their successors' entries", table.move_cutoffs, 500),
        ("chance nodes collapsed", nodes.collapsed, 5_000),
        ("chance nodes cut by static bounds", nodes.static_cutoffs, 500),
    ]);
    for (algorithm, nodes) in counts.by_algorithm {
        assert_met(&[(algorithm.name(), nodes, 50_000)]);
    }
}

#[test]
fn every_method_gives_graphs_with_plies_the_oracles_value() {
    let counts = watched(|watch| campaign(watch, SHARED_GRAPHS, shared()));
    let Stats { nodes, table, split, .. } = counts.stats;
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 500_000),
        ("moves and outcomes of no ply", counts.plies_none, 10_000),
        ("moves and outcomes of several plies", counts.plies_more, 10_000),
        ("splits in the probing phase", split.probing_splits, 5_000),
        ("splits in the Star1 phase", split.star1_splits, 5_000),
        ("splits at decision nodes", split.decision_splits, 5_000),
        ("steals", split.steals, 500),
        ("helped successors", split.helped, 500),
        ("aborts", split.aborts, 50),
        ("successors put off", split.deferred, 500),
        ("chance nodes collapsed", nodes.collapsed, 5_000),
    ]);
}

/// A graph whose moves and outcomes all take one ply is searched node for node as the graph itself, of which
/// that is known, where leaves do not share evaluations.
#[test]
fn plies_of_one_change_no_node() {
    let one_each = EdgePlies { none_percent: 0, more_percent: 0, most: 2 };
    let mut nodes = 0;
    for seed in 0..40 {
        let limit = [4, 1 << 20][seed as usize % 2];
        let shape = GraphShape { limit, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let (root, evaluator) = (graph.start(), HashRandom::new(seed, limit));
        let limits = Limits::depth(affordable_depth_of(&graph, root, 7, 20_000));
        for (algorithm, table_use) in forms() {
            for &ordering in MoveOrdering::ALL {
                let table = || LocklessTable::with_buckets(64).expect("a small table");
                let options = Options { algorithm, table_use, ordering, ..Options::default() };
                let plain = Searcher::new(graph.clone(), evaluator, table()).with_options(options.clone());
                let expected = plain.request(&root).limits(limits.clone()).search().expect("a search");
                let game = plied(graph.clone(), one_each);
                let table = table();
                let with_plies = Searcher::new(game, Seeing::of(evaluator), &table).with_options(options);
                let found = with_plies.request(&root).limits(limits.clone()).search().expect("a search");
                let name = format!("seed {seed}, {algorithm}, {table_use}, {ordering}");
                assert_eq!(found.bounds, expected.bounds, "{name}");
                assert_eq!(found.pv, expected.pv, "{name}");
                assert_eq!(found.stats.nodes, expected.stats.nodes, "{name}");
                assert_eq!(found.stats.table, expected.stats.table, "{name}");
                nodes += found.stats.nodes.total();
            }
        }
    }
    assert_happened(&[("nodes", nodes, 1_000_000)]);
}

/// A search that is stopped half way has proven what it says.
#[test]
fn interrupted_searches_have_proven_what_they_say() {
    let (mut interrupted, mut narrowed) = (0, 0);
    for seed in 0..60 {
        let limit = [1, 4, 1 << 20][seed as usize % 3];
        let shape = GraphShape { limit, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let graph = plied(graph, EdgePlies { none_percent: 30, more_percent: 20, most: 2 });
        let (root, evaluator) = (graph.game().start(), Seeing::of(HashRandom::new(seed, limit)));
        let depth = affordable_depth_of(&graph, root, DEEPEST, 50_000);
        let mut oracle = Oracle::new(&graph, &evaluator);
        let table = LocklessTable::with_buckets(16).expect("a small table");
        for (algorithm, table_use) in forms() {
            let options = Options { algorithm, table_use, table_depth: Some(1), ..Options::default() };
            let searcher = Searcher::new(graph.clone(), evaluator.clone(), &table).with_options(options);
            let limits = Limits::depth(depth).with_nodes(2_000);
            let found = searcher.request(&root).limits(limits.clone()).search().expect("a search");
            if let Some(Interrupted { depth, bounds, .. }) = found.interrupted {
                let value = oracle.value(&root, depth) as Score;
                let name = format!("seed {seed}, {algorithm}, {table_use} to depth {depth}");
                assert!(bounds.lower <= value && value <= bounds.upper, "{bounds:?} of {value}, {name}");
                interrupted += 1;
                narrowed += u64::from(bounds != Bounds::unknown(limit));
            }
        }
    }
    assert_happened(&[
        ("interrupted searches", interrupted, 40),
        ("that had proven something", narrowed, 10),
    ]);
}

/// To its full depth a game is searched to all its ends, so that no evaluation matters; and the depth is the
/// plies of a line, not its length.
#[test]
fn a_search_to_the_full_depth_sees_every_end() {
    let (mut searched, mut sooner) = (0, 0);
    for seed in 0..40 {
        let shape =
            GraphShape { positions: 24, cycles: false, terminal_percent: 20, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let graph = plied(graph, EdgePlies { none_percent: 40, more_percent: 30, most: 3 });
        let root = graph.game().start();
        let full = graph.full_depth(&root).expect("no cycles");
        let value = |seed, depth| {
            let table = LocklessTable::with_buckets(64).expect("a small table");
            let evaluator = Seeing::of(HashRandom::new(seed, shape.limit));
            let searcher = Searcher::new(graph.clone(), evaluator, &table);
            searcher.request(&root).limits(Limits::depth(depth)).search().expect("a search").bounds
        };
        assert_eq!(value(1, full), value(2, full), "seed {seed}, an evaluation at depth {full}");
        searched += 1;
        sooner += u64::from(full > 1 && value(1, full / 2) != value(2, full / 2));
    }
    assert_happened(&[("graphs", searched, 40), ("of which half as deep is too little", sooner, 10)]);
}

/// A graph whose moves are made in two halves: first one chooses which two moves it shall be one of, which
/// takes no ply, then which of the two.
#[derive(Clone, Debug)]
struct InHalves {
    graph: RandomGraph,
}

/// A position of the graph, and the first half where it is made.
type Halfway = (GraphPosition, Option<u32>);

impl InHalves {
    fn moves_of(&self, position: &GraphPosition) -> u32 {
        let mut moves = 0;
        self.graph.moves(position, |_| moves += 1);
        moves
    }
}

impl starsplit_wrappers::GameWrapper for InHalves {
    type Inner = RandomGraph;
    type Position = Halfway;
    const STEPS: Steps = Steps::PLAIN.with_plies(true);

    fn inner(&self) -> &RandomGraph {
        &self.graph
    }

    fn inner_position((position, _): &Halfway) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &Halfway, _: Step<u32, u32>, after: GraphPosition) -> Halfway {
        (after, None)
    }

    fn identity(&self) -> u64 {
        !self.graph.identity()
    }

    fn hash(&self, (position, half): &Halfway) -> PositionHash {
        let half = half.map_or(0, |half| u64::from(half) + 1);
        self.graph.hash(position) ^ PositionHash::from(mix64(half))
    }

    fn moves(&self, (position, half): &Halfway, push: impl FnMut(u32)) {
        let moves = self.moves_of(position);
        match half {
            None => (0..moves.div_ceil(2)).for_each(push),
            Some(half) => (2 * half..moves.min(2 * half + 2)).for_each(push),
        }
    }

    fn play(&self, (position, half): &Halfway, mv: u32) -> Halfway {
        match half {
            None => (*position, Some(mv)),
            Some(_) => (self.graph.play(position, mv), None),
        }
    }

    fn plies(&self, _: &Halfway, step: Step<u32, u32>, (_, half): &Halfway) -> u8 {
        u8::from(half.is_none() || matches!(step, Step::Outcome(_)))
    }
}

starsplit_wrappers::forward! { impl Game for InHalves }

/// The evaluation of the graph's position: one half way is worth no more and no less.
#[derive(Clone, Copy, Debug)]
struct OfGraph(HashRandom);

impl Evaluator<InHalves> for OfGraph {
    type State = ();

    fn facts(&self, game: &InHalves) -> EvaluatorFacts {
        self.0.facts(&game.graph)
    }

    fn state(&self, _: &InHalves, _: &Halfway, _: Option<Before<'_, InHalves, ()>>) {}

    fn evaluate(&self, game: &InHalves, (position, _): &Halfway, (): &()) -> Score {
        self.0.evaluate(&game.graph, position, &())
    }
}

#[test]
fn moves_in_halves_are_worth_what_whole_moves_are() {
    let mut nodes = 0;
    for seed in 0..60 {
        let shape = GraphShape { successors: 1..=5, chance_percent: 30, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let (start, evaluator) = (graph.start(), HashRandom::new(seed, shape.limit));
        let table = || LocklessTable::with_buckets(64).expect("a small table");
        for (algorithm, table_use) in forms() {
            let options = Options { algorithm, table_use, ..Options::default() };
            let whole = Searcher::new(graph.clone(), evaluator, table()).with_options(options.clone());
            let in_halves = InHalves { graph: graph.clone() };
            let halves = Searcher::new(in_halves, OfGraph(evaluator), table()).with_options(options);
            let expected = whole.request(&start).limits(Limits::depth(5)).search().expect("a search");
            let found = halves.request(&(start, None)).limits(Limits::depth(5)).search().expect("a search");
            let of_whole: Vec<_> = expected.iterations.iter().map(|iteration| iteration.bounds).collect();
            let of_halves: Vec<_> = found.iterations.iter().map(|iteration| iteration.bounds).collect();
            assert_eq!(of_halves, of_whole, "seed {seed}, {algorithm}, {table_use}");
            assert_eq!(of_whole.len(), 5);
            nodes += found.stats.nodes.total();
        }
    }
    assert_happened(&[("nodes", nodes, 100_000)]);
}

/// From the root a move leads, by one ply, into a chain that takes none: through so many positions to the
/// goal, or for ever from one to another of three. A move may also lead to the end, which is worth all that
/// there is to lose, so that nothing but what the chain leads to settles anything.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// Of the positions in the chain.
    kind: NodeKind,
    /// How many there are; 0 where the chain has no end.
    positions: u32,
}

impl Chain {
    const ROOT: u32 = 0;
    const END: u32 = u32::MAX;
    const GOAL: u32 = u32::MAX - 1;
    const LIMIT: Score = 1000;

    /// The moves.
    const ON: u32 = 0;
    const OUT: u32 = 1;
}

impl Game for Chain {
    type Position = u32;
    type Move = u32;
    type Outcome = u32;
    const STEPS: Steps = Steps::PLAIN.with_plies(true);

    fn identity(&self) -> u64 {
        u64::from(self.positions)
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, Self::LIMIT).expect("a grid"))
    }

    fn kind(&self, &position: &u32) -> NodeKind {
        match position {
            Self::ROOT => NodeKind::Decision,
            Self::END | Self::GOAL => NodeKind::Terminal,
            _ => self.kind,
        }
    }

    fn player(&self, _: &u32) -> Player {
        Player::Max
    }

    fn terminal_score(&self, &position: &u32) -> Score {
        if position == Self::END { -Self::LIMIT } else { Self::LIMIT / 2 }
    }

    fn hash(&self, &position: &u32) -> PositionHash {
        PositionHash::from(mix64(u64::from(position)))
    }

    fn moves(&self, _: &u32, mut push: impl FnMut(u32)) {
        push(Self::ON);
        push(Self::OUT);
    }

    fn play(&self, &position: &u32, mv: u32) -> u32 {
        match position {
            _ if mv == Self::OUT => Self::END,
            Self::ROOT => 1,
            last if last == self.positions => Self::GOAL,
            _ if self.positions > 0 => position + 1,
            _ => position % 3 + 1,
        }
    }

    fn plies(&self, &before: &u32, _: Step<u32, u32>, _: &u32) -> u8 {
        u8::from(before == Self::ROOT)
    }

    /// One where the chain ends; else two that stay in it, which several workers may search.
    fn outcomes(&self, _: &u32, mut push: impl FnMut(u32, u32)) {
        push(1, 1);
        if self.positions == 0 {
            push(2, 1);
        }
    }

    fn resolve(&self, &position: &u32, places: u32) -> u32 {
        (0..places).fold(position, |position, _| self.play(&position, Self::ON))
    }
}

/// Ways to search a chain: every algorithm and ordering, all that looks ahead of the moves, every method.
fn ways() -> Vec<Options> {
    let base = || Options { deepening: false, ..Options::default() };
    let serial = forms().into_iter().flat_map(|(algorithm, table_use)| {
        let ordered = |&ordering| Options { algorithm, table_use, ordering, ..base() };
        MoveOrdering::ALL.iter().map(ordered).collect::<Vec<_>>()
    });
    let ahead = Options { move_probing_depth: Some(1), ..base() };
    let often = |method, threads| Options {
        method,
        threads,
        splits: Splits { alone: true, ..eager(Some(2)) },
        telemetry: Telemetry { count_duplicates: threads == 3, ..base().telemetry },
        ..base()
    };
    let shared = Method::ALL.iter().flat_map(|&method| [1, 3, 8].map(|threads| often(method, threads)));
    let by_algorithm = forms().into_iter().map(|(algorithm, table_use)| Options {
        algorithm,
        table_use,
        ..often(Method::Both, 2)
    });
    serial.chain([ahead]).chain(shared).chain(by_algorithm).collect()
}

/// Chains of moves and of outcomes, each with every way to search it.
fn chains() -> impl Iterator<Item = (NodeKind, Options)> {
    let with = |kind| ways().into_iter().map(move |options| (kind, options));
    [NodeKind::Decision, NodeKind::Chance].into_iter().flat_map(with)
}

type ChainSearcher = Searcher<Stepped, HashRandom, LocklessTable>;

fn chain_searcher(kind: NodeKind, positions: u32, options: &Options) -> ChainSearcher {
    let table = LocklessTable::with_buckets(1 << 10).expect("a small table");
    let chain = Stepped::of(Chain { kind, positions });
    Searcher::new(chain, HashRandom::new(1, Chain::LIMIT), table).with_options(options.clone())
}

fn bounds_of(searcher: &ChainSearcher, root: u32, depth: u32) -> Result<Bounds, SearchError> {
    searcher.request(&at(root)).limits(Limits::depth(depth)).search().map(|result| result.bounds)
}

/// Calls `act` on a thread of four MiB of stack: tests are built with less optimisation than what a ply is
/// said to take ([`Searcher`]) was measured with.
fn with_room(act: impl FnOnce(&Watch) + Send + 'static) {
    watched(|watch| {
        let watch = watch.clone();
        let thread = std::thread::Builder::new().stack_size(4 << 20).spawn(move || act(&watch));
        thread.expect("the system starts a thread").join().unwrap_or_else(|panic| resume_unwind(panic));
    });
}

#[test]
fn an_endless_chain_that_takes_no_ply_is_an_error_and_the_searcher_as_good_as_before() {
    with_room(|watch| {
        for (kind, options) in chains() {
            let name = format!("{kind:?}, {options:?}");
            let searcher = chain_searcher(kind, 0, &options);
            let search = |depth| watch.over(|| name.clone(), || bounds_of(&searcher, Chain::ROOT, depth));
            // At depth 1 the chain's first position is a leaf.
            let leaf = search(1).expect(&name);
            for depth in [2, 6, 254] {
                assert_eq!(search(depth), Err(SearchError::PathLength), "to {depth}, {name}");
            }
            assert_eq!(search(1), Ok(leaf), "{name}");
        }
    });
    let message =
        "a line of more than 512 moves and outcomes: expected that no endless chain of them takes no ply";
    assert_eq!(SearchError::PathLength.to_string(), message);
}

#[test]
fn virtual_processors_find_an_endless_chain_too() {
    for kind in [NodeKind::Decision, NodeKind::Chance] {
        for &method in Method::ALL.iter().filter(|method| !method.uses_whole_pool()) {
            let (split_depth, split_size) = (Some(2), Some(0));
            let options = Options {
                method,
                threads: 5,
                splits: Splits { depth: split_depth, size: split_size, ..Splits::default() },
                ..Options::default()
            };
            let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
            let searcher = chain_searcher(kind, 0, &options);
            let found = searcher.request(&at(Chain::ROOT)).limits(Limits::depth(4)).simulate(&simulation);
            let bounds = found.map(|found| found.result.bounds);
            assert_eq!(bounds, Err(SearchError::PathLength), "{kind:?}, {method}");
        }
    }
}

/// A chain that ends is searched if it is no longer than a line may be; and what was proven before the search
/// of a longer one ended is true, so that the table serves the next.
#[test]
fn long_chains_are_searched_to_their_end() {
    with_room(|watch| {
        for (kind, options) in chains() {
            let (name, worth) = (format!("{kind:?}, {options:?}"), Bounds::exactly(Chain::LIMIT / 2));
            let search =
                |searcher: &ChainSearcher, root| watch.over(|| name.clone(), || bounds_of(searcher, root, 3));
            let most = MAX_PATH_LENGTH - 1;
            assert_eq!(search(&chain_searcher(kind, most, &options), Chain::ROOT), Ok(worth), "{name}");
            let longer = chain_searcher(kind, most + 1, &options);
            assert_eq!(search(&longer, Chain::ROOT), Err(SearchError::PathLength), "{name}");
            assert_eq!(search(&longer, 2), Ok(worth), "{name}");
        }
    });
}
