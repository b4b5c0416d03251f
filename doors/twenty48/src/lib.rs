//! 2048, with all searches of it.

use starsplit_doors::games::GameEntry;
use starsplit_games::twenty48::{self, Twenty48};

/// 2048.
pub static TWENTY48: GameEntry = GameEntry::new::<Twenty48>(&twenty48::INFO);
