//! Searches on virtual processors, in virtual time: what a parallel search would do on a machine with as many
//! processors as one likes. For curves of speedups that anybody reproduces to the last node, on any machine.
//!
//! The search and the scheduler are the very same code that runs on threads. Here each worker is a coroutine
//! with a clock of its own, moved by a [`CostModel`]; what workers share (the table, split points, queues)
//! they touch in the order of virtual time. The same seed, options and position give the same search, node
//! for node, and the value is that of every other search.
//!
//! With a [`SimulatedDevice`] each virtual processor has the options' number of
//! [lanes](crate::search::Options::lanes), which share its clock, and the device makes the evaluations of all
//! of them: what has gathered when it is free, in calls of virtual time.
//!
//! What is not modelled: memory bandwidth, caches, the distance between processors, and that shared memory is
//! slower when somebody has just written it. Curves from here are therefore optimistic.
//!
//! ```
//! # #[path = "../../examples/pig.rs"]
//! # mod pig;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use starsplit::Searcher;
//! use starsplit::evaluator::HashRandom;
//! use starsplit::search::Limits;
//! use starsplit::simulate::{CostModel, Simulation};
//! use pig::under_way;
//!
//! let (game, position) = under_way(); // `examples/pig.rs`
//! let evaluator = HashRandom::new(1, 1000);
//! let simulation = Simulation { costs: CostModel::UNIT, seed: 1, device: None };
//! let mut found = Vec::new();
//! for threads in [1, 16] {
//!     let searcher = Searcher::builder(game.clone(), evaluator).threads(threads).build()?;
//!     found.push(searcher.simulate(&position, &Limits::depth(16), &simulation)?.result);
//! }
//! assert_eq!(found[0].score(), found[1].score());
//! let speedup = found[0].elapsed.as_secs_f64() / found[1].elapsed.as_secs_f64();
//! assert!(speedup > 4.0);
//! # Ok(())
//! # }
//! ```

mod costs;
mod deeds;
mod device;
mod lanes;
mod run;
mod schedule;

pub use costs::CostModel;
pub use device::SimulatedDevice;
pub(crate) use run::search_virtually;
pub use run::{Simulated, Simulation};
pub(crate) use schedule::{Pace, Schedule};
