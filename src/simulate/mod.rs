//! Searches in virtual time: what a parallel search would do with any number of processors. Every machine
//! reproduces its speedup curves to the last node.
//!
//! The search and the scheduler are the code that runs on threads. Each worker is a coroutine with its own
//! clock, moved by a [`CostModel`]. Workers touch what they share (the table, split points, deques) in the
//! order of virtual time. The same seed, options and position give the same search, node for node. The value
//! is that of every other search.
//!
//! Not modelled are memory bandwidth, caches, the distance between processors, and the slower access to
//! memory that another processor has just written. The curves are therefore optimistic.
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
//! let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
//! let mut found = Vec::new();
//! for threads in [1, 16] {
//!     let searcher = Searcher::builder(game.clone(), evaluator).threads(threads).build()?;
//!     found.push(searcher.request(&position).limits(Limits::depth(16)).simulate(&simulation)?.result);
//! }
//! assert_eq!(found[0].score(), found[1].score());
//! let speedup = found[0].elapsed.as_secs_f64() / found[1].elapsed.as_secs_f64();
//! assert!(speedup > 4.0);
//! # Ok(())
//! # }
//! ```

mod call;
mod costs;
mod run;
mod schedule;

pub use costs::CostModel;
pub(crate) use run::search_virtually;
pub use run::{Simulated, Simulation};
pub(crate) use schedule::Schedule;
