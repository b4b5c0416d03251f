//! Games in which a position that comes again ends the game: every search gives the root the value that an
//! oracle gives it which keeps the whole path, whatever tables know of other paths.

use crate::common::batched::Batched;
use crate::common::campaign;
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth_of, root_of, shapes};
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use crate::common::verdict::assert_happened;
use crate::common::watchdog::{Watch, watched};
use crate::path_oracle::PathOracle;
use crate::returning::{Nearness, Returning};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use starsplit::evaluator::{Constant, Evaluator, HashRandom};
use starsplit::game::{Game, NodeKind, Player, PositionHash, Step};
use starsplit::score::{Bounds, Score};
use starsplit::search::{
    LaneOptions, Limits, Method, MoveOrdering, Options, SearchError, SearchResult, Splits, Stats,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::{LocklessTable, Reuse};
use starsplit::{BuildError, Pool, Searcher};
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, OutcomeBlind, Plays, PliedGraph, RandomGraph, check_game,
};
use starsplit_wrappers::OfInner;
use starsplit_wrappers::repetition::{AnyReturn, Repeating, Returns, WithPast};
use std::cell::RefCell;
use std::collections::HashMap;

/// How many graphs each campaign searches.
const GRAPHS: u32 = 2_000;
const PLIED_GRAPHS: u32 = 400;

/// The deepest search, and the greatest whole tree below a root.
const DEEPEST: u32 = 8;
const NODES: u64 = 1_500;

/// How many ways of searching each graph is given.
const SETUPS: usize = 6;

const THREADS: [usize; 3] = [1, 2, 8];

fn table_of(buckets: u64) -> LocklessTable {
    LocklessTable::with_buckets(buckets).expect("a small table")
}

/// A graph with the rule, and everything that is to be tried on it.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    /// Which ways are gone from there before the search.
    walk: Vec<u32>,
    /// What a repetition scores, in parts of the limit.
    score: f64,
    irreversible_percent: u64,
    nearness: Nearness,
    buckets: u64,
    setups: Vec<Setup>,
}

/// One search.
#[derive(Clone, Debug)]
struct Setup {
    options: Options,
    place: Place,
    /// Whether the evaluator is one that ignores outcomes, so that chance nodes may collapse.
    is_blind: bool,
    /// Whether it has a table of its own, and not the one that the searches of a case share.
    has_own_table: bool,
    /// Whether the root has no past after all.
    begins_anew: bool,
    shallower: u32,
}

/// What runs a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Threads,
    Lanes,
    VirtualProcessors,
}

fn cases() -> impl Strategy<Value = Case> {
    let nearness = prop::sample::select(vec![Nearness::One, Nearness::Half, Nearness::True, Nearness::True]);
    let rule = (
        prop_oneof![2 => Just(0.0), 1 => -1.0..=1.0f64],
        prop_oneof![1 => Just(0u64), 2 => 1u64..40],
        nearness,
    );
    let begin = (any::<u32>(), prop::collection::vec(any::<u32>(), 0..4));
    let setups = prop::collection::vec(setup(), SETUPS);
    let buckets = prop_oneof![1 => Just(1u64), 3 => 2u64..=64];
    (shapes(), any::<u64>(), begin, rule, buckets, setups).prop_map(
        |(shape, seed, (root, walk), (score, irreversible_percent, nearness), buckets, setups)| {
            let shape = GraphShape { positions: shape.positions.min(30), cycles: true, ..shape };
            Case { shape, seed, root, walk, score, irreversible_percent, nearness, buckets, setups }
        },
    )
}

