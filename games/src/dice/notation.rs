//! Positions of Dice as text, such as `...../..x../..o../...../..... x r3`.
//!
//! Three fields with a space between them: the rows from the top, parted by `/`, one sign a cell (`x` for the
//! first player, `o` for the second, `.` for nobody); the player to act; and the pending roll, `r3` for the
//! third row when `x` has rolled, `c3` for the third column when `o` has, `-` before the roll.
//!
//! Moves name their cell as the board is drawn, with letters for columns.

use super::{Dice, FullLine, Line, Position, Status};
use crate::cut;
use starsplit::game::Player;
use std::fmt::Write;

impl Dice {
    /// Reads an unfinished position, before a roll or with one pending, written as
    /// [`notation`](Dice::notation) writes it.
    ///
    /// # Errors
    /// When the text is not of that form, or no play under these rules leads to an unfinished position like
    /// it as far as counting checkers and full lines can tell.
    pub fn parse(&self, text: &str) -> Result<Position, NotationError> {
        let mut fields = text.split_whitespace();
        let mut field = |name| fields.next().ok_or(NotationError::MissingField { name });
        let (board, player, roll) = (field("board")?, field("player")?, field("roll")?);
        if let Some(extra) = fields.next() {
            return Err(NotationError::ExtraField { found: cut(extra) });
        }
        let stones = read_board(self.rules.size(), board)?;
        let to_act = read_player(player)?;
        let pending = read_roll(self.rules.size(), to_act, roll)?;
        self.check_counts(stones, to_act)?;
        self.check_unfinished(self.position(stones, to_act, None))?;
        self.check_room(stones, to_act, pending)?;
        Ok(self.position(stones, to_act, pending))
    }

    /// Writes a position, finished ones as well; [`parse`](Dice::parse) reads it back if it is unfinished.
    pub fn notation(&self, position: &Position) -> String {
        let size = self.rules.size();
        let mut text = String::with_capacity(usize::from(size) * (usize::from(size) + 1) + 5);
        for cell in 0..size * size {
            if cell > 0 && cell % size == 0 {
                text.push('/');
            }
            let owner = [Player::Max, Player::Min].into_iter().find(|&p| position.stones(p) >> cell & 1 != 0);
            text.push(owner.map_or('.', sign));
        }
        let roll = position.pending.map_or("-".to_owned(), |line| line_name(position.to_act, line));
        // Writing to a String never fails.
        let _ = write!(text, " {} {roll}", sign(position.to_act));
        text
    }

    /// Refuses counts of checkers that no play leads to. The players alternate and each turn places one
    /// checker, but for turns lost on full lines: the first player loses them on full rows only, the second
    /// on full columns only.
    fn check_counts(&self, stones: [u64; 2], to_act: Player) -> Result<(), NotationError> {
        let [first, second] = stones.map(u64::count_ones);
        let lead = i64::from(first) - i64::from(second) - i64::from(to_act == Player::Min);
        let may_lose_turns = |player: Player| {
            let full = |line| self.line_cells(player, line) & !(stones[0] | stones[1]) == 0;
            self.rules.full_line() == FullLine::Pass && (0..self.rules.size()).map(Line).any(full)
        };
        let explained = match lead {
            0 => true,
            1.. => may_lose_turns(Player::Min),
            _ => may_lose_turns(Player::Max),
        };
        if explained { Ok(()) } else { Err(NotationError::Counts { first, second, player: sign(to_act) }) }
    }

    fn check_unfinished(&self, position: Position) -> Result<(), NotationError> {
        match position.status {
            Status::Open => Ok(()),
            Status::Full => Err(NotationError::BoardFull),
            Status::Won => {
                let first_won = self.count_runs(position.stones(Player::Max)).1;
                let winner = sign(if first_won { Player::Max } else { Player::Min });
                Err(NotationError::AlreadyWon { winner, run: self.rules.run() })
            }
        }
    }

    fn check_room(&self, stones: [u64; 2], to_act: Player, roll: Option<Line>) -> Result<(), NotationError> {
        match roll {
            Some(line)
                if self.rules.full_line() == FullLine::Reroll
                    && self.line_cells(to_act, line) & !(stones[0] | stones[1]) == 0 =>
            {
                Err(NotationError::LineFull { found: line_name(to_act, line) })
            }
            _ => Ok(()),
        }
    }
}

/// The checkers of the two players.
fn read_board(size: u8, board: &str) -> Result<[u64; 2], NotationError> {
    let rows = board.split('/').count();
    if rows != usize::from(size) {
        return Err(NotationError::Rows { found: rows, expected: size });
    }
    let mut stones = [0; 2];
    for (row, signs) in board.split('/').enumerate() {
        let length = signs.chars().count();
        if length != usize::from(size) {
            return Err(NotationError::RowLength { row: row + 1, found: length, expected: size });
        }
        for (column, found) in signs.chars().enumerate() {
            let cell = 1 << (row * usize::from(size) + column);
            match found {
                'x' => stones[0] |= cell,
                'o' => stones[1] |= cell,
                '.' => {}
                _ => return Err(NotationError::Sign { found, row: row + 1, column: column + 1 }),
            }
        }
    }
    Ok(stones)
}

