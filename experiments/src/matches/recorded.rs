//! What the records of a match say it is of, and its report from them.

use crate::matches::report::MatchReport;
use crate::records::meta::Meta;
use crate::records::others::MatchLine;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// What a game depends on beside its number. How many games there are is not among it: a match can be gone on
/// with by more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The rules of the game.
    pub rules: String,
    /// The seed of the rolls.
    pub seed: u64,
    /// The greatest number of moves and outcomes in a game.
    pub max_plies: u64,
    /// The first player.
    pub one: Value,
    /// The second player.
    pub two: Value,
    /// Both as they were written, which may differ in players that are the same.
    pub written: [String; 2],
}

impl MatchSettings {
    /// What games of a match that was played so come to.
    pub(crate) fn report(&self, game: &str, lines: Vec<MatchLine>) -> MatchReport {
        MatchReport::new((game, &self.rules), self.seed, self.written.clone(), lines)
    }

    /// Those that `meta.json` tells of.
    ///
    /// # Errors
    /// When it does not, in words.
    pub(crate) fn of(meta: &Meta) -> Result<Self, String> {
        let read = serde_json::to_value(&meta.settings).and_then(serde_json::from_value);
        read.map_err(|error| format!("expected the settings of a match in its meta.json ({error})"))
    }
}

/// The games of the `lines` of a folder.
///
/// # Errors
/// When a line is none of a game, or of one that was there before, in words.
pub(crate) fn games(
    lines: impl Iterator<Item = Result<MatchLine, String>>,
) -> Result<Vec<MatchLine>, String> {
    let mut numbers = BTreeSet::new();
    let game = |(place, line): (usize, Result<MatchLine, String>)| {
        let line = line.map_err(|error| format!("expected a game in line {place} ({error})"))?;
        if line.number == 0 || !numbers.insert(line.number) {
            let number = line.number;
            return Err(format!("expected every game once, from 1 on, not game {number} in line {place}"));
        }
        Ok(line)
    };
    (1..).zip(lines).map(game).collect()
}

/// The figures of the `lines` of a folder, which `meta` describes.
///
/// # Errors
/// As [`games`], or when `meta` is not of a match.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<MatchLine, String>>,
    meta: &Meta,
) -> Result<MatchReport, String> {
    Ok(MatchSettings::of(meta)?.report(&meta.game, games(lines)?))
}
