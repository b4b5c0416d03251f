//! Lanes: many workers on one thread, so that dear evaluations are made in batches.
//!
//! A lane is a worker of the same team as all others, on a coroutine. Where it needs an evaluation it leaves
//! a request and gives way to the next lane of its thread, which searches something else; when the batch is
//! full, or every lane waits or has no work, the thread evaluates what has gathered, in one call, and the
//! lanes go on with their scores. Nothing else differs from a parallel search on threads, so the value is the
//! same to the last bit, whichever requests share a batch.
//!
//! The same lanes in virtual time, with a device, are in `simulate/lanes.rs`.
//!
//! | file | subject |
//! |---|---|
//! | `request.rs` | a lane's request for an evaluation, and the call that answers many |
//! | `batch.rs` | the requests that a thread's lanes have left and wait for |
//! | `desk.rs` | where threads hand them to a thread that evaluates for all, if there is one |
//! | `thread.rs` | one thread's lanes: which of them runs next |
//! | `run.rs` | a whole search in lanes |
//!
//! With [`LaneOptions::device`](crate::search::LaneOptions::device) the calls are made by a thread of their
//! own. Then a thread that has no lane left to go on with hands its requests over, and looks for work
//! meanwhile; where there are more threads than processors, it sleeps before long.

#[cfg(not(loom))]
mod batch;
mod desk;
#[cfg(not(loom))]
mod request;
#[cfg(not(loom))]
mod run;
#[cfg(not(loom))]
mod thread;

#[cfg(not(loom))]
pub(crate) use run::search_in_lanes;
