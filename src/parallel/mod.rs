//! Several threads in one search: the successors of chance nodes split among them by work stealing.
//!
//! | file | subject |
//! |---|---|
//! | `split_point.rs` | a phase of one chance node, shared: who takes which successor, what became known, when it is over |
//! | `team.rs` | the threads: their queues, stealing, sleeping |
//! | `phase.rs` | a worker's conduct: splitting a phase, sharing in it, waiting for it |
//!
//! The search itself is the same on one thread and on many. Where a serial search goes through a phase's successors
//! in turn, a parallel one publishes them at a split point, and its owner goes through them together with whoever
//! comes to help.

mod phase;
mod split_point;
mod team;

pub(crate) use phase::{serve, split_phase};
pub(crate) use split_point::SplitPoint;
pub(crate) use team::{Seat, Team};
