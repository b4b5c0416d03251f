//! Flags of a smaller game: which outcomes and moves are kept.

use crate::cli::values::{self, whole_number};
use crate::question::door::{Door, Kept, SearcherMaker};
use clap::Args;
use serde::Serialize;
use starsplit_games::Invalid;

/// What is kept of a game; all of it where no flag is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Args, Serialize)]
pub struct SmallerFlags {
    /// Search a smaller game: so many outcomes of each chance node, drawn by a hash of the position and
    /// --seed
    ///
    /// With replacement, by the outcomes' probabilities. The value is exact of that game, and the answer says
    /// so.
    #[arg(long, value_name = "K", allow_negative_numbers = true,
          value_parser = whole_number("sampled", 1..=1 << 20))]
    pub sampled: Option<u64>,

    /// Search a smaller game: so many moves of each decision node, the best by the evaluator
    #[arg(long = "keep-moves", alias = "top-moves", value_name = "K", allow_negative_numbers = true,
          value_parser = whole_number("keep-moves", 1..=u64::from(u32::MAX)))]
    pub top_moves: Option<u64>,

    /// Search a smaller game: the moves so little behind the best by the evaluator, in the game's units
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = values::margin)]
    pub within: Option<f64>,
}

impl SmallerFlags {
    /// Whether nothing is left out.
    pub fn keeps_all(&self) -> bool {
        *self == SmallerFlags::default()
    }

    /// The same, with outcomes drawn by this seed.
    pub fn kept(&self, seed: u64) -> Kept {
        // The flags' own ranges are those of the types.
        Kept {
            draws: self.sampled.map(|draws| (draws as u32, seed)),
            moves: self.top_moves.map(|moves| moves as u32),
            margin: self.within,
        }
    }

    /// The evaluator of that name: of the game itself where nothing is left out, else of the smaller one. The
    /// seed is for what either draws at random.
    ///
    /// # Errors
    /// When there is none.
    pub fn evaluator(
        &self,
        door: &dyn Door,
        name: &str,
        seed: u64,
    ) -> Result<Box<dyn SearcherMaker>, Invalid> {
        if self.keeps_all() {
            door.evaluator(name, seed)
        } else {
            door.evaluator_of_smaller(name, seed, self.kept(seed))
        }
    }
}
