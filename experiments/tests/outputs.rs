//! Files that binaries write: what others have made is never replaced, and what a killed run has left is
//! cleared away.

use crate::common::{
    CALIBRATE, POSITIONS, Program, REPORT, SEARCH, SIMULATE, Scratch, TRAIN, json_in, run_in,
};
use std::fs;
use std::path::Path;

/// What is in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// Puts `foreign` at `path`, which `binary` has to refuse to write to, with a line that names it, before it
/// does anything.
fn refuses(scratch: &Scratch, path: &str, foreign: &str, binary: Program, args: &[&str]) {
    let file = scratch.path().join(path);
    fs::write(&file, foreign).expect("a file");
    let before = names(file.parent().expect("a folder"));
    let output = run_in(scratch.path(), binary, args);
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
    assert!(complaint.starts_with("error: ") && complaint.lines().count() == 1, "{args:?}: {complaint}");
    assert!(complaint.contains(&format!("{path}: expected none")), "{args:?}: {complaint}");
    assert!(complaint.contains("remove it"), "{args:?}: {complaint}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), foreign, "{args:?}");
    assert_eq!(names(file.parent().expect("a folder")), before, "{args:?} left something");
    fs::remove_file(file).expect("the file");
}

fn succeeds(scratch: &Scratch, binary: Program, args: &[&str]) {
    let output = run_in(scratch.path(), binary, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Leaves what a killed process would of the file `name`, which the binary has to clear away when it writes
/// that file anew.
fn clears(scratch: &Scratch, name: &str, binary: Program, args: &[&str]) {
    let before = names(scratch.path());
    fs::write(scratch.path().join(format!(".{name}.starsplit-1-0.part")), "part").expect("a file");
    succeeds(scratch, binary, args);
    assert_eq!(names(scratch.path()), before, "{args:?}");
}

#[test]
fn a_trace_is_replaced_by_a_trace_only() {
    let scratch = Scratch::new();
    // Such a search takes years: an answer at all means that nothing was searched before it.
    let long = ["--depth", "99", "--threads", "2", "--trace", "trace.json"];
    for foreign in ["", "mine", "{}", "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[]}"] {
        refuses(&scratch, "trace.json", foreign, SEARCH, &long);
    }
    let short = |threads: &'static str| {
        ["--depth", "3", "--table-mb", "1", "--threads", threads, "--trace", "trace.json"]
    };
    succeeds(&scratch, SEARCH, &short("2"));
    let first = fs::read(scratch.path().join("trace.json")).expect("a trace");
    clears(&scratch, "trace.json", SEARCH, &short("3"));
    assert_ne!(fs::read(scratch.path().join("trace.json")).expect("a trace"), first);
}

#[test]
fn a_suite_is_replaced_by_that_of_the_same_seed_only() {
    let scratch = Scratch::new();
    let suite = include_str!("../../games/src/dice/suites/paper.txt");
    let args = |seed: &'static str| ["--seed", seed, "--out", "suite.txt"];
    refuses(&scratch, "suite.txt", suite, POSITIONS, &args("2"));
    refuses(&scratch, "suite.txt", suite, POSITIONS, &args("11"));
    refuses(&scratch, "suite.txt", "rules size=5\n", POSITIONS, &args("1"));
    let (head, positions) = suite.split_once("rules").expect("rules");
    scratch.file("suite.txt", format!("{head}rules{}", positions.replace('x', "o")));
    clears(&scratch, "suite.txt", POSITIONS, &args("1"));
    assert_eq!(fs::read_to_string(scratch.path().join("suite.txt")).expect("a suite"), suite);
}

#[test]
fn a_suite_is_printed_and_written_nowhere_unless_a_file_is_named() {
    let scratch = Scratch::new();
    let args = ["--game", "pig", "--count", "3", "--seed", "2"];
    let printed = run_in(scratch.path(), POSITIONS, &args);
    assert!(printed.status.success(), "{printed:?}");
    let suite = String::from_utf8(printed.stdout).expect("UTF-8");
    assert!(suite.starts_with("# 3 positions from self-play") && suite.contains("\ngame pig\n"), "{suite}");
    let json = json_in(scratch.path(), POSITIONS, &[&args[..], &["--json"]].concat());
    assert_eq!(json["suite"], suite);
    assert!(names(scratch.path()).is_empty(), "{:?}", names(scratch.path()));
    succeeds(&scratch, POSITIONS, &[&args[..], &["--out", "suite.txt"]].concat());
    assert_eq!(fs::read_to_string(scratch.path().join("suite.txt")).expect("a suite"), suite);
}

#[test]
fn weights_are_replaced_by_weights_of_the_same_board_only() {
    let scratch = Scratch::new();
    // So many games take days: an answer at all means that nothing was trained before it.
    for foreign in ["", "mine", "{\"version\":2}"] {
        refuses(&scratch, "weights", foreign, TRAIN, &["--games", "1000000000", "--out", "weights"]);
    }
    let small = ["--games", "20"];
    let board = |rules: &'static str| [&small[..], &["--out", "weights", "--rules", rules]].concat();
    succeeds(&scratch, TRAIN, &board("size=4,run=3"));
    clears(&scratch, "weights", TRAIN, &board("size=4,run=3"));
    let output = run_in(scratch.path(), TRAIN, &board("size=3,run=3"));
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("weights: expected none, or one that train for these rules"), "{complaint}");
    let saved = [&small[..], &["--rules", "size=4,run=3", "--checkpoint", "saved"]].concat();
    succeeds(&scratch, TRAIN, &saved);
    clears(&scratch, "saved", TRAIN, &saved);
}

#[test]
fn what_lies_beside_records_is_replaced_by_its_maker_only() {
    let scratch = Scratch::new();
    let folder = scratch.path().join("out");
    fs::create_dir(&folder).expect("a folder");
    // Such searches take years.
    refuses(&scratch, "out/costs.json", "{\"node\": 1}", CALIBRATE, &["--depth", "99", "--out", "out"]);
    let simulated = ["--depth", "3", "--table-mb", "1", "--processors", "2", "--out", "out", "--resume"];
    succeeds(&scratch, SIMULATE, &simulated);
    succeeds(&scratch, SIMULATE, &simulated);
    assert_eq!(names(&folder), ["index.html", "meta.json", "samples.jsonl"]);

    for name in ["README.md", "figures.csv", "speedup-measured.svg"] {
        refuses(&scratch, &format!("out/{name}"), "mine", REPORT, &["out"]);
    }
    refuses(&scratch, "page.html", "mine", REPORT, &["out", "--page", "page.html"]);
    succeeds(&scratch, REPORT, &["out"]);
    let made = names(&folder);
    for name in made.iter().filter(|&name| name != "samples.jsonl") {
        fs::write(folder.join(format!(".{name}.starsplit-1-0.part")), "part").expect("a file");
    }
    succeeds(&scratch, REPORT, &["out"]);
    succeeds(&scratch, SIMULATE, &simulated);
    assert_eq!(names(&folder), made);
}
