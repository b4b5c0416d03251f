//! What a game needs beyond the library's `Game` so that programs can name it, read and write its positions,
//! and choose its evaluators.

use crate::Invalid;
use crate::own;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, PositionHash, Texts};
use std::any::Any;
use std::fmt::Debug;

/// What is known of a game before its rules are chosen.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// Its name, in small letters.
    pub name: &'static str,
    /// The rules where none are given, written in full.
    pub default_rules: &'static str,
    /// What rules there are, in a sentence or two for the help of a program.
    pub rules_help: &'static str,
    /// How positions are written, in a sentence or two.
    pub notation_help: &'static str,
    /// How moves are written.
    pub moves_help: &'static str,
    /// The evaluators under the default rules; the first is the one that is meant where none is named.
    pub evaluators: &'static [EvaluatorInfo],
    /// The suites that come with the game: their names, which no other game's suite has, and their texts. The
    /// first is the one that is meant where none is named.
    pub suites: &'static [(&'static str, &'static str)],
}

impl GameInfo {
    /// Of an [`OwnGame`](crate::OwnGame) of this name, without other rules, evaluators or suites.
    pub const fn own(name: &'static str) -> Self {
        GameInfo {
            name,
            default_rules: own::RULES,
            rules_help: "there are no others",
            notation_help: own::NOTATION_HELP,
            moves_help: "as the game writes them",
            evaluators: own::EVALUATORS,
            suites: &[],
        }
    }
}

/// One of a game's evaluators as programs name it.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorInfo {
    /// Its name.
    pub name: &'static str,
    /// What it looks at, in a sentence without a full stop.
    pub about: &'static str,
}

/// Counts the pieces that each player has at a position.
pub type CountOfPieces<P> = fn(&P) -> [u8; 2];

