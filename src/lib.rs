//! Exact, parallel search of game trees with chance nodes: Expectimax, Ballard's Star1 and Star2, and Star2 with
//! transposition tables after Veness and Blair.
//!
//! **One value.** For a fixed depth, every algorithm, every table, every number of threads and every schedule returns
//! the same value of the root, bit for bit.

pub mod evaluator;
pub mod game;
pub mod games;
mod parallel;
pub mod score;
pub mod search;
mod searcher;
mod sync;
pub mod table;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use searcher::Searcher;
