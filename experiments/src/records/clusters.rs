//! A line of `clusters`.

use crate::records::line::RecordLine;
use crate::records::simulated::EventCosts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit::score::Score;

/// A SIMULATED search of one position on a cluster of machines, or on one machine beside it. All times are
/// virtual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClusterLine {
    /// The version of what is written (`SCHEMA`).
    pub schema: u32,
    /// The game.
    pub game: String,
    /// The place of the position in its suite, from 1.
    pub index: usize,
    /// The position in the game's notation.
    pub position: String,
    /// The depth asked for.
    pub depth: u32,
    /// What marks the line as simulated: the machines.
    pub simulated: MachineKind,
    /// Virtual processors of a machine.
    pub processors: usize,
    /// The cluster; none where one machine searches alone, without a planner.
    pub cluster: Option<ClusterPart>,
    /// How long the search took.
    pub virtual_ns: u64,
    /// What all processors did for it, stealing and looks for work left out.
    pub work_ns: u64,
    /// Nodes.
    pub nodes: u64,
    /// The value as an integer on the game's grid; none unless exact.
    pub score: Option<Score>,
    /// The score that it had to find, where one is known.
    pub expected: Option<Score>,
    /// What is wrong with it; one with an error is not to be used for anything.
    pub error: Option<String>,
}

/// What all machines are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MachineKind {
    /// The cost model's name.
    pub model: String,
    /// What events cost, in nanoseconds.
    pub costs: EventCosts,
    /// The seed of the schedules.
    pub seed: u64,
}

/// A cluster, and what only a search on one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClusterPart {
    /// Machines.
    pub machines: usize,
    /// How long a message is on its way.
    pub latency_ns: u64,
    /// What it costs its sender, and its receiver.
    pub message_ns: u64,
    /// Whether machines are told of bounds that others have proven.
    pub shares_bounds: bool,
    /// Tasks that wait at a machine beside the one at work.
    pub waiting: usize,
    /// The planner splits what is expected to take more nodes.
    pub split_above: u64,
    /// And into how many parts at least.
    pub parts: u32,
    /// How long machines had a task, added up.
    pub occupied_ns: u64,
    /// How long they had none.
    pub idle_ns: u64,
    /// The part of that in which messages about the last and the next were on their way.
    pub in_transit_ns: u64,
    /// How long the planner was busy with messages.
    pub planning_ns: u64,
    /// Messages.
    pub messages: u64,
    /// Tasks handed out.
    pub tasks: u64,
    /// Tasks stopped since they mattered no more.
    pub stopped: u64,
    /// Tasks begun anew in a narrower window.
    pub restarted: u64,
}

impl RecordLine for ClusterLine {
    fn schema(&self) -> u32 {
        self.schema
    }
}
