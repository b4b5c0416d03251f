//! A small Chinese dark chess (Banqi): a game whose chance nodes come after some moves only.
//!
//! On two rows of four squares lie the pieces of two colours, face down: of each colour a king, a rook and
//! two soldiers. A player turns a piece up, which is a move and then a chance node, or moves a piece of the
//! own colour, face up, to a neighbouring square that is empty or has a piece that it takes. Who turns up the
//! first piece has its colour. A king takes kings and rooks, a rook takes rooks and soldiers, a soldier takes
//! soldiers and kings. Who has no piece left, or cannot move, has lost; after so many moves in a row without
//! a capture or a piece turned up nobody has won.

use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash};
use starsplit::score::{Grid, Score};

const ROWS: u8 = 2;
const COLUMNS: u8 = 4;
const SQUARES: usize = (ROWS * COLUMNS) as usize;

/// Of each colour: kings, rooks, soldiers.
const SET: [u8; 3] = [1, 1, 2];

/// What a king, a rook and a soldier are worth.
const WORTH: [Score; 3] = [50, 30, 10];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Red,
    Black,
}

use Colour::{Black, Red};

/// A piece: its colour and its place in [`SET`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece(Colour, u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Square {
    Empty,
    FaceDown,
    FaceUp(Piece),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    TurnUp(u8),
    Go { from: u8, to: u8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    squares: [Square; SQUARES],
    /// The pieces that lie face down, by colour: how many kings, rooks and soldiers.
    hidden: [[u8; 3]; 2],
    to_act: Player,
    /// The colour of `Max`, once a piece was turned up.
    colour_of_max: Option<Colour>,
    /// Moves since a piece was taken or turned up.
    quiet: u8,
    /// The square whose piece is about to be turned up.
    turning: Option<u8>,
}

impl Position {
    fn colour_of(&self, player: Player) -> Option<Colour> {
        let other = |colour| if colour == Red { Black } else { Red };
        self.colour_of_max.map(|colour| if player == Player::Max { colour } else { other(colour) })
    }

    /// The pieces of a colour that are left, face up or down, as in [`SET`].
    fn left(&self, colour: Colour) -> [u8; 3] {
        let mut left = self.hidden[colour as usize];
        for square in self.squares {
            if let Square::FaceUp(Piece(own, rank)) = square
                && own == colour
            {
                left[usize::from(rank)] += 1;
            }
        }
        left
    }

    fn has_lost(&self, player: Player) -> bool {
        self.colour_of(player).is_some_and(|colour| self.left(colour) == [0; 3])
    }
}

/// The game; a draw after so many quiet moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DarkChess {
    pub(crate) quiet_limit: u8,
}

impl Default for DarkChess {
    fn default() -> Self {
        DarkChess { quiet_limit: 20 }
    }
}

impl DarkChess {
    pub(crate) fn start(&self) -> Position {
        Position {
            squares: [Square::FaceDown; SQUARES],
            hidden: [SET; 2],
            to_act: Player::Max,
            colour_of_max: None,
            quiet: 0,
            turning: None,
        }
    }

    /// What a hash has to cover, each part under its name: for tests.
    #[cfg(test)]
    pub(crate) fn parts(&self, position: &Position) -> Vec<(&'static str, String)> {
        let Position { squares, hidden, to_act, colour_of_max, quiet, turning } = position;
        let up = squares.map(|square| if let Square::FaceUp(piece) = square { Some(piece) } else { None });
        vec![
            ("the squares' pieces that are face up", format!("{up:?}")),
            (
                "which squares are face down",
                format!("{:?}", squares.map(|square| square == Square::FaceDown)),
            ),
            ("the multiset of what is face down", format!("{hidden:?}")),
            ("the side to move", format!("{to_act:?}")),
            ("the colours", format!("{colour_of_max:?}")),
            ("the quiet moves", format!("{quiet}")),
            ("the square that is being turned up", format!("{turning:?}")),
        ]
    }

    fn takes(mover: Piece, taken: Piece) -> bool {
        let is_enough = match mover.1 {
            0 => taken.1 < 2,
            1 => taken.1 > 0,
            _ => taken.1 != 1,
        };
        mover.0 != taken.0 && is_enough
    }

