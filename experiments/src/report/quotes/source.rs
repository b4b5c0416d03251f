//! Rows of tables of records, by the record's folder, the table's name and what stands in some of its
//! columns.

use crate::records::earlier::Earlier;
use crate::records::line::RecordLine;
use crate::report::export::flat;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The table that is meant where none is named: the figures of a record's page.
const FIGURES: &str = "figures";

/// The table of the raw lines of a record, whatever they are of; nested figures have names such as
/// `table.hits`, those of the iteration to depth 5 such as `iterations.5.nodes`, other lists are left out.
const SAMPLES: &str = "samples";

/// Rows by the names that a template gives them.
pub(in crate::report) type RowSpecs = BTreeMap<String, RowSpec>;

/// Which rows are meant.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::report) struct RowSpec {
    /// The folder of a record below the house, or several. A `*` in its last name stands for anything: all
    /// folders with pages of such names are meant, by name.
    of: OneOrMore<String>,
    /// The table: `figures` by default, any other that is made for the record's page (`growth`), `samples`,
    /// or a file of JSON beside them, which is one row whose columns are places such as `models.0.residual`.
    #[serde(rename = "in")]
    table: Option<String>,
    /// What stands in columns, or one of what.
    #[serde(flatten)]
    with: BTreeMap<String, OneOrMore<Cell>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    fn all(&self) -> &[T] {
        match self {
            OneOrMore::One(one) => std::slice::from_ref(one),
            OneOrMore::More(more) => more,
        }
    }
}

/// What stands in a column.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Cell {
    Whole(i64),
    Truth(bool),
    Text(String),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::Whole(number) => number.to_string(),
            Cell::Truth(truth) => truth.to_string(),
            Cell::Text(text) => text.clone(),
        }
    }
}

/// Rows of a table, or of several tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    columns: BTreeSet<String>,
    rows: Vec<BTreeMap<String, String>>,
}

impl Rows {
    /// The numbers in a column.
    ///
    /// # Errors
    /// Where there is no such column, or no number in it.
    pub(super) fn numbers(&self, column: &str) -> Result<Vec<f64>, String> {
        if !self.columns.contains(column) {
            let known: Vec<_> = self.columns.iter().map(String::as_str).collect();
            return Err(format!("expected a column that there is, not {column}: {}", known.join(", ")));
        }
        let number = |row: &BTreeMap<String, String>| {
            let text = row.get(column).map_or("", String::as_str);
            text.parse().map_err(|_| format!("expected a number in column {column}, not {text:?}"))
        };
        self.rows.iter().map(number).collect()
    }

    fn matching(&self, with: &BTreeMap<String, OneOrMore<Cell>>) -> Result<Self, String> {
        if let Some(column) = with.keys().find(|column| !self.columns.contains(*column)) {
            let known: Vec<_> = self.columns.iter().map(String::as_str).collect();
            return Err(format!("expected a column that there is, not {column}: {}", known.join(", ")));
        }
        let is_meant = |row: &&BTreeMap<String, String>| {
            with.iter().all(|(column, wanted)| {
                let found = row.get(column).map_or("", String::as_str);
                wanted.all().iter().any(|cell| cell.text() == found)
            })
        };
        let rows: Vec<_> = self.rows.iter().filter(is_meant).cloned().collect();
        Ok(Rows { columns: self.columns.clone(), rows })
    }

    fn of_csv(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(bytes);
        let rows: Result<Vec<BTreeMap<String, String>>, _> = reader.deserialize().collect();
        let columns = reader.headers().map_err(|error| error.to_string())?;
        let columns = columns.iter().map(str::to_owned).collect();
        Ok(Rows { columns, rows: rows.map_err(|error| error.to_string())? })
    }

    fn of_objects(objects: impl Iterator<Item = Result<Value, String>>) -> Result<Self, String> {
        let mut made = Rows::default();
        for object in objects {
            let Value::Object(mut object) = object? else { return Err("expected an object".to_owned()) };
            let mut row = BTreeMap::new();
            by_depth(object.remove("iterations"), &mut row);
            flat("", object, &mut row);
            made.columns.extend(row.keys().cloned());
            made.rows.push(row);
        }
        Ok(made)
    }

    #[cfg(test)]
    pub(super) fn of(columns: &[&str], rows: &[&[&str]]) -> Self {
        let own = |text: &&str| (*text).to_owned();
        let row = |row: &&[&str]| columns.iter().map(own).zip(row.iter().map(own)).collect();
        Rows { columns: columns.iter().map(own).collect(), rows: rows.iter().map(row).collect() }
    }
}

/// The figures of a search's iterations, by their depths; nothing where there are none.
fn by_depth(iterations: Option<Value>, found: &mut BTreeMap<String, String>) {
    for iteration in iterations.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_object) {
        if let Some(depth) = iteration.get("depth") {
            flat(&format!("iterations.{depth}."), iteration.clone(), found);
        }
    }
}

