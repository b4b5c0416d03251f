//! Teaching backgammon's perceptron what searches with another evaluator find.
//!
//! Positions come from games of the small network against itself with some moves at random. Each is searched
//! exactly, by whatever evaluator teaches, and the perceptron learns the values (`pupil.rs`), by steps of
//! Adam over small batches. On one machine the same options give the same bytes, however many threads there
//! are: games have their own random numbers, and what the positions of a batch have to teach is added up in a
//! fixed order. On another machine the last bits may differ, since a library multiplies the matrices.

mod gradient;
mod judge;
mod lessons;
mod options;
mod pupil;
mod steps;

pub use judge::{Judgement, JudgementEffort, judge};
pub use lessons::{Lesson, Teacher, collect, maker};
pub use options::TeachingOptions;
pub use pupil::Pupil;
