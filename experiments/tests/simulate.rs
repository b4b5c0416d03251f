//! The binary `simulate`: the JSON object, the records byte for byte, resuming, cost models, Ctrl-C.

use crate::common::{
    REPORT, SIMULATE, Scratch, json_in, meta_of, run_in, samples, unit_costs, with_checksums, write_meta,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Flags of a simulation that takes a second; searches this small are split all the same.
const SHORT: [&str; 14] = [
    "--depth",
    "5",
    "--table-mb",
    "1",
    "--processors",
    "1,2,16",
    "--only",
    "3,1,20,50",
    "--split-depth",
    "2",
    "--split-size",
    "0",
    "--min-nodes",
    "400",
];

/// The positions of `SHORT`.
const POSITIONS: [u64; 4] = [1, 3, 20, 50];

/// Simulates with its records in `folder/out`, by [`unit_costs`].
fn simulate(folder: &Path, out: &str, args: &[&str]) -> Value {
    json_in(folder, SIMULATE, &[&SHORT[..], &["--json", "--out", out], unit_costs(args), args].concat())
}

fn text(folder: &Path, out: &str) -> String {
    fs::read_to_string(folder.join(out).join("samples.jsonl")).expect("samples")
}

/// The lines without their numbers and checksums: several jobs end in any order.
fn lines(folder: &Path, out: &str) -> BTreeSet<String> {
    let own = |line: &str| line.rsplit_once(",\"line\":").expect("a number").0.to_owned();
    text(folder, out).lines().map(own).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number instead of {value}"))
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9 * one.abs().max(1.0)
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("a list instead of {value}"))
}

#[test]
fn every_search_is_recorded_as_simulated_and_finds_the_serial_value() {
    let scratch = Scratch::new();
    let args = ["--method", "all", "--costs", "unit,free", "--seeds", "2"];
    let found = simulate(scratch.path(), "out", &args);
    assert_eq!(
        (&found["values_equal"], &found["positions"], &found["depth"]),
        (&true.into(), &4.into(), &5.into())
    );
    let samples = samples(&scratch.path().join("out"));
    // Two models of: four serial searches, and six methods on three numbers of processors with two seeds.
    assert_eq!(samples.len(), POSITIONS.len() * 2 * (4 + 6 * 3 * 2));
    let serial = |sample: &Value| {
        let own = |other: &&Value| {
            other["method"] == "serial"
                && ["index", "ordering"].iter().all(|name| other[name] == sample[name])
                && other["simulated"]["costs"] == sample["simulated"]["costs"]
        };
        samples.iter().find(own).expect("a serial search")
    };
    let mut steals = 0;
    for sample in &samples {
        assert_eq!((&sample["schema"], &sample["error"]), (&6.into(), &Value::Null));
        let (simulated, serial) = (&sample["simulated"], serial(sample));
        assert_eq!((&sample["score"], &sample["expected"]), (&serial["score"], &serial["score"]), "{sample}");
        assert!(simulated["events"].as_u64() > sample["nodes"].as_u64(), "{sample}");
        assert!(matches!(simulated["model"].as_str(), Some("unit" | "free")), "{sample}");
        assert!(sample["workers"].is_null(), "{sample}");
        assert_eq!(sample["method"] == "serial", simulated["seed"].is_null());
        assert_eq!(sample["method"] == "serial", simulated["workers"].is_null());
        if sample["threads"] == 1 {
            assert_eq!(sample["nodes"], serial["nodes"], "{sample}");
        }
        // Of free events only nodes take time.
        if sample["method"] == "serial" && simulated["model"] == "free" {
            assert_eq!(sample["wall_ns"], sample["nodes"]);
        }
        steals += sample["split"]["steals"].as_u64().expect("a number");
    }
    assert!(steals > 100, "{steals} steals");
}

