//! Positions and moves as text.
//!
//! A position is GNU Backgammon's position ID, which is 14 characters of base64, and behind it who is on
//! roll and the roll: `4HPwATDgc/ABMA x 31`, with `-` before the roll. The ID tells the checkers of the
//! player who is not on roll first, then those of the player on roll: from point 1, as each counts, to the
//! bar, for each point as many ones as there are checkers, and a zero; the bits are taken from each byte's
//! lowest on. Before the roll that decides who begins the player is `?`, and the ID is as if `x` were on
//! roll; `start` is short for this at the usual setup. An ID alone means that `x` is to roll. What other
//! programs write is read as well (`others.rs`).

pub(super) mod others;
mod stakes;

use super::checkers::{Checkers, POINTS, flipped};
use super::{Backgammon, Move, Outcome, Phase, Position, Roll};
use crate::Invalid;
use starsplit::game::{Game, NodeKind, Player};

const START: &str = "start";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Characters of an ID, and its bits.
const CHARACTERS: usize = 14;
const BITS: usize = 80;

/// Reads a position.
pub(super) fn parse(game: &Backgammon, text: &str) -> Result<Position, Invalid> {
    if let Some(read) = others::read(game, text) {
        return read.map(|(position, _)| position);
    }
    let fields: Vec<_> = text.split_whitespace().collect();
    let (id, player, roll) = match fields[..] {
        [START] => return Ok(game.initial()),
        [id] => (id, "x", "-".to_owned()),
        [id, player, ref roll @ ..] if !roll.is_empty() => (id, player, roll.join(" ")),
        _ => {
            let expected =
                "start, a position ID, an XGID, or ID, player and roll, as in \"4HPwATDgc/ABMA x 31\"";
            return Err(Invalid::new("position", text, expected));
        }
    };
    let (to_act, is_opening) = match player {
        "x" => (Player::Max, false),
        "o" => (Player::Min, false),
        "?" => (Player::Max, true),
        _ => return Err(Invalid::new("player", player, "x, o or ?")),
    };
    let phase = match (roll.as_str(), is_opening) {
        ("-", false) => Phase::Rolling,
        ("-", true) => Phase::Opening,
        (_, true) => return Err(Invalid::new("roll", &roll, "- where the player is ?")),
        (_, false) => Phase::Moving(read_roll(&roll)?),
    };
    let [waiting, on_roll] = read_id(id)?;
    let checkers = if to_act == Player::Max { [on_roll, waiting] } else { [waiting, on_roll] };
    check(game, id, checkers)?;
    Ok(game.position(checkers, to_act, phase))
}

fn read_roll(text: &str) -> Result<Roll, Invalid> {
    roll(text).ok_or_else(|| Invalid::new("roll", text, "- or two numbers from 1 to 6, as in 31 or 3-1"))
}

/// The roll that a text such as `31`, `3-1` or `3 1` tells.
pub(super) fn roll(text: &str) -> Option<Roll> {
    let [one, other] = numbers(text)?;
    Roll::new(one, other)
}

/// The numbers of such a text, in their order.
fn numbers(text: &str) -> Option<[u8; 2]> {
    match *text.as_bytes() {
        [one @ b'1'..=b'6', other @ b'1'..=b'6'] | [one @ b'1'..=b'6', b'-' | b' ', other @ b'1'..=b'6'] => {
            Some([one - b'0', other - b'0'])
        }
        _ => None,
    }
}

/// What a text of a position says beyond it: see [`KnownGame::unused`](crate::KnownGame::unused).
pub(super) fn unused(game: &Backgammon, text: &str) -> Option<String> {
    let (_, stakes) = others::read(game, text)?.ok()?;
    stakes.words()
}

/// Whether a text tells this outcome: the roll; in the opening who begins and the roll, or x's number and o's.
pub(super) fn is_outcome(position: &Position, outcome: Outcome, text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    if position.is_opening() {
        let (begins, rolled) = match text.split_once(" begins") {
            Some((player, rolled)) => (Some(player), rolled.trim_start_matches([',', ' '])),
            None => (None, &*text),
        };
        let Some([of_x, of_o]) = numbers(rolled) else { return false };
        let is_x = begins.map_or(of_x > of_o, |player| player == "x");
        let is_known = begins.is_none_or(|player| ["x", "o"].contains(&player));
        let player = if is_x { Player::Max } else { Player::Min };
        return is_known && player == outcome.player && roll(rolled) == Some(outcome.roll);
    }
    roll(&text) == Some(outcome.roll)
}

