//! The options of a search as data, for programs that take them as words: what each is called on a command
//! line and in records, which values it takes, what it does in a line. A program that is compiled with its
//! options writes the fields of [`Options`](starsplit::search::Options) instead.
//!
//! | file | subject |
//! |---|---|
//! | `list.rs` | every option |
//! | `declared.rs` | what is declared of one, and what can be done with it |
//! | `value.rs` | its value as data, and the values that it takes |

mod declared;
mod list;
#[cfg(test)]
mod tests;
mod value;

pub use declared::{DeclaredOption, OptionRole, Recorded, Refusal};
pub use list::DECLARED;
pub use value::{OptionKind, OptionValue};
