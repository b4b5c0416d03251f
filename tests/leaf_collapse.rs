//! Chance nodes that are one evaluation, and the table that may keep it.

use crate::common::campaign::{self, assert_met};
use crate::common::erased::Blind;
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth_of, endless_graph, graph_of, rewards, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::partly_blind::PartlyBlind;
use crate::common::promising::Promising;
use crate::common::techniques::techniques;
use crate::common::verdict::{Graph, agrees, assert_happened};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::Searcher;
use starsplit::game::{Game, NodeKind};
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options, SearchResult, Splits, Stats, TableUse};
use starsplit::table::LocklessTable;
use starsplit_testkit::{
    EdgePlies, Fault, GraphPosition, GraphShape, OutcomeBlind, Plays, PliedGraph, RandomGraph, RewardedGraph,
    Rewards, check_evaluator,
};
use std::cell::RefCell;
use std::time::Duration;

fn table() -> LocklessTable {
    LocklessTable::with_buckets(1 << 14).expect("a small table")
}

/// Searches a random graph of many transpositions whose evaluator does not look at outcomes.
fn search(seed: u64, options: &Options, table: &LocklessTable) -> SearchResult<u32, u32> {
    let graph =
        RandomGraph::new(&GraphShape { positions: 400, ..GraphShape::default() }, seed).expect("a graph");
    let (root, blind) = (graph.start(), OutcomeBlind::new(&graph, seed, 1_000));
    let searcher = Searcher::new(graph, Blind::of(blind), table).with_options(options.clone());
    searcher.request(&root).limits(Limits::depth(7)).search().expect("a search")
}

#[test]
fn evaluations_are_kept_where_nodes_so_shallow_use_the_table() {
    let (mut evaluations, mut kept) = (0, 0);
    for seed in 0..20 {
        let above = Options { table_depth: Some(2), ..Options::default() };
        let all = Options { table_depth: Some(1), ..above.clone() };
        let (usual, found) = (search(seed, &above, &table()), search(seed, &all, &table()));
        assert_eq!(found.bounds, usual.bounds, "seed {seed}");
        evaluations += usual.stats.nodes.evaluations;
        kept += found.stats.nodes.evaluations;
    }
    // Seen: 9,752 of 17,053.
    assert!(evaluations > 10_000 && kept < evaluations * 3 / 4, "{kept} of {evaluations} evaluations");
}

/// What a search of the outcomes has left in the table serves one that does without them, and the other way
/// round.
#[test]
fn searches_with_and_without_collapse_share_a_table() {
    let (mut alone, mut after_another) = (0, 0);
    for seed in 0..20 {
        for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.prunes()) {
            let collapsing = Options { algorithm, table_depth: Some(1), ..Options::default() };
            let looking = Options { leaf_collapse: false, ..collapsing.clone() };
            let expected = search(seed, &collapsing, &table());
            for ways in [[&collapsing, &looking], [&looking, &collapsing]] {
                let table = table();
                let found = ways.map(|options| search(seed, options, &table));
                for found in &found {
                    assert_eq!(found.bounds, expected.bounds, "seed {seed}, {algorithm}");
                    assert_eq!(found.stats.table.contradictions, 0, "seed {seed}, {algorithm}");
                }
                alone += expected.stats.nodes.evaluations;
                after_another += found[1].stats.nodes.evaluations;
            }
        }
    }
    assert!(after_another < alone / 2, "{after_another} evaluations, without what another left {alone}");
}

