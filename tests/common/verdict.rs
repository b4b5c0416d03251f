//! Whether a search found what the oracle says, and whether a campaign met what it is about.

use super::oracle::Oracle;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player};
use starsplit::score::{Bounds, Score};
use starsplit::search::{RootMove, SearchResult};
use starsplit_testkit::GraphPosition;

/// A random graph, with rewards or without.
pub(crate) trait Graph: Game<Position = GraphPosition, Move = u32, Outcome = u32> {}

impl<G: Game<Position = GraphPosition, Move = u32, Outcome = u32>> Graph for G {}

/// Whether a result agrees with the oracle in every iteration, be it the only one: exact bounds, best move,
/// value.
pub(crate) fn agrees<G: Graph, E: Evaluator<G>>(
    graph: &G,
    oracle: &mut Oracle<'_, G, E>,
    root: &GraphPosition,
    depth: u32,
    result: &SearchResult<u32, u32>,
) -> Result<(), String> {
    let iterations: Vec<_> = result.iterations.iter().map(|iteration| iteration.depth).collect();
    // Where successors are dear some may be left out.
    let leaves_out = graph.facts().successor_ns >= 500 && iterations.is_sorted_by(|one, next| one < next);
    let is_complete = iterations == [depth]
        || iterations.iter().copied().eq(1..=depth)
        || leaves_out && iterations.last() == Some(&depth);
    if result.depth != depth || !is_complete || result.was_stopped() {
        return Err(format!("depth {} in iterations to {iterations:?}", result.depth));
    }
    if result.stats.table.contradictions > 0 {
        return Err(format!("{} contradictions", result.stats.table.contradictions));
    }
    for iteration in &result.iterations {
        let depth = iteration.depth;
        let expected = oracle.value(root, depth) as Score;
        if iteration.bounds != Bounds::exactly(expected) {
            return Err(format!("{:?} at depth {depth}, expected {expected}", iteration.bounds));
        }
        check_best_move(graph, oracle, root, depth, iteration.best_move, expected)?;
    }
    let for_max = if graph.player(root) == Player::Max { result.bounds } else { result.bounds.flipped() };
    let value = graph.facts().grid.value(for_max.lower);
    if result.value != value || result.score() != Some(result.bounds.lower) {
        return Err(format!("value {} and score {:?}, expected {value}", result.value, result.score()));
    }
    Ok(())
}

/// Whether the best move of a result is the oracle's or as good.
pub(crate) fn check_best_move<G: Graph, E: Evaluator<G>>(
    graph: &G,
    oracle: &mut Oracle<'_, G, E>,
    root: &GraphPosition,
    depth: u32,
    best_move: Option<u32>,
    expected: Score,
) -> Result<(), String> {
    let Some(mv) = best_move else {
        let chooses = graph.kind(root) == NodeKind::Decision;
        return if chooses { Err(format!("no best move at depth {depth}")) } else { Ok(()) };
    };
    if graph.kind(root) != NodeKind::Decision {
        return Err(format!("best move {mv} at a root where nobody chooses"));
    }
    let own = oracle.worth_of_move(root, mv, depth);
    if own == i64::from(expected) {
        Ok(())
    } else {
        Err(format!("best move {mv} at depth {depth} is worth {own}, expected {expected}"))
    }
}

/// A campaign in which something never happened has shown nothing about it.
#[track_caller]
pub(crate) fn assert_happened(counts: &[(&str, u64, u64)]) {
    for (what, count, least) in counts {
        println!("{what}: {count}");
        assert!(count >= least, "{what}: {count}, expected at least {least}");
    }
}

/// Whether moves are ranked as the oracle has them: the first with its value, which no other surpasses, and
/// all with bounds of theirs.
pub(crate) fn are_ranked<G: Graph, E: Evaluator<G>>(
    oracle: &mut Oracle<'_, G, E>,
    root: &GraphPosition,
    depth: u32,
    moves: &[RootMove<u32>],
) -> Result<(), String> {
    let Some(best) = moves.first() else { return Ok(()) };
    for ranked in moves {
        let (own, bounds) = (oracle.worth_of_move(root, ranked.mv, depth) as Score, ranked.bounds);
        let is_between = bounds.lower <= own && own <= bounds.upper;
        if !is_between || own > best.bounds.lower {
            return Err(format!("move {} is ranked with {bounds:?}, expected {own}", ranked.mv));
        }
    }
    if best.bounds.is_exact() { Ok(()) } else { Err(format!("no value of the best of {moves:?}")) }
}
