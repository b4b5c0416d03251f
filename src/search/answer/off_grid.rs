//! A value from a game or an evaluator that is off the grid.

use crate::score::{FARTHEST, Grid, Score, is_not_a_number};
use std::fmt;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// A static evaluation.
    Evaluation,
    /// A terminal score.
    TerminalScore,
    /// The reward of a move or an outcome, which exceeds the difference of any two values.
    Reward,
    /// The worth of a move or an outcome: its reward plus the value after it.
    Worth,
}

/// A value beyond the game's range, or not a number. It breaks the contract of [`Game`](crate::game::Game)
/// and [`Evaluator`](crate::evaluator::Evaluator), unless they declare that they saturate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffGrid {
    given: Given,
    score: Score,
    grid: Grid,
}

impl OffGrid {
    /// From a score, or a reward's steps, for `Max`.
    pub(crate) fn new(given: Given, score: Score, grid: Grid) -> Self {
        OffGrid { given, score, grid }
    }

    /// The value in the game's units, for `Max`, to the precision of the grid. NaN if it was not a number. If
    /// it is more than 64 times as far from the middle of the range as the range's ends, the least that it
    /// can be.
    fn value(&self) -> f64 {
        // The shortest number with this score, since the original value is not known more precisely.
        let told = |digits| format!("{:.digits$e}", self.exact_value(self.score)).parse::<f64>();
        let shortest = (0..17).find_map(|digits| told(digits).ok().filter(|&told| self.is_told_by(told)));
        shortest.unwrap_or_else(|| self.exact_value(self.score))
    }

    fn exact_value(&self, score: Score) -> f64 {
        if self.given == Given::Reward { self.grid.difference(score) } else { self.grid.value(score) }
    }

    fn is_told_by(&self, value: f64) -> bool {
        let score = if self.given == Given::Reward { self.grid.steps(value) } else { self.grid.score(value) };
        score == self.score
    }
}

impl std::error::Error for OffGrid {}

impl fmt::Display for OffGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.given {
            Given::Evaluation => "an evaluation for Max of ",
            Given::TerminalScore => "a terminal score for Max of ",
            Given::Reward => "a reward of ",
            Given::Worth => "a move or an outcome worth, with its reward, ",
        })?;
        let (low, high) = self.grid.range();
        if is_not_a_number(self.score) {
            return write!(f, "NaN: expected a number from {low} to {high}");
        }
        write!(f, "{}", self.value())?;
        if self.score.saturating_abs() >= FARTHEST {
            write!(f, " or {}", if self.score > 0 { "more" } else { "less" })?;
        }
        if self.given == Given::Reward {
            write!(f, ": expected no more than values from {low} to {high} differ by")?;
        } else {
            write!(f, ": expected {low} to {high}")?;
        }
        if self.given == Given::Worth {
            f.write_str(
                " (a position's value is what is still to come; score 0 is the middle of the range)",
            )?;
        }
        f.write_str(", or a declaration that values saturate")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_and_range_are_named_in_the_games_units() {
        let grid = Grid::new(-1.0, 1.0).unwrap();
        let text = |given, value: f64| {
            let score = if given == Given::Reward { grid.steps(value) } else { grid.score(value) };
            OffGrid::new(given, score, grid).to_string()
        };
        let tail = "expected -1 to 1, or a declaration that values saturate";
        assert_eq!(text(Given::TerminalScore, 10.0), format!("a terminal score for Max of 10: {tail}"));
        assert_eq!(text(Given::Evaluation, -1.7), format!("an evaluation for Max of -1.7: {tail}"));
        assert_eq!(
            text(Given::Worth, 1.5),
            "a move or an outcome worth, with its reward, 1.5: expected -1 to 1 (a position's value is what \
             is still to come; score 0 is the middle of the range), or a declaration that values saturate"
        );
        assert_eq!(
            text(Given::Reward, 10.0),
            "a reward of 10: expected no more than values from -1 to 1 differ by, or a declaration that \
             values saturate"
        );
        assert_eq!(
            text(Given::Evaluation, f64::NAN),
            "an evaluation for Max of NaN: expected a number from -1 to 1"
        );
        assert!(text(Given::TerminalScore, 1e9).ends_with(&format!(" or more: {tail}")));
        assert!(text(Given::TerminalScore, f64::NEG_INFINITY).ends_with(&format!(" or less: {tail}")));
    }

    #[test]
    fn what_is_hardly_beyond_is_told_apart_from_the_end() {
        let grid = Grid::new(0.0, 300.0).unwrap();
        let beyond = OffGrid::new(Given::Evaluation, grid.limit() + 1, grid);
        assert!(beyond.value() > 300.0 && beyond.value() < 300.001, "{}", beyond.value());
    }
}
