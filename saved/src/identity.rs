//! What a saved table and its user must agree on.

use crate::SavedTableError;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::table::Reuse;
use std::path::Path;

/// The greatest length of a name, in bytes.
pub(crate) const MAX_NAME: usize = 4096;

/// Names for people of the game, its rules and the evaluator. At most 4,096 bytes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // said above
pub struct TableNames {
    pub game: String,
    pub rules: String,
    pub evaluator: String,
}

/// Whose entries a table holds: all that their meaning depends on besides position and depth. Numbers salt
/// the keys; names explain a difference in words.
///
/// A search with other keys finds no entry, so a table of something else would be useless, though never
/// wrong. Loading it is an error.
#[derive(Clone, Debug, PartialEq)]
pub struct TableIdentity {
    pub(crate) names: TableNames,
    pub(crate) salts: Salts,
}

/// The numbers: what the keys of a search are salted with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Salts {
    /// The game and its rules.
    pub(crate) game: u64,
    pub(crate) evaluator: u64,
    /// The grid: its limit and the ends of its range.
    pub(crate) limit: Score,
    pub(crate) range: (f64, f64),
    pub(crate) reuse: Reuse,
}

impl TableIdentity {
    /// The identity of tables for searches of this game, with this evaluator and this
    /// [`reuse`](starsplit::search::Options::reuse).
    pub fn new<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, reuse: Reuse, names: TableNames) -> Self {
        let grid = game.facts().grid;
        let (game, evaluator) = (game.identity(), evaluator.facts(game).identity);
        let salts = Salts { game, evaluator, limit: grid.limit(), range: grid.range(), reuse };
        TableIdentity { names, salts }
    }

    /// The names, each after what it names.
    pub(crate) fn texts(&self) -> [(&'static str, &str); 3] {
        let TableNames { game, rules, evaluator } = &self.names;
        [("game", game), ("rules", rules), ("evaluator", evaluator)]
    }

    /// Checks that the names fit into a header.
    pub(crate) fn check(&self, path: &Path) -> Result<(), SavedTableError> {
        match self.texts().into_iter().find(|(_, text)| text.len() > MAX_NAME) {
            None => Ok(()),
            Some((what, text)) => {
                Err(SavedTableError::Name { path: path.to_owned(), what, bytes: text.len() })
            }
        }
    }

    /// The first difference, in words: its name, the value of `self`, the value of `found`.
    pub(crate) fn difference(&self, found: &TableIdentity) -> Option<(&'static str, String, String)> {
        let texts = self.texts().into_iter().zip(found.texts());
        let numbers = self.numbers().into_iter().zip(found.numbers());
        let mut differing = texts.filter(|((_, own), (_, other))| own != other);
        if let Some(((what, own), (_, other))) = differing.next() {
            return Some((what, told(own), told(other)));
        }
        let mut numbers = numbers.map(|((what, own), (_, other))| (what, own, other));
        numbers.find(|(_, own, other)| own != other)
    }

    fn numbers(&self) -> [(&'static str, String); 5] {
        let Salts { game, evaluator, limit, range: (low, high), reuse } = self.salts;
        [
            ("number of the game and its rules", format!("{game:#x}")),
            ("number of the evaluator", format!("{evaluator:#x}")),
            ("limit of the grid", limit.to_string()),
            // Rust prints floats so that they read back to the bit.
            ("range of values", format!("{low:?} to {high:?}")),
            ("reuse", reuse_name(reuse).to_owned()),
        ]
    }
}

/// A name for an error message: on one line, and cut where it is long. A name from a file may contain
/// anything.
fn told(name: &str) -> String {
    const LONGEST: usize = 80;
    let mut letters = name.chars();
    let mut told = String::new();
    for letter in letters.by_ref().take(LONGEST) {
        if letter.is_control() { told.extend(letter.escape_default()) } else { told.push(letter) }
    }
    if letters.next().is_some() { told + "..." } else { told }
}

fn reuse_name(reuse: Reuse) -> &'static str {
    match reuse {
        Reuse::Exact => "of exact depths",
        Reuse::AtLeast => "of greater depths",
    }
}
