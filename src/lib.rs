//! Exact, parallel search of game trees with chance nodes.
#![warn(missing_docs)]

pub mod evaluator;
pub mod game;
pub mod games;
pub mod score;
#[cfg(feature = "testkit")]
pub mod testkit;
