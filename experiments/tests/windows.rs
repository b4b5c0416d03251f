//! The binary `windows`: figures follow from the records, a spec comes to a page, a run goes on, and what
//! is no way is named.

use crate::common::{REPORT, RUN, Scratch, WINDOWS, json_in, run_in, samples};
use serde_json::{Value, json};
use std::fs;

/// Ten positions of EinStein to a depth that takes little.
const EINSTEIN: [&str; 8] = ["--game", "einstein", "--depth", "5", "--every", "5", "--table-mb", "1"];

const WAYS: &str = "library:aspiration=0.1,library:gallop=1000,own:bisection,own:null-moves,\
                    own:slack-null=low,own:gallop=1000+slack-narrow=low,own:last=0.1";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

#[test]
fn the_figures_follow_from_the_records() {
    let scratch = Scratch::new();
    let own = ["--ways", WAYS, "--out", "out", "--json"];
    let report = json_in(scratch.path(), WINDOWS, &[&EINSTEIN[..], &own].concat());
    let lines = samples(&scratch.path().join("out"));
    assert_eq!((&report["positions"], &report["values_equal"]), (&json!(10), &json!(true)));
    let ways = report["ways"].as_array().unwrap();
    let names: Vec<_> = ways.iter().map(|way| way["way"].as_str().unwrap()).collect();
    let usual = ["library:search", "library:full", "own:full"];
    assert_eq!(names, usual.into_iter().chain(WAYS.split(',')).collect::<Vec<_>>());
    for way in ways {
        let of = |name: &Value, part: &str| -> Vec<f64> {
            let search = |line: &Value| {
                let searches = line["searches"].as_array().unwrap().iter();
                number(&searches.into_iter().find(|search| search["way"] == *name).unwrap()[part])
            };
            lines.iter().map(search).collect()
        };
        for part in ["nodes", "evaluations", "look_ups"] {
            let (own, beside) = (of(&way["way"], part), of(&way["beside"], part));
            let of_sums = own.iter().sum::<f64>() / beside.iter().sum::<f64>();
            let mut ratios: Vec<f64> =
                own.iter().zip(&beside).filter(|pair| *pair.1 > 0.0).map(|(a, b)| a / b).collect();
            ratios.sort_by(f64::total_cmp);
            let middle = ratios.len() / 2;
            let median = (ratios[(ratios.len() - 1) / 2] + ratios[middle]) / 2.0;
            let found = &way[format!("{part}_ratio")];
            assert!((number(&found["of_sums"]) - of_sums).abs() < 1e-9, "{way}");
            assert!((number(&found["median"]) - median).abs() < 1e-9, "{way}");
        }
    }
    let of = |name: &str| ways.iter().find(|way| way["way"] == name).unwrap();
    assert!(number(&of("own:bisection")["passes"]) > number(&of("own:full")["passes"]));
    assert_eq!(number(&of("library:full")["passes"]), number(&report["iterations"]));
    for way in ["own:null-moves", "own:gallop=1000+slack-narrow=low", "own:last=0.1"] {
        assert!(number(&of(way)["narrowed"]) > 0.0, "{way}");
    }
}

#[test]
fn rewards_and_a_root_where_somebody_moves_change_no_value() {
    let scratch = Scratch::new();
    for (game, depth) in [("2048", "4"), ("hyper-backgammon", "3"), ("dice", "5"), ("pig", "5")] {
        let args = ["--game", game, "--depth", depth, "--every", "20", "--table-mb", "1", "--json"];
        let out = ["--out", game, "--ways", WAYS];
        let report = json_in(scratch.path(), WINDOWS, &[&args[..], &out].concat());
        assert_eq!((&report["positions"], &report["values_equal"]), (&json!(3), &json!(true)), "{game}");
    }
}

#[test]
fn a_spec_comes_to_a_page_that_follows_from_its_records() {
    let scratch = Scratch::new();
    let spec = "question = \"What is saved?\"\nreading = \"See.\"\n[[runs]]\nname = \"few\"\n\
        experiment = \"windows\"\ngame = \"einstein\"\ndepth = 3\nevery = 10\ntable-mb = 1\n\
        ways = [\"own:null-moves\"]\n";
    scratch.file("s.toml", spec);
    let printed = json_in(scratch.path(), RUN, &["s.toml", "--out", "out", "--json"]);
    assert_eq!(printed["runs"][0]["report"]["positions"], 5);
    let page = fs::read_to_string(scratch.path().join("out/few/README.md")).unwrap();
    assert!(page.contains("All values are equal.") && page.contains("| own:null-moves "), "{page}");
    let figures = fs::read_to_string(scratch.path().join("out/few/figures.csv")).unwrap();
    assert_eq!(figures.lines().map(|line| line.split(',').count()).collect::<Vec<_>>(), [21; 5]);
    assert_eq!(run_in(scratch.path(), REPORT, &["--check", "out"]).status.code(), Some(0));
}

#[test]
fn a_run_goes_on_where_it_was_killed() {
    let scratch = Scratch::new();
    let go = |more: &[&str]| {
        let own = ["--ways", "own:null-moves", "--out", "out", "--json"];
        json_in(scratch.path(), WINDOWS, &[&EINSTEIN[..], &own, more].concat())
    };
    let whole = go(&[]);
    let file = scratch.path().join("out/samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&file, lines[..4].join("\n") + "\n" + &lines[4][..30]).unwrap();
    assert_eq!(go(&["--resume"]), whole);
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "the same counts in every run");
}

#[test]
fn what_cannot_be_is_named_in_one_line() {
    let scratch = Scratch::new();
    for (args, words) in [
        (&["--ways", "half"][..], "way half: expected library:"),
        (&["--ways", "library:null-moves"], "way library:null-moves: expected"),
        (&["--ways", "own:bisection,own:bisection"], "ways own:bisection: expected every one once"),
        (&["--every", "0"], "every 0: expected a whole number from 1"),
        (&["--evaluator", "oracle"], "evaluator oracle: expected"),
    ] {
        let output = run_in(scratch.path(), WINDOWS, args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{args:?}: {complaint}");
        assert!(complaint.contains(words), "{words} in {complaint}");
    }
    assert!(!scratch.path().join("results").exists(), "nothing was written");
}
