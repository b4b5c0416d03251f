//! Dice as the paper may have meant it: which lines the die names, and what a full line is.

use starsplit::evaluator::mix64;
use starsplit::game::{Game, Player};
use starsplit_games::dice::{Dice, FullLine, Move, Position, Rules, RulesError};

/// Rows of the board, columns, and the most faces that a die has.
pub(crate) const FACES: usize = 5;

/// The move that places nothing.
pub(crate) const PASS: u8 = 64;

/// What a die may name: the face by its number, and the cells that it leaves, none where a full line passes.
pub(crate) type Face = (u8, u64);

/// Dice under one reading of its rules, over the positions of the library's Dice, none of which has a roll
/// pending: what is pending goes beside them. They are the same whatever a full line means.
#[derive(Clone, Debug)]
pub struct ReadDice {
    pub(crate) dice: Dice,
    /// The cells of the faces that each player may roll.
    lines: [[u64; FACES]; 2],
    passes: bool,
    face_keys: [[u64; FACES]; 2],
}

impl ReadDice {
    /// The paper's board, 5 by 5 with four in a row. The die names rows for both players, or a row for the
    /// first and a column for the second, as the library has it; a full line passes, or is rolled again.
    ///
    /// # Errors
    /// Never: the library knows these rules.
    pub fn new(is_in_rows: bool, passes: bool) -> Result<Self, RulesError> {
        let full_line = if passes { FullLine::Pass } else { FullLine::Reroll };
        let rows = std::array::from_fn(|row| 0b11111 << (FACES * row));
        let columns = std::array::from_fn(|column| 0b00001_00001_00001_00001_00001 << column);
        let key = |player: usize, face: usize| mix64(mix64(0x726f_6c6c) ^ (8 * player + face) as u64);
        let face_keys = [0, 1].map(|player| std::array::from_fn(|face| key(player, face)));
        let lines = [rows, if is_in_rows { rows } else { columns }];
        Ok(ReadDice { dice: Dice::new(Rules::new(FACES as u8, 4, full_line)?), lines, passes, face_keys })
    }

    /// What may be rolled at `position`, every face equally likely.
    pub(crate) fn faces(&self, position: &Position) -> Vec<Face> {
        let taken = position.stones(Player::Max) | position.stones(Player::Min);
        let faces = (0..).zip(self.lines[position.to_act() as usize].map(|line| line & !taken));
        faces.filter(|&(_, cells)| cells != 0 || self.passes).collect()
    }

    /// The roll that a search from a decision node begins after: a function of the position.
    pub(crate) fn first_roll(&self, position: &Position) -> Face {
        let faces = self.faces(position);
        faces[(mix64(self.key(position)) % faces.len() as u64) as usize]
    }

    /// What the table knows `position` by, before a roll.
    pub(crate) fn key(&self, position: &Position) -> u64 {
        self.dice.hash(position).low
    }

    /// What the table knows it by once this face was rolled.
    pub(crate) fn rolled_key(&self, position: &Position, face: u8) -> u64 {
        self.key(position) ^ self.face_keys[position.to_act() as usize][usize::from(face)]
    }
}

/// The moves that a face leaves: its cells from the lowest, or the pass.
pub(crate) fn moves_of(cells: u64) -> Vec<u8> {
    if cells == 0 { vec![PASS] } else { (0..PASS).filter(|cell| cells >> cell & 1 != 0).collect() }
}

/// The move as the library has it.
pub(crate) fn library_move(mv: u8) -> Move {
    if mv == PASS { Move::Pass } else { Move::Place(mv) }
}
