//! Games for starsplit. Each has a folder with its rules, notation and hash in one file, its evaluators in
//! another, and its suites beside them.
//!
//! The library itself knows none of them. Programs reach what a game needs beyond the library's `Game`
//! through [`KnownGame`]; the list of them all is in `doors/all`.

pub mod abalone;
pub mod backgammon;
mod chunks;
mod delay;
pub mod dice;
pub mod einstein;
pub mod files;
mod fingerprint;
mod invalid;
mod known;
pub mod matrix;
pub mod network;
mod own;
pub mod perft;
pub mod pig;
mod rules_text;
pub mod self_play;
pub mod twenty48;

pub use delay::Delay;
pub use fingerprint::fingerprint;
pub(crate) use invalid::cut;
pub use invalid::{Invalid, one_line, shown};
pub use known::{CountOfPieces, EvaluatorInfo, EvaluatorVisitor, GameInfo, KnownGame};
pub use own::{Own, OwnGame, PositionOf};
