//! The hexagon as bits, and as text.
//!
//! Ten bits a row from a to i, the first of them unused, then the fields 1 to 9 of the row; those outside the
//! hexagon are unused, too. So every step in a direction is the same distance, and a step off the board ends
//! on an unused bit.

use crate::Invalid;
use starsplit::game::Player;

/// Bits of a board, numbered from 0.
pub(super) const FIELDS: usize = 90;

/// Directions of steps; the second half are the opposites of the first.
pub(super) const DIRECTIONS: usize = 6;

/// How far a step goes in each direction: along a row, along a column of one number, and between them.
const STEPS: [i8; DIRECTIONS] = [1, 10, 11, -1, -10, -11];

/// The fields of each row: the first number and the last.
const ROWS: [(u8, u8); 9] = [(1, 5), (1, 6), (1, 7), (1, 8), (1, 9), (2, 9), (3, 9), (4, 9), (5, 9)];

/// Every field of the board.
pub(super) const BOARD: u128 = {
    let (mut board, mut row) = (0, 0);
    while row < ROWS.len() {
        let (first, last) = ROWS[row];
        board |= ((1 << (last - first + 1)) - 1) << (10 * row + first as usize);
        row += 1;
    }
    board
};

/// For each field, 4 less its distance from the middle.
const NEARNESS: [u8; FIELDS] = {
    let (mut nearness, mut field) = ([0; FIELDS], 0);
    while field < FIELDS {
        if BOARD >> field & 1 != 0 {
            let (up, along) = (field as i32 / 10 - 4, field as i32 % 10 - 5);
            // Steps up and along at once are one step where they have the same sign.
            let (up_far, along_far, between) = (up.abs(), along.abs(), (up - along).abs());
            let distance = if up_far > along_far { up_far } else { along_far };
            nearness[field] = 4 - if distance > between { distance } else { between } as u8;
        }
        field += 1;
    }
    nearness
};

/// 4 less the distance of a field from the middle.
#[inline]
pub(super) fn nearness(field: u8) -> u8 {
    NEARNESS[usize::from(field)]
}

/// The fields from which a step in `direction` leads into `set`.
#[inline]
pub(super) fn back(set: u128, direction: usize) -> u128 {
    let distance = STEPS[direction];
    BOARD & if distance > 0 { set >> distance } else { set << -distance }
}

/// So many steps from a field; no field where they lead off the board by one.
#[inline]
pub(super) fn step(field: u8, direction: usize, times: u8) -> u8 {
    field.wrapping_add_signed(STEPS[direction] * times as i8)
}

/// Whether the bit of this number is on the board.
#[inline]
pub(super) fn is_field(bit: u8) -> bool {
    usize::from(bit) < FIELDS && BOARD >> bit & 1 != 0
}

/// The fields of a set, lowest first.
#[inline]
pub(super) fn fields(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(lowest)
    })
}

/// How many pairs of neighbours a set has.
#[inline]
pub(super) fn pairs(set: u128) -> u32 {
    (0..DIRECTIONS / 2).map(|direction| (set & back(set, direction)).count_ones()).sum()
}

/// A field's name, such as e5.
pub(super) fn name(field: u8) -> String {
    format!("{}{}", char::from(b'a' + field / 10), field % 10)
}

/// The rows from the top: their number, and the fields from the left.
fn rows() -> impl Iterator<Item = (u8, impl Iterator<Item = u8>)> {
    (0..9).zip(ROWS).rev().map(|(row, (first, last))| (row, (first..=last).map(move |n| 10 * row + n)))
}

fn sign(marbles: [u128; 2], field: u8) -> char {
    match marbles.map(|set| set >> field & 1 != 0) {
        [true, _] => 'b',
        [_, true] => 'w',
        _ => '.',
    }
}

/// The rows from the top and who moves.
pub(super) fn write(marbles: [u128; 2], to_move: Player) -> String {
    let rows: Vec<String> =
        rows().map(|(_, fields)| fields.map(|field| sign(marbles, field)).collect()).collect();
    format!("{} {}", rows.join("/"), if to_move == Player::Max { 'b' } else { 'w' })
}

/// Reads what [`write`] wrote, whatever the number of marbles.
pub(super) fn read(text: &str) -> Result<([u128; 2], Player), Invalid> {
    let mut words = text.split_whitespace();
    let (board, player) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if let Some(extra) = words.next() {
        return Err(Invalid::new("position's third word", extra, "no more than two"));
    }
    let mut marbles = [0; 2];
    let mut texts = board.split('/');
    for (row, fields) in rows() {
        let text = texts.next().unwrap_or_default();
        let what = format!("row {}", char::from(b'a' + row));
        let fields: Vec<_> = fields.collect();
        if text.chars().count() != fields.len() {
            return Err(Invalid::new(&what, text, format_args!("{} signs", fields.len())));
        }
        for (field, sign) in fields.into_iter().zip(text.chars()) {
            match sign {
                'b' => marbles[0] |= 1 << field,
                'w' => marbles[1] |= 1 << field,
                '.' => {}
                _ => return Err(Invalid::new(&what, text, "b, w and '.'")),
            }
        }
    }
    if let Some(extra) = texts.next() {
        return Err(Invalid::new("tenth row", extra, "nine rows"));
    }
    match player {
        "b" => Ok((marbles, Player::Max)),
        "w" => Ok((marbles, Player::Min)),
        _ => Err(Invalid::new("player to move", player, "b or w")),
    }
}

/// The hexagon with the letters of its rows, and the numbers of its diagonals below.
pub(super) fn draw(marbles: [u128; 2]) -> String {
    let mut drawn = String::new();
    for (row, fields) in rows() {
        let fields: Vec<_> = fields.collect();
        drawn += &" ".repeat(9 - fields.len());
        drawn.push(char::from(b'a' + row));
        drawn.extend(fields.iter().flat_map(|&field| [' ', sign(marbles, field)]));
        if row < 4 {
            drawn += &format!(" {}", row + 6);
        }
        drawn.push('\n');
    }
    drawn + "       1 2 3 4 5\n"
}
