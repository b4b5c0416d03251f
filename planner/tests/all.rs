//! The tests of plans and of simulated clusters, in one program.

mod cluster;
#[path = "../../tests/common/mod.rs"]
mod common;
mod off_grid;
mod planner;
mod repetition;
mod signature;