fn setup() -> impl Strategy<Value = Setup> {
    let places = prop_oneof![
        4 => Just(Place::Threads),
        1 => Just(Place::Lanes),
        1 => Just(Place::VirtualProcessors)
    ];
    let form = (
        prop::sample::select(forms()),
        prop::sample::select(Method::ALL.to_vec()),
        prop::sample::select(MoveOrdering::ALL.to_vec()),
        prop::sample::select(THREADS.to_vec()),
    );
    let depths = (prop::option::weighted(0.9, 1u8..=3), prop::option::weighted(0.8, 1u8..=3), 0u8..=4);
    let kept = (any::<bool>(), prop::bool::weighted(0.3), 0u32..2);
    (places, form, depths, kept, any::<bool>(), techniques()).prop_map(
        |(place, form, depths, (has_own_table, begins_anew, shallower), is_blind, techniques)| {
            let ((algorithm, table_use), method, ordering, threads) = form;
            let (split_depth, table_depth, successor_probing_depth) = depths;
            let is_on_threads = place == Place::Threads;
            // Elsewhere nobody can have threads of their own.
            let method = if is_on_threads || method != Method::ForkJoin { method } else { Method::Both };
            let lanes = Some(if place == Place::Lanes { 3 } else { 1 });
            let options = Options {
                algorithm,
                table_use,
                method,
                ordering,
                threads,
                lanes: LaneOptions { count: lanes, ..techniques.lanes },
                reuse: Reuse::Exact,
                splits: Splits { alone: true, ..eager(split_depth) },
                table_depth,
                successor_probing_depth,
                ..techniques
            };
            Setup {
                options,
                place,
                is_blind: is_blind && is_on_threads,
                has_own_table,
                begins_anew,
                shallower,
            }
        },
    )
}

/// What a campaign counted.
#[derive(Default)]
struct Counts {
    stats: Stats,
    repeated: u64,
    repeated_chances: u64,
    told_near: u64,
    with_past: u64,
    by_place: HashMap<&'static str, u64>,
}

struct Campaign<'w> {
    pools: HashMap<usize, Pool>,
    watch: &'w Watch,
    counts: RefCell<Counts>,
}

/// A game with the rule, the same for the oracle, and where the searches begin.
struct Ground<'c, G: GraphGame> {
    case: &'c Case,
    game: Repeating<G, Returning>,
    returns: Returning,
    score: Score,
    root: WithPast<GraphPosition>,
    path: Vec<PositionHash>,
    depth: u32,
    table: LocklessTable,
}

impl<'c, G: GraphGame> Ground<'c, G> {
    fn new(case: &'c Case, plain: G, nearness: Nearness) -> Self {
        let graph = plain.graph();
        let score = (case.score * f64::from(case.shape.limit)) as Score;
        let percent = case.irreversible_percent;
        let returns = Returning::new((&plain, graph), case.seed, percent, nearness, DEEPEST as u8);
        let first = root_of(graph, case.root);
        let game = Repeating::knowing(plain, score, returns.clone());
        let (root, path) = walk(&game, &returns, game.begin(first), &case.walk);
        let depth = affordable_depth_of(inner(&game), *root.position(), DEEPEST, NODES);
        let table = table_of(case.buckets);
        Ground { case, game, returns, score, root, path, depth, table }
    }

    /// Where a search begins, and the path to there.
    fn begin(&self, begins_anew: bool) -> (WithPast<GraphPosition>, &[PositionHash]) {
        match begins_anew {
            true => (self.game.begin(*self.root.position()), &[]),
            false => (self.root.clone(), &self.path),
        }
    }
}

/// The game without the rule. The trait is not imported: it has methods of the names of [`Game`]'s.
fn inner<G: Game>(game: &Repeating<G, Returning>) -> &G
where
    Returning: Returns<G>,
{
    starsplit_wrappers::GameWrapper::inner(game)
}

/// Goes these ways as far as the game does not end; gives the path, too, which is kept apart here.
fn walk<G: GraphGame>(
    game: &Repeating<G, Returning>,
    returns: &Returning,
    mut position: WithPast<GraphPosition>,
    ways: &[u32],
) -> (WithPast<GraphPosition>, Vec<PositionHash>) {
    let mut path = Vec::new();
    for way in ways {
        let plain = *position.position();
        let mut edges = 0;
        // Outcomes are numbered as moves are.
        game.moves(&position, |_| edges += 1);
        let ordinal = way % edges;
        let (is_last, after) = match game.kind(&position) {
            NodeKind::Chance => (is_last(game, returns, plain, ordinal), game.resolve(&position, ordinal)),
            _ => (is_last(game, returns, plain, ordinal), game.play(&position, ordinal)),
        };
        if game.kind(&after) == NodeKind::Terminal {
            break;
        }
        if is_last {
            path.clear();
        } else {
            path.push(inner(game).hash(&plain));
        }
        position = after;
    }
    (position, path)
}

