//! Games behind doors: everything that programs want of a game and of its searches, whatever the types of its
//! positions, moves and evaluators.
//!
//! A search is compiled for each type of game and evaluator, which takes most of the time of a build. It is
//! done here, once, and in no other crate; so this one has no tests of its own, with which all of it would be
//! compiled again.

pub mod door;
mod entry;
mod erased;
pub mod games;
pub mod plans;
pub mod play;
mod played;
pub mod session;
pub mod typed;

pub use entry::Entry;
