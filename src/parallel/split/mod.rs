//! Split points: nodes whose successors several workers search.
//!
//! | file | subject |
//! |---|---|
//! | `split_and_join.rs` | what a worker does at split points: make one, take tasks, wait for the last |
//! | `split_point.rs` | the node that is split, and its window |
//! | `tasks.rs` | what it is split into |
//! | `join_latch.rs` | who has which task, and when all of them are done |
//! | `shared_sums.rs` | the sums of a chance node that is split |
//! | `sizes.rs` | how large searches have been, for what is worth a split |

pub(super) mod join_latch;
pub(super) mod shared_sums;
#[cfg(not(loom))]
pub(super) mod sizes;
#[cfg(not(loom))]
pub(super) mod split_and_join;
#[cfg(not(loom))]
pub(super) mod split_point;
#[cfg(not(loom))]
pub(super) mod tasks;
