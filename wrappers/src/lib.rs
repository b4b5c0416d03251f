//! Games and evaluators made from others, for any game of `starsplit`.
//!
//! A wrapper implements [`GameWrapper`] or [`EvaluatorWrapper`], and [`forward!`] makes it a game or an
//! evaluator. With [`OfInner`] an evaluator of the inner game serves the wrapped game.
//!
//! | file | subject |
//! |---|---|
//! | `game.rs` | games that change a few things of another game |
//! | `evaluator.rs`, `of_inner.rs` | the same for evaluators; a game's evaluator for its wrapper |
//! | `forward.rs` | the macro |
//! | `repetition` | a repeated position ends the game |
//! | `smaller` | games with fewer moves or outcomes |
//! | `padded.rs` | evaluations in calls of one size |

mod evaluator;
mod forward;
mod game;
mod of_inner;
mod padded;
pub mod repetition;
pub mod smaller;

pub use evaluator::EvaluatorWrapper;
#[doc(hidden)]
pub use forward::named;
pub use game::GameWrapper;
pub use of_inner::OfInner;
pub use padded::Padded;
