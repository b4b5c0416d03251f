//! What a line of the records says of a real search, read back; and the searches that were one turn.

use crate::records::measured::{Measured, Step};
use crate::records::writer;
use serde::Deserialize;
use serde_json::Value;
use starsplit::score::Score;
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with a score that is not the expected one.
pub(crate) fn other_score(score: Score, expected: Score) -> Option<String> {
    (score != expected).then(|| format!("score {score}, expected {expected}"))
}

/// What a line says of a search's value and cost, parallel or not.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) wall_ns: u64,
    pub(crate) nodes: u64,
    #[serde(default)]
    pub(crate) evaluations: u64,
    pub(crate) score: Option<Score>,
    pub(crate) busy_ns: Option<u64>,
    pub(crate) idle_ns: Option<u64>,
    pub(crate) stealing_ns: Option<u64>,
    pub(crate) parked_ns: Option<u64>,
    pub(crate) split: RecordedSplit,
    /// The completed iterations, shallowest first.
    #[serde(default)]
    pub(crate) iterations: Vec<Step>,
}

/// What it says of splits.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct RecordedSplit {
    pub(crate) aborted_nodes: u64,
    /// Only where they were counted.
    pub(crate) duplicate_nodes: Option<u64>,
    pub(crate) steals: u64,
}

impl Recorded {
    /// What a line will say of a search.
    pub(crate) fn of(measured: &Measured) -> Self {
        let split = |name: &str| measured.split.get(name).copied();
        Recorded {
            wall_ns: measured.wall_ns,
            nodes: measured.nodes,
            evaluations: measured.evaluations,
            score: measured.score,
            busy_ns: measured.busy_ns,
            idle_ns: measured.idle_ns,
            stealing_ns: measured.stealing_ns,
            parked_ns: measured.parked_ns,
            split: RecordedSplit {
                aborted_nodes: split("aborted_nodes").unwrap_or_default(),
                duplicate_nodes: split("duplicate_nodes"),
                steals: split("steals").unwrap_or_default(),
            },
            iterations: measured.iterations.clone(),
        }
    }

    /// Whether it can have been a search: it visited something and took some time.
    ///
    /// # Errors
    /// When it cannot.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self.nodes.min(self.wall_ns) {
            0 => Err(format!("{} nodes in {} ns", self.nodes, self.wall_ns)),
            _ => Ok(()),
        }
    }

    /// Wall time in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.wall_ns as f64 / 1e9
    }

    /// Whether duplicate nodes were counted.
    pub(crate) fn is_explained(&self) -> bool {
        self.split.duplicate_nodes.is_some()
    }
}

/// What tells the contenders of a folder apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Who {
    /// The study's name for it; none in other experiments.
    pub(crate) variant: Option<String>,
    #[serde(default)]
    pub(crate) algorithm: String,
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) table_use: String,
    pub(crate) ordering: String,
    #[serde(default)]
    pub(crate) history: String,
    pub(crate) threads: usize,
}

/// The method of one of several independent searches at once.
pub(crate) const CEILING: &str = "ceiling";

impl Who {
    /// How many searches one of its turns takes.
    fn searches(&self) -> usize {
        if self.method == CEILING { self.threads } else { 1 }
    }
}

/// A line of `samples.jsonl`.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    index: usize,
    position: String,
    #[serde(flatten)]
    who: Who,
    copy: Option<usize>,
    repeat: usize,
    #[serde(flatten)]
    run: Recorded,
    /// Only in lines of virtual processors.
    simulated: Option<Value>,
    expected: Option<Score>,
    error: Option<String>,
}

/// Whose turn, at which position from 0, in which round from 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) who: Who,
    pub(crate) position: usize,
    pub(crate) round: usize,
}

/// The searches of one turn: one, or those that ran at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    /// By their copies' numbers, as they were recorded.
    pub(crate) searches: Vec<Recorded>,
    /// What was wrong with them.
    pub(crate) errors: Vec<String>,
    /// The position in the game's notation.
    pub(crate) position: String,
}

impl Turn {
    /// Whether duplicate nodes were counted.
    pub(crate) fn is_explained(&self) -> bool {
        self.searches.iter().any(Recorded::is_explained)
    }

    /// Whether every search of `who`'s turn is there.
    pub(crate) fn is_complete(&self, who: &Who) -> bool {
        self.searches.len() == who.searches()
    }
}

/// The turns of the lines, in their order, be they complete or not.
///
/// # Errors
/// When a line is not one of a real search in a suite of so many `positions`, or is there twice, or `check` complains of
/// whose it is, or the lines disagree about a position's name.
pub(crate) fn turns(
    lines: &[String],
    positions: usize,
    check: impl Fn(&Who) -> Result<(), String>,
) -> Result<Vec<(Place, Turn)>, String> {
    let mut turns: Vec<(Place, Turn)> = Vec::new();
    let mut numbers = BTreeMap::new();
    let mut copies = BTreeSet::new();
    let mut names = vec![String::new(); positions];
    for (number, text) in (1..).zip(lines) {
        let complain = |error: String| format!("expected a real search in line {number} ({error})");
        let line: Line = serde_json::from_str(text).map_err(|error| complain(error.to_string()))?;
        let place = check(&line.who).and_then(|()| line.place(positions)).map_err(complain)?;
        if !copies.insert((place.clone(), line.copy)) {
            return Err(complain("the same run was there before".to_owned()));
        }
        writer::name(&mut names[place.position], &line.position)?;
        let turn = *numbers.entry(place.clone()).or_insert_with(|| {
            turns.push((place, Turn::default()));
            turns.len() - 1
        });
        let turn = &mut turns[turn].1;
        turn.errors.extend(line.fault());
        turn.position = line.position;
        turn.searches.push(line.run);
    }
    Ok(turns)
}

impl Line {
    /// What is wrong with the search. A study's variants may be free to find other values.
    fn fault(&self) -> Option<String> {
        let score = self.run.score.filter(|_| self.who.variant.is_none());
        self.error.clone().or_else(|| other_score(score?, self.expected?))
    }

    fn place(&self, positions: usize) -> Result<Place, String> {
        if self.simulated.is_some() {
            return Err("it is simulated".to_owned());
        }
        match (self.index.checked_sub(1), self.repeat.checked_sub(1)) {
            (Some(position), Some(round)) if position < positions => {
                self.run.check()?;
                Ok(Place { who: self.who.clone(), position, round })
            }
            _ => Err(format!("index {} of {positions}, repeat {}", self.index, self.repeat)),
        }
    }
}
