//! What is made of values that the grid has no place for: evaluations, terminal scores, rewards, and what a
//! reward makes of a value.
//!
//! Where the game or the evaluator declares that it saturates, the nearest end of the grid counts, as in the
//! clamped game, and the value is that game's. Anywhere else the value would be nobody's, so the search ends
//! with an error; so it does everywhere where the value is not a number. What a worker that met one finds
//! from then on proves nothing: it keeps none of it in the table, and tells no other worker of it.
//!
//! On the hot path this is one comparison. All else is cold.

use crate::game::{Game, Player};
use crate::score::{Score, is_not_a_number, is_on_grid};
use crate::search::answer::{Given, OffGrid, SearchError};

/// The most of either sign that can be meant: two values differ by no more than twice the limit.
pub(super) fn most(given: Given, limit: Score) -> Score {
    if given == Given::Reward { 2 * limit } else { limit }
}

/// What is taken of a score as `viewer` sees it, or of the steps of a reward.
///
/// # Errors
/// When it is beyond the grid and `saturates` does not hold, or is not a number.
pub(crate) fn taken<G: Game>(
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
