//! The rule parameters of Dice and their text form, such as `size=5,run=4,full-line=reroll`.

use crate::cut;
use crate::rules_text::parts;
use std::fmt;
use std::str::FromStr;

/// What happens when the die names a line without room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FullLine {
    /// The die is rolled again: the outcomes are the lines with room, equally likely.
    #[default]
    Reroll,
    /// The turn is lost.
    Pass,
}

/// Board size, length of a winning run, and what a full line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    size: u8,
    run: u8,
    full_line: FullLine,
}

impl Default for Rules {
    /// The paper's: a board of 5 by 5, four in a row wins, a full line is rolled again.
    fn default() -> Self {
        Rules { size: 5, run: 4, full_line: FullLine::Reroll }
    }
}

impl Rules {
    /// Rules for a board of `size` by `size` cells on which `run` connected checkers win.
    ///
    /// # Errors
    /// Unless `size` is 2 to 8 and `run` is 2 to `size`.
    pub fn new(size: u8, run: u8, full_line: FullLine) -> Result<Self, RulesError> {
        if !(2..=8).contains(&size) {
            return Err(RulesError::Size { found: size.to_string() });
        }
        if !(2..=size).contains(&run) {
            return Err(RulesError::Run { found: run.to_string(), size });
        }
        Ok(Rules { size, run, full_line })
    }

    /// Cells on a side of the board.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Connected checkers that win.
    #[inline]
    pub fn run(&self) -> u8 {
        self.run
    }

    /// What a full line means.
    #[inline]
    pub fn full_line(&self) -> FullLine {
        self.full_line
    }

    pub(super) fn identity(&self) -> u64 {
        u64::from(self.size) | u64::from(self.run) << 8 | (self.full_line as u64) << 16
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full_line = match self.full_line {
            FullLine::Reroll => "reroll",
            FullLine::Pass => "pass",
        };
        write!(f, "size={},run={},full-line={full_line}", self.size, self.run)
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    /// Reads `size=5,run=4,full-line=reroll`: any of the three, in any order; what is missing has its default
    /// (for the run, the lesser of 4 and the size).
    fn from_str(text: &str) -> Result<Self, RulesError> {
        let (mut size, mut run, mut full_line) = (None, None, None);
        for part in parts(text) {
            let (name, value) = part.split_once('=').ok_or_else(|| RulesError::Part { found: cut(part) })?;
            let repeated = || RulesError::Repeated { name: name.to_owned() };
            match name {
                "size" => {
                    let read = value.parse().map_err(|_| RulesError::Size { found: cut(value) })?;
                    size.replace(read).map_or(Ok(()), |_: u8| Err(repeated()))?;
                }
                "run" => run.replace(value).map_or(Ok(()), |_| Err(repeated()))?,
                "full-line" => {
                    let read = match value {
                        "reroll" => FullLine::Reroll,
                        "pass" => FullLine::Pass,
                        _ => return Err(RulesError::FullLine { found: cut(value) }),
                    };
                    full_line.replace(read).map_or(Ok(()), |_| Err(repeated()))?;
                }
                _ => return Err(RulesError::Part { found: cut(part) }),
            }
        }
        let size = size.unwrap_or(5);
        let run = match run {
            Some(text) => text.parse().map_err(|_| RulesError::Run { found: cut(text), size })?,
            None => size.min(4),
        };
        Rules::new(size, run, full_line.unwrap_or_default())
    }
}

/// Why rules could not be made or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The board is too small, too large or not a number.
    #[error("size {found:?}: expected a number from 2 to 8")]
    Size {
        /// What was given.
        found: String,
    },
    /// The run is too short, longer than the board or not a number.
    #[error("run {found:?}: expected a number from 2 to the size, {size}")]
    Run {
        /// What was given.
        found: String,
        /// The size of the board.
        size: u8,
    },
    /// Not a way to treat a full line.
    #[error("full-line {found:?}: expected reroll or pass")]
    FullLine {
        /// What was given.
        found: String,
    },
    /// A rule that Dice does not have.
    #[error("rule {found:?}: expected size=N, run=N or full-line=reroll|pass")]
    Part {
        /// What was given.
        found: String,
    },
    /// The same rule twice.
    #[error("rule {name:?}: expected once")]
    Repeated {
        /// The rule.
        name: String,
    },
}
