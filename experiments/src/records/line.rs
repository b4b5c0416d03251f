//! A line of `samples.jsonl`, written and read by all: one search, real or simulated. The module `others` has
//! lines of other kinds.

use crate::records::archive::ARCHIVE;
use crate::records::checksum;
use crate::records::json;
use crate::records::measured::Measured;
use crate::records::meta::{META, SCHEMA, older_game};
use crate::records::simulated::SimulatedPart;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use starsplit::score::Score;

/// The schema from which on every line has a checksum.
const CHECKSUMS_SINCE: u32 = 5;

/// The schema from which on every line has its number.
const NUMBERS_SINCE: u32 = 6;

/// What stands between a line's own keys and its number.
const NUMBER: &str = ",\"line\":";

/// One search. Lines of earlier schemas lack some of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The version of what is written (`SCHEMA`).
    #[serde(default)]
    pub schema: u32,
    /// The game; Dice before there was a choice.
    #[serde(default = "older_game")]
    pub game: String,
    /// The place of the position in its suite, from 1.
    pub index: usize,
    /// The position in the game's notation.
    pub position: String,
    /// Who searched.
    #[serde(flatten)]
    pub contender: ContenderName,
    /// Of independent searches that ran at once, which this is, from 1; in the line only then. `threads` is
    /// then how many there were, and each had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<usize>,
    /// Which repeat of the same run this is, from 1.
    pub repeat: usize,
    /// The depth asked for.
    #[serde(default)]
    pub depth: u32,
    /// How long the short serial search took, the same every time, that was the last to be made between turns
    /// before this one, in nanoseconds: how fast the machine was. None in lines from before there was one,
    /// and where times are virtual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe_ns: Option<u64>,
    /// What it found and what it cost; virtual times where it is simulated.
    #[serde(flatten)]
    pub search: Measured,
    /// The score that it had to find, where one is known.
    pub expected: Option<Score>,
    /// What is wrong with this search; one with an error is not to be used for anything.
    pub error: Option<String>,
    /// What only a search on virtual processors has; in the line only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated: Option<SimulatedPart>,
}

/// What tells the contenders of a folder apart: options by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ContenderName {
    /// The study's name for these options; in the line only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The algorithm.
    #[serde(default)]
    pub algorithm: String,
    /// How it used threads: `serial`, the name of a parallel method, `ceiling` for one of several
    /// independent serial searches at once, or `matched-ceiling` for one of several that the first to end has
    /// stopped, each with its part of the memory.
    pub method: String,
    /// Which node kinds used the table.
    #[serde(default)]
    pub table_use: String,
    /// The move ordering.
    pub ordering: String,
    /// From what the history heuristic learned, where the ordering used it; in lines only from when there was
    /// a choice.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub history: String,
    /// Threads, or virtual processors.
    pub threads: usize,
}

/// Whatever is a line of samples.
pub trait RecordLine: Serialize + DeserializeOwned {
    /// The version of what is written.
    fn schema(&self) -> u32;
}

impl RecordLine for Line {
    fn schema(&self) -> u32 {
        self.schema
    }
}

/// The line as it is written as that of this number, from 1, with its checksum, without its end.
///
/// # Errors
/// When it has no form in JSON, a map with keys that are no texts for instance.
pub fn write(line: &impl RecordLine, number: usize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string(line)?;
    text.pop();
    Ok(checksum::add(format!("{text}{NUMBER}{number}}}")))
}

/// Of a line of whatever kind what all kinds have.
#[derive(Debug, Default, Serialize, Deserialize)]
struct AnyLine {
    #[serde(default)]
    schema: u32,
}

impl RecordLine for AnyLine {
    fn schema(&self) -> u32 {
        self.schema
    }
}

