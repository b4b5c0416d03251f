//! The paper's network as an evaluator: inputs for the checkers and the runs of both sides, ten hidden units,
//! one output (Veness and Blair, section V).
//!
//! Floats are used for training and in files only ([`Weights`]). A search uses [`Network`], which holds the
//! same weights rounded to integers, carries the hidden sums along moves, and gives the same bits on every
//! machine.
//!
//! Everything is seen by the player to act: "own" checkers and runs are that player's. There is no input for
//! the side to move, because it is always the one whose evaluation it is. The second player rolls columns
//! where the first rolls rows, so the board is transposed for the second player: every evaluation is made as
//! if by a player of rows.

mod activation;
mod error;
mod file;
mod quantised;
mod reach;
mod weights;

pub use error::NetworkError;
pub use quantised::{Accumulators, Network};
pub use weights::{Forward, HIDDEN, RUN_INPUTS, Weights, activation, input_count, inputs};

#[cfg(test)]
mod tests;
