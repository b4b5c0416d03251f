//! Shared by the experiments.

pub mod positions;
pub mod training;
