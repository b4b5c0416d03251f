//! An evaluator of random graphs that ignores the outcomes of some chance nodes, and says of which.

use super::verdict::Graph;
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, NodeKind, Player, PositionHash};
use starsplit::score::Score;
use starsplit_testkit::{GraphPosition, RandomGraph};

/// Pseudo-random evaluations that some chance nodes, drawn at random, share with every position that their
/// outcomes lead to, terminals aside. Where two of them lead to one position they share theirs too.
///
/// The position's hash is carried along, so that a search which hands on the state of another is found out.
#[derive(Clone, Debug)]
pub(crate) struct PartlyBlind {
    seed: u64,
    limit: Score,
    /// By position: the one that stands for all of the same evaluation.
    groups: Vec<u32>,
    /// By position: whether it is said to be such a chance node.
    promised: Vec<bool>,
}

impl PartlyBlind {
    /// One that ignores the outcomes of so many of 100 chance nodes of `graph`.
    pub(crate) fn new(graph: &RandomGraph, seed: u64, limit: Score, percent: u64) -> Self {
        let is_blind = |position: &GraphPosition| {
            graph.kind(position) == NodeKind::Chance && mix64(seed ^ graph.hash(position).low) % 100 < percent
        };
        let mut groups: Vec<u32> = graph.positions().map(|position| position.index).collect();
        for position in graph.positions().filter(is_blind) {
            graph.outcomes(&position, |outcome, _| {
                let after = graph.resolve(&position, outcome);
                if graph.kind(&after) != NodeKind::Terminal {
                    let (own, other) = (groups[position.index as usize], groups[after.index as usize]);
                    groups.iter_mut().filter(|group| **group == other).for_each(|group| *group = own);
                }
            });
        }
        let promised = graph.positions().map(|position| is_blind(&position)).collect();
        PartlyBlind { seed, limit, groups, promised }
    }

    /// The same evaluations with a promise for every chance node.
    pub(crate) fn promising_all(self) -> Self {
        PartlyBlind { promised: vec![true; self.promised.len()], ..self }
    }

    /// Whether it says that it ignores the outcomes of this position.
    pub(crate) fn ignores_outcomes_of(&self, position: &GraphPosition) -> bool {
        self.promised[position.index as usize]
    }
}

impl<G: Graph> Evaluator<G> for PartlyBlind {
    type State = PositionHash;
    const ABILITIES: Abilities = Abilities::NONE.ignoring_some_outcomes();

    fn facts(&self, game: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(mix64(0x7061_7274 ^ self.seed) ^ self.limit as u64))
            .saturating(self.limit > game.facts().grid.limit())
    }

    fn state(
        &self,
        graph: &G,
        position: &GraphPosition,
        before: Option<Before<'_, G, PositionHash>>,
    ) -> PositionHash {
        let carried =
            before.map_or(PositionHash::default(), |before| *before.state ^ graph.hash(before.position));
        carried ^ graph.hash(position)
    }

    fn ignores_outcome(&self, graph: &G, position: &GraphPosition) -> bool {
        assert_eq!(graph.kind(position), NodeKind::Chance, "asked of a position without outcomes");
        self.ignores_outcomes_of(position)
    }

    fn evaluate(&self, graph: &G, position: &GraphPosition, state: &PositionHash) -> Score {
        assert_eq!(*state, graph.hash(position), "the state of another position was carried here");
        let bits = mix64(self.seed ^ mix64(u64::from(self.groups[position.index as usize])));
        let points = 2 * self.limit as u64 + 1;
        let score = ((u128::from(bits) * u128::from(points)) >> 64) as Score - self.limit;
        if graph.player(position) == Player::Max { score } else { -score }
    }
}
