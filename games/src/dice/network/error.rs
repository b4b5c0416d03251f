//! What can be wrong with a network.

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
    /// The file does not say which board the network is for.
    #[error("weights: metadata {found:?}: expected \"size=N,run=N\" under the name dice-network")]
    Metadata {
        /// What was found; empty when there is none.
        found: String,
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
        /// The shape that the board asks for.
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
    /// The network is for another game.
    #[error("weights for size={found_size},run={found_run}: the game is size={size},run={run}")]
    Rules {
        /// The size of the board that the network is for.
        found_size: u8,
        /// The length of run that the network is for.
        found_run: u8,
        /// The size of the game's board.
        size: u8,
        /// The length of run that wins the game.
        run: u8,
    },
    /// Weights so large that integer sums could overflow.
    #[error("weights: {what} may reach {reach}: expected at most {limit}")]
    TooLarge {
        /// Which sum.
        what: String,
        /// The greatest absolute value that it may reach on an unfinished board.
        reach: f64,
        /// The greatest that can be represented.
        limit: f64,
    },
    /// No weights come with the library for this board.
    #[error("no trained weights for size={size},run={run}: available are size=5,run=4")]
    Untrained {
        /// The size of the board.
        size: u8,
        /// The length of run that wins.
        run: u8,
    },
}
