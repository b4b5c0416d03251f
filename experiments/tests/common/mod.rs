//! Running the real binaries and looking at what they say.

// What only some systems have is used only there, and nothing here is a library.
#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod scratch;
pub mod toy;

pub use scratch::Scratch;

use serde_json::Value;
use starsplit_experiments::records::{checksum, meta::checksum_of};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program: a binary, or a command of `starsplit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    path: &'static str,
    command: Option<&'static str>,
}

impl Program {
    const fn binary(path: &'static str) -> Self {
        Program { path, command: None }
    }

    const fn command_of_starsplit(name: &'static str) -> Self {
        Program { path: env!("CARGO_BIN_EXE_starsplit"), command: Some(name) }
    }

    /// What runs it; arguments are added.
    pub fn command(self) -> Command {
        let mut command = Command::new(self.path);
        command.args(self.command);
        command
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)?;
        self.command.iter().try_for_each(|name| write!(f, " {name}"))
    }
}

pub const STARSPLIT: Program = Program::binary(env!("CARGO_BIN_EXE_starsplit"));
pub const SEARCH: Program = Program::command_of_starsplit("search");
pub const COMPARE: Program = Program::binary(env!("CARGO_BIN_EXE_compare"));
pub const RUN: Program = Program::binary(env!("CARGO_BIN_EXE_run"));
pub const STUDY: Program = Program::command_of_starsplit("study");
pub const TUNING: Program = Program::command_of_starsplit("tuning");
pub const SCALING: Program = Program::binary(env!("CARGO_BIN_EXE_scaling"));
pub const CALIBRATE: Program = Program::command_of_starsplit("calibrate");
pub const SIMULATE: Program = Program::binary(env!("CARGO_BIN_EXE_simulate"));
pub const PAPER_TABLES: Program = Program::binary(env!("CARGO_BIN_EXE_paper-tables"));
pub const TRAIN: Program = Program::command_of_starsplit("train");
pub const POSITIONS: Program = Program::command_of_starsplit("positions");
pub const REPORT: Program = Program::binary(env!("CARGO_BIN_EXE_report"));
pub const EXPORT: Program = Program::command_of_starsplit("export");
pub const COMPARE_RECORDS: Program = Program::command_of_starsplit("compare-records");
pub const MATCH: Program = Program::command_of_starsplit("match");
pub const ENGINE: Program = Program::command_of_starsplit("engine");
pub const PERFT: Program = Program::command_of_starsplit("perft");
pub const PLAY: Program = Program::command_of_starsplit("play");

/// Runs a binary in `folder`.
pub fn run_in(folder: &Path, binary: Program, args: &[&str]) -> Output {
    binary.command().args(args).current_dir(folder).output().expect("the binary runs")
}

/// Starts a binary in `folder`, which may map so many KiB of memory and has nothing on standard input.
#[cfg(unix)]
pub fn start_within(folder: &Path, binary: Program, args: &[impl AsRef<OsStr>], kib: u64) -> Child {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {kib}; exec \"$0\" \"$@\""), binary.path])
        .args(binary.command)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

/// Runs a binary that must not wait for what never comes, nor take memory without end: both end it.
#[cfg(unix)]
pub fn watched_in(folder: &Path, binary: Program, args: &[&str]) -> Output {
    let mut child = start_within(folder, binary, args, 8 << 20);
    // As long as a busy machine may take.
    let patience = Duration::from_secs(180);
    let begun = Instant::now();
    while child.try_wait().expect("the child's state").is_none() {
        if begun.elapsed() > patience {
            child.kill().expect("it is killed");
            panic!("{binary} {args:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("the binary ends")
}

/// The flags of unit costs, unless `args` name costs: a search of a test is over before a helper of measured
/// costs is awake.
pub fn unit_costs(args: &[&str]) -> &'static [&'static str] {
    if args.contains(&"--costs") { &[] } else { &["--costs", "unit"] }
}

/// Runs a binary that prints one JSON object, and gives the object.
pub fn json_in(folder: &Path, binary: Program, args: &[&str]) -> Value {
    let output = run_in(folder, binary, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.trim_end().lines().count(), 1, "{args:?}: one line");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

/// The names in a JSON object, in their order as written.
pub fn names(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The lines of `samples.jsonl` in `folder`.
pub fn samples(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("samples.jsonl")).expect("samples");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// A line of samples as programs write it as that of this number, with its checksum.
pub fn line_text(line: &Value, number: usize) -> String {
    let mut line = line.clone();
    without_seal(&mut line);
    let text = line.to_string();
    checksum::add(format!("{},\"line\":{number}}}", text.strip_suffix('}').expect("an object")))
}

/// Takes the number and the checksum, if there are any, off a line.
pub fn without_seal(line: &mut Value) {
    let line = line.as_object_mut().expect("an object");
    let _ = ["line", "crc32"].map(|name| line.remove(name));
}

/// What `meta.json` in a folder says, without its checksum, so that it may be edited and written back.
pub fn meta_of(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("meta.json")).expect("meta.json");
    let mut meta: Value = serde_json::from_str(&text).expect("JSON");
    meta.as_object_mut().expect("an object").remove("crc32").expect("a checksum");
    meta
}

/// Writes what was edited as the `meta.json` in a folder, with the checksum that it should have then.
pub fn write_meta(folder: &Path, meta: &Value) {
    let mut meta = meta.clone();
    meta["crc32"] = checksum_of(&meta).into();
    fs::write(folder.join("meta.json"), meta.to_string()).expect("meta.json");
}

/// Samples that were edited, with the numbers and the checksums that their lines should have then.
pub fn with_checksums(text: &str) -> String {
    let line = |(number, line): (usize, &str)| {
        let (own, _) = line.rsplit_once(",\"line\":").expect("a number");
        checksum::add(format!("{own},\"line\":{number}}}")) + "\n"
    };
    (1..).zip(text.lines()).map(line).collect()
}

/// Starts a binary that records in `out`.
pub fn start(binary: Program, args: &[&str], out: &Path) -> Child {
    binary
        .command()
        .args(args)
        .arg("--out")
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

/// Waits until so many samples are recorded.
pub fn await_samples(child: &mut Child, out: &Path, count: usize) {
    let recorded = || fs::read_to_string(out.join("samples.jsonl")).map_or(0, |text| text.lines().count());
    while recorded() < count {
        assert!(child.try_wait().expect("the child's state").is_none(), "ended before {count} samples");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends what Ctrl-C sends, and waits for the end.
pub fn interrupt(child: Child) -> Output {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    child.wait_with_output().expect("the binary ends")
}
