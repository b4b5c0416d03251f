//! An evaluator of random graphs that ignores outcomes without being the same everywhere.

use super::plied_graph::GraphGame;
use super::random_graph::{GraphPosition, RandomGraph};
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, NodeKind, Player};
use starsplit::score::{MAX_LIMIT, Score};

/// Pseudo-random evaluations that a chance node shares with every position, terminals aside, that an outcome
/// leads to: the evaluator [ignores outcomes](Abilities::ignores_outcome) as one does that does not look at
/// what was rolled.
///
/// Where chance nodes follow one another, or lead to the same positions, many positions share an evaluation.
/// The number of the group that a position is in is carried along the moves, so that a search which hands on
/// the state of another position finds other values.
#[derive(Clone, Debug)]
pub struct OutcomeBlind {
    seed: u64,
    limit: Score,
    /// By position.
    groups: Vec<u32>,
}

impl OutcomeBlind {
    /// Evaluations of the positions of `graph` and of no other, spread evenly over `-limit..=limit`, a
    /// different assignment for each `seed`. A limit outside `0..=4 * MAX_LIMIT` is brought inside. Where it
    /// is greater than the grid's, evaluations saturate.
    pub fn new(graph: &RandomGraph, seed: u64, limit: Score) -> Self {
        let mut leaders: Vec<u32> = graph.positions().map(|position| position.index).collect();
        for position in graph.positions().filter(|position| graph.kind(position) == NodeKind::Chance) {
            graph.outcomes(&position, |outcome, _| {
                let after = graph.resolve(&position, outcome);
                if graph.kind(&after) != NodeKind::Terminal {
                    let other = leader(&mut leaders, after.index);
                    leaders[other as usize] = leader(&mut leaders, position.index);
                }
            });
        }
        let groups = graph.positions().map(|position| leader(&mut leaders, position.index)).collect();
        OutcomeBlind { seed, limit: limit.clamp(0, 4 * MAX_LIMIT), groups }
    }

    fn group(&self, position: &GraphPosition) -> u32 {
        self.groups.get(position.index as usize).copied().unwrap_or(position.index)
    }
}

/// The position that stands for the group of this one; the way to it is halved.
fn leader(leaders: &mut [u32], mut position: u32) -> u32 {
    while leaders[position as usize] != position {
        let next = leaders[position as usize];
        leaders[position as usize] = leaders[next as usize];
        position = next;
    }
    position
}

/// A position is worth the same whatever was scored on the way to it, and however many plies led there.
impl<G: GraphGame> Evaluator<G> for OutcomeBlind {
    /// The position's group.
    type State = u32;
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes();

    fn facts(&self, game: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(mix64(0x0062_6c69_6e64 ^ self.seed) ^ self.limit as u64))
            .saturating(self.limit > game.facts().grid.limit())
    }

    fn state(&self, _: &G, position: &GraphPosition, before: Option<Before<'_, G, u32>>) -> u32 {
        // By differences, as accumulators are carried.
        let carried = before.map_or(0, |before| before.state ^ self.group(before.position));
        carried ^ self.group(position)
    }

    fn evaluate(&self, game: &G, position: &GraphPosition, state: &u32) -> Score {
        let bits = mix64(self.seed ^ mix64(u64::from(*state)));
        let points = 2 * self.limit as u64 + 1;
        let score = ((u128::from(bits) * u128::from(points)) >> 64) as Score - self.limit;
        if game.player(position) == Player::Max { score } else { -score }
    }
}
