//! The binary `run`: whatever ends a run, nothing is lost, nothing is there twice, and nothing is mixed.

use crate::common::{
    COMPARE_RECORDS, EXPORT, REPORT, RUN, SCALING, Scratch, json_in, meta_of, run_in, samples, without_seal,
    write_meta,
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A spec with a run of every kind, each of some searches, in which one of them takes some milliseconds.
const SPEC: &str = r#"
question = "Does it go on?"
reading = "It should."

[[runs]]
name = "real"
experiment = "scaling"
suite = "SUITE"
depth = 7
threads = [1, 2]
repeat = 2
table-mb = 1
baselines = ["hybrid"]

[[runs]]
name = "virtual"
experiment = "simulate"
suite = "SUITE"
depth = 6
processors = [1, 4]
seeds = 2
table-mb = 1

[[runs]]
name = "variants"
experiment = "study"
suite = "SUITE"
depth = 7
table-mb = 1
variants = [{ name = "default" }, { name = "k=2", probing-factor = 2 }, { name = "tiny", table-mb = 2 }]

[[runs]]
name = "paper"
experiment = "paper_tables"
suite = "SUITE"
depth = 5
table-mb = 1

[[runs]]
name = "both"
experiment = "compare"
suite = "SUITE"
depth = 7
threads = [2]
repeat = 2
table-mb = 1

[[runs]]
name = "games"
experiment = "match"
game = "pig"
rules = "target=10"
games = 6
one = "depth=2,table-mb=1"
two = "random"
"#;

/// The runs of the spec.
const RUNS: [&str; 6] = ["real", "virtual", "variants", "paper", "both", "games"];

const SUITE: &str = "rules size=5,run=4,full-line=reroll\n\
                     .xox./....o/ooo.x/....x/.x... x -\n\
                     ...../....o/..x../x.o../..... x -\n\
                     .xx../.xo../.ox../ooox./.x... o -\n";

fn spec(scratch: &Scratch) -> String {
    let suite = scratch.file("suite.txt", SUITE);
    scratch.file("some.toml", SPEC.replace("SUITE", &suite))
}

fn run(scratch: &Scratch, args: &[&str]) -> Output {
    run_in(scratch.path(), RUN, args)
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned()
}

/// What does not depend on the schedule or the clock, of each line by what tells it apart.
pub(crate) fn deterministic(folder: &Path) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for line in samples(folder) {
        let keys =
            ["variant", "algorithm", "method", "ordering", "threads", "index", "repeat", "copy", "number"];
        let mut key: BTreeMap<_, _> = keys.iter().map(|&key| (key, line[key].clone())).collect();
        for part in ["model", "costs", "seed"] {
            key.insert(part, line["simulated"][part].clone());
        }
        let is_serial = matches!(line["method"].as_str(), Some("serial" | "ceiling"));
        let names = ["position", "depth", "error", "expected", "score", "value", "lower", "upper"];
        // Where the first to end stops the rest, what these have found depends on the machine.
        let is_told = if line["method"] == "matched-ceiling" { 4 } else { names.len() };
        let mut value: Value = names[..is_told]
            .iter()
            .chain(&["points", "finished", "plies", "result"])
            .map(|&name| (name.to_owned(), line[name].clone()))
            .collect();
        if line["simulated"].is_object() {
            value = line.clone();
            without_seal(&mut value);
        } else if is_serial {
            for name in ["nodes", "evaluations", "leaves", "table"] {
                value[name] = line[name].clone();
            }
        }
        let before = found.insert(json!(key).to_string(), value);
        assert!(before.is_none(), "twice in {}: {key:?}", folder.display());
    }
    found
}

fn all(folder: &Path) -> Vec<BTreeMap<String, Value>> {
    RUNS.iter().map(|name| deterministic(&folder.join(name))).collect()
}

/// The signals that end a run: what Ctrl-C sends, what batch systems and terminals that close do, what dumps
/// core, and what nobody can catch.
const SIGNALS: [&str; 5] = ["-INT", "-TERM", "-HUP", "-QUIT", "-KILL"];

