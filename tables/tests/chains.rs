//! Chains in searches: the pieces left reach the table, and nothing that they say changes a value.

use crate::common::graphs::{affordable_depth, root_of};
use starsplit::evaluator::{HashRandom, mix64};
use starsplit::game::Game;
use starsplit::score::Window;
use starsplit::search::{Algorithm, Limits, Options, Splits};
use starsplit::table::NoTable;
use starsplit::{Pool, Searcher};
use starsplit_tables::{AnyTable, ChainOptions, Counting, Left};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use starsplit_wrappers::OfInner;
use std::sync::Arc;
use std::time::Duration;

/// Pieces that anything may happen to: of a random graph they grow, too, along a line.
fn left(position: &GraphPosition) -> Left {
    [1 + (position.index % 5) as u8, 1 + (position.index / 5 % 7) as u8]
}

fn graph(seed: u64) -> RandomGraph {
    let positions = [12, 60, 400][seed as usize % 3];
    RandomGraph::new(&GraphShape { positions, ..GraphShape::default() }, seed)
        .expect("a shape within its limits")
}

fn options(threads: usize) -> Options {
    let paper = Options::paper(Algorithm::Star2Tt);
    let splits = Splits { depth: Some(2), size: Some(0), helpers_after: Duration::ZERO, ..paper.splits };
    Options { threads, table_depth: Some(1), splits, ..paper }
}

fn of(table: &AnyTable, name: &str) -> u64 {
    let mut counts = table.as_chains().expect("a table of chains").counts();
    counts.find(|(of, _)| *of == name).expect("a count of that name").1
}

#[test]
fn pieces_left_change_no_value() {
    let pools = [1, 2, 8].map(|threads| Pool::new(threads).expect("threads"));
    let (mut counted, mut uncounted, mut deleted) = (0, 0, 0);
    for seed in 0..120 {
        let (graph, evaluator) = (graph(seed), HashRandom::new(seed, GraphShape::default().limit));
        let root = root_of(&graph, mix64(seed) as u32);
        let depth = affordable_depth(&graph, root, 7, 20_000);
        let limits = Limits::depth(depth);
        let plain = Searcher::new(graph.clone(), evaluator, NoTable).with_options(options(1));
        let expected = plain.request(&root).limits(limits.clone()).search().expect("a search").bounds;
        assert!(expected.is_exact());
        for (number, by_counts) in [(0, false), (1, true)] {
            let choice = seed as usize + number;
            let (threads, count) = ([1, 2, 8][choice % 3], [1, 40, 1 << 12][choice / 3 % 3]);
            let greatest = [3, 13, 64][choice / 9 % 3];
            let chains = ChainOptions { by_counts, greatest, ..ChainOptions::default() };
            let new = || AnyTable::of_chains(count, chains).expect("a small table");
            let (told, untold) = (new(), new());
            let pieces = told.pieces_left().expect("a table of chains asks for them");
            let game = Counting::new(graph.clone(), left, Arc::clone(pieces));
            let search = |depth| {
                let counting = Searcher::new(game.clone(), OfInner(evaluator), &told);
                let counting = counting.with_options(options(threads)).with_pool(pools[choice % 3].clone());
                let found = counting.request(&root).limits(Limits::depth(depth)).search().expect("a search");
                assert_eq!(found.stats.table.contradictions, 0, "graph {seed}");
                found
            };
            // A warm table forgets what it thinks unreachable.
            search(depth - 1);
            let found = search(depth);
            assert_eq!(
                found.bounds, expected,
                "graph {seed}, {threads} threads, {count} entries, {by_counts}"
            );
            let plain = Searcher::new(graph.clone(), evaluator, &untold).with_options(options(1));
            assert_eq!(
                plain.request(&root).limits(limits.clone()).search().expect("a search").bounds,
                expected,
                "graph {seed}"
            );
            counted += of(&told, "collisions");
            deleted += of(&told, "deleted");
            assert_eq!(of(&untold, "deleted"), 0, "nobody tells the pieces left");
            uncounted += of(&untold, "collisions");
        }
    }
    assert!(counted > 10_000 && uncounted > 10_000 && deleted > 1_000, "{counted} {uncounted} {deleted}");
}

/// One piece or two of each player.
fn few(position: &GraphPosition) -> Left {
    [1 + (position.index & 1) as u8, 1 + (position.index >> 1 & 1) as u8]
}

/// With room for everything, rows that counts choose keep what rows of the hash alone keep: so every look-up
/// had the counts of its position, and every store those of its look-up.
#[test]
fn every_look_up_and_store_has_the_counts_of_its_position() {
    let (mut hits, mut found) = (0, 0);
    for seed in 0..200 {
        let (graph, evaluator) = (graph(seed), HashRandom::new(seed, GraphShape::default().limit));
        let root = root_of(&graph, seed as u32);
        // Below a root with the most nothing is unreachable.
        if few(&root) != [2, 2] {
            continue;
        }
        let depth = affordable_depth(&graph, root, 6, 5_000);
        let [by_hash, by_counts] = [false, true].map(|by_counts| {
            let rows = Some(1 << 10);
            let chains = ChainOptions { rows, threshold: 64, greatest: 64, by_counts };
            let table = AnyTable::of_chains(1 << 17, chains).expect("a small table");
            let pieces = table.pieces_left().expect("a table of chains asks for them");
            let game = Counting::new(graph.clone(), few, Arc::clone(pieces));
            let searcher = Searcher::new(game, OfInner(evaluator), &table).with_options(options(1));
            let limits = Limits::depth(depth);
            let proof = searcher.request(&root).limits(limits).prove(Window::full(1 << 23)).expect("a proof");
            assert_eq!(of(&table, "lost"), 0, "there is room");
            (proof.bounds, proof.stats.nodes, proof.stats.table, of(&table, "look_ups"), of(&table, "found"))
        });
        assert_eq!(by_hash, by_counts, "graph {seed}");
        hits += by_counts.2.hits;
        found += by_counts.4;
    }
    assert!(hits > 1_000 && found >= hits, "{hits} {found}");
}

/// What is counted is the inner game in all else.
#[test]
fn a_counting_game_is_searched_as_the_game_within() {
    let graph = graph(2);
    let table = AnyTable::of_chains(64, ChainOptions::default()).expect("a small table");
    let pieces = table.pieces_left().expect("a table of chains asks for them");
    let game = Counting::new(graph.clone(), left, Arc::clone(pieces));
    for position in graph.positions().take(50) {
        assert_eq!(game.hash(&position), graph.hash(&position));
        assert_eq!(game.hash_to_depth(&position, 3), graph.hash_to_depth(&position, 3));
        assert_eq!(
            (game.kind(&position), game.player(&position)),
            (graph.kind(&position), graph.player(&position))
        );
    }
    assert_eq!((game.identity(), game.facts()), (graph.identity(), graph.facts()));
}