    fn list_moves(position: &Position, mut push: impl FnMut(Move)) {
        let own = position.colour_of(position.to_act);
        for (from, square) in (0..).zip(position.squares) {
            match square {
                Square::FaceDown => push(Move::TurnUp(from)),
                Square::FaceUp(piece) if Some(piece.0) == own => {
                    for to in neighbours(from) {
                        let goes = match position.squares[usize::from(to)] {
                            Square::Empty => true,
                            Square::FaceDown => false,
                            Square::FaceUp(other) => Self::takes(piece, other),
                        };
                        if goes {
                            push(Move::Go { from, to });
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn neighbours(square: u8) -> impl Iterator<Item = u8> {
    let (row, column) = (square / COLUMNS, square % COLUMNS);
    let exists = [row > 0, row + 1 < ROWS, column > 0, column + 1 < COLUMNS];
    let steps = [-(COLUMNS as i8), COLUMNS as i8, -1, 1];
    exists
        .into_iter()
        .zip(steps)
        .filter(|&(exists, _)| exists)
        .map(move |(_, step)| square.wrapping_add_signed(step))
}

impl Game for DarkChess {
    type Position = Position;
    type Move = Move;
    type Outcome = Piece;

    fn identity(&self) -> u64 {
        mix64(0x6461_726b ^ u64::from(self.quiet_limit))
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, 1000).expect("a grid"))
    }

    fn kind(&self, position: &Position) -> NodeKind {
        if position.turning.is_some() {
            return NodeKind::Chance;
        }
        let mut can_move = false;
        Self::list_moves(position, |_| can_move = true);
        let is_lost = position.has_lost(Player::Max) || position.has_lost(Player::Min);
        if is_lost || !can_move || position.quiet >= self.quiet_limit {
            NodeKind::Terminal
        } else {
            NodeKind::Decision
        }
    }

    fn player(&self, position: &Position) -> Player {
        position.to_act
    }

    fn terminal_score(&self, position: &Position) -> Score {
        if position.has_lost(position.to_act.opponent()) {
            return 1000;
        }
        let mut can_move = false;
        Self::list_moves(position, |_| can_move = true);
        if position.has_lost(position.to_act) || !can_move { -1000 } else { 0 }
    }

    /// A position fits into 64 bits, so that each half tells any two apart.
    fn hash(&self, position: &Position) -> PositionHash {
        let Position { squares, hidden, to_act, colour_of_max, quiet, turning } = *position;
        let square = |square| match square {
            Square::Empty => 0,
            Square::FaceDown => 1,
            Square::FaceUp(Piece(colour, rank)) => 2 + 3 * colour as u64 + u64::from(rank),
        };
        let mut bits = squares.iter().fold(0, |bits, &own| bits * 8 + square(own));
        bits = hidden.iter().flatten().fold(bits, |bits, &count| bits * 4 + u64::from(count));
        bits = bits * 2 + to_act as u64;
        bits = bits * 4 + colour_of_max.map_or(0, |colour| 1 + colour as u64);
        bits = bits * 64 + u64::from(quiet);
        bits = bits * 16 + turning.map_or(0, |square| 1 + u64::from(square));
        PositionHash { high: mix64(bits), low: mix64(!bits) }
    }

    fn moves(&self, position: &Position, push: impl FnMut(Move)) {
        Self::list_moves(position, push);
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        let mut after = *position;
        match mv {
            Move::TurnUp(square) => after.turning = Some(square),
            Move::Go { from, to } => {
                let is_quiet = position.squares[usize::from(to)] == Square::Empty;
                after.quiet = if is_quiet { position.quiet + 1 } else { 0 };
                after.squares[usize::from(to)] = position.squares[usize::from(from)];
                after.squares[usize::from(from)] = Square::Empty;
                after.to_act = position.to_act.opponent();
            }
        }
        after
    }

    fn outcomes(&self, position: &Position, mut push: impl FnMut(Piece, u32)) {
        for colour in [Red, Black] {
            for (rank, &count) in (0..).zip(&position.hidden[colour as usize]) {
                if count > 0 {
                    push(Piece(colour, rank), u32::from(count));
                }
            }
        }
    }

    fn resolve(&self, position: &Position, piece: Piece) -> Position {
        let mut after = *position;
        let Piece(colour, rank) = piece;
        if let Some(square) = after.turning.take() {
            after.squares[usize::from(square)] = Square::FaceUp(piece);
        }
        after.hidden[colour as usize][usize::from(rank)] -= 1;
        let other = if colour == Red { Black } else { Red };
        let of_max = if position.to_act == Player::Max { colour } else { other };
        after.colour_of_max = Some(position.colour_of_max.unwrap_or(of_max));
        after.quiet = 0;
        after.to_act = position.to_act.opponent();
        after
    }
}

/// What the pieces that are left are worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material;

impl Evaluator<DarkChess> for Material {
    type State = ();

    fn facts(&self, _: &DarkChess) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(0x6d61_7465))
    }

    fn state(&self, _: &DarkChess, _: &Position, _: Option<Before<'_, DarkChess, ()>>) {}

    fn evaluate(&self, _: &DarkChess, position: &Position, (): &()) -> Score {
        let worth = |player| {
            let left = position.colour_of(player).map_or(SET, |colour| position.left(colour));
            left.iter().zip(WORTH).map(|(&count, worth)| Score::from(count) * worth).sum::<Score>()
        };
        worth(position.to_act) - worth(position.to_act.opponent())
    }
}
