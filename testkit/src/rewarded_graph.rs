//! Random graphs whose moves and outcomes carry rewards.

use super::random_graph::{GraphPosition, RandomGraph, part};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Step, Steps};
use starsplit::score::{Bounds, Score};

/// Which rewards a [`RewardedGraph`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewards {
    /// How many of 100 moves carry a reward, on average.
    pub move_percent: u32,
    /// How many of 100 chance nodes have outcomes that carry rewards, on average; of such a node most do.
    /// (Whether a chance node has none matters to a search: see
    /// [`Options::leaf_collapse`](starsplit::search::Options::leaf_collapse).)
    pub outcome_percent: u32,
    /// The greatest reward, in steps of the grid, and the greatest loss: 1 to twice the grid's limit. Small
    /// ones are as likely as large ones. From about the limit on, most lines of play come to the grid's ends.
    pub most: Score,
}

/// A [`RandomGraph`] whose moves and outcomes carry rewards drawn at random from its seed. Values saturate
/// ([`GameFacts::saturates`]).
///
/// It is a type of its own because a game says once and for all whether it has rewards
/// ([`Game::STEPS`]).
#[derive(Clone, Debug)]
pub struct RewardedGraph {
    graph: RandomGraph,
    rewards: Rewards,
    /// The identity but for the form of the hashes.
    digest: u64,
}

impl RewardedGraph {
    /// `graph` with such rewards, always the same ones.
    ///
    /// # Errors
    /// When the rewards are out of their limits.
    pub fn new(graph: RandomGraph, rewards: Rewards) -> Result<Self, RewardsError> {
        rewards.check(graph.facts().grid.limit())?;
        let Rewards { move_percent, outcome_percent, most } = rewards;
        // Without rewards it is the same game.
        let parts = match (move_percent, outcome_percent) {
            (0, 0) => [].as_slice(),
            _ => &[u64::from(move_percent), outcome_percent.into(), most as u64],
        };
        let digest = parts.iter().fold(graph.digest(), |digest, part| mix64(mix64(digest) ^ part));
        Ok(RewardedGraph { graph, rewards, digest })
    }

    /// The graph without its rewards.
    pub fn graph(&self) -> &RandomGraph {
        &self.graph
    }

    /// The reward of the successor with this ordinal.
    fn reward_of(&self, position: &GraphPosition, ordinal: u32) -> Score {
        let of_node = mix64(self.digest ^ mix64(u64::from(position.index)));
        let of_edge = mix64(of_node ^ mix64(u64::from(ordinal) + 1));
        let has_reward = match self.graph.kind(position) {
            NodeKind::Decision => part(of_edge, 100) < self.rewards.move_percent,
            _ => part(of_node, 100) < self.rewards.outcome_percent && part(of_edge, 8) > 0,
        };
        if has_reward { self.rewards.draw(mix64(of_edge)) } else { 0 }
    }

    /// What a move is worth that leads to a position of which these bounds are known.
    fn worth(&self, position: &GraphPosition, mv: u32, below: Bounds) -> Bounds {
        let (limit, reward) = (self.graph.facts().grid.limit(), self.reward_of(position, mv));
        let clamped = |score: Score| (score + reward).clamp(-limit, limit);
        Bounds::new(clamped(below.lower), clamped(below.upper))
    }
}

impl Rewards {
    fn check(&self, limit: Score) -> Result<(), RewardsError> {
        if let Some(&found) = [self.move_percent, self.outcome_percent].iter().find(|&&percent| percent > 100)
        {
            return Err(RewardsError::Percent { found });
        }
        if !(1..=2 * limit).contains(&self.most) {
            return Err(RewardsError::Most { found: self.most, limit });
        }
        Ok(())
    }

    /// A reward: first how many bits its size has, then the size; the greatest comes up one in eight times.
    fn draw(&self, bits: u64) -> Score {
        let most = self.most.unsigned_abs();
        let least = 1 << part(mix64(bits), u32::BITS - most.leading_zeros());
        let is_greatest = part(mix64(bits ^ 1), 8) == 0;
        let size = if is_greatest { most } else { most.min(least + part(bits, least)) } as Score;
        if bits % 2 == 0 { size } else { -size }
    }
}

impl starsplit_wrappers::GameWrapper for RewardedGraph {
    type Inner = RandomGraph;
    type Position = GraphPosition;
    const STEPS: Steps = Steps::PLAIN.with_rewards(true);

    fn inner(&self) -> &RandomGraph {
        &self.graph
    }

