//! A gamble whose values may be beyond the range of its game.

use starsplit::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Grid, Score};

/// How the gamble pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pays {
    /// By the scores of finished games.
    Terminals,
    /// By evaluations of unfinished ones.
    Evaluations,
    /// By rewards of outcomes, and the safe move by its own.
    Rewards,
    /// A reward and a terminal score, each within the range, are beyond it together.
    Together,
}

/// Between -1 and 1: a safe move is worth 0.5; the other, a gamble, pays `win` or -1 evenly.
///
/// `mirrored`: the other player chooses, and all values are negated. `direct`: the gamble is won without a
/// roll. `REWARDS`: whether there are rewards at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gamble<const REWARDS: bool> {
    pub(crate) pays: Pays,
    pub(crate) win: f64,
    pub(crate) mirrored: bool,
    pub(crate) direct: bool,
    pub(crate) saturates: bool,
}

pub(crate) const START: u8 = 0;
pub(crate) const ROLL: u8 = 1;
pub(crate) const WON: u8 = 2;
pub(crate) const LOST: u8 = 3;
pub(crate) const SAFE: u8 = 4;

impl<const REWARDS: bool> Gamble<REWARDS> {
    pub(crate) fn new(pays: Pays, win: f64) -> Self {
        Gamble { pays, win, mirrored: false, direct: false, saturates: false }
    }

    /// What is paid in all, as the one who chooses sees it.
    fn paid(&self, position: u8) -> f64 {
        match position {
            WON => self.win,
            LOST => -1.0,
            SAFE => 0.5,
            _ => 0.0,
        }
    }

    /// The part of it that is a reward.
    fn reward_at(&self, position: u8) -> f64 {
        match (self.pays, position) {
            (Pays::Rewards, _) => self.paid(position),
            (Pays::Together, WON) => 1.0,
            _ => 0.0,
        }
    }

    /// A score for the one who chooses, told by `score` as the first player sees it.
    pub(crate) fn told(&self, value: f64, score: impl Fn(&Grid, f64) -> Score) -> Score {
        let grid = self.facts().grid;
        if self.mirrored { -score(&grid, -value) } else { score(&grid, value) }
    }

    fn rest(&self, position: u8) -> Score {
        self.told(self.paid(position) - self.reward_at(position), Grid::score)
    }
}

impl<const REWARDS: bool> Game for Gamble<REWARDS> {
    type Position = u8;
    type Move = u8;
    type Outcome = u8;
    const STEPS: Steps = Steps::PLAIN.with_rewards(REWARDS);

    fn identity(&self) -> u64 {
        u64::from(self.saturates) << 1 | u64::from(self.direct)
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::new(-1.0, 1.0).expect("a range")).saturating(self.saturates)
    }

    fn kind(&self, &position: &u8) -> NodeKind {
        match position {
            START => NodeKind::Decision,
            ROLL => NodeKind::Chance,
            WON | LOST if self.pays == Pays::Evaluations => NodeKind::Decision,
            _ => NodeKind::Terminal,
        }
    }

    fn player(&self, _: &u8) -> Player {
        if self.mirrored { Player::Min } else { Player::Max }
    }

    fn terminal_score(&self, &position: &u8) -> Score {
        self.rest(position)
    }

    fn hash(&self, &position: &u8) -> PositionHash {
        PositionHash::from(u128::from(position + 1) << 64 | u128::from(position + 1))
    }

    fn moves(&self, &position: &u8, mut push: impl FnMut(u8)) {
        match position {
            START => [if self.direct { WON } else { ROLL }, SAFE].into_iter().for_each(push),
            // Nobody looks deeper.
            _ => push(START),
        }
    }

    fn play(&self, _: &u8, mv: u8) -> u8 {
        mv
    }

    fn reward(&self, _: &u8, step: Step<u8, u8>, _: &u8) -> Score {
        let (Step::Move(after) | Step::Outcome(after)) = step;
        self.told(self.reward_at(after), Grid::steps)
    }

    fn outcomes(&self, _: &u8, mut push: impl FnMut(u8, u32)) {
        push(WON, 1);
        push(LOST, 1);
    }

    fn resolve(&self, _: &u8, outcome: u8) -> u8 {
        outcome
    }
}

/// Evaluates what has been gambled for, and 0 before that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paid {
    pub(crate) saturates: bool,
}

impl<const REWARDS: bool> Evaluator<Gamble<REWARDS>> for Paid {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true);

    fn facts(&self, _: &Gamble<REWARDS>) -> EvaluatorFacts {
        EvaluatorFacts::new(self.saturates.into())
            .saturating(self.saturates)
            .with_cost(EvaluationCost { fixed_ns: 5_000, each_ns: 100 })
    }

    fn state(&self, _: &Gamble<REWARDS>, _: &u8, _: Option<Before<'_, Gamble<REWARDS>, ()>>) {}

    fn evaluate(&self, game: &Gamble<REWARDS>, &position: &u8, (): &()) -> Score {
        game.rest(position)
    }
}

pub(crate) const STRICT: Paid = Paid { saturates: false };
