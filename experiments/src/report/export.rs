//! The command `export`: records as CSV.

use crate::cli::{self, BadInput, Ending, note};
use crate::records::earlier::Earlier;
use crate::records::line::Line;
use crate::records::runs;
use crate::records::samples::PLAIN;
use clap::Parser;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;

/// Print records as comma-separated values
///
/// One line for each search, one column for each figure that is a number, a text or a truth; nested ones have
/// names such as table.hits. Times of simulated searches are virtual, as in the records. Records that lack
/// some of the planned searches are named on standard error, and what they lack is in a column of its own,
/// record.lacks.
#[derive(Debug, Parser)]
#[command(name = "export", version = crate::cli::VERSION)]
pub struct ExportArgs {
    /// A folder of records
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// The column that says what the records lack.
const LACKS: &str = "record.lacks";

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`] when the folder has no records that can be read, or when standard output cannot be written
/// to.
pub fn main(args: &ExportArgs) -> anyhow::Result<Ending> {
    let refuse = |complaint: String| BadInput::new("folder", args.folder.to_string_lossy(), complaint);
    let earlier = Earlier::read(&args.folder).map_err(BadInput::from_error)?;
    let none = || refuse(format!("expected one with {PLAIN}{}", runs::told(&args.folder)));
    let earlier = earlier.ok_or_else(none)?;
    // Lines are read twice, and each only as long as it is needed: first whether all are searches, and their
    // columns.
    let mut columns = columns(searches(earlier.lines())).map_err(refuse)?;
    let lacks = earlier.lacks().map_err(refuse)?;
    if let Some(lacks) = &lacks {
        columns.insert(LACKS.to_owned());
        note(format_args!("export: the records are INCOMPLETE: {lacks}"));
    }
    let lines = searches(earlier.lines()).map(|line| line.map_err(io::Error::other));
    cli::print_with(|out| csv_text(out, &columns, lacks.as_deref(), lines))?;
    Ok(Ending::Complete)
}

/// The lines, each of which has to be of a search.
fn searches(lines: impl Iterator<Item = Result<Line, String>>) -> impl Iterator<Item = Result<Line, String>> {
    let named = |(number, line): (usize, Result<Line, String>)| {
        line.map_err(|error| format!("expected a search in line {number} ({error})"))
    };
    (1..).zip(lines).map(named)
}

/// The figures of a line by their names, lists left out.
fn figures(line: &Line) -> Result<BTreeMap<String, String>, serde_json::Error> {
    let mut found = BTreeMap::new();
    if let Value::Object(object) = serde_json::to_value(line)? {
        flat("", object, &mut found);
    }
    Ok(found)
}

/// The numbers, texts and truths of an object by their names, those of inner ones with the outer name before
/// theirs; lists are left out.
pub(super) fn flat(prefix: &str, object: Map<String, Value>, found: &mut BTreeMap<String, String>) {
    for (name, value) in object {
        let name = format!("{prefix}{name}");
        match value {
            Value::Object(inner) => flat(&format!("{name}."), inner, found),
            Value::Array(_) | Value::Null => {}
            Value::String(text) => drop(found.insert(name, text)),
            plain => drop(found.insert(name, plain.to_string())),
        }
    }
}

/// The names of all figures of all lines.
fn columns(lines: impl Iterator<Item = Result<Line, String>>) -> Result<BTreeSet<String>, String> {
    let mut columns = BTreeSet::new();
    for line in lines {
        columns.extend(figures(&line?).map_err(|error| error.to_string())?.into_keys());
    }
    Ok(columns)
}

/// The error itself, where the table could not be written: whether nobody reads it any more is seen by its
/// kind.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

fn csv_text(
    out: &mut dyn Write,
    columns: &BTreeSet<String>,
    lacks: Option<&str>,
    lines: impl Iterator<Item = io::Result<Line>>,
) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(columns).map_err(io_error)?;
    for line in lines {
        let mut row = figures(&line?)?;
        row.extend(lacks.map(|lacks| (LACKS.to_owned(), lacks.to_owned())));
        table
            .write_record(columns.iter().map(|column| row.get(column).map_or("", String::as_str)))
            .map_err(io_error)?;
    }
    table.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::line::ContenderName;
    use crate::records::measured::Measured;

    fn lines() -> Vec<Line> {
        let line = |index: usize, wall_ns: u64, error: Option<&str>| {
            let contender =
                ContenderName { method: "serial".to_owned(), threads: 1, ..ContenderName::default() };
            let table = BTreeMap::from([("hits".to_owned(), 5)]);
            let search = Measured { wall_ns, nodes: 70, table, ..Measured::default() };
            let error = error.map(str::to_owned);
            Line { index, position: "a, b".to_owned(), contender, search, error, ..Line::default() }
        };
        vec![line(1, 2_000_000_000, None), line(1, 4_000_000_000, None), line(2, 1, Some("wrong"))]
    }

    fn text(columns: &BTreeSet<String>, lacks: Option<&str>) -> String {
        let mut out = Vec::new();
        csv_text(&mut out, columns, lacks, lines().into_iter().map(Ok)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn csv_has_every_figure() {
        let text = text(&columns(lines().into_iter().map(Ok)).unwrap(), None);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 3);
        assert_eq!((&*rows[0]["table.hits"], &*rows[0]["position"], &*rows[0]["error"]), ("5", "a, b", ""));
        assert_eq!(rows[2]["error"], "wrong");
        assert!(!rows[0].contains_key("iterations") && !rows[0].contains_key(LACKS));
        let lacking = self::text(&BTreeSet::from([LACKS.to_owned()]), Some("2 of 3 lines"));
        assert_eq!(lacking, format!("{LACKS}\n{}", "2 of 3 lines\n".repeat(3)));
    }

    #[test]
    fn lines_that_are_no_searches_are_named() {
        for bad in ["{\"n\": 1}", "{"] {
            let complaint = columns(searches([crate::records::line::read(bad)].into_iter())).unwrap_err();
            assert!(complaint.contains("expected a search in line 1"), "{complaint}");
        }
    }
}
