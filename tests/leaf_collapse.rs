//! Chance nodes that are one evaluation, and the table that may keep it.

#![cfg(feature = "testkit")]

use starsplit::Searcher;
use starsplit::search::{Algorithm, Limits, Options, SearchResult};
use starsplit::table::LocklessTable;
use starsplit::testkit::{GraphShape, OutcomeBlind, RandomGraph};
use std::sync::Arc;

fn table() -> Arc<LocklessTable> {
    Arc::new(LocklessTable::with_buckets(1 << 14).expect("a small table"))
}

/// Searches a random graph of many transpositions whose evaluator does not look at outcomes.
fn search(seed: u64, options: &Options, table: &Arc<LocklessTable>) -> SearchResult<u32, u32> {
    let graph =
        RandomGraph::new(&GraphShape { positions: 400, ..GraphShape::default() }, seed).expect("a graph");
    let (root, blind) = (graph.start(), OutcomeBlind::new(&graph, seed, 1_000));
    let searcher = Searcher::new(graph, blind, Arc::clone(table)).with_options(options.clone());
    searcher.search_within(&root, &Limits::depth(7)).expect("a search")
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
        for algorithm in [Algorithm::Star1, Algorithm::Star2, Algorithm::Star2Tt] {
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
