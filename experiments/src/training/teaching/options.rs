//! What teaching depends on.

use serde::Serialize;

/// Everything that the weights depend on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TeachingOptions {
    /// The rules, as the game writes them.
    pub rules: String,
    /// How many positions are searched and learnt.
    pub positions: u64,
    /// Chooses the games, the starting weights and the order of the positions.
    pub seed: u64,
    /// The share of moves that the games' players make at random.
    pub explore: f32,
    /// The share of the positions of a game that are taken.
    pub share: f32,
    /// The evaluator of the searches.
    pub teacher: String,
    /// Their depth.
    pub depth: u32,
    /// How often each position is learnt.
    pub epochs: u32,
    /// Positions to a step.
    pub batch: u32,
    /// The length of the first step for each weight; it falls with the square of the share of steps left.
    pub rate: f32,
}