/// A game that programs can name.
///
/// Rules are written as `key=value` parted by commas, such as `size=5,run=4`: any of them, in any order; what
/// is left out has its default.
pub trait KnownGame:
    Game<Position: Any + Debug, Move: Any, Outcome: Any> + Texts + Clone + Debug + 'static
{
    /// The pieces that each player has left at a position, where neither number ever grows along a game:
    /// tables of chains (`starsplit-tables`) forget by them.
    const PIECES_LEFT: Option<CountOfPieces<Self::Position>> = None;

    /// The game under `rules`, where it has the name of `info` (a type may serve several names).
    ///
    /// # Errors
    /// When the text is no rules of this game.
    fn open(info: &GameInfo, rules: &str) -> Result<Self, Invalid>;

    /// The rules, in full, as `open` reads them.
    fn rules(&self) -> String;

    /// The position in which the game begins, chance events of the start included.
    fn initial(&self) -> Self::Position;

    /// The position that `text` describes.
    ///
    /// # Errors
    /// When it is none that play under these rules could lead to, as far as the game can tell cheaply.
    fn parse(&self, text: &str) -> Result<Self::Position, Invalid>;

    /// The position as [`parse`](Self::parse) reads it, without line breaks.
    fn notation(&self, position: &Self::Position) -> String;

    /// The position as other programs write it, each form with its name; [`parse`](Self::parse) reads all of
    /// them.
    fn formats(&self, _position: &Self::Position) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The positions of a match in which a player was to move, in their order; `text` is a match as other
    /// programs write it. Decisions about the stakes are left out.
    ///
    /// # Errors
    /// When the text is no match of this game, a move in it is illegal, or the game reads no matches.
    fn match_positions(&self, text: &str) -> Result<Vec<Self::Position>, Invalid> {
        Err(no_matches(text))
    }

    /// The position that `text` describes, with the text as the game itself writes it.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    fn read(&self, text: &str) -> Result<(String, Self::Position), Invalid> {
        let position = self.parse(text)?;
        Ok((self.notation(&position), position))
    }

    /// How a position is written that is met in play: [`notation`](Self::notation), unless positions are
    /// written as the way to them. `before` is the text of the position before it and that of the step from
    /// there, none at the beginning.
    fn write(&self, before: Option<(&str, &str)>, position: &Self::Position) -> String {
        let _ = before;
        self.notation(position)
    }

    /// What a text that [`parse`](Self::parse) reads says beyond the position and the game has no use for,
    /// such as a score, in a few words; `None` where that is nothing.
    fn unused(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }

    /// The position as a person wants to see it in a terminal, in several lines; whose turn it is, and a
    /// pending roll, too.
    fn draw(&self, position: &Self::Position) -> String;

    /// Whether a person means this move by `text`, which has no spaces around it: by default where
    /// [`move_text`](Texts::move_text) writes it so, capital and small letters being the same.
    fn is_move_meant(&self, position: &Self::Position, mv: Self::Move, text: &str) -> bool {
        self.move_text(position, mv).eq_ignore_ascii_case(text)
    }

    /// The same of an outcome, which [`outcome_text`](Texts::outcome_text) writes.
    fn is_outcome_meant(&self, position: &Self::Position, outcome: Self::Outcome, text: &str) -> bool {
        self.outcome_text(position, outcome).eq_ignore_ascii_case(text)
    }

    /// The legal move that a person [means](Self::is_move_meant) by `text`.
    ///
    /// # Errors
    /// When it is none of the legal moves.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, Invalid> {
        let mut moves = Vec::new();
        self.moves(position, |mv| moves.push(mv));
        let text = text.trim();
        let is_meant = |mv: &Self::Move| self.is_move_meant(position, *mv, text);
        moves.iter().copied().find(is_meant).ok_or_else(|| {
            let first = moves.first().map_or_else(String::new, |mv| self.move_text(position, *mv));
            Invalid::new("move", text, format_args!("one of {} legal moves, such as {first}", moves.len()))
        })
    }

    /// The place, among the outcomes of a chance node, of the one that a person
    /// [means](Self::is_outcome_meant) by `text`.
    ///
    /// # Errors
    /// When it is none of them.
    fn parse_outcome(&self, position: &Self::Position, text: &str) -> Result<usize, Invalid> {
        let mut outcomes = Vec::new();
        self.outcomes(position, |outcome, _| outcomes.push(outcome));
        let text = text.trim();
        let place = outcomes.iter().position(|&outcome| self.is_outcome_meant(position, outcome, text));
        place.ok_or_else(|| {
            let first =
                outcomes.first().map_or_else(String::new, |&outcome| self.outcome_text(position, outcome));
            Invalid::new("roll", text, format_args!("one of {} rolls, such as {first}", outcomes.len()))
        })
    }

    /// What there is to say in a word or two of a position in which a game ended, beyond its value, such as
    /// the highest tile that was reached; games of a match are counted by it. Empty where there is nothing.
    fn result_text(&self, position: &Self::Position) -> String {
        let _ = position;
        String::new()
    }

    /// The position with the players exchanged, and the board turned where the rules need that: it is
    /// worth to each player what this one is worth to the other. The test kit's
    /// `starsplit_testkit::check_mirror` holds the game to it. `None` where there is no such position, as
    /// in games of one player.
    fn mirror(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// The [`hash`](Game::hash) computed anew: where positions carry theirs,
    /// `starsplit_testkit::check_hash` holds them to it.
    fn hash_from_scratch(&self, position: &Self::Position) -> PositionHash {
        self.hash(position)
    }

    /// The evaluators under these rules; the first is the one that is meant where none is named. All games
    /// have `constant` and `slow`, which takes 5 microseconds.
    fn evaluators(&self) -> Vec<EvaluatorInfo>;

    /// Gives the evaluator of that name to `visitor`; `seed` is for what it draws at random.
    ///
    /// # Errors
    /// When there is none of that name under these rules, or its weights cannot be read.
    fn visit_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        seed: u64,
        visitor: V,
    ) -> Result<V::Output, Invalid>;
}

/// What games say that read no matches.
pub(crate) fn no_matches(text: &str) -> Invalid {
    Invalid::new("match", text, "a game of which matches are read, such as backgammon")
}

/// What is done with an evaluator whatever its type.
///
/// A search is compiled for each type that a game gives to a visitor, which is most of what building a
/// program takes: a game has one type for all that may share one, and others only where speed asks for it.
pub trait EvaluatorVisitor<G: Game> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Self::Output;
}