fn read_player(text: &str) -> Result<Player, NotationError> {
    match text {
        "x" => Ok(Player::Max),
        "o" => Ok(Player::Min),
        _ => Err(NotationError::Player { found: cut(text) }),
    }
}

fn read_roll(size: u8, player: Player, text: &str) -> Result<Option<Line>, NotationError> {
    if text == "-" {
        return Ok(None);
    }
    (0..size).map(Line).find(|&line| line_name(player, line) == text).map(Some).ok_or_else(|| {
        NotationError::Roll { found: cut(text), player: sign(player), line: line_letter(player), size }
    })
}

fn sign(player: Player) -> char {
    match player {
        Player::Max => 'x',
        Player::Min => 'o',
    }
}

fn line_letter(player: Player) -> char {
    match player {
        Player::Max => 'r',
        Player::Min => 'c',
    }
}

/// A line as `player` rolls it: `r1` is the top row, `c1` the leftmost column.
fn line_name(player: Player, line: Line) -> String {
    format!("{}{}", line_letter(player), line.0 + 1)
}

/// A cell as the board is drawn, by column and row: `c2` is the third cell of the second row.
pub(super) fn cell_name(size: u8, cell: u8) -> String {
    format!("{}{}", column_name(cell % size), cell / size + 1)
}

/// The cell that a text names, as [`cell_name`] or as `r2c3`, which is how cells were written once.
pub(super) fn read_cell(size: u8, text: &str) -> Option<u8> {
    let (row, column) = match *text.to_ascii_lowercase().as_bytes() {
        [column @ b'a'..=b'h', row @ b'1'..=b'8'] => (row - b'1', column - b'a'),
        [b'r', row @ b'1'..=b'8', b'c', column @ b'1'..=b'8'] => (row - b'1', column - b'1'),
        _ => return None,
    };
    (row < size && column < size).then_some(row * size + column)
}

/// A line as the board is drawn: `row 2`, or `column c`.
pub(super) fn drawn_line(player: Player, line: Line) -> String {
    match player {
        Player::Max => format!("row {}", line.0 + 1),
        Player::Min => format!("column {}", column_name(line.0)),
    }
}

/// Whether a text names a line that `player` rolls: as [`drawn_line`], or by the number of a column, with or
/// without the word before it.
pub(super) fn names_line(player: Player, line: Line, text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let word = if player == Player::Max { "row " } else { "column " };
    let name = text.strip_prefix(word).unwrap_or(&text).trim();
    let is_letter = player == Player::Min && name == column_name(line.0).to_string();
    is_letter || name == (line.0 + 1).to_string()
}

fn column_name(column: u8) -> char {
    char::from(b'a' + column)
}

/// Why a position could not be read. Rows and columns are counted from 1, from the top left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// Fewer than three fields.
    #[error("position has no {name}: expected board, player and roll, as in \"../.. x -\"")]
    MissingField {
        /// The first field that is missing.
        name: &'static str,
    },
    /// More than three fields.
    #[error("position goes on with {found:?}: expected nothing after board, player and roll")]
    ExtraField {
        /// The fourth field.
        found: String,
    },
    /// The board has too few or too many rows.
    #[error("board has {found} rows: expected {expected}")]
    Rows {
        /// How many there are.
        found: usize,
        /// The size of the board.
        expected: u8,
    },
    /// A row is too short or too long.
    #[error("row {row} has {found} cells: expected {expected}")]
    RowLength {
        /// The row.
        row: usize,
        /// How many cells it has.
        found: usize,
        /// The size of the board.
        expected: u8,
    },
    /// A cell holds what is no checker.
    #[error("cell {found:?} in row {row}, column {column}: expected x, o or .")]
    Sign {
        /// What is there.
        found: char,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// There is no such player.
    #[error("player {found:?}: expected x or o")]
    Player {
        /// What was given.
        found: String,
    },
    /// The player to act cannot have rolled this.
    #[error("roll {found:?} of {player}: expected - or {line}1 to {line}{size}")]
    Roll {
        /// What was given.
        found: String,
        /// The player to act.
        player: char,
        /// What this player rolls: `r` for a row, `c` for a column.
        line: char,
        /// The size of the board.
        size: u8,
    },
    /// No play leads to so many checkers with this player to act.
    #[error(
        "{first} x and {second} o with {player} to act: expected as many x as o when x is to act and one \
         more when o is; turns are lost on full lines only, and only if the rules say so"
    )]
    Counts {
        /// Checkers of the first player.
        first: u32,
        /// Checkers of the second player.
        second: u32,
        /// The player to act.
        player: char,
    },
    /// The position is over: somebody has a winning run.
    #[error("{winner} has {run} connected checkers: expected an unfinished game")]
    AlreadyWon {
        /// Whose run it is.
        winner: char,
        /// The length of a winning run.
        run: u8,
    },
    /// The position is over: nobody can place a checker.
    #[error("the board is full: expected an unfinished game")]
    BoardFull,
    /// A full line was rolled, under rules by which it would be rolled again.
    #[error("roll {found} names a full line: expected one with room, for full lines are rolled again")]
    LineFull {
        /// The roll.
        found: String,
    },
}

#[cfg(test)]
mod tests;
