//! EinStein, with all searches of it.

use starsplit_doors::games::GameEntry;
use starsplit_games::einstein::{self, Einstein};

/// EinStein.
pub static EINSTEIN: GameEntry = GameEntry::new::<Einstein>(&einstein::INFO);
