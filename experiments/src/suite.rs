//! Suites of positions: named ones that come with the experiments, or files.

use starsplit::games::dice::{Dice, NotationError, Position, Rules, RulesError};
use std::fs;
use std::io;

/// The suites that can be named, with their text.
const NAMED: [(&str, &str); 1] = [("paper", include_str!("../suites/paper.txt"))];

/// Positions of Dice under one set of rules.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The name or the file it was loaded from.
    pub name: String,
    /// The game that its positions belong to.
    pub dice: Dice,
    /// The positions, in the order of the text.
    pub positions: Vec<Entry>,
    /// A fingerprint of the text, for records: FNV-1a, 64 bits, hexadecimal.
    pub fingerprint: String,
}

/// A position and how the suite writes it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The position in Dice's notation.
    pub text: String,
    /// The position.
    pub position: Position,
}

/// Why a suite could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// Neither a known name nor a file that can be read.
    #[error("suite {name:?}: expected {}, or a readable file ({source})", names())]
    Unreadable {
        /// What was asked for.
        name: String,
        /// Why it could not be read as a file.
        source: io::Error,
    },
    /// A line of rules that are none.
    #[error("suite {name:?}, line {line}: {source}")]
    Rules {
        /// The suite.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with the rules.
        source: RulesError,
    },
    /// A line that is no position.
    #[error("suite {name:?}, line {line}: {source}")]
    Position {
        /// The suite.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with the position.
        source: NotationError,
    },
    /// A position before the rules, or rules twice.
    #[error(
        "suite {name:?}, line {line}: expected one line \"rules size=N,run=N,full-line=reroll|pass\" before the positions"
    )]
    RulesOnce {
        /// The suite.
        name: String,
        /// The line, from 1.
        line: usize,
    },
    /// A suite without positions.
    #[error("suite {name:?}: expected at least one position")]
    Empty {
        /// The suite.
        name: String,
    },
}

fn names() -> String {
    NAMED.map(|(name, _)| name).join(" or ")
}

impl Suite {
    /// The suite of that name, or the one in that file.
    ///
    /// # Errors
    /// When there is neither, or the text is not a suite.
    pub fn load(name: &str) -> Result<Self, SuiteError> {
        if let Some((_, text)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Suite::parse(name, text);
        }
        let text = fs::read_to_string(name)
            .map_err(|source| SuiteError::Unreadable { name: name.to_owned(), source })?;
        Suite::parse(name, &text)
    }

    /// The suite that `text` describes.
    ///
    /// # Errors
    /// When a line is neither a comment, nor the rules, nor a position; or there is no position.
    pub fn parse(name: &str, text: &str) -> Result<Self, SuiteError> {
        let mut dice = None;
        let mut positions = Vec::new();
        for (line, content) in (1..).zip(text.lines().map(str::trim)) {
            let name = || name.to_owned();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            match (content.strip_prefix("rules "), &dice) {
                (Some(rules), None) => {
                    let rules: Rules =
                        rules.parse().map_err(|source| SuiteError::Rules { name: name(), line, source })?;
                    dice = Some(Dice::new(rules));
                }
                (None, Some(dice)) => {
                    let position = dice.parse(content).map_err(|source| SuiteError::Position {
                        name: name(),
                        line,
                        source,
                    })?;
                    positions.push(Entry { text: content.to_owned(), position });
                }
                _ => return Err(SuiteError::RulesOnce { name: name(), line }),
            }
        }
        match dice {
            Some(dice) if !positions.is_empty() => {
                Ok(Suite { name: name.to_owned(), dice, positions, fingerprint: fingerprint(text) })
            }
            _ => Err(SuiteError::Empty { name: name.to_owned() }),
        }
    }
}

/// FNV-1a of the text's bytes.
fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        Suite::parse("s", text).unwrap_err().to_string()
    }

    fn initial() -> String {
        let dice = Dice::new(Rules::default());
        dice.notation(&dice.initial())
    }

    #[test]
    fn comments_rules_and_positions_are_read() {
        let suite =
            Suite::parse("s", &format!("# a comment\n\nrules size=5\n{0}\n  {0}  \n", initial())).unwrap();
        assert_eq!(suite.positions.len(), 2);
        assert_eq!(suite.positions[1].text, initial());
        assert_eq!(suite.positions[0].position, suite.dice.initial());
    }

    #[test]
    fn complaints_name_the_line() {
        assert!(complaint("# x\nrules size=99\n").contains("line 2: size \"99\""));
        assert!(complaint("rules size=5\n\n#\nnonsense\n").contains("line 4: "));
        assert!(complaint(&format!("{}\n", initial())).contains("line 1: expected one line \"rules"));
        assert!(complaint("rules size=5\nrules size=5\n").contains("line 2: expected one line \"rules"));
        assert!(complaint("rules size=5\n# nothing\n").contains("at least one position"));
    }

    #[test]
    fn a_suite_that_is_not_there_is_named_with_those_that_are() {
        let complaint = Suite::load("no/such/suite").unwrap_err().to_string();
        assert!(complaint.contains("no/such/suite") && complaint.contains("expected paper"), "{complaint}");
    }

    #[test]
    fn the_fingerprint_is_fnv_1a() {
        assert_eq!(fingerprint(""), "cbf29ce484222325");
        assert_eq!(fingerprint("a"), "af63dc4c8601ec8c");
    }

    #[test]
    fn the_papers_suite_has_50_positions_of_the_papers_game() {
        let suite = Suite::load("paper").unwrap();
        assert_eq!((suite.positions.len(), *suite.dice.rules()), (50, Rules::default()));
    }
}