/// Starts the run and sends it a signal after so long; whether it was still running then.
fn signalled_after(scratch: &Scratch, args: &[&str], delay: Duration, signal: &str) -> bool {
    let mut child = RUN
        .command()
        .args(args)
        .current_dir(scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    thread::sleep(delay);
    let was_running = child.try_wait().expect("its state").is_none();
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    kill.expect("kill runs");
    let code = child.wait().expect("its end").code();
    // Where a handler catches it the run ends by itself, or has ended before.
    let is_caught = ["-INT", "-TERM", "-HUP"].contains(&signal);
    assert!(!was_running || !is_caught || matches!(code, Some(130 | 0) | None), "{signal}: {code:?}");
    was_running
}

#[test]
fn a_run_that_is_killed_twenty_times_comes_to_the_same_records() {
    comes_to_the_same_records(20);
}

#[test]
#[ignore = "minutes: 400 signals; part of the long checks"]
fn a_run_that_is_killed_400_times_comes_to_the_same_records() {
    comes_to_the_same_records(400);
}

/// Sends runs so many signals, of every kind in turn, and goes on with them each time.
fn comes_to_the_same_records(signals: usize) {
    let scratch = Scratch::new();
    let spec = spec(&scratch);
    let start = Instant::now();
    let output = run(&scratch, &[&spec, "--out", "whole"]);
    assert!(output.status.success(), "{}", complaint(&output));
    let longest = start.elapsed() / 4;
    let whole = all(&scratch.path().join("whole"));
    assert_eq!(whole.iter().map(BTreeMap::len).collect::<Vec<_>>(), [48, 24, 9, 12, 12, 6]);
    let mut random = Pcg64::seed_from_u64(20);
    let (mut kills, mut tries) = (0, 0);
    while kills < signals {
        let out = format!("killed-{tries}");
        let args = [spec.as_str(), "--out", &out, "--resume"];
        tries += 1;
        loop {
            let share = f64::from(random.next_u32()) / f64::from(u32::MAX);
            let signal = SIGNALS[kills % SIGNALS.len()];
            if kills == signals || !signalled_after(&scratch, &args, longest.mul_f64(share), signal) {
                break;
            }
            kills += 1;
        }
        let output = run(&scratch, &args);
        assert!(output.status.success(), "after {kills} kills: {}", complaint(&output));
        let is_part = |path: &PathBuf| path.extension().is_some_and(|end| end == "part");
        let left: Vec<_> = files(&scratch.path().join(&out)).into_keys().filter(is_part).collect();
        assert!(left.is_empty(), "after {kills} kills: {left:?}");
        let found = all(&scratch.path().join(&out));
        for (name, (found, whole)) in RUNS.iter().zip(found.iter().zip(&whole)) {
            assert_eq!(found, whole, "{name} after {kills} kills");
        }
    }
}

#[test]
fn a_full_disk_is_named_and_nothing_is_lost() {
    let scratch = Scratch::new();
    let spec = spec(&scratch);
    let output = run(&scratch, &[&spec, "--out", "whole"]);
    assert!(output.status.success(), "{}", complaint(&output));
    // A limit on the size of files takes the first part of what is written, as a full disk does. Its unit is
    // 512 bytes. Whoever does not ignore it gets a signal, too.
    for (out, trap) in [("full", "trap '' XFSZ; "), ("signalled", "")] {
        let limited = format!("ulimit -f 33; {trap}exec {RUN} {spec} --out {out} --resume");
        let output = Command::new("sh").args(["-c", &limited]).current_dir(scratch.path()).output().unwrap();
        let complaint = complaint(&output);
        assert!(output.status.code() == Some(1) && complaint.contains("File too large"), "{output:?}");
        assert!(
            complaint.contains(&format!(
                "results folder \"{out}/real\": expected a folder that can be written to"
            )),
            "{complaint}"
        );
        let real = scratch.path().join(out).join("real");
        let kept = samples(&real);
        assert!(!kept.is_empty() && kept.len() < 30, "{} lines", kept.len());
        let output = run(&scratch, &[&spec, "--out", out, "--resume"]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(samples(&real)[..kept.len()], kept, "what was there is there");
        assert_eq!(all(&scratch.path().join(out)), all(&scratch.path().join("whole")));
    }
}

/// A folder in which everything has run, and its spec.
fn done(scratch: &Scratch) -> (String, PathBuf) {
    let spec = spec(scratch);
    let output = run(scratch, &[&spec, "--out", "out"]);
    assert!(output.status.success(), "{}", complaint(&output));
    (spec, scratch.path().join("out"))
}

#[test]
fn a_folder_of_runs_in_the_place_of_one_is_told_to_be_that() {
    let scratch = Scratch::new();
    let (_, out) = done(&scratch);
    let all = "; it has the runs both, games, paper, real, variants, virtual: name one, such as out/both";
    let refused = |program, args: &[&str], words: &str| {
        let output = run_in(scratch.path(), program, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(complaint(&output).ends_with(words), "{words} in {}", complaint(&output));
    };
    let all_readers = || {
        refused(EXPORT, &["out"], all);
        refused(COMPARE_RECORDS, &["out", "out/real"], all);
        refused(COMPARE_RECORDS, &["out/real", "out"], all);
    };
    all_readers();
    fs::rename(out.join("spec.toml"), scratch.path().join("aside.toml")).expect("a file");
    refused(REPORT, &["out"], all);
    refused(REPORT, &["--seal", "out"], all);
    fs::rename(scratch.path().join("aside.toml"), out.join("spec.toml")).expect("a file");
    // The same of what lies in its archive alone.
    assert!(run_in(scratch.path(), REPORT, &["--seal", "out"]).status.success());
    all_readers();
    for more in [&[][..], &["--resume"]] {
        refused(SCALING, &[&["--out", "out"], more].concat(), all);
    }
    let names = RUNS.map(|name| format!("out/{name}")).into_iter().collect::<std::collections::BTreeSet<_>>();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    refused(EXPORT, &["."], &format!("; it has the runs {names}: name one, such as ./out/both"));
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).expect("a file"));
        }
    }
    found
}

