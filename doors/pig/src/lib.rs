//! Pig, with all searches of it.

use starsplit_doors::games::GameEntry;
use starsplit_games::pig::{self, Pig};

/// Pig.
pub static PIG: GameEntry = GameEntry::new::<Pig>(&pig::INFO);
