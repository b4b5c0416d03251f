//! Lanes: many workers on one thread, so that expensive evaluations are made in batches.
//!
//! A lane is a worker of the team, on a coroutine. To evaluate, it leaves a request and gives way to the next
//! lane of its thread, which searches something else. When the batch is full, or every lane waits or is idle,
//! the thread makes all requested evaluations in one call, and the lanes go on with their scores. Nothing
//! else differs from a parallel search on threads, so the value is the same to the last bit, whichever
//! requests share a batch.
//!
//! | file | subject |
//! |---|---|
//! | `request.rs` | a lane's request for an evaluation, and the call that answers many |
//! | `batch.rs` | the pending requests of a thread's lanes |
//! | `eval_queue.rs` | where threads hand requests to a device, if there is one |
//! | `thread.rs` | one thread's lanes: which of them runs next |
//! | `run.rs` | a whole search in lanes |
//!
//! With [`LaneOptions::device`](crate::search::LaneOptions::device) a separate thread makes the calls. A
//! thread with no lane ready hands its requests over and looks for work meanwhile. If there are more threads
//! than processors, it soon sleeps.

#[cfg(not(loom))]
mod batch;
mod eval_queue;
#[cfg(not(loom))]
mod request;
#[cfg(not(loom))]
mod run;
#[cfg(not(loom))]
mod thread;

#[cfg(not(loom))]
pub(crate) use run::search_in_lanes;