#[test]
fn records_of_something_else_are_refused_and_stay_what_they_are() {
    let scratch = Scratch::new();
    let (spec, out) = done(&scratch);
    let resume = |spec: &str| run(&scratch, &[spec, "--out", "out", "--resume"]);
    let refused = |output: Output, words: &str| {
        assert_eq!(output.status.code(), Some(2), "{words}: {output:?}");
        assert!(complaint(&output).contains(words), "{words}: {}", complaint(&output));
    };
    refused(run(&scratch, &[&spec, "--out", "out"]), "--resume goes on with it");
    let other =
        scratch.file("other.toml", fs::read_to_string(&spec).unwrap().replace("depth = 7", "depth = 6"));
    refused(resume(&other), "expected a spec.toml that is this very spec");
    let meta = out.join("real/meta.json");
    let mut changed = meta_of(&out.join("real"));
    let mut with = |place: &str, value: Value| {
        let before = changed.pointer(place).expect("a place").clone();
        *changed.pointer_mut(place).expect("a place") = value;
        write_meta(&out.join("real"), &changed);
        *changed.pointer_mut(place).expect("a place") = before;
    };
    for (place, value, words) in [
        ("/machine/cores", json!(999), "its machine's cores is 999"),
        ("/program/build_fnv1a", json!("0"), "another build of scaling made it; --mix goes on with it"),
        ("/settings/table_mb", json!(2), "its table_mb is 2, not 1"),
        ("/schema", json!(99), "its schema is 99"),
    ] {
        with(place, value);
        let before = files(&out);
        refused(resume(&spec), words);
        assert!(files(&out) == before, "{words}: nothing was written");
    }
    with("/machine/cores", json!(999));
    let mixed = run(&scratch, &[&spec, "--out", "out", "--resume", "--mix"]);
    assert!(mixed.status.success(), "{}", complaint(&mixed));
    let resumed: Value = serde_json::from_str(&fs::read_to_string(&meta).unwrap()).unwrap();
    assert_eq!(
        (&resumed["machine"]["cores"], &resumed["resumed"]),
        (&json!(999), &Value::Null),
        "nothing was left"
    );
    let samples = out.join("real/samples.jsonl");
    let lines = fs::read_to_string(&samples).unwrap();
    fs::write(&samples, lines.lines().take(20).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    refused(resume(&spec), "its machine's cores is 999");
    assert!(run(&scratch, &[&spec, "--out", "out", "--resume", "--mix"]).status.success());
    let resumed: Value = serde_json::from_str(&fs::read_to_string(&meta).unwrap()).unwrap();
    let cores = [&resumed["machine"]["cores"], &resumed["resumed"][0]["machine"]["cores"]];
    assert!(cores[0] == 999 && cores[1] != 999, "meta.json names both: {cores:?}");
}

#[test]
fn damaged_lines_are_named_and_stay_what_they_are() {
    let scratch = Scratch::new();
    let (spec, out) = done(&scratch);
    for (name, line) in [("real", 2), ("virtual", 3), ("paper", 4), ("games", 5)] {
        let samples = out.join(name).join("samples.jsonl");
        let own = fs::read_to_string(&samples).unwrap();
        let mut lines: Vec<_> = own.lines().collect();
        let damaged = &lines[line - 1][..40];
        lines[line - 1] = damaged;
        fs::write(&samples, lines.join("\n") + "\n").unwrap();
        let before = files(&out);
        let output = run(&scratch, &[&spec, "--out", "out", "--resume"]);
        let words = complaint(&output);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(
            words.contains(&format!("out/{name}: expected")) && words.contains(&format!("line {line}")),
            "{words}"
        );
        assert!(files(&out) == before, "nothing was written");
        fs::write(&samples, own).unwrap();
    }
}

#[test]
fn every_run_is_checked_before_the_first_begins() {
    let scratch = Scratch::new();
    let suite = scratch.file("suite.txt", SUITE);
    let other_board = scratch.file("board.txt", "rules size=3,run=3\n.../.../... x -\n");
    let first = format!(
        "[[runs]]\nname = \"first\"\nexperiment = \"study\"\nsuite = \"{suite}\"\ndepth = 1\n\
                         table-mb = 1\nvariants = [{{ name = \"a\" }}]\n"
    );
    let refused = |run: &str, words: &str, out: &[&str]| {
        let head = "question = \"?\"\nreading = \"\"\n";
        let text = format!("{head}{first}[[runs]]\nname = \"last\"\ntable-mb = 1\ndepth = 1\n{run}\n");
        let spec = scratch.file("late.toml", text);
        let before = files(scratch.path());
        let output = run_in(scratch.path(), RUN, &[&[spec.as_str()], out].concat());
        let said = complaint(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.lines().count() == 1 && said.starts_with("error: ") && said.contains(words), "{said}");
        assert!(
            output.stdout.is_empty() && files(scratch.path()) == before,
            "{words}: something was written"
        );
        assert!(!scratch.path().join("results").exists(), "{words}");
    };
    for experiment in ["compare", "scaling", "simulate", "paper_tables", "study", "tuning"] {
        let variants = if experiment == "study" { "variants = [{ name = \"a\" }]\n" } else { "" };
        let run = |key: &str| format!("experiment = \"{experiment}\"\n{variants}{key}");
        for (key, words) in [
            ("speed = 9", "run last: "),
            ("suite = \"no/such\"", "run last: suite \"no/such\": expected"),
            ("evaluator = \"network:no/such\"", "run last: weights file no/such: expected"),
            (
                &format!("suite = \"{other_board}\"\nevaluator = \"network\""),
                "run last: evaluator network: expected",
            ),
            ("expected = [1, 2]", "run last: expected \"2 scores\": expected one for each of the 50"),
        ] {
            refused(&run(key), words, &[]);
        }
    }
    for (retired, last) in
        [("clusters", "1875a700"), ("smaller", "1875a700"), ("windows", "1875a700"), ("devices", "7a4c2bf0")]
    {
        let words = format!("run last, experiment {retired}: retired, revision {last} had it last");
        refused(&format!("experiment = \"{retired}\""), &words, &[]);
    }
    let play = |one: &str, two: &str| {
        let late = "[[runs]]\nname = \"games\"\nexperiment = \"match\"\ngame = \"pig\"\n";
        format!("experiment = \"paper_tables\"\n{late}games = 2\none = \"{one}\"\ntwo = \"{two}\"")
    };
    refused(&play("depth=0", "random"), "run games: setting depth=0: expected", &[]);
    refused(&play("depth=1", "depth=1,evaluator=oracle"), "run games: evaluator oracle: expected", &[]);
    refused(&play("depth=1,table-use=none", "random"), "run games: table use none", &[]);
    refused(&play("random", "command=no/such/program"), "run games: command no/such/program: expected", &[]);
    let simulate = |key: &str| format!("experiment = \"simulate\"\n{key}");
    refused(&simulate("costs = \"no/such\""), "run last: costs no/such: expected", &[]);
    refused(&simulate("against = \"real\""), "run last: --against: retired, revision 7a4c2bf0 had it", &[]);
    refused(&simulate("only = 51"), "run last: only 51: expected", &[]);
    let twice = "experiment = \"study\"\nvariants = [{ name = \"a\" }, { name = \"a\" }]";
    refused(twice, "run last: variant a: expected every name once", &[]);

    let last = scratch.path().join("out/last");
    fs::create_dir_all(&last).unwrap();
    for (name, words) in [
        ("README.md", "out/last/README.md: expected none, or one that report has made"),
        ("figures.csv", "out/last/figures.csv: expected none"),
        ("meta.json", "results folder \"out/last\": expected one without records"),
        ("samples.jsonl", "results folder \"out/last\": expected"),
    ] {
        fs::write(last.join(name), "my own\n").unwrap();
        refused(&simulate(""), words, &["--out", "out"]);
        fs::remove_file(last.join(name)).unwrap();
    }
}

#[test]
fn a_spec_of_matches_alone_has_its_page_and_names_a_command_that_ends() {
    let scratch = Scratch::new();
    let text = |one: &str| {
        format!(
            "question = \"?\"\nreading = \"\"\n[[runs]]\nname = \"a\"\nexperiment = \"match\"\ngame = \
             \"pig\"\nrules = \"target=10\"\ngames = 4\none = \"{one}\"\ntwo = \"random\"\n"
        )
    };
    let fine = scratch.file("fine.toml", text("greedy,table-mb=1"));
    let output = run(&scratch, &[&fine, "--out", "out"]);
    assert!(output.status.success(), "{}", complaint(&output));
    let out = scratch.path().join("out");
    assert!(out.join("a/figures.csv").is_file() && !out.join("index.html").exists());
    let before = files(&out);
    assert!(run(&scratch, &[&fine, "--out", "out", "--resume"]).status.success());
    assert!(files(&out) == before, "all games were there");
    let bad = scratch.file("bad.toml", text("depth=1,command=false"));
    let output = run(&scratch, &[&bad, "--out", "bad"]);
    let words = "run a: command false: it ended (exit status: 1) before it answered";
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.lines().count() == 1 && said.contains(words), "{said}");
    assert!(!scratch.path().join("bad").exists());
}

