//! What a search chose where its options left it the choice.

/// What a search did at its end where its options left it the choice. Of a parallel search, what the calling
/// thread did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chosen {
    /// The least depth of chance nodes that used the table; `None` where none did.
    pub chance_table_depth: Option<u8>,
    /// The least depth of decision nodes that did.
    pub decision_table_depth: Option<u8>,
    /// Whether the table kept static evaluations.
    pub remembers_evaluations: bool,
    /// What an evaluation costs, in nanoseconds, as its evaluator declares.
    pub evaluation_ns: u64,
    /// The least depth of a node whose successors were split among threads; `None` in a serial search.
    pub split_depth: Option<u8>,
    /// The least size, in nodes, of a search that was; `None` in a serial search.
    pub split_size: Option<u64>,
    /// The depths below 8 at which moves were ranked by static evaluation.
    pub statically_ranked: Vec<u8>,
}
