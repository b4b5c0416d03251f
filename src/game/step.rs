//! Moves and outcomes alike.

use crate::game::Game;

/// What leads from one position to the next: a move of a decision node or an outcome of a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<M, O> {
    /// The player chose it.
    Move(M),
    /// Chance chose it.
    Outcome(O),
}

/// A step of a game.
pub type StepOf<G> = Step<<G as Game>::Move, <G as Game>::Outcome>;

impl<M, O> Step<M, O> {
    /// Where the step leads to from `position`.
    pub fn take<G: Game<Move = M, Outcome = O>>(self, game: &G, position: &G::Position) -> G::Position {
        match self {
            Step::Move(mv) => game.play(position, mv),
            Step::Outcome(outcome) => game.resolve(position, outcome),
        }
    }
}

/// What the moves and outcomes of a game may have beside what they lead to, known where its searches are
/// compiled ([`Game::STEPS`]). What they may not have no search asks for, and nothing is slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Steps {
    /// Whether moves or outcomes may carry [rewards](Game::reward), such as points that are scored along the
    /// way.
    ///
    /// What a move or an outcome leads to is then worth its reward and its own value together; an evaluation
    /// stands for what is still to come. The grid needs room for both: its limit should be at least the
    /// greatest evaluation or terminal score plus the greatest sum of rewards along a line of play, on the
    /// grid of the scores: a reward is in steps of it, not in the game's units. A search that finds a sum
    /// beyond the grid ends with an error, unless the game
    /// [saturates](crate::game::GameFacts::saturates).
    pub rewards: bool,

    /// Whether outcomes may, where moves or outcomes may. Where this is false a search need not make the
    /// position after every outcome beforehand.
    pub outcome_rewards: bool,

    /// Whether moves or outcomes may take another number of [plies](Game::plies) than 1: none where a move is
    /// made in two halves or no chance is in a step, two and more where what is unlikely is to be searched
    /// less deep.
    ///
    /// The position after a move or an outcome is searched to the depth that is left before it less its
    /// plies, and to depth 0 where that is less than nothing. At depth 0 a position is evaluated, even if its
    /// own moves or outcomes take no ply. So its value is a function of itself and the depth as in any game.
    ///
    /// With this the game promises that no chain of moves and outcomes which take no ply goes on for ever. A
    /// search along which there are more than [`MAX_PATH_LENGTH`](crate::search::MAX_PATH_LENGTH) moves and
    /// outcomes, of whatever plies, ends with
    /// [`SearchError::PathLength`](crate::search::SearchError::PathLength).
    ///
    /// Searches then do without what they have for nodes right above the leaves: an evaluation that ignores
    /// outcomes serves several leaves only where a chance node collapses, for which all its outcomes are
    /// looked at ([`Options::leaf_collapse`](crate::search::Options::leaf_collapse)).
    pub plies: bool,
}

impl Steps {
    /// No rewards, and one ply each.
    pub const PLAIN: Steps = Steps { rewards: false, outcome_rewards: false, plies: false };

    /// Whether this step may carry a reward.
    #[inline(always)]
    pub(crate) fn may_pay<M, O>(self, step: &Step<M, O>) -> bool {
        match step {
            Step::Move(_) => self.rewards,
            Step::Outcome(_) => self.outcome_rewards,
        }
    }

    /// Whether moves and outcomes may carry rewards.
    #[must_use]
    pub const fn with_rewards(self, rewards: bool) -> Self {
        Steps { rewards, outcome_rewards: rewards, ..self }
    }

    /// Whether moves may carry rewards; outcomes may not.
    #[must_use]
    pub const fn with_move_rewards(self, rewards: bool) -> Self {
        Steps { rewards, outcome_rewards: false, ..self }
    }

    /// Whether moves and outcomes may take plies of their own.
    #[must_use]
    pub const fn with_plies(self, plies: bool) -> Self {
        Steps { plies, ..self }
    }
}