/// The checkers of the player who is not on roll, and of the one who is.
fn read_id(id: &str) -> Result<[Checkers; 2], Invalid> {
    let wrong = |expected| Invalid::new("position ID", id, expected);
    let digits: Option<Vec<_>> =
        id.bytes().map(|byte| BASE64.iter().position(|&digit| digit == byte)).take(CHARACTERS + 1).collect();
    let digits = digits.filter(|digits| digits.len() == CHARACTERS);
    let digits = digits.ok_or_else(|| wrong("14 characters of base64"))?;
    // The characters tell the bits of each byte from the highest on.
    let number = digits.iter().fold(0, |number: u128, &digit| number << 6 | digit as u128);
    let bytes = (number << (128 - 6 * CHARACTERS)).to_be_bytes();
    let mut bits = u128::from_le_bytes(bytes);
    let mut sides = [Checkers::default(); 2];
    for side in &mut sides {
        for point in 1..=25 {
            let count = bits.trailing_ones();
            if count > 15 {
                return Err(wrong("at most 15 checkers on a point"));
            }
            (0..count).for_each(|_| side.add(1 << point));
            bits >>= count + 1;
        }
    }
    if bits != 0 {
        return Err(wrong("nothing after the points of both players"));
    }
    Ok(sides)
}

/// Whether there may be so many checkers, and there.
fn check(game: &Backgammon, id: &str, sides: [Checkers; 2]) -> Result<(), Invalid> {
    let most = u32::from(game.variant().checkers());
    for (side, sign) in sides.iter().zip(['x', 'o']) {
        let count = side.count();
        if count > most {
            let expected = format!("at most {most} checkers a side, but {sign} has {count}");
            return Err(Invalid::new("position ID", id, expected));
        }
        if count == 0 {
            let expected = format!("an unfinished game, but {sign} has no checker left");
            return Err(Invalid::new("position ID", id, expected));
        }
    }
    let shared = sides[0].occupied() & flipped(sides[1].occupied()) & POINTS;
    if shared != 0 {
        let point = shared.trailing_zeros();
        let expected = format!("one player's checkers only on a point, but both are on x's point {point}");
        return Err(Invalid::new("position ID", id, expected));
    }
    Ok(())
}

/// Writes a position, finished ones as well; [`parse`] reads it back if it is unfinished.
pub(super) fn notation(game: &Backgammon, position: &Position) -> String {
    if *position == game.initial() {
        return START.to_owned();
    }
    let id = gnu_id(position);
    match position.phase {
        Phase::Opening => format!("{id} ? -"),
        Phase::Rolling => format!("{id} {} -", sign(position.to_act)),
        Phase::Moving(roll) => format!("{id} {} {}{}", sign(position.to_act), roll.high(), roll.low()),
    }
}

fn gnu_id(position: &Position) -> String {
    let mut bits: u128 = 0;
    let mut length = 0;
    for player in [position.to_act.opponent(), position.to_act] {
        for point in 1..=25 {
            let count = position.checkers(player, point);
            bits |= ((1 << count) - 1) << length;
            length += u32::from(count) + 1;
        }
    }
    let number = u128::from_be_bytes(bits.to_le_bytes()) >> (128 - BITS) << (6 * CHARACTERS - BITS);
    let digit = |k: usize| BASE64[(number >> (6 * (CHARACTERS - 1 - k)) & 63) as usize];
    (0..CHARACTERS).map(|k| char::from(digit(k))).collect()
}

pub(super) fn sign(player: Player) -> char {
    match player {
        Player::Max => 'x',
        Player::Min => 'o',
    }
}

/// One checker's way in a move: the points that it is on one after the other, and whether it hits there.
type Way = Vec<(u8, bool)>;

/// A move as players write it, such as `13/11 6/5*`: `bar` and `off`; a checker that takes several steps is
/// told with its first and last point, and those on which it hits; `(2)` where two do the same.
pub(super) fn move_text(position: &Position, mv: Move) -> String {
    let ways = ways(position, mv);
    let mut texts: Vec<(String, u32)> = Vec::new();
    for points in ways {
        let last = points.len() - 1;
        let is_told = |&(k, &(_, hits)): &(usize, &(u8, bool))| k == 0 || k == last || hits;
        let told: Vec<_> =
            points.iter().enumerate().filter(is_told).map(|(_, &point)| shown(point)).collect();
        let text = told.join("/");
        // The first of two that do the same is the one that hits.
        let is_same = |(other, _): &&mut (String, u32)| other.replace('*', "") == text.replace('*', "");
        match texts.iter_mut().find(is_same) {
            Some((_, times)) => *times += 1,
            None => texts.push((text, 1)),
        }
    }
    let texts: Vec<_> = texts
        .into_iter()
        .map(|(text, times)| if times == 1 { text } else { format!("{text}({times})") })
        .collect();
    if texts.is_empty() { "pass".to_owned() } else { texts.join(" ") }
}

