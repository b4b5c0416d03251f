//! What a search answers.

use crate::evaluator::EvaluationError;
use crate::game::Step;
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{BatchCounts, Chosen, OffGrid, Stats, WorkerStats};
use crate::search::request::{Limits, MAX_DEPTH, MAX_MOVE_SLOTS, MAX_PATH_LENGTH, OptionsError};
use crate::search::tuning::Lanes;
use std::fmt;
use std::time::Duration;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A move of a decision root with its own value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// What is proven of its value, its reward included, as the root's player sees it: under
    /// [`Reuse::Exact`](crate::search::Reuse::Exact) the value itself.
    pub bounds: Bounds,
    /// `bounds` in the game's units, as `Max` sees it: the value where the bounds meet, their middle
    /// otherwise.
    pub value: f64,
}

/// One completed iteration of iterative deepening.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<M, O> {
    /// The depth it searched to.
    pub depth: u32,
    /// What it proved of the root's value.
    pub bounds: Bounds,
    /// At a decision root, a move whose own value equals the root's; where the moves were ranked, the first
    /// of them.
    pub best_move: Option<M>,
    /// The principal line; see [`SearchResult::line`].
    pub line: Vec<Step<M, O>>,
    /// The ranked moves of a decision root, where they were asked for; see [`SearchResult::root_moves`].
    pub root_moves: Vec<RootMove<M>>,
    /// What the calling thread has counted since the search began; those of helping threads are in the
    /// result.
    pub stats: Stats,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// What the interrupted iteration of a stopped search had proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// The depth it was searching to.
    pub depth: u32,
    /// What was proven of the root's value at that depth.
    pub bounds: Bounds,
}

/// The answer of a search: the last completed iteration, what was counted, and why it ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchResult<M, O> {
    /// The depth of the last completed iteration; 0 when none was completed. Then there is no value, but
    /// [`bounds`](SearchResult::bounds) and [`best_move`](SearchResult::best_move) tell what there is.
    pub depth: u32,
    /// What is proven of the root's value at that depth, as the root's player sees it. Where no iteration was
    /// completed, what the first one had proven of the value at its own depth: the bounds of
    /// [`interrupted`](SearchResult::interrupted); all that the game allows, where not even that one had
    /// begun.
    pub bounds: Bounds,
    /// `bounds` in the game's units, as `Max` sees it: the value where the bounds meet, their middle
    /// otherwise.
    pub value: f64,
    /// At a decision root, a move whose own value equals the root's; where the moves were ranked, the first
    /// of them. Where no iteration was completed, a move to play all the same, of which nothing is promised:
    /// the best of those that the first one had tried; where it had tried none, the first in order that takes
    /// no evaluation (the table's of an earlier search, or the first that the game gives).
    pub best_move: Option<M>,
    /// The principal line: at decision nodes the best move, at chance nodes the likeliest outcome (of equals
    /// the first that the game gives). It begins with [`best_move`](SearchResult::best_move) at a decision
    /// root and with an outcome at a chance root, and its last step is a move.
    ///
    /// The first move is promised. Beyond it the line is legal play and advice: the table's moves, which it
    /// may have forgotten, or kept from a search to another depth. It ends where the table knows no move, so
    /// it is short where few nodes use the table (see
    /// [`Options::table_depth`](crate::search::Options::table_depth)), and it may differ from one parallel
    /// search to the next. [`Searcher::line`](crate::Searcher::line) searches for the whole of it.
    pub line: Vec<Step<M, O>>,
    /// Every move of a decision root with its own value at [`depth`](SearchResult::depth), best first, equals
    /// in the order in which the game gives them. Empty at other roots, and unless
    /// [`Options::rank_root_moves`](crate::search::Options::rank_root_moves) asks for it. Like the root's
    /// value it is the same whatever the algorithm, the table, the number of threads and the schedule.
    pub root_moves: Vec<RootMove<M>>,
    /// What was counted, over all iterations and threads.
    pub stats: Stats,
    /// What the search chose where its options left it the choice.
    pub chosen: Chosen,
    /// The batches in which evaluations were made; none without [lanes](crate::search::Options::lanes).
    pub batches: BatchCounts,
    /// How many lanes each thread had, and what a call took at the most: what the options ask for, or what
    /// the search chose where they leave it the choice.
    pub lanes: Lanes,
    /// What was left out of the full game, where a [smaller](crate::smaller) one was searched
    /// ([`GameFacts::left_out`](crate::game::GameFacts::left_out)): the value is exact of that one.
    pub smaller_game: Option<String>,
    /// Wall time.
    pub elapsed: Duration,
    /// Why the search ended.
    pub stopped_by: StopReason,
    /// What the iteration that was interrupted, if one was, had proven.
    pub interrupted: Option<Interrupted>,
    /// The completed iterations, shallowest first.
    pub iterations: Vec<Iteration<M, O>>,
    /// What each worker of a parallel search did, the calling thread's first; empty after a serial one, and
    /// after one that was over before the others were called
    /// ([`Options::helpers_after`](crate::search::Options::helpers_after)). Of lanes
    /// ([`Options::lanes`](crate::search::Options::lanes)) those that have begun. With
    /// a method that uses the whole pool
    /// ([`uses_whole_pool`](crate::search::MethodProperties::uses_whole_pool)) the calling thread only waits
    /// for those of the pool.
    pub workers: Vec<WorkerStats>,
}

