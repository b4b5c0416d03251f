//! The binary `stress`: a short run, its records, and what it refuses.

// What a test needs of it is used, and nothing here is a library.
#[allow(dead_code, unreachable_pub, missing_docs, missing_debug_implementations)]
#[path = "../../tests/common/scratch.rs"]
mod scratch;

use scratch::Scratch;
use serde_json::Value;
use starsplit_experiments::records::others::StressLine;
use std::fs;
use std::process::{Command, Output};

fn run_in(scratch: &Scratch, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stress"));
    command.args(args).current_dir(scratch.path()).output().expect("the binary runs")
}

/// What a run printed, one JSON object on a line, and the last line of what it recorded, which is the same.
fn found(args: &[&str]) -> (Value, StressLine) {
    let scratch = Scratch::new();
    let output = run_in(&scratch, &[args, &["--json", "--out", "stress"]].concat());
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(printed.trim_end().lines().count(), 1, "{printed}");
    let printed: Value = serde_json::from_str(&printed).expect("JSON");

    let samples = fs::read_to_string(scratch.path().join("stress/samples.jsonl")).expect("samples");
    let last = samples.lines().last().expect("a line");
    let line: StressLine = serde_json::from_str(last).expect("a line of stress");
    assert_eq!(serde_json::to_value(&line).expect("JSON"), printed);
    let meta = fs::read_to_string(scratch.path().join("stress/meta.json")).expect("meta.json");
    let meta: Value = serde_json::from_str(&meta).expect("JSON");
    assert!(meta["experiment"] == "stress" && meta["revision"].is_string() && meta["schema"] == line.schema);
    (printed, line)
}

#[test]
fn a_short_stress_finds_no_difference_and_keeps_records() {
    let (printed, line) = found(&["--minutes", "0.15"]);
    assert_eq!(printed["differences"], 0);
    assert!(line.seconds > 0.0);
    for (count, least) in [
        ("games", 1),
        ("searches", 8),
        ("stopped", 1),
        ("nodes", 1_000),
        ("probing_splits", 1),
        ("tasks", 10),
    ] {
        assert!(printed[count].as_u64().expect("a count") >= least, "{count}: {printed}");
    }
}

#[test]
fn a_named_game_is_searched_as_well() {
    // Long enough for a search on a machine that has other things to do.
    let (printed, _) = found(&["--minutes", "0.2", "--seed", "3", "--game", "pig"]);
    assert_eq!(printed["differences"], 0);
    assert!(printed["searches"].as_u64().expect("a count") > 0, "{printed}");
}

#[test]
fn bad_input_is_named() {
    let scratch = Scratch::new();
    for (args, named) in [
        (["--minutes", "0"], "minutes 0: expected"),
        (["--minutes", "-1"], "minutes -1: expected"),
        (["--minutes", "NaN"], "minutes NaN: expected"),
        (["--seed", "x"], "seed x: expected"),
        (["--game", "\u{1b}[31mred"], "expected"),
        (["--out", "/dev/null/x"], "results folder"),
    ] {
        let output = run_in(&scratch, &args);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(output.stdout.is_empty() && complaint.contains(named), "{complaint}");
        assert!(complaint.len() < 400 && !complaint.contains('\u{1b}'), "{complaint:?}");
    }
}
