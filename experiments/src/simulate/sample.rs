//! What a record keeps of a simulated search, and how it is read back.

use crate::analysis::efforts::Effort;
use crate::records::measured::Measured;
use crate::records::recorded::Recorded;
use crate::records::recorded::other_score;
use crate::records::workers::Crew;
use crate::simulate::model::{Costs, Model};
use crate::simulate::span::WorkAndSpan;
use serde::{Deserialize, Serialize};
use starsplit::score::Score;
use std::collections::BTreeMap;

/// What marks a line of `samples.jsonl` as simulated, and what only a simulated search has.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Marks<'a> {
    /// The cost model's name.
    model: &'a str,
    /// What events cost.
    costs: Costs,
    /// The seed of the schedule; none for a serial search, which has one schedule.
    seed: Option<u64>,
    #[serde(flatten)]
    clocked: Clocked,
    /// How what the workers did is spread; none for a serial search.
    workers: Option<Workers>,
}

/// What only a simulated search is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Clocked {
    /// How many events were charged.
    pub(super) events: u64,
    /// The search's longest chain of work, where it has split points.
    pub(super) span_ns: Option<u64>,
}

/// How the workers of a search differ. Times are in virtual nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Workers {
    /// Searching.
    busy_ns: Range,
    /// Without work.
    idle_ns: Range,
    /// Looking into the others' queues.
    stealing_ns: Range,
}

/// The least, the middle (of two there the lower) and the greatest of the workers' figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Range {
    /// The least.
    min: u64,
    /// The middle one.
    median: u64,
    /// The greatest.
    max: u64,
}

impl Range {
    fn of(figures: &[u64]) -> Self {
        let mut sorted = figures.to_vec();
        sorted.sort_unstable();
        let at = |place: usize| sorted.get(place).copied().unwrap_or_default();
        let last = sorted.len().saturating_sub(1);
        Range { min: at(0), median: at(last / 2), max: at(last) }
    }
}

impl Workers {
    fn of(crew: &Crew) -> Self {
        let range = |list: &Option<Vec<u64>>| list.as_deref().map(Range::of).unwrap_or_default();
        Workers {
            busy_ns: Range::of(&crew.busy_ns),
            idle_ns: range(&crew.idle_ns),
            stealing_ns: range(&crew.stealing_ns),
        }
    }
}

impl<'a> Marks<'a> {
    /// Those of a search under `model` whose workers' lists are taken out of `measured`: a thousand workers would fill a
    /// line of a hundred kilobytes.
    pub(super) fn taking(
        model: &'a Model,
        seed: Option<u64>,
        clocked: Clocked,
        measured: &mut Measured,
    ) -> Self {
        let processors = measured.workers.as_ref().map_or(1, |crew| crew.busy_ns.len());
        let workers = measured.workers.take().map(|crew| Workers::of(&crew));
        Marks { model: &model.name, costs: model.on(processors), seed, clocked, workers }
    }
}

/// What tells simulated searches of one folder apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The position's place in its suite, from 1.
    pub(super) index: usize,
    pub(super) costs: Costs,
    pub(super) method: String,
    pub(super) ordering: String,
    pub(super) processors: usize,
    pub(super) seed: Option<u64>,
}

/// A line of `samples.jsonl`, as far as the report asks.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Kept {
    index: usize,
    /// The position in the game's notation.
    pub(super) position: String,
    method: String,
    ordering: String,
    threads: usize,
    /// All times are virtual.
    #[serde(flatten)]
    pub(super) run: Recorded,
    simulated: Simulated,
    expected: Option<Score>,
    error: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Simulated {
    model: String,
    costs: Costs,
    seed: Option<u64>,
    #[serde(flatten)]
    clocked: Clocked,
}

/// Reads the lines of a folder.
///
/// # Errors
/// When one of them is not of a simulated search, or of one that was there before.
pub(super) fn read(lines: &[String]) -> Result<BTreeMap<Key, Kept>, String> {
    let mut all = BTreeMap::new();
    for (number, line) in (1..).zip(lines) {
        let complain =
            |error| format!("expected a simulated search in line {number} of its samples ({error})");
        let kept = Kept::read(line).map_err(|error| complain(error.to_string()))?;
        kept.run.check().map_err(complain)?;
        if all.insert(kept.key(), kept).is_some() {
            return Err(complain("the same search was there before".to_owned()));
        }
    }
    Ok(all)
}

impl Kept {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is not one of a simulated search.
    pub(super) fn read(line: &str) -> serde_json::Result<Self> {
        serde_json::from_str(line)
    }

    /// What is wrong with the search.
    pub(super) fn fault(&self) -> Option<String> {
        self.error.clone().or_else(|| other_score(self.run.score?, self.expected?))
    }

    /// The cost model's name.
    pub(super) fn model(&self) -> &str {
        &self.simulated.model
    }

    pub(super) fn key(&self) -> Key {
        Key {
            index: self.index,
            costs: self.simulated.costs,
            method: self.method.clone(),
            ordering: self.ordering.clone(),
            processors: self.threads,
            seed: self.simulated.seed,
        }
    }

    /// What its events cost.
    pub(super) fn costs(&self) -> Costs {
        self.simulated.costs
    }

    pub(super) fn events(&self) -> u64 {
        self.simulated.clocked.events
    }

    /// Its work and its span, where it has one.
    pub(super) fn work_and_span(&self) -> Option<WorkAndSpan> {
        let span = self.simulated.clocked.span_ns? as f64 / 1e9;
        Some(WorkAndSpan { work: Effort::of(&self.run).busy, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_told_by_their_least_middle_and_greatest() {
        assert_eq!(Range::of(&[5, 1, 9, 3]), Range { min: 1, median: 3, max: 9 });
        assert_eq!(Range::of(&[4]), Range { min: 4, median: 4, max: 4 });
        assert_eq!(Range::of(&[]), Range::default());
    }
}
