//! A search that is recorded as a tree: the same value, and each node of the tree is of the search: what is
//! said to be proven there is so.

use crate::common::campaign;
use crate::common::carried::Carried;
use crate::common::erased::Seeing;
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth, graph_of, root_of, shapes, wide_graph};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Step};
use starsplit::search::{
    Limits, Method, Options, SearchResult, SearchTree, Telemetry, TreeEnd, TreeNode, TreePhase,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphPosition, RandomGraph};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// More nodes than any search here has.
const ALL: usize = 1_000_000;

type Tree = SearchTree<u32, u32>;
type Result<T> = std::result::Result<T, TestCaseError>;

fn with_tree(options: &Options, nodes: usize) -> Options {
    Options { telemetry: Telemetry { tree: nodes, ..options.telemetry }, ..options.clone() }
}

fn search<E: Evaluator<RandomGraph, State: 'static> + Copy + 'static>(
    graph: &RandomGraph,
    evaluator: &E,
    (root, depth): (GraphPosition, u32),
    options: Options,
) -> SearchResult<u32, u32> {
    let table = &LocklessTable::new(1).expect("a mebibyte");
    let evaluator = Seeing::of(*evaluator);
    let searcher = Searcher::new(graph.clone(), evaluator, table).with_options(options);
    searcher.request(&root).limits(Limits::depth(depth)).search().expect("a sound game")
}

/// The position of each node.
fn positions(graph: &RandomGraph, root: GraphPosition, tree: &Tree) -> Result<Vec<GraphPosition>> {
    let mut positions: Vec<GraphPosition> = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        let Some(parent) = node.parent else {
            prop_assert!(node.step.is_none() && node.ply == 0, "a root: {node:?}");
            positions.push(root);
            continue;
        };
        prop_assert!(parent < index, "a parent comes first: {node:?}");
        let above = &tree.nodes[parent];
        prop_assert!(above.ply + 1 == node.ply && above.depth == node.depth + 1, "{above:?}, {node:?}");
        prop_assert!(above.began <= node.began && node.began <= node.ended, "{above:?}, {node:?}");
        let step = node.step.expect("a step");
        let is_of_its_kind = matches!(
            (step, above.kind, node.weight),
            (Step::Move(_), NodeKind::Decision, None) | (Step::Outcome(_), NodeKind::Chance, Some(1..))
        );
        prop_assert!(is_of_its_kind, "{above:?}, {node:?}");
        positions.push(step.take(graph, &positions[parent]));
    }
    Ok(positions)
}

/// What ended a node is what its bounds and its window say.
fn check_end(node: &TreeNode<u32, u32>, has_children: bool, is_alone: bool) -> Result<()> {
    let window = node.narrowed.last().map_or(node.window, |(_, window)| *window);
    let is_so = match node.end {
        TreeEnd::Terminal => node.kind == NodeKind::Terminal && node.bounds.is_exact(),
        TreeEnd::Leaf => node.depth == 0 && node.bounds.is_exact(),
        TreeEnd::Collapse => node.kind == NodeKind::Chance && node.depth == 1,
        TreeEnd::Beta => has_children && node.bounds.lower >= window.beta,
        TreeEnd::Alpha => has_children && node.bounds.upper <= window.alpha,
        TreeEnd::Exact => has_children && node.bounds.is_exact(),
        TreeEnd::Table | TreeEnd::StaticBounds => !has_children,
        TreeEnd::Open => node.phase == Some(TreePhase::Probing) || !is_alone,
        _ => true,
    };
    prop_assert!(is_so, "{node:?}");
    Ok(())
}

/// How often each end was met.
type Ends = BTreeMap<&'static str, u64>;

/// Checks a tree, whole or not, against the oracle.
fn check<E: Evaluator<RandomGraph>>(
    oracle: &mut Oracle<'_, RandomGraph, E>,
    root: GraphPosition,
    tree: &Tree,
    ends: &mut Ends,
) -> Result<()> {
    let graph = oracle.game;
    let positions = positions(graph, root, tree)?;
    prop_assert!(tree.nodes.is_sorted_by_key(|node| node.began));
    let is_alone = tree.nodes.iter().all(|node| node.worker == 0);
    let mut has_children = vec![false; positions.len()];
    for parent in tree.nodes.iter().filter_map(|node| node.parent) {
        has_children[parent] = true;
    }
    for ((node, position), has_children) in tree.nodes.iter().zip(&positions).zip(has_children) {
        prop_assert_eq!(graph.kind(position), node.kind);
        prop_assert_eq!(graph.player(position), node.player);
        prop_assert!(node.ply <= tree.deepest_ply);
        let value = oracle.value(position, node.depth);
        let is_proven = i64::from(node.bounds.lower) <= value && value <= i64::from(node.bounds.upper);
        prop_assert!(is_proven, "worth {value}: {node:?}");
        if node.ply < tree.deepest_ply || tree.left_out == 0 {
            check_end(node, has_children, is_alone)?;
        }
        *ends.entry(node.end.name()).or_default() += 1;
        *ends.entry(node.phase.map_or("no phase", TreePhase::name)).or_default() += 1;
        *ends.entry("narrowed").or_default() += u64::from(!node.narrowed.is_empty());
    }
    Ok(())
}

