//! The command `export`: records in the forms that other programs read.

use crate::analysis::statistics::Summary;
use crate::cli::{self, BadInput, Ending, note};
use crate::records::earlier::Earlier;
use crate::records::line::Line;
use clap::{Parser, ValueEnum};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;

/// Print records in a form that other programs read
///
/// csv: one line for each search, one column for each figure that is a number, a text or a truth; nested ones
/// have names such as table.hits.
///
/// hyperfine: the JSON object of hyperfine --export-json, for the scripts that plot it; a "command" is a
/// search of one position by one contender, its times in seconds are those of the rounds, and "parameters"
/// tells them apart. Times of users and system are not known and left out.
///
/// criterion: the lines of the raw.csv of the benchmark harness criterion, one for each search: the
/// experiment is the group, the contender the function, the position's number the value, and the throughput
/// its nodes.
///
/// Times of simulated searches are virtual, as in the records. Searches with an error are left out, except in
/// csv. Records that lack some of the planned searches are named on standard error; csv has what they lack in
/// a column of its own then, record.lacks, and hyperfine in the key lacks.
#[derive(Debug, Parser)]
#[command(name = "export", version = crate::cli::VERSION)]
pub struct ExportArgs {
    /// A folder of records
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,

    /// The form
    #[arg(long = "as", value_enum, value_name = "FORM", default_value = "csv")]
    pub form: Form,
}

/// A form of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Comma-separated values.
    Csv,
    /// What hyperfine exports.
    Hyperfine,
    /// What criterion keeps.
    Criterion,
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
    let earlier = earlier.ok_or_else(|| refuse("expected one with samples.jsonl".to_owned()))?;
    // Lines are read twice, and each only as long as it is needed: first whether all are searches, and their
    // columns.
    let mut columns = columns(searches(earlier.lines())).map_err(refuse)?;
    let lacks = earlier.lacks().map_err(refuse)?;
    if let Some(lacks) = &lacks {
        columns.insert(LACKS.to_owned());
        note(format_args!("export: the records are INCOMPLETE: {lacks}"));
    }
    let lacks = lacks.as_deref();
    let lines = || searches(earlier.lines()).map(|line| line.map_err(io::Error::other));
    cli::print_with(|out| match args.form {
        Form::Csv => csv_text(out, &columns, lacks, lines()),
        Form::Hyperfine => hyperfine(out, lacks, lines()),
        Form::Criterion => criterion(out, &earlier.meta.experiment, lines()),
    })?;
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
        for name in figures(&line?).map_err(|error| error.to_string())?.into_keys() {
            columns.insert(name);
        }
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

/// What tells contenders apart, by name and as a text.
fn parameters(line: &Line) -> BTreeMap<&'static str, String> {
    let contender = &line.contender;
    let own = |text: &String| (!text.is_empty()).then(|| text.clone());
    let all = [
        ("variant", contender.variant.clone()),
        ("algorithm", own(&contender.algorithm)),
        ("method", own(&contender.method)),
        ("ordering", own(&contender.ordering)),
        ("threads", Some(contender.threads.to_string())),
        ("copy", line.copy.map(|copy| copy.to_string())),
        ("costs", line.simulated.as_ref().map(|part| part.model.clone())),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The same in words.
fn words(parameters: &BTreeMap<&str, String>) -> String {
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// The runs of one position by one contender.
struct Runs {
    parameters: BTreeMap<&'static str, String>,
    /// In seconds.
    times: Vec<f64>,
}

/// One entry of what hyperfine exports.
#[derive(Serialize)]
struct Command<'a> {
    command: String,
    exit_codes: Vec<u8>,
    max: f64,
    mean: f64,
    median: f64,
    min: f64,
    parameters: &'a BTreeMap<&'static str, String>,
    stddev: Option<f64>,
    times: &'a [f64],
}

impl<'a> Command<'a> {
    /// That of the runs of position `index` by the contender that the `words` name; none without runs.
    fn new((index, words): &(usize, String), runs: &'a Runs) -> Option<Self> {
        let Runs { parameters, times } = runs;
        let Summary { min, median, max, mean, std } = Summary::of(times)?;
        let command = format!("{words} position={index}");
        let (exit_codes, stddev) = (vec![0; times.len()], (times.len() > 1).then_some(std));
        Some(Command { command, exit_codes, max, mean, median, min, parameters, stddev, times })
    }
}

fn hyperfine(
    out: &mut dyn Write,
    lacks: Option<&str>,
    lines: impl Iterator<Item = io::Result<Line>>,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct All<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        lacks: Option<&'a str>,
        results: Vec<Command<'a>>,
    }

    /// By the position's number and the contender's words.
    type ByName = BTreeMap<(usize, String), Runs>;
    let mut all = ByName::new();
    for line in lines {
        let line = line?;
        if line.error.is_none() {
            let mut parameters = parameters(&line);
            let words = words(&parameters);
            parameters.insert("position", line.index.to_string());
            let runs =
                all.entry((line.index, words)).or_insert_with(|| Runs { parameters, times: Vec::new() });
            runs.times.push(line.search.seconds());
        }
    }
    let results: Vec<_> = all.iter().filter_map(|(key, runs)| Command::new(key, runs)).collect();
    serde_json::to_writer_pretty(&mut *out, &All { lacks, results })?;
    out.write_all(b"\n")
}

