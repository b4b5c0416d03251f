//! The scheduler: a search's workers, their threads and their deques.
//!
//! | file | subject |
//! |---|---|
//! | `team.rs` | what the workers of a search share: deques and stealing |
//! | `worker_context.rs` | a worker's place in its team |
//! | `steal_hints.rs` | which deques may hold work, and how close to the root |
//! | `work_loop.rs` | what a helper does from its start to the end of the search |
//! | `sleep.rs` | how idle workers sleep and are woken |
//! | `pool.rs` | the threads, used by one search after another |
//! | `helper_call.rs` | when a search calls the pool's threads |
//! | `wake_up.rs` | how they are woken without waiting for them |

#[cfg(not(loom))]
pub(super) mod helper_call;
#[cfg(not(loom))]
pub(super) mod jobs;
#[cfg(not(loom))]
pub(super) mod pool;
pub(super) mod sleep;
pub(super) mod steal_hints;
#[cfg(not(loom))]
pub(super) mod team;
pub(super) mod wake_up;
#[cfg(not(loom))]
pub(super) mod work_loop;
#[cfg(not(loom))]
pub(super) mod worker_context;
