//! Abalone, with all searches of it.

use starsplit_doors::games::GameEntry;
use starsplit_games::abalone::{self, Abalone};

/// Abalone.
pub static ABALONE: GameEntry = GameEntry::new::<Abalone>(&abalone::INFO);
