//! The score of what is no number.

use crate::score::Score;

/// The score of a value that is not a number, as is its negative. No number has it.
pub const NOT_A_NUMBER: Score = (1 << 30) - 1;

/// Whether a score is not a number, for either player.
pub(crate) fn is_not_a_number(score: Score) -> bool {
    score == NOT_A_NUMBER || score == -NOT_A_NUMBER
}
