//! What the best play leads to is what a plain recursion says, to the last bit the same by every algorithm
//! and on any number of threads, and in keeping with the value; and it is refused where it could not be.

use crate::common::carried::Carried;
use crate::common::erased::Seeing;
use crate::common::erased_game::{Position, Stepped, at};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, endless_graph, wide_graph};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use crate::common::verdict::assert_happened;
use starsplit::evaluator::{Evaluator, HashRandom, mix64};
use starsplit::game::{Game, NodeKind, Player, Step, Steps};
use starsplit::score::Score;
use starsplit::search::{Algorithm, Expectation, Limits, Options, RootRanking, SearchError, TableUse};
use starsplit::table::{LocklessTable, NoTable, Reuse, Table};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph, RewardedGraph, Rewards, Weights};
use starsplit_wrappers::forward;
use std::array::from_fn;

/// The evaluator of most of these searches.
type Seen = Seeing<'static, RandomGraph>;

/// The numbers of a leaf: its value for `Max` in steps of the grid, one of three parts, and whether the game
/// ended.
fn payload(graph: &RandomGraph, evaluator: &Seen, leaf: &GraphPosition, numbers: &mut [f64]) {
    let is_end = graph.kind(leaf) == NodeKind::Terminal;
    let value = if is_end {
        graph.terminal_score(leaf)
    } else {
        evaluator.evaluate(graph, leaf, &evaluator.state(graph, leaf, None))
    };
    numbers[0] = f64::from(if graph.player(leaf) == Player::Max { value } else { -value });
    numbers[1 + leaf.index as usize % 3] = 1.0;
    numbers[4] = f64::from(u8::from(is_end));
}

/// A graph of two players with rewards of moves and outcomes, of which some take two plies. No sum leaves the
/// grid.
#[derive(Clone, Debug)]
struct Paid(RandomGraph);

impl Paid {
    /// A number of a step's own.
    fn drawn(before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> u64 {
        let (Step::Move(ordinal) | Step::Outcome(ordinal)) = step;
        mix64(u64::from(before.index) << 40 | u64::from(after.index) << 16 | u64::from(ordinal))
    }
}

impl starsplit_wrappers::GameWrapper for Paid {
    type Inner = RandomGraph;
    type Position = GraphPosition;
    const STEPS: Steps = Steps::PLAIN.with_rewards(true).with_plies(true);

    fn inner(&self) -> &RandomGraph {
        &self.0
    }

    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        mix64(self.0.identity())
    }

    fn terminal_score(&self, position: &GraphPosition) -> Score {
        self.0.terminal_score(position) / 4
    }

