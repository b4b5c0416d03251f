//! What a game says that its successors cost changes what is looked up and which iterations are made, and no
//! value.

use crate::common::graphs::{endless_graph, root_of};
use crate::common::partly_blind::PartlyBlind;
use crate::common::promising::Promising;
use starsplit::Searcher;
use starsplit::search::{Limits, MoveOrdering, Options, SearchResult};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphShape, RandomGraph};
use std::ops::RangeInclusive;

type Found = SearchResult<u32, u32>;

/// A graph without ends.
fn graph_of(positions: u32, successors: RangeInclusive<u32>) -> RandomGraph {
    let shape = GraphShape { positions, terminal_percent: 0, successors, ..GraphShape::default() };
    RandomGraph::new(&shape, 3).expect("a graph")
}

/// A search of the same graph whose successors cost so much.
fn search(graph: &RandomGraph, successor_ns: u32, depth: u32, options: Options) -> Found {
    search_within(graph, successor_ns, &Limits::depth(depth), options)
}

fn search_within(graph: &RandomGraph, successor_ns: u32, limits: &Limits, options: Options) -> Found {
    let game = Promising::new(graph.clone(), false).with_successor_ns(successor_ns);
    let evaluator = PartlyBlind::new(graph, 1, 1_000, 0);
    let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
    let searcher = Searcher::new(game, &evaluator, &table).with_options(options);
    searcher.search_within(&root_of(graph, 0), limits).expect("a sound game")
}

fn depths(found: &Found) -> Vec<u32> {
    found.iterations.iter().map(|iteration| iteration.depth).collect()
}

#[test]
fn dear_successors_are_looked_up_at_every_depth_unless_the_options_say_otherwise() {
    let graph = endless_graph();
    let usual = Options { probing_factor: Some(1), ..Options::default() };
    let everywhere = Options { table_depth: Some(1), ..usual.clone() };
    let [cheap, dear] = [499, 500].map(|price| search(&graph, price, 6, usual.clone()));
    let known = search(&graph, 499, 6, everywhere);
    assert_eq!(dear.stats.table.probes, known.stats.table.probes);
    assert!(cheap.stats.table.probes < dear.stats.table.probes, "{:?} {:?}", cheap.stats, dear.stats);
    assert_eq!((cheap.bounds, known.bounds), (dear.bounds, dear.bounds));
    let above = Options { table_depth: Some(3), ordering: MoveOrdering::Hybrid, ..usual };
    let [one, other] = [0, 5_000].map(|price| search(&graph, price, 6, above.clone()));
    assert_eq!(one.stats, other.stats);
}

/// Below that, the price is part of what a look-up saves.
#[test]
fn what_successors_cost_decides_what_is_looked_up() {
    let graph = graph_of(3_000, 2..=3);
    let told = Options { ordering: MoveOrdering::Hybrid, deepening: false, ..Options::default() };
    let [free, priced] = [0, 400].map(|price| search(&graph, price, 14, told.clone()));
    assert_eq!([&free, &priced].map(|found| found.chosen.decision_table_depth), [Some(3), Some(1)]);
    assert!(priced.stats.nodes.total() < free.stats.nodes.total(), "{:?} {:?}", priced.stats, free.stats);
    assert_eq!(priced.bounds, free.bounds);
}

/// A successor that a probe has found is not searched, and would be had it not been stored.
#[test]
fn what_successor_probes_find_counts_for_look_ups() {
    let graph = graph_of(1_000, 4..=5);
    let [deep, shallow] = [4, 2].map(|successor_probing_depth| {
        let told = Options { successor_probing_depth, ordering: MoveOrdering::Hybrid, ..Options::default() };
        search(&graph, 0, 11, told)
    });
    assert_eq!([&deep, &shallow].map(|found| found.chosen.decision_table_depth), [Some(1); 2]);
    let [deep, shallow] = [deep, shallow].map(|found| found.stats.nodes.total());
    assert!(10 * shallow < 9 * deep, "{shallow} {deep}");
}

/// A probe right above the leaves would generate all moves to evaluate one.
#[test]
fn decisions_right_above_leaves_are_not_probed_where_their_moves_are_what_costs() {
    let graph = graph_of(1 << 12, 4..=5);
    for (depth, has_deeper) in [(4, false), (7, true)] {
        let [cheap, dear] = [499, 500].map(|price| search(&graph, price, depth, Options::default()));
        let [usual, left] = [&cheap, &dear].map(|found| found.stats.nodes.star2_probes);
        assert!(2 * left < usual && (left > 0) == has_deeper, "{depth}: {left} of {usual}");
        assert_eq!(dear.bounds, cheap.bounds);
    }
}

/// Sixty positions are soon all known, so that an iteration is hardly larger than the one before.
#[test]
fn iterations_that_hardly_grow_are_left_out_where_successors_are_dear() {
    let graph = endless_graph();
    let cheap = search(&graph, 0, 40, Options::default());
    assert_eq!(depths(&cheap), (1..=40).collect::<Vec<_>>());
    for threads in [1, 2] {
        let dear = search(&graph, 5_000, 40, Options { threads, ..Options::default() });
        let made = depths(&dear);
        assert!(made.len() < 20 && made[..3] == [1, 2, 3] && made.last() == Some(&40), "{made:?}");
        assert!(made.is_sorted_by(|one, next| one < next && next <= &(2 * one + 1)), "{made:?}");
        assert_eq!(dear.bounds, cheap.bounds);
    }
}

/// It would take about as long as the last. Where a limit may end that one, its answer is worth its time.
#[test]
fn an_iteration_shortly_before_the_last_is_left_out_unless_the_search_is_limited() {
    let graph = endless_graph();
    let shortly_before = |limits: Limits| {
        let made = depths(&search_within(&graph, 5_000, &limits, Options::default()));
        made.into_iter().filter(|depth| (30..48).contains(depth)).count()
    };
    assert_eq!(shortly_before(Limits::depth(48)), 0);
    assert!(shortly_before(Limits::depth(48).with_nodes(1 << 40)) > 0);
}

/// The same where successors are cheap, if the search is large and the options leave the choice to it.
#[test]
fn a_large_search_leaves_out_iterations_that_hardly_grow() {
    let shape = GraphShape { positions: 300, terminal_percent: 0, ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, 3).expect("a graph");
    let told = Options { ordering: MoveOrdering::Hybrid, ..Options::default() };
    let [chosen, all] = [Options::default(), told].map(|options| search(&graph, 0, 30, options));
    assert_eq!(depths(&all), (1..=30).collect::<Vec<_>>());
    let made = depths(&chosen);
    assert!(made.len() < 25 && made[..5] == [1, 2, 3, 4, 5] && made.last() == Some(&30), "{made:?}");
    assert_eq!(chosen.bounds, all.bounds);
}

/// In a tree that grows there is nothing to leave out.
#[test]
fn iterations_that_grow_are_made() {
    let graph = graph_of(1 << 14, 4..=5);
    let dear = search(&graph, 5_000, 6, Options::default());
    assert_eq!(depths(&dear), [1, 2, 3, 4, 5, 6]);
}
