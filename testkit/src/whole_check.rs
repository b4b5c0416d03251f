//! All checks that need a game and an evaluator, and no more.

use super::cost_check::measure_costs;
use super::costs::{Costs, Prices};
use super::evaluator_check::check_evaluator;
use super::game_check::check_game;
use super::plays::Plays;
use super::report::Report;
use super::search_check::check_searches;
use super::violation::Violation;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;

/// Checks a game, an evaluator and searches of the two from `start`: [`check_game`], [`check_evaluator`] and
/// [`check_searches`], one after another. The report has what all of them looked at, and warnings; print it.
///
/// Where it is built with optimisations (without `debug_assertions`) it also [measures](measure_costs) what
/// successors and evaluations take ([`Report::costs`]). A price that is declared wrongly, or not at all, is
/// no fault: the report's text has the line to write.
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
    let mut report = of_game.beside(of_evaluator).beside(of_searches);
    let is_optimised = !cfg!(debug_assertions);
    report.costs = Some(if is_optimised {
        measure_costs(game, evaluator, start, plays)
    } else {
        Costs::unmeasured(Prices::declared(game, evaluator))
    });
    Ok(report)
}
