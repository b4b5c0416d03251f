//! The Royal Game of Ur by the common rules, with as many pieces as wished, and with mistakes that its author
//! may have made.

use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, NodeKind, Player, PositionHash};
use starsplit::score::Score;

/// Squares of a player's path; the next one is the goal. Those from 5 to 12 are both players'.
const GOAL: u8 = 15;
const SHARED: std::ops::RangeInclusive<u8> = 5..=12;

/// Who comes to one of these moves again; on the shared one nobody is hit.
const ROSETTES: [u8; 3] = [4, 8, 14];

/// How the author went wrong, or wrote the game in another way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Author {
    Careful,
    /// `player` says `Max` whoever moves.
    ForgetsTheOther,
    /// Weights that are meant as sixteenths, and are seventeen.
    Miscounts,
    /// Each of the sixteen throws of four coins is an outcome.
    ThrowsCoins,
    /// Who rolls nothing rolls again.
    RollsAgain,
}

pub(crate) struct Ur {
    pub(crate) pieces: u8,
    pub(crate) author: Author,
}

/// Each player's pieces: those not yet on the board, and the squares of those on it, a bit each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Position {
    waiting: [u8; 2],
    board: [u16; 2],
    to_move: usize,
    /// What is rolled; `None` before the roll.
    rolled: Option<u8>,
}

impl Ur {
    pub(crate) fn new(pieces: u8, author: Author) -> Self {
        Ur { pieces, author }
    }

    pub(crate) fn start(&self) -> Position {
        Position { waiting: [self.pieces; 2], board: [0; 2], to_move: 0, rolled: None }
    }

    fn has_won(&self, position: &Position, player: usize) -> bool {
        position.waiting[player] == 0 && position.board[player] == 0
    }

    /// Whether a piece may go from this square, 0 being where pieces wait.
    fn is_free(&self, position: &Position, from: u8) -> bool {
        let (own, other) = (position.to_move, 1 - position.to_move);
        let to = from + position.rolled.unwrap_or(0);
        let is_there = if from == 0 { position.waiting[own] > 0 } else { has(position.board[own], from) };
        let is_safe = to == 8 && has(position.board[other], to);
        is_there && to > from && to <= GOAL && (to == GOAL || !has(position.board[own], to)) && !is_safe
    }
}

fn has(board: u16, square: u8) -> bool {
    board >> square & 1 == 1
}

impl Game for Ur {
    type Position = Position;
    /// The square from which a piece goes; `GOAL` to pass.
    type Move = u8;
    /// The sum of the coins, and which throw of them it is.
    type Outcome = (u8, u8);

    fn identity(&self) -> u64 {
        0x7572 ^ u64::from(self.pieces) << 32 ^ (self.author as u64) << 40
    }

    fn kind(&self, position: &Position) -> NodeKind {
        match position.rolled {
            _ if self.has_won(position, 1 - position.to_move) => NodeKind::Terminal,
            None => NodeKind::Chance,
            Some(_) => NodeKind::Decision,
        }
    }

    fn player(&self, position: &Position) -> Player {
        if position.to_move == 0 || self.author == Author::ForgetsTheOther {
            Player::Max
        } else {
            Player::Min
        }
    }

    /// The other player has won.
    fn terminal_score(&self, _: &Position) -> Score {
        -self.facts().grid.limit()
    }

    fn hash(&self, position: &Position) -> PositionHash {
        let rolled = position.rolled.map_or(0, |rolled| 1 + u64::from(rolled));
        let parts = [position.waiting[0].into(), position.waiting[1].into(), position.to_move as u64, rolled];
        let small = parts.iter().fold(0, |sum, part| sum << 3 | part);
        PositionHash::from(small << 32 | u64::from(position.board[0]) << 16 | u64::from(position.board[1]))
    }

    fn moves(&self, position: &Position, mut push: impl FnMut(u8)) {
        let mut may_move = false;
        for from in (0..GOAL).filter(|&from| self.is_free(position, from)) {
            may_move = true;
            push(from);
        }
        if !may_move {
            push(GOAL);
        }
    }

    fn play(&self, position: &Position, from: u8) -> Position {
        let (own, other, mut after) = (position.to_move, 1 - position.to_move, *position);
        let to = from + position.rolled.unwrap_or(0);
        if from < GOAL {
            if from == 0 {
                after.waiting[own] -= 1;
            }
            after.board[own] &= !(1 << from);
            if to < GOAL {
                after.board[own] |= 1 << to;
            }
            if SHARED.contains(&to) && has(after.board[other], to) {
                after.board[other] &= !(1 << to);
                after.waiting[other] += 1;
            }
        }
        let again = from < GOAL && ROSETTES.contains(&to);
        Position { to_move: if again { own } else { other }, rolled: None, ..after }
    }

    fn outcomes(&self, _: &Position, mut push: impl FnMut((u8, u8), u32)) {
        let middle = if self.author == Author::Miscounts { 7 } else { 6 };
        match self.author {
            Author::ThrowsCoins => (0..16).for_each(|coins: u8| push((coins.count_ones() as u8, coins), 1)),
            _ => (0..).zip([1, 4, middle, 4, 1]).for_each(|(sum, weight)| push((sum, 0), weight)),
        }
    }

    fn resolve(&self, position: &Position, (sum, _): (u8, u8)) -> Position {
        let again = sum == 0 && self.author == Author::RollsAgain;
        Position { rolled: if again { None } else { Some(sum) }, ..*position }
    }
}

/// Who has come further.
pub(crate) struct Race;

impl Evaluator<Ur> for Race {
    type State = ();

    fn facts(&self, _: &Ur) -> EvaluatorFacts {
        EvaluatorFacts::new(0x7261_6365)
    }

    fn state(&self, _: &Ur, _: &Position, _: Option<Before<'_, Ur, ()>>) {}

    fn evaluate(&self, game: &Ur, position: &Position, (): &()) -> Score {
        let left = |player: usize| {
            let on_board = (1..GOAL).filter(|&square| has(position.board[player], square));
            let squares: u8 = on_board.map(|square| GOAL - square).sum();
            Score::from(squares) + Score::from(position.waiting[player]) * Score::from(GOAL)
        };
        let lead = left(1) - left(0);
        let own = if game.player(position) == Player::Max { lead } else { -lead };
        own * (game.facts().grid.limit() / 256)
    }
}
