//! Everything that reads what others wrote, held against input at random: a target for each kind of input.
//!
//! A target is a function of bytes that panics where something is wrong. Two loops give it bytes: the test in
//! `tests/`, which replays the corpus and then a fixed number of mutations of it, and libFuzzer (`long`,
//! `guided/`), which keeps what reaches new code. Both are a part of every build of the workspace but for
//! libFuzzer itself.
//!
//! | module | subject |
//! |---|---|
//! | `targets` | the targets, one to a file |
//! | `target` | what a target is |
//! | `bytes` | numbers and texts out of bytes |
//! | `refusals` | what has to hold of every refusal |
//! | `mutate` | changes of bytes at random, by a seed |
//! | `corpus` | the files of the corpus |
//! | `campaign` | the loop of the test |

pub mod bytes;
pub mod campaign;
pub mod corpus;
pub mod mutate;
pub mod refusals;
pub mod target;
mod targets;

pub use target::Target;
pub use targets::{TARGETS, named};
