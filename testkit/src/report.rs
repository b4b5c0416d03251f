//! What a check has looked at.

use std::fmt;

/// How much was checked: a check that met no chance node, or no position twice, says nothing about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Plays made.
    pub games: u64,
    /// Plays that were left at the greatest ply allowed, before they had ended.
    pub unfinished: u64,
    /// Decision nodes visited.
    pub decisions: u64,
    /// Those of them at which `Min` moves: none in a game for one, and in a game for two that says that `Max`
    /// moves, whoever does.
    pub decisions_of_min: u64,
    /// Chance nodes visited.
    pub chances: u64,
    /// Terminals visited.
    pub terminals: u64,
    /// Those of them that are a win for the player who moved last.
    pub won_by_last: u64,
    /// Those that are a loss for that player. A game whose terminal scores have the wrong sign is a sound
    /// one, in which to win is to lose: no check tells it from what was meant, but its author can, by these
    /// two.
    pub lost_by_last: u64,
    /// Successors of visited nodes that were checked.
    pub successors: u64,
    /// Visits of positions that had been visited before, in this play or another: the start, once in each
    /// play, and whatever else is reached twice.
    pub visited_again: u64,
    /// Pairs of positions with the same hash, to which different moves and outcomes lead, that were compared.
    pub compared: u64,
    /// Searches with a table that were compared with plain ones; 0 where none were made.
    pub searches: u64,
    /// Evaluations compared; 0 where no evaluator was checked.
    pub evaluations: u64,
    /// Steps to terminals before which the evaluation had the sign of the terminal's score.
    pub ends_foreseen: u64,
    /// Steps to terminals before which it had the other sign. Where this is much more than the other, the
    /// evaluation may be told for the wrong player, or the score.
    pub ends_misjudged: u64,
    /// Bounds of outcomes ([`Game::outcome_bounds`](starsplit::game::Game::outcome_bounds)), or an
    /// evaluator's of positions and outcomes
    /// ([`Evaluator::bounds`](starsplit::evaluator::Evaluator::bounds)), each for one depth, that were
    /// compared with what the outcome can be worth, or with what searches find.
    pub bounds_checked: u64,
    /// Those that were not, at depths to 5, because it would have taken too long to work that out (or the
    /// game goes wrong below, which another check tells): nothing is known of them but that they are on the
    /// grid.
    pub bounds_unchecked: u64,
}

impl Report {
    /// What two checks of the same plays have looked at, each in its own way.
    pub(crate) fn beside(self, other: Report) -> Report {
        Report {
            compared: self.compared + other.compared,
            searches: self.searches + other.searches,
            evaluations: self.evaluations + other.evaluations,
            ends_foreseen: self.ends_foreseen + other.ends_foreseen,
            ends_misjudged: self.ends_misjudged + other.ends_misjudged,
            bounds_checked: self.bounds_checked + other.bounds_checked,
            bounds_unchecked: self.bounds_unchecked + other.bounds_unchecked,
            ..self
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games ({} unfinished), {} decision nodes ({} of Min), {} chance nodes, {} terminals ({} won \
             by the last to move, {} lost), {} successors, {} visited again, {} pairs compared, {} searches, \
             {} evaluations ({} ends foreseen, {} misjudged), {} bounds ({} more unchecked)",
            self.games,
            self.unfinished,
            self.decisions,
            self.decisions_of_min,
            self.chances,
            self.terminals,
            self.won_by_last,
            self.lost_by_last,
            self.successors,
            self.visited_again,
            self.compared,
            self.searches,
            self.evaluations,
            self.ends_foreseen,
            self.ends_misjudged,
            self.bounds_checked,
            self.bounds_unchecked
        )
    }
}
