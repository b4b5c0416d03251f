//! What a check has looked at.

use super::costs::Costs;
use super::spread::Spread;
use super::warning::Warning;
use std::collections::BTreeMap;
use std::fmt;

/// How much was checked, and what the plays met. A check that met no chance node, or no position twice, says
/// nothing about them: [`warnings`](Report::warnings) tell.
///
/// Its text has the counts, then a line for each warning. Read it once for every game and evaluator:
/// `println!("{report}")`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// What terminals are worth to `Max`, in steps of the grid.
    pub ends: Spread,
    /// Moves of a decision node.
    pub moves: Spread,
    /// Outcomes of a chance node.
    pub outcomes: Spread,
    /// The sums of the weights of a chance node's outcomes, each with the number of chance nodes that have
    /// it. They are what probabilities are divided by: 16 where an author counts in sixteenths.
    pub weight_sums: BTreeMap<u64, u64>,
    /// Outcomes that lead to the position of an earlier outcome of their chance node.
    pub merging: u64,
    /// Moves and outcomes that lead back to the position at which they are taken.
    pub back: u64,
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
    /// What these are, as `Max` sees it, in steps of the grid.
    pub scores: Spread,
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
    /// What was never met, or met in a way that is seldom meant.
    pub warnings: Vec<Warning>,
    /// What successors and evaluations take, by [`check`](crate::check). The report's text warns of prices
    /// that are declared wrongly. `warnings` does not have these, since they are of a measurement: it is the
    /// same each time.
    pub costs: Option<Costs>,
}

/// So many different sums of weights are told each by itself.
const SUMS_TOLD: usize = 4;

impl Report {
    /// What two checks of the same plays have looked at, each in its own way.
    pub(crate) fn beside(mut self, other: Report) -> Report {
        self.warn(other.warnings);
        Report {
            compared: self.compared + other.compared,
            searches: self.searches + other.searches,
            evaluations: self.evaluations + other.evaluations,
            scores: if self.evaluations == 0 { other.scores } else { self.scores },
            ends_foreseen: self.ends_foreseen + other.ends_foreseen,
            ends_misjudged: self.ends_misjudged + other.ends_misjudged,
            bounds_checked: self.bounds_checked + other.bounds_checked,
            bounds_unchecked: self.bounds_unchecked + other.bounds_unchecked,
            ..self
        }
    }

    /// Adds those of these warnings that it does not have.
    pub(crate) fn warn(&mut self, warnings: Vec<Warning>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// The sums of weights, in words.
    fn weight_sums_text(&self) -> String {
        let sums = &self.weight_sums;
        match (sums.first_key_value(), sums.last_key_value()) {
            (Some((least, _)), Some((greatest, _))) if sums.len() > SUMS_TOLD => {
                format!("{} different sums from {least} to {greatest}", sums.len())
            }
            (None, _) | (_, None) => "none".to_owned(),
            _ => {
                let told = sums.iter().map(|(sum, nodes)| format!("{sum} at {nodes} chance nodes"));
                told.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
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
        )?;
        writeln!(f, "moves of a decision node: {}", self.moves)?;
        writeln!(f, "outcomes of a chance node: {}", self.outcomes)?;
        writeln!(f, "sum of a chance node's weights: {}", self.weight_sums_text())?;
        writeln!(f, "score of a terminal, for Max: {}", self.ends)?;
        write!(f, "evaluation, for Max: {}", self.scores)?;
        if let Some(costs) = &self.costs {
            write!(f, "\n{costs}")?;
        }
        let of_costs = self.costs.iter().flat_map(|costs| costs.wrong());
        let mut warnings =
            self.warnings.iter().map(ToString::to_string).chain(of_costs.map(|wrong| wrong.to_string()));
        warnings.try_for_each(|warning| write!(f, "\nwarning: {warning}"))
    }
}
