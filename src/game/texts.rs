//! Moves and outcomes as people write them.

use crate::game::{Game, GameWrapper};

/// A game whose moves and outcomes can be told in words: for people, no search asks for it.
pub trait Texts: Game {
    /// How a person would write the move.
    fn move_text(&self, _position: &Self::Position, mv: Self::Move) -> String {
        format!("{mv:?}")
    }

    /// How a person would write the outcome of a chance node, such as the numbers rolled.
    fn outcome_text(&self, _position: &Self::Position, outcome: Self::Outcome) -> String {
        format!("{outcome:?}")
    }
}

/// As in the game that it is made from.
impl<W: GameWrapper<Inner: Texts>> Texts for W {
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.inner().move_text(W::inner_position(position), mv)
    }

    fn outcome_text(&self, position: &Self::Position, outcome: Self::Outcome) -> String {
        self.inner().outcome_text(W::inner_position(position), outcome)
    }
}
