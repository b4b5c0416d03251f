//! Answers of searches.
//!
//! | file | subject |
//! |---|---|
//! | `result.rs` | the result: value, pv, iterations, why the search ended; errors |
//! | `map.rs` | the same in other words |
//! | `off_grid.rs` | the error for a value off the grid |
//! | `principal_variation.rs` | a principal variation that was searched for |
//! | `expectation.rs` | what the best play leads to |
//! | `proof.rs` | what a search in a window has proven |
//! | `tuned_settings.rs` | what the search chose where its options left it the choice |
//! | `stats.rs` | counters |
//! | `histogram.rs` | how often values came |
//! | `worker_stats.rs` | how each worker of a parallel search spent its time |
//! | `timeline.rs` | when each worker did what |
//! | `search_tree.rs` | a search as a tree, node by node |

mod expectation;
mod histogram;
mod map;
mod off_grid;
mod principal_variation;
mod proof;
mod result;
mod search_tree;
mod stats;
mod timeline;
mod tuned_settings;
mod worker_stats;

pub use expectation::Expectation;
pub use histogram::Histogram;
pub(crate) use off_grid::Given;
pub use off_grid::OffGrid;
pub use principal_variation::PrincipalVariation;
pub use proof::Proof;
pub(crate) use result::check_limits;
pub use result::{Interrupted, Iteration, RootMove, RootOutcome, SearchError, SearchResult, StopReason};
pub use search_tree::{SearchTree, TreeEnd, TreeNode, TreePhase};
pub use stats::{BatchCounts, ChanceEnds, NodeCounts, SplitCounts, Stats, TableCounts};
pub use timeline::{Activity, ActivitySpan, TaskSpan, Timeline};
pub use tuned_settings::TunedSettings;
pub use worker_stats::{SplitKind, Times, WorkerStats};
