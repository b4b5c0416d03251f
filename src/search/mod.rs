//! The searches, one algorithm to a file, and what they share; what they are asked, and what they answer.
//!
//! | file | subject |
//! |---|---|
//! | `algorithm.rs` | the list of algorithms, and what is asked of each |
//! | `request/` | what a search is asked to do: options and limits |
//! | `answer/` | what it answers: the result, what was counted, the timeline |
//! | `expectimax.rs` | Expectimax |
//! | `star1.rs` | Ballard's Star1 |
//! | `star2.rs` | Ballard's Star2: its probing phase, then Star1's |
//! | `star2_tt.rs` | Star2 with transposition tables (Veness and Blair, Figure 4.1) |
//! | `negamax.rs` | decision nodes: alpha-beta, and beside other workers |
//! | `chance_sums.rs` | what is known of a chance node: exact sums, rounding, the successors' windows |
//! | `chance.rs` | the steps that the algorithms share at chance nodes, from head to end |
//! | `reward.rs` | rewards along edges: what they do to bounds and windows |
//! | `plies.rs` | plies of edges: how much depth each takes |
//! | `collapse.rs` | leaf collapse: a chance node whose leaves share one evaluation |
//! | `frontier.rs` | decision nodes whose moves lead to such nodes |
//! | `last_decision.rs` | decision nodes whose moves lead to leaves |
//! | `static_bounds.rs` | what the game and the evaluator know without a search |
//! | `move_probing.rs` | enhanced transposition cutoffs at decision nodes |
//! | `transposition.rs` | look-ups and stores, keys and salts |
//! | `ordering.rs`, `heuristics.rs` | which move next; killers and history |
//! | `worker.rs` | one thread's search: its stacks, its counts, when it halts |
//! | `pace.rs`, `clock.rs` | how often it looks at the clock, and which |
//! | `deepening.rs` | iterative deepening and the root |
//! | `forecast.rs` | how long the iterations to come may take |
//! | `ranking.rs`, `line.rs` | the root's moves, each with its value; principal lines |
//!
//! Every search of a node returns [`Bounds`](crate::score::Bounds) that are proven, whatever made it end: a
//! cutoff, a completed search, or a halt half way. A halted node knows little, and says no more than it
//! knows, so halting needs no case of its own anywhere.

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
mod frontier;
mod heuristics;
mod keys;
mod last_decision;
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
    OrderingSample, PrincipalLine, Proof, RootMove, SearchError, SearchResult, SplitCounts, SplitKind, Stats,
    Step, StopReason, TableCounts, TableSample, TaskSpan, Timeline, Times, WorkerStats,
};
pub use request::{
    Algorithm, Company, DeclaredOption, Limits, MAX_BATCH, MAX_DEPTH, MAX_MOVE_SLOTS, MAX_PATH_LENGTH,
    MAX_THREADS, MAX_WORKERS, Method, MethodProperties, MoveOrdering, OptionKind, OptionRole, OptionValue,
    Options, OptionsError, Recorded, StopFlag, TableUse,
};

pub(crate) use answer::check_limits;
pub(crate) use breach::taken;
pub(crate) use chance::{advance, go_through_in_order};
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
pub(crate) use plies::{depth_after_move, depth_after_outcome, least_below};
pub(crate) use recursion::search as search_node;
pub(crate) use request::{check_threads, list_methods};
pub(crate) use reward::Edge;
pub(crate) use setup::{
    IterationOf, MoveOf, NEVER, News, NodeOf, OutcomeOf, Outlook, Peers, PositionOf, Reserve, ResultOf,
    Setup, StateOf, SuccessorOf,
};
pub(crate) use static_bounds::foreseen;
pub use tuning::Lanes;
pub(crate) use tuning::{FINEST_PART, Granularity};
pub(crate) use worker::{SearchContext, Stacks, Worker, watched_depth};
