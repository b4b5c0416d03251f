//! Searches to the end of the game: the oracle's value in every form, whatever the evaluator, an error where
//! the game's full depth is too small, and games of thousands of plies.

use crate::common::erased::Seeing;
use crate::common::erased_game::{ErasedGame, Plain, Position, at};
use crate::common::forms::forms;
use crate::common::oracle::{Oracle, nearest};
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use crate::common::verdict::assert_happened;
use crate::lanes::Batched;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use starsplit::evaluator::{Constant, Evaluator, HashRandom, mix64};
use starsplit::game::{Game, NodeKind, Player, PositionHash, Step};
use starsplit::score::{Score, Window};
use starsplit::search::{
    Algorithm, LaneOptions, Limits, Method, Options, SearchError, Splits, StopReason, TableUse,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::{LocklessTable, Reuse};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{
    EdgePlies, GraphPosition, GraphShape, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};
use starsplit_wrappers::forward;
use std::collections::HashSet;
use std::thread;

/// What the game says of its full depth below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    TheTruth,
    Nothing,
    /// A number that has nothing to do with it, 0 among them.
    Anything,
    /// Of the root as well.
    Always(u32),
}

/// A random graph, or one with plies of its own, that says so.
#[derive(Clone, Debug)]
struct Bounded<G> {
    graph: G,
    root: GraphPosition,
    says: Says,
}

impl<G: Game<Position = GraphPosition, Move = u32, Outcome = u32>> starsplit_wrappers::GameWrapper
    for Bounded<G>
{
    type Inner = G;
    type Position = GraphPosition;

    fn inner(&self) -> &G {
        &self.graph
    }

    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        self.graph.identity()
    }

    fn full_depth(&self, position: &GraphPosition) -> Option<u32> {
        let full = self.graph.full_depth(position);
        match self.says {
            Says::Always(depth) => Some(depth),
            _ if *position == self.root => full,
            Says::TheTruth => full,
            Says::Nothing => None,
            Says::Anything => Some((mix64(self.graph.hash(position).low) % 40) as u32),
        }
    }
}

forward! { impl<G: Game<Position = GraphPosition, Move = u32, Outcome = u32>> Game for Bounded<G> }

/// A graph without cycles that is as long as it has positions, now and then.
fn graph(seed: u64, says: Says) -> Bounded<RandomGraph> {
    let shape = GraphShape {
        positions: 20 + seed as u32 % 60,
        successors: 1..=1 + seed as u32 % 4,
        terminal_percent: 5,
        cycles: false,
        one_player: seed % 5 == 0,
        ..GraphShape::default()
    };
    let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
    Bounded { root: graph.start(), graph, says }
}

fn searcher<const IS_STEPPED: bool>(
    game: ErasedGame<IS_STEPPED>,
    seed: u64,
    options: Options,
) -> Searcher<ErasedGame<IS_STEPPED>, HashRandom> {
    let table = LocklessTable::with_buckets(64).expect("a small table");
    Searcher::new(game, HashRandom::new(seed, 1_000), table).with_options(options)
}

/// Every algorithm alone and by a method, with options that are drawn.
fn options(seed: u64, runner: &mut TestRunner) -> Vec<Options> {
    let methods = Method::ALL.iter().cycle().skip(seed as usize);
    let mut drawn = || techniques().new_tree(runner).expect("options").current();
    let mut all = Vec::new();
    for ((algorithm, table_use), &method) in forms().into_iter().zip(methods) {
        all.push(Options { algorithm, table_use, ..drawn() });
        let splits = Splits { alone: seed % 3 == 0, ..eager(Some(2)) };
        let threads = 1 + seed as usize % 3;
        all.push(Options { algorithm, table_use, method, threads, splits, ..drawn() });
    }
    all
}

