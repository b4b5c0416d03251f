//! What is kept of one search: what it found and what it cost.

use crate::question::door::Answer;
use crate::question::tables::TWO_SIDED;
use crate::records::chosen::Chosen;
use crate::records::workers::WorkerSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit::score::{Grid, Score};
use starsplit::search::{BatchCounts, Iteration, Options, Stats};
use starsplit_tables::{AnyTable, ChainTable, Scheme};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a search found and what it cost, as a record keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Measured {
    /// Wall time of the whole search, threads woken and joined, in nanoseconds.
    pub wall_ns: u64,
    /// How long processors ran its threads meanwhile, in nanoseconds; none where the system does not tell, in
    /// earlier lines, and where times are virtual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ns: Option<u64>,
    /// For how long the host of a virtual machine has kept the processors that the process may use for others
    /// in this turn, summed over them, in nanoseconds, of which one tick may be of before; none where
    /// `cpu_ns` is none, and outside Linux.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stolen_ns: Option<u64>,
    /// Every entry into a node, over all iterations and threads.
    pub nodes: u64,
    /// Entries into decision nodes.
    pub decision_nodes: u64,
    /// Entries into chance nodes.
    pub chance_nodes: u64,
    /// Entries into leaves: depth 0 and terminals.
    pub leaves: u64,
    /// Static evaluations, for leaves and for ordering.
    pub evaluations: u64,
    /// Table look-ups of successors by successor probing.
    pub successor_probes: u64,
    /// Successors probed in the probing phase.
    pub star2_probes: u64,
    /// Chance nodes that stood for all their leaves; this and the next three are none in lines from before
    /// they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collapsed: Option<u64>,
    /// Chance nodes settled by the game's static bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub static_cutoffs: Option<u64>,
    /// Table look-ups of a decision node's successors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_probes: Option<u64>,
    /// Searches of decision nodes at less depth, for the move to try first; in lines only from when there
    /// were such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_iterations: Option<u64>,
    /// How chance nodes ended that Star2 searched in phases; empty in older lines.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ends: BTreeMap<String, u64>,
    /// What happened at the table.
    pub table: BTreeMap<String, u64>,
    /// What happened between threads: splits, steals, aborts. Duplicate nodes are there only where they were
    /// counted.
    pub split: BTreeMap<String, u64>,
    /// The time that threads searched, summed over them, in nanoseconds; none for a serial search.
    pub busy_ns: Option<u64>,
    /// The time that they were without work, between two looks for some; this and the next two are none where
    /// the method does not clock them.
    pub idle_ns: Option<u64>,
    /// The time that they looked into the others' queues.
    pub stealing_ns: Option<u64>,
    /// The time that they slept.
    pub parked_ns: Option<u64>,
    /// What each of them did; none for a serial search.
    pub workers: Option<WorkerSummary>,
    /// What it chose for itself; none in lines from before it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// The calls in which evaluations were made together; none where each was made alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
    /// What its table was, and what that kept; none of the library's own where nobody counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Kept>,
    /// The depth of the last completed iteration.
    pub completed_depth: u32,
    /// The value in the game's units, for the player who is about to roll or move; none unless exact.
    pub value: Option<f64>,
    /// The same as an integer on the grid.
    pub score: Option<Score>,
    /// The root is proven to be at least this.
    pub lower: Score,
    /// The root is proven to be at most this.
    pub upper: Score,
    /// Whether a limit or Ctrl-C ended the search before its depth.
    pub stopped: bool,
    /// The completed iterations, shallowest first.
    pub iterations: Vec<IterationCost>,
}

/// The calls in which a search in lanes made its evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Calls {
    /// How many lanes each thread had.
    pub lanes: usize,
    /// The most evaluations of a call.
    pub cap: usize,
    /// How many calls.
    pub calls: u64,
    /// How many evaluations they made.
    pub evaluations: u64,
}

impl Calls {
    /// How full they were in the mean.
    pub fn fill(&self) -> f64 {
        self.evaluations as f64 / (self.calls as f64 * self.cap as f64)
    }

    fn of(answer: &Answer) -> Option<Self> {
        let (lanes, BatchCounts { calls, evaluations, .. }) = (answer.lanes, answer.stats.batches);
        (calls > 0).then_some(Calls { lanes: lanes.lanes, cap: lanes.batch, calls, evaluations })
    }
}

/// A table, and what it kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// The scheme of replacement.
    pub scheme: String,
    /// What an entry tells.
    pub entries: String,
    /// Look-ups of what was stored before; none where nobody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_again: Option<u64>,
    /// Those that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_again: Option<u64>,
    /// What a table of chains is and has done: `rows`, `entries`, `bytes`, and what `ChainTable::counts` in
    /// `tables/src/chains.rs` counts, such as `passed`, the entries that look-ups passed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub chains: BTreeMap<String, u64>,
}

