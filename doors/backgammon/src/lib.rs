//! Backgammon and hyper-backgammon, with all searches of them.

use starsplit_doors::games::GameEntry;
use starsplit_games::backgammon::{self, Backgammon};

/// Backgammon.
pub static BACKGAMMON: GameEntry = GameEntry::new::<Backgammon>(&backgammon::INFO);

/// Hyper-backgammon.
pub static HYPER_BACKGAMMON: GameEntry = GameEntry::new::<Backgammon>(&backgammon::HYPER_INFO);
