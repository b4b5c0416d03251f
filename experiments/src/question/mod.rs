//! What is searched, and how: doors to games, suites of positions, tables, and the flags of searches.

pub mod algorithm;
pub mod door;
pub mod doors;
pub mod entry;
pub mod flags;
pub mod play;
mod played;
pub mod suite;
pub mod tables;
pub mod tuning;
pub mod typed;
pub mod words;
