//! Lines that are not of one search: of matches, of `tuning`, and of the experiments that no
//! report is made of.

use crate::records::line::RecordLine;
use crate::records::meta::older_game;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit::score::Score;
use std::collections::BTreeMap;

/// A line of `calibrate`: a search of one position in one way, the times of one round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationLine {
    /// The version of what is written (`SCHEMA`).
    pub schema: u32,
    /// The game.
    #[serde(default = "older_game")]
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The way it was searched.
    pub way: String,
    /// The round, from 1.
    pub round: u64,
    /// How many events of each kind.
    pub events: BTreeMap<String, u64>,
    /// The wall time while nothing else ran.
    pub alone_ns: u64,
    /// The mean of the copies' wall times while all processors were busy.
    pub busy_ns: u64,
}

/// A line of `stress`, counted from the beginning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StressLine {
    /// The version of what is written (`SCHEMA`).
    pub schema: u32,
    /// Since the beginning.
    pub seconds: f64,
    /// What was counted.
    #[serde(flatten)]
    pub counts: StressCounts,
    /// Memory in use.
    pub memory_kib: StressMemory,
}

/// What `stress` counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[allow(missing_docs)] // the names say it
pub struct StressCounts {
    pub games: u64,
    pub searches: u64,
    pub stopped: u64,
    pub differences: u64,
    pub nodes: u64,
    pub probing_splits: u64,
    pub star1_splits: u64,
    pub decision_splits: u64,
    pub tasks: u64,
    pub helped: u64,
    pub steals: u64,
    pub aborts: u64,
    pub deferred: u64,
    pub table_hits: u64,
    pub collapsed: u64,
    pub static_cutoffs: u64,
    pub move_cutoffs: u64,
    pub searches_by_method: BTreeMap<String, u64>,
    pub searches_by_algorithm: BTreeMap<String, u64>,
    pub searches_by_scheme: BTreeMap<String, u64>,
    pub games_by_name: BTreeMap<String, u64>,
    pub searches_in_lanes: u64,
    pub saved_tables: u64,
    pub most_threads: u64,
}

/// Memory in use, in KiB; 0 where the system does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StressMemory {
    /// When the searches began.
    pub start: u64,
    /// After a quarter of the time.
    pub quarter: u64,
    /// After half of the time; 0 in earlier records.
    pub half: u64,
    /// Now.
    pub end: u64,
    /// At most.
    pub peak: u64,
    /// What the program had asked for and not given back between two games, after a quarter of the time; 0
    /// in earlier records.
    pub held_quarter: u64,
    /// The same now.
    pub held_end: u64,
}

/// A line of `match`: one game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatchLine {
    /// The version of what is written (`SCHEMA`).
    pub schema: u32,
    /// The game.
    pub game: String,
    /// Which game of the match, from 1. Games 1 and 2 are a pair with the same rolls, 3 and 4 the next, and
    /// so on. In those of odd numbers the first setting has the first player's side, in the others the
    /// second.
    pub number: u64,
    /// What the game was worth, in its own units, as the first setting sees it: rewards and the value of the
    /// end. In a game for one player, what the first setting has is positive, what the second has negative.
    pub points: f64,
    /// Whether it came to its end; else it was left after the greatest number of plies, and counts the
    /// rewards so far and nothing more, as a draw would.
    pub finished: bool,
    /// How many moves and outcomes it had.
    pub plies: u64,
    /// The position in which it was left, in the game's notation.
    pub position: String,
    /// What the game says of that position beyond its value; may be empty.
    pub result: String,
    /// What the first setting did.
    pub one: MatchSide,
    /// What the second setting did.
    pub two: MatchSide,
}

/// What one setting did in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchSide {
    /// Moves that it made.
    pub moves: u64,
    /// Moves for which it was asked, being more than one that it could make.
    pub asked: u64,
    /// The sum of the depths that its searches came to.
    pub depths: u64,
    /// The nodes of its searches.
    pub nodes: u64,
    /// How long it took to answer, all in all.
    pub time_ns: u64,
}

/// A line of `tuning`: a position that several settings have searched in turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TuningLine {
    /// The version of what is written (`SCHEMA`).
    pub schema: u32,
    /// The game.
    pub game: String,
    /// The depth asked for.
    pub depth: u32,
    /// On how many threads each of them searched.
    pub threads: usize,
    /// What the searches were for.
    pub phase: TuningPhase,
    /// Of the search for the best, how many times settings were left out before, and one; else 1.
    pub rung: usize,
    /// The place of the position in its suite, from 1.
    pub index: usize,
    /// The position in the game's notation.
    pub position: String,
    /// Which time this is that settings of this phase searched the position on so many threads, from 1.
    pub repeat: usize,
    /// The score that all had to find; none where nobody has found an exact one yet.
    pub expected: Option<Score>,
    /// What all of this took, tables cleared and settings made included, in nanoseconds.
    pub spent_ns: u64,
    /// The searches, in the order in which they ran.
    pub searches: Vec<TuningSearch>,
}

/// What searches of `tuning` are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TuningPhase {
    /// To find the best of the fixed settings.
    Search,
    /// To set the default beside it.
    Comparison,
}

/// A search of one setting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TuningSearch {
    /// `default`, or the options that are fixed.
    pub setting: String,
    /// Wall time, in nanoseconds.
    pub wall_ns: u64,
    /// Every entry into a node, over all iterations and threads.
    pub nodes: u64,
    /// Static evaluations.
    pub evaluations: u64,
    /// The value in the game's units; none unless exact.
    pub value: Option<f64>,
    /// The same as an integer on the grid.
    pub score: Option<Score>,
    /// Whether it was ended before its depth, having taken several times as long as the default.
    pub stopped: bool,
    /// What is wrong with it; one with an error is not to be used for anything.
    pub error: Option<String>,
}

/// Says of kinds of lines which of their fields has the version.
macro_rules! record_lines {
    ($($line:ty)*) => {
        $(impl RecordLine for $line {
            fn schema(&self) -> u32 {
                self.schema
            }
        })*
    };
}

record_lines!(CalibrationLine StressLine MatchLine TuningLine);