fn is_last<G: GraphGame>(
    game: &Repeating<G, Returning>,
    returns: &Returning,
    before: GraphPosition,
    ordinal: u32,
) -> bool {
    returns.is_irreversible(inner(game), &before, Step::Move(ordinal), &before)
}

/// How a setup is searched. Only who is searched with on virtual processors too has such searches compiled.
type Search<C, G, E> = fn(
    &C,
    (&Ground<'_, G>, &Setup),
    E,
    &LocklessTable,
    &WithPast<GraphPosition>,
    u32,
) -> Result<SearchResult<u32, u32>, SearchError>;

impl Campaign<'_> {
    fn new(watch: &Watch) -> Campaign<'_> {
        let pool = |threads| (threads, Pool::new(threads).expect("the system starts the threads"));
        Campaign { pools: THREADS.map(pool).into_iter().collect(), watch, counts: RefCell::default() }
    }

    fn try_graph(&self, case: &Case) -> Result<(), TestCaseError> {
        let graph = RandomGraph::new(&case.shape, case.seed).expect("the shape is within its limits");
        let blind = OutcomeBlind::new(&graph, case.seed, case.shape.limit);
        let ground = Ground::new(case, graph, case.nearness);
        let evaluator = Batched(HashRandom::new(case.seed, case.shape.limit));
        for setup in &case.setups {
            if setup.is_blind {
                self.try_setup(&ground, setup, &blind, Self::search_by_threads)?;
            } else {
                self.try_setup(&ground, setup, &evaluator, Self::search)?;
            }
        }
        self.counts.borrow_mut().told_near += ground.returns.told_near();
        Ok(())
    }

    fn try_plied_graph(&self, case: &Case) -> Result<(), TestCaseError> {
        let graph = RandomGraph::new(&case.shape, case.seed).expect("the shape is within its limits");
        let plies = EdgePlies { none_percent: 40, more_percent: 20, most: 3 };
        let plied = PliedGraph::new(graph, plies).expect("the plies are within their limits");
        let ground = Ground::new(case, plied, case.nearness);
        let evaluator = Batched(HashRandom::new(case.seed, case.shape.limit));
        let try_setup = |setup| self.try_setup(&ground, setup, &evaluator, Self::search);
        case.setups.iter().try_for_each(try_setup)?;
        self.counts.borrow_mut().told_near += ground.returns.told_near();
        Ok(())
    }

    fn try_setup<G: GraphGame, E: Evaluator<G> + Clone>(
        &self,
        ground: &Ground<'_, G>,
        setup: &Setup,
        evaluator: &E,
        search: Search<Self, G, E>,
    ) -> Result<(), TestCaseError> {
        let depth = ground.depth.saturating_sub(setup.shallower).max(1);
        let named = || format!("{setup:?} to depth {depth} in {:?}", ground.case);
        let (root, path) = ground.begin(setup.begins_anew);
        let own = setup.has_own_table.then(|| table_of(ground.case.buckets));
        let table = own.as_ref().unwrap_or(&ground.table);
        let result = self
            .watch
            .over(named, || search(self, (ground, setup), evaluator.clone(), table, &root, depth))
            .map_err(|error| TestCaseError::fail(format!("{error}\nby {}", named())))?;
        let score = i64::from(ground.score);
        let mut oracle = PathOracle::new(inner(&ground.game), evaluator, &ground.returns, score);
        agrees(&mut oracle, root.position(), path, depth, &result)
            .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {}", named())))?;
        let counts = &mut *self.counts.borrow_mut();
        counts.stats += result.stats;
        counts.repeated += oracle.repeated;
        counts.repeated_chances += oracle.repeated_chances;
        counts.with_past += u64::from(!path.is_empty());
        let place = match setup.place {
            Place::Threads => "searches on threads",
            Place::Lanes => "searches in lanes",
            Place::VirtualProcessors => "searches on virtual processors",
        };
        *counts.by_place.entry(place).or_default() += 1;
        Ok(())
    }

    fn search<G: GraphGame, E: Evaluator<G>>(
        &self,
        (ground, setup): (&Ground<'_, G>, &Setup),
        evaluator: E,
        table: &LocklessTable,
        root: &WithPast<GraphPosition>,
        depth: u32,
    ) -> Result<SearchResult<u32, u32>, SearchError> {
        if setup.place != Place::VirtualProcessors {
            return self.search_by_threads((ground, setup), evaluator, table, root, depth);
        }
        let simulation = Simulation { costs: CostModel::UNIT, seed: ground.case.seed };
        let searcher = self.searcher((ground, setup), evaluator, table);
        searcher
            .request(root)
            .limits(Limits::depth(depth))
            .simulate(&simulation)
            .map(|simulated| simulated.result)
    }

    /// On threads, or in lanes.
    fn search_by_threads<G: GraphGame, E: Evaluator<G>>(
        &self,
        (ground, setup): (&Ground<'_, G>, &Setup),
        evaluator: E,
        table: &LocklessTable,
        root: &WithPast<GraphPosition>,
        depth: u32,
    ) -> Result<SearchResult<u32, u32>, SearchError> {
        let searcher = self.searcher((ground, setup), evaluator, table);
        let result = searcher.request(root).limits(Limits::depth(depth)).search()?;
        check_best_play(&searcher, root, &result)?;
        Ok(result)
    }

    fn searcher<'t, G: GraphGame, E: Evaluator<G>>(
        &self,
        (ground, setup): (&Ground<'_, G>, &Setup),
        evaluator: E,
        table: &'t LocklessTable,
    ) -> Searcher<Repeating<G, Returning>, OfInner<E>, &'t LocklessTable> {
        Searcher::new(ground.game.clone(), OfInner(evaluator), table)
            .with_options(setup.options.clone())
            .with_pool(self.pools[&setup.options.threads].clone())
    }
}

