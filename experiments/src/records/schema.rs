//! The JSON Schemas of what is written, for programs in other languages that read or write records.

use crate::records::line::Line;
use crate::records::meta::Meta;
use crate::records::others::{CalibrationLine, MatchLine, StressLine, TuningLine};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// What a line of `samples.jsonl` may be, by the experiment.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)] // only its schema is asked for
enum AnyLine {
    /// A line of `compare`, `scaling`, `simulate`, `study` or `paper_tables`.
    Search(Box<Line>),
    /// A line of `calibrate`.
    Calibration(CalibrationLine),
    /// A line of `stress`.
    Stress(StressLine),
    /// A line of `match`.
    Match(MatchLine),
    /// A line of `tuning`.
    Tuning(TuningLine),
}

/// The schemas by the names of their files: JSON with an end of line.
///
/// # Errors
/// When one has no form in JSON, which has no reason that is known.
pub fn files() -> serde_json::Result<[(&'static str, String); 2]> {
    let mut line = schema_of::<AnyLine>();
    let others = ["CalibrationLine", "StressLine", "MatchLine", "TuningLine"];
    for kind in std::iter::once("Line").chain(others) {
        add_checksum(&mut line["$defs"][kind]);
    }
    let text = |schema: &Value| serde_json::to_string_pretty(schema).map(|text| text + "\n");
    Ok([("line.json", text(&line)?), ("meta.json", text(&schema_of::<Meta>())?)])
}

/// The schema of what is written of a type, where reading may be content with less.
fn schema_of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

/// The number and the checksum are no part of the type: they are taken off before a line is read. Other keys
/// than these no line has.
fn add_checksum(kind: &mut Value) {
    kind["properties"]["crc32"] = json!({
        "description": "The last key: the CRC-32 of the bytes before it and its comma; empty in an archive.",
        "type": "string",
        "pattern": "^([0-9a-f]{8})?$"
    });
    kind["properties"]["line"] = json!({
        "description": "The last key but one: the number of the line, from 1.",
        "type": "integer",
        "minimum": 1
    });
    kind["additionalProperties"] = false.into();
    if let Some(required) = kind["required"].as_array_mut() {
        required.extend(["line".into(), "crc32".into()]);
    }
}