#[test]
fn two_runs_write_the_same_lines_however_many_jobs_there_are() {
    let scratch = Scratch::new();
    let args = ["--method", "chance-split,shared-table", "--seeds", "7,5"];
    let one = simulate(scratch.path(), "one", &[&args[..], &["--jobs", "1"]].concat());
    let again = simulate(scratch.path(), "again", &[&args[..], &["--jobs", "1"]].concat());
    let three = simulate(scratch.path(), "three", &[&args[..], &["--jobs", "3"]].concat());
    assert_eq!(text(scratch.path(), "one"), text(scratch.path(), "again"));
    assert_eq!(lines(scratch.path(), "one"), lines(scratch.path(), "three"));
    assert_eq!((&one, &one), (&again, &three));
    let seeds: BTreeSet<_> = samples(&scratch.path().join("one"))
        .iter()
        .map(|sample| sample["simulated"]["seed"].as_u64())
        .collect();
    assert_eq!(seeds, [None, Some(5), Some(7)].into());
}

#[test]
fn the_figures_follow_from_the_records() {
    let scratch = Scratch::new();
    let found = simulate(scratch.path(), "out", &["--baselines", "auto"]);
    let samples = samples(&scratch.path().join("out"));
    let [model] = array(&found["models"]) else { panic!("one model in {found}") };
    assert_eq!((&model["model"], &model["baseline"]), (&"unit".into(), &"auto".into()));
    let sum = |method: &str, processors: u64, of: &dyn Fn(&Value) -> f64| {
        let own = |sample: &&Value| sample["method"] == method && sample["threads"] == processors;
        samples.iter().filter(own).map(of).sum::<f64>()
    };
    let time = |sample: &Value| number(&sample["wall_ns"]);
    let work = sum("serial", 1, &time);
    assert!(close(number(&model["serial"][0]["virtual_ns"]), work));
    let rows = array(&model["parallel"]);
    assert_eq!(rows.iter().map(|row| number(&row["processors"])).collect::<Vec<_>>(), [1.0, 2.0, 16.0]);
    for row in rows {
        let processors = row["processors"].as_u64().expect("a number");
        let speedup = work / sum("both", processors, &time);
        assert!(close(number(&row["speedup"]["total"]), speedup), "{speedup} in {row}");
        assert!(close(number(&row["efficiency"]["total"]), speedup / processors as f64), "{row}");
        let steals = sum("both", processors, &|sample| number(&sample["split"]["steals"]));
        assert_eq!(number(&row["steals"]), steals, "{row}");
        let factor = |name: &str| number(&row["decomposition"][name]["total"]);
        let predicted =
            factor("ordering_ratio") * processors as f64 * factor("node_rate_ratio") * (1.0 - factor("idle"))
                / (1.0 + factor("search_overhead"));
        assert!(close(factor("predicted"), predicted) && close(factor("measured"), speedup), "{row}");
        // In virtual time next to nothing goes unclocked.
        assert!(factor("residual").abs() < 0.05, "{row}");
    }
    assert!(number(&rows[2]["speedup"]["total"]) > number(&rows[1]["speedup"]["total"]));
    let positions = array(&model["by_position"]);
    assert_eq!(positions.iter().map(|p| p["index"].as_u64().unwrap()).collect::<Vec<_>>(), POSITIONS);
    let large = positions.iter().filter(|position| number(&position["nodes"]) >= 400.0).count();
    assert_eq!(model["large_positions"], large);
    assert!(0 < large && large < 4, "some positions are large, some are not: {positions:?}");
}

#[test]
fn a_run_that_was_cut_short_is_resumed_to_the_same_lines() {
    let scratch = Scratch::new();
    let args = ["--resume", "--jobs", "1"];
    let whole = simulate(scratch.path(), "out", &args);
    let (text, expected) = (text(scratch.path(), "out"), lines(scratch.path(), "out"));
    let file = scratch.path().join("out/samples.jsonl");
    // In the middle of a serial search's line, of a parallel one's, after a whole line, and before the first.
    let ends = text.match_indices('\n').map(|(end, _)| end).collect::<Vec<_>>();
    for end in [ends[5] + 40, ends[17] - 1, ends[15] + 1, 10, 0] {
        fs::write(&file, &text[..end]).expect("samples");
        let resumed = simulate(scratch.path(), "out", &args);
        assert_eq!(lines(scratch.path(), "out"), expected, "after {end} bytes");
        assert_eq!(resumed, whole);
    }
    simulate(scratch.path(), "out", &args);
    assert_eq!(
        lines(scratch.path(), "out").len(),
        fs::read_to_string(&file).expect("samples").lines().count()
    );
    // More of everything that a line says itself is simulated beside what is there.
    simulate(scratch.path(), "out", &[&args[..], &["--costs", "free", "--seeds", "2"]].concat());
    let more = lines(scratch.path(), "out");
    assert!(expected.is_subset(&more) && more.len() == expected.len() + 4 * (4 + 3 * 2), "{}", more.len());
}

