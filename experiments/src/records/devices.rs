//! A line of `devices`.

use crate::records::line::RecordLine;
use crate::records::simulated::EventCosts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit::score::Score;

/// A SIMULATED search of one position in lanes, with a device that evaluates for all of them. All times are
/// virtual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceLine {
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
    /// What marks the line as simulated: the machine.
    pub simulated: DeviceMachine,
    /// Virtual threads.
    pub threads: usize,
    /// Lanes on each.
    pub lanes: usize,
    /// The most evaluations of a call.
    pub batch: usize,
    /// How long the search took.
    pub virtual_ns: u64,
    /// What the threads did for it beside the device, stealing and looks for work left out.
    pub work_ns: u64,
    /// Nodes.
    pub nodes: u64,
    /// Static evaluations.
    pub evaluations: u64,
    /// Calls of the device.
    pub calls: u64,
    /// Tasks stolen.
    pub steals: u64,
    /// The value as an integer on the game's grid; none unless exact.
    pub score: Option<Score>,
    /// The score that it had to find, where one is known.
    pub expected: Option<Score>,
    /// What is wrong with it; one with an error is not to be used for anything.
    pub error: Option<String>,
}

/// A simulated machine with a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceMachine {
    /// The cost model's name.
    pub model: String,
    /// What events cost the threads, in nanoseconds; an evaluation: to ask the device for it.
    pub costs: EventCosts,
    /// What each call of the device takes.
    pub call_ns: u32,
    /// What each evaluation takes beside that.
    pub each_ns: u32,
    /// The seed of the schedule.
    pub seed: u64,
}

impl RecordLine for DeviceLine {
    fn schema(&self) -> u32 {
        self.schema
    }
}
