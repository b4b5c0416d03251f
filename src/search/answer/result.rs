//! The result of a search.

use crate::evaluator::EvaluationError;
use crate::game::Step;
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{OffGrid, SearchTree, Stats, TunedSettings, WorkerStats};
use crate::search::request::{
    Limits, MAX_DEPTH, MAX_FULL_DEPTH, MAX_MOVE_SLOTS, MAX_PATH_LENGTH, OptionsError, SearchDepth,
};
use crate::search::tuning::Lanes;
use std::fmt;
use std::time::Duration;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// It reached the depth asked for.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The time limit was reached.
    Time,
    /// The stop flag was raised.
    Flag,
}

/// A move of a decision root with its own value, or with bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The bounds of its value, its reward included, for the root's player. Exact for as many of the best as
    /// are asked for, under [`Reuse::Exact`](crate::table::Reuse::Exact).
    pub bounds: Bounds,
    /// `bounds` in the game's units, for `Max`: the exact value, or the middle of the bounds.
    pub value: f64,
}

/// An outcome of a chance root with its own value: an answer of
/// [`SearchRequest::outcomes`](crate::SearchRequest::outcomes).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RootOutcome<M, O> {
    /// The outcome.
    pub outcome: O,
    /// Its weight. Its probability is this by the sum of all.
    pub weight: u32,
    /// The root's depth at which this is its value, the same for all outcomes; 0 where a limit ended the
    /// search before any.
    pub depth: u32,
    /// The bounds of its value, its reward included, for the root's player: exact, unless the depth is 0.
    pub bounds: Bounds,
    /// `bounds` in the game's units, for `Max`: the exact value; NaN where the depth is 0.
    pub value: f64,
    /// The principal variation after it; see [`SearchResult::pv`].
    pub pv: Vec<Step<M, O>>,
}

/// One completed iteration of iterative deepening.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Iteration<M, O> {
    /// Its depth.
    pub depth: u32,
    /// The root's bounds at this depth, for the root's player.
    pub bounds: Bounds,
    /// `bounds` in the game's units, for `Max`: the exact value, or the middle of the bounds.
    pub value: f64,
    /// At a decision root, a move with the root's value; the first of them if the moves were ranked.
    pub best_move: Option<M>,
    /// The principal variation; see [`SearchResult::pv`].
    pub pv: Vec<Step<M, O>>,
    /// The ranked moves of a decision root, if the options ask for them; see [`SearchResult::root_moves`].
    pub root_moves: Vec<RootMove<M>>,
    /// The nodes of all threads since the search began. A thread that is busy elsewhere tells of its own
    /// about once in a thousand.
    pub nodes: u64,
    /// The calling thread's counts since the search began. Those of helpers are in the result.
    pub stats: Stats,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// The bounds that an interrupted iteration had proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interrupted {
    /// Its depth.
    pub depth: u32,
    /// The root's bounds at that depth.
    pub bounds: Bounds,
}

