//! The JSON Schemas of records: those in `experiments/schema` are those of the types, and recorded lines are
//! as they say.

use crate::common::{
    CALIBRATE, COMPARE, MATCH, PAPER_TABLES, Program, REPORT, RUN, SCALING, SIMULATE, STUDY, Scratch, TUNING,
    run_in, samples,
};
use serde_json::Value;
use starsplit_experiments::records::{archive, schema};
use std::fs;
use std::path::Path;

/// Set to anything, it has the files written anew.
const WRITE: &str = "STARSPLIT_WRITE_SCHEMAS";

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/schema"))
}

#[test]
fn the_schemas_that_are_committed_are_those_of_the_types() {
    for (name, text) in schema::files().unwrap() {
        let path = folder().join(name);
        if std::env::var_os(WRITE).is_some() {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        assert!(
            fs::read_to_string(&path).is_ok_and(|found| found == text),
            "{} is not what the types say: make it anew: {WRITE}=1 cargo test --workspace --test all \
             schema::",
            path.display()
        );
    }
}

#[test]
fn what_every_experiment_records_is_as_the_schemas_say() {
    let scratch = Scratch::new();
    let runs: [(Program, &[&str]); 8] = [
        (COMPARE, &["--depth", "3", "--threads", "2", "--table-mb", "1", "--repeat", "1"]),
        (SCALING, &["--depth", "3", "--threads", "2", "--table-mb", "1", "--repeat", "1"]),
        (SIMULATE, &["--depth", "3", "--processors", "2", "--table-mb", "1"]),
        (STUDY, &["--depth", "3", "--variant", "a", "--variant", "b:threads=2", "--table-mb", "1"]),
        (PAPER_TABLES, &["--depth", "3", "--table-mb", "1"]),
        (
            TUNING,
            &["--depth", "3", "--vary", "table-depth=1|table-depth=2", "--repeat", "1", "--table-mb", "1"],
        ),
        (MATCH, &["--games", "2", "--one", "greedy,table-mb=1", "--two", "random", "--jobs", "1"]),
        (CALIBRATE, &["--depth", "9", "--positions", "2", "--repeat", "1", "--table-mb", "16"]),
    ];
    let [line, meta] =
        schema::files().unwrap().map(|(_, text)| serde_json::from_str::<Value>(&text).unwrap());
    for (number, (binary, args)) in runs.iter().enumerate() {
        let out = format!("out{number}");
        let output = run_in(scratch.path(), *binary, &[args, &["--out", &out][..]].concat());
        // What costs nothing to measure here may be too short to tell costs from; its lines are there.
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() || complaint.contains("long enough") || complaint.contains("stolen"),
            "{complaint}"
        );
        let lines = samples(&scratch.path().join(&out));
        assert!(!lines.is_empty(), "{binary} records something");
        for found in &lines {
            check(&line, &line, found).unwrap_or_else(|complaint| panic!("{binary}: {complaint} in {found}"));
        }
        let found = fs::read_to_string(scratch.path().join(&out).join("meta.json")).unwrap();
        let found: Value = serde_json::from_str(&found).unwrap();
        check(&meta, &meta, &found).unwrap_or_else(|complaint| panic!("{binary}: {complaint} in {found}"));
        assert_eq!(
            (&found["schema"], found["game"].is_string(), found.get("revision").is_some()),
            (&6.into(), true, true)
        );
    }
}