impl Kept {
    fn of(table: &AnyTable) -> Option<Self> {
        let retention = table.retention();
        (table.scheme() != Scheme::Buckets || retention.is_some()).then(|| Kept {
            scheme: table.scheme().name().to_owned(),
            entries: TWO_SIDED.to_owned(),
            asked_again: retention.map(|retention| retention.asked_again),
            found_again: retention.map(|retention| retention.found_again),
            chains: table.as_chains().map(chains).unwrap_or_default(),
        })
    }

    /// The share of look-ups for what was stored before that found it; none where nobody counted.
    pub fn share(&self) -> Option<f64> {
        let (asked, found) = (self.asked_again?, self.found_again?);
        (asked > 0).then(|| found as f64 / asked as f64)
    }

    /// How many entries look-ups in chains passed in the mean, and the share of the entries that a new one
    /// met and did not make give way; none of tables without chains.
    pub fn chain(&self) -> Option<[f64; 2]> {
        let count = |name: &str| self.chains.get(name).map(|&count| count as f64);
        let [passed, look_ups, lost, met] = ["passed", "look_ups", "lost", "met"].map(count);
        Some([passed? / look_ups?.max(1.0), 1.0 - lost? / met?.max(1.0)])
    }
}

/// What a table of chains is, and has done since it was cleared, by name.
pub fn chains(table: &ChainTable) -> BTreeMap<String, u64> {
    let plan = table.plan();
    let plan = [("rows", plan.rows), ("entries", plan.entries), ("bytes", plan.bytes)];
    table.counts().chain(plan).map(|(name, count)| (name.to_owned(), count)).collect()
}

/// One completed iteration; everything is counted since the search began, by the first of the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IterationCost {
    /// The depth it searched to.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
    /// Static evaluations.
    pub evaluations: u64,
    /// Time, in nanoseconds.
    pub wall_ns: u64,
}

impl Measured {
    /// The same with what the search's table was and kept.
    #[must_use]
    pub fn with_table(self, table: &AnyTable) -> Self {
        Measured { kept: Kept::of(table), ..self }
    }

    /// What `answer` says of a search under `options` that took `wall`, of a game with this grid.
    pub fn new(grid: Grid, options: &Options, answer: &Answer, wall: Duration) -> Self {
        let Stats { nodes, ends, table, split, .. } = answer.stats;
        let is_counted = |name: &str| options.telemetry.count_duplicates || name != "duplicate_nodes";
        let workers = WorkerSummary::new(options, &answer.workers, answer.elapsed)
            .map(|workers| workers.by_thread(answer.lanes.lanes));
        let sum = |list: &Vec<u64>| list.iter().sum();
        let total = |list: fn(&WorkerSummary) -> Option<&Vec<u64>>| workers.as_ref().and_then(list).map(sum);
        Measured {
            wall_ns: nanoseconds(wall),
            cpu_ns: None,
            stolen_ns: None,
            nodes: nodes.total(),
            decision_nodes: nodes.decision,
            chance_nodes: nodes.chance,
            leaves: nodes.leaf,
            evaluations: nodes.evaluations,
            successor_probes: nodes.successor_probes,
            star2_probes: nodes.star2_probes,
            collapsed: Some(nodes.collapsed),
            static_cutoffs: Some(nodes.static_cutoffs),
            move_probes: Some(nodes.move_probes),
            internal_iterations: None,
            ends: named(ends.named()),
            table: named(table.named()),
            split: named(split.named().filter(|(name, _)| is_counted(name))),
            busy_ns: total(|workers| Some(&workers.busy_ns)),
            idle_ns: total(|workers| workers.idle_ns.as_ref()),
            stealing_ns: total(|workers| workers.stealing_ns.as_ref()),
            parked_ns: total(|workers| workers.parked_ns.as_ref()),
            workers,
            chosen: Some(Chosen::from(&answer.chosen)),
            calls: Calls::of(answer),
            kept: None,
            completed_depth: answer.depth,
            value: answer.score().map(|score| grid.value(score)),
            score: answer.score(),
            lower: answer.bounds.lower,
            upper: answer.bounds.upper,
            stopped: answer.was_stopped(),
            iterations: steps(answer),
        }
    }

    /// How many proofs contradicted others: beside the value, evidence of what that is worth.
    pub fn contradictions(&self) -> u64 {
        self.table.get("contradictions").copied().unwrap_or(0)
    }

    /// Wall time in seconds.
    pub fn seconds(&self) -> f64 {
        self.wall_ns as f64 / 1e9
    }
}

fn named(counts: impl Iterator<Item = (&'static str, u64)>) -> BTreeMap<String, u64> {
    counts.map(|(name, count)| (name.to_owned(), count)).collect()
}

fn steps(answer: &Answer) -> Vec<IterationCost> {
    let step = |iteration: &Iteration<String, String>| IterationCost {
        depth: iteration.depth,
        nodes: iteration.stats.nodes.total(),
        evaluations: iteration.stats.nodes.evaluations,
        wall_ns: nanoseconds(iteration.elapsed),
    };
    answer.iterations.iter().map(step).collect()
}

/// A time as records have it.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
