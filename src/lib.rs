//! Exact, parallel search of game trees with chance nodes: Expectimax, Ballard's Star1 and Star2, and Star2
//! with transposition tables after Veness and Blair.
//!
//! **One value.** For a fixed depth, every algorithm, every table, every number of threads and every schedule
//! returns the same value of the root, bit for bit.
//!
//! ```
//! use starsplit::Searcher;
//! use starsplit::games::dice::{Dice, Network, Rules};
//! use starsplit::search::Limits;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let dice = Dice::new(Rules::default());
//! let position = dice.parse("x.o../..x../.oo../.x..o/...x. x -")?;
//! let mut scores = Vec::new();
//! for threads in [1, 2] {
//!     let searcher = Searcher::builder(dice.clone(), Network::trained(&dice)?)
//!         .threads(threads)
//!         .limits(Limits::depth(7))
//!         .build()?;
//!     scores.push(searcher.search(&position)?.score());
//! }
//! assert!(scores[0].is_some());
//! assert_eq!(scores[0], scores[1]);
//! # Ok(())
//! # }
//! ```
//!
//! To search a game of your own, implement [`Game`](game::Game), and [`Evaluator`](evaluator::Evaluator) if
//! one of those that come with the library does not do; `examples/pig.rs` is a game in one file. The test kit
//! (feature `testkit`) checks that an implementation keeps the rules that the searches rely on.
//!
//! The library has no global state, prints nothing and starts no threads outside a search or the clearing of
//! a table.

// Under loom the protocols are all that is left, and only their models use them.
#![cfg_attr(loom, allow(dead_code, unused_imports))]

pub mod evaluator;
pub mod game;
mod parallel;
mod processor;
pub mod score;
pub mod search;
#[cfg(not(loom))]
mod searcher;
#[cfg(all(feature = "simulate", not(loom)))]
pub mod simulate;
mod sync;
pub mod table;
#[cfg(feature = "testkit")]
pub mod testkit;

#[cfg(not(loom))]
pub use parallel::Pool;
#[cfg(not(loom))]
pub use searcher::{BuildError, Searcher, SearcherBuilder};
