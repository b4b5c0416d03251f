//! Internal iterative deepening: it happens where the table has no move, and changes the order of moves only.

use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::search::{Algorithm, Limits, Options, SearchResult, TableUse};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphShape, RandomGraph};

fn search(options: Options, seed: u64, depth: u32) -> SearchResult<u32, u32> {
    let shape =
        GraphShape { positions: 300, terminal_percent: 2, successors: 2..=5, ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
    let root = graph.start();
    let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
    let searcher = Searcher::new(graph, HashRandom::new(1, 1000), table).with_options(options);
    searcher.search_within(&root, &Limits::depth(depth)).expect("a search")
}

#[test]
fn nodes_without_a_table_move_are_searched_less_deep_first() {
    for algorithm in [Algorithm::Star1, Algorithm::Star2, Algorithm::Star2Tt] {
        let usual = Options { algorithm, table_depth: Some(1), ..Options::default() };
        let deepening = Options { internal_deepening_depth: 3, ..usual.clone() };
        let mut searches = 0;
        for seed in 0..10 {
            let (usual, found) = (search(usual.clone(), seed, 8), search(deepening.clone(), seed, 8));
            assert_eq!(
                (found.bounds, usual.stats.nodes.internal_iterations),
                (usual.bounds, 0),
                "seed {seed}"
            );
            searches += found.stats.nodes.internal_iterations;
        }
        assert!(searches > 0, "{algorithm}: {searches}");
    }
}

/// Without a table no node has a move, and each is searched less deep first, at most once for each two plies.
#[test]
fn without_a_table_every_deep_node_is_searched_less_deep_first() {
    let algorithm = Algorithm::Star2;
    let without = Options { algorithm, table_use: TableUse::None, deepening: false, ..Options::default() };
    for seed in 0..10 {
        let usual = search(without.clone(), seed, 5);
        let found = search(Options { internal_deepening_depth: 3, ..without.clone() }, seed, 5);
        assert_eq!(found.bounds, usual.bounds, "seed {seed}");
        let nodes = found.stats.nodes;
        assert!(nodes.internal_iterations <= nodes.decision / 2, "seed {seed}: {nodes:?}");
    }
    let least = Options { internal_deepening_depth: 0, ..without };
    assert!(search(least, 1, 5).stats.nodes.internal_iterations > 0, "the least depth that can be is 3");
}
