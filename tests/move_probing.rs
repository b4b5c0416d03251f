//! Enhanced transposition cutoffs: what is counted, and what is not done where no successor can be in the
//! table.

use crate::common::faulty::{Fault, Faulty};
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::search::{Algorithm, Limits, Options, SearchResult, TableUse};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphShape, RandomGraph};
use std::sync::atomic::Ordering::Relaxed;

/// Searches a graph without ends; gives how many successors were made, too.
fn search(options: &Options, move_probing_depth: Option<u8>) -> (SearchResult<u32, u32>, u64) {
    let shape = GraphShape { positions: 60, terminal_percent: 0, successors: 3..=6, ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, 4).expect("the shape is within its limits");
    let root = graph.start();
    // The fault never comes: it has the successors counted.
    let game = Faulty::new(graph, Fault::PanicAtSuccessor(u64::MAX));
    let made = game.made();
    let table = LocklessTable::with_buckets(1 << 10).expect("a small table");
    let options = Options { move_probing_depth, ..options.clone() };
    let searcher = Searcher::new(game, HashRandom::new(1, 1000), &table).with_options(options);
    (searcher.request(&root).limits(Limits::depth(7)).search().expect("a search"), made.load(Relaxed))
}

#[test]
fn look_ups_are_counted_and_cut() {
    let options = Options { table_depth: Some(1), ..Options::default() };
    let (found, _) = search(&options, Some(2));
    let (nodes, table) = (found.stats.nodes, found.stats.table);
    assert!(table.move_cutoffs > 0 && nodes.move_probes > table.move_cutoffs, "{nodes:?} {table:?}");
    assert_eq!(found.bounds, search(&options, None).0.bounds);
}

#[test]
fn nothing_is_done_where_no_successor_is_in_the_table() {
    let algorithm = Algorithm::Star2;
    let without = Options { algorithm, table_use: TableUse::None, ..Options::default() };
    let nowhere_below = Options { table_depth: Some(7), ..Options::default() };
    for options in [without, nowhere_below] {
        let (found, made) = search(&options, Some(1));
        assert_eq!(found.stats.nodes.move_probes, 0, "{options:?}");
        let (usual, usually_made) = search(&options, None);
        assert_eq!((made, found.stats), (usually_made, usual.stats), "{options:?}");
    }
}

/// Chance nodes are not looked up where decision nodes alone use the table.
#[test]
fn successors_that_are_not_kept_are_not_counted() {
    let options = Options {
        algorithm: Algorithm::Star1,
        table_use: TableUse::Decision,
        table_depth: Some(1),
        ..Options::default()
    };
    let (found, _) = search(&options, Some(2));
    let (nodes, table) = (found.stats.nodes, found.stats.table);
    // Every decision node entered above the leaves is looked up once at most, and so is every successor
    // counted.
    assert!(nodes.move_probes > 0 && nodes.move_probes < table.probes, "{nodes:?} {table:?}");
    assert!(table.probes <= nodes.decision + nodes.move_probes, "{nodes:?} {table:?}");
    assert!(table.probes + 10 > nodes.decision + nodes.move_probes, "{nodes:?} {table:?}");
}
