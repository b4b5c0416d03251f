//! The games of this program, by name.

use std::sync::OnceLock;

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
