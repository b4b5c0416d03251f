//! The tests of the library from outside, in one program: what searches of random graphs compile to is most
//! of a build of them, and is compiled once. Those that look at a whole process are programs of their own.

mod common;
mod dear_evaluations;
mod drops;
mod duplicates;
mod embedding;
mod equality;
mod evaluator_bounds;
mod expectation;
mod extremes;
mod figure_4_1;
mod helpers;
mod lanes;
mod leaf_collapse;
mod methods;
mod move_probing;
mod panics;
mod plies;
mod prices;
mod principal_lines;
mod promises;
mod requests;
mod rewards;
#[cfg(target_pointer_width = "64")] // it counts beyond what addresses of 32 bits reach
mod room;
mod run_time;
mod saturation;
mod sharing;
mod signature;
mod simulate;
mod static_bounds;
mod stopping;
mod timeline;
mod to_the_end;
mod tree;
mod waiting;
