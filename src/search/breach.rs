//! Values off the grid: evaluations, terminal scores, rewards, and sums of a reward and a value.
//!
//! If the game or the evaluator saturates, such a value is clamped to the grid, and the search finds the
//! value of the clamped game. Otherwise the search ends with an error, as it always does for a value that is
//! not a number. From then on the worker's results prove nothing: it stores none of them, and passes none to
//! other workers.
//!
//! The hot path pays one comparison; the rest is cold.

use crate::game::{Game, Player};
use crate::score::{Score, is_not_a_number, is_on_grid};
use crate::search::answer::{Given, OffGrid, SearchError};

/// The greatest value in this place: twice the limit for a reward, as for a difference of two values.
pub(super) fn most(given: Given, limit: Score) -> Score {
    if given == Given::Reward { 2 * limit } else { limit }
}

/// Checks a score that `viewer` sees, or a reward's steps. Clamps a value that saturates.
///
/// # Errors
/// When the value is beyond the grid and does not saturate, or is not a number.
pub(crate) fn checked_score<G: Game>(
    game: &G,
    saturates: bool,
    given: Given,
    score: Score,
    viewer: Player,
) -> Result<Score, SearchError> {
    let grid = game.facts().grid;
    let most = most(given, grid.limit());
    if is_on_grid(score, most) {
        return Ok(score);
    }
    if saturates && !is_not_a_number(score) {
        return Ok(score.clamp(-most, most));
    }
    let for_max = match viewer {
        Player::Max => score,
        Player::Min => score.saturating_neg(),
    };
    Err(SearchError::OffGrid(OffGrid::new(given, for_max, grid)))
}