    fn reward(&self, before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> Score {
        let most = self.0.facts().grid.limit() / 16;
        (Self::drawn(before, step, after) % (2 * most as u64 + 1)) as Score - most
    }

    fn plies(&self, before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> u8 {
        1 + (Self::drawn(before, step, after) >> 60 & 1) as u8
    }
}

forward! { impl Game for Paid }

#[test]
fn rewards_and_evaluations_of_best_play_add_up_to_the_value() {
    let mut paid = 0;
    for seed in 0..200 {
        let shape = GraphShape { positions: 60, limit: 1 << 21, ..GraphShape::default() };
        let game = Stepped::of(Paid(RandomGraph::new(&shape, seed).expect("a shape within its limits")));
        let evaluator = HashRandom::new(seed, 1 << 19);
        let table = LocklessTable::with_buckets(1 << 10).expect("a table");
        let searcher = Searcher::new(game.clone(), evaluator, table);
        let root = at(GraphPosition { index: (seed % 60) as u32 });
        let result = searcher.request(&root).limits(Limits::depth(6)).search().expect("a sound game");
        let write = |leaf: &Position, worth: &mut [f64]| {
            let is_end = game.kind(leaf) == NodeKind::Terminal;
            let score = if is_end { game.terminal_score(leaf) } else { evaluator.evaluate(&game, leaf, &()) };
            worth[0] = f64::from(if game.player(leaf) == Player::Max { score } else { -score });
        };
        let found = searcher.request(&root).limits(Limits::depth(6)).expectation(1, write);
        let found = found.expect("a sound game").expect("no limit");
        let rewards = found.rewards / game.facts().grid.difference(1);
        let value = f64::from(if game.player(&root) == Player::Max { 1 } else { -1 } * result.bounds.lower);
        assert!((found.payload[0] + rewards - value).abs() <= 3.5, "seed {seed}: {found:?} is worth {value}");
        paid += u64::from(rewards.abs() > 1_000.0);
    }
    assert_happened(&[("roots with rewards below", paid, 100)]);
}

/// How many numbers a payload has.
const SIZE: usize = 5;

/// The same means by a recursion that asks the oracle for each move's worth, with the greatest number of
/// chance nodes on a line. `ties` counts decision nodes with several best moves.
fn recursion(
    oracle: &mut Oracle<'_, RandomGraph, Seen>,
    evaluator: &Seen,
    position: &GraphPosition,
    depth: u32,
    ties: &mut u64,
) -> ([f64; SIZE], u32) {
    let graph = oracle.game;
    match graph.kind(position) {
        NodeKind::Decision if depth > 0 => {
            let mut moves = Vec::new();
            graph.moves(position, |mv| moves.push(mv));
            let best = oracle.value(position, depth);
            moves.retain(|&mv| oracle.worth_of_move(position, mv, depth) == best);
            *ties += u64::from(moves.len() > 1);
            recursion(oracle, evaluator, &graph.play(position, moves[0]), depth - 1, ties)
        }
        NodeKind::Chance if depth > 0 => {
            let mut outcomes = Vec::new();
            graph.outcomes(position, |outcome, weight| outcomes.push((outcome, f64::from(weight))));
            let total: f64 = outcomes.iter().map(|(_, weight)| weight).sum();
            let (mut means, mut layers) = ([0.0; SIZE], 0);
            for (outcome, weight) in outcomes {
                let after = graph.resolve(position, outcome);
                let (below, deeper) = recursion(oracle, evaluator, &after, depth - 1, ties);
                means.iter_mut().zip(below).for_each(|(mean, one)| *mean += weight / total * one);
                layers = layers.max(deeper + 1);
            }
            (means, layers)
        }
        _ => {
            let mut numbers = [0.0; SIZE];
            payload(graph, evaluator, position, &mut numbers);
            (numbers, 0)
        }
    }
}

/// Searches, and asks what the best play leads to: with the value in steps of the grid, for `Max`.
fn asked<T: Table>(
    searcher: &Searcher<RandomGraph, Seen, T>,
    root: &GraphPosition,
    depth: u32,
) -> (Expectation, f64) {
    let result = searcher.request(root).limits(Limits::depth(depth)).search().expect("a sound game");
    let (graph, evaluator) = (searcher.game(), searcher.evaluator());
    let asked = searcher
        .request(root)
        .limits(Limits::depth(result.depth))
        .expectation(SIZE, |leaf, numbers| payload(graph, evaluator, leaf, numbers));
    let value = f64::from(if graph.player(root) == Player::Max { 1 } else { -1 } * result.bounds.lower);
    (asked.expect("a sound game").expect("nothing stops it"), value)
}

#[test]
fn means_are_those_of_a_recursion_to_the_last_bit_the_same_in_every_form() {
    let (pool, table) =
        (Pool::new(2).expect("two threads"), LocklessTable::with_buckets(8).expect("a table"));
    let (mut ties, mut asks, mut recurring) = (0, 0, 0);
    for seed in 0..120 {
        let weights = if seed % 2 == 0 { Weights::Mixed } else { Weights::Ties };
        let limit = if seed % 3 == 0 { 1 << 21 } else { 4 };
        let shape = GraphShape { positions: 60, weights, limit, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a shape within its limits");
        let evaluator = Seeing::of(Carried::new(seed, if seed % 4 < 2 { 1 } else { limit }, false));
        let root = graph.start();
        let depth = affordable_depth(&graph, root, 7, 1_000);
        let mut oracle = Oracle::new(&graph, &evaluator);
        let (means, layers) = recursion(&mut oracle, &evaluator, &root, depth, &mut ties);
        let mut first: Option<Vec<u64>> = None;
        for (algorithm, table_use) in forms() {
            for threads in [1, 2] {
                let options =
                    Options { algorithm, table_use, threads, splits: eager(Some(2)), ..Options::default() };
                table.clear(1);
                let (found, value) = if table_use == TableUse::None {
                    let searcher =
                        Searcher::new(graph.clone(), evaluator.clone(), NoTable).with_options(options);
                    asked(&searcher.with_pool(pool.clone()), &root, depth)
                } else {
                    let searcher =
                        Searcher::new(graph.clone(), evaluator.clone(), &table).with_options(options);
                    asked(&searcher.with_pool(pool.clone()), &root, depth)
                };
                let bits: Vec<_> = found.payload.iter().map(|mean| mean.to_bits()).collect();
                assert_eq!(&bits, first.get_or_insert(bits.clone()), "seed {seed}, {algorithm}, {threads}");
                for (mean, expected) in found.payload.iter().zip(means) {
                    assert!(
                        (mean - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                        "{found:?}: {means:?}"
                    );
                }
                let steps = (f64::from(layers) + 1.0) / 2.0;
                assert!((found.payload[0] - value).abs() <= steps, "seed {seed}: {found:?} is worth {value}");
                assert!((found.payload[1..4].iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
                assert_eq!(found.rewards, 0.0);
                asks += 1;
                recurring += u64::from(found.positions > 20);
            }
        }
    }
    assert_happened(&[
        ("asks", asks, 900),
        ("several best moves", ties, 300),
        ("large trees", recurring, 300),
    ]);
}

#[test]
fn with_a_warm_table_it_takes_few_nodes() {
    let graph = wide_graph();
    let root = graph.start();
    let table = LocklessTable::new(8).expect("a table");
    let searcher = Searcher::new(graph, Seeing::of(Carried::new(1, 1 << 20, false)), &table);
    let result = searcher.request(&root).limits(Limits::depth(9)).search().expect("a sound game");
    let found = searcher
        .request(&root)
        .limits(Limits::depth(9))
        .expectation(0, |_, _| {})
        .expect("a sound game")
        .expect("no limit");
    let (part, whole) = (found.stats.nodes.total(), result.stats.nodes.total());
    assert!(part > 0 && 4 * part < whole, "{part} of {whole} nodes, {} positions", found.positions);
}

#[test]
fn one_ranked_move_is_the_same_on_any_number_of_threads() {
    let pool = Pool::new(2).expect("two threads");
    let (mut several, mut searches) = (0, 0);
    for seed in 0..400 {
        let shape = GraphShape { positions: 300, limit: 4, chance_percent: 30, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a shape within its limits");
        let evaluator = Seeing::of(Carried::new(seed, 1, false));
        let Some(root) = graph.positions().find(|root| graph.kind(root) == NodeKind::Decision) else {
            continue;
        };
        let depth = affordable_depth(&graph, root, 6, 3_000);
        let mut oracle = Oracle::new(&graph, &evaluator);
        let (best, mut moves) = (oracle.value(&root, depth), Vec::new());
        graph.moves(&root, |mv| moves.push(mv));
        moves.retain(|&mv| oracle.worth_of_move(&root, mv, depth) == best);
        several += u64::from(moves.len() > 1);
        for threads in [1, 2] {
            let options = Options {
                threads,
                root_ranking: RootRanking::Best(1),
                splits: eager(Some(2)),
                ..Options::default()
            };
            let table = LocklessTable::with_buckets(64).expect("a table");
            let searcher = Searcher::new(graph.clone(), evaluator.clone(), &table).with_options(options);
            let searcher = searcher.with_pool(pool.clone());
            let result = searcher.request(&root).limits(Limits::depth(depth)).search().expect("a sound game");
            assert_eq!(result.best_move, Some(moves[0]), "seed {seed}, {threads} threads");
            searches += 1;
        }
    }
    assert_happened(&[("searches", searches, 300), ("several best moves", several, 60)]);
}

type SoundSearcher<'t, G> = Searcher<G, Seeing<'static, G>, &'t LocklessTable>;

/// A searcher with this table.
fn sound_searcher<G: Game + 'static>(game: G, table: &LocklessTable) -> SoundSearcher<'_, G> {
    Searcher::new(game, Seeing::of(Carried::new(1, 1000, false)), table)
}

/// Why there is no expectation.
fn refusal<G: Game + 'static>(searcher: &SoundSearcher<'_, G>, root: &G::Position) -> String {
    let refused = searcher.request(root).limits(Limits::depth(5)).expectation(0, |_, _| {});
    refused.expect_err("a doubtful value").to_string()
}

#[test]
fn it_is_refused_or_none_where_it_would_be_doubtful() {
    let graph = wide_graph();
    let root = graph.start();
    let rewarded =
        RewardedGraph::new(graph.clone(), Rewards { move_percent: 50, outcome_percent: 0, most: 9 });
    let tables: [LocklessTable; 4] = from_fn(|_| LocklessTable::new(1).expect("a table"));
    let free = sound_searcher(graph.clone(), &tables[0])
        .with_options(Options { reuse: Reuse::AtLeast, ..Options::default() });
    assert_eq!(refusal(&free, &root), "reuse at-least: expected exact for an expectation");
    let clamped = sound_searcher(rewarded.expect("rewards within limits"), &tables[1]);
    let expected = "game that saturates: expected values on the grid for an expectation";
    assert_eq!(refusal(&clamped, &root), expected);

    let sound = sound_searcher(graph, &tables[2]);
    let to = Limits::depth;
    sound.stop_handle().stop();
    assert_eq!(sound.request(&root).limits(to(5)).expectation(0, |_, _| {}), Ok(None));
    sound.stop_handle().clear();
    assert_eq!(sound.request(&root).limits(to(5).with_nodes(2)).expectation(0, |_, _| {}), Ok(None));
    let refused = sound.request(&root).limits(to(0)).expectation(0, |_, _| {});
    assert!(matches!(refused, Err(SearchError::Depth { .. })), "{refused:?}");
    let panics = sound.request(&root).limits(to(5)).expectation(0, |_, _| panic!("no such leaf"));
    assert!(matches!(panics, Err(SearchError::Panicked { .. })), "{panics:?}");
    // Of a tree without a decision as well.
    let shape =
        GraphShape { positions: 400, chance_percent: 100, terminal_percent: 0, ..GraphShape::default() };
    let chances = RandomGraph::new(&shape, 1).expect("a shape within its limits");
    let only = sound_searcher(chances, &tables[3]);
    assert_eq!(
        only.request(&GraphPosition { index: 0 }).limits(to(6).with_nodes(50)).expectation(0, |_, _| {}),
        Ok(None)
    );
    only.stop_handle().stop();
    assert_eq!(only.request(&GraphPosition { index: 0 }).limits(to(6)).expectation(0, |_, _| {}), Ok(None));
    let refused = sound.request(&root).limits(to(5)).expectation(usize::MAX / 16, |_, _| {});
    assert!(matches!(refused, Err(SearchError::Refused { .. })), "{refused:?}");
    // Without a table, too.
    let options = Options { table_use: TableUse::None, algorithm: Algorithm::Star2, ..Options::default() };
    let evaluator = Seeing::of(Carried::new(1, 1000, false));
    let endless = Searcher::new(endless_graph(), evaluator, NoTable).with_options(options);
    let found =
        endless.request(&GraphPosition { index: 0 }).limits(to(6)).expectation(1, |_, one| one[0] = 1.0);
    let found = found.expect("a sound game").expect("no limit");
    assert!((found.payload[0] - 1.0).abs() < 1e-9 && found.positions > 60, "{found:?}");
}
