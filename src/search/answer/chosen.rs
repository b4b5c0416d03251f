//! What a search chose where its options left it the choice.

/// What a search did at its end where its options left it the choice, and from what it chose. Of a parallel
/// search, what the calling thread did.
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
    /// What the samples of the nodes near the leaves said, of each kind that was left to the search.
    pub samples: Vec<TableSample>,
    /// The depths below 8 at which moves were ranked by static evaluation.
    pub statically_ranked: Vec<u8>,
    /// What the samples of nodes said that were ranked in either way, by depth, as far as there were enough.
    pub orderings: Vec<OrderingSample>,
}

/// What searches of nodes at one depth took whose moves were ranked by killers and history, and of as many
/// others whose moves were ranked by static evaluation. Old searches count less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrderingSample {
    /// Their depth.
    pub depth: u8,
    /// How many searches there were of either.
    pub searches: [u64; 2],
    /// What they took together, in nanoseconds of the prices that the search reckons with.
    pub price_ns: [u64; 2],
}

/// What came of looking up a sample of nodes of one kind, or of evaluations. Old look-ups count less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableSample {
    /// Of what.
    pub of: &'static str,
    /// How many were looked up.
    pub look_ups: u64,
    /// How many of them that settled.
    pub settled: u64,
    /// What the others then took, each, in nanoseconds of the prices that the search reckons with.
    pub price_ns: u64,
    /// What a look-up costs, in the same.
    pub look_up_ns: u64,
}
