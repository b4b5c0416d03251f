//! Several workers in one search.
//!
//! | file | subject |
//! |---|---|
//! | `chance_split.rs` | the default method: successors of chance nodes split by work stealing |
//! | `decision_split.rs`, `both.rs`, `root_split.rs` | rivals that split other nodes |
//! | `fork_join.rs` | a rival on a general pool |
//! | `shared_table.rs`, `abdada.rs` | rivals in which every worker searches the whole tree |
//! | `share.rs` | conduct at split points: sharing, taking part, waiting, stealing |
//! | `split_point.rs`, `ledger.rs`, `shared_sums.rs` | a node that is shared; who has which share of it, and when all are done; its sums |
//! | `team.rs`, `seat.rs` | the workers of a search: queues and stealing; one worker's place |
//! | `offers.rs`, `beds.rs` | whose queues may hold tickets; how workers without work sleep and are woken |
//! | `setup.rs` | the setup of every search: what its workers run on, and that they have seats |
//! | `marks.rs` | which nodes are being searched at the moment |
//! | `sizes.rs` | how large searches have been, for what is worth a split |
//! | `record.rs`, `log.rs` | a worker's clock and histograms; its timeline |
//! | `summons.rs`, `bell.rs` | when helpers are called, and how |
//! | `pool.rs`, `run.rs` | the threads; a whole search on them |
//!
//! The search itself is the same on one worker and on many; what it asks of the others is the trait
//! [`Crew`](crate::search::Crew).

#[cfg(not(loom))]
mod abdada;
mod beds;
mod bell;
#[cfg(not(loom))]
mod both;
#[cfg(not(loom))]
mod chance_split;
#[cfg(not(loom))]
mod decision_split;
#[cfg(not(loom))]
mod fork_join;
mod ledger;
#[cfg(not(loom))]
mod log;
#[cfg(not(loom))]
mod marks;
mod offers;
#[cfg(not(loom))]
mod pool;
#[cfg(not(loom))]
mod record;
#[cfg(not(loom))]
mod root_split;
#[cfg(not(loom))]
mod run;
#[cfg(not(loom))]
mod seat;
#[cfg(not(loom))]
mod setup;
#[cfg(not(loom))]
mod share;
mod shared_sums;
#[cfg(not(loom))]
mod shared_table;
#[cfg(not(loom))]
mod sizes;
#[cfg(not(loom))]
mod split_point;
#[cfg(not(loom))]
mod summons;
#[cfg(not(loom))]
mod team;

#[cfg(not(loom))]
pub use pool::Pool;
#[cfg(not(loom))]
pub(crate) use {
    pool::catch,
    run::search_as_team,
    setup::{Machine, Parties},
};
#[cfg(all(feature = "simulate", not(loom)))]
pub(crate) use {
    pool::{STACK, look_for_room},
    record::{Activity, Record},
    run::{add_up, help, lead},
    seat::Seat,
    team::Team,
};