/// The result of a search: its last completed iteration, its counts, and why it ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchResult<M, O> {
    /// The depth of the last completed iteration. 0 if there is none: then there is no value, only
    /// [`bounds`](SearchResult::bounds) and [`best_move`](SearchResult::best_move).
    pub depth: u32,
    /// The root's bounds at that depth, for the root's player. Without a completed iteration they are those
    /// of [`interrupted`](SearchResult::interrupted), at its depth, or the whole grid if no iteration had
    /// begun.
    pub bounds: Bounds,
    /// `bounds` in the game's units, for `Max`: the exact value, or the middle of the bounds. NaN without a
    /// completed iteration.
    pub value: f64,
    /// At a decision root, a move with the root's value; the first of them if the moves were ranked. Without
    /// a completed iteration it is a move to play, with no guarantee: the best that the first iteration
    /// tried, else the table move of an earlier search, else the first that the game gives.
    pub best_move: Option<M>,
    /// The principal variation: the best move at decision nodes, the likeliest outcome at chance nodes (the
    /// first of equals). It begins with [`best_move`](SearchResult::best_move) at a decision root and with an
    /// outcome at a chance root. Its last step is a move.
    ///
    /// Only the first move is guaranteed. The rest is legal play from the table, whose moves may come from
    /// searches to other depths. The line ends where the table has no move, so it is short if few nodes use
    /// the table (see [`Options::table_depth`](crate::search::Options::table_depth)), and it may differ
    /// between parallel searches. [`SearchRequest::pv`](crate::SearchRequest::pv) searches for the whole
    /// line.
    pub pv: Vec<Step<M, O>>,
    /// Every move of a decision root at [`depth`](SearchResult::depth), best first, equals in the game's
    /// order: as many as [`Options::root_ranking`](crate::search::Options::root_ranking) asks for with
    /// their values, the others with bounds. Empty at other roots, and where none are asked for. Like the
    /// root's value, the values and their order are the same for every algorithm, table, number of threads
    /// and schedule; the bounds of the others are not.
    pub root_moves: Vec<RootMove<M>>,
    /// The counts of all iterations and threads.
    pub stats: Stats,
    /// The search's own choices where its options left them open.
    pub chosen: TunedSettings,
    /// The lanes of each thread and the batches of evaluations, as the options ask for or as the search
    /// chose.
    pub lanes: Lanes,
    /// The part that was left out of the full game, if a smaller one was searched
    /// ([`GameFacts::left_out`](crate::game::GameFacts::left_out)). The value is exact for the smaller game.
    pub smaller_game: Option<String>,
    /// Wall time.
    pub elapsed: Duration,
    /// Whether other threads were called. Not before the search has lasted
    /// [a while](crate::search::Splits::helpers_after), and not while another search has their pool.
    pub had_helpers: bool,
    /// How long another search had the pool when this one wanted its threads. This one searched alone
    /// meanwhile.
    pub waited: Duration,
    /// Why the search ended.
    pub stopped_by: StopReason,
    /// The bounds that an interrupted iteration had proven.
    pub interrupted: Option<Interrupted>,
    /// The completed iterations, shallowest first.
    pub iterations: Vec<Iteration<M, O>>,
    /// The work of each worker of a parallel search, the calling thread's first. Empty after a serial search,
    /// and after one that ended before the helpers were called
    /// ([`Splits::helpers_after`](crate::search::Splits::helpers_after)). With
    /// [lanes](crate::search::Options::lanes), one entry for each lane that began. With a method that
    /// [uses the whole pool](crate::search::Method::uses_whole_pool), the calling thread only waits
    /// for the pool's workers.
    pub workers: Vec<WorkerStats>,
    /// The nodes of the last iteration, if [`Telemetry::tree`](crate::search::Telemetry::tree) asks for them.
    pub tree: Option<SearchTree<M, O>>,
}

impl<M, O> SearchResult<M, O> {
    /// Whether the value at [`depth`](SearchResult::depth) is exact.
    pub fn is_exact(&self) -> bool {
        self.depth > 0 && self.bounds.is_exact()
    }

    /// The score for the root's player, if it is exact.
    pub fn score(&self) -> Option<Score> {
        self.is_exact().then_some(self.bounds.lower)
    }

    /// Whether a limit other than the depth ended the search.
    pub fn was_stopped(&self) -> bool {
        self.stopped_by != StopReason::Depth
    }

    /// How many proven bounds contradicted others, in the table or from the game or the evaluator
    /// ([`TableCounts::contradictions`](crate::search::TableCounts::contradictions)). Above 0 under
    /// [`Reuse::Exact`](crate::table::Reuse::Exact), hash, game or evaluator break the contract (false hits
    /// aside). The value may then be wrong, whatever [`is_exact`](SearchResult::is_exact) says. 0 proves
    /// nothing.
    pub fn contradictions(&self) -> u64 {
        self.stats.table.contradictions
    }
}