/// Holds the mean of the evaluations at the end of best play against the value: it has the past that the leaves
/// were come to by.
fn check_best_play<G: GraphGame, E: Evaluator<Repeating<G, Returning>>>(
    searcher: &Searcher<Repeating<G, Returning>, E, &LocklessTable>,
    root: &WithPast<GraphPosition>,
    result: &SearchResult<u32, u32>,
) -> Result<(), SearchError> {
    let (game, evaluator, limits) = (searcher.game(), searcher.evaluator(), Limits::depth(result.depth));
    let found = searcher.request(root).limits(limits.clone()).expectation(1, |leaf, mean| {
        let score = match game.kind(leaf) {
            NodeKind::Terminal => game.terminal_score(leaf),
            _ => evaluator.evaluate(game, leaf, &evaluator.state(game, leaf, None)),
        };
        mean[0] = f64::from(if game.player(leaf) == Player::Max { score } else { -score });
    })?;
    let mean = found.expect("nothing limits it").payload[0];
    let value = f64::from(if game.player(root) == Player::Max { 1 } else { -1 } * result.bounds.lower);
    let steps = (f64::from(result.depth) + 1.0) / 2.0;
    assert!((mean - value).abs() <= steps, "leaves come to {mean}, not {value}: {:?}", searcher.options());
    Ok(())
}

/// Whether a result agrees with the oracle in every iteration: exact bounds, a best move.
fn agrees<G: GraphGame, E: Evaluator<G>>(
    oracle: &mut PathOracle<'_, G, E, Returning>,
    root: &GraphPosition,
    path: &[PositionHash],
    depth: u32,
    result: &SearchResult<u32, u32>,
) -> Result<(), String> {
    if result.depth != depth || result.was_stopped() {
        return Err(format!("depth {}", result.depth));
    }
    if result.stats.table.contradictions > 0 {
        return Err(format!("{} contradictions", result.stats.table.contradictions));
    }
    for iteration in &result.iterations {
        let depth = iteration.depth;
        let expected = oracle.value(root, path, depth);
        if iteration.bounds != Bounds::exactly(expected as Score) {
            return Err(format!("{:?} at depth {depth}, expected {expected}", iteration.bounds));
        }
        let Some(mv) = iteration.best_move else { continue };
        let worth = oracle.worth_of_move(root, path, mv, depth);
        if worth != expected {
            return Err(format!("best move {mv} at depth {depth} is worth {worth}, expected {expected}"));
        }
    }
    Ok(())
}

