//! Games behind doors: everything that programs want of a game and of its searches, whatever the types of its
//! positions, moves and evaluators.
//!
//! A search is compiled for each type of game and evaluator, which takes most of the time of a build. Nothing
//! here compiles one: the crates below `doors/` do, one a game, so that several are compiled at once.

#[cfg(feature = "chains")]
mod counting;
pub mod door;
mod entry;
mod erased;
pub mod games;
mod per_process;
pub mod plans;
pub mod play;
mod played;
pub mod retired;
pub mod session;
pub mod tree_file;
pub mod typed;

pub use entry::Entry;
