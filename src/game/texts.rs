//! Moves and outcomes as text.

use crate::game::Game;

/// A game with texts for its moves and outcomes. They are for people; no search uses them.
pub trait Texts: Game {
    /// The move as a person would write it.
    fn move_text(&self, _position: &Self::Position, mv: Self::Move) -> String {
        format!("{mv:?}")
    }

    /// The outcome as a person would write it, such as the numbers rolled.
    fn outcome_text(&self, _position: &Self::Position, outcome: Self::Outcome) -> String {
        format!("{outcome:?}")
    }
}
