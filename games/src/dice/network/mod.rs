//! The paper's network as an evaluator: inputs for the checkers and the runs of both sides, ten hidden units,
//! one output (Veness and Blair, section V).
//!
//! Floats, files and training are those of every network ([`crate::network`]). The integers are Dice's own:
//! the checkers and runs of both players make all of its inputs, so that a move changes a column or three.
//!
//! Everything is seen by the player to act: "own" checkers and runs are that player's. There is no input for
//! the side to move, because it is always the one whose evaluation it is. The second player rolls columns
//! where the first rolls rows, so the board is transposed for the second player: every evaluation is made as
//! if by a player of rows.

mod quantised;
mod reach;
mod weights;

pub use quantised::{Accumulators, Network};
pub use weights::{HIDDEN, RUN_INPUTS, Weights};

#[cfg(test)]
mod tests;
