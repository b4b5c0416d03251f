use super::*;

fn graph(shape: GraphShape, seed: u64) -> RandomGraph {
    RandomGraph::new(&shape, seed).unwrap()
}

fn weights_at(graph: &RandomGraph, position: &GraphPosition) -> Vec<u32> {
    let mut weights = Vec::new();
    graph.outcomes(position, |_, weight| weights.push(weight));
    weights
}

fn chance_nodes(graph: &RandomGraph) -> impl Iterator<Item = GraphPosition> + '_ {
    graph.positions().filter(|position| graph.kind(position) == NodeKind::Chance)
}

#[test]
fn weights_keep_what_they_are_named_for() {
    for seed in 0..200 {
        for weights in [Weights::Mixed, Weights::EvenSum, Weights::OddSum, Weights::Ones, Weights::Ties] {
            let graph = graph(GraphShape { weights, ..GraphShape::default() }, seed);
            for position in chance_nodes(&graph) {
                let drawn = weights_at(&graph, &position);
                let sum: u32 = drawn.iter().sum();
                assert!(drawn.iter().all(|weight| (1..=MAX_WEIGHT).contains(weight)), "{drawn:?}");
                match weights {
                    Weights::Mixed => {}
                    Weights::EvenSum => assert_eq!(sum % 2, 0),
                    Weights::OddSum => assert_eq!(sum % 2, 1),
                    Weights::Ones => assert_eq!(sum as usize, drawn.len()),
                    Weights::Ties => assert!(sum.is_power_of_two()),
                }
            }
        }
    }
}

#[test]
fn a_raised_weight_stays_within_the_limit_and_keeps_its_parity() {
    assert_eq!([raised(1, 0), raised(1, 1), raised(1, 500)], [1, 2, 501]);
    assert_eq!(raised(MAX_WEIGHT - 1, 1), MAX_WEIGHT);
    assert_eq!(raised(MAX_WEIGHT, 1), MAX_WEIGHT - 1);
}

#[test]
fn mixed_weights_reach_both_parities_and_both_ends() {
    let graph = graph(GraphShape { positions: 20_000, ..GraphShape::default() }, 1);
    let drawn: Vec<u32> = chance_nodes(&graph).flat_map(|position| weights_at(&graph, &position)).collect();
    assert!(drawn.contains(&1) && drawn.iter().any(|&weight| weight > MAX_WEIGHT - MAX_WEIGHT / 64));
}

#[test]
fn every_sequence_of_kinds_and_players_comes_up() {
    let graph = graph(GraphShape { positions: 200, ..GraphShape::default() }, 5);
    let mut pairs = std::collections::HashSet::new();
    for position in graph.positions() {
        for (successor, _) in graph.edges_of(position.index) {
            assert_ne!(*successor, position);
            let describe = |position| (graph.kind(position), graph.player(position));
            pairs.insert((describe(&position), describe(successor)));
        }
    }
    // Decision or chance before, either or a terminal after, each with either player.
    assert_eq!(pairs.len(), 4 * 6);
}

#[test]
fn cycles_are_there_or_not_as_the_shape_says() {
    let backwards = |cycles| {
        let graph = graph(GraphShape { cycles, ..GraphShape::default() }, 3);
        let bounded = graph.positions().all(|position| graph.full_depth(&position).is_some());
        assert_eq!(bounded, !cycles);
        graph.positions().any(|from| graph.edges_of(from.index).iter().any(|(to, _)| to.index < from.index))
    };
    assert!(backwards(true) && !backwards(false));
}

#[test]
fn one_player_games_belong_to_max() {
    let graph = graph(GraphShape { one_player: true, ..GraphShape::default() }, 9);
    assert!(graph.positions().all(|position| graph.player(&position) == Player::Max));
}

#[test]
fn the_smallest_graphs_are_made_too() {
    for positions in 1..4 {
        for (seed, cycles) in (0..50).flat_map(|seed| [(seed, true), (seed, false)]) {
            let graph = graph(GraphShape { positions, cycles, ..GraphShape::default() }, seed);
            assert_eq!(graph.kind(&graph.start()) == NodeKind::Terminal, positions == 1);
        }
    }
}

#[test]
fn a_seed_stands_for_one_graph() {
    let identities: Vec<u64> = (0..50).map(|seed| graph(GraphShape::default(), seed).identity()).collect();
    let again: Vec<u64> = (0..50).map(|seed| graph(GraphShape::default(), seed).identity()).collect();
    assert_eq!(identities, again);
    let different: std::collections::HashSet<_> = identities.iter().collect();
    assert_eq!(different.len(), 50);
}

#[test]
fn shapes_out_of_their_limits_are_refused() {
    let refusal = |shape: GraphShape| RandomGraph::new(&shape, 0).unwrap_err();
    let shape = GraphShape::default();
    assert_eq!(refusal(GraphShape { positions: 0, ..shape.clone() }), ShapeError::Positions { found: 0 });
    assert_eq!(
        refusal(GraphShape { chance_percent: u32::MAX, terminal_percent: 1, ..shape.clone() }),
        ShapeError::Percent { found: 1 << 32 }
    );
    assert_eq!(
        refusal(GraphShape { successors: 0..=3, ..shape.clone() }),
        ShapeError::Successors { least: 0, most: 3 }
    );
    assert_eq!(
        refusal(GraphShape { successors: 1..=1025, ..shape.clone() }),
        ShapeError::Successors { least: 1, most: 1025 }
    );
    assert_eq!(refusal(GraphShape { limit: 0, ..shape }), ShapeError::Grid(GridError::Limit { limit: 0 }));
}
