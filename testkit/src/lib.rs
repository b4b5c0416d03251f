//! Checks that a game and an evaluator keep the library's contracts, and random games to test searches on.
//!
//! Authors run [`check`] in the tests of their own crate, which has this one among its dev-dependencies. It
//! plays at random from a position and holds everything met on the way, and its successors, against the rules
//! that [`Game`](starsplit::game::Game) and [`Evaluator`](starsplit::evaluator::Evaluator) state.
//! [`check_game`], [`check_evaluator`] and [`check_searches`] are its parts.
//!
//! # What is found
//!
//! What is returned as an error is a fault, always. Found wherever the plays come to it: hashes that are not
//! kept up, lists that change, weights of 0, what is off the grid, evaluations that depend on the path, false
//! promises.
//!
//! A hash that forgets something shows where two positions share it. So the plays are led together: they make
//! the same moves in other orders and with other outcomes in between. Positions that share a hash are
//! compared with all that the same moves and outcomes lead to, and searches with a table with searches
//! without one. Of each of seven games, and of a small Chinese dark chess, every part of a position was left
//! out of the hash in turn: whatever changed a value of the searches that were compared, to depth 6 or as
//! deep as they came in a moment, was found by the defaults.
//!
//! # What is missed
//!
//! The checks prove nothing: what no play comes to is not seen. The [`Report`] tells what was never met, and
//! has [`warnings`](Report::warnings) of what is seldom meant: print it once, and let your test name those
//! that are right for your game. What a hash leaves out may matter so seldom, or so late, that no pair of
//! positions shows it; more plays see more.
//!
//! Nor can they know which game was meant. A game that says that `Max` always moves, or whose terminal scores
//! have the wrong sign, is a sound game of other rules, and an evaluation told for the wrong player is a bad
//! one. [`check_mirror`] finds those that favour a player, where the game's author says how the players are
//! exchanged: `Max` who always moves, and scores or evaluations always told for `Max`. What is wrong for both
//! alike it cannot see; the [`Report`] then has counts that look odd, and warns of the oddest: of decisions
//! of `Min`, of ends that the last to move has won and lost, and of ends that the evaluation foresaw and
//! misjudged. The sums of weights are for the author to look at.
//!
//! A hash that is kept up move by move is compared by [`check_hash`] with one computed anew, which the game's
//! author gives. [`check_cost`] compares what successors and evaluations cost with what is declared.
//!
//! ```
//! use starsplit::evaluator::Constant;
//! use starsplit_testkit::{GraphShape, Plays, RandomGraph, Warning, check};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = RandomGraph::new(&GraphShape::default(), 2)?; // in the place of yours
//! let plays = Plays { games: 10, max_plies: 100, seed: 1 }; // or `Plays::default()`
//! let report = check(&game, &Constant::new(0), &game.start(), &plays)?;
//! println!("{report}");
//! let evaluations = report.evaluations;
//! assert_eq!(report.warnings, [Warning::SameEvaluations { evaluations, score: 0 }]); // the constant
//! # Ok(())
//! # }
//! ```

mod bounds_check;
mod company_check;
mod cost_check;
mod costs;
mod evaluator_check;
mod game_check;
mod hash_check;
mod hash_form;
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
mod spread;
mod unmet;
mod violation;
mod warning;
mod whole_check;

pub use cost_check::{check_cost, measure_costs};
pub use costs::{Costs, Prices, StepCost, WrongCost, WrongCosts};
pub use evaluator_check::check_evaluator;
pub use game_check::check_game;
pub use hash_check::check_hash;
pub use hash_form::HashForm;
pub use mirror_check::check_mirror;
pub use outcome_blind::OutcomeBlind;
pub use plays::Plays;
pub use plied_graph::{EdgePlies, GraphGame, PliedGraph, PliesError};
pub use random_graph::{GraphPosition, GraphShape, RandomGraph, ShapeError, Weights};
pub use report::Report;
pub use rewarded_graph::{RewardedGraph, Rewards, RewardsError};
pub use search_check::check_searches;
pub use spread::Spread;
pub use violation::{Fault, Violation};
pub use warning::Warning;
pub use whole_check::check;
