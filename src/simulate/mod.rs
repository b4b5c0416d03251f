//! Searches on virtual processors, in virtual time: what a parallel search would do on a machine with as many processors
//! as one likes. For curves of speedups that anybody reproduces to the last node, on any machine.
//!
//! The search and the scheduler are the very same code that runs on threads. Here each worker is a coroutine with a
//! clock of its own, moved by a [`CostModel`]; what workers share (the table, split points, queues) they touch in the
//! order of virtual time. The same seed, options and position give the same search, node for node, and the value is
//! that of every other search.
//!
//! What is not modelled: memory bandwidth, caches, the distance between processors, and that shared memory is slower
//! when somebody has just written it. Curves from here are therefore optimistic.

mod costs;
mod run;
mod schedule;

pub use costs::CostModel;
pub(crate) use run::search_virtually;
pub use run::{Simulated, Simulation};
pub(crate) use schedule::Schedule;
