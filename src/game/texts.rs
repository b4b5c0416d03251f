//! Moves and outcomes as text.

use crate::game::{Game, GameWrapper};

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

/// The inner game's texts.
impl<W: GameWrapper<Inner: Texts>> Texts for W {
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.inner().move_text(W::inner_position(position), mv)
    }

    fn outcome_text(&self, position: &Self::Position, outcome: Self::Outcome) -> String {
        self.inner().outcome_text(W::inner_position(position), outcome)
    }
}
