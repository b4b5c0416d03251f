//! The searches, one algorithm to a file, and what they share.
//!
//! | file | subject |
//! |---|---|
//! | `request/` | what a search is asked to do: options and limits |
//! | `answer/` | what it returns: the result, counts, the timeline |
//! | `deepening.rs`, `forecast.rs` | iterative deepening; the expected time of iterations |
//! | `recursion.rs` | the search of one node: leaf, decision node or chance node |
//! | `star2_tt.rs` | chance nodes: Star2 with transposition tables (Veness and Blair, Figure 4.1) |
//! | `star1.rs`, `star2.rs` | how a phase searches one successor: Ballard's Star1, and Star2's probes |
//! | `expectimax.rs` | Expectimax |
//! | `chance.rs`, `chance_node.rs`, `chance_sums.rs` | the phases; a chance node; its exact sums |
//! | `negamax.rs` | decision nodes: alpha-beta, serial and split |
//! | `above_leaves.rs` | decision nodes above leaves, and above chance nodes that collapse |
//! | `near_leaves.rs`, `collapse.rs` | fast paths there; chance nodes of one evaluation |
//! | `move_probing.rs` | enhanced transposition cutoffs at decision nodes |
//! | `moves.rs`, `ordering.rs`, `heuristics.rs` | moves on the path; move ordering; killers and history |
//! | `sibling_batcher.rs`, `ordering/sibling_batch.rs` | evaluations in batches |
//! | `descent.rs` | from a node to its successor and back: depth, reward, window, bounds |
//! | `reward.rs`, `plies.rs`, `live.rs` | rewards; plies; windows that narrow during a search |
//! | `static_bounds.rs` | bounds from the game and the evaluator |
//! | `evaluation.rs`, `breach.rs`, `panics.rs` | scores of leaves; values off the grid; panics as errors |
//! | `transposition.rs`, `keys.rs` | table probes and stores; keys and salts |
//! | `tuning/` | what the search chooses for itself |
//! | `worker.rs`, `setup.rs` | a worker's part of a search; the types of a search |
//! | `team_link.rs`, `sharing_policy.rs` | other workers; what is shared with them, and when |
//! | `deferral.rs` | successors that others are searching come last |
//! | `pace.rs`, `clock.rs` | polling |
//! | `control.rs`, `running.rs` | what all workers share; what the caller sees of it |
//! | `recording.rs`, `tree_log.rs` | a search recorded as a tree |
//! | `ranking.rs`, `pv.rs` | the root's moves with their values; principal variations |
//!
//! Every search of a node returns proven [`Bounds`](crate::score::Bounds), whether it ended by a cutoff,
//! completed, or was halted. A halted node returns only what it has proven so far, so no caller handles
//! halting as a special case.

mod above_leaves;
mod answer;
mod breach;
mod chance;
mod chance_node;
mod chance_sums;
mod clock;
mod collapse;
mod control;
mod deepening;
mod deferral;
pub(crate) mod descent;
mod evaluation;
mod expectimax;
mod forecast;
mod heuristics;
mod keys;
mod live;
mod move_probing;
mod moves;
mod near_leaves;
mod negamax;
mod node;
mod ordering;
mod pace;
pub(crate) mod panics;
mod plies;
mod pv;
mod ranking;
pub(crate) mod recording;
mod recursion;
mod request;
mod reward;
pub(crate) mod running;
mod setup;
mod share_phase;
mod shares;
mod sharing_policy;
mod sibling_batcher;
mod star1;
mod star2;
mod star2_tt;
mod static_bounds;
mod team_link;
pub(crate) mod transposition;
mod tree_log;
mod tuning;
mod worker;

pub use answer::{
    Activity, ActivitySpan, BatchCounts, ChanceEnds, Expectation, Histogram, Interrupted, Iteration,
    NodeCounts, OffGrid, PrincipalVariation, Proof, RootMove, RootOutcome, SearchError, SearchResult,
    SearchTree, SplitCounts, SplitKind, Stats, StopReason, TableCounts, TaskSpan, Timeline, Times, TreeEnd,
    TreeNode, TreePhase, TunedSettings, WorkerStats,
};
pub use request::{
    Algorithm, LaneOptions, Limits, MAX_BATCH, MAX_DEPTH, MAX_FULL_DEPTH, MAX_MOVE_SLOTS, MAX_PATH_LENGTH,
    MAX_THREADS, MAX_WORKERS, Method, MoveOrdering, Options, OptionsError, RootRanking, SearchDepth,
    SiblingBatch, Splits, StopFlag, TableUse, Telemetry,
};

pub(crate) use answer::{Given, check_limits};
pub(crate) use breach::checked_score;
pub(crate) use chance::{advance, tighten_chance};
pub(crate) use chance_node::{ChanceNode, ChanceSuccessor, Phase, Place};
pub(crate) use chance_sums::{ChanceSums, are_weights, changes as sum_changes, fault_of_weights};
pub(crate) use control::Control;
pub(crate) use deepening::{Deepening, choose_for_all, run, search_leaf, search_whole_tree};
pub(crate) use heuristics::check_move_slots;
pub(crate) use live::{Link, move_window, successor_window};
pub(crate) use moves::OpenMoves;
pub(crate) use negamax::{next_move, ranked_values, search_after_move, tighten_decision};
pub(crate) use ordering::{note_cutoff, picked_successor};
pub(crate) use panics::catch;
pub(crate) use plies::{
    Depth, depth_after, entry_depth, greatest_below, longest_path, reported_depth, root_depth,
};
pub(crate) use pv::{first_best_move, searched_pv};
pub(crate) use ranking::{BestValues, value_for_max};
pub(crate) use request::check_threads;
pub(crate) use reward::Edge;
pub(crate) use running::{Handle, Running};
pub(crate) use setup::{
    HelperStatus, MoveOf, MoveSuccessorOf, NodeOf, OutcomeOf, Outlook, Peers, PositionOf, Reserve, ResultOf,
    Setup, StateOf, WatchOf,
};
pub(crate) use shares::{Shares, lack};
pub(crate) use static_bounds::bounds_after_move;
pub(crate) use tree_log::{LoggedPlace, Logs, Recorder};
pub use tuning::Lanes;

pub(crate) use worker::{SearchContext, Stacks, Worker, recorded_depth};