#[test]
fn every_form_finds_the_oracles_value_whatever_the_evaluator_and_the_full_depth() {
    let (mut searches, mut long, mut runner) = (0, 0, TestRunner::deterministic());
    let pool = Pool::new(3).expect("threads");
    for seed in 0..60 {
        let says = [Says::TheTruth, Says::Nothing, Says::Anything][seed as usize % 3];
        let game = graph(seed, says);
        let full = game.graph.full_depth(&game.root).expect("no cycles");
        let evaluator = HashRandom::new(seed, 1_000);
        let value = Oracle::new(&game.graph, &evaluator).value(&game.root, full);
        let (root, game) = (at(game.root), Plain::of(game));
        long += u64::from(full >= 8);
        for options in options(seed, &mut runner) {
            let searcher = searcher(game.clone(), !seed, options.clone()).with_pool(pool.clone());
            let case = format!("seed {seed}, {says:?}, {options:?}");
            let result = searcher.request(&root).limits(Limits::to_the_end()).search().expect(&case);
            assert_eq!(i64::from(result.bounds.lower), value, "{case}");
            let left = game.full_depth(&root).expect("a bound");
            assert!(result.is_exact() && result.depth == left.max(1), "{case}");
            assert!(result.contradictions() == 0 || options.reuse == Reuse::AtLeast, "{case}");
            assert_eq!(result.iterations.len(), 1, "{case}");
            searches += 1;
        }
    }
    assert_happened(&[("searches", searches, 500), ("of long games", long, 10)]);
}

/// The value of a game, on one thread and two: with these lanes, where the evaluator has batches.
fn value_on_threads<G: Game<Position: PartialEq> + Clone, E: Evaluator<G> + Clone>(
    game: &G,
    (root, depth): (&G::Position, u32),
    evaluator: &E,
    lanes: &[usize],
) -> i64 {
    let value = Oracle::new(game, &Constant::default()).value(root, depth);
    for (threads, &count) in [1, 2].into_iter().flat_map(|threads| lanes.iter().map(move |of| (threads, of)))
    {
        let lanes = LaneOptions { count: Some(count), batch: Some(4), ..LaneOptions::default() };
        let options = Options { threads, lanes, splits: eager(Some(2)), ..Options::default() };
        let table = LocklessTable::with_buckets(64).expect("a small table");
        let searcher = Searcher::new(game.clone(), evaluator.clone(), &table).with_options(options);
        let result = searcher.request(root).limits(Limits::to_the_end()).search().expect("a sound game");
        assert_eq!(i64::from(result.bounds.lower), value, "{threads} threads, {count} lanes");
    }
    value
}

#[test]
fn rewards_plies_and_lanes_change_nothing() {
    let mut values = HashSet::new();
    for seed in 0..40 {
        let graph = graph(seed, Says::TheTruth).graph;
        let (root, evaluator) = (graph.start(), HashRandom::new(seed, 1_000));
        let batched = Batched::new(seed, 1_000);
        let full = graph.full_depth(&root).expect("no cycles");
        values.insert(value_on_threads(&graph, (&root, full), &&batched, &[1, 3, 5]));
        let rewards = Rewards { move_percent: 60, outcome_percent: 60, most: 1 << 22 };
        let rewarded = RewardedGraph::new(graph.clone(), rewards).expect("within their limits");
        values.insert(value_on_threads(&rewarded, (&root, full), &Seeing::of(evaluator), &[1]));
        let plies = EdgePlies { none_percent: 30, more_percent: 40, most: 3 };
        let plied = PliedGraph::new(graph, plies).expect("within their limits");
        let full = plied.full_depth(&root).expect("no cycles");
        values.insert(value_on_threads(&plied, (&root, full), &Seeing::of(evaluator), &[1]));
    }
    assert_happened(&[("values", values.len() as u64, 40)]);
}

