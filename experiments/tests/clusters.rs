//! The binary `clusters`: one search on simulated machines with a table each, through the doors of all games,
//! its records byte for byte, resuming, its page, and bad input.

use crate::common::{CLUSTERS, REPORT, Scratch, json_in, run_in, samples};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SHORT: [&str; 16] = [
    "--table-mb",
    "1",
    "--machines",
    "1,3",
    "--processors",
    "4",
    "--latency-us",
    "1,20",
    "--message-us",
    "0",
    "--split-above",
    "100",
    "--share-bounds",
    "yes,no",
    "--only",
    "17",
];

fn clusters(folder: &Path, out: &str, args: &[&str]) -> Value {
    json_in(folder, CLUSTERS, &[&SHORT[..], &["--json", "--out", out], args].concat())
}

#[test]
fn clusters_find_the_value_of_the_serial_search_in_every_game() {
    let scratch = Scratch::new();
    let mut tasks = 0;
    for (game, depth) in [
        ("dice", "7"),
        ("pig", "6"),
        ("einstein", "5"),
        ("backgammon", "3"),
        ("hyper-backgammon", "3"),
        ("2048", "5"),
        ("abalone", "3"),
    ] {
        let found = clusters(scratch.path(), game, &["--game", game, "--depth", depth]);
        assert_eq!((&found["simulated"], &found["values_equal"]), (&true.into(), &true.into()), "{game}");
        let settings = found["settings"].as_array().expect("a list");
        // The serial search, machines of 4 and 12 processors, and eight clusters.
        assert_eq!(settings.len(), 3 + 8, "{game}");
        let lines = samples(&scratch.path().join(game));
        assert_eq!(lines.len(), 3 + 8, "{game}");
        for line in &lines {
            assert_eq!((&line["error"], &line["score"]), (&Value::Null, &lines[0]["score"]), "{game}");
            tasks += line["cluster"]["tasks"].as_u64().unwrap_or(0);
        }
        for setting in settings {
            let lost = setting["lost"].as_object().expect("parts");
            let parts = lost.values().map(|part| part.as_f64().expect("a number"));
            let sum = setting["efficiency"].as_f64().expect("a number") + parts.sum::<f64>();
            assert!((sum - 1.0).abs() < 1e-9, "{game}: {setting}");
        }
    }
    assert!(tasks > 1_000, "{tasks} tasks");
}

#[test]
fn two_runs_of_clusters_write_the_same_lines_and_resuming_searches_nothing_twice() {
    let scratch = Scratch::new();
    let game = ["--game", "einstein", "--depth", "5"];
    let text =
        |out: &str| fs::read_to_string(scratch.path().join(out).join("samples.jsonl")).expect("samples");
    let one = clusters(scratch.path(), "one", &game);
    assert_eq!(clusters(scratch.path(), "two", &game), one);
    assert_eq!(text("one"), text("two"));
    let whole = text("one");
    let half = whole.lines().take(5).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(scratch.path().join("two/samples.jsonl"), half + "{\"sch").expect("a file");
    assert_eq!(clusters(scratch.path(), "two", &[&game[..], &["--resume"]].concat()), one);
    assert_eq!(text("two"), whole);
}

#[test]
fn the_page_of_clusters_says_that_its_figures_are_simulated() {
    let scratch = Scratch::new();
    clusters(scratch.path(), "out", &["--game", "dice", "--depth", "5"]);
    let output = run_in(scratch.path(), REPORT, &["out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(scratch.path().join("out/README.md")).expect("a page");
    for words in ["SIMULATED", "| machines", "in transit", "half of linear", "depth | 5"] {
        assert!(page.contains(words), "{words} in {page}");
    }
}

#[test]
fn clusters_refuses_bad_input_in_one_line() {
    let scratch = Scratch::new();
    let refuses = |args: &[&str], words: &str| {
        let output = run_in(scratch.path(), CLUSTERS, args);
        let complaint = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert_eq!(complaint, format!("error: {words}\n"), "{args:?}");
        assert!(output.stdout.is_empty() && !scratch.path().join("results").exists(), "{args:?}");
    };
    refuses(&["--machines", "0"], "machines 0: expected a whole number from 1 to 256");
    refuses(&["--machines", "4,4"], "machines 4,4: expected every item once");
    refuses(&["--processors", "1025"], "processors 1025: expected a whole number from 1 to 1024");
    refuses(&["--latency-us", "0"], "latency-us 0: expected a whole number from 1 to 60000000");
    refuses(&["--share-bounds", "maybe"], "share-bounds maybe: expected yes or no");
    refuses(&["--only", "51"], "only 51: expected numbers of positions, 1 to 50");
}