/// One line: what was found, and how many contradictions there were.
impl<M: fmt::Debug, O> fmt::Display for SearchResult<M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchResult { depth, value, stats, .. } = self;
        let is_exact = if self.is_exact() { "exact" } else { "not exact" };
        match *depth {
            0 => f.write_str("depth 0: no value")?,
            depth => write!(f, "depth {depth}: value {value}")?,
        }
        write!(f, " ({is_exact}, {})", stats.table.contradictions_text())?;
        if let Some(best) = &self.best_move {
            write!(f, ", best move {best:?}")?;
        }
        write!(f, ", {} nodes", stats.nodes.total())
    }
}

/// Why a search failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The options do not fit together.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The depth is out of range.
    #[error("depth {found}: expected 1 to {MAX_DEPTH}")]
    Depth {
        /// The depth asked for.
        found: u32,
    },
    /// A search to the end of a game without a bound for its length.
    #[error("to the end: full_depth is None, so play may never end")]
    Endless,
    /// A search to the end of a game that is too long.
    #[error("to the end, {found} plies off: expected at most {MAX_FULL_DEPTH}")]
    FullDepth {
        /// The root's full depth.
        found: u32,
    },
    /// A search to the end came to a position that is no end after as many plies as the game may last.
    #[error("a position that is no end, after the full depth: expected a greater one")]
    NotTheEnd,
    /// The window is empty.
    #[error("window {} to {}: expected its first end below its second", .window.alpha, .window.beta)]
    Window {
        /// The window asked for.
        window: Window,
    },
    /// The weights of a chance node do not sum to a number from 1 to 2^32 - 1.
    #[error("a chance node with total weight {total}: expected 1 to {}", u32::MAX)]
    TotalWeight {
        /// The sum of the weights.
        total: u64,
    },
    /// An outcome has weight 0.
    #[error("an outcome of weight 0: expected at least 1")]
    ZeroWeight,
    /// The game or the evaluator gave a value beyond the game's range, or one that is not a number, and
    /// neither [saturates](crate::game::GameFacts::saturates). A search that prunes may miss such a value;
    /// the test kit looks for them.
    #[error(transparent)]
    OffGrid(#[from] OffGrid),
    /// A decision node has no moves.
    #[error("a decision node without moves: expected at least one, or a terminal")]
    NoMoves,
    /// A line of play has more than [`MAX_PATH_LENGTH`] moves and outcomes, or
    /// than twice [`MAX_FULL_DEPTH`] in a search to the end. A chain of steps without a ply
    /// ([`Steps::plies`](crate::game::Steps::plies)) may never end.
    #[error(
        "a line of more than {MAX_PATH_LENGTH} moves and outcomes: expected that no endless chain of them \
         takes no ply"
    )]
    PathLength,
    /// The game has too many move slots.
    #[error("move_slots {found}: expected at most {MAX_MOVE_SLOTS}")]
    MoveSlots {
        /// The game's number.
        found: usize,
    },
    /// The system refused memory, threads or stacks.
    #[error("{what}: the system refused {message}")]
    Refused {
        /// Their purpose, such as `threads 8`.
        what: String,
        /// The refused resource, and the system's words.
        message: String,
    },
    /// The evaluator returned an error.
    #[error("the evaluator failed: {0}")]
    Evaluation(#[from] EvaluationError),
    /// The game, the evaluator or a callback panicked.
    #[error("the game, the evaluator or a callback panicked: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
}

/// Checks the limits of a search.
pub(crate) fn check_limits(limits: &Limits) -> Result<(), SearchError> {
    match limits.depth {
        SearchDepth::Plies(1..=MAX_DEPTH) | SearchDepth::ToTheEnd => Ok(()),
        SearchDepth::Plies(found) => Err(SearchError::Depth { found }),
    }
}
