//! Simulated beside real: `scaling` measures, and `simulate --against` compares.

use crate::common::{SCALING, SIMULATE, Scratch, json_in, run_in, samples};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What both have in common: searches this small are split all the same.
const SHORT: [&str; 10] =
    ["--depth", "5", "--table-mb", "1", "--split-depth", "2", "--split-size", "0", "--min-nodes", "400"];

fn measure(folder: &Path, out: &str, args: &[&str]) -> Value {
    let fixed = ["--threads", "1,2", "--repeat", "3", "--json", "--out", out];
    json_in(folder, SCALING, &[&SHORT[..], &fixed, args].concat())
}

fn simulate(folder: &Path, out: &str, args: &[&str]) -> Value {
    let fixed = ["--processors", "1,2,4", "--json", "--out", out];
    json_in(folder, SIMULATE, &[&SHORT[..], &fixed, args].concat())
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

/// The figures of a parallel search on so many threads.
fn row<'a>(rows: &'a Value, name: &str, threads: u64) -> &'a Value {
    array(rows).iter().find(|row| row[name] == threads).unwrap_or_else(|| panic!("{threads} in {rows}"))
}

#[test]
fn every_search_in_both_is_set_beside_its_like() {
    let scratch = Scratch::new();
    let real = measure(scratch.path(), "real", &[]);
    let found = simulate(scratch.path(), "virtual", &["--against", "real", "--costs", "unit,free"]);
    let against = &found["against"];
    let (positions, large) = (number(&against["positions"]), number(&against["large_positions"]));
    assert_eq!((positions, &against["rounds"]), (50.0, &serde_json::json!([3, 3])));
    assert_eq!((&against["baseline"], &against["unlike_positions"]), (&real["baseline"], &0.into()));
    assert_eq!(large, number(&real["large_positions"]));
    let written = fs::read_to_string(scratch.path().join("virtual/against.json")).expect("against.json");
    assert_eq!(&serde_json::from_str::<Value>(&written).expect("JSON"), against);
    assert_eq!(array(&against["models"]).len(), 2);
    for (model, simulated) in array(&against["models"]).iter().zip(array(&found["models"])) {
        assert_eq!(model["model"], simulated["model"]);
        // Nobody has measured four threads.
        assert_eq!(array(&model["parallel"]).len(), 2);
        for threads in [1, 2] {
            let compared = row(&model["parallel"], "threads", threads);
            let measured = row(&real["parallel"], "threads", threads);
            assert_eq!(compared["real_speedup"], measured["speedup"], "the same figures as from scaling");
            assert_eq!(compared["real_overhead"], measured["search_overhead"]);
            let one = row(&simulated["parallel"], "processors", threads);
            assert_eq!(compared["virtual_overhead"]["total"], one["search_overhead"]["total"]);
            // Another baseline in virtual time makes other speedups, and other positions large.
            if simulated["baseline"] == real["baseline"] {
                assert_eq!(compared["virtual_speedup"], one["speedup"]);
                assert_eq!(compared["virtual_overhead"], one["search_overhead"]);
            }
            let total = |name: &str| number(&compared[name]["total"]);
            assert!(close(total("residual"), total("virtual_speedup") / total("real_speedup") - 1.0));
            assert!(close(total("overhead_difference"), total("virtual_overhead") - total("real_overhead")));
            for part in ["all", "large"] {
                assert!(number(&compared["residual"][part]["median"]).is_finite(), "{compared}");
            }
            if !measured["ceiling_share"].is_null() {
                let undisturbed = threads as f64 * number(&measured["ceiling_share"]["total"]);
                assert!(close(total("undisturbed_speedup"), undisturbed), "{compared}");
            }
        }
        assert_eq!(array(&model["by_position"]).len(), 50);
    }
}

#[test]
fn runs_with_an_error_and_positions_that_are_not_simulated_do_not_count() {
    let scratch = Scratch::new();
    measure(scratch.path(), "real", &["--baselines", "hybrid", "--no-ceiling"]);
    let file = scratch.path().join("real/samples.jsonl");
    let mut lines = samples(&scratch.path().join("real"));
    for line in &mut lines {
        // One round less of position 3, and none of position 20; a schema of the records before simulated
        // ones.
        let (index, repeat) = (line["index"].as_u64(), line["repeat"].as_u64());
        let is_wrong =
            line["method"] == "serial" && (index == Some(20) || (index, repeat) == (Some(3), Some(2)));
        line["schema"] = 2.into();
        if is_wrong {
            line["error"] = "score 1, expected 2".into();
        }
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // A killed run leaves half a line.
    fs::write(&file, text + "{\"schema\":2,\"ind").expect("samples");
    let args = ["--only", "3,1,20,50", "--against", "real"];
    let found = simulate(scratch.path(), "virtual", &args);
    let against = &found["against"];
    assert_eq!((&against["positions"], &against["rounds"]), (&3.into(), &serde_json::json!([2, 3])));
    let model = &against["models"][0];
    let indices: Vec<_> = array(&model["by_position"]).iter().map(|p| p["index"].as_u64().unwrap()).collect();
    assert_eq!(indices, [1, 3, 50]);
    let two = row(&model["parallel"], "threads", 2);
    assert!(two["undisturbed_residual"].is_null(), "no ceiling was measured");
    let output = run_in(
        scratch.path(),
        SIMULATE,
        &[&SHORT[..], &args, &["--processors", "2", "--by-position", "--out", "people"]].concat(),
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for words in
        ["Virtual beside real", "2 to 3 rounds", "residual", "n/a", "unclocked", "real, virtual, residual"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn records_of_other_searches_are_refused_before_anything_is_simulated() {
    let scratch = Scratch::new();
    measure(scratch.path(), "real", &["--no-ceiling"]);
    simulate(scratch.path(), "virtual", &["--only", "50"]);
    let depth = |depth: &'static str| ["--depth", depth, "--table-mb", "1", "--against", "real"];
    let cases: [(Vec<&str>, &str); 7] = [
        ([&depth("3")[..]].concat(), "against real: expected"),
        ([&depth("3")[..]].concat(), "its depth is 5, not 3"),
        ([&depth("5")[..], &["--evaluator", "runs"]].concat(), "its evaluator is \"network\", not \"runs\""),
        ([&depth("5")[..], &["--suite", "large"]].concat(), "its suite_fnv1a is "),
        (vec!["--depth", "5", "--table-mb", "2", "--against", "real"], "its table_mb is 1, not 2"),
        (vec!["--depth", "5", "--table-mb", "1", "--against", "virtual"], "is \"simulate\", not \"scaling\""),
        ([&depth("5")[..], &["--processors", "4"]].concat(), "that is simulated, too"),
    ];
    for (args, named) in cases {
        let output = run_in(scratch.path(), SIMULATE, &args);
        let complaint = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert!(complaint.contains(named) && complaint.contains("expected"), "{args:?}: {complaint}");
        assert!(!scratch.path().join("results").exists(), "{args:?} began to record");
    }
}
