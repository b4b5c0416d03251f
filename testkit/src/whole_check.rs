//! All checks that need a game and an evaluator, and no more.

use super::evaluator_check::check_evaluator;
use super::game_check::check_game;
use super::plays::Plays;
use super::report::Report;
use super::search_check::check_searches;
use super::violation::Violation;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;

/// Checks a game, an evaluator and searches of the two from `start`: [`check_game`], [`check_evaluator`] and
/// [`check_searches`], one after another. The report has what all of them looked at.
///
/// # Errors
/// The first fault found, and the play that shows it.
pub fn check<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
) -> Result<Report, Violation> {
    let of_game = check_game(game, start, plays)?;
    let of_evaluator = check_evaluator(game, evaluator, start, plays)?;
    let of_searches = check_searches(game, evaluator, start, plays)?;
    Ok(of_game.beside(of_evaluator).beside(of_searches))
}
