//! Games and evaluators that are made from others, for any game of `starsplit`.
//!
//! All of them are built on what is public: [`GameWrapper`](starsplit::game::GameWrapper) and
//! [`EvaluatorWrapper`](starsplit::evaluator::EvaluatorWrapper). An evaluator of the inner game serves the
//! game made from it by [`OfInner`](starsplit::evaluator::OfInner).
//!
//! | file | subject |
//! |---|---|
//! | `repetition` | a position that comes again ends the game |
//! | `smaller` | games with fewer moves or outcomes |
//! | `padded.rs` | evaluations in calls of one size |

mod padded;
pub mod repetition;
pub mod smaller;

pub use padded::Padded;
