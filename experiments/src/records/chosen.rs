//! What a search chose for itself, as answers and records tell it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit::search::TunedSettings;
use std::fmt::Write;

/// What a search chose where its options left it the choice, at its end, and what its options said elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chosen {
    /// The least depth of chance nodes that used the table; none where none did.
    pub chance_table_depth: Option<u8>,
    /// The least depth of decision nodes that did.
    pub decision_table_depth: Option<u8>,
    /// Whether the table kept static evaluations.
    pub remember_evaluations: bool,
    /// What an evaluation costs, in nanoseconds, as its evaluator declares.
    pub evaluation_ns: u64,
    /// What a successor costs, in nanoseconds, as its game declares; none in older records.
    #[serde(default)]
    pub successor_ns: u64,
    /// Which of these two nobody declared: "evaluation", "successors".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// The least depth of a node whose successors were split among threads; none where none could be.
    pub split_depth: Option<u8>,
    /// The least size, in nodes, of a search that was.
    pub split_size: Option<u64>,
    /// The depths below 8 at which moves were ranked by static evaluation; none in older records.
    #[serde(default)]
    pub statically_ranked: Vec<u8>,
    /// The depths of chance nodes whose successors were asked for shares of a window; none in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares_asked: Vec<u8>,
}

impl From<&TunedSettings> for Chosen {
    fn from(chosen: &TunedSettings) -> Self {
        let assumed = [("evaluation", chosen.evaluation_assumed), ("successors", chosen.successors_assumed)];
        let assumed = assumed.into_iter().filter(|&(_, is_assumed)| is_assumed);
        Chosen {
            successor_ns: chosen.successor_ns,
            assumed: assumed.map(|(name, _)| name.to_owned()).collect(),
            chance_table_depth: chosen.chance_table_depth,
            decision_table_depth: chosen.decision_table_depth,
            remember_evaluations: chosen.remembers_evaluations,
            evaluation_ns: chosen.evaluation_ns,
            split_depth: chosen.split_depth,
            split_size: chosen.split_size,
            statically_ranked: chosen.statically_ranked.clone(),
            shares_asked: chosen.shares_asked.clone(),
        }
    }
}

impl Chosen {
    /// The same in a line.
    pub fn text(&self) -> String {
        let from =
            |depth: Option<u8>| depth.map_or("never".to_owned(), |depth| format!("from depth {depth}"));
        let mut text = format!(
            "table at chance nodes {}, at decision nodes {}, for evaluations {}",
            from(self.chance_table_depth),
            from(self.decision_table_depth),
            if self.remember_evaluations { "always" } else { "never" }
        );
        let listed = |depths: &[u8]| depths.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        // Writing to a String does not fail.
        let _ = write!(text, "; moves ranked by evaluation at depths {}", listed(&self.statically_ranked));
        if !self.shares_asked.is_empty() {
            let _ = write!(text, "; shares of windows asked for at depths {}", listed(&self.shares_asked));
        }
        if !self.assumed.is_empty() {
            let _ = write!(text, "; prices that nobody declared: {}", self.assumed.join(", "));
        }
        if let (Some(depth), Some(size)) = (self.split_depth, self.split_size) {
            let _ = write!(text, "; splits from depth {depth} and {size} nodes");
        }
        text
    }
}
