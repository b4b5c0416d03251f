//! The tests of plans, in one program.

#[path = "../../tests/common/mod.rs"]
mod common;
mod off_grid;
#[path = "../../wrappers/tests/path_oracle.rs"]
mod path_oracle;
mod planner;
mod repetition;
#[allow(dead_code, reason = "only a part of it is taken here")]
#[path = "../../wrappers/tests/returning.rs"]
mod returning;
mod signature;
