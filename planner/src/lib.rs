//! One search shared among machines: a planner that expands the top of the tree, and tasks for workers.
//!
//! A [`Task`] is a position, a depth and a window. Its [`Answer`] is bounds of the position's value at that
//! depth, which are true whatever the window was and whoever's table they came from. So answers may come in
//! any order, late, twice, or for a task that nobody asks for any more: all of them are knowledge, and none
//! can spoil the root's value. The [`Planner`] keeps bounds for every position and depth that it knows and
//! derives its tasks anew after each answer, until the root's value is exact and, where somebody moves there,
//! some move is proven to be worth as much.
//!
//! The planner has no thread, no clock and no connection: who carries the lines to and fro is the caller's
//! affair, and so is to notice that a worker is gone ([`Planner::lost`]). Tasks and answers are lines of text
//! ([`Task`] and [`Answer`] are written with `to_string` and read with `parse`), and a task names its
//! position by the way from the root, so any game's can be sent. A worker needs the game, the evaluator and
//! the root; [`work`] does a task with a [`Searcher`](starsplit::Searcher), by
//! [`SearchRequest::prove`](starsplit::SearchRequest::prove).
//!
//! | file | subject |
//! |---|---|
//! | `plan.rs` | the planner: iterations, what is handed out, what an answer does |
//! | `tree.rs` | what is known: positions at depths, their successors, bounds from below |
//! | `asking.rs` | what is open: windows from above, expected sizes, what is most useful |
//! | `task.rs` | tasks and answers; whose values they are |
//! | `line.rs` | their lines of text |
//! | `work.rs` | the worker's side |
//! | `error.rs` | what can be wrong |
//!
//! # Why values are exact
//!
//! Everything that is kept is bounds of a value that position and depth alone determine. A decision node is
//! worth the greatest of its moves, a chance node the rounded mean of its outcomes, by the arithmetic of the
//! search itself ([`unstable`](starsplit::unstable)); so what is derived is proven if the answers are.
//! Proofs of one value are met and never dropped, and where two of them exclude each other one is false: the
//! plan [fails](PlanError::Contradiction).
//!
//! # When it ends
//!
//! While the root is open at least one task is, with a window that is not empty and lies within what is known
//! of its position. An answer that settles that window narrows what is known by a step of the grid or more.
//! So a plan ends if such answers keep coming, whatever else is lost.

mod asking;
mod error;
mod line;
mod plan;
mod task;
mod tree;
mod work;

pub use error::{LineError, PathError, PlanError, WorkError};
pub use plan::{Plan, Planner, PlannerOptions, Progress};
pub use task::{Answer, Identities, Task, TaskKey};
pub use work::{position_at, work};
