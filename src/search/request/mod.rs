//! What a search is asked to do.
//!
//! | file | subject |
//! |---|---|
//! | `options.rs` | the options, and whether they fit together |
//! | `limits.rs` | how deep and how long, and the flag that stops a search |

mod limits;
mod options;

pub use limits::{Limits, StopFlag};
pub(crate) use options::check_threads;
pub use options::{
    Algorithm, History, MAX_DEPTH, MAX_MOVE_SLOTS, MAX_THREADS, Method, MoveOrdering, Options, OptionsError,
    ProbeHints, TableUse,
};