/// The same nodes and the same value; what differs is whether the outcomes are asked for.
#[test]
fn a_promise_that_no_outcome_ends_the_game_is_a_games_own_and_spares_the_outcomes() {
    let mut asked = [0; 2];
    for seed in 0..20 {
        let shape = GraphShape { positions: 200, terminal_percent: 0, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a graph");
        let (root, evaluator) = (graph.start(), PartlyBlind::new(&graph, seed, 1_000, 50));
        let found = [false, true].map(|promises| {
            let game = Promising::new(graph.clone(), promises);
            let table = table();
            // Without a promise nodes so shallow would use the table, where that pays.
            let options = Options { table_depth: Some(2), ..Options::default() };
            let searcher = Searcher::new(game.clone(), &evaluator, &table).with_options(options);
            let result = searcher.request(&root).limits(Limits::depth(6)).search().expect("a search");
            asked[usize::from(promises)] += game.asked();
            (result.bounds, result.stats)
        });
        assert_eq!(found[0], found[1], "seed {seed}");
    }
    let [without, with] = asked;
    assert!(with > 1_000 && with < without * 9 / 10, "asked {with} and {without} times");
}

/// A game that promises nothing is asked for outcomes above the leaves. Where positions recur the table
/// spares that, without a word from the options.
#[test]
fn outcomes_that_are_looked_at_are_not_looked_at_each_time() {
    let graph = endless_graph();
    let evaluator = PartlyBlind::new(&graph, 1, 1_000, 0);
    let asked = [Some(2), None].map(|table_depth| {
        let game = Promising::new(graph.clone(), false);
        let options = Options { table_depth, ..Options::default() };
        let table = table();
        let searcher = Searcher::new(game.clone(), &evaluator, &table).with_options(options);
        let result =
            searcher.request(&root_of(&graph, 0)).limits(Limits::depth(9)).search().expect("a search");
        (result.bounds, game.asked())
    });
    assert_eq!(asked[0].0, asked[1].0);
    assert!(asked[1].1 * 5 < asked[0].1 * 4, "{asked:?}");
}

/// A chance node at depth 1 is one evaluation where its outcomes are ignored and none ends the game; where
/// one ends it the others still share an evaluation, and where outcomes count each leaf has its own.
#[test]
fn a_node_is_one_evaluation_where_its_own_outcomes_are_ignored() {
    let mut nodes = [0u64; 3];
    for seed in 0..40 {
        let shape = GraphShape { terminal_percent: 15, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a graph");
        let evaluator = PartlyBlind::new(&graph, seed, 1_000, 50);
        for position in graph.positions().filter(|position| graph.kind(position) == NodeKind::Chance) {
            let (mut leaves, mut ends) = (0, 0);
            graph.outcomes(&position, |outcome, _| {
                leaves += 1;
                ends += u64::from(graph.kind(&graph.resolve(&position, outcome)) == NodeKind::Terminal);
            });
            let is_ignored = evaluator.ignores_outcomes_of(&position);
            for leaf_collapse in [true, false] {
                let form = (Algorithm::Expectimax, TableUse::None);
                let options =
                    Options { algorithm: form.0, table_use: form.1, leaf_collapse, ..Options::default() };
                let table = table();
                let searcher = Searcher::new(graph.clone(), &evaluator, &table).with_options(options);
                let found = searcher.request(&position).limits(Limits::depth(1)).search().expect("a search");
                let collapses = leaf_collapse && is_ignored && ends == 0;
                let evaluations = if is_ignored { (leaves - ends).min(1) } else { leaves - ends };
                let counts = found.stats.nodes;
                assert_eq!(counts.collapsed, u64::from(collapses), "seed {seed}, {position:?}");
                assert_eq!(counts.evaluations, evaluations, "seed {seed}, {position:?}");
                assert_eq!(counts.leaf, if collapses { 0 } else { leaves }, "seed {seed}, {position:?}");
                nodes[if collapses { 0 } else { 1 + usize::from(is_ignored) }] += 1;
            }
        }
    }
    let [collapsed, apart, shared] = nodes;
    assert_happened(&[("collapsed", collapsed, 100), ("apart", apart, 100), ("shared", shared, 100)]);
}

/// A game on a random graph, with an evaluator that ignores the outcomes of some chance nodes, and searches.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    kind: GameKind,
    blind_percent: u64,
    /// Whether evaluations are three scores or as fine as the grid.
    is_coarse: bool,
    searches: Vec<Options>,
}

#[derive(Clone, Debug)]
enum GameKind {
    /// With the promise that no outcome ends it, where that is so.
    Plain,
    Rewarded(Rewards),
    Plied,
}

/// A search in this form, with whatever else can be chosen.
fn search_in((algorithm, table_use): (Algorithm, TableUse)) -> impl Strategy<Value = Options> {
    let orderings = prop::sample::select(MoveOrdering::ALL.to_vec());
    let threads = prop::sample::select(vec![1usize, 1, 2, 8]);
    (orderings, threads, prop::option::of(0u8..=3), techniques()).prop_map(
        move |(ordering, threads, table_depth, techniques)| Options {
            algorithm,
            table_use,
            ordering,
            threads,
            table_depth,
            splits: Splits {
                depth: Some(1),
                size: Some(0),
                helpers_after: Duration::ZERO,
                ..techniques.splits
            },
            ..techniques
        },
    )
}

fn cases() -> impl Strategy<Value = Case> {
    let searches: Vec<_> = forms().into_iter().map(|form| search_in(form).boxed()).collect();
    // Every second graph without an end, of which it can be promised.
    let shapes = (shapes(), any::<bool>()).prop_map(|(shape, ends)| GraphShape {
        terminal_percent: if ends { shape.terminal_percent } else { 0 },
        ..shape
    });
    let games = shapes.prop_flat_map(|shape| {
        let rewarded = rewards(shape.limit).prop_map(GameKind::Rewarded);
        (Just(shape), prop_oneof![3 => Just(GameKind::Plain), 1 => rewarded, 1 => Just(GameKind::Plied)])
    });
    (games, any::<u64>(), any::<u32>(), 10u64..=100, any::<bool>(), searches).prop_map(
        |((shape, kind), seed, root, blind_percent, is_coarse, searches)| Case {
            shape,
            seed,
            root,
            kind,
            blind_percent,
            is_coarse,
            searches,
        },
    )
}

/// Whether no outcome of any position ends the game.
fn never_ends(graph: &RandomGraph) -> bool {
    let mut ends = false;
    for position in graph.positions().filter(|position| graph.kind(position) == NodeKind::Chance) {
        graph.outcomes(&position, |outcome, _| {
            ends |= graph.kind(&graph.resolve(&position, outcome)) == NodeKind::Terminal;
        });
    }
    !ends
}

fn try_case(case: &Case) -> Result<Stats, TestCaseError> {
    let graph = graph_of(&case.shape, case.seed);
    let limit = if case.is_coarse { 1 } else { case.shape.limit };
    let evaluator = PartlyBlind::new(&graph, case.seed, limit, case.blind_percent);
    let root = root_of(&graph, case.root);
    match case.kind {
        GameKind::Plain => {
            let promises = never_ends(&graph);
            // Half of them with dear successors.
            let game = Promising::new(graph, promises).with_successor_ns(3_000 * (case.seed % 2) as u32);
            try_searches(&game, &evaluator, root, case)
        }
        GameKind::Rewarded(rewards) => {
            let game = RewardedGraph::new(graph, rewards).expect("the rewards are within their limits");
            try_searches(&game, &evaluator, root, case)
        }
        GameKind::Plied => {
            let plies = EdgePlies { none_percent: 20, more_percent: 30, most: 3 };
            let game = PliedGraph::new(graph, plies).expect("the plies are within their limits");
            try_searches(&game, &evaluator, root, case)
        }
    }
}

fn try_searches<G: Graph + Clone>(
    game: &G,
    evaluator: &PartlyBlind,
    root: GraphPosition,
    case: &Case,
) -> Result<Stats, TestCaseError> {
    let depth = affordable_depth_of(game, root, 7, 4_000);
    let (warm, mut oracle) = (table(), Oracle::new(game, evaluator));
    let mut sum = Stats::default();
    for options in &case.searches {
        let searcher = Searcher::new(game.clone(), evaluator, &warm).with_options(options.clone());
        let found = searcher.request(&root).limits(Limits::depth(depth)).search();
        let verdict = found
            .map_err(|error| error.to_string())
            .and_then(|found| agrees(game, &mut oracle, &root, depth, &found).map(|()| found.stats));
        sum += verdict
            .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {options:?} at depth {depth}")))?;
    }
    Ok(sum)
}

#[test]
fn every_search_with_an_evaluator_that_ignores_some_outcomes_gives_the_oracles_value() {
    let sum = RefCell::new(Stats::default());
    let try_case = |case| try_case(&case).map(|stats| *sum.borrow_mut() += stats);
    campaign::run(campaign::graphs(1_000), 7, &cases(), try_case);
    let Stats { nodes, table, split, .. } = sum.into_inner();
    assert_eq!(table.contradictions, 0);
    assert_met(&[
        ("nodes", nodes.total(), 100_000),
        ("chance nodes collapsed", nodes.collapsed, 10_000),
        ("chance nodes that did not", nodes.chance - nodes.collapsed, 10_000),
        ("splits", split.probing_splits + split.star1_splits, 1_000),
    ]);
}

#[test]
fn the_test_kit_finds_a_false_promise_to_ignore_the_outcomes_of_a_position() {
    let plays = Plays { games: 30, max_plies: 60, seed: 7 };
    for seed in 0..20 {
        // No end and no way without a choice, so that plays come to many chance nodes.
        let shape = GraphShape { terminal_percent: 0, successors: 2..=6, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a graph");
        let check = |evaluator| check_evaluator(&graph, &evaluator, &graph.start(), &plays);
        let evaluator = || PartlyBlind::new(&graph, seed, 1_000, 40);
        check(evaluator()).expect("a true promise");
        let violation = check(evaluator().promising_all()).expect_err("a false promise");
        assert!(matches!(violation.fault, Fault::OutcomeNotIgnored { .. }), "seed {seed}: {violation}");
        assert!(violation.path.last().is_some_and(|step| step.starts_with("outcome")), "{violation}");
    }
}
