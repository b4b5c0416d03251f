//! Games for unit tests: random graphs, and an evaluator of them that ignores outcomes. (The test kit's
//! graphs cannot be used here: that crate depends on another build of this one.)

use crate::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts, mix64};
use crate::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, StepOf, Steps};
use crate::score::{Bounds, Grid, Score};
use std::ops::RangeInclusive;

/// The positions in a group. Outcomes lead to others of the same group, moves anywhere.
const GROUP: u32 = 8;

/// The shape of a [`Graph`].
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) seed: u64,
    pub(crate) groups: u32,
    /// How many of 100 positions are chance nodes, and how many terminals, on average. The start is no
    /// terminal.
    pub(crate) chance_percent: u32,
    pub(crate) terminal_percent: u32,
    /// The greatest number of moves of a position. Outcomes are fewer than the positions of a group.
    pub(crate) successors: u32,
    pub(crate) limit: Score,
    /// The greatest reward.
    pub(crate) reward: Score,
    pub(crate) plies: RangeInclusive<u8>,
}

impl Default for Shape {
    fn default() -> Self {
        let (seed, groups, successors) = (1, 50, 4);
        let (chance_percent, terminal_percent, limit) = (40, 5, 1 << 20);
        let (reward, plies) = (limit, 0..=3);
        Shape { seed, groups, chance_percent, terminal_percent, successors, limit, reward, plies }
    }
}

/// A graph in which positions recur, by many paths and at many depths. A position is a number from 0. A move
/// or outcome is the ordinal of its successor. Nothing is stored: everything is drawn again when asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph<const REWARDS: bool = false, const PLIES: bool = false>(pub(crate) Shape);

/// The purpose of a drawn number.
#[derive(Clone, Copy)]
enum Draw {
    NodeKind,
    Player,
    Score,
    Successors,
    Successor,
    Weight,
    HasReward,
    Reward,
    Plies,
}

impl<const REWARDS: bool, const PLIES: bool> Graph<REWARDS, PLIES> {
    pub(crate) fn positions(&self) -> u32 {
        GROUP * self.0.groups
    }

    /// A random number below `end`.
    fn draw(&self, what: Draw, position: u32, edge: u32, end: u32) -> u32 {
        let of = (what as u64) << 48 | u64::from(position) << 16 | u64::from(edge);
        (mix64(self.0.seed ^ mix64(of)) % u64::from(end)) as u32
    }

    fn successors(&self, position: u32) -> u32 {
        let most = if self.kind(&position) == NodeKind::Chance { GROUP - 1 } else { u32::MAX };
        1 + self.draw(Draw::Successors, position, 0, self.0.successors.min(most))
    }

    fn reward_of(&self, position: u32, edge: u32) -> Score {
        // Either all outcomes of a chance node have a reward, or none.
        let is_rewarded = match self.kind(&position) {
            NodeKind::Decision => self.draw(Draw::HasReward, position, edge, 2) == 0,
            _ => self.draw(Draw::HasReward, position, 0, 3) == 0,
        };
        let drawn = |most| self.draw(Draw::Reward, position, edge, 2 * most as u32 + 1) as Score - most;
        if is_rewarded { drawn(self.0.reward) } else { 0 }
    }

    /// A step that takes no ply leads to a greater number, so no chain of such steps is endless.
    fn plies_of(&self, position: u32, edge: u32, after: u32) -> u8 {
        let (least, most) = (*self.0.plies.start(), *self.0.plies.end());
        let drawn = least + self.draw(Draw::Plies, position, edge, u32::from(most - least) + 1) as u8;
        if after > position { drawn } else { drawn.max(1) }
    }

    /// The bounds of a position's value that it proves at sight: its own score, or that of a terminal one
    /// move on.
    fn bounds_at_sight(&self, position: u32) -> Bounds {
        let limit = self.0.limit;
        let mut bounds = Bounds::unknown(limit);
        match self.kind(&position) {
            NodeKind::Terminal => bounds = Bounds::exactly(self.terminal_score(&position)),
            NodeKind::Chance => {}
            NodeKind::Decision => self.moves(&position, |mv| {
                let after = self.play(&position, mv);
                if self.kind(&after) == NodeKind::Terminal {
                    let is_own = self.player(&after) == self.player(&position);
                    let score = self.terminal_score(&after) * if is_own { 1 } else { -1 };
                    let reward = if REWARDS { self.reward_of(position, mv) } else { 0 };
                    bounds.lower = bounds.lower.max((score + reward).clamp(-limit, limit));
                }
            }),
        }
        bounds
    }
}

impl<const REWARDS: bool, const PLIES: bool> Game for Graph<REWARDS, PLIES> {
    type Position = u32;
    type Move = u32;
    type Outcome = u32;
    const STEPS: Steps = Steps::PLAIN.with_rewards(REWARDS).with_plies(PLIES);

    fn identity(&self) -> u64 {
        mix64(self.0.seed)
    }

