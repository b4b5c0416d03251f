//! Training of networks by self-play.
//!
//! Everything is a function of its options and seed: floats are added and multiplied in a fixed order, each
//! game has its own stream of random numbers, and no platform mathematics library is used.

mod adam;
mod any;
mod checkpoint;
mod gradient;
mod learner;
mod lesson;
mod lookahead;
mod options;
pub mod play;
pub mod self_play;

pub use any::{AnyTrainer, trainer};
pub use learner::TrainingEnd;
pub use options::{Options, Target};
