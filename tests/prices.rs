//! What a game says that its successors cost changes what is looked up and which iterations are made, and no
//! value.

use crate::common::graphs::{endless_graph, root_of};
use crate::common::partly_blind::PartlyBlind;
use crate::common::promising::Promising;
use starsplit::Searcher;
use starsplit::evaluator::{Before, EvaluationCost, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
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
    searcher.request(&root_of(graph, 0)).limits(limits.clone()).search().expect("a sound game")
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
    let [free, priced] = [1, 400].map(|price| search(&graph, price, 14, told.clone()));
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
        search(&graph, 1, 11, told)
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

/// So that neither cheap nor dear ones cost much more than they need.
#[test]
fn of_undeclared_successors_decisions_are_stored_before_the_last_iteration_and_not_probed_above_leaves() {
    let graph = graph_of(1 << 12, 4..=5);
    let probes = |found: &Found| -> Vec<u64> {
        let totals: Vec<_> = found.iterations.iter().map(|iteration| iteration.stats.table.probes).collect();
        (0..totals.len()).map(|i| totals[i] - if i > 0 { totals[i - 1] } else { 0 }).collect()
    };
    for threads in [1, 2] {
        let usual = Options { window_shares: Some(false), ..Options::default() };
        let told = Options { ordering: MoveOrdering::Hybrid, threads, ..usual };
        let [unknown, cheap, dear] = [0, 1, 500].map(|price| search(&graph, price, 7, told.clone()));
        assert_eq!([unknown.bounds, dear.bounds], [cheap.bounds; 2]);
        let [early, late] = [2, 6].map(|place| [&unknown, &cheap, &dear].map(|found| probes(found)[place]));
        assert!(early[0] > early[1] && early[2] > early[1], "{early:?}");
        if threads == 1 {
            assert!(4 * late[0] < 3 * late[2], "{late:?}");
            assert_eq!(unknown.chosen.decision_table_depth, Some(2));
        }
        let [unknown, cheap, dear] = [unknown, cheap, dear].map(|found| found.stats.nodes.star2_probes);
        assert!(2 * unknown < cheap && unknown < 2 * dear, "{unknown} {cheap} {dear}");
    }
    // The options decide where they say something.
    let told = Options { table_depth: Some(3), probing_factor: Some(1), ..Options::default() };
    let [unknown, cheap] = [0, 1].map(|price| search(&graph, price, 7, told.clone()));
    assert_eq!(unknown.stats, cheap.stats);
}

#[test]
fn a_result_tells_which_prices_were_taken_for_granted() {
    let graph = endless_graph();
    for (price, cost) in [(0, None), (7, None), (0, Some(9)), (7, Some(9))] {
        let game = Promising::new(graph.clone(), false).with_successor_ns(price);
        let limit = graph.facts().grid.limit();
        let evaluator = Priced(HashRandom::new(1, limit), cost);
        for threads in [1, 2] {
            let searcher = Searcher::builder(game.clone(), evaluator).threads(threads).build().expect("one");
            let found = searcher
                .request(&root_of(&graph, 0))
                .limits(Limits::depth(4))
                .search()
                .expect("a sound game");
            let chosen = &found.chosen;
            assert_eq!((chosen.successor_ns, chosen.successors_assumed), (price.into(), price == 0));
            let taken = cost.unwrap_or(30);
            assert_eq!((chosen.evaluation_ns, chosen.evaluation_assumed), (taken.into(), cost.is_none()));
        }
    }
}

/// An evaluator that declares this cost for each position, or none.
#[derive(Clone, Copy)]
struct Priced(HashRandom, Option<u32>);

impl<G: Game> Evaluator<G> for Priced {
    type State = <HashRandom as Evaluator<G>>::State;

    fn facts(&self, game: &G) -> EvaluatorFacts {
        let cost = self.1.map_or_else(EvaluationCost::default, EvaluationCost::each);
        Evaluator::<G>::facts(&self.0, game).with_cost(cost)
    }

    fn state(&self, game: &G, position: &G::Position, _: Option<Before<'_, G, Self::State>>) -> Self::State {
        self.0.state(game, position, None)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> Score {
        self.0.evaluate(game, position, state)
    }
}

/// Sixty positions are soon all known, so that an iteration is hardly larger than the one before.
#[test]
fn iterations_that_hardly_grow_are_left_out_where_successors_are_dear() {
    let graph = endless_graph();
    let cheap = search(&graph, 1, 40, Options::default());
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
    let [chosen, all] = [Options::default(), told].map(|options| search(&graph, 1, 30, options));
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
