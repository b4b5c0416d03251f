//! The games of this program, by name.

use starsplit_doors::door::Door;
use starsplit_games::{GameInfo, Invalid};
use std::sync::{Arc, OnceLock};

pub use starsplit_doors::games::{GameEntry, Games, door_to, played};

/// What [`choose`] was given. A program's argument parsers, which take no arguments of their own, ask for it.
static CHOSEN: OnceLock<Games> = OnceLock::new();

/// Makes these the games of this program. It is called before anything asks for them.
pub(crate) fn choose(games: Games) {
    // Who has asked before has seen the project's own, as tests do, which choose none.
    let _ = CHOSEN.set(games);
}

/// The games of this program: this project's own where none were chosen.
pub fn games() -> Games {
    *CHOSEN.get_or_init(own)
}

#[cfg(feature = "games")]
fn own() -> Games {
    starsplit_doors_all::GAMES
}

#[cfg(not(feature = "games"))]
fn own() -> Games {
    Games(&[])
}

/// What is known of each.
pub fn infos() -> impl Iterator<Item = &'static GameInfo> + Clone {
    games().infos()
}

/// The game of that name.
///
/// # Errors
/// When there is none.
pub fn named(name: &str) -> Result<&'static GameInfo, Invalid> {
    games().named(name)
}

/// The game that is meant where none is named.
///
/// # Panics
/// When the program has none.
pub fn default_game() -> &'static GameInfo {
    games().default_game()
}

/// The door to a game, under its default rules where none are given.
///
/// # Errors
/// When the rules are none of that game.
pub fn open(game: &GameInfo, rules: Option<&str>) -> Result<Arc<dyn Door>, Invalid> {
    games().open(game, rules)
}
