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
    /// Chance nodes visited.
    pub chances: u64,
    /// Terminals visited.
    pub terminals: u64,
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
    /// Bounds of outcomes ([`Game::outcome_bounds`](crate::game::Game::outcome_bounds)), or an evaluator's of
    /// positions and outcomes ([`Evaluator::bounds`](crate::evaluator::Evaluator::bounds)), each for one
    /// depth, that were compared with what the outcome can be worth, or with what searches find.
    pub bounds_checked: u64,
    /// Those that were not, at depths to 5, because it would have taken too long to work that out (or the
    /// game goes wrong below, which another check tells): nothing is known of them but that they are on the
    /// grid.
    pub bounds_unchecked: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games ({} unfinished), {} decision nodes, {} chance nodes, {} terminals, {} successors, \
             {} visited again, {} pairs compared, {} searches, {} evaluations, {} bounds ({} more unchecked)",
            self.games,
            self.unfinished,
            self.decisions,
            self.chances,
            self.terminals,
            self.successors,
            self.visited_again,
            self.compared,
            self.searches,
            self.evaluations,
            self.bounds_checked,
            self.bounds_unchecked
        )
    }
}
