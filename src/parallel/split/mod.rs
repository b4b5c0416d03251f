//! Split points: nodes whose successors several workers search.
//!
//! | file | subject |
//! |---|---|
//! | `split_and_join.rs` | what a worker does at split points: make one, claim tasks, wait, join |
//! | `fork_join.rs` | tasks as jobs of a general pool |
//! | `split_point.rs` | the split node and its window |
//! | `tasks.rs` | the tasks that it is split into |
//! | `join_latch.rs` | which worker has which task, and when all are done |
//! | `shared_sums.rs` | the sums of a split chance node |

#[cfg(not(loom))]
pub(super) mod fork_join;
pub(super) mod join_latch;
pub(super) mod shared_sums;
#[cfg(not(loom))]
pub(super) mod split_and_join;
#[cfg(not(loom))]
pub(super) mod split_point;
#[cfg(not(loom))]
pub(super) mod tasks;
