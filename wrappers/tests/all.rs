//! The tests of games and evaluators that are made from others, in one program.

#[path = "../../tests/common/mod.rs"]
mod common;
mod generated;
mod inner;
mod padded;
mod path_oracle;
mod plies;
mod repetition;
mod returning;
mod saturation;
mod smaller;
