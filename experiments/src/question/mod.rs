//! What is searched, and how: doors to games, suites of positions, tables, and the flags of searches.

pub mod algorithm;
pub mod doors;
pub mod flags;
pub mod given;
pub(crate) mod line;
pub(crate) mod ranked;
pub mod smaller;
pub mod suite;
pub mod tables;
pub mod tuning;
pub mod words;

pub use starsplit_doors::{door, play, typed};
