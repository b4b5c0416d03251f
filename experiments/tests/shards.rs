//! Shards of a spec and `records merge`: what they come to is what one run leaves, and whatever does not
//! belong together is named and stays what it is.

use crate::common::{
    Program, RECORDS, REPORT, RUN, Scratch, json_in, meta_of, run_in, samples, without_checksum,
};
use crate::run::{deterministic, files};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

const SUITE: &str = "rules size=3,run=3\nx../.o./... x -\n.../.../... x -\n";

/// A spec of three runs, so that the first of two shards has the first and the last.
const SPEC: &str = r#"
question = "Is the whole the sum of its parts?"
reading = "It should be."

[[runs]]
name = "virtual"
experiment = "simulate"
suite = "SUITE"
depth = 4
processors = [1, 2]
seeds = 2
table-mb = 1

[[runs]]
name = "variants"
experiment = "study"
suite = "SUITE"
depth = 4
table-mb = 1
variants = [{ name = "default" }, { name = "k=2", probing-factor = 2 }]

[[runs]]
name = "games"
experiment = "match"
game = "pig"
rules = "target=10"
games = 4
one = "depth=2,table-mb=1"
two = "random"
"#;

const RUNS: [&str; 3] = ["virtual", "variants", "games"];

fn spec(scratch: &Scratch) -> String {
    let suite = scratch.file("suite.txt", SUITE);
    scratch.file("some.toml", SPEC.replace("SUITE", &suite))
}

fn run(scratch: &Scratch, args: &[&str]) -> Output {
    run_in(scratch.path(), RUN, args)
}

