//! The command `tuning`: the default beside the best of fixed settings, from a spec to its page, gone on
//! with, and with values that differ.

use crate::common::{REPORT, RUN, Scratch, TUNING, json_in, line_text, run_in, samples};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Eight settings on one thread, sixteen on two.
const FEW: [&str; 6] = [
    "--vary",
    "ordering=static|ordering=paper,table-depth=1|table-depth=3,probing-factor=0|probing-factor=1",
    "--vary-parallel",
    "split-depth=2|split-depth=4",
    "--table-mb",
    "1",
];

/// Fourteen positions of Pig, so that seven are compared.
fn suite(scratch: &Scratch) -> String {
    let positions: String = (0..14).map(|n| format!("{} {} 0 x roll\n", 3 * n, 40 - 2 * n)).collect();
    scratch.file("suite.txt", format!("game pig\nrules target=100,die=6\n{positions}"))
}

fn arguments<'a>(suite: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let own = ["--suite", suite, "--game", "pig", "--depth", "6", "--seconds", "1", "--repeat", "2"];
    [&own[..], &FEW, more].concat()
}

/// The figures of a cell, recomputed from the lines of its comparison: the positions, and of the sums over
/// them the median over two rounds of the default's time over the best's.
fn compared(lines: &[Value], threads: u64) -> (usize, f64) {
    let of_cell = |line: &&Value| line["phase"] == "comparison" && line["threads"] == threads;
    let time = |round: u64, is_default: bool| -> f64 {
        let lines = lines.iter().filter(of_cell).filter(|line| line["repeat"] == round);
        let searches = lines.flat_map(|line| line["searches"].as_array().unwrap());
        let own = searches.filter(|search| (search["setting"] == "default") == is_default);
        own.map(|search| search["wall_ns"].as_f64().unwrap()).sum()
    };
    let [one, two] = [1, 2].map(|round| time(round, true) / time(round, false));
    (lines.iter().filter(of_cell).count() / 2, (one + two) / 2.0)
}

#[test]
fn a_spec_of_two_runs_comes_to_pages_that_follow_from_its_records() {
    let scratch = Scratch::new();
    let suite = suite(&scratch);
    let run = |depth: u32| {
        format!(
            "[[runs]]\nname = \"pig-{depth}\"\nexperiment = \"tuning\"\nsuite = \"{suite}\"\n\
             game = \"pig\"\ndepth = {depth}\nseconds = 1\nrepeat = 2\ntable-mb = 1\n\
             vary = [\"ordering=static|ordering=paper\", \
             \"table-depth=1|table-depth=3\", \"probing-factor=0|probing-factor=1+leaf-collapse=off\"]\n\
             vary-parallel = [\"split-depth=2|split-depth=4\"]\n"
        )
    };
    let spec = format!("question = \"Near?\"\nreading = \"Above 1 it is not.\"\n{}{}", run(5), run(6));
    let spec = scratch.file("s.toml", spec);
    let printed = json_in(scratch.path(), RUN, &[&spec, "--out", "out", "--json"]);
    let out = scratch.path().join("out");
    let page = fs::read_to_string(out.join("README.md")).unwrap();
    let summary: Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
    assert!(page.contains("Default over best, wall time, 4 cells: "), "{page}");
    assert_eq!(
        (&summary["summary"]["compared"], &summary["summary"]["missing_runs"]),
        (&json!(4), &json!(0))
    );
    let mut cells = Vec::new();
    for (place, depth) in [5, 6].into_iter().enumerate() {
        let folder = out.join(format!("pig-{depth}"));
        let lines = samples(&folder);
        let report = &printed["runs"][place]["report"];
        assert_eq!(report["values_equal"], true);
        for (place, threads) in [1, 2].into_iter().enumerate() {
            let cell = &report["cells"][place];
            assert_eq!((&cell["depth"], &cell["threads"]), (&json!(depth), &json!(threads)));
            assert_eq!(cell["settings"], if threads == 1 { 8 } else { 16 });
            let (positions, ratio) = compared(&lines, threads);
            let found = &cell["compared"];
            assert_eq!((&found["positions"], &found["rounds"]), (&json!(positions), &json!(2)));
            assert!((found["time"]["ratio"].as_f64().unwrap() - ratio).abs() < 1e-9, "{cell} is not {ratio}");
            let best = found["best"].as_str().unwrap();
            assert!(page.contains(&format!("`{best}`")) && found["time"]["interval"].is_object(), "{best}");
        }
        check_lines(&lines);
        cells.extend(report["cells"].as_array().unwrap().clone());
    }
    assert_eq!(summary["cells"], json!(cells));
    assert_eq!(run_in(scratch.path(), REPORT, &["--check", "out"]).status.code(), Some(0));
    fs::write(out.join("summary.json"), "{}").unwrap();
    let output = run_in(scratch.path(), REPORT, &["--check", "out"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("out/summary.json is not what"), "{output:?}");
}

/// Every line has the searches that it should, and positions are either searched or compared.
fn check_lines(lines: &[Value]) {
    let mut searched = [Vec::new(), Vec::new()];
    for line in lines {
        let is_search = line["phase"] == "search";
        let searches = line["searches"].as_array().unwrap();
        searched[usize::from(is_search)].push(line["index"].as_u64().unwrap());
        assert!(if is_search { searches.len() > 2 } else { searches.len() == 2 }, "{line}");
        assert_eq!(searches.iter().filter(|search| search["setting"] == "default").count(), 1, "{line}");
        for search in searches {
            // One that is stopped may not even have begun, where the machine is busy.
            let is_begun = search["stopped"] == true || search["nodes"].as_u64().unwrap() > 0;
            assert!(search["error"].is_null() && is_begun, "{search}");
            assert!(search["stopped"] == true || search["score"] == line["expected"], "{search} in {line}");
        }
    }
    let [compared, searched] = searched;
    assert!(compared.iter().all(|index| index % 2 == 0) && searched.iter().all(|index| index % 2 == 1));
}

#[test]
fn a_run_goes_on_where_it_was_killed() {
    let scratch = Scratch::new();
    let suite = suite(&scratch);
    json_in(scratch.path(), TUNING, &arguments(&suite, &["--out", "out", "--json"]));
    let file = scratch.path().join("out/samples.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let is_comparison = |line: &&str| line.contains("\"comparison\"");
    let first = lines.iter().position(is_comparison).unwrap();
    let go_on = |more: &[&str]| {
        let more = [&["--out", "out", "--resume", "--json"], more].concat();
        json_in(scratch.path(), TUNING, &arguments(&suite, &more))
    };
    // In the middle of the first search, at its end, in the comparison; with half a line behind.
    for kept in [1, first - 3, first, first + 5] {
        let text = lines[..kept].join("\n") + "\n" + &lines[kept][..20];
        fs::write(&file, &text).unwrap();
        let report = go_on(&[]);
        assert!(report["cells"][1]["compared"].is_object(), "{report}");
        let found = fs::read_to_string(&file).unwrap();
        assert!(found.starts_with(&lines[..kept].join("\n")), "what was there is there");
        assert_eq!(found.lines().filter(is_comparison).count(), 2 * 2 * 7);
    }
    let before = fs::read_to_string(&file).unwrap();
    go_on(&[]);
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "nothing was missing");
    // A round more, of both.
    let more = arguments(&suite, &["--out", "out", "--resume", "--json"]);
    let more: Vec<_> = more.iter().map(|&arg| if arg == "2" { "3" } else { arg }).collect();
    assert_eq!(json_in(scratch.path(), TUNING, &more)["cells"][0]["compared"]["rounds"], 3);
    let found = fs::read_to_string(&file).unwrap();
    assert!(found.starts_with(&before) && found.lines().filter(is_comparison).count() == 3 * 2 * 7);
}

