//! The games that there are doors to. A new one is a file here and a line of the list.

pub mod dice;

use crate::cli::BadInput;
use crate::question::door::KnownGame;

/// All of them; the first is the one that is meant where none is named.
pub const ALL: &[KnownGame] = &[dice::GAME];

/// The game of that name.
///
/// # Errors
/// When there is none.
pub fn named(name: &str) -> Result<KnownGame, BadInput> {
    let found = ALL.iter().find(|game| game.name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<_> = ALL.iter().map(|game| game.name).collect();
        BadInput::new("game", name, format!("expected {}", names.join(" or ")))
    })
}

/// The game that is meant where none is named.
pub fn default_game() -> KnownGame {
    ALL[0]
}