#[test]
fn a_simulated_search_finds_it_too() {
    for seed in 0..12 {
        let game = graph(seed, Says::TheTruth);
        let (root, game) = (at(game.root), Plain::of(game));
        let options = Options { threads: 5, splits: eager(Some(2)), ..Options::default() };
        let searcher = searcher(game, seed, options);
        let limits = Limits::to_the_end();
        let simulation = Simulation { costs: CostModel::UNIT, seed };
        let virtually = searcher
            .request(&root)
            .limits(limits.clone())
            .simulate(&simulation)
            .expect("a sound game")
            .result;
        searcher.new_game();
        let really = searcher.request(&root).limits(limits.clone()).search().expect("a sound game");
        assert_eq!((virtually.bounds, virtually.depth), (really.bounds, really.depth), "seed {seed}");
    }
}

/// An entry to the end is none to a depth, and the other way round.
#[test]
fn one_table_serves_searches_to_the_end_and_to_a_depth() {
    for seed in 0..20 {
        let game = graph(seed, Says::TheTruth);
        let (root, evaluator) = (game.root, HashRandom::new(seed, 1_000));
        let mut oracle = Oracle::new(&game.graph, &evaluator);
        let full = game.graph.full_depth(&root).expect("no cycles");
        let searcher = searcher(Plain::of(game.clone()), seed, Options::default());
        let to = |limits: Limits| {
            let result = searcher.request(&at(root)).limits(limits).search().expect("a sound game");
            assert_eq!(result.contradictions(), 0, "seed {seed}, depth {}", result.depth);
            i64::from(result.bounds.lower)
        };
        for _ in 0..2 {
            assert_eq!(to(Limits::depth(3)), oracle.value(&root, 3), "seed {seed}");
            assert_eq!(to(Limits::to_the_end()), oracle.value(&root, full), "seed {seed}");
        }
    }
}

#[test]
fn the_other_questions_are_answered_to_the_end_as_well() {
    let (mut chances, mut lines) = (0, 0);
    for seed in 0..40 {
        let game = graph(seed, Says::TheTruth);
        let (root, limits) = (at(game.root), Limits::to_the_end());
        let game = Plain::of(game);
        let searcher = searcher(game.clone(), seed, Options::default());
        let result = searcher.request(&root).limits(limits.clone()).search().expect("a sound game");
        let window = Window::new(-100, 100);
        let proof = searcher.request(&root).limits(limits.clone()).prove(window).expect("a sound game");
        let value = result.bounds.lower;
        assert!(window.is_settled_by(proof.bounds), "seed {seed}: {proof:?}");
        assert!((proof.bounds.lower..=proof.bounds.upper).contains(&value), "seed {seed}: {proof:?}");
        let pv =
            searcher.request(&root).limits(limits.clone()).following(&result).pv().expect("a sound game");
        let end = pv.steps.iter().fold(root.clone(), |position, step| step.take(&game, &position));
        assert!(pv.is_whole() && game.kind(&end) == NodeKind::Terminal, "seed {seed}: {pv:?}");
        lines += u64::from(pv.steps.len() >= 4);
        let value = |leaf: &Position, mean: &mut [f64]| {
            assert_eq!(game.kind(leaf), NodeKind::Terminal);
            let sign = if game.player(leaf) == Player::Max { 1.0 } else { -1.0 };
            mean[0] = sign * game.facts().grid.difference(1) * f64::from(game.terminal_score(leaf));
        };
        let means = searcher
            .request(&root)
            .limits(limits.clone())
            .expectation(1, value)
            .expect("a sound game")
            .expect("no limit");
        assert!((means.payload[0] - result.value).abs() < 1e-4, "seed {seed}: {means:?}, {}", result.value);
        if game.kind(&root) == NodeKind::Chance {
            let outcomes = searcher.request(&root).limits(limits.clone()).outcomes().expect("a sound game");
            let total: f64 = outcomes.iter().map(|one| f64::from(one.weight)).sum();
            let mean: f64 = outcomes.iter().map(|one| f64::from(one.weight) / total * one.value).sum();
            assert!((mean - result.value).abs() < 1e-6, "seed {seed}: {mean}, {}", result.value);
            chances += 1;
        }
        let few = limits.with_nodes(1);
        let stopped = searcher.request(&root).limits(few).search().expect("a sound game");
        assert!(stopped.depth > 0 || stopped.stopped_by == StopReason::Nodes, "seed {seed}");
    }
    assert_happened(&[("chance roots", chances, 5), ("long lines", lines, 5)]);
}

