//! What a search is asked to do.
//!
//! | file | subject |
//! |---|---|
//! | `options.rs` | the options, and whether they fit together |
//! | `method.rs` | the list of methods of parallel search, and their properties |
//! | `named.rs` | the names of choices |
//! | `limits.rs` | how deep and how long, and the flag that stops a search |

mod limits;
mod method;
mod named;
mod options;

pub use limits::{Limits, StopFlag};
pub(crate) use method::list_methods;
pub use method::{Method, MethodProperties};
pub(in crate::search) use named::{named, one_of};
pub(crate) use options::check_threads;
pub use options::{
    History, MAX_DEPTH, MAX_MOVE_SLOTS, MAX_THREADS, MoveOrdering, Options, OptionsError, ProbeHints,
    TableUse,
};
