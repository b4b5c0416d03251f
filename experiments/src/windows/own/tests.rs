//! The search against the library's, on random graphs with and without rewards, in every way.

use super::search::OwnSearch;
use crate::windows::prover::{Counts, Proof, Prover};
use crate::windows::root::iterate;
use crate::windows::way::{RootWay, Way};
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::evaluator::HashRandom;
use starsplit::game::Game;
use starsplit::score::Window;
use starsplit::search::StopFlag;
use starsplit::search::{Algorithm, Limits, Options};
use starsplit::table::NoTable;
use starsplit_testkit::{GraphShape, OutcomeBlind, RandomGraph, RewardedGraph, Rewards};

const DEPTHS: [u32; 5] = [1, 2, 3, 4, 5];

const INNER: [&str; 10] = [
    "own:full",
    "own:null-moves",
    "own:slack-null=low+slack-depth=2",
    "own:slack-null=high+slack-depth=2",
    "own:slack-narrow=low+slack-depth=2",
    "own:slack-narrow=high+slack-depth=2",
    "own:slack-null=expected+slack-depth=2",
    "own:last=0",
    "own:last=0.1+null-moves+slack-narrow=expected+slack-depth=2",
    "own:last=0.5+slack-null=low+slack-depth=2",
];

const ROOTS: [RootWay; 4] =
    [RootWay::Full, RootWay::Aspiration(0.05), RootWay::Gallop(100), RootWay::Bisection];

/// Searches in every way; how many successors were narrowed and searched again.
fn search_in_every_way<G: Game + Clone>(
    game: &G,
    root: &G::Position,
    evaluator: &impl Evaluator<G>,
) -> Counts {
    let searcher = Searcher::new(game.clone(), evaluator, NoTable).with_options(without_table());
    let value = |depth| {
        let proof =
            searcher.prove(root, depth, Window::full(game.facts().grid.limit()), &unlimited()).unwrap();
        assert!(proof.bounds.is_exact());
        proof.bounds.lower
    };
    let expected = DEPTHS.map(value);
    let (stop, mut all) = (StopFlag::new(), Counts::default());
    for words in INNER {
        let inner = Way::read(words).unwrap().inner.on(&game.facts().grid);
        for way in ROOTS {
            let mut search = OwnSearch::new((game, evaluator), root, inner, &stop);
            let found = iterate(&mut search, way, &DEPTHS, &game.facts().grid).unwrap().unwrap().unwrap();
            assert_eq!(found.scores, expected, "{words}, {way:?}");
            all = all.plus(found.counts);
        }
    }
    all
}

/// What the library searches by where there is no table: the plainest algorithm that prunes nothing.
fn without_table() -> Options {
    Options { algorithm: Algorithm::Expectimax, ..Options::default() }
}

fn unlimited() -> Limits {
    Limits::unbounded()
}

#[test]
fn every_way_finds_the_librarys_values_on_random_graphs() {
    let mut all = Counts::default();
    for seed in 0..40 {
        let limit = if seed % 2 == 0 { 50 } else { 100_000 };
        let shape = GraphShape { positions: 30, limit, one_player: seed % 5 == 0, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).unwrap();
        let evaluator = HashRandom::new(seed, limit);
        all = all.plus(search_in_every_way(&graph, &graph.start(), &evaluator));
        if seed % 4 == 0 {
            let blind = OutcomeBlind::new(&graph, seed, limit);
            all = all.plus(search_in_every_way(&graph, &graph.start(), &blind));
        }
    }
    assert!(all.narrowed > 1000 && all.re_searches > 100, "{all:?}");
}

#[test]
fn every_way_finds_the_librarys_values_where_there_are_rewards() {
    for seed in 0..30 {
        let shape = GraphShape { positions: 30, limit: 1000, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).unwrap();
        let most = [10, 400, 2000][seed as usize % 3];
        let rewards = Rewards { move_percent: 60, outcome_percent: 60, most };
        let game = RewardedGraph::new(graph, rewards).unwrap();
        let start = game.graph().start();
        search_in_every_way(&game, &start, &HashRandom::new(seed, 1000));
    }
}

#[test]
fn bounds_of_any_window_hold_the_value() {
    for seed in 0..30 {
        let shape = GraphShape { positions: 40, limit: 20, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).unwrap();
        let (evaluator, root) = (HashRandom::new(seed, 20), graph.start());
        let exact = Searcher::new(graph.clone(), &evaluator, NoTable).with_options(without_table());
        let value = exact.prove(&root, 4, Window::full(20), &unlimited()).unwrap().bounds.lower;
        let (stop, inner) = (StopFlag::new(), Way::read("own:slack-null=low+last=0").unwrap().inner);
        for alpha in -20..20 {
            let inner = inner.on(&graph.facts().grid);
            let mut search = OwnSearch::new((&graph, &evaluator), &root, inner, &stop);
            search.prove(2, Window::full(20)).unwrap();
            let window = Window::new(alpha, alpha + 1);
            let Proof { bounds, counts, .. } = search.prove(4, window).unwrap();
            assert!(window.is_settled_by(bounds) && bounds.lower <= value && value <= bounds.upper);
            assert_eq!(counts.contradictions, 0);
        }
    }
}
