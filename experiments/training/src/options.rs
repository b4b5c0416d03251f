//! What a training run depends on.

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Towards what a position's value is pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The mean over all outcomes and the moves after them.
    Mean,
    /// The value after the outcome that came and the move that seemed best.
    Sampled,
}

/// Everything that the trained weights depend on, to the last bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The game's name.
    pub game: String,
    /// The rules, as the game writes them.
    pub rules: String,
    /// Games of self-play.
    pub games: u64,
    /// Chooses the starting weights and all that chance decides.
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
    /// Games that are played with the same weights, and then learnt from at once; 0 to learn from positions
    /// as they are met, 64 to a step.
    pub batch: u64,
    /// Towards what values are pulled.
    pub target: Target,
}

impl Options {
    /// What is meant where nothing else is said. Dice learns as it did before other games came.
    pub fn default_for(game: &str, rules: &str) -> Self {
        let others = Options {
            game: game.to_owned(),
            rules: rules.to_owned(),
            games: 200_000,
            seed: 1,
            lambda: 0.5,
            rate: 0.003,
            explore: 0.0,
            slips: 0.0,
            batch: 16,
            target: Target::Sampled,
        };
        match game {
            "dice" => Options {
                games: 2_000_000,
                rate: 0.001,
                explore: 0.7,
                slips: 0.6,
                batch: 0,
                target: Target::Mean,
                ..others
            },
            "einstein" => Options { explore: 0.05, ..others },
            _ => others,
        }
    }

    /// Refuses what does not go together.
    ///
    /// # Errors
    /// Names the option, the value found and what was expected.
    pub fn check(&self) -> Result<()> {
        if self.target == Target::Sampled && self.slips > 0.0 {
            bail!("--slips {}: expected 0 but for --target mean", self.slips);
        }
        if self.target == Target::Sampled && self.batch == 0 {
            bail!("--target sampled: expected mean where --batch is 0");
        }
        Ok(())
    }
}