#[test]
fn what_a_killed_run_left_of_a_file_is_gone_with_the_next() {
    let scratch = Scratch::new();
    let (spec, out) = done(&scratch);
    let whole = files(&out);
    let left = ["", "real/", "virtual/"].iter().zip(["spec.toml", "meta.json", "figures.csv"]);
    for (folder, name) in left {
        fs::write(out.join(format!("{folder}.{name}.starsplit-1-0.part")), "part").unwrap();
    }
    let output = run(&scratch, &[&spec, "--out", "out", "--resume"]);
    assert!(output.status.success(), "{}", complaint(&output));
    assert_eq!(Vec::from_iter(files(&out).into_keys()), Vec::from_iter(whole.into_keys()));
}

#[test]
fn a_folder_has_one_runner() {
    let scratch = Scratch::new();
    let spec = spec(&scratch);
    let args = [spec.as_str(), "--out", "out", "--resume"];
    let mut first = RUN
        .command()
        .args(args)
        .current_dir(scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let samples = scratch.path().join("out/real/samples.jsonl");
    while fs::metadata(&samples).map_or(0, |found| found.len()) == 0 {
        assert!(first.try_wait().unwrap().is_none(), "ended before its first line");
        thread::sleep(Duration::from_millis(1));
    }
    let second = run(&scratch, &args);
    assert_eq!(second.status.code(), Some(2), "{second:?}");
    assert!(
        complaint(&second).contains("expected one that no other run is writing to"),
        "{}",
        complaint(&second)
    );
    assert!(first.wait().unwrap().success());
    let records = all(&scratch.path().join("out"));
    assert_eq!(records.iter().map(BTreeMap::len).sum::<usize>(), 111);
}

#[test]
fn every_run_has_its_report_and_all_have_one_page() {
    let scratch = Scratch::new();
    let (_, out) = done(&scratch);
    let read =
        |name: &str| fs::read_to_string(out.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let overview = read("README.md");
    for words in [
        "**Does it go on?**",
        "It should.",
        "](real/speedup.svg)",
        "](virtual/speedup-measured.svg)",
        "| k=2",
    ] {
        assert!(overview.contains(words), "{words} in {overview}");
    }
    for name in RUNS {
        assert!(read(&format!("{name}/README.md")).contains("**Does it go on?**"), "{name}");
        assert!(read(&format!("{name}/figures.csv")).lines().count() > 1, "{name}");
    }
    assert!(read("games/README.md").contains("* points a game for one: "));
    assert!(overview.contains("* points a game for one: "), "{overview}");
    for name in ["variants", "paper"] {
        assert!(read(&format!("{name}/growth.csv")).lines().count() > 5, "{name}");
    }
    assert!(read("index.html").contains("out/virtual"));
    let compared = json_in(scratch.path(), COMPARE_RECORDS, &["out/real", "out/both", "--json"]);
    assert!(!compared["rows"].as_array().expect("rows").is_empty());
}

#[test]
fn the_json_object_has_every_runs_report() {
    let scratch = Scratch::new();
    let spec = spec(&scratch);
    let printed = json_in(scratch.path(), RUN, &[&spec, "--out", "out", "--json"]);
    assert_eq!(printed["question"], "Does it go on?");
    let names: Vec<_> = printed["runs"].as_array().expect("runs").iter().map(|run| &run["name"]).collect();
    assert_eq!(names, RUNS);
    let (searches, games) = printed["runs"].as_array().expect("runs").split_at(RUNS.len() - 1);
    assert!(searches.iter().all(|run| run["report"]["values_equal"] == true));
    assert_eq!(games[0]["report"]["games"], 6);
}

#[test]
fn expected_scores_that_are_not_found_fail_the_run() {
    let scratch = Scratch::new();
    let suite = scratch.file("suite.txt", SUITE);
    let text = |scores: &str| {
        format!(
            "question = \"?\"\nreading = \"\"\n[[runs]]\nname = \"a\"\nexperiment = \"compare\"\nsuite \
                = \"{suite}\"\n\
             depth = 3\ntable-mb = 1\nrepeat = 1\nthreads = [1]\nexpected = [{scores}]\n"
        )
    };
    let few = scratch.file("few.toml", text("1, 2"));
    let output = run(&scratch, &[&few, "--out", "few"]);
    assert!(
        complaint(&output).contains("2 scores\": expected one for each of the 3 positions"),
        "{output:?}"
    );
    let wrong = scratch.file("wrong.toml", text("1, -2, 3"));
    let output = run(&scratch, &[&wrong, "--out", "wrong"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found = samples(&scratch.path().join("wrong/a"));
    let scores: Vec<_> =
        found.iter().filter(|s| s["method"] == "serial").map(|s| s["score"].to_string()).collect();
    let right = scratch.file("right.toml", text(&scores.join(", ")));
    assert!(run(&scratch, &[&right, "--out", "right"]).status.success());
}

#[test]
fn the_specs_that_come_with_it_are_listed() {
    let scratch = Scratch::new();
    let output = run(&scratch, &["--list"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success() && text.lines().any(|line| line.starts_with("quick: ")), "{text}");
    let output = run(&scratch, &["luck"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("spec luck: expected one of "), "{}", complaint(&output));
}