#[test]
fn records_of_other_settings_are_not_gone_on_with() {
    let scratch = Scratch::new();
    let small = ["--depth", "3", "--processors", "2", "--only", "1", "--out", "out"];
    let run = |args: &[&str]| run_in(scratch.path(), SIMULATE, &[&small[2..], args].concat());
    assert!(run(&["--depth", "3", "--table-mb", "1"]).status.success());
    let before = lines(scratch.path(), "out");
    let cases: [(&[&str], &str); 5] = [
        (&["--depth", "5", "--table-mb", "1"], "its depth is 3, not 5"),
        (&["--depth", "3", "--table-mb", "2"], "its table_mb is 1, not 2"),
        (&["--depth", "3", "--table-mb", "1", "--split-depth", "4"], "its tuning is"),
        (&["--depth", "3", "--table-mb", "1", "--evaluator", "runs"], "its evaluator is"),
        (&["--depth", "3", "--table-mb", "1", "--suite", "large"], "its "),
    ];
    let refused = |args: &[&str], named: &str| {
        let output = run(&[args, &["--resume"]].concat());
        let complaint = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert!(complaint.contains(named) && complaint.contains("expected"), "{args:?}: {complaint}");
        assert_eq!(lines(scratch.path(), "out"), before);
    };
    for (args, named) in cases {
        refused(args, named);
    }
    let same = ["--depth", "3", "--table-mb", "1"];
    let out = scratch.path().join("out");
    let meta = out.join("meta.json");
    let written = fs::read_to_string(&meta).expect("meta");
    let mut other = meta_of(&out);
    other["program"]["build_fnv1a"] = "0123456789abcdef".into();
    other["program"]["sources_fnv1a"] = "0123456789abcdef".into();
    write_meta(&out, &other);
    refused(&same, "another build");
    fs::write(&meta, "{").expect("meta");
    refused(&same, "meta.json");
    fs::write(&meta, written).expect("meta");
    assert!(run(&[&same[..], &["--resume"]].concat()).status.success());
    assert_eq!(lines(scratch.path(), "out"), before);
    fs::write(scratch.path().join("out/samples.jsonl"), "{}\n").expect("samples");
    let output = run(&[&same[..], &["--resume"]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("in line 1 of its samples"));
}

#[test]
fn another_value_or_other_nodes_on_one_processor_fail_the_run() {
    let scratch = Scratch::new();
    let common =
        ["--depth", "3", "--table-mb", "1", "--only", "7", "--baselines", "auto", "--out", "out", "--resume"];
    let run =
        |processors| run_in(scratch.path(), SIMULATE, &[&common[..], &["--processors", processors]].concat());
    assert!(run("2").status.success());
    let file = scratch.path().join("out/samples.jsonl");
    let written = fs::read_to_string(&file).expect("samples");
    let serial = samples(&scratch.path().join("out")).remove(0);
    for (name, processors) in [("score", "4"), ("nodes", "1")] {
        // As if the serial search had found something else: what is simulated now differs from it.
        let found = serial[name].as_i64().expect("a number");
        let (old, new) = (format!("\"{name}\":{found},"), format!("\"{name}\":{},", found + 1));
        fs::write(&file, with_checksums(&written.replacen(&old, &new, 1))).expect("samples");
        let output = run(processors);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        let words = ["position 7, ", &format!("both with {processors} virtual processors"), "expected"];
        assert!(words.iter().all(|words| complaint.contains(words)), "{complaint}");
        assert!(complaint.contains(&(found + 1).to_string()) && complaint.contains(name), "{complaint}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("DIFFER"));
        let last = samples(&scratch.path().join("out")).pop().expect("a sample");
        assert!(last["error"].is_string(), "{last}");
    }
}

#[test]
fn costs_are_read_from_a_file_and_changed() {
    let scratch = Scratch::new();
    let object = r#"{"machine": "some", "node": 30, "evaluation": 50, "table": 7, "poll": 1, "split": 200,
        "steal": 900, "failed_steal": 300}"#;
    let file = scratch.file("costs.json", object);
    let args = ["--costs", &file, "--cost", "steal=5000,table=9", "--cost", "poll=0"];
    let found = simulate(scratch.path(), "out", &args);
    let model = &found["models"][0];
    assert_eq!(model["model"], format!("{file}+steal=5000+table=9+poll=0"));
    let expected = serde_json::json!({"node": 30, "evaluation": 50, "table": 9, "poll": 0, "split": 200,
        "steal": 5000, "failed_steal": 300, "wake": 0, "wake_latency": 0});
    assert_eq!(model["costs"], expected);
    for sample in samples(&scratch.path().join("out")) {
        assert_eq!(sample["simulated"]["costs"], expected);
        if sample["method"] == "serial" {
            let count = |name: &str| number(&sample[name]);
            let table = number(&sample["table"]["probes"]) + number(&sample["table"]["stores"]);
            let time = 30.0 * count("nodes") + 50.0 * count("evaluations");
            assert!(count("wall_ns") > time && count("wall_ns") <= time + 2.0 * 9.0 * table, "{sample}");
        }
    }
}

#[test]
fn dearer_steals_slow_the_search_down() {
    let scratch = Scratch::new();
    let speedup = |cost: &str| {
        let found = simulate(scratch.path(), cost, &["--cost", cost]);
        number(&found["models"][0]["parallel"][2]["speedup"]["total"])
    };
    let (cheap, dear) = (speedup("steal=1"), speedup("steal=2000"));
    assert!(dear < 0.8 * cheap, "{dear} and {cheap}");
}

#[test]
fn people_are_told_that_it_is_simulated() {
    let scratch = Scratch::new();
    let args = [&SHORT[..], &["--seeds", "2"]].concat();
    let output = run_in(scratch.path(), SIMULATE, &args);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    let expected = [
        "SIMULATED",
        "the baseline is the ordering",
        "work T1",
        "efficiency",
        "greedy guarantee",
        "search overhead",
        "least .. greatest",
        "all 4",
        "large ",
        "steals",
        "where the speedup comes from",
        "residual",
        "All values are equal",
        "Records: results",
    ];
    for words in expected {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    // So many seeds: a run that would go on for minutes.
    let args = [&SHORT[..6], &["--json", "--only", "1", "--seeds", "100000"]].concat();
    let mut child = crate::common::start(SIMULATE, &args, &out);
    crate::common::await_samples(&mut child, &out, 50);
    let output = crate::common::interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stopped by Ctrl-C"));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["stopped"], &found["values_equal"]), (&true.into(), &true.into()));
    let text = fs::read_to_string(out.join("samples.jsonl")).expect("samples");
    assert!(text.ends_with('\n') && text.lines().count() >= 50);
}

#[test]
fn costs_that_are_multiplied_on_several_processors_share_the_serial_search() {
    let scratch = Scratch::new();
    let found = simulate(scratch.path(), "out", &["--costs", "unit,unit+steal=x100"]);
    let [unit, dear] = &found["models"].as_array().expect("models")[..] else { panic!("{found}") };
    assert_eq!(unit["serial"], dear["serial"]);
    let time = |model: &Value| {
        number(&model["parallel"].as_array().expect("rows").last().expect("one")["virtual_ns"])
    };
    assert!(time(dear) > time(unit), "{found}");
    let lines = samples(&scratch.path().join("out"));
    let serial = lines.iter().filter(|line| line["method"] == "serial");
    assert!(serial.clone().count() > 0 && serial.clone().all(|line| line["simulated"]["model"] == "unit"));
    // The record is whole, and has both curves.
    let report = run_in(scratch.path(), REPORT, &["--page", "all.html", "out"]);
    let said = String::from_utf8_lossy(&report.stderr).into_owned();
    assert!(report.status.success() && !said.contains("lacks"), "{said}");
    let page = fs::read_to_string(scratch.path().join("all.html")).expect("the page");
    assert!(page.contains("unit+steal=x100"));
}
