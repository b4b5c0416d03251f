//! Steps: moves and outcomes under one name.

use crate::game::Game;

/// A way from a position to the next: a move of a decision node or an outcome of a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<M, O> {
    /// A player's move.
    Move(M),
    /// An outcome of chance.
    Outcome(O),
}

/// A step of a game.
pub type StepOf<G> = Step<<G as Game>::Move, <G as Game>::Outcome>;

impl<M, O> Step<M, O> {
    /// The position after the step.
    pub fn take<G: Game<Move = M, Outcome = O>>(self, game: &G, position: &G::Position) -> G::Position {
        match self {
            Step::Move(mv) => game.play(position, mv),
            Step::Outcome(outcome) => game.resolve(position, outcome),
        }
    }
}

/// Properties that a game's moves and outcomes may have ([`Game::STEPS`]). A constant, so a search of a game
/// without rewards, say, is compiled without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Steps {
    /// Whether moves or outcomes may have [rewards](Game::reward), such as points scored along the way.
    ///
    /// A step is then worth its reward plus the value after it; an evaluation estimates what is still to
    /// come. The grid needs room for both: its limit should be at least the greatest evaluation or terminal
    /// score plus the greatest sum of rewards along a line of play, all in steps of the grid. A search that
    /// meets a sum beyond the grid ends with an error, unless the game
    /// [saturates](crate::game::GameFacts::saturates).
    pub rewards: bool,

    /// Whether outcomes may have rewards too. Where this is false, a search need not make the position after
    /// every outcome in advance.
    pub outcome_rewards: bool,

    /// Whether moves or outcomes may take other than one [ply](Game::plies): none for half a move or a step
    /// without chance, two or more for unlikely steps that are to be searched less deep.
    ///
    /// The position after a step is searched to the remaining depth less the step's plies, and to depth 0
    /// where that is negative. At depth 0 every position is evaluated, even where its own steps take no ply.
    /// So a value is still a function of position and depth.
    ///
    /// The game promises that chains of steps without a ply end. A search that meets a line of more than
    /// [`MAX_PATH_LENGTH`](crate::search::MAX_PATH_LENGTH) steps ends with
    /// [`SearchError::PathLength`](crate::search::SearchError::PathLength).
    ///
    /// Searches of such games have no fast paths for nodes right above the leaves: an evaluation that ignores
    /// outcomes serves several leaves only where a chance node collapses, after a look at all its outcomes
    /// ([`Options::leaf_collapse`](crate::search::Options::leaf_collapse)).
    pub plies: bool,
}

impl Steps {
    /// No rewards, and one ply each.
    pub const PLAIN: Steps = Steps { rewards: false, outcome_rewards: false, plies: false };

    /// Whether this step may have a reward.
    #[inline]
    pub(crate) fn may_pay<M, O>(self, step: &Step<M, O>) -> bool {
        match step {
            Step::Move(_) => self.rewards,
            Step::Outcome(_) => self.outcome_rewards,
        }
    }

    /// Sets whether moves and outcomes may have rewards.
    #[must_use]
    pub const fn with_rewards(self, rewards: bool) -> Self {
        Steps { rewards, outcome_rewards: rewards, ..self }
    }

    /// Sets whether moves may have rewards; outcomes may not.
    #[must_use]
    pub const fn with_move_rewards(self, rewards: bool) -> Self {
        Steps { rewards, outcome_rewards: false, ..self }
    }

    /// Sets whether moves and outcomes may take plies of their own.
    #[must_use]
    pub const fn with_plies(self, plies: bool) -> Self {
        Steps { plies, ..self }
    }
}