#[test]
fn it_is_refused_where_the_game_has_no_bound_or_too_great_a_one() {
    let refusal = |game: Bounded<RandomGraph>| {
        let (root, game) = (at(game.root), Plain::of(game));
        let found =
            searcher(game, 1, Options::default()).request(&root).limits(Limits::to_the_end()).search();
        found.expect_err("refused").to_string()
    };
    let graph = RandomGraph::new(&GraphShape::default(), 1).expect("the shape is within its limits");
    let endless = "to the end: full_depth is None, so play may never end";
    let saying = |says| Bounded { graph: graph.clone(), root: graph.start(), says };
    assert_eq!(refusal(saying(Says::TheTruth)), endless);
    let longer = "to the end, 4097 plies off: expected at most 4096";
    assert_eq!(refusal(saying(Says::Always(4_097))), longer);
    // A game that says it ends, and does not.
    let game = saying(Says::Always(4_096));
    let (root, game) = (at(game.root), Plain::of(game));
    let ended = in_a_large_stack(|| {
        searcher(
            game,
            1,
            Options { algorithm: Algorithm::Star1, table_use: TableUse::None, ..Options::default() },
        )
        .request(&root)
        .limits(Limits::to_the_end().with_nodes(20_000))
        .search()
    });
    let is_told = match &ended {
        Ok(result) => result.depth == 0 && result.stopped_by == StopReason::Nodes,
        Err(error) => *error == SearchError::NotTheEnd,
    };
    assert!(is_told, "{ended:?}");
}

/// Searches with every full depth that is too small, and counts errors and values: the value is that of the
/// whole game, where the search has met no line that is too long.
fn with_too_little<G, const IS_STEPPED: bool>(game: &Bounded<G>, seed: u64, options: &Options) -> (u64, u64)
where
    G: Game<Position = GraphPosition, Move = u32, Outcome = u32> + Clone + 'static,
{
    let (mut errors, mut values) = (0, 0);
    let full = game.graph.full_depth(&game.root).expect("no cycles");
    let value = Oracle::new(&game.graph, &Constant::default()).value(&game.root, full);
    for says in 0..full {
        let game = Bounded { says: Says::Always(says), ..game.clone() };
        let (root, game) = (at(game.root), ErasedGame::<IS_STEPPED>::of(game));
        match searcher(game, seed, options.clone()).request(&root).limits(Limits::to_the_end()).search() {
            Err(error) => {
                assert_eq!(error, SearchError::NotTheEnd);
                errors += 1;
            }
            Ok(result) => {
                assert_eq!(i64::from(result.bounds.lower), value, "seed {seed}, {says} of {full}");
                values += 1;
            }
        }
    }
    (errors, values)
}

#[test]
fn a_full_depth_that_is_too_small_is_an_error_or_does_not_matter() {
    let (mut errors, mut values) = (0, 0);
    for seed in 0..60 {
        let game = graph(seed, Says::TheTruth);
        let blind = Options { algorithm: Algorithm::Expectimax, ..Options::default() };
        for options in [Options::default(), blind] {
            let found = with_too_little::<_, false>(&game, seed, &options);
            (errors, values) = (errors + found.0, values + found.1);
        }
    }
    assert_happened(&[("errors", errors, 100), ("values", values, 10)]);
}

#[test]
fn plies_that_lead_past_the_end_of_the_count_are_an_error() {
    let mut errors = 0;
    for seed in 0..40 {
        let Bounded { graph, root, says } = graph(seed, Says::TheTruth);
        let plies = EdgePlies { none_percent: 0, more_percent: 100, most: 3 };
        let plied = PliedGraph::new(graph, plies).expect("within their limits");
        let game = Bounded { graph: plied, root, says };
        errors += with_too_little::<_, true>(&game, seed, &Options::default()).0;
    }
    assert_happened(&[("errors", errors, 100)]);
}

