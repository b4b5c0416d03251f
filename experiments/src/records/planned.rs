//! What a run is to leave.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a run is to leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Planned {
    /// Of how many positions there are to be lines; there only where they are of a suite's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// How many lines there are to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}
