//! Exact, parallel search of game trees with chance nodes: Expectimax, Ballard's Star1 and Star2, and Star2
//! with transposition tables after Veness and Blair.
//!
//! **One value.** For a fixed depth, every algorithm, table, number of threads and schedule returns the same
//! value of the root, bit for bit (under [`Reuse::Exact`](table::Reuse::Exact), the default).
//!
//! ```
//! # #[path = "../examples/pig.rs"]
//! # mod pig;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use starsplit::Searcher;
//! use starsplit::evaluator::Constant;
//! use starsplit::search::Limits;
//! use pig::under_way;
//!
//! let (game, position) = under_way(); // `examples/pig.rs`, in the place of your game
//! let mut scores = Vec::new();
//! for threads in [1, 2] {
//!     let searcher = Searcher::builder(game.clone(), Constant::default())
//!         .threads(threads)
//!         .limits(Limits::depth(8))
//!         .build()?;
//!     scores.push(searcher.search(&position)?.score());
//! }
//! assert!(scores[0].is_some());
//! assert_eq!(scores[0], scores[1]);
//! # Ok(())
//! # }
//! ```
//!
//! To search your own game, implement [`Game`](game::Game), and [`Evaluator`](evaluator::Evaluator) unless
//! one of the library's will do. `examples/pig.rs` is a game in one file. The test kit (the crate
//! `starsplit-testkit`) checks that an implementation keeps the rules that searches rely on.
//!
//! A game declares the range of its values by its [`Grid`](score::Grid). A search that meets a value beyond
//! the grid, or one that is not a number, ends with [`SearchError::OffGrid`](search::SearchError::OffGrid). A
//! game may declare that its values [saturate](game::GameFacts::saturates) instead.
//!
//! The library has no global state, prints nothing, and starts threads only for a search or to clear a table.

// Under loom only the protocols and their models are built.
#![cfg_attr(loom, allow(dead_code, unused_imports))]

#[cfg(all(any(feature = "lanes", feature = "simulate"), not(loom)))]
mod coroutines;
pub mod evaluator;
pub mod game;
#[cfg(any(feature = "lanes", loom))]
mod lanes;
mod parallel;
mod processor;
pub mod score;
pub mod search;
#[cfg(not(loom))]
mod searcher;
#[cfg(not(loom))]
pub mod sharing;
#[cfg(all(feature = "simulate", not(loom)))]
pub mod simulate;
mod sync;
pub mod table;
#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(not(loom))]
pub use parallel::Pool;
pub use search::running::Handle;
#[cfg(not(loom))]
pub use searcher::{BuildError, Question, Searcher, SearcherBuilder};
