//! Training of networks by self-play, and how good the result is.
//!
//! Everything is a function of its options and seed: floats are added and multiplied in a fixed order, each
//! game has its own stream of random numbers, and no platform mathematics library is used.

mod adam;
pub mod checkpoint;
pub mod exact;
mod gradient;
mod learner;
mod lookahead;
mod options;
pub mod play;
pub mod quality;
mod record;
pub mod report;
pub mod self_play;
pub mod strength;

pub use learner::{PARTS, Trainer, TrainingEnd};
pub use options::{Options, Target};
