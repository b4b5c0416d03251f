//! Positions to search, from games that are played for the purpose.

use crate::game::Position;
use ai_backgammon::{Dice, DiceError, Position as Board, evaluate_position};
use anyhow::Result;
use starsplit::evaluator::mix64;

/// A position is this many turns from the start of its game at most.
const MOST_TURNS: usize = 60;

/// One move in so many is drawn; the others are what their evaluation likes best.
const DRAWN: usize = 4;

/// So many positions, each of a game of its own, with a roll and a choice of moves.
pub fn draw(count: usize, seed: u64) -> Result<Vec<Position>> {
    let mut bits = Bits(mix64(seed));
    let mut drawn = Vec::with_capacity(count);
    while drawn.len() < count {
        drawn.extend(play(&mut bits)?);
    }
    Ok(drawn)
}

/// Plays a number of turns from the start: the position that it comes to, unless nothing is to be chosen.
fn play(bits: &mut Bits) -> Result<Option<Position>> {
    let mut board = Board::new();
    for _ in 0..bits.below(MOST_TURNS) {
        let after = boards_after(board, bits.roll()?);
        let Some(&liked) = after.iter().min_by(|one, other| worth(**one).total_cmp(&worth(**other))) else {
            return Ok(None);
        };
        board = if bits.below(DRAWN) == 0 { after[bits.below(after.len())] } else { liked };
    }
    let dice = bits.roll()?;
    let is_choice = boards_after(board, dice).len() > 1;
    Ok(is_choice.then_some(Position { board, dice: Some(dice) }))
}

/// None where the game is over.
fn boards_after(board: Board, dice: Dice) -> Vec<Board> {
    board.legal_outcomes(dice).iter().map(|outcome| outcome.position()).collect()
}

/// For the player whose turn it is.
fn worth(board: Board) -> f32 {
    evaluate_position(board).expected_points()
}

/// Random bits, one after another.
struct Bits(u64);

impl Bits {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        ((u128::from(mix64(self.0)) * bound as u128) >> 64) as usize
    }

    fn roll(&mut self) -> Result<Dice, DiceError> {
        let [one, other] = [(); 2].map(|()| self.below(6) as u8 + 1);
        Dice::new(one, other)
    }
}
