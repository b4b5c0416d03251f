//! What is searched, and how: suites of positions, evaluators, and the flags of searches.

pub mod evaluators;
pub mod flags;
pub mod self_play;
pub mod suite;
pub mod tuning;
