//! The choices of a search that its options left open.

/// A search's own choices, at its end, where its options left them open. For a parallel search: those of
/// the calling thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TunedSettings {
    /// The least depth of chance nodes that used the table; `None` if none did.
    pub chance_table_depth: Option<u8>,
    /// The least depth of decision nodes that used the table; `None` if none did.
    pub decision_table_depth: Option<u8>,
    /// Whether the table held static evaluations.
    pub remembers_evaluations: bool,
    /// The cost of an evaluation that the search went by, in nanoseconds.
    pub evaluation_ns: u64,
    /// Whether that was taken for granted: the evaluator declares [no
    /// cost](crate::evaluator::EvaluatorFacts::cost).
    pub evaluation_assumed: bool,
    /// The cost of a successor that the search went by, in nanoseconds.
    pub successor_ns: u64,
    /// Whether nothing was known of that: the game declares [no
    /// cost](crate::game::GameFacts::successor_ns).
    pub successors_assumed: bool,
    /// The least depth of a node that was split among threads; `None` in a serial search.
    pub split_depth: Option<u8>,
    /// The least size, in nodes, of a search that was split; `None` in a serial search.
    pub split_size: Option<u64>,
    /// The depths below 8 at which moves were ranked by static evaluation.
    pub statically_ranked: Vec<u8>,
    /// The depths of chance nodes whose successors were asked for their
    /// [shares of a window](crate::search::Options::window_shares), 15 for all from there on.
    pub shares_asked: Vec<u8>,
}
