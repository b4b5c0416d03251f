//! Parallel search: several workers in one search.
//!
//! | what | subject |
//! |---|---|
//! | `split/` | split points: nodes whose successors several workers search, from the split to the join |
//! | `scheduler/` | the team and its threads: deques, stealing, sleeping, waking, calling helpers |
//! | `telemetry/` | each worker's records, and which nodes are being searched |
//! | `stack.rs` | how much of a stack a search takes, and threads with stacks of their own |
//! | `run.rs` | a whole search: leader, helpers and totals |
//!
//! The search itself is the same for one worker and for many. What is shared, and when, is decided there
//! (`search/sharing_policy.rs`). It uses other workers through the trait [`Peers`](crate::search::Peers).

#[cfg(not(loom))]
mod run;
mod scheduler;
mod split;
#[cfg(not(loom))]
mod stack;
#[cfg(not(loom))]
mod telemetry;

#[cfg(not(loom))]
pub use scheduler::pool::Pool;
#[cfg(not(loom))]
pub(crate) use {
    run::{OnThreads, search_on_threads},
    scheduler::worker_context::{ParallelProcessor, TeamSetup},
    stack::{Ask, OF_CALLER, on_stack, stack_for},
};
#[cfg(all(any(feature = "simulate", feature = "lanes"), not(loom)))]
pub(crate) use {
    run::{add_up, lead, run_helper},
    scheduler::{
        team::Team,
        worker_context::{Parallel, WorkerContext},
    },
    stack::{STACK, check_room},
    telemetry::{log::Clocked, record::Record},
};
#[cfg(all(feature = "simulate", not(loom)))]
pub(crate) use {
    scheduler::helper_call::{CallTime, calls_at_once, halves},
    split::join_latch::JoinLatch,
};
#[cfg(all(feature = "lanes", not(loom)))]
pub(crate) use {
    scheduler::pool::{Wish, is_in_a_pool},
    scheduler::team::{LOOKS_WITHOUT_ROOM, Ticket},
    stack::on_own_thread,
};