#[test]
fn what_is_sealed_over_the_runs_of_a_spec_is_as_the_schema_says() {
    let scratch = Scratch::new();
    let spec = "question = \"How fast?\"\nreading = \"So.\"\n[[runs]]\nname = \"real\"\n\
        experiment = \"scaling\"\ndepth = 3\nthreads = [2]\ntable-mb = 1\nrepeat = 1\n";
    scratch.file("s.toml", spec);
    for (binary, args) in [(RUN, &["s.toml", "--out", "out"][..]), (REPORT, &["--seal", "out"])] {
        let output = run_in(scratch.path(), binary, args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let [_, meta] = schema::files().unwrap().map(|(_, text)| serde_json::from_str::<Value>(&text).unwrap());
    let read = |name: &str| -> Value {
        let path = scratch.path().join("out").join(name);
        serde_json::from_slice(&archive::read(&path, 1 << 20).unwrap()).unwrap()
    };
    let [over, run] = ["meta.json", "real/meta.json"].map(read);
    for found in [&over, &run] {
        check(&meta, &meta, found).unwrap_or_else(|complaint| panic!("{complaint} in {found}"));
    }
    for name in ["schema", "game", "revision", "started", "program", "machine"] {
        assert_eq!(over[name], run[name], "{name}");
    }
    assert_eq!(over["settings"], serde_json::json!({"runs": ["real"]}));
    assert_eq!((&over["experiment"], &over["spec"]["run"]), (&"run".into(), &"".into()));
    assert!(over["spec"]["name"] == "s" && run["spec"]["run"] == "real");
}

#[test]
fn lines_that_are_not_as_the_schema_says_are_told() {
    let [line, _] = schema::files().unwrap().map(|(_, text)| serde_json::from_str::<Value>(&text).unwrap());
    let scratch = Scratch::new();
    let args = ["--depth", "3", "--threads", "1", "--table-mb", "1", "--repeat", "1", "--out", "out"];
    assert!(run_in(scratch.path(), SCALING, &args).status.success());
    let good = samples(&scratch.path().join("out")).remove(0);
    assert_eq!(check(&line, &line, &good), Ok(()));
    let all = good.as_object().unwrap();
    // What was not counted from the beginning on may be missing.
    let later =
        ["collapsed", "static_cutoffs", "move_probes", "ends", "chosen", "probe_ns", "cpu_ns", "stolen_ns"];
    for name in all.keys() {
        let mut bad = all.clone();
        bad.remove(name);
        assert!(
            later.contains(&name.as_str()) || check(&line, &line, &bad.into()).is_err(),
            "without {name}"
        );
        let mut bad = all.clone();
        bad.insert(name.clone(), vec![Value::Null].into());
        assert!(name == "iterations" || check(&line, &line, &bad.into()).is_err(), "with another {name}");
    }
    for (name, value) in [("crc32", Value::from("0123456X")), ("iterations", vec![Value::Null].into())] {
        let mut bad = all.clone();
        bad.insert(name.to_owned(), value);
        assert!(check(&line, &line, &bad.into()).is_err(), "with another {name}");
    }
    let mut more = all.clone();
    more.insert("more".to_owned(), 1.into());
    assert!(check(&line, &line, &more.into()).is_err(), "a key that no line has");
}

/// Whether a value is as a schema says; of the schema's words those that are used here, and an error at any
/// other.
fn check(root: &Value, schema: &Value, found: &Value) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        return if *schema == Value::Bool(true) { Ok(()) } else { Err("nothing fits".to_owned()) };
    };
    for (word, value) in schema {
        let is_right = match word.as_str() {
            "$schema" | "title" | "description" | "$defs" | "format" | "default" | "properties" => true,
            "$ref" => {
                let place = value.as_str().and_then(|place| place.strip_prefix('#')).unwrap();
                return check(root, root.pointer(place).unwrap(), found);
            }
            "anyOf" => value.as_array().unwrap().iter().any(|one| check(root, one, found).is_ok()),
            "oneOf" => {
                value.as_array().unwrap().iter().filter(|one| check(root, one, found).is_ok()).count() == 1
            }
            "const" => found == value,
            "type" => types(value).any(|name| has_type(found, name)),
            "minimum" => found.as_f64().is_none_or(|number| number >= value.as_f64().unwrap()),
            "maximum" => found.as_f64().is_none_or(|number| number <= value.as_f64().unwrap()),
            "minItems" => found.as_array().is_none_or(|list| list.len() as u64 >= value.as_u64().unwrap()),
            "maxItems" => found.as_array().is_none_or(|list| list.len() as u64 <= value.as_u64().unwrap()),
            "required" => {
                let missing = |name: &&Value| found.get(name.as_str().unwrap()).is_none();
                match value.as_array().unwrap().iter().find(missing) {
                    Some(name) if found.is_object() => return Err(format!("{name} is missing")),
                    _ => true,
                }
            }
            "pattern" => {
                assert_eq!(value, "^([0-9a-f]{8})?$");
                let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
                found.as_str().is_none_or(|text| [0, 8].contains(&text.len()) && text.chars().all(is_digit))
            }
            "items" => {
                found.as_array().is_none_or(|list| list.iter().all(|one| check(root, value, one).is_ok()))
            }
            "prefixItems" => found.as_array().is_none_or(|list| {
                value.as_array().unwrap().iter().zip(list).all(|(own, one)| check(root, own, one).is_ok())
            }),
            "additionalProperties" | "unevaluatedProperties" => others(root, schema, value, found)?,
            other => return Err(format!("the schema says {other}, which this test does not know")),
        };
        if !is_right {
            return Err(format!("{found} is not {word} {value}"));
        }
    }
    properties(root, schema, found)
}

/// Whether what has a name in the schema is as it says.
fn properties(root: &Value, schema: &serde_json::Map<String, Value>, found: &Value) -> Result<(), String> {
    let named = schema.get("properties").and_then(Value::as_object);
    for (name, own) in named.into_iter().flatten() {
        if let Some(value) = found.get(name) {
            check(root, own, value).map_err(|complaint| format!("{name}: {complaint}"))?;
        }
    }
    Ok(())
}

/// Whether what has no name in the schema may be there.
fn others(
    root: &Value,
    schema: &serde_json::Map<String, Value>,
    value: &Value,
    found: &Value,
) -> Result<bool, String> {
    let is_named = |name: &str| schema.get("properties").is_some_and(|named| named.get(name).is_some());
    for (name, one) in found.as_object().into_iter().flatten().filter(|(name, _)| !is_named(name)) {
        check(root, value, one).map_err(|complaint| format!("{name}: {complaint}"))?;
    }
    Ok(true)
}

fn types(value: &Value) -> impl Iterator<Item = &str> {
    let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    list.iter().filter_map(Value::as_str)
}

fn has_type(found: &Value, name: &str) -> bool {
    match name {
        "null" => found.is_null(),
        "boolean" => found.is_boolean(),
        "string" => found.is_string(),
        "array" => found.is_array(),
        "object" => found.is_object(),
        "integer" => found.is_u64() || found.is_i64(),
        "number" => found.is_number(),
        other => panic!("the type {other}"),
    }
}
