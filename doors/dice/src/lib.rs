//! Dice, with all searches of it.

use starsplit_doors::games::GameEntry;
use starsplit_games::dice::{self, Dice};

/// Dice.
pub static DICE: GameEntry = GameEntry::new::<Dice>(&dice::INFO);
