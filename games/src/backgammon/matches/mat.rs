//! `.mat` files: text in two columns, in which either player counts the points from the own side.

use super::{Record, Turn, at, is_left_out};
use crate::Invalid;
use starsplit::game::Player;

/// Behind how many spaces the right column begins at least, where the left one is empty.
const EMPTY_CELL: usize = 12;

/// The games of a match.
pub(super) fn records(text: &str) -> Result<Vec<Record>, Invalid> {
    let mut records: Vec<Record> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix(';') {
            check_variation(comment)?;
        } else if let Some(number) = game_number(line) {
            records.push(Record { number, turns: Vec::new(), is_won: false });
        } else if let Some(record) = records.last_mut().filter(|record| !record.is_won) {
            read_line(record, line)?;
        }
    }
    Ok(records)
}

/// Refuses other games of the family, which are written alike.
fn check_variation(comment: &str) -> Result<(), Invalid> {
    let variation = comment.trim().strip_prefix("[Variation \"").and_then(|rest| rest.strip_suffix("\"]"));
    match variation.filter(|name| !name.eq_ignore_ascii_case("backgammon")) {
        Some(other) => Err(Invalid::new("variation", other, "backgammon")),
        None => Ok(()),
    }
}

/// The number of the game that begins with this line.
fn game_number(line: &str) -> Option<u32> {
    line.strip_prefix("Game ")?.trim().trim_end_matches(':').parse().ok()
}

/// Reads a line of a game: the players' names, which come before the rows, a row, or who wins.
fn read_line(record: &mut Record, line: &str) -> Result<(), Invalid> {
    let row = line.split_once(')').and_then(|(number, cells)| Some((number.parse().ok()?, cells)));
    if let Some((number, cells)) = row {
        return read_row(record, number, cells).map_err(|error| at(record.number, number, error));
    }
    match record.turns.last() {
        _ if is_result(line) => record.is_won = true,
        Some(last) if !line.is_empty() => {
            let expected = "a row of the game, as in \"5) 21: 13/11 6/5\", or who wins";
            return Err(at(record.number, last.number, Invalid::new("next line", line, expected)));
        }
        _ => {}
    }
    Ok(())
}

fn is_result(text: &str) -> bool {
    text.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("wins"))
}

/// Reads what is behind a row's number: a cell of either player, or of one.
fn read_row(record: &mut Record, number: u32, text: &str) -> Result<(), Invalid> {
    let is_left_empty = text.len() - text.trim_start().len() >= EMPTY_CELL;
    let mut players = [Player::Max, Player::Min].into_iter().skip(usize::from(is_left_empty));
    for cell in cells(text)? {
        if is_result(&cell) {
            record.is_won = true;
            break;
        }
        let surplus = || Invalid::new("cell", &cell, "at most one of either player");
        let player = players.next().ok_or_else(surplus)?;
        if let Some((roll, text)) = cell.split_once(':') {
            let text = text.trim();
            let text = if text.eq_ignore_ascii_case("cannot move") { "" } else { text };
            record.turns.push(Turn::new(number, player, roll, text.to_owned())?);
        }
    }
    Ok(())
}

/// The cells of a row. They are told by how they begin: a long one leaves the next no column of its own.
fn cells(text: &str) -> Result<Vec<String>, Invalid> {
    let mut cells: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match cells.last_mut() {
            _ if word.contains(':') || is_left_out(word) || is_result(word) => cells.push(word.to_owned()),
            Some(cell) => {
                cell.push(' ');
                cell.push_str(word);
            }
            None => {
                return Err(Invalid::new("cell", text.trim(), "a roll and a move, as in \"21: 13/11 6/5\""));
            }
        }
    }
    Ok(cells)
}
