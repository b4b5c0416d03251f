//! Positions as other programs write them: GNU Backgammon's position ID with a match ID, and XGID.
//!
//! A match ID's 66 bits are from each byte's lowest on; those count that say who is on roll (bit 6) and the
//! dice (15 to 20). An XGID is `XGID=`, which may be left out, and fields with colons between: 26 signs, those
//! of o's bar, of x's points 1 to 24 and of x's bar, `A` for one checker of x, `b` for two of o, `-` for none;
//! cube, its owner, who is on roll (1 for x, -1 for o), dice (`00` before the roll) and what is of the match.
//! Cube and match are left out of the game (`stakes.rs`), and so are decisions about the cube.

use super::super::checkers::Checkers;
use super::super::{Backgammon, Phase, Position};
use super::stakes::Stakes;
use super::{BASE64, check, gnu_id, read_id, read_roll};
use crate::Invalid;
use starsplit::game::Player;

/// Characters of a match ID.
const MATCH_CHARACTERS: usize = 12;

/// Fields of an XGID that are read: board, cube, its owner, player, dice.
const FIELDS: usize = 5;

/// How an XGID begins, in capital or small letters.
const PREFIX: &str = "XGID=";

/// A position, and what its text says of cube and match.
type Read = Result<(Position, Stakes), Invalid>;

/// Reads an XGID, or a position ID with a match ID; `None` where the text is neither.
pub(super) fn read(game: &Backgammon, text: &str) -> Option<Read> {
    let text = text.trim();
    let begins = text.get(..PREFIX.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(PREFIX));
    if begins || text.matches(':').count() > 1 {
        return Some(xgid(game, if begins { &text[PREFIX.len()..] } else { text }));
    }
    let (id, of_match) = text.split_once(':')?;
    Some(with_match(game, id, of_match))
}

/// Reads the fields of an XGID.
fn xgid(game: &Backgammon, text: &str) -> Read {
    let wrong = |expected: &str| Invalid::new("XGID", text, expected);
    let fields: Vec<_> = text.split(':').map(str::trim).collect();
    let &[board, _, _, player, dice, ..] = &fields[..] else {
        return Err(wrong(&format!("{FIELDS} fields or more, with colons between")));
    };
    let to_act = match player {
        "1" => Player::Max,
        "-1" => Player::Min,
        _ => return Err(wrong("1 or -1 as the fourth field")),
    };
    let phase = match dice {
        "00" => Phase::Rolling,
        "D" | "B" | "R" => return Err(wrong("a roll or 00: decisions about the cube are left out")),
        _ => Phase::Moving(read_roll(dice)?),
    };
    let signs = board.as_bytes();
    if signs.len() != 26 {
        return Err(wrong("26 signs of a board"));
    }
    let mut checkers = [Checkers::default(); 2];
    for (place, &sign) in (0..26_u32).zip(signs) {
        let (side, point, count) = match sign {
            b'-' => continue,
            b'A'..=b'O' if place > 0 => (0, place, sign - b'A' + 1),
            b'a'..=b'o' if place < 25 => (1, 25 - place, sign - b'a' + 1),
            _ => return Err(wrong("a board of -, A to O, and a to o, each bar with its player's own")),
        };
        (0..count).for_each(|_| checkers[side].add(1 << point));
    }
    check(game, board, checkers)?;
    Ok((game.position(checkers, to_act, phase), Stakes::of_xgid(&fields)?))
}

/// Reads a position ID with a match ID.
fn with_match(game: &Backgammon, id: &str, of_match: &str) -> Read {
    let digit = |byte| BASE64.iter().position(|&digit| digit == byte);
    let digits: Option<Vec<_>> = of_match.bytes().map(digit).collect();
    let digits = digits.filter(|digits| digits.len() == MATCH_CHARACTERS);
    let digits = digits.ok_or_else(|| Invalid::new("match ID", of_match, "12 characters of base64"))?;
    let number = digits.iter().fold(0, |number: u128, &digit| number << 6 | digit as u128);
    let bits = u128::from_le_bytes((number << (128 - 6 * MATCH_CHARACTERS)).to_be_bytes());
    let to_act = if bits >> 6 & 1 == 1 { Player::Max } else { Player::Min };
    let phase = match [bits >> 15 & 7, bits >> 18 & 7] {
        [0, 0] => Phase::Rolling,
        [one, other] => Phase::Moving(read_roll(&format!("{one}{other}"))?),
    };
    let [waiting, on_roll] = read_id(id)?;
    let checkers = if to_act == Player::Max { [on_roll, waiting] } else { [waiting, on_roll] };
    check(game, id, checkers)?;
    Ok((game.position(checkers, to_act, phase), Stakes::of_match(bits)))
}

/// The position as others write it, of a game for money with the cube in the middle; nothing before the roll
/// that decides who begins.
pub(in super::super) fn formats(position: &Position) -> Vec<(&'static str, String)> {
    let (first, second) = match position.phase {
        Phase::Opening => return Vec::new(),
        Phase::Rolling => (0, 0),
        Phase::Moving(roll) => (roll.high(), roll.low()),
    };
    let is_max = position.to_act == Player::Max;
    let sign = |place: u8| {
        let [x, o] = [(Player::Max, place), (Player::Min, 25 - place)]
            .map(|(player, point)| if point == 0 { 0 } else { position.checkers(player, point) });
        let sign = if x > 0 {
            b'A' + x - 1
        } else if o > 0 {
            b'a' + o - 1
        } else {
            b'-'
        };
        char::from(sign)
    };
    let board: String = (0..26).map(sign).collect();
    let turn = if is_max { 1 } else { -1 };
    let xgid = format!("XGID={board}:0:0:{turn}:{first}{second}:0:0:0:0:10");
    // The cube is nobody's; the game is on, and whoever is on roll decides.
    let of_match = 0b11 << 4 | u128::from(is_max) << 6 | 1 << 8 | u128::from(is_max) << 11;
    let bits = of_match | u128::from(first) << 15 | u128::from(second) << 18;
    let number = u128::from_be_bytes(bits.to_le_bytes()) >> (128 - 6 * MATCH_CHARACTERS);
    let digit = |place: usize| BASE64[(number >> (6 * (MATCH_CHARACTERS - 1 - place)) & 63) as usize];
    let match_id: String = (0..MATCH_CHARACTERS).map(|place| char::from(digit(place))).collect();
    vec![("xgid", xgid), ("gnubg", format!("{}:{match_id}", gnu_id(position)))]
}
