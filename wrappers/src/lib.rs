//! Games and evaluators made from others, for any game of `starsplit`.
//!
//! All use only its public traits [`GameWrapper`](starsplit::game::GameWrapper) and
//! [`EvaluatorWrapper`](starsplit::evaluator::EvaluatorWrapper). With
//! [`OfInner`](starsplit::evaluator::OfInner) an evaluator of the inner game serves the wrapped game.
//!
//! | file | subject |
//! |---|---|
//! | `repetition` | a repeated position ends the game |
//! | `smaller` | games with fewer moves or outcomes |
//! | `padded.rs` | evaluations in calls of one size |

mod padded;
pub mod repetition;
pub mod smaller;

pub use padded::Padded;
