//! `.sgf` files of backgammon: for each game of the match a tree of nodes.
//!
//! A node is `;` and properties, such as `B[31hefe]`: the roll, and from where to where each checker goes, in
//! letters. `a` is the point that White counts as 1 and Black as 24; `y` is the bar, and `z` is off.

use super::{Record, Turn, at, is_left_out};
use crate::Invalid;
use starsplit::game::Player;

/// The games of a match. Where a game has variations, the first of them is the game.
pub(super) fn records(text: &str) -> Result<Vec<Record>, Invalid> {
    let mut reader = Reader::default();
    let mut rest = text;
    while !rest.is_empty() {
        let number = reader.records.len();
        let wrong = || {
            let wrong = Invalid::new("text", rest, "nodes of a tree, as in (;GM[6];B[31hefe])");
            Invalid::from_error(format_args!("game {number}: {wrong}"))
        };
        let (token, after) = token(rest).ok_or_else(wrong)?;
        match token {
            Token::Begin => reader.begin(),
            _ if reader.depth == 0 => return Err(wrong()),
            Token::End => reader.end(),
            Token::Node => reader.name = "",
            Token::Name(name) => reader.name = name,
            Token::Value(value) => reader.value(value)?,
        }
        rest = after.trim_start();
    }
    if reader.depth > 0 {
        return Err(Invalid::from_error("end of the match: expected a ) for each ( before"));
    }
    Ok(reader.records)
}

#[derive(Debug)]
enum Token<'t> {
    Begin,
    End,
    Node,
    /// Of a property.
    Name(&'t str),
    Value(&'t str),
}

/// The token that the text begins with, and what comes after it.
fn token(text: &str) -> Option<(Token<'_>, &str)> {
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    Some(match first {
        '(' => (Token::Begin, after),
        ')' => (Token::End, after),
        ';' => (Token::Node, after),
        '[' => {
            let mut is_escaped = false;
            let end = after.find(|sign| {
                let ends = sign == ']' && !is_escaped;
                is_escaped = sign == '\\' && !is_escaped;
                ends
            })?;
            (Token::Value(&after[..end]), &after[end + 1..])
        }
        'A'..='Z' => {
            let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
            let (name, after) = text.split_at(length);
            (Token::Name(name), after)
        }
        _ => return None,
    })
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Reader<'t> {
    records: Vec<Record>,
    /// How many trees have begun that have not ended.
    depth: usize,
    /// Whether a tree has ended within this game: what comes after it are other variations.
    is_told: bool,
    /// Of the property whose values come next.
    name: &'t str,
}

impl Reader<'_> {
    fn begin(&mut self) {
        if self.depth == 0 {
            let number = self.records.len() as u32 + 1;
            self.records.push(Record { number, turns: Vec::new(), is_won: false });
            self.is_told = false;
        }
        self.depth += 1;
    }

    fn end(&mut self) {
        self.depth -= 1;
        self.is_told = true;
    }

    fn value(&mut self, value: &str) -> Result<(), Invalid> {
        let Some(record) = self.records.last_mut().filter(|_| !self.is_told) else { return Ok(()) };
        let number = record.turns.len() as u32 + 1;
        let wrong = |expected: &str| Err(at(record.number, number, Invalid::new(self.name, value, expected)));
        let is_other = |rules: &str| rules.contains("gammon") && !rules.contains("backgammon");
        match self.name {
            "GM" if value.trim() != "6" => wrong("6, which is backgammon"),
            "RU" if is_other(&value.to_ascii_lowercase()) => wrong("rules of backgammon"),
            "AE" | "AB" | "AW" => wrong("no position that is set up: games are read from their beginning"),
            "B" | "W" if !is_left_out(value) => {
                let player = if self.name == "W" { Player::Max } else { Player::Min };
                let turn =
                    turn(number, player, value.trim()).map_err(|error| at(record.number, number, error));
                record.turns.push(turn?);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Reads a roll and pairs of letters.
fn turn(number: u32, player: Player, value: &str) -> Result<Turn, Invalid> {
    let wrong = || Invalid::new("move", value, "a roll and pairs of letters, as in 31hefe");
    let (roll, letters) = value.split_at_checked(2).ok_or_else(wrong)?;
    let points: Option<Vec<_>> = letters.bytes().map(|letter| point(letter, player)).collect();
    let points = points.filter(|points| points.len() % 2 == 0).ok_or_else(wrong)?;
    let steps: Vec<_> = points.chunks(2).map(|ends| ends.join("/")).collect();
    Turn::new(number, player, roll, steps.join(" "))
}

/// The name of a point, as the player counts.
fn point(letter: u8, player: Player) -> Option<String> {
    Some(match (letter, player) {
        (b'y', _) => "bar".to_owned(),
        (b'z', _) => "off".to_owned(),
        (b'a'..=b'x', Player::Max) => (letter - b'a' + 1).to_string(),
        (b'a'..=b'x', Player::Min) => (b'x' - letter + 1).to_string(),
        _ => return None,
    })
}
