//! Trained networks as evaluators: sparse inputs that a game names, one hidden layer, one or more outputs.
//!
//! Floats are used for training and in files only ([`Weights`]). A search uses [`Network`], which holds the
//! same weights rounded to integers, carries the hidden sums along moves, and gives the same bits on every
//! machine. Dice has an integer network of its own, which knows that game's few kinds of inputs; all else it
//! shares.
//!
//! Everything is seen by the player whose value is told, so that there is no input for the side to move; and
//! what was rolled is no input either: evaluations are those of the position before the roll.

mod activation;
mod error;
mod file;
mod list;
mod named;
mod quantised;
mod scale;
mod weights;

pub use error::NetworkError;
pub(crate) use file::{MetadataEntry, Tensor, read_tensors, write_tensors};
pub use list::{ALL, NetworkVisitor, open};
pub use named::named;
pub(crate) use named::{NETWORK, Source, fitting, from_bytes, from_source, is_network, trained};
pub use quantised::{Accumulators, Network};
pub use weights::{Forward, Group, Shape, Weights, activation, value};

pub(crate) use activation::{HIDDEN_BITS, OUTPUT_BITS, SUM_BITS, dot, hidden, output};
pub(crate) use scale::{HIDDEN_SCALES, OUTPUT_SCALES, finest, rounded, too_large};

use crate::KnownGame;
use starsplit::evaluator::Evaluator;
use starsplit::game::Player;
use starsplit::score::Score;
use std::fmt::Debug;

/// A game with a network of `H` hidden units and `O` outputs: what its inputs are and what its outputs mean.
///
/// Outputs lie from -1 to 1, where -1 says that something never comes, and 1 that it always does: a win, a
/// loss of twice the stake. They are told of a position as its [`player`](starsplit::game::Game::player) sees
/// it, and its value is the sum of what they are [`worth`](Self::worth), [within the
/// rules](Self::within_rules).
pub trait NetworkGame<const H: usize, const O: usize>: KnownGame {
    /// The evaluator that searches use.
    type Network: Evaluator<Self> + Clone + Debug + 'static;

    /// A part of the network's identity: another number wherever equal weights come to mean other values.
    const EDITION: u64 = 0;

    /// The greatest weight that training starts from, either way: greater ones suit inputs that are seldom
    /// more than 1.
    const START: f32;

    /// What a file of weights for these rules holds.
    fn shape(&self) -> Shape;

    /// The weights that come with the library for these rules, as the bytes of a file.
    fn trained(&self) -> Option<&'static [u8]>;

    /// Gives the number and the value of every input that is not 0 to `push`, for `position` as `player` sees
    /// it, in an order that depends on the position alone. Numbers are in the order of
    /// [`shape`](Self::shape).
    fn inputs(&self, position: &Self::Position, player: Player, push: impl FnMut(usize, i16));

    /// Whether `position` counts as even whatever the weights. So it must be before and after a chance
    /// outcome that is more than a roll, such as one that decides whose turn it is: evaluations do not look
    /// at outcomes. Sums are carried along moves from other positions only.
    fn is_even(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// What each output adds to the score where it is 1, in steps of the grid.
    fn worth(&self) -> [i32; O];

    /// The nearest score that the rules still allow, as `player` sees `position`. By default they
    /// allow every score.
    fn within_rules(&self, position: &Self::Position, player: Player, score: Score) -> Score {
        let _ = (position, player);
        score
    }

    /// The outputs of a finished game, as `position`'s player sees it.
    fn result(&self, position: &Self::Position) -> [f32; O];

    /// The same outputs as the other player sees them. A linear function: it serves differences of outputs as
    /// well.
    fn flipped(outputs: [f32; O]) -> [f32; O];

    /// The evaluator with `weights`, rounded to integers.
    ///
    /// # Errors
    /// When they are for other rules, incomplete, not finite, or so large that integers might overflow (see
    /// [`confine`](Self::confine)).
    fn network(&self, weights: &Weights<H, O>) -> Result<Self::Network, NetworkError>;

    /// Makes weights small enough for integers: scales down whatever [`network`](Self::network) would refuse
    /// as too large. Weights that training finds useful are far smaller and stay as they are.
    fn confine(&self, weights: &mut Weights<H, O>);
}

/// A game whose network is a [`Network`]: how the inputs change along moves, and how large their sums can
/// become.
///
/// [`inputs`](NetworkGame::inputs) are the carried ones and the fresh ones together.
pub trait CarriedInputs<const H: usize, const O: usize>: NetworkGame<H, O> {
    /// The inputs whose sums are carried along moves.
    fn carried(&self, position: &Self::Position, player: Player, push: impl FnMut(usize, i16));

    /// By how much a move changes the carried inputs, as each of the players sees them.
    fn changes(
        &self,
        before: &Self::Position,
        mv: Self::Move,
        after: &Self::Position,
        push: impl FnMut(Player, usize, i16),
    );

    /// The inputs that are found anew for each evaluation.
    fn fresh(&self, position: &Self::Position, player: Player, push: impl FnMut(usize, i16)) {
        let _ = (position, player, push);
    }

    /// The least and the greatest sum of `weight` times the input over all unfinished positions; or numbers
    /// below and above them. Exact for integers up to 2^40.
    fn extremes(&self, weight: impl Fn(usize) -> f64) -> (f64, f64);
}

#[cfg(test)]
mod tests;
