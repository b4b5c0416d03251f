//! Exact, parallel search of game trees with chance nodes: Expectimax, Ballard's Star1 and Star2, and Star2
//! with transposition tables after Veness and Blair.
//!
//! **One value.** For a fixed depth, every algorithm, table, number of threads and schedule returns the same
//! value of the root, bit for bit (under [`Reuse::Exact`](table::Reuse::Exact), the default).
//!
//! # A game in one file
//!
//! Each turn a player throws one die or two. The pips count, but a seven with two dice counts nothing.
//! Whoever comes to 30 points first wins.
//!
//! ```
//! use starsplit::Searcher;
//! use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts};
//! use starsplit::game::{Game, NodeKind, Player, PositionHash};
//! use starsplit::score::Score;
//! use starsplit::search::Limits;
//!
//! struct Race;
//!
//! #[derive(Clone)]
//! struct Position {
//!     points: [u8; 2],
//!     player: Player,
//!     dice: u8, // that are thrown next; 0 while the player chooses
//! }
//!
//! impl Game for Race {
//!     type Position = Position;
//!     type Move = u8; // how many dice
//!     type Outcome = u8; // their sum
//!
//!     // Another number for other rules: entries of the table are kept apart by it.
//!     fn identity(&self) -> u64 {
//!         1
//!     }
//!
//!     fn kind(&self, position: &Position) -> NodeKind {
//!         match position.dice {
//!             0 if position.points.iter().any(|&points| points >= 30) => NodeKind::Terminal,
//!             0 => NodeKind::Decision,
//!             _ => NodeKind::Chance,
//!         }
//!     }
//!
//!     fn player(&self, position: &Position) -> Player {
//!         position.player
//!     }
//!
//!     // A win is 1 and a loss -1, the ends of the default grid, as the position's player sees it.
//!     fn terminal_score(&self, position: &Position) -> Score {
//!         let won = position.points[position.player as usize] >= 30;
//!         let limit = self.facts().grid.limit();
//!         if won { limit } else { -limit }
//!     }
//!
//!     // All that the rest of the game depends on.
//!     fn hash(&self, position: &Position) -> PositionHash {
//!         let Position { points: [one, other], player, dice } = *position;
//!         PositionHash::from(u64::from_le_bytes([one, other, player as u8, dice, 0, 0, 0, 0]))
//!     }
//!
//!     fn moves(&self, _: &Position, mut push: impl FnMut(u8)) {
//!         push(1);
//!         push(2);
//!     }
//!
//!     fn play(&self, position: &Position, dice: u8) -> Position {
//!         Position { dice, ..position.clone() }
//!     }
//!
//!     // Each with its weight: its probability is this by the sum of all.
//!     fn outcomes(&self, position: &Position, mut push: impl FnMut(u8, u32)) {
//!         match position.dice {
//!             1 => (1..=6).for_each(|pips| push(pips, 1)),
//!             _ => (2..=12).for_each(|sum: u8| push(sum, 6 - u32::from(sum.abs_diff(7)))),
//!         }
//!     }
//!
//!     fn resolve(&self, position: &Position, sum: u8) -> Position {
//!         let mut points = position.points;
//!         if (position.dice, sum) != (2, 7) {
//!             points[position.player as usize] += sum;
//!         }
//!         Position { points, player: position.player.opponent(), dice: 0 }
//!     }
//! }
//!
//! /// Who is ahead, and by how much.
//! struct Lead;
//!
//! impl Evaluator<Race> for Lead {
//!     type State = (); // what is carried from position to position, such as a network's accumulators
//!
//!     fn facts(&self, _: &Race) -> EvaluatorFacts {
//!         EvaluatorFacts::new(1) // another number for other evaluations
//!     }
//!
//!     fn state(&self, _: &Race, _: &Position, _: Option<Before<'_, Race, ()>>) {}
//!
//!     // As the position's player sees it.
//!     fn evaluate(&self, game: &Race, position: &Position, _: &()) -> Score {
//!         let [max, min] = position.points.map(f64::from);
//!         let score = game.facts().grid.score((max - min) / 60.0);
//!         if position.player == Player::Max { score } else { -score }
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let position = Position { points: [12, 17], player: Player::Max, dice: 0 };
//!     // A throw and the choice before it take one depth each.
//!     let (mut scores, limits) = (Vec::new(), Limits::depth(10));
//!     for threads in [1, 2] {
//!         let searcher = Searcher::builder(Race, Lead).threads(threads).table_mib(16).build()?;
//!         let result = searcher.request(&position).limits(limits.clone()).search()?;
//!         println!("throw {:?}: {:.4} for Max", result.best_move, result.value);
//!         scores.push(result.score());
//!     }
//!     assert!(scores[0].is_some());
//!     assert_eq!(scores[0], scores[1]); // to the last bit
//!     Ok(())
//! }
//! ```
//!
//! Then let the test kit (the crate `starsplit-testkit`) look for faults: it checks what searches rely on.
//! [`Searcher`] says what else can be asked, [`Game`](game::Game) and
//! [`Evaluator`](evaluator::Evaluator) what else a game and an evaluator may tell.
//!
//! # Values
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
mod sharing;
#[cfg(all(feature = "simulate", not(loom)))]
pub mod simulate;
mod sync;
pub mod table;
#[cfg(all(test, not(loom)))]
mod tests;
mod time;
#[cfg(not(loom))]
pub mod unstable;
#[cfg(not(loom))]
pub use parallel::Pool;
pub use search::running::Handle;
#[cfg(not(loom))]
pub use searcher::{BuildError, SearchRequest, Searcher, SearcherBuilder};
