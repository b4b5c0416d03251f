//! What a line says of a search on virtual processors beside what it says of any.

use crate::records::workers::WorkerSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit::simulate::CostModel;
use std::fmt;

/// What marks a line as simulated, and what only a simulated search has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimulatedPart {
    /// The cost model's name.
    pub model: String,
    /// What events cost.
    pub costs: EventCosts,
    /// The seed of the schedule; none for a serial search, which has one schedule.
    pub seed: Option<u64>,
    /// How many events were charged.
    pub events: u64,
    /// The search's longest chain of work, where it has split points.
    pub span_ns: Option<u64>,
    /// How what the workers did is spread; none for a serial search.
    pub workers: Option<WorkerSpread>,
}

/// What events cost on a virtual processor, in the form of records and files: see
/// [`CostModel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct EventCosts {
    /// A node visited.
    pub node: u32,
    /// A static evaluation.
    pub evaluation: u32,
    /// A look-up in the table, or a store.
    pub table: u32,
    /// A look whether the work still matters.
    pub poll: u32,
    /// A split point made.
    pub split: u32,
    /// A ticket stolen.
    pub steal: u32,
    /// A look for work in vain.
    #[serde(alias = "failed-steal")]
    pub failed_steal: u32,
    /// Waking a worker, for the one that wakes it; 0 in earlier records.
    #[serde(default)]
    pub wake: u32,
    /// From then until it runs; 0 in earlier records.
    #[serde(default, alias = "wake-latency")]
    pub wake_latency: u32,
}

impl From<CostModel> for EventCosts {
    fn from(model: CostModel) -> Self {
        let CostModel { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency } =
            model;
        EventCosts { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency }
    }
}

impl From<EventCosts> for CostModel {
    fn from(costs: EventCosts) -> Self {
        let EventCosts { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency } =
            costs;
        CostModel { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency }
    }
}

impl EventCosts {
    /// Every cost with its key on command lines.
    pub fn named(&mut self) -> [(&'static str, &mut u32); 9] {
        let EventCosts { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency } =
            self;
        [
            ("node", node),
            ("evaluation", evaluation),
            ("table", table),
            ("poll", poll),
            ("split", split),
            ("steal", steal),
            ("failed-steal", failed_steal),
            ("wake", wake),
            ("wake-latency", wake_latency),
        ]
    }
}

impl fmt::Display for EventCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut costs = *self;
        let costs = costs.named().map(|(key, cost)| format!("{} {cost}", key.replace('-', " ")));
        f.write_str(&costs.join(", "))
    }
}

/// How the workers of a search differ. Times are in virtual nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerSpread {
    /// Searching.
    pub busy_ns: Range,
    /// Without work.
    pub idle_ns: Range,
    /// Looking into the others' queues.
    pub stealing_ns: Range,
}

impl WorkerSpread {
    /// How these workers differ.
    pub fn of(workers: &WorkerSummary) -> Self {
        let range = |list: &Option<Vec<u64>>| list.as_deref().map(Range::of).unwrap_or_default();
        WorkerSpread {
            busy_ns: Range::of(&workers.busy_ns),
            idle_ns: range(&workers.idle_ns),
            stealing_ns: range(&workers.stealing_ns),
        }
    }
}

/// The least, the middle (of two there the lower) and the greatest of the workers' figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// The least.
    pub min: u64,
    /// The middle one.
    pub median: u64,
    /// The greatest.
    pub max: u64,
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
