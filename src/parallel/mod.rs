//! Several workers in one search.
//!
//! | what | subject |
//! |---|---|
//! | `methods/` | the methods of parallel search, one to a file: what is shared, when, and what helpers do |
//! | `split/` | split points: a node whose successors several workers search, from the split to the join |
//! | `scheduler/` | the team and its threads: queues, stealing, sleeping, waking, calling helpers |
//! | `telemetry/` | what each worker records of itself, and which nodes are being searched at the moment |
//! | `setup.rs` | the setup of every search: what its workers run on, and that they have a context |
//! | `run.rs` | a whole search: who leads, who helps, what is added up |
//!
//! The search itself is the same on one worker and on many; what it asks of the others is the trait
//! [`Peers`](crate::search::Peers).

#[cfg(not(loom))]
mod methods;
#[cfg(not(loom))]
mod peers;
#[cfg(not(loom))]
mod run;
mod scheduler;
#[cfg(not(loom))]
mod setup;
mod split;
#[cfg(not(loom))]
mod telemetry;

#[cfg(not(loom))]
pub use scheduler::pool::{Pool, catch};
#[cfg(all(feature = "lanes", not(loom)))]
pub(crate) use scheduler::team::{LOOKS_WITHOUT_ROOM, Ticket};
#[cfg(not(loom))]
pub(crate) use {
    run::search_as_team,
    setup::{ParallelProcessor, TeamSetup},
};
#[cfg(all(any(feature = "simulate", feature = "lanes"), not(loom)))]
pub(crate) use {
    run::{add_up, help, lead},
    scheduler::{
        pool::{STACK, look_for_room},
        team::Team,
        worker_context::WorkerContext,
    },
    setup::Parallel,
    telemetry::{log::Clocked, record::Record},
};
