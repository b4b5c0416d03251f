//! The options of a search as data, for programs that read them as words: each option's names on a command
//! line and in records, its values, and what it does in one line. A program with fixed options sets the
//! fields of [`Options`](starsplit::search::Options) instead.
//!
//! | file | subject |
//! |---|---|
//! | `list.rs` | every option |
//! | `declared.rs` | the declaration of an option |
//! | `value.rs` | an option's value as data, and the values that it takes |

mod declared;
mod list;
#[cfg(test)]
mod tests;
mod value;

pub use declared::{DeclaredOption, OptionRole, Recorded, Refusal};
pub use list::DECLARED;
pub use value::{OptionKind, OptionValue};