fn shown((point, hits): (u8, bool)) -> String {
    let name = match point {
        25 => "bar".to_owned(),
        0 => "off".to_owned(),
        _ => point.to_string(),
    };
    if hits { name + "*" } else { name }
}

fn ways(position: &Position, mv: Move) -> Vec<Way> {
    let mut blots = blots(position);
    let mut ways: Vec<Way> = Vec::new();
    for (from, to) in mv.steps() {
        let end = (to, blots >> to & 1 != 0);
        blots &= !(1 << to);
        match ways.iter_mut().find(|way| way.last().is_some_and(|&(point, _)| point == from)) {
            Some(way) => way.push(end),
            None => ways.push(vec![(from, false), end]),
        }
    }
    ways
}

/// The points, as the player to act counts them, where the other has a single checker.
fn blots(position: &Position) -> u32 {
    flipped(position.checkers[position.to_act.opponent() as usize].single()) & POINTS
}

/// What a move does: by how much it changes the number of the player's checkers on each point, and the points
/// on which it hits. No two legal moves do the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Effect {
    change: [i32; 26],
    hits: u32,
}

impl Effect {
    fn step(&mut self, (from, to): (u8, u8), blots: u32) {
        self.change[usize::from(from)] -= 1;
        self.change[usize::from(to)] += 1;
        self.hits |= 1 << to & blots;
    }
}

/// The legal move that `text` tells: its parts in any order, a checker's steps told one by one or together,
/// hits marked or not.
pub(super) fn parse_move(game: &Backgammon, position: &Position, text: &str) -> Result<Move, Invalid> {
    let mut moves = Vec::new();
    if game.kind(position) == NodeKind::Decision {
        game.moves(position, |mv| moves.push(mv));
    }
    let found = read_effect(text, blots(position)).and_then(|meant| choose(position, &moves, meant));
    found.ok_or_else(|| {
        let first = moves.first().map_or_else(String::new, |&mv| move_text(position, mv));
        Invalid::new("move", text.trim(), format_args!("one of {} legal moves, such as {first}", moves.len()))
    })
}

/// The move that does this; or, as a checker may hit on its way where the text tells no more than the ends,
/// the only one that makes this change.
fn choose(position: &Position, moves: &[Move], meant: Effect) -> Option<Move> {
    let blots = blots(position);
    let mut close = Vec::new();
    for &mv in moves {
        let mut effect = Effect::default();
        mv.steps().for_each(|step| effect.step(step, blots));
        if effect == meant {
            return Some(mv);
        }
        if effect.change == meant.change && meant.hits & !effect.hits == 0 {
            close.push(mv);
        }
    }
    if let [only] = close[..] { Some(only) } else { None }
}

/// What a text says that a move does; `None` where it is no text of a move.
fn read_effect(text: &str, blots: u32) -> Option<Effect> {
    let text = text.trim().to_ascii_lowercase();
    let mut effect = Effect::default();
    if text == "pass" {
        return Some(effect);
    }
    for part in text.split_whitespace() {
        let (part, times) = match part.strip_suffix(')') {
            Some(part) => part.rsplit_once('(')?,
            None => (part, "1"),
        };
        let times = times.parse().ok().filter(|times| (1..=4).contains(times))?;
        let points: Vec<_> = part.split('/').map(|name| read_point(name, blots)).collect::<Option<_>>()?;
        if points.len() < 2 || !points.is_sorted_by(|from, to| from > to) {
            return None;
        }
        for _ in 0..times {
            points.windows(2).for_each(|ends| effect.step((ends[0], ends[1]), blots));
        }
    }
    (effect != Effect::default()).then_some(effect)
}

/// A point; a mark that something is hit there has to be true.
fn read_point(name: &str, blots: u32) -> Option<u8> {
    let (name, is_marked) = name.strip_suffix('*').map_or((name, false), |name| (name, true));
    let point = match name {
        "bar" => 25,
        "off" => 0,
        _ if name.bytes().all(|byte| byte.is_ascii_digit()) => {
            name.parse().ok().filter(|&point| point <= 25)?
        }
        _ => return None,
    };
    (!is_marked || blots >> point & 1 != 0).then_some(point)
}

#[cfg(test)]
mod tests;
