//! What a training run depends on.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// Everything that the trained weights depend on, to the last bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The rules, as Dice writes them.
    pub rules: String,
    /// Games of self-play.
    pub games: u64,
    /// Chooses the starting weights and every roll.
    pub seed: u64,
    /// How much of a later surprise reaches each earlier position, from 0 to 1.
    pub lambda: f32,
    /// The length of the first game's steps for each weight; it falls with the square of the share of games
    /// left.
    pub rate: f32,
    /// The share of moves made at random rather than by the network, so that many kinds of positions are
    /// seen.
    pub explore: f32,
    /// The share of moves that values take to be made at random, by both sides.
    pub slips: f32,
}

impl Options {
    /// Refuses what training cannot work with.
    ///
    /// # Errors
    /// Names the option, the value found and what was expected.
    pub fn check(&self) -> Result<()> {
        if self.games == 0 {
            bail!("--games 0: expected at least 1");
        }
        for (name, value) in [("lambda", self.lambda), ("explore", self.explore), ("slips", self.slips)] {
            if !(0.0..=1.0).contains(&value) {
                bail!("--{name} {value}: expected a number from 0 to 1");
            }
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            bail!("--rate {}: expected a number above 0, at most 1", self.rate);
        }
        Ok(())
    }
}
