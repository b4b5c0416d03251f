//! Dice as the paper may have meant it: which lines the die names, and what a full line is.

use starsplit::evaluator::mix64;
use starsplit::game::{Game, Player};
use starsplit_games::dice::{Dice, FullLine, Position, Rules, RulesError};

/// Which lines the die names. The paper: "a die is rolled to determine the row or column into which the
/// checker must be placed" (section V).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Die {
    /// A row for the first player, a column for the second, as the library has it.
    Own,
    /// A row for either player.
    Rows,
}

/// The most faces that a die has: the rows of the largest board.
pub(super) const FACES: usize = 8;

/// The move that places nothing.
pub(super) const PASS: u8 = 64;

/// What a die may name at a position: the cells that each face leaves, none where a full line passes.
pub(super) struct Rolls {
    faces: [(u8, u64); FACES],
    count: usize,
}

impl Rolls {
    /// The faces by their numbers, with their cells.
    pub(super) fn faces(&self) -> &[(u8, u64)] {
        &self.faces[..self.count]
    }
}

/// Dice under one reading of its rules, over the positions of the library's Dice, none of which has a roll
/// pending: what is pending goes beside them.
#[derive(Clone, Debug)]
pub(super) struct ReadDice {
    pub(super) dice: Dice,
    /// The cells of the faces that each player may roll.
    lines: [Vec<u64>; 2],
    all_cells: u64,
    passes: bool,
    face_keys: [[u64; FACES]; 2],
}

impl ReadDice {
    /// The paper's board, 5 by 5 with four in a row, under this reading.
    ///
    /// # Errors
    /// Never: the library knows these rules.
    pub(super) fn new(die: Die, full_line: FullLine) -> Result<Self, RulesError> {
        let rules = Rules::new(5, 4, full_line)?;
        let size = rules.size();
        let line = |keep: &dyn Fn(u8) -> bool| {
            (0..size * size).filter(|&cell| keep(cell)).fold(0, |set, cell| set | 1u64 << cell)
        };
        let rows = (0..size).map(|row| line(&|cell| cell / size == row)).collect::<Vec<_>>();
        let columns = (0..size).map(|column| line(&|cell| cell % size == column)).collect::<Vec<_>>();
        let lines = match die {
            Die::Own => [rows, columns],
            Die::Rows => [rows.clone(), rows],
        };
        let key = |player, face| mix64(mix64(0x726f_6c6c) ^ (FACES * player + face) as u64);
        Ok(ReadDice {
            dice: Dice::new(rules),
            lines,
            all_cells: line(&|_| true),
            passes: full_line == FullLine::Pass,
            face_keys: [0, 1].map(|player| std::array::from_fn(|face| key(player, face))),
        })
    }

    /// What may be rolled at `position`, every face equally likely.
    pub(super) fn rolls(&self, position: &Position) -> Rolls {
        let empty = self.all_cells & !(position.stones(Player::Max) | position.stones(Player::Min));
        let mut rolls = Rolls { faces: [(0, 0); FACES], count: 0 };
        for (face, line) in (0..).zip(&self.lines[position.to_act() as usize]) {
            let cells = line & empty;
            if cells != 0 || self.passes {
                rolls.faces[rolls.count] = (face, cells);
                rolls.count += 1;
            }
        }
        rolls
    }

    /// The roll that a search from a decision node begins after: a function of the position.
    pub(super) fn first_roll(&self, position: &Position) -> (u8, u64) {
        let rolls = self.rolls(position);
        let number = mix64(self.key(position)) % rolls.count.max(1) as u64;
        rolls.faces[number as usize]
    }

    /// What the table knows `position` by, before a roll.
    pub(super) fn key(&self, position: &Position) -> u64 {
        self.dice.hash(position).low
    }

    /// What the table knows it by once this face was rolled.
    pub(super) fn rolled_key(&self, position: &Position, face: u8) -> u64 {
        self.key(position) ^ self.face_keys[position.to_act() as usize][usize::from(face)]
    }
}

/// The moves that a face leaves: its cells from the lowest, or the pass.
pub(super) fn moves_of(mut cells: u64) -> ([u8; 8], usize) {
    let (mut moves, mut count) = ([PASS; 8], 0);
    while cells != 0 && count < moves.len() {
        moves[count] = cells.trailing_zeros() as u8;
        cells &= cells - 1;
        count += 1;
    }
    (moves, count.max(1))
}

/// The move as the library has it.
pub(super) fn library_move(mv: u8) -> starsplit_games::dice::Move {
    use starsplit_games::dice::Move;
    if mv == PASS { Move::Pass } else { Move::Place(mv) }
}