/// Looks whether a line of whatever kind, without its end, is as it was written, as that of this number, and
/// tells its schema.
///
/// # Errors
/// As those of [`read_at`].
pub(crate) fn check(text: &str, number: usize, is_archived: impl FnOnce() -> bool) -> Result<u32, String> {
    read_at::<AnyLine>(text, number, is_archived).map(|line| line.schema)
}

/// Reads a line without its end, which has to be that of this number, from 1. Older ones do not say. Its
/// checksum may be empty where it `is_archived`.
///
/// # Errors
/// As those of [`read`], and when it is another: one is missing then, or came later.
pub fn read_at<L: RecordLine>(
    text: &str,
    number: usize,
    is_archived: impl FnOnce() -> bool,
) -> Result<L, String> {
    match read_numbered(text, is_archived)? {
        (_, Some(found)) if found != number => {
            Err(format!("it was written as line {found}: lines are missing or in another order"))
        }
        (line, _) => Ok(line),
    }
}

/// Reads a line without its end, whatever its number.
///
/// # Errors
/// When it is not of that kind, of a later schema than this program knows, has a key twice, or was changed
/// after it was written, as far as a checksum tells.
pub fn read<L: RecordLine>(text: &str) -> Result<L, String> {
    read_numbered(text, || false).map(|(line, _)| line)
}

fn read_numbered<L: RecordLine>(
    text: &str,
    is_archived: impl FnOnce() -> bool,
) -> Result<(L, Option<usize>), String> {
    let own = checksum::take(text)?;
    if checksum::is_emptied(text) && !is_archived() {
        return Err(format!("its checksum is empty, as only those of lines in {ARCHIVE} may be"));
    }
    json::check(text)?;
    let number = own.as_deref().and_then(number_of);
    let line: L = serde_json::from_str(own.as_deref().unwrap_or(text)).map_err(|error| error.to_string())?;
    match line.schema() {
        schema if schema > SCHEMA => Err(format!("expected a line of a schema up to {SCHEMA}, not {schema}")),
        CHECKSUMS_SINCE.. if own.is_none() => Err("expected a checksum at its end".to_owned()),
        NUMBERS_SINCE.. if number.is_none() => Err("expected its number before its checksum".to_owned()),
        _ => Ok((line, number)),
    }
}

/// The line, which has to be of the `schema` that `meta.json` beside it is of: else it would be taken for an
/// older one, of which less is asked. Those from before there were checksums may differ.
///
/// # Errors
/// When it is of another.
pub(crate) fn check_schema<L: RecordLine>(line: L, schema: u32) -> Result<L, String> {
    match line.schema() {
        own if own == schema || own.max(schema) < CHECKSUMS_SINCE => Ok(line),
        own => Err(format!("expected a line of schema {schema}, as {META} says, not {own}")),
    }
}

