//! The binary `export`: records in the forms that other programs read.

use crate::analysis::statistics::Summary;
use crate::cli::{self, BadInput, Ending};
use crate::records::earlier::Earlier;
use clap::{Parser, ValueEnum};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Print records in a form that other programs read
///
/// csv: one line for each search, one column for each figure that is a number, a text or a truth; nested ones have names such
/// as table.hits.
///
/// hyperfine: the JSON object of hyperfine --export-json, for the scripts that plot it; a "command" is a search of one position
/// by one contender, its times in seconds are those of the rounds, and "parameters" tells them apart. Times of users and
/// system are not known and left out.
///
/// criterion: the lines of the raw.csv of the benchmark harness criterion, one for each search: the experiment is the group,
/// the contender the function, the position's number the value, and the throughput its nodes.
///
/// Times of simulated searches are virtual, as in the records. Searches with an error are left out, except in csv.
#[derive(Debug, Parser)]
#[command(name = "export", version)]
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

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`] when the folder has no records that can be read, or when standard output cannot be written to.
pub fn main(args: &ExportArgs) -> anyhow::Result<Ending> {
    let refuse = |complaint: String| BadInput::new("folder", args.folder.to_string_lossy(), complaint);
    let earlier = Earlier::read(&args.folder).map_err(BadInput::from_error)?;
    let earlier = earlier.ok_or_else(|| refuse("expected one with samples.jsonl".to_owned()))?;
    let experiment = earlier.meta["experiment"].as_str().unwrap_or_default();
    let lines = searches(&earlier.lines).map_err(refuse)?;
    cli::print(&match args.form {
        Form::Csv => csv_text(&lines)?,
        Form::Hyperfine => serde_json::to_string_pretty(&hyperfine(&lines))? + "\n",
        Form::Criterion => criterion(experiment, &lines)?,
    })?;
    Ok(Ending::Complete)
}

/// The lines, each of which has to be of a search.
fn searches(lines: &[String]) -> Result<Vec<Value>, String> {
    let read = |(number, line): (usize, &String)| {
        let line: Value = serde_json::from_str(line)
            .map_err(|error| format!("expected JSON in line {number} ({error})"))?;
        let is_search = line["wall_ns"].is_u64() && line["nodes"].is_u64() && line["index"].is_u64();
        if is_search { Ok(line) } else { Err(format!("expected a search in line {number}")) }
    };
    (1..).zip(lines).map(read).collect()
}

/// The figures of a line by their names, lists left out.
fn flat(prefix: &str, object: &Map<String, Value>, found: &mut BTreeMap<String, String>) {
    for (name, value) in object {
        let name = format!("{prefix}{name}");
        match value {
            Value::Object(inner) => flat(&format!("{name}."), inner, found),
            Value::Array(_) | Value::Null => {}
            Value::String(text) => drop(found.insert(name, text.clone())),
            plain => drop(found.insert(name, plain.to_string())),
        }
    }
}

fn csv_text(lines: &[Value]) -> anyhow::Result<String> {
    let rows = lines.iter().map(|line| {
        let mut row = BTreeMap::new();
        flat("", line.as_object().unwrap_or(&Map::new()), &mut row);
        row
    });
    let rows: Vec<BTreeMap<String, String>> = rows.collect();
    let columns: BTreeSet<&String> = rows.iter().flat_map(BTreeMap::keys).collect();
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(&columns)?;
    for row in &rows {
        table.write_record(columns.iter().map(|&column| row.get(column).map_or("", String::as_str)))?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

/// What tells contenders apart, in words and by name.
fn contender(line: &Value) -> (String, Map<String, Value>) {
    let mut parameters = Map::new();
    for name in ["variant", "algorithm", "method", "ordering", "threads", "copy"] {
        if !line[name].is_null() {
            parameters.insert(name.to_owned(), line[name].clone());
        }
    }
    if let Some(model) = line["simulated"]["model"].as_str() {
        parameters.insert("costs".to_owned(), model.into());
    }
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    let words: Vec<_> = parameters.iter().map(|(name, value)| format!("{name}={}", word(value))).collect();
    (words.join(" "), parameters)
}

fn is_sound(line: &&Value) -> bool {
    line["error"].is_null()
}

fn hyperfine(lines: &[Value]) -> Value {
    /// By the position's number and the contender's words: what tells it apart, and its times.
    type Runs = BTreeMap<(u64, String), (Map<String, Value>, Vec<f64>)>;
    let mut runs = Runs::new();
    for line in lines.iter().filter(is_sound) {
        let (words, mut parameters) = contender(line);
        let index = line["index"].as_u64().unwrap_or_default();
        parameters.insert("position".to_owned(), index.into());
        let (_, times) = runs.entry((index, words)).or_insert_with(|| (parameters, Vec::new()));
        times.push(line["wall_ns"].as_f64().unwrap_or_default() / 1e9);
    }
    let results = runs.into_iter().filter_map(|((index, words), (parameters, times))| {
        let Summary { min, median, max, mean, std } = Summary::of(&times)?;
        Some(json!({
            "command": format!("{words} position={index}"),
            "mean": mean,
            "stddev": if times.len() > 1 { Some(std) } else { None },
            "median": median,
            "min": min,
            "max": max,
            "times": times,
            "exit_codes": vec![0; times.len()],
            "parameters": parameters.iter().map(|(name, value)| {
                (name.clone(), value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned).into())
            }).collect::<Map<String, Value>>(),
        }))
    });
    json!({"results": results.collect::<Vec<_>>()})
}

fn criterion(experiment: &str, lines: &[Value]) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "group",
        "function",
        "value",
        "throughput_num",
        "throughput_type",
        "sample_measured_value",
        "unit",
        "iteration_count",
    ])?;
    for line in lines.iter().filter(is_sound) {
        let number = |name: &str| line[name].to_string();
        let words = contender(line).0;
        let (index, nodes, wall) = (number("index"), number("nodes"), number("wall_ns"));
        table.write_record([experiment, &words, &index, &nodes, "elements", &wall, "ns", "1"])?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<Value> {
        let line = |index: u64, wall_ns: u64, error: Value| {
            json!({"index": index, "position": "a, b", "method": "serial", "threads": 1, "nodes": 70, "wall_ns": wall_ns,
                "table": {"hits": 5}, "iterations": [1], "busy_ns": null, "error": error})
        };
        vec![
            line(1, 2_000_000_000, Value::Null),
            line(1, 4_000_000_000, Value::Null),
            line(2, 1, "wrong".into()),
        ]
    }

    #[test]
    fn csv_has_every_figure() {
        let text = csv_text(&lines()).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 3);
        assert_eq!((&*rows[0]["table.hits"], &*rows[0]["position"], &*rows[0]["error"]), ("5", "a, b", ""));
        assert_eq!(rows[2]["error"], "wrong");
        assert!(!rows[0].contains_key("iterations"));
    }

    #[test]
    fn hyperfine_has_the_times_of_every_command() {
        let found = hyperfine(&lines());
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
        let text = criterion("scaling", &lines()).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert_eq!(
            text.lines().nth(2),
            Some("scaling,method=serial threads=1,1,70,elements,4000000000,ns,1")
        );
    }

    #[test]
    fn lines_that_are_no_searches_are_named() {
        let complaint = searches(&["{\"n\": 1}".to_owned()]).unwrap_err();
        assert!(complaint.contains("expected a search in line 1"), "{complaint}");
        assert!(searches(&["{".to_owned()]).unwrap_err().contains("expected JSON in line 1"));
    }
}
