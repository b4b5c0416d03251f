//! Random game graphs for proptest, and how deep they can be searched in reasonable time.

use super::verdict::Graph;
use proptest::prelude::*;
use starsplit::game::{Game, NodeKind, Step};
use starsplit::score::{MAX_LIMIT, Score};
use starsplit_testkit::{GraphPosition, GraphShape, HashForm, RandomGraph, Rewards, Weights};
use std::collections::HashMap;

/// The limits of the grids: 2^3 steps and about as few, where rounding decides much, and fine ones up to the
/// finest.
pub(crate) const LIMITS: [Score; 7] = [1, 3, 4, 4, 1 << 10, 1 << 21, MAX_LIMIT];

/// Shapes of all kinds: a few positions or many, tangled or free of cycles, mostly chance or hardly any.
pub(crate) fn shapes() -> impl Strategy<Value = GraphShape> {
    let weights = [Weights::Mixed, Weights::EvenSum, Weights::OddSum, Weights::Ones, Weights::Ties];
    let positions = prop_oneof![2u32..12, 8u32..50, 40u32..200];
    let successors = (1u32..=3, 0u32..=5).prop_map(|(least, more)| least..=least + more);
    (
        (positions, 10u32..=80, 0u32..=20, successors),
        (prop::sample::select(weights.to_vec()), prop::sample::select(LIMITS.to_vec())),
        (prop::bool::weighted(0.2), prop::bool::weighted(0.75)),
    )
        .prop_map(
            |((positions, chance, terminal, successors), (weights, limit), (one_player, cycles))| {
                GraphShape {
                    positions,
                    chance_percent: chance,
                    terminal_percent: terminal,
                    successors,
                    weights,
                    limit,
                    one_player,
                    cycles,
                }
            },
        )
}

/// The graph of a case; its hashes have any of their forms, and some graphs do not say what successors cost.
pub(crate) fn graph_of(shape: &GraphShape, seed: u64) -> RandomGraph {
    let graph = RandomGraph::new(shape, seed).expect("the shape is within its limits");
    let graph = graph.with_hashes(HashForm::drawn_by(seed));
    if seed % 16 == 5 { graph.with_successor_ns(0) } else { graph }
}

/// The number of nodes of the whole tree below `root` to each depth from 0 to `deepest`.
pub(crate) fn tree_sizes(graph: &RandomGraph, root: GraphPosition, deepest: u32) -> Vec<u64> {
    let mut below: Vec<u64> = graph.positions().map(|_| 1).collect();
    let mut sizes = vec![1];
    for _ in 0..deepest {
        below = graph.positions().map(|position| 1 + successors_sum(graph, &position, &below)).collect();
        sizes.push(below[root.index as usize]);
    }
    sizes
}

fn successors_sum(graph: &RandomGraph, position: &GraphPosition, below: &[u64]) -> u64 {
    let mut sum = 0u64;
    let mut add = |successor: GraphPosition| sum = sum.saturating_add(below[successor.index as usize]);
    match graph.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => graph.moves(position, |mv| add(graph.play(position, mv))),
        NodeKind::Chance => graph.outcomes(position, |outcome, _| add(graph.resolve(position, outcome))),
    }
    sum
}

/// The greatest depth up to `deepest` at which the whole tree below `root` has at most `nodes` nodes; at
/// least 1.
pub(crate) fn affordable_depth(graph: &RandomGraph, root: GraphPosition, deepest: u32, nodes: u64) -> u32 {
    let sizes = tree_sizes(graph, root, deepest);
    (1..=deepest).take_while(|&depth| sizes[depth as usize] <= nodes).last().unwrap_or(1)
}

/// The same of any game on the positions of a graph, whatever plies its moves and outcomes take.
pub(crate) fn affordable_depth_of<G: Graph>(game: &G, root: GraphPosition, deepest: u32, nodes: u64) -> u32 {
    let mut known = HashMap::new();
    let mut size = |depth: u32| tree_size(game, &root, depth, &mut known);
    (1..=deepest).take_while(|&depth| size(depth) <= nodes).last().unwrap_or(1)
}

/// The number of nodes of the whole tree below `position` to this depth.
fn tree_size<G: Graph>(
    game: &G,
    position: &GraphPosition,
    depth: u32,
    known: &mut HashMap<(u32, u32), u64>,
) -> u64 {
    let kind = game.kind(position);
    if depth == 0 || kind == NodeKind::Terminal {
        return 1;
    }
    if let Some(&size) = known.get(&(position.index, depth)) {
        return size;
    }
    let mut below = Vec::new();
    if kind == NodeKind::Decision {
        game.moves(position, |mv| {
            let after = game.play(position, mv);
            below
                .push((after, if G::STEPS.plies { game.plies(position, Step::Move(mv), &after) } else { 1 }));
        });
    } else {
        game.outcomes(position, |outcome, _| {
            let after = game.resolve(position, outcome);
            below.push((
                after,
                if G::STEPS.plies { game.plies(position, Step::Outcome(outcome), &after) } else { 1 },
            ));
        });
    }
    let sizes = below
        .iter()
        .map(|(after, plies)| tree_size(game, after, depth.saturating_sub(u32::from(*plies)), known));
    let size = sizes.fold(1, u64::saturating_add);
    known.insert((position.index, depth), size);
    size
}

/// The position with this number, or the start where that is a terminal.
pub(crate) fn root_of(graph: &RandomGraph, index: u32) -> GraphPosition {
    let count = graph.positions().count() as u32;
    let drawn = GraphPosition { index: index % count };
    if graph.kind(&drawn) == NodeKind::Terminal { graph.start() } else { drawn }
}

/// A graph so large, and with so few ends, that searches of it are split as often as in the middle of a game.
pub(crate) fn wide_graph() -> RandomGraph {
    let shape = GraphShape {
        positions: 1 << 14,
        chance_percent: 50,
        terminal_percent: 2,
        successors: 2..=5,
        weights: Weights::Ones,
        ..GraphShape::default()
    };
    RandomGraph::new(&shape, 2).expect("the shape is within its limits")
}

/// A graph whose searches never end by themselves: cycles, no terminals.
pub(crate) fn endless_graph() -> RandomGraph {
    let shape = GraphShape { positions: 60, terminal_percent: 0, successors: 3..=6, ..GraphShape::default() };
    RandomGraph::new(&shape, 4).expect("the shape is within its limits")
}

/// Rewards of all kinds for a graph whose grid has this limit: few or many, small or beyond what the grid can
/// hold, on moves, on outcomes or on both.
pub(crate) fn rewards(limit: Score) -> impl Strategy<Value = Rewards> {
    let percents = || prop_oneof![1 => Just(0u32), 2 => 10u32..60, 2 => Just(100u32)];
    let most = prop_oneof![Just(1), Just(limit / 3 + 1), Just(limit), Just(2 * limit)];
    (percents(), percents(), most).prop_map(|(move_percent, outcome_percent, most)| Rewards {
        move_percent,
        outcome_percent,
        most,
    })
}