#[test]
fn records_of_another_course_are_not_gone_on_with() {
    let scratch = Scratch::new();
    let suite = suite(&scratch);
    json_in(scratch.path(), TUNING, &arguments(&suite, &["--out", "out", "--json"]));
    let refuses = |args: &[&str], words: &str| {
        let output = run_in(scratch.path(), TUNING, args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(words), "{words} in {complaint}");
    };
    let go_on = arguments(&suite, &["--out", "out", "--resume"]);
    let longer: Vec<_> = go_on.iter().map(|&arg| if arg == "1" { "3" } else { arg }).collect();
    refuses(&longer, "expected records of the same settings to resume: its");
    let file = scratch.path().join("out/samples.jsonl");
    let lines = samples(&scratch.path().join("out"));
    let mut other = lines[1].clone();
    other["rung"] = json!(7);
    let text = [line_text(&lines[0], 1), line_text(&other, 2)].join("\n") + "\n";
    fs::write(&file, text).unwrap();
    refuses(&go_on, "expected 1 threads, rung ");
}

#[test]
fn other_values_are_errors_and_count_nowhere() {
    let scratch = Scratch::new();
    let suite = suite(&scratch);
    let wrong = ["1"; 14].join(",");
    let args = arguments(&suite, &["--threads", "1", "--expected", &wrong, "--out", "out"]);
    let output = run_in(scratch.path(), TUNING, &args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("Values DIFFER.") && text.contains("No cell has been compared."), "{text}");
    let is_error = |line: &Value| {
        let searches = line["searches"].as_array().unwrap();
        searches
            .iter()
            .filter(|search| search["stopped"] == false)
            .all(|search| search["error"].as_str().is_some_and(|error| error.ends_with(", expected 1")))
    };
    let out: &Path = &scratch.path().join("out");
    assert!(samples(out).iter().all(is_error));
    let page = run_in(scratch.path(), REPORT, &["out"]);
    assert!(page.status.success(), "{page:?}");
    assert!(fs::read_to_string(out.join("README.md")).unwrap().contains("LEFT OUT"));
}