fn succeeds(scratch: &Scratch, binary: Program, args: &[&str]) -> Output {
    let output = run_in(scratch.path(), binary, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Refused in one line with these words, and nothing was written.
fn refuses(scratch: &Scratch, binary: Program, args: &[&str], words: &str) {
    let before = files(scratch.path());
    let output = run_in(scratch.path(), binary, args);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(said.starts_with("error: ") && said.lines().count() == 1, "{args:?}: {said}");
    assert!(said.contains(words), "{args:?}: {words} in {said}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(files(scratch.path()) == before, "{args:?}: something was written");
    assert!(!scratch.path().join("results").exists(), "{args:?}");
}

/// Runs both shards of the spec, into `s1` and `s2`.
fn both(scratch: &Scratch) -> String {
    let spec = spec(scratch);
    for (shard, out) in [("1/2", "s1"), ("2/2", "s2")] {
        succeeds(scratch, RUN, &[&spec, "--shard", shard, "--out", out]);
    }
    spec
}

fn mark(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("shard.json")).expect("a mark")).expect("JSON")
}

/// The folders in a folder, by name.
fn folders(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<_> = folders.map(|entry| entry.file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// Every file below a folder, as seen from there.
fn below(folder: &Path) -> BTreeSet<PathBuf> {
    files(folder).into_keys().map(|path| path.strip_prefix(folder).expect("below it").to_owned()).collect()
}

#[test]
fn shards_put_together_are_what_one_run_leaves() {
    let scratch = Scratch::new();
    let spec = both(&scratch);
    let [whole, merged, first, second] =
        ["whole", "merged", "s1", "s2"].map(|name| scratch.path().join(name));
    assert_eq!(
        (folders(&first), folders(&second)),
        (vec!["games".into(), "virtual".into()], vec!["variants".into()])
    );
    assert_eq!(mark(&first), json!({"number": 1, "of": 2, "complete": true}));
    assert_eq!(mark(&second), json!({"number": 2, "of": 2, "complete": true}));
    succeeds(&scratch, RUN, &[&spec, "--out", "whole"]);
    // An empty folder is as good as none.
    fs::create_dir(&merged).expect("a folder");
    let printed = json_in(scratch.path(), RECORDS, &["merge", "--out", "merged", "s2", "s1", "--json"]);
    assert_eq!(printed["runs"], json!(RUNS));
    assert_eq!((&printed["shards"], &printed["builds"]), (&json!(2), &json!(1)));
    assert_eq!(
        (&printed["report"], &printed["page"]),
        (&json!("merged/README.md"), &json!("merged/index.html"))
    );
    assert_eq!(below(&merged), below(&whole));
    for (name, count) in RUNS.iter().zip([16, 4, 4]) {
        let [whole, merged] = [&whole, &merged].map(|folder| deterministic(&folder.join(name)));
        assert_eq!(whole.len(), count, "{name}");
        assert_eq!(merged, whole, "{name}");
    }
    succeeds(&scratch, REPORT, &["--check", "merged"]);
    let before = files(&merged);
    succeeds(&scratch, RUN, &[&spec, "--out", "merged", "--resume"]);
    assert!(files(&merged) == before, "nothing was missing");
    let output = succeeds(&scratch, RECORDS, &["merge", "--out", "new/again", "s1", "s2"]);
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.contains("Report: new/again/README.md\n"), "{said}");
    assert_eq!(below(&scratch.path().join("new/again")), below(&whole));
}

#[test]
fn a_shard_that_is_none_is_refused() {
    let scratch = Scratch::new();
    let spec = spec(&scratch);
    for bad in ["", "x", "1", "0/2", "3/2", "1/0", "1/2/3", "-1/2", "1/99999999999999999999999"] {
        let words =
            if bad.is_empty() { "shard \"\"".to_owned() } else { format!("shard {bad}: expected i/n") };
        for more in [&[][..], &["--out", "out"]] {
            refuses(&scratch, RUN, &[&[&spec, "--shard", bad], more].concat(), &words);
        }
    }
    refuses(&scratch, RUN, &[&spec, "--shard", "1/4"], "shard 1/4: expected at most 3 shards");
    succeeds(&scratch, RUN, &[&spec, "--shard", "3/3"]);
    let [name] = &folders(&scratch.path().join("results"))[..] else { panic!("one folder") };
    assert!(name.ends_with("-some-3-of-3"), "{name}");
    assert_eq!(folders(&scratch.path().join("results").join(name)), ["games"]);
}

#[test]
fn a_folder_is_gone_on_with_as_what_it_is() {
    let scratch = Scratch::new();
    let spec = both(&scratch);
    succeeds(&scratch, RUN, &[&spec, "--out", "whole"]);
    let on = |out: &'static str, more: &[&'static str]| [&[&spec, "--out", out, "--resume"], more].concat();
    refuses(&scratch, RUN, &on("s1", &["--shard", "2/2"]), "expected one of shard 2/2, not of 1/2");
    refuses(&scratch, RUN, &on("s1", &["--shard", "1/3"]), "expected one of shard 1/3, not of 1/2");
    refuses(
        &scratch,
        RUN,
        &on("s1", &[]),
        "expected one of all runs; by its shard.json it is for --shard 1/2",
    );
    refuses(&scratch, RUN, &on("whole", &["--shard", "1/2"]), "without shard.json it is of all runs");
    refuses(&scratch, RUN, &[&spec, "--out", "s1", "--shard", "1/2"], "--resume goes on with it");
    let path = scratch.path().join("s1/shard.json");
    for (text, words) in
        [("{", "can be read"), ("{\"number\":3,\"of\":2,\"complete\":true}", "a number from 1")]
    {
        fs::write(&path, text).expect("a mark");
        refuses(&scratch, RUN, &on("s1", &["--shard", "1/2"]), words);
    }
    fs::write(&path, "{\"number\":1,\"of\":2,\"complete\":false}").expect("a mark");
    let lines = samples(&scratch.path().join("s1/virtual"));
    succeeds(&scratch, RUN, &on("s1", &["--shard", "1/2"]));
    assert_eq!(mark(&scratch.path().join("s1")), json!({"number": 1, "of": 2, "complete": true}));
    assert_eq!(samples(&scratch.path().join("s1/virtual")), lines);
}

#[cfg(unix)]
#[test]
fn a_shard_that_was_stopped_is_not_complete() {
    let scratch = Scratch::new();
    // The first run takes years.
    let text = fs::read_to_string(spec(&scratch)).expect("the spec").replacen("depth = 4", "depth = 60", 1);
    let long = scratch.file("long.toml", text);
    scratch.file("suite.txt", "rules size=5,run=4\n...../...../...../...../..... x -\n");
    let mut child = RUN
        .command()
        .args([&long, "--shard", "1/2", "--out", "s1"])
        .current_dir(scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let [folder, samples] = ["s1", "s1/virtual/samples.jsonl"].map(|name| scratch.path().join(name));
    while !samples.exists() {
        assert!(child.try_wait().expect("its state").is_none(), "ended before it began");
        thread::sleep(Duration::from_millis(5));
    }
    let output = crate::common::interrupt(child);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("go on with run") && said.contains("--shard 1/2 --out s1 --resume"), "{said}");
    assert_eq!(mark(&folder), json!({"number": 1, "of": 2, "complete": false}));
    let words = "shard s1: expected one whose runs have all ended complete; go on with run SPEC --shard 1/2";
    refuses(&scratch, RECORDS, &["merge", "--out", "merged", "s1"], words);
}

#[test]
fn a_shard_whose_values_differ_is_not_complete() {
    let scratch = Scratch::new();
    let wrong = fs::read_to_string(spec(&scratch)).expect("the spec");
    let wrong = scratch.file("wrong.toml", wrong.replacen("depth = 4", "depth = 4\nexpected = [1, 2]", 1));
    let output = run(&scratch, &[&wrong, "--shard", "1/2", "--out", "s1"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(mark(&scratch.path().join("s1"))["complete"], false);
    refuses(&scratch, RECORDS, &["merge", "--out", "merged", "s1"], "have all ended complete");
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let scratch = Scratch::new();
    let spec = both(&scratch);
    succeeds(&scratch, RUN, &[&spec, "--out", "whole"]);
    let merge = |shards: &[&'static str]| [&["merge", "--out", "merged"], shards].concat();
    let refused = |shards: &[&'static str], words: &str| refuses(&scratch, RECORDS, &merge(shards), words);
    refused(&["s1"], "shard 2/2: expected among those that are named");
    refused(&["s1", "s2", "s1"], "shard s1: expected every shard once, and s1 is 1/2, too");
    refused(&["s1", "whole"], "shard whole: expected a folder that run --shard has made, with a shard.json");
    refused(&["s1", "none"], "shard none: expected a folder that run --shard has made, with a spec.toml");
    // A file is changed, and is then what it was.
    let with = |name: &str, change: &dyn Fn(&str) -> String, words: &str| {
        let path = scratch.path().join(name);
        let own = fs::read_to_string(&path).expect("a file");
        let changed = change(&own);
        assert_ne!(own, changed, "{name}");
        fs::write(&path, changed).expect("the file");
        refused(&["s1", "s2"], words);
        fs::write(&path, own).expect("the file");
    };
    with(
        "s2/spec.toml",
        &|own| format!("{own}# mine\n"),
        "shard s2: expected the spec.toml of s1, not another",
    );
    let of_three = |own: &str| own.replace("\"of\":2", "\"of\":3");
    with("s2/shard.json", &of_three, "shard s2: expected one of 2 shards, as s1, not of 3");
    with("s2/shard.json", &|own| own.replace("\"number\":2", "\"number\":1"), "s1 is 1/2, too");
    with("s2/shard.json", &|own| own.replace("true", "false"), "--shard 2/2 --out FOLDER --resume");
    with("s2/shard.json", &|_| "[]".to_owned(), "shard s2: expected a shard.json that can be read");
    with(
        "s2/variants/meta.json",
        &|own| without_checksum(own).replace("variants", "games"),
        "run s2/variants: expected the records of",
    );
    with(
        "s2/variants/meta.json",
        &|own| own.replace("variants", "games"),
        "it was changed after it was written",
    );
    let other_build =
        |own: &str| without_checksum(own).replace("\"build_fnv1a\": \"", "\"build_fnv1a\": \"0");
    with(
        "s2/variants/meta.json",
        &other_build,
        "run s2/variants: expected one build, that which began s1/virtual",
    );
    for (name, line) in [("s1/virtual", 3), ("s2/variants", 2), ("s1/games", 4)] {
        let cut = |own: &str| own[..own.match_indices('\n').nth(line - 1).expect("a line").0 - 20].to_owned();
        let words = format!("run {name}: expected samples as they were written");
        let samples = format!("{name}/samples.jsonl");
        with(&samples, &cut, &format!("{words} (samples.jsonl ends within line {line}"));
        let words = format!("{words} (line 1 of samples.jsonl: its checksum is");
        with(&samples, &|own| own.replacen("\"schema\":6", "\"schema\":4", 1), &words);
        with(&samples, &|_| String::new(), &format!("run {name}: expected samples as they were written"));
    }
    for hidden in ["s2/variants", "s1/games"].map(|name| scratch.path().join(name)) {
        let away = hidden.with_extension("away");
        fs::rename(&hidden, &away).expect("a folder");
        refused(&["s1", "s2"], "expected records, there are none");
        fs::rename(&away, &hidden).expect("the folder");
    }
    succeeds(&scratch, RECORDS, &merge(&["s1", "s2"]));
}

#[test]
fn more_shards_than_runs_are_refused() {
    let scratch = Scratch::new();
    let spec = fs::read_to_string(spec(&scratch)).expect("the spec");
    fs::create_dir(scratch.path().join("s1")).expect("a folder");
    scratch.file("s1/spec.toml", spec);
    scratch.file("s1/shard.json", "{\"number\":1,\"of\":1000000000000,\"complete\":true}");
    refuses(&scratch, RECORDS, &["merge", "--out", "merged", "s1"], "shard s1: expected at most 3 shards");
}

#[test]
fn other_builds_and_machines_are_told() {
    let scratch = Scratch::new();
    both(&scratch);
    let path = scratch.path().join("s2/variants/meta.json");
    let mut meta = meta_of(&scratch.path().join("s2/variants"));
    meta["machine"]["cores"] = json!(999);
    meta["machine"]["cpu"] = json!({"name": "Big\u{1b}[1m"});
    fs::write(&path, meta.to_string()).expect("the file");
    let output = succeeds(&scratch, RECORDS, &["merge", "--out", "merged", "s1", "s2"]);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("the runs are of 2 machines: "), "{said}");
    assert!(said.contains("\"Big\\u{1b}[1m\", 999 processors") && said.lines().count() == 1, "{said}");
    meta["program"]["build_fnv1a"] = json!("0");
    fs::write(&path, meta.to_string()).expect("the file");
    refuses(&scratch, RECORDS, &["merge", "--out", "mixed", "s1", "s2"], "--mix puts others together, too");
    let printed =
        json_in(scratch.path(), RECORDS, &["merge", "--out", "mixed", "s1", "s2", "--mix", "--json"]);
    assert_eq!(printed["builds"], 2);
    assert_eq!(printed["machines"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        fs::read_to_string(scratch.path().join("mixed/variants/meta.json")).expect("a file"),
        meta.to_string()
    );
}

#[test]
fn nothing_is_written_over_and_nothing_half_made_is_left() {
    let scratch = Scratch::new();
    both(&scratch);
    let merge = |out: &'static str| ["merge", "--out", out, "s1", "s2"];
    scratch.file("file", "mine");
    fs::create_dir_all(scratch.path().join("full/of")).expect("folders");
    for out in ["file", "full", "s1", "."] {
        refuses(&scratch, RECORDS, &merge(out), &format!("--out {out}: expected"));
    }
    refuses(&scratch, RECORDS, &merge("file/below"), "--out file/below: expected");
    fs::create_dir(scratch.path().join("merged.part")).expect("a folder");
    refuses(&scratch, RECORDS, &merge("merged"), "--out merged.part: expected none");
    fs::remove_dir(scratch.path().join("merged.part")).expect("the folder");
    let page = fs::read_to_string(scratch.path().join("s1/games/README.md")).expect("a page");
    scratch.file("s1/games/README.md", "mine");
    let words = "s1/games/README.md: expected none, or one that report has made";
    refuses(&scratch, RECORDS, &merge("merged"), words);
    scratch.file("s1/games/README.md", page);
    fs::create_dir(scratch.path().join("s1/games/more")).expect("a folder");
    refuses(&scratch, RECORDS, &merge("merged"), "run s1/games: expected files to copy (more: a folder");
    fs::remove_dir(scratch.path().join("s1/games/more")).expect("the folder");
    refuses(&scratch, RECORDS, &["merge", "--out", "merged"], "SHARD");
    refuses(&scratch, RECORDS, &[], "subcommand");
    succeeds(&scratch, RECORDS, &merge("merged"));
    refuses(&scratch, RECORDS, &merge("merged"), "--out merged: expected a folder that is not there yet");
}

/// As far as a limit on the size of files goes, in units of 512 bytes: it takes what is copied, or else the
/// page over all, which comes last.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing() {
    let scratch = Scratch::new();
    both(&scratch);
    let before = files(scratch.path());
    for (limit, words) in [(1, "cannot copy"), (100, "index.html: expected one that can be written")] {
        let limited = format!("ulimit -f {limit}; trap '' XFSZ; exec {RECORDS} merge --out merged s1 s2");
        let output = Command::new("sh").args(["-c", &limited]).current_dir(scratch.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!output.status.success() && said.contains(words), "{limit}: {said}");
        assert!(files(scratch.path()) == before, "{limit}: {said}");
        assert!(!scratch.path().join("merged").exists() && !scratch.path().join("merged.part").exists());
    }
    succeeds(&scratch, RECORDS, &["merge", "--out", "merged", "s1", "s2"]);
}
