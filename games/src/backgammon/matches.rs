//! Matches as other programs write them: `.mat` files, and `.sgf` files of GNU Backgammon.
//!
//! Of a match the rolls and moves of checkers are read, and nothing of the cube, the score and resignations:
//! positions are those of games for money without a cube. The player whom a `.mat` file has on the left, and
//! an `.sgf` file calls White, is x.

mod mat;
mod sgf;

use super::notation::{self, sign};
use super::{Backgammon, Move, Outcome, Phase, Position, Roll, Variant};
use crate::Invalid;
use crate::known::no_matches;
use starsplit::game::{Game, NodeKind, Player};
use std::fmt::Display;

/// How words begin, in small letters, for what players do that is not about checkers.
const LEFT_OUT: [&str; 7] = ["double", "redouble", "take", "drop", "beaver", "raccoon", "resign"];

/// A game of a match as its file tells it.
#[derive(Debug)]
struct Record {
    /// Which of the match's games it is.
    number: u32,
    turns: Vec<Turn>,
    /// Whether the file says that somebody has won it.
    is_won: bool,
}

/// A roll and what was done with it.
#[derive(Debug)]
struct Turn {
    /// Which move of its game it is, as the file counts.
    number: u32,
    player: Player,
    roll: Roll,
    /// The move, as [`notation::parse_move`] reads it; empty where the file tells none.
    text: String,
}

impl Turn {
    fn new(number: u32, player: Player, roll: &str, text: String) -> Result<Self, Invalid> {
        let wrong = || Invalid::new("roll", roll, "two numbers from 1 to 6, as in 31 or 3-1");
        Ok(Turn { number, player, roll: notation::roll(roll).ok_or_else(wrong)?, text })
    }
}

/// Every position with a roll to be played, also where only one move is legal, or none.
pub(super) fn positions(game: &Backgammon, text: &str) -> Result<Vec<Position>, Invalid> {
    if game.variant() != Variant::Backgammon {
        return Err(no_matches(text));
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    let records = if text.starts_with('(') { sgf::records(text)? } else { mat::records(text)? };
    let mut positions = Vec::new();
    for record in &records {
        follow(game, record, &mut positions)?;
    }
    if positions.is_empty() {
        return Err(Invalid::new("match", text, "a .mat or .sgf file of backgammon with a roll in it"));
    }
    Ok(positions)
}

/// Plays a game anew, and adds its positions.
fn follow(game: &Backgammon, record: &Record, positions: &mut Vec<Position>) -> Result<(), Invalid> {
    let mut position = game.initial();
    for (left, turn) in (0..record.turns.len()).rev().zip(&record.turns) {
        let complain =
            |error| at(record.number, turn.number, format_args!("{}'s {error}", sign(turn.player)));
        let rolled = roll(game, &position, turn).map_err(complain)?;
        // Whoever resigns after the roll decides nothing about checkers.
        if left == 0 && record.is_won && turn.text.is_empty() && can_move(game, &rolled) {
            break;
        }
        let text = if turn.text.is_empty() { "pass" } else { &turn.text };
        let mv = notation::parse_move(game, &rolled, text).map_err(complain)?;
        positions.push(rolled);
        position = game.play(&rolled, mv);
    }
    Ok(())
}

/// The position with the roll of this turn, if its player may roll there.
fn roll(game: &Backgammon, position: &Position, turn: &Turn) -> Result<Position, Invalid> {
    let Turn { player, roll, .. } = *turn;
    let expected = match position.phase {
        _ if game.kind(position) == NodeKind::Terminal => Some("none, as the game is over"),
        Phase::Opening if roll.high() == roll.low() => Some("two different numbers, to see who begins"),
        Phase::Rolling if player != position.to_act => Some("the other player's"),
        _ => None,
    };
    match expected {
        Some(expected) => Err(Invalid::new("roll", &format!("{}{}", roll.high(), roll.low()), expected)),
        None => Ok(game.resolve(position, Outcome { player, roll })),
    }
}

fn can_move(game: &Backgammon, rolled: &Position) -> bool {
    let mut can = false;
    game.moves(rolled, |mv| can |= mv != Move::PASS);
    can
}

/// Whether a word tells what a player does that is not about checkers.
fn is_left_out(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    LEFT_OUT.iter().any(|known| word.starts_with(known))
}

/// The error with its place in the file.
fn at(game: u32, number: u32, error: impl Display) -> Invalid {
    Invalid::from_error(format_args!("game {game}, move {number}: {error}"))
}
