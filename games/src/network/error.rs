//! What can be wrong with a network.

use crate::shown;

/// Why weights could not be read, or cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// Not a whole safetensors file.
    #[error("weights: not a safetensors file: {reason}")]
    File {
        /// What the safetensors reader says.
        reason: String,
    },
    /// A tensor is missing.
    #[error("weights: no tensor {name:?}")]
    Missing {
        /// The tensor expected.
        name: &'static str,
    },
    /// The file holds more than a network's tensors.
    #[error("weights: {found} tensors: expected {expected}")]
    Tensors {
        /// How many the file holds.
        found: usize,
        /// How many a network has.
        expected: usize,
    },
    /// A tensor has the wrong shape.
    #[error("weights: tensor {name:?} has shape {found:?}: expected {expected:?}")]
    Shape {
        /// The tensor.
        name: &'static str,
        /// Its shape.
        found: Vec<usize>,
        /// The shape that the rules ask for.
        expected: Vec<usize>,
    },
    /// A tensor holds another kind of number.
    #[error("weights: tensor {name:?} holds {found}: expected F32")]
    Numbers {
        /// The tensor.
        name: &'static str,
        /// What it holds, as safetensors names it.
        found: String,
    },
    /// A weight is infinite or not a number.
    #[error("weights: tensor {name:?} holds {found}: expected finite numbers")]
    NotFinite {
        /// The tensor.
        name: &'static str,
        /// The weight.
        found: f32,
    },
    /// The network is for another game or other rules, or does not say for which.
    #[error("weights for {}: expected some for {game} with {expected}", shown(found))]
    Rules {
        /// What the file's metadata says under the game's name; empty where it says nothing.
        found: String,
        /// The name looked for.
        game: &'static str,
        /// What it should say.
        expected: String,
    },
    /// Weights so large that integer sums could overflow.
    #[error("weights: {what} may reach {reach}: expected at most {limit}")]
    TooLarge {
        /// Which sum.
        what: String,
        /// The greatest absolute value that it may reach in an unfinished game.
        reach: f64,
        /// The greatest that can be represented.
        limit: f64,
    },
    /// No weights come with the library for these rules.
    #[error("no trained weights for {rules}")]
    Untrained {
        /// The rules.
        rules: String,
    },
}