    /// With rewards it saturates, however large they are.
    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, self.0.limit).expect("a grid"))
            .saturating(REWARDS)
            .with_outcomes_never_end(self.0.terminal_percent == 0)
            .with_move_slots(self.0.successors as usize)
    }

    fn kind(&self, &position: &u32) -> NodeKind {
        let drawn = self.draw(Draw::NodeKind, position, 0, 100);
        if drawn < self.0.chance_percent {
            NodeKind::Chance
        } else if drawn < self.0.chance_percent + self.0.terminal_percent && position != 0 {
            NodeKind::Terminal
        } else {
            NodeKind::Decision
        }
    }

    fn player(&self, &position: &u32) -> Player {
        if self.draw(Draw::Player, position, 0, 2) == 0 { Player::Max } else { Player::Min }
    }

    /// Any score; one in eight is an end of the grid, where searches cut at once.
    fn terminal_score(&self, &position: &u32) -> Score {
        let limit = self.0.limit;
        match self.draw(Draw::Score, position, 0, 16) {
            0 => limit,
            1 => -limit,
            _ => self.draw(Draw::Score, position, 1, 2 * limit as u32 + 1) as Score - limit,
        }
    }

    fn hash(&self, &position: &u32) -> PositionHash {
        let high = mix64(self.0.seed ^ mix64(u64::from(position) + 1));
        PositionHash { high, low: mix64(high ^ 1) }
    }

    fn moves(&self, &position: &u32, push: impl FnMut(u32)) {
        (0..self.successors(position)).for_each(push);
    }

    /// A move leads to any other position.
    fn play(&self, &position: &u32, mv: u32) -> u32 {
        let others = self.positions() - 1;
        (position + 1 + self.draw(Draw::Successor, position, mv, others)) % self.positions()
    }

    fn outcomes(&self, &position: &u32, mut push: impl FnMut(u32, u32)) {
        let weight = |outcome| 1 + self.draw(Draw::Weight, position, outcome, 16);
        (0..self.successors(position)).for_each(|outcome| push(outcome, weight(outcome)));
    }

    /// Outcomes lead to the other positions of the group in turn.
    fn resolve(&self, &position: &u32, outcome: u32) -> u32 {
        position / GROUP * GROUP + (position + 1 + outcome) % GROUP
    }

    fn reward(&self, &before: &u32, step: StepOf<Self>, _: &u32) -> Score {
        let (Step::Move(number) | Step::Outcome(number)) = step;
        self.reward_of(before, number)
    }

    fn plies(&self, &before: &u32, step: StepOf<Self>, &after: &u32) -> u8 {
        let (Step::Move(number) | Step::Outcome(number)) = step;
        self.plies_of(before, number, after)
    }

    fn outcome_bounds(&self, position: &u32, _depth: u8, mut push: impl FnMut(Bounds)) {
        self.outcomes(position, |outcome, _| {
            let after = self.resolve(position, outcome);
            let bounds = self.bounds_at_sight(after);
            push(if self.player(&after) == self.player(position) { bounds } else { bounds.flipped() });
        });
    }

    fn move_slot(&self, mv: u32) -> usize {
        mv as usize
    }
}

/// Random evaluations that all positions of a group share, so that outcomes do not matter. With `SOMETIMES`
/// they matter in every second group, about which it promises nothing. With `TELLS` it knows the value of
/// every chance node at depth 1 whose outcomes neither end the game nor have a reward: such nodes collapse,
/// so no search has to ask.
///
/// States carry what the evaluation depends on, so that a search with a wrong state finds other values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blind<const SOMETIMES: bool = false, const TELLS: bool = false> {
    pub(crate) seed: u64,
    pub(crate) limit: Score,
    pub(crate) cost: u32,
}

impl<const SOMETIMES: bool, const TELLS: bool> Blind<SOMETIMES, TELLS> {
    fn ignores(position: u32) -> bool {
        !SOMETIMES || (position / GROUP) % 2 == 0
    }

    /// The seed of the evaluation.
    fn seen(position: u32) -> u32 {
        if Self::ignores(position) { position / GROUP } else { !position }
    }
}

impl<const REWARDS: bool, const PLIES: bool, const SOMETIMES: bool, const TELLS: bool>
    Evaluator<Graph<REWARDS, PLIES>> for Blind<SOMETIMES, TELLS>
{
    type State = u32;
    const ABILITIES: Abilities = if SOMETIMES {
        Abilities::NONE.ignoring_some_outcomes().with_bounds(TELLS)
    } else {
        Abilities::NONE.ignoring_outcomes().with_bounds(TELLS).with_batches(!TELLS)
    };

    fn facts(&self, _: &Graph<REWARDS, PLIES>) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(!self.seed)).with_cost(EvaluationCost::each(self.cost))
    }

    fn state(
        &self,
        _: &Graph<REWARDS, PLIES>,
        &position: &u32,
        before: Option<Before<'_, Graph<REWARDS, PLIES>, u32>>,
    ) -> u32 {
        let carried = before.map_or(0, |before| before.state ^ Self::seen(*before.position));
        carried ^ Self::seen(position)
    }

    fn ignores_outcome(&self, _: &Graph<REWARDS, PLIES>, &position: &u32) -> bool {
        Self::ignores(position)
    }

    fn evaluate(&self, game: &Graph<REWARDS, PLIES>, position: &u32, &state: &u32) -> Score {
        let points = 2 * self.limit as u64 + 1;
        let score = (mix64(self.seed ^ mix64(state.into())) % points) as Score - self.limit;
        if game.player(position) == Player::Max { score } else { -score }
    }

    fn bounds(&self, game: &Graph<REWARDS, PLIES>, position: &u32, depth: u8) -> Bounds {
        let mut is_sure = depth == 1 && game.kind(position) == NodeKind::Chance;
        if is_sure {
            game.outcomes(position, |outcome, _| {
                let after = game.resolve(position, outcome);
                is_sure &= game.kind(&after) != NodeKind::Terminal;
                is_sure &= !REWARDS || game.reward(position, Step::Outcome(outcome), &after) == 0;
            });
        }
        let score = || self.evaluate(game, position, &self.state(game, position, None));
        if is_sure { Bounds::exactly(score()) } else { Bounds::unknown(game.facts().grid.limit()) }
    }
}