/// Everything in a text of JSON by its place: `models.0.residual`.
fn leaves(place: &str, value: Value, found: &mut BTreeMap<String, String>) {
    let inner = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match value {
        Value::Object(object) => {
            object.into_iter().for_each(|(name, value)| leaves(&inner(&name), value, found))
        }
        Value::Array(list) => {
            list.into_iter().enumerate().for_each(|(n, value)| leaves(&inner(&n.to_string()), value, found));
        }
        Value::String(text) => drop(found.insert(place.to_owned(), text)),
        other => drop(found.insert(place.to_owned(), other.to_string())),
    }
}

/// A line of samples of whatever kind.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct AnyLine(Value);

impl RecordLine for AnyLine {
    fn schema(&self) -> u32 {
        self.0
            .get("schema")
            .and_then(Value::as_u64)
            .and_then(|schema| u32::try_from(schema).ok())
            .unwrap_or(0)
    }
}

/// The tables that were made from records for their pages.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Tables {
    /// By the records' folders and the files' names.
    made: BTreeMap<PathBuf, BTreeMap<String, Vec<u8>>>,
    /// What was read so far, by the same: many blocks quote one record.
    read: RefCell<BTreeMap<(String, String), Rc<Rows>>>,
}

impl Tables {
    /// Keeps the table that was made for a file of a folder; what is no table is left out.
    pub(in crate::report) fn keep(&mut self, folder: &Path, file: &str, bytes: &[u8]) {
        if let Some(name) = file.strip_suffix(".csv") {
            self.made.entry(folder.to_owned()).or_default().insert(name.to_owned(), bytes.to_owned());
        }
    }
}

/// Where rows come from.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Sources<'a> {
    /// The folder that all records lie in.
    pub(in crate::report) house: &'a Path,
    /// What was made from them.
    pub(in crate::report) tables: &'a Tables,
}