/// What a campaign tries of each case.
type Try = fn(&Campaign<'_>, &Case) -> Result<(), TestCaseError>;

fn campaign(graphs: u32, try_case: Try) -> Counts {
    watched(move |watch| {
        let campaign = Campaign::new(watch);
        campaign::run(graphs, 7, &cases(), |case| try_case(&campaign, &case));
        campaign.counts.into_inner()
    })
}

#[test]
fn every_search_of_graphs_with_cycles_gives_the_path_oracles_value() {
    let counts = campaign(GRAPHS, |campaign, case| campaign.try_graph(case));
    let Stats { nodes, table, split, .. } = counts.stats;
    assert_happened(&[
        ("nodes", nodes.total(), 500_000),
        ("repetitions", counts.repeated, 100_000),
        ("repetitions of chance nodes", counts.repeated_chances, 20_000),
        ("earlier positions near enough to be met", counts.told_near, 100_000),
        ("searches of roots with a past", counts.with_past, 2_000),
        ("table hits", table.hits, 20_000),
        ("decision nodes cut by the table", table.decision_cutoffs, 2_000),
        ("chance nodes cut by the table", table.chance_cutoffs, 2_000),
        ("chance nodes cut by successor probing", table.successor_cutoffs, 100),
        ("decision nodes cut by their successors' entries", table.move_cutoffs, 100),
        ("replacements", table.replacements, 1_000),
        ("chance nodes collapsed", nodes.collapsed, 1_000),
        ("splits", split.probing_splits + split.star1_splits + split.decision_splits, 10_000),
        ("steals", split.steals, 300),
        ("helped successors", split.helped, 300),
        ("successors put off", split.deferred, 100),
    ]);
    let places: Vec<_> =
        counts.by_place.into_iter().map(|(place, searches)| (place, searches, 1_000)).collect();
    assert_happened(&places);
}

/// Moves and outcomes that take none, one or more plies lead back at other depths.
#[test]
fn every_search_of_graphs_with_cycles_and_plies_gives_the_path_oracles_value() {
    let counts = campaign(PLIED_GRAPHS, |campaign, case| campaign.try_plied_graph(case));
    let Stats { nodes, table, split, .. } = counts.stats;
    assert_happened(&[
        ("nodes", nodes.total(), 100_000),
        ("repetitions", counts.repeated, 20_000),
        ("earlier positions near enough to be met", counts.told_near, 20_000),
        ("table hits", table.hits, 4_000),
        ("nodes cut by the table", table.decision_cutoffs + table.chance_cutoffs, 500),
        ("steals", split.steals, 50),
    ]);
}

/// The root's bounds by a serial search with the table at every node.
fn searched<G: Game, E: Evaluator<G>>(game: G, evaluator: E, root: &G::Position, depth: u32) -> Bounds {
    let table = table_of(256);
    let options = Options {
        table_depth: Some(1),
        lanes: LaneOptions { count: Some(1), ..LaneOptions::default() },
        ..Options::default()
    };
    let searcher = Searcher::new(game, evaluator, &table).with_options(options);
    searcher.request(root).limits(Limits::depth(depth)).search().expect("a search").bounds
}

/// With keys that know positions only the table lies, and often; so do keys that know too little of the past.
#[test]
fn keys_of_positions_alone_give_wrong_roots() {
    let (mut wrong, mut right) = (0, 0);
    let campaign = campaign_cases(300);
    for case in &campaign {
        let graph = || RandomGraph::new(&case.shape, case.seed).expect("the shape is within its limits");
        let evaluator = Batched(HashRandom::new(case.seed, case.shape.limit));
        for nearness in [Nearness::Denied, Nearness::True] {
            let Ground { game, returns, score, root, path, depth, .. } = Ground::new(case, graph(), nearness);
            let mut oracle = PathOracle::new(inner(&game), &evaluator, &returns, score.into());
            let expected = Bounds::exactly(oracle.value(root.position(), &path, depth) as Score);
            let found = searched(game.clone(), OfInner(evaluator), &root, depth);
            if nearness == Nearness::Denied {
                wrong += u64::from(found != expected);
            } else {
                assert_eq!(found, expected, "{case:?}");
                right += 1;
            }
        }
    }
    assert_happened(&[("wrong roots", wrong, 20), ("right ones with the library's keys", right, 300)]);
}

/// The first cases of a campaign.
fn campaign_cases(count: u32) -> Vec<Case> {
    let mut runner = TestRunner::new_with_rng(
        ProptestConfig { failure_persistence: None, ..ProptestConfig::default() },
        TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]),
    );
    (0..count).map(|_| cases().new_tree(&mut runner).expect("a case").current()).collect()
}