    #[inline]
    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    #[inline]
    fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        self.digest ^ self.graph.hash_form().salt()
    }

    /// It saturates whatever the rewards are: what they make of values is left to chance.
    fn facts(&self) -> GameFacts {
        self.graph.facts().saturating(true)
    }

    fn reward(&self, before: &GraphPosition, step: Step<u32, u32>, _: &GraphPosition) -> Score {
        let (Step::Move(ordinal) | Step::Outcome(ordinal)) = step;
        self.reward_of(before, ordinal)
    }

    /// What terminals prove, the outcomes themselves and those that a move leads to, with the move's reward.
    fn outcome_bounds(&self, position: &GraphPosition, _depth: u8, push: impl FnMut(Bounds)) {
        let worth = |position: &GraphPosition, mv, below| self.worth(position, mv, below);
        self.graph.push_outcome_bounds(position, worth, push);
    }
}

starsplit_wrappers::forward! { impl Game for RewardedGraph }

/// Why a [`RewardedGraph`] could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RewardsError {
    /// A share is more than everything.
    #[error("rewards of {found} percent: expected at most 100")]
    Percent {
        /// The share.
        found: u32,
    },
    /// The greatest reward is none, or more than the grid can tell.
    #[error("greatest reward {found}: expected 1 to {}, twice the limit of the grid", 2 * i64::from(*limit))]
    Most {
        /// What was asked for.
        found: Score,
        /// The grid's limit.
        limit: Score,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GraphShape;

    fn graph(limit: Score, rewards: Rewards) -> Result<RewardedGraph, RewardsError> {
        let shape = GraphShape { positions: 2_000, limit, ..GraphShape::default() };
        RewardedGraph::new(RandomGraph::new(&shape, 1).expect("the shape is within its limits"), rewards)
    }

    /// The rewards of all moves, and those of the outcomes of each chance node.
    fn rewards_of(graph: &RewardedGraph) -> (Vec<Score>, Vec<Vec<Score>>) {
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        for position in graph.graph().positions() {
            graph.moves(&position, |mv| {
                if graph.kind(&position) == NodeKind::Decision {
                    moves.push(graph.reward(&position, Step::Move(mv), &position));
                }
            });
            if graph.kind(&position) == NodeKind::Chance {
                let mut of_node = Vec::new();
                graph.outcomes(&position, |outcome, _| {
                    of_node.push(graph.reward(&position, Step::Outcome(outcome), &position));
                });
                outcomes.push(of_node);
            }
        }
        (moves, outcomes)
    }

    #[test]
    fn rewards_are_as_many_and_as_large_as_asked_for() {
        for (limit, most) in [
            (1, 1),
            (4, 8),
            (1 << 20, 1 << 10),
            (starsplit::score::MAX_LIMIT, 2 * starsplit::score::MAX_LIMIT),
        ] {
            let (moves, outcomes) =
                rewards_of(&graph(limit, Rewards { move_percent: 30, outcome_percent: 60, most }).unwrap());
            let all: Vec<Score> = moves.iter().chain(outcomes.iter().flatten()).copied().collect();
            assert_eq!((all.iter().min(), all.iter().max()), (Some(&-most), Some(&most)));
            let carry = moves.iter().filter(|&&reward| reward != 0).count();
            assert!((20..40).contains(&(100 * carry / moves.len())), "{carry} of {}", moves.len());
            let bare = outcomes.iter().filter(|of_node| of_node.iter().all(|&reward| reward == 0)).count();
            assert!((30..55).contains(&(100 * bare / outcomes.len())), "{bare} of {}", outcomes.len());
            assert!(all.iter().any(|&reward| reward.abs() == 1), "no small rewards up to {most}");
        }
    }

    #[test]
    fn shares_of_nothing_are_no_rewards() {
        let (moves, outcomes) =
            rewards_of(&graph(4, Rewards { move_percent: 0, outcome_percent: 0, most: 8 }).unwrap());
        assert!(moves.iter().chain(outcomes.iter().flatten()).all(|&reward| reward == 0));
    }

    #[test]
    fn rewards_out_of_their_limits_are_refused() {
        let rewards = Rewards { move_percent: 50, outcome_percent: 50, most: 8 };
        let refusal = |rewards| graph(4, rewards).unwrap_err();
        assert_eq!(refusal(Rewards { move_percent: 101, ..rewards }), RewardsError::Percent { found: 101 });
        assert_eq!(refusal(Rewards { most: 0, ..rewards }), RewardsError::Most { found: 0, limit: 4 });
        assert_eq!(refusal(Rewards { most: 9, ..rewards }), RewardsError::Most { found: 9, limit: 4 });
    }
}
