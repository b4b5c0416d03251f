//! Split points: nodes whose successors several workers search.
//!
//! | file | subject |
//! |---|---|
//! | `split_and_join.rs` | what a worker does at split points: make one, claim tasks, wait, join |
//! | `split_point.rs` | the split node and its window |
//! | `tasks.rs` | the tasks that it is split into |
//! | `phase.rs`, `moves.rs` | the tasks of a chance node and of a decision node, and what comes of them |
//! | `join_latch.rs` | which worker has which task, and when all are done |
//! | `shared_sums.rs` | the sums of a split chance node |
//! | `sizes.rs` | the sizes of past searches, to decide what is worth a split |

pub(super) mod join_latch;
#[cfg(not(loom))]
pub(super) mod moves;
#[cfg(not(loom))]
pub(super) mod phase;
pub(super) mod shared_sums;
#[cfg(not(loom))]
pub(super) mod sizes;
#[cfg(not(loom))]
pub(super) mod split_and_join;
#[cfg(not(loom))]
pub(super) mod split_point;
#[cfg(not(loom))]
pub(super) mod tasks;
