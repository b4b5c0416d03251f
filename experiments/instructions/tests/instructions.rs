//! The binary `instructions` with a stand-in for valgrind: comparing, recording, exit codes.
#![cfg(unix)]

// What a test needs of it is used, and nothing here is a library.
#[allow(dead_code, unreachable_pub, missing_docs, missing_debug_implementations)]
#[path = "../../tests/common/scratch.rs"]
mod scratch;

use scratch::Scratch;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

fn instructions() -> Command {
    Command::new(env!("CARGO_BIN_EXE_instructions"))
}

/// Stands in for valgrind: a hundred instructions a node whatever is searched. Its last argument is the
/// depth.
const STAND_IN: &str = "#!/bin/sh
for depth; do :; done
echo \"==1== Collected : $((5000 + depth * 1000))\" >&2
echo $((depth * 10))
";

fn run(scratch: &Scratch, args: &[&str]) -> Output {
    let program = scratch.file("valgrind", STAND_IN);
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).expect("permissions");
    let mut command = instructions();
    command.args(args).current_dir(scratch.path()).env("PATH", scratch.path());
    command.output().expect("the binary runs")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Figures written by --record, with each changed by `change`.
fn recorded(scratch: &Scratch, change: impl Fn(&str, f64) -> f64) -> String {
    let made = scratch.path().join("made");
    let output = run(scratch, &["--record", "--recorded", made.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut figures: Value = serde_json::from_slice(&fs::read(made).expect("figures")).expect("JSON");
    for (name, figure) in figures.as_object_mut().expect("an object") {
        *figure = change(name, figure.as_f64().expect("a number")).into();
    }
    scratch.file("changed", figures.to_string())
}

#[test]
fn what_was_recorded_is_within_every_tolerance() {
    let scratch = Scratch::new();
    let file = recorded(&scratch, |_, figure| figure);
    let output = run(&scratch, &["--json", "--recorded", &file, "--tolerance", "0"]);
    assert_eq!(output.status.code(), Some(0));
    let found = json(&output);
    assert_eq!((&found["too_high"], &found["tolerance"]), (&false.into(), &0.0.into()));
    let cases = found["cases"].as_array().expect("an array");
    assert_eq!(cases.len(), 9);
    for case in cases {
        assert_eq!(
            (&case["instructions_a_node"], &case["recorded"]),
            (&100.0.into(), &100.0.into()),
            "{case}"
        );
    }
}

#[test]
fn figures_are_replaced_by_figures_only() {
    let scratch = Scratch::new();
    let run = |file: &str| run(&scratch, &["--record", "--recorded", file]);
    for foreign in ["", "{}", "{\"mine\": 1}", "[1]"] {
        let file = scratch.file("foreign", foreign);
        let output = run(&file);
        let complaint = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains("foreign: expected none, or one that instructions --record has made"));
        assert_eq!(fs::read_to_string(file).expect("the file"), foreign);
    }
    let file = scratch.file("own", include_str!("../../../benches/instructions.json"));
    assert_eq!(run(&file).status.code(), Some(0));
    assert!(fs::read_to_string(file).expect("figures").contains("100.0"));
}

#[test]
fn one_figure_above_the_tolerance_is_exit_code_1() {
    let scratch = Scratch::new();
    let file = recorded(&scratch, |name, figure| if name == "star2/paper" { figure / 1.05 } else { figure });
    let run = |tolerance: &str| run(&scratch, &["--recorded", &file, "--tolerance", tolerance]);
    assert_eq!(run("6").status.code(), Some(0));
    let output = run("4");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let bad: Vec<_> = text.lines().filter(|line| line.ends_with("TOO MANY")).collect();
    assert!(bad.len() == 1 && bad[0].starts_with("star2/paper "), "{text}");
}

#[test]
fn a_case_without_a_recorded_figure_is_new() {
    let scratch = Scratch::new();
    let file = scratch.file("some", "{\"star2/paper\": 100.0}");
    let output = run(&scratch, &["--recorded", &file]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let is_new = |line: &&str| line.ends_with(" instructions a node, new");
    assert_eq!((text.lines().filter(is_new).count(), text.lines().count()), (8, 9), "{text}");
    assert!(text.lines().any(|line| line.starts_with("star2/paper ") && line.ends_with("ok")), "{text}");
    let notes = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(notes.contains("star1/paper is new") && !notes.contains("star2/paper is new"), "{notes}");

    let file = scratch.file("gone", "{\"star2/paper\": 100.0, \"star3/paper\": 100.0}");
    assert_eq!(run(&scratch, &["--recorded", &file]).status.code(), Some(2));
}

#[test]
fn without_valgrind_it_says_so() {
    let scratch = Scratch::new();
    let file = recorded(&scratch, |_, figure| figure);
    fs::remove_file(scratch.path().join("valgrind")).expect("the stand-in");
    let mut command = instructions();
    let output =
        command.args(["--recorded", &file]).env("PATH", scratch.path()).output().expect("the binary runs");
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(
        complaint.starts_with("error: valgrind: expected") && complaint.lines().count() == 1,
        "{complaint}"
    );
}

fn refuses(scratch: &Scratch, args: &[&str], named: &[&str]) {
    let output = instructions().args(args).current_dir(scratch.path()).output().expect("the binary runs");
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
    assert!(output.stdout.is_empty() && complaint.lines().count() == 1, "{args:?}: {complaint}");
    assert!(complaint.starts_with("error: ") && complaint.contains("expected"), "{args:?}: {complaint}");
    assert!(named.iter().all(|name| complaint.contains(name)), "{args:?}: {complaint}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let scratch = Scratch::new();
    let below_a_file = format!("{}/x", scratch.file("file", "kept"));
    for path in ["no/such/folder/x", &below_a_file, ".."] {
        refuses(&scratch, &["--record", "--recorded", path], &["recorded figures", path]);
    }
    for tolerance in ["-1", "-0.1", "NaN", "inf", "1e999", "x", ""] {
        refuses(&scratch, &["--tolerance", tolerance], &["tolerance", tolerance]);
    }
    refuses(&scratch, &["--recorded", "no/such/file"], &["recorded figures", "no/such/file"]);
    let files: [(&str, &[u8]); 7] = [
        ("empty", b""),
        ("short", b"{\"star1/paper\": 24"),
        ("list", b"[1, 2]"),
        ("noise", &[0xff; 100]),
        ("unknown", b"{\"expectimax/paper\": 185.2, \"star3/paper\": 185.2}"),
        ("none", b"{}"),
        ("zero", b"{\"expectimax/paper\": 0}"),
    ];
    for (name, bytes) in files {
        let file = scratch.file(name, bytes);
        refuses(&scratch, &["--recorded", &file], &["recorded figures", name]);
    }
    refuses(&scratch, &["--search", "star3", "7"], &["case", "star3"]);
    refuses(&scratch, &["--search", "star1/paper", "0"], &["depth", "0"]);
    refuses(&scratch, &["--no-such-flag"], &["--no-such-flag"]);
    refuses(&scratch, &["stray"], &["stray"]);
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let scratch = Scratch::new();
    std::os::unix::fs::symlink("/dev/zero", scratch.path().join("zero")).expect("a link");
    assert!(Command::new("mkfifo").arg(scratch.path().join("fifo")).status().expect("mkfifo runs").success());
    for (name, kind) in [("zero", "a device"), ("fifo", "a FIFO"), (".", "a folder")] {
        refuses(&scratch, &["--recorded", name], &["recorded figures", kind]);
    }
    refuses(&scratch, &["--record", "--recorded", "fifo"], &["fifo", "a FIFO"]);
}
