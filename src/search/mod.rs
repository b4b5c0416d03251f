//! The searches, one algorithm to a file, and what they share; what they are asked, and what they answer.
//!
//! | file | subject |
//! |---|---|
//! | `request/` | what a search is asked to do: options and limits |
//! | `answer/` | what it answers: the result, what was counted, the timeline |
//! | `deepening.rs`, `forecast.rs` | iterative deepening; how long iterations may take |
//! | `recursion.rs` | from a node to what searches it |
//! | `star2_tt.rs` | chance nodes: Star2 with transposition tables (Veness and Blair, Figure 4.1) |
//! | `star1.rs`, `star2.rs` | how a phase searches one successor: Ballard's Star1, and Star2's probes |
//! | `expectimax.rs` | Expectimax |
//! | `chance.rs`, `chance_node.rs`, `chance_sums.rs` | the phases; a chance node; its exact sums |
//! | `negamax.rs` | decision nodes: alpha-beta, and beside other workers |
//! | `above_leaves.rs` | decision nodes above leaves, and above chance nodes that collapse |
//! | `near_leaves.rs`, `collapse.rs` | what is special there; chance nodes of one evaluation |
//! | `move_probing.rs` | enhanced transposition cutoffs at decision nodes |
//! | `moves.rs`, `ordering.rs`, `heuristics.rs` | the moves of a worker; which next; killers and history |
//! | `together.rs`, `ordering/company.rs` | what is evaluated in batches |
//! | `descent.rs` | from a node to its successor: depth, reward, window, and what comes back |
//! | `reward.rs`, `plies.rs`, `live.rs` | rewards; plies; windows that follow what lies above |
//! | `static_bounds.rs` | what the game and the evaluator know without a search |
//! | `evaluation.rs`, `breach.rs` | what leaves are worth; what breaks the contract |
//! | `transposition.rs`, `keys.rs` | look-ups and stores; keys and salts |
//! | `tuning/` | what the search chooses for itself |
//! | `worker.rs`, `setup.rs` | one thread's search, of what parts, of which types |
//! | `ties.rs`, `pace.rs`, `clock.rs`, `control.rs` | ties to others; looks at the limits; what all share |
//! | `ranking.rs`, `line.rs` | the root's moves, each with its value; principal lines |
//!
//! Every search of a node returns [`Bounds`](crate::score::Bounds) that are proven, whatever made it end: a
//! cutoff, a completed search, or a halt half way. A halted node knows little, and says no more than it
//! knows, so halting needs no case of its own anywhere.

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
mod descent;
mod evaluation;
mod expectimax;
mod forecast;
mod heuristics;
mod keys;
mod line;
mod live;
mod move_probing;
mod moves;
mod near_leaves;
mod negamax;
mod node;
mod ordering;
mod pace;
mod plies;
mod ranking;
mod recursion;
mod request;
mod reward;
mod setup;
mod star1;
mod star2;
mod star2_tt;
mod static_bounds;
mod ties;
mod together;
mod transposition;
mod tuning;
mod worker;

pub use crate::table::Reuse;
pub use answer::{
    Activity, ActivitySpan, BatchCounts, Chosen, Given, Interrupted, Iteration, NodeCounts, OffGrid,
    PrincipalLine, Proof, RootMove, SearchError, SearchResult, SplitCounts, SplitKind, Stats, StopReason,
    TableCounts, TaskSpan, Timeline, Times, WorkerStats,
};
pub use request::{
    Algorithm, Company, DeclaredOption, Limits, MAX_BATCH, MAX_DEPTH, MAX_MOVE_SLOTS, MAX_PATH_LENGTH,
    MAX_THREADS, MAX_WORKERS, Method, MethodProperties, MoveOrdering, OptionKind, OptionRole, OptionValue,
    Options, OptionsError, Recorded, StopFlag, TableUse,
};

pub(crate) use answer::check_limits;
pub(crate) use breach::taken;
pub(crate) use chance::{advance, search_in_order};
pub(crate) use chance_node::{ChanceNode, Phase, Successor};
pub(crate) use chance_sums::{ChanceSums, changes as sum_changes};
pub(crate) use control::Control;
pub(crate) use deepening::{Deepening, follow, run, search_leaf};
pub(crate) use heuristics::check_move_slots;
pub(crate) use line::searched_line;
pub(crate) use live::{Link, move_window, successor_window};
pub(crate) use moves::OpenMoves;
pub(crate) use negamax::{search_successor, try_move};
pub(crate) use ordering::note_cutoff;
pub(crate) use plies::{depth_after, least_below};
pub(crate) use recursion::search as search_node;
pub(crate) use request::{check_threads, list_methods};
pub(crate) use reward::Edge;
pub(crate) use setup::{
    IterationOf, MoveOf, NEVER, News, NodeOf, OutcomeOf, Outlook, Peers, PositionOf, Reserve, ResultOf,
    Setup, StateOf, SuccessorOf,
};
pub(crate) use static_bounds::foreseen;
pub(crate) use ties::SharingDepths;
pub use tuning::Lanes;
pub(crate) use tuning::{FINEST_PART, Granularity};
pub(crate) use worker::{SearchContext, Stacks, Worker, watched_depth};