#[test]
fn bounds_of_greater_depths_are_refused_in_one_line() {
    let graph = RandomGraph::new(&GraphShape::default(), 1).expect("the shape is within its limits");
    let returns = Returning::new((&graph, &graph), 1, 0, Nearness::One, 1);
    let game = Repeating::knowing(graph.clone(), 0, returns);
    let root = game.begin(graph.start());
    let evaluator = OfInner(Batched(HashRandom::new(1, 4)));
    let at_least = Options { reuse: Reuse::AtLeast, ..Options::default() };
    let table = table_of(4);
    let searcher = Searcher::new(game.clone(), evaluator, &table).with_options(at_least.clone());
    let limits = Limits::depth(3);
    let refused = searcher.request(&root).limits(limits.clone()).search().unwrap_err();
    let expected = "reuse at-least: values of this game depend on the positions before; expected exact";
    assert!(matches!(refused, SearchError::Options(_)) && refused.to_string() == expected, "{refused:?}");
    assert_eq!(searcher.request(&root).limits(limits.clone()).pv().unwrap_err(), refused);
    let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
    assert_eq!(searcher.request(&root).limits(limits.clone()).simulate(&simulation).unwrap_err(), refused);
    let exact = Options { reuse: Reuse::Exact, ..at_least.clone() };
    assert!(searcher.request(&root).options(exact).limits(limits.clone()).search().is_ok());
    let built = Searcher::builder(game, evaluator).table(&table).options(at_least.clone()).build();
    assert!(matches!(built, Err(BuildError::Search(error)) if error == refused));
    // Without the rule they are the caller's choice.
    let plain = Searcher::new(ByHand, Constant::new(7), &table).with_options(at_least);
    assert!(plain.request(&0).limits(limits.clone()).search().is_ok());
}

#[test]
fn the_rule_and_its_score_are_told_apart_from_the_game_without_it() {
    let graph = RandomGraph::new(&GraphShape::default(), 1).expect("the shape is within its limits");
    let returns = |percent| Returning::new((&graph, &graph), 1, percent, Nearness::True, 1);
    let mut identities = vec![
        graph.identity(),
        Repeating::new(graph.clone(), 0).identity(),
        Repeating::new(graph.clone(), 1).identity(),
        Repeating::new(graph.clone(), -1).identity(),
        Repeating::knowing(graph.clone(), 0, returns(10)).identity(),
        Repeating::knowing(graph.clone(), 0, returns(20)).identity(),
    ];
    identities.sort_unstable();
    identities.dedup();
    assert_eq!(identities.len(), 6);
    let limit = graph.facts().grid.limit();
    let same = [limit, Score::MAX].map(|score| Repeating::new(graph.clone(), score).identity());
    assert_eq!(same[0], same[1], "scores end where the grid does");
}