impl<M, O> SearchResult<M, O> {
    /// Whether the value is known exactly at [`depth`](SearchResult::depth).
    pub fn is_exact(&self) -> bool {
        self.depth > 0 && self.bounds.is_exact()
    }

    /// The score where it is known exactly.
    pub fn score(&self) -> Option<Score> {
        self.is_exact().then_some(self.bounds.lower)
    }

    /// Whether a limit other than the depth ended the search.
    pub fn was_stopped(&self) -> bool {
        self.stopped_by != StopReason::Depth
    }

    /// How many proofs the table was told, or the game or the evaluator offered, that contradict others
    /// ([`TableCounts::contradictions`](crate::search::TableCounts::contradictions)). Where it is not 0 under
    /// [`Reuse::Exact`](crate::search::Reuse::Exact), hash, game or evaluator break the contract (false hits
    /// aside), and the value may be wrong, whatever [`is_exact`](SearchResult::is_exact) says. 0 proves
    /// nothing.
    pub fn contradictions(&self) -> u64 {
        self.stats.table.contradictions
    }
}

/// One line: what was found, and whether proofs contradicted each other.
impl<M: fmt::Debug, O> fmt::Display for SearchResult<M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchResult { depth, value, stats, .. } = self;
        let is_exact = if self.is_exact() { "exact" } else { "not exact" };
        write!(f, "depth {depth}: value {value} ({is_exact}, {})", stats.table.contradictions_text())?;
        if let Some(best) = &self.best_move {
            write!(f, ", best move {best:?}")?;
        }
        write!(f, ", {} nodes", stats.nodes.total())
    }
}

/// Why a search could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The options do not fit together.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A depth that cannot be searched.
    #[error("depth {found}: expected 1 to {MAX_DEPTH}")]
    Depth {
        /// The depth asked for.
        found: u32,
    },
    /// A window that nothing lies in.
    #[error("window {} to {}: expected its first end below its second", .window.alpha, .window.beta)]
    Window {
        /// The window asked for.
        window: Window,
    },
    /// The game gave a chance node whose weights do not sum to 1 to 2^32 - 1.
    #[error("a chance node with total weight {total}: expected 1 to {}", u32::MAX)]
    TotalWeight {
        /// The sum of the weights.
        total: u64,
    },
    /// The game gave a chance node with an outcome of weight 0.
    #[error("an outcome of weight 0: expected at least 1")]
    ZeroWeight,
    /// The game or the evaluator gave a value beyond the game's range, or none, and neither declares that it
    /// [saturates](crate::game::GameFacts::saturates). A search that prunes need not meet it; the test kit
    /// looks for such values.
    #[error("{0}")]
    OffGrid(OffGrid),
    /// The game gave a decision node without moves.
    #[error("a decision node without moves: expected at least one, or a terminal")]
    NoMoves,
    /// A line of play has more moves and outcomes than [`MAX_PATH_LENGTH`], as where a chain of them that
    /// takes no ply ([`Steps::plies`](crate::game::Steps::plies)) never ends.
    #[error(
        "a line of more than {MAX_PATH_LENGTH} moves and outcomes: expected that no endless chain of them \
         takes no ply"
    )]
    PathLength,
    /// The game has too many move slots.
    #[error("move_slots {found}: expected at most {MAX_MOVE_SLOTS}")]
    MoveSlots {
        /// How many the game has.
        found: usize,
    },
    /// The system has no memory for what a thread learns of the game's move slots.
    #[error("move_slots {slots}: the system refused the memory for them")]
    Memory {
        /// How many the game has.
        slots: usize,
    },
    /// The system started fewer threads than were asked for.
    #[error("threads {found}: the system refused to start them: {message}")]
    Threads {
        /// The number asked for.
        found: usize,
        /// The size of their stacks, and what the system said.
        message: String,
    },
    /// The system refused the stacks of virtual processors.
    #[error("{found} virtual processors: the system refused a stack of {mib} MiB for each: {message}")]
    Stacks {
        /// How many processors there were to be.
        found: usize,
        /// The size of a stack, in MiB.
        mib: usize,
        /// What the system said.
        message: String,
    },
    /// The system refused to start the thread of a device.
    #[error("a thread for the device: the system refused to start it: {message}")]
    Device {
        /// What the system said.
        message: String,
    },
    /// The system refused the stacks of lanes.
    #[error("{found} lanes: the system refused a stack of {mib} MiB for each: {message}")]
    Lanes {
        /// How many lanes there were to be, on all threads.
        found: usize,
        /// The size of a stack, in MiB.
        mib: usize,
        /// What the system said.
        message: String,
    },
    /// The evaluator said that it could not evaluate.
    #[error("the evaluator failed: {0}")]
    Evaluation(#[from] EvaluationError),
    /// The game, the evaluator or a callback panicked.
    #[error("the game, the evaluator or a callback panicked: {message}")]
    Panicked {
        /// What the panic said.
        message: String,
    },
}

/// Whether a search can have these limits.
pub(crate) fn check_limits(limits: &Limits) -> Result<(), SearchError> {
    match limits.depth {
        1..=MAX_DEPTH => Ok(()),
        found => Err(SearchError::Depth { found }),
    }
}
