//! Which of the two games is played, and what a win is worth.

use crate::Invalid;
use crate::rules_text::parts;

/// How many checkers there are, and where they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Backgammon: fifteen checkers a side.
    Backgammon,
    /// Hyper-backgammon: three checkers a side, on the points 24, 23 and 22.
    Hyper,
}

/// What a win is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Scoring {
    /// One point; two (a gammon) where the loser has borne off no checker; three (a backgammon) where the
    /// loser has moreover one on the bar or in the winner's home board.
    #[default]
    Points,
    /// One point.
    WinLoss,
}

impl Variant {
    /// How many checkers a side has.
    pub fn checkers(self) -> u8 {
        match self {
            Variant::Backgammon => 15,
            Variant::Hyper => 3,
        }
    }

    /// Where either side's checkers begin: points, and how many are there.
    pub(super) fn start(self) -> &'static [(u8, u8)] {
        match self {
            Variant::Backgammon => &[(24, 2), (13, 5), (8, 3), (6, 5)],
            Variant::Hyper => &[(24, 1), (23, 1), (22, 1)],
        }
    }
}

impl Scoring {
    /// What the greatest win is worth, in points.
    pub(super) fn most(self) -> i32 {
        match self {
            Scoring::Points => 3,
            Scoring::WinLoss => 1,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Scoring::Points => "points",
            Scoring::WinLoss => "winloss",
        }
    }

    /// Reads `scoring=points` or `scoring=winloss`; the default where there is nothing.
    pub(super) fn read(rules: &str) -> Result<Self, Invalid> {
        let mut scoring = None;
        for part in parts(rules) {
            let read = match part {
                "scoring=points" => Scoring::Points,
                "scoring=winloss" => Scoring::WinLoss,
                _ => return Err(Invalid::new("rule", part, "scoring=points or scoring=winloss")),
            };
            if scoring.replace(read).is_some() {
                return Err(Invalid::new("rule", part, "scoring once only"));
            }
        }
        Ok(scoring.unwrap_or_default())
    }
}