fn criterion(
    out: &mut dyn Write,
    experiment: &str,
    lines: impl Iterator<Item = io::Result<Line>>,
) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table
        .write_record([
            "group",
            "function",
            "value",
            "throughput_num",
            "throughput_type",
            "sample_measured_value",
            "unit",
            "iteration_count",
        ])
        .map_err(io_error)?;
    for line in lines {
        let line = line?;
        if line.error.is_none() {
            let words = words(&parameters(&line));
            let [index, nodes, wall] =
                [line.index as u64, line.search.nodes, line.search.wall_ns].map(|number| number.to_string());
            table
                .write_record([experiment, &words, &index, &nodes, "elements", &wall, "ns", "1"])
                .map_err(io_error)?;
        }
    }
    table.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::line::ContenderName;
    use crate::records::measured::Measured;
    use serde_json::json;

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

    fn text(write: impl FnOnce(&mut dyn Write, Vec<io::Result<Line>>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out, lines().into_iter().map(Ok).collect()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn csv_has_every_figure() {
        let columns = columns(lines().into_iter().map(Ok)).unwrap();
        let text = text(|out, lines| csv_text(out, &columns, None, lines.into_iter()));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 3);
        assert_eq!((&*rows[0]["table.hits"], &*rows[0]["position"], &*rows[0]["error"]), ("5", "a, b", ""));
        assert_eq!(rows[2]["error"], "wrong");
        assert!(!rows[0].contains_key("iterations") && !rows[0].contains_key(LACKS));
        let columns = BTreeSet::from([LACKS.to_owned()]);
        let lacking =
            self::text(|out, lines| csv_text(out, &columns, Some("2 of 3 lines"), lines.into_iter()));
        assert_eq!(lacking, format!("{LACKS}\n{}", "2 of 3 lines\n".repeat(3)));
    }

    #[test]
    fn hyperfine_has_the_times_of_every_command() {
        let text = text(|out, lines| hyperfine(out, None, lines.into_iter()));
        let found: Value = serde_json::from_str(&text).unwrap();
        let [one] = found["results"].as_array().unwrap().as_slice() else { panic!("one command: {found}") };
        assert_eq!(one["command"], "method=serial threads=1 position=1");
        assert_eq!(
            (&one["times"], &one["mean"], &one["max"]),
            (&json!([2.0, 4.0]), &json!(3.0), &json!(4.0))
        );
        assert_eq!(one["parameters"], json!({"method": "serial", "threads": "1", "position": "1"}));
    }

    #[test]
    fn criterion_has_a_line_for_every_sample() {
        let text = text(|out, lines| criterion(out, "scaling", lines.into_iter()));
        assert_eq!(text.lines().count(), 3);
        assert_eq!(
            text.lines().nth(2),
            Some("scaling,method=serial threads=1,1,70,elements,4000000000,ns,1")
        );
    }

    #[test]
    fn lines_that_are_no_searches_are_named() {
        for bad in ["{\"n\": 1}", "{"] {
            let complaint = columns(searches([crate::records::line::read(bad)].into_iter())).unwrap_err();
            assert!(complaint.contains("expected a search in line 1"), "{complaint}");
        }
    }
}
