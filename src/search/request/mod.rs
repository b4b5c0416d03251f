//! What a search is asked to do.
//!
//! | file | subject |
//! |---|---|
//! | `options.rs` | the options, and whether they fit together |
//! | `declared.rs`, `option_value.rs` | how an option is declared, and its value as data |
//! | `method.rs` | the list of methods of parallel search, and their properties |
//! | `named.rs` | the names of choices |
//! | `limits.rs` | how deep and how long, and the flag that stops a search |

mod declared;
mod limits;
mod method;
mod named;
pub(in crate::search) mod option_value;
mod options;

pub use declared::{DeclaredOption, OptionRole, Recorded};
pub use limits::{Limits, StopFlag};
pub(crate) use method::list_methods;
pub use method::{Method, MethodProperties};
pub(in crate::search) use named::{named, one_of};
pub use option_value::{OptionKind, OptionValue};
pub(crate) use options::check_threads;
pub(in crate::search) use options::cut;
pub use options::{
    Company, MAX_BATCH, MAX_DEPTH, MAX_MOVE_SLOTS, MAX_THREADS, MAX_WORKERS, MoveOrdering, Options,
    OptionsError, TableUse,
};
