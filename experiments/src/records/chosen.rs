//! What a search chose for itself, as answers and records tell it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use starsplit::search::{
    Chosen as LibraryChosen, OrderingSample as LibraryOrdering, TableSample as LibrarySample,
};
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
    /// The least depth of a node whose successors were split among threads; none where none could be.
    pub split_depth: Option<u8>,
    /// The least size, in nodes, of a search that was.
    pub split_size: Option<u64>,
    /// The depths below 8 at which moves were ranked by static evaluation; none in older records.
    #[serde(default)]
    pub statically_ranked: Vec<u8>,
    /// From what it chose: samples of nodes near the leaves. No record has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub samples: Vec<TableSample>,
    /// The same of nodes whose moves were ranked in either way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub orderings: Vec<OrderingSample>,
}

/// What searches of nodes at one depth took whose moves were ranked by killers and history, and of others
/// whose moves were ranked by static evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderingSample {
    /// Their depth.
    pub depth: u8,
    /// How many searches there were of either.
    pub searches: [u64; 2],
    /// What they took together, in nanoseconds of the prices that the search reckons with.
    pub price_ns: [u64; 2],
}

/// What came of looking up a sample of nodes of one kind, or of evaluations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSample {
    /// Of what.
    pub of: String,
    /// How many were looked up.
    pub look_ups: u64,
    /// How many of them that settled.
    pub settled: u64,
    /// What the others then took, each, in nanoseconds of the prices that the search reckons with.
    pub price_ns: u64,
    /// What a look-up costs, in the same.
    pub look_up_ns: u64,
}

impl From<&LibraryChosen> for Chosen {
    fn from(chosen: &LibraryChosen) -> Self {
        Chosen {
            chance_table_depth: chosen.chance_table_depth,
            decision_table_depth: chosen.decision_table_depth,
            remember_evaluations: chosen.remembers_evaluations,
            evaluation_ns: chosen.evaluation_ns,
            split_depth: chosen.split_depth,
            split_size: chosen.split_size,
            statically_ranked: chosen.statically_ranked.clone(),
            samples: chosen.samples.iter().map(TableSample::from).collect(),
            orderings: chosen.orderings.iter().map(OrderingSample::from).collect(),
        }
    }
}

impl From<&LibraryOrdering> for OrderingSample {
    fn from(sample: &LibraryOrdering) -> Self {
        let LibraryOrdering { depth, searches, price_ns, .. } = *sample;
        OrderingSample { depth, searches, price_ns }
    }
}

impl From<&LibrarySample> for TableSample {
    fn from(sample: &LibrarySample) -> Self {
        let LibrarySample { look_ups, settled, price_ns, look_up_ns, .. } = *sample;
        TableSample { of: sample.of.to_owned(), look_ups, settled, price_ns, look_up_ns }
    }
}

impl Chosen {
    /// The same in a line, without the samples.
    pub fn text(&self) -> String {
        let from =
            |depth: Option<u8>| depth.map_or("never".to_owned(), |depth| format!("from depth {depth}"));
        let mut text = format!(
            "table at chance nodes {}, at decision nodes {}, for evaluations {}",
            from(self.chance_table_depth),
            from(self.decision_table_depth),
            if self.remember_evaluations { "always" } else { "never" }
        );
        let depths: Vec<_> = self.statically_ranked.iter().map(u8::to_string).collect();
        // Writing to a String does not fail.
        let _ = write!(text, "; moves ranked by evaluation at depths {}", depths.join(", "));
        if let (Some(depth), Some(size)) = (self.split_depth, self.split_size) {
            let _ = write!(text, "; splits from depth {depth} and {size} nodes");
        }
        text
    }
}

/// Writes what was chosen without the samples, which would make lines of records a tenth longer.
pub(super) fn without_samples<S: Serializer>(
    chosen: &Option<Chosen>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let short = |chosen: &Chosen| Chosen { samples: Vec::new(), orderings: Vec::new(), ..chosen.clone() };
    chosen.as_ref().map(short).serialize(serializer)
}