fn in_a_large_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| {
        let searching = thread::Builder::new().stack_size(512 << 20).spawn_scoped(scope, run);
        searching.expect("a thread").join().expect("no panic")
    })
}

/// The players take one or two in turn, and chance takes none or one after each. Who takes the last wins,
/// and nobody where chance takes it.
#[derive(Clone, Debug)]
struct Takeaway {
    start: u16,
}

/// What is left, who took last, and whether chance is next.
type Heap = (u16, Player, bool);

impl Game for Takeaway {
    type Position = Heap;
    type Move = u32;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        7
    }

    fn kind(&self, &(left, _, is_chance): &Heap) -> NodeKind {
        match (left, is_chance) {
            (0, _) => NodeKind::Terminal,
            (_, true) => NodeKind::Chance,
            (_, false) => NodeKind::Decision,
        }
    }

    fn player(&self, &(_, last, is_chance): &Heap) -> Player {
        if is_chance { last } else { last.opponent() }
    }

    fn terminal_score(&self, &(_, _, is_last_ones): &Heap) -> Score {
        if is_last_ones { self.facts().grid.limit() } else { 0 }
    }

    fn hash(&self, &(left, last, is_chance): &Heap) -> PositionHash {
        PositionHash::from(u64::from(left) * 4 + last as u64 * 2 + u64::from(is_chance))
    }

    fn moves(&self, &(left, ..): &Heap, push: impl FnMut(u32)) {
        (1..=u32::from(left.min(2))).for_each(push);
    }

    fn play(&self, &(left, last, _): &Heap, mv: u32) -> Heap {
        (left - mv as u16, last.opponent(), true)
    }

    fn outcomes(&self, _: &Heap, mut push: impl FnMut(u32, u32)) {
        push(0, 2);
        push(1, 1);
    }

    fn resolve(&self, &(left, last, _): &Heap, outcome: u32) -> Heap {
        (left - outcome as u16, last, false)
    }

    fn full_depth(&self, &(left, _, is_chance): &Heap) -> Option<u32> {
        (left <= self.start).then_some(2 * u32::from(left) - u32::from(!is_chance && left > 0))
    }
}

/// The value of the greatest heap for who is to move, from the smallest on, rounded as a search does.
fn values_of_heaps(most: u16) -> i64 {
    let limit = i64::from(Takeaway { start: most }.facts().grid.limit());
    // To move, and after who took.
    let (mut moves, mut rolls) = (vec![0], vec![limit]);
    for left in 1..=usize::from(most) {
        // Who took sees the other's value turned round; nobody wins where chance takes the last.
        moves.push(rolls[left - 1].max(if left > 1 { rolls[left - 2] } else { i64::MIN }));
        let next = if left == 1 { 0 } else { -moves[left - 1] };
        rolls.push(nearest(i128::from(-2 * moves[left] + next), 3));
    }
    moves[usize::from(most)]
}

/// Where the same heaps come up after lines of every length, a position has one entry: the nodes grow as the
/// heap does.
#[test]
fn a_game_of_thousands_of_plies_takes_a_few_nodes_a_position() {
    for (start, threads) in [(3, 1), (100, 1), (2_048, 1), (400, 2), (400, 3)] {
        let searcher = Searcher::new(
            Plain::of(Takeaway { start }),
            Constant::default(),
            LocklessTable::new(1).expect("a small table"),
        )
        .with_options(Options { threads, splits: Splits::default(), ..Options::default() });
        let root: Heap = (start, Player::Min, false);
        let result = in_a_large_stack(|| searcher.request(&at(root)).limits(Limits::to_the_end()).search());
        let result = result.expect("a sound game");
        assert_eq!(i64::from(result.bounds.lower), values_of_heaps(start), "{start} on {threads} threads");
        let nodes = result.stats.nodes.total();
        assert!(nodes < 60 * u64::from(start) * threads as u64, "{nodes} nodes from {start}");
    }
}
