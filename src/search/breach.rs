//! What is made of values that the grid has no place for: evaluations, terminal scores, rewards, and what a
//! reward makes of a value.
//!
//! Where the game or the evaluator declares that it saturates, the nearest end of the grid counts, as in the
//! clamped game, and the value is that game's. Anywhere else the value would be nobody's, so the search ends
//! with an error; so it does everywhere where the value is not a number. What a worker that met one finds
//! from then on proves nothing: it keeps none of it in the table, and tells no other worker of it.
//!
//! On the hot path this is one comparison. All else is cold.

use crate::evaluator::Evaluator;
use crate::game::{Game, Player};
use crate::score::{Bounds, Score, is_not_a_number, is_on_grid};
use crate::search::answer::{Given, OffGrid, SearchError};
use crate::search::setup::Setup;
use crate::search::worker::Worker;

/// The most of either sign that can be meant: two values differ by no more than twice the limit.
fn most(given: Given, limit: Score) -> Score {
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
    let grid = game.grid();
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

impl<S: Setup> Worker<'_, S> {
    /// What is taken of a score as `viewer` sees it.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        given: Given,
        score: Score,
        viewer: impl FnOnce(&S::Game) -> Player,
    ) -> Score {
        if is_on_grid(score, self.limit) {
            return score;
        }
        let viewer = viewer(self.game);
        self.take_off_grid(given, score, viewer)
    }

    /// The same of one that is off the grid, or of a reward that is more than values differ by.
    #[cold]
    #[inline(never)]
    pub(super) fn take_off_grid(&mut self, given: Given, score: Score, viewer: Player) -> Score {
        let (game, evaluator) = (self.game, self.evaluator);
        let saturates = game.saturates() || given == Given::Evaluation && evaluator.saturates(game);
        taken(game, saturates, given, score, viewer).unwrap_or_else(|error| {
            self.become_void(error);
            let most = most(given, self.limit);
            score.clamp(-most, most)
        })
    }

    /// The contract was broken, and the search ends with this error: what the worker finds from now on proves
    /// nothing.
    fn become_void(&mut self, error: SearchError) {
        self.control.fail(error);
        self.is_void = true;
        self.set_halted(true);
    }

    /// What others may know of what was found.
    #[inline]
    pub(crate) fn tellable(&self, found: Bounds) -> Bounds {
        if self.is_void { Bounds::unknown(self.limit) } else { found }
    }
}
