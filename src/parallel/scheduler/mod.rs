//! Who runs what, and where: the workers of a search, their threads and their queues.
//!
//! | file | subject |
//! |---|---|
//! | `team.rs` | what the workers of a search share: queues and stealing |
//! | `worker_context.rs` | one worker's place in its team, and what the search asks of it |
//! | `steal_hints.rs` | whose queues may hold work, and how close to the root |
//! | `work_loop.rs` | what a helper does from its first moment to the end of the search |
//! | `sleep.rs` | how workers without work sleep and are woken |
//! | `pool.rs` | the threads, used by one search after another |
//! | `helper_call.rs` | when the pool's threads are called to a search that one thread has begun |
//! | `wake_up.rs` | how they are woken without anybody waiting for them |

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