#[test]
fn every_node_of_a_serial_search_is_there_and_what_it_says_is_so() {
    let ends = RefCell::new(Ends::new());
    campaign::run(
        campaign::graphs(600),
        41,
        &(shapes(), 0..u64::MAX, any::<bool>()),
        |(shape, seed, deepens)| {
            let graph = graph_of(&shape, seed);
            let evaluator = Carried::new(seed, shape.limit, true);
            let root = root_of(&graph, seed as u32);
            let depth = affordable_depth(&graph, root, 6, 20_000);
            let mut oracle = Oracle::new(&graph, &evaluator);
            for (algorithm, table_use) in forms() {
                let base =
                    Options { algorithm, table_use, deepening: deepens, threads: 1, ..Options::default() };
                let plain = search(&graph, &evaluator, (root, depth), base.clone());
                let found = search(&graph, &evaluator, (root, depth), with_tree(&base, ALL));
                prop_assert_eq!(found.bounds, plain.bounds, "{} with a tree", algorithm);
                prop_assert!(plain.tree.is_none());
                let tree = found.tree.expect("it was asked for");
                check(&mut oracle, root, &tree, &mut ends.borrow_mut())?;
                prop_assert_eq!(tree.nodes[0].bounds, found.bounds);
                // Collapsed chance nodes count with their leaves.
                if !deepens && tree.nodes.iter().all(|node| node.end != TreeEnd::Collapse) {
                    prop_assert_eq!(tree.nodes.len() as u64, found.stats.nodes.total(), "{}", algorithm);
                }
                let few = search(&graph, &evaluator, (root, depth), with_tree(&base, 40));
                let few = few.tree.expect("it was asked for");
                check(&mut oracle, root, &few, &mut Ends::new())?;
                prop_assert!(few.nodes.len() <= 40);
                prop_assert_eq!(
                    few.nodes.len() as u64 + few.left_out,
                    tree.nodes.len() as u64,
                    "{}",
                    algorithm
                );
                let is_above = |node: &&TreeNode<u32, u32>| node.ply <= few.deepest_ply;
                prop_assert_eq!(few.nodes.len(), tree.nodes.iter().filter(is_above).count());
            }
            Ok(())
        },
    );
    let ends = ends.into_inner();
    for end in ["terminal", "leaf", "table", "beta", "alpha", "exact", "open", "probing", "star1"] {
        assert!(ends.get(end).is_some_and(|met| *met >= 100), "{end}: {ends:?}");
    }
}

#[test]
fn what_every_worker_searched_is_there_below_the_node_that_was_split() {
    let graph = wide_graph();
    let evaluator = Carried::new(7, 100, true);
    let root = root_of(&graph, 3);
    let mut oracle = Oracle::new(&graph, &evaluator);
    let depth = affordable_depth(&graph, root, 6, 100_000);
    let (mut ends, mut on_threads) = (Ends::new(), Ends::new());
    for &method in Method::ALL {
        let base = Options { method, threads: 4, splits: eager(Some(1)), ..Options::default() };
        let found = search(&graph, &evaluator, (root, depth), with_tree(&base, ALL));
        check(&mut oracle, root, &found.tree.expect("asked for"), &mut on_threads).expect("a sound tree");
        if method.uses_whole_pool() {
            continue;
        }
        let table = &LocklessTable::new(1).expect("a mebibyte");
        let searcher =
            Searcher::new(graph.clone(), Seeing::of(evaluator), table).with_options(with_tree(&base, ALL));
        let request = searcher.request(&root).limits(Limits::depth(depth));
        let found =
            request.simulate(&Simulation { costs: CostModel::UNIT, seed: 1 }).expect("a sound game").result;
        let tree = found.tree.expect("asked for");
        check(&mut oracle, root, &tree, &mut ends).expect("a sound tree");
        let workers: BTreeSet<_> = tree.nodes.iter().map(|node| node.worker).collect();
        let roots = tree.nodes.iter().filter(|node| node.parent.is_none()).count();
        if method.splits() {
            assert!(workers.len() > 1 && roots == 1, "{method}: {workers:?}, {roots}");
        }
    }
    assert!(ends.get("narrowed").is_some_and(|met| *met > 0), "{ends:?}");
}