impl Sources<'_> {
    /// The rows that are meant, by their names.
    ///
    /// # Errors
    /// Which of them are not there, in a line.
    pub(super) fn find(&self, specs: &RowSpecs) -> Result<BTreeMap<String, Rows>, String> {
        let named = |(name, spec): (&String, &RowSpec)| {
            let rows = self.rows(spec).map_err(|complaint| format!("rows {name}: {complaint}"))?;
            Ok((name.clone(), rows))
        };
        specs.iter().map(named).collect()
    }

    fn rows(&self, spec: &RowSpec) -> Result<Rows, String> {
        let table = spec.table.as_deref().unwrap_or(FIGURES);
        let mut all = Rows::default();
        for folder in &self.folders(spec.of.all())? {
            let of = |complaint: String| format!("{folder}: {complaint}");
            let found = self.table(folder, table).map_err(of)?.matching(&spec.with).map_err(of)?;
            if found.rows.is_empty() {
                return Err(of(format!("expected such a row in {table}")));
            }
            all.columns.extend(found.columns);
            all.rows.extend(found.rows);
        }
        Ok(all)
    }

    /// The folders by their names alone.
    fn folders(&self, named: &[String]) -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        for name in named {
            let (parent, last) = name.rsplit_once('/').unwrap_or(("", name));
            let Some((before, after)) = last.split_once('*') else {
                found.push(name.clone());
                continue;
            };
            let all = self.tables.made.keys().filter_map(|path| path.strip_prefix(self.house).ok()?.to_str());
            let own = all.filter_map(|path| path.rsplit_once('/').filter(|(folder, _)| *folder == parent));
            let names = own
                .map(|(_, last)| last)
                .filter(|last| last.strip_prefix(before).is_some_and(|rest| rest.ends_with(after)));
            let count = found.len();
            found.extend(names.map(|last| format!("{parent}/{last}")));
            if found.len() == count {
                return Err(format!("{name}: expected a record that has a page"));
            }
        }
        Ok(found)
    }

    fn table(&self, folder: &str, table: &str) -> Result<Rc<Rows>, String> {
        let key = (folder.to_owned(), table.to_owned());
        if let Some(rows) = self.tables.read.borrow().get(&key) {
            return Ok(rows.clone());
        }
        let rows = Rc::new(self.read(folder, table)?);
        self.tables.read.borrow_mut().insert(key, rows.clone());
        Ok(rows)
    }

    fn read(&self, folder: &str, table: &str) -> Result<Rows, String> {
        let path = self.house.join(folder);
        if table == SAMPLES {
            let earlier = Earlier::read(&path).map_err(|error| error.to_string())?;
            let earlier = earlier.ok_or("expected a record with samples")?;
            return Rows::of_objects(earlier.lines().map(|line| line.map(|AnyLine(value)| value)));
        }
        if table.ends_with(".json") {
            let text = fs::read_to_string(path.join(table));
            let text = text.map_err(|error| format!("expected a file {table} ({error})"))?;
            let mut row = BTreeMap::new();
            leaves("", serde_json::from_str(&text).map_err(|error| error.to_string())?, &mut row);
            return Ok(Rows { columns: row.keys().cloned().collect(), rows: vec![row] });
        }
        let made = self.tables.made.get(&path).ok_or("expected a record that has a page")?;
        Rows::of_csv(made.get(table).ok_or_else(|| {
            let known: Vec<_> = made.keys().map(String::as_str).collect();
            format!("expected a table of {}, {SAMPLES} or a file of JSON, not {table}", known.join(", "))
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(spec: &str, column: &str) -> Result<Vec<f64>, String> {
        let mut tables = Tables::default();
        let csv = b"variant,depth,nodes\ndefault,3,10\n\"a, b\",3,20\ndefault,5,30\n";
        tables.keep("house/current/a".as_ref(), "figures.csv", csv);
        tables.keep("house/current/b".as_ref(), "figures.csv", b"variant,nodes\ndefault,40\n");
        tables.keep("house/current/b".as_ref(), "README.md", b"none");
        let sources = Sources { house: "house".as_ref(), tables: &tables };
        let specs: RowSpecs =
            toml::from_str(&format!("x = {spec}")).map_err(|error| error.message().to_owned())?;
        sources.find(&specs)?["x"].numbers(column)
    }

    #[test]
    fn rows_are_those_with_such_columns() {
        for (spec, expected) in [
            ("{of = 'current/a', variant = 'default', depth = 3}", vec![10.0]),
            ("{of = 'current/a', variant = 'a, b'}", vec![20.0]),
            ("{of = 'current/a', depth = [3, 5]}", vec![10.0, 20.0, 30.0]),
            ("{of = ['current/b', 'current/a'], variant = 'default'}", vec![40.0, 10.0, 30.0]),
            ("{of = 'current/*', variant = 'default'}", vec![10.0, 30.0, 40.0]),
            ("{of = 'current/b*'}", vec![40.0]),
        ] {
            assert_eq!(numbers(spec, "nodes"), Ok(expected), "{spec}");
        }
    }

    #[test]
    fn json_is_a_row_of_all_that_is_in_it() {
        let mut found = BTreeMap::new();
        leaves("", serde_json::json!({"a": [{"b": 1.5}, "x"], "c": {"d": true}}), &mut found);
        let found: Vec<_> = found.iter().map(|(place, text)| (place.as_str(), text.as_str())).collect();
        assert_eq!(found, [("a.0.b", "1.5"), ("a.1", "x"), ("c.d", "true")]);
    }

    #[test]
    fn raw_lines_have_nested_figures_and_those_of_iterations_by_depth() {
        let line = serde_json::json!({
            "nodes": 9, "table": {"hits": 2}, "workers": [{"nodes": 4}], "error": null,
            "iterations": [{"depth": 3, "nodes": 5}, {"depth": 5, "nodes": 9}, {"nodes": 1}, 2],
        });
        let rows = Rows::of_objects([Ok(line), Ok(serde_json::json!({"nodes": 1}))].into_iter()).unwrap();
        let expected =
            ["iterations.3.depth", "iterations.3.nodes", "iterations.5.depth", "iterations.5.nodes"];
        let columns: Vec<_> = rows.columns.iter().map(String::as_str).collect();
        assert_eq!(columns, [&expected[..], &["nodes", "table.hits"]].concat());
        assert_eq!(rows.rows[0]["iterations.5.nodes"], "9");
        assert_eq!(rows.numbers("nodes"), Ok(vec![9.0, 1.0]));
        assert!(rows.numbers("iterations.5.nodes").is_err());
    }

    #[test]
    fn what_is_not_there_is_said() {
        for (spec, column, words) in [
            (
                "{of = 'current/a', variant = 'other'}",
                "nodes",
                "rows x: current/a: expected such a row in figures",
            ),
            ("{of = 'current/a', in = 'growth'}", "nodes", "expected a table of figures, samples"),
            ("{of = 'current/c'}", "nodes", "current/c: expected a record that has a page"),
            ("{of = 'current/c*'}", "nodes", "current/c*: expected a record that has a page"),
            ("{of = 'current/c', in = 'samples'}", "nodes", "current/c"),
            ("{of = 'current/c', in = 'costs.json'}", "nodes", "a file costs.json"),
            ("{of = 'current/a', method = 'x'}", "nodes", "not method: depth, nodes, variant"),
            ("{of = 'current/a'}", "seconds", "not seconds: depth, nodes, variant"),
            ("{of = 'current/a'}", "variant", "a number in column variant, not \"default\""),
            ("{variant = 'x'}", "nodes", "of"),
        ] {
            let complaint = numbers(spec, column).unwrap_err();
            assert!(complaint.contains(words) && !complaint.contains('\n'), "{words} in {complaint}");
        }
    }
}
