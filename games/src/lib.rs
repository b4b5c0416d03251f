//! Games for starsplit. Each has a folder with its rules, notation and hash in one file, its evaluators in
//! another, and its suites beside them.
//!
//! The library itself knows none of them. Programs name them by [`list`], and reach what a game needs beyond
//! the library's `Game` through [`KnownGame`].

pub mod abalone;
pub mod backgammon;
mod delay;
pub mod dice;
pub mod einstein;
mod invalid;
mod known;
pub mod list;
pub mod network;
pub mod perft;
pub mod pig;
mod rules_text;
pub mod self_play;
pub mod twenty48;

pub use delay::Delay;
pub use invalid::{Invalid, shown};
pub use known::{EvaluatorInfo, EvaluatorVisitor, GameInfo, GameVisitor, KnownGame};