/// The test kit holds the rule's positions against each other where their pasts are the same.
#[test]
fn the_contract_is_kept() {
    for seed in 0..20 {
        let shape = GraphShape { positions: 12, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let start = graph.start();
        let returns = Returning::new((&graph, &graph), seed, 10, Nearness::True, 1);
        let game = Repeating::knowing(graph, 0, returns);
        let plays = Plays { games: 40, max_plies: 40, seed };
        let report = check_game(&game, &game.begin(start), &plays).expect("the contract is kept");
        assert!(report.terminals > 10, "{report}");
    }
}

/// Seven positions. `Min`, who moves first and wants little, goes to 1 or to 5:
///
/// ```text
/// 0 (Min) -> 1 -> 2 -> 3 -> 5      5 -> 4 or the end, -10      4 -> 3
///         -> 5
/// ```
///
/// By way of 1 the position 3 is worth 7 to depth 2, as 4 is evaluated: no position comes again. By way of
/// 5 and 4 the same position at the same depth is worth 0, since its only move leads back to 5.
#[derive(Clone, Copy, Debug)]
struct ByHand;

impl Game for ByHand {
    type Position = u8;
    type Move = u8;
    type Outcome = u8;

    fn identity(&self) -> u64 {
        1
    }

    fn kind(&self, position: &u8) -> NodeKind {
        if *position == 6 { NodeKind::Terminal } else { NodeKind::Decision }
    }

    fn player(&self, position: &u8) -> Player {
        if *position == 0 { Player::Min } else { Player::Max }
    }

    fn terminal_score(&self, _: &u8) -> Score {
        -10
    }

    fn hash(&self, position: &u8) -> PositionHash {
        PositionHash::from(starsplit::evaluator::mix64(u64::from(*position) + 1))
    }

    fn moves(&self, position: &u8, push: impl FnMut(u8)) {
        let after: &[u8] = match position {
            0 => &[1, 5],
            1 => &[2],
            2 | 4 => &[3],
            3 => &[5],
            _ => &[4, 6],
        };
        after.iter().copied().for_each(push);
    }

    fn play(&self, _: &u8, mv: u8) -> u8 {
        mv
    }

    fn outcomes(&self, _: &u8, _: impl FnMut(u8, u32)) {}

    fn resolve(&self, _: &u8, outcome: u8) -> u8 {
        outcome
    }
}

/// Searches by hand with a memory of what rests on no repetition: the value of a position for the first
/// player, and whether it rests on one.
fn careful(position: u8, path: &[u8], depth: u32, known: &mut HashMap<(u8, u32), i64>) -> (i64, bool) {
    if ByHand.kind(&position) == NodeKind::Terminal {
        return (-10, false);
    }
    if path.contains(&position) {
        return (0, true);
    }
    if depth == 0 {
        return (7, false);
    }
    if let Some(&value) = known.get(&(position, depth)) {
        return (value, false);
    }
    let (mut values, mut rests) = (Vec::new(), false);
    ByHand.moves(&position, |mv| {
        let (value, rests_on_one) = careful(mv, &[path, &[position]].concat(), depth - 1, known);
        values.push(value);
        rests |= rests_on_one;
    });
    let wants_little = ByHand.player(&position) == Player::Min;
    let value = if wants_little { values.iter().min() } else { values.iter().max() };
    let value = *value.expect("a decision node has moves");
    if !rests {
        known.insert((position, depth), value);
    }
    (value, rests)
}

#[test]
fn not_to_store_what_rests_on_a_repetition_is_not_enough() {
    let mut known = HashMap::new();
    assert_eq!(careful(0, &[], 5, &mut known).0, 7, "the memory lies");
    assert_eq!(known[&(3, 2)], 7, "of a value in which no position came again");
    let evaluator = Constant::new(7);
    let mut oracle = PathOracle::new(&ByHand, &evaluator, &AnyReturn, 0);
    // As the first player to move sees it, who has the signs of the second.
    assert_eq!(oracle.value(&0, &[], 5), 0);
    let game = Repeating::new(ByHand, 0);
    let found = searched(game, OfInner(evaluator), &game.begin(0), 5);
    assert_eq!(found, Bounds::exactly(0));
    let without = searched(ByHand, evaluator, &0, 5);
    assert_eq!(without, Bounds::exactly(-7), "without the rule");
}
