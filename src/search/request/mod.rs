//! Options and limits of a search.
//!
//! | file | subject |
//! |---|---|
//! | `options.rs` | the options, and whether they fit together |
//! | `groups.rs` | options that belong together |
//! | `algorithm.rs`, `method.rs`, `choices.rs` | algorithms; parallel methods; other choices from a list |
//! | `named.rs` | names of what is chosen from a list |
//! | `error.rs` | what is said of options that do not fit |
//! | `limits.rs` | how deep and how long, and the flag that stops a search |

mod algorithm;
mod choices;
mod error;
mod groups;
mod limits;
mod method;
mod named;
mod options;

pub use algorithm::Algorithm;
pub use choices::{MoveOrdering, RootRanking, SiblingBatch, TableUse};
pub use error::OptionsError;
pub use groups::{LaneOptions, Splits, Telemetry};
pub use limits::{
    Limits, MAX_BATCH, MAX_DEPTH, MAX_FULL_DEPTH, MAX_MOVE_SLOTS, MAX_PATH_LENGTH, MAX_THREADS, MAX_WORKERS,
    SearchDepth, StopFlag,
};
pub use method::Method;
pub(crate) use method::{Helping, Splitting, Way};
pub use options::Options;
pub(crate) use options::check_threads;