/// The number that a line without its checksum ends with, if it does.
fn number_of(own: &str) -> Option<usize> {
    own.strip_suffix('}')?.rsplit_once(NUMBER)?.1.parse().ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::records::chosen::Chosen;
    use std::collections::BTreeMap;

    /// A line of today's schema with something in each of its parts.
    pub(crate) fn full() -> Line {
        let contender = ContenderName { method: "both".to_owned(), threads: 2, ..ContenderName::default() };
        let split =
            BTreeMap::from([("aborted_nodes", 5), ("steals", 7)].map(|(name, n)| (name.to_owned(), n)));
        // A value that a reader who rounds carelessly gets wrong by one unit in its last place.
        let value = Some(0.028_592_470_716_532_554);
        let chosen = Some(Chosen { decision_table_depth: Some(3), evaluation_ns: 25, ..Chosen::default() });
        let search = Measured { wall_ns: 12, nodes: 34, value, split, chosen, ..Measured::default() };
        Line {
            schema: SCHEMA,
            game: "dice".to_owned(),
            contender,
            search,
            position: "ö".to_owned(),
            ..Line::default()
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let text = write(&full(), 1).unwrap();
        assert_eq!(read::<Line>(&text).unwrap(), full());
        assert!(!text.contains("history") && !text.contains("internal_iterations"), "{text}");
    }

    #[test]
    fn every_flip_of_a_bit_is_seen() {
        let text = write(&full(), 1).unwrap() + "\n";
        for place in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[place] ^= 1 << bit;
                assert!(readable(&bytes).is_err(), "bit {bit} of byte {place} in {text}");
            }
        }
        assert_eq!(readable(text.as_bytes()), Ok(1));
    }

    /// How many lines are read, as from a file.
    fn readable(bytes: &[u8]) -> Result<usize, String> {
        let mut texts = crate::records::texts::Texts::new(bytes);
        let mut count = 0;
        while let Some(text) = texts.next_text().map_err(|error| error.to_string())? {
            read::<Line>(text)?;
            count += 1;
        }
        Ok(count)
    }

    #[test]
    fn older_lines_are_of_dice_and_need_no_checksum() {
        let older = r#"{"schema":4,"index":1,"position":"x","method":"serial","ordering":"paper","threads":1,
            "repeat":1,"wall_ns":3,"nodes":7,"split":{},"history":"table","internal_iterations":4}"#;
        let line: Line = read(older).unwrap();
        assert_eq!((line.contender.history.as_str(), line.search.internal_iterations), ("table", Some(4)));
        assert_eq!((line.game.as_str(), line.search.collapsed), ("dice", None));
        assert_eq!(line.search.chosen, None);
        let complaint = read::<Line>(&older.replace("\"schema\":4", "\"schema\":5")).unwrap_err();
        assert!(complaint.contains("expected a checksum"), "{complaint}");
    }

    #[test]
    fn lines_are_numbered_from_1_on_without_a_gap() {
        let text = write(&full(), 7).unwrap();
        assert!(text.contains(",\"line\":7,\"crc32\":\""), "{text}");
        assert_eq!(read_at::<Line>(&text, 7, || false).unwrap(), full());
        let complaint = read_at::<Line>(&text, 6, || false).unwrap_err();
        assert!(complaint.contains("written as line 7: lines are missing"), "{complaint}");
        let bare = checksum::add(serde_json::to_string(&full()).unwrap());
        assert!(read::<Line>(&bare).unwrap_err().contains("expected its number"));
        let older = checksum::add(serde_json::to_string(&Line { schema: 5, ..full() }).unwrap());
        assert_eq!(read_at::<Line>(&older, 9, || false).unwrap().schema, 5);
    }

    #[test]
    fn a_checksum_is_empty_in_an_archive_alone() {
        let emptied = checksum::emptied(&write(&full(), 1).unwrap());
        assert_eq!(read_at::<Line>(&emptied, 1, || true).unwrap(), full());
        for complaint in [read::<Line>(&emptied), read_at(&emptied, 1, || false)].map(Result::unwrap_err) {
            assert!(complaint.starts_with("its checksum is empty"), "{complaint}");
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_refused_though_the_checksum_is_right() {
        let text = serde_json::to_string(&full()).unwrap();
        let own = text.strip_suffix('}').unwrap();
        let twice = [
            own.replace("\"steals\":7", "\"steals\":6,\"steals\":7") + ",\"line\":1}",
            format!("{own},\"line\":1,\"line\":1}}"),
            format!("{own},\"game\":\"dice\",\"line\":1}}"),
            format!("{own},\"crc32\":\"\",\"line\":1}}"),
        ];
        for text in twice.map(checksum::add) {
            let complaint = read::<Line>(&text).unwrap_err();
            assert!(complaint.contains("expected every key once"), "{complaint} in {text}");
        }
    }

    #[test]
    fn later_lines_are_refused() {
        let later = write(&Line { schema: SCHEMA + 1, ..full() }, 1).unwrap();
        let complaint = read::<Line>(&later).unwrap_err();
        assert_eq!(complaint, format!("expected a line of a schema up to {SCHEMA}, not {}", SCHEMA + 1));
    }
}
