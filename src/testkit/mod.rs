//! Checks that a game and an evaluator keep the library's contracts, and random games to test searches on.
//!
//! Authors run [`check_game`] and [`check_evaluator`] in the tests of their own crate (feature `testkit`).
//! Both play at random from a position and hold everything met on the way, and its successors, against the
//! rules that [`Game`](crate::game::Game) and [`Evaluator`](crate::evaluator::Evaluator) state. They cannot
//! prove that the rules hold, but what they report is a fault. [`check_mirror`] finds a game that is sound
//! and yet plays for the wrong player, where the game's author says how the players are exchanged.
//! [`check_cost`] measures what an evaluation costs.
//!
//! ```
//! use starsplit::evaluator::Constant;
//! use starsplit::testkit::{GraphShape, Plays, RandomGraph, check_evaluator, check_game};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = RandomGraph::new(&GraphShape::default(), 1)?; // in the place of yours
//! let plays = Plays { games: 10, max_plies: 60, seed: 1 };
//! let report = check_game(&game, &game.start(), &plays)?;
//! assert_eq!(report.games, 10);
//! check_evaluator(&game, &Constant::new(0), &game.start(), &plays)?;
//! # Ok(())
//! # }
//! ```

mod bounds_check;
mod company_check;
mod cost_check;
mod evaluator_check;
mod game_check;
mod meetings;
mod mirror_check;
mod narrowed;
mod outcome_blind;
mod plays;
mod plied_graph;
mod random_graph;
mod report;
mod rewarded_graph;
mod search_check;
mod seen;
mod violation;

pub use cost_check::{WrongCost, check_cost};
pub use evaluator_check::check_evaluator;
pub use game_check::check_game;
pub use mirror_check::check_mirror;
pub use outcome_blind::OutcomeBlind;
pub use plays::Plays;
pub use plied_graph::{EdgePlies, GraphGame, PliedGraph, PliesError};
pub use random_graph::{GraphPosition, GraphShape, RandomGraph, ShapeError, Weights};
pub use report::Report;
pub use rewarded_graph::{RewardedGraph, Rewards, RewardsError};
pub use search_check::check_searches;
pub use violation::{Fault, Violation};
