//! The binary `smaller`: what smaller games lose and cost follows from their records, a spec comes to a page,
//! Ctrl-C keeps whole positions, and a run goes on.

use crate::common::{
    REPORT, RUN, SMALLER, Scratch, await_samples, interrupt, json_in, run_in, samples, start,
};
use serde_json::{Value, json};
use starsplit::game::NodeKind;
use starsplit::search::{Limits, Options};
use starsplit::table::Table;
use starsplit_experiments::question::doors::played;
use starsplit_experiments::question::suite::Suite;
use starsplit_tables::AnyTable;
use std::fs;

/// Ten positions of EinStein to a depth that takes little.
const EINSTEIN: [&str; 8] = ["--game", "einstein", "--depth", "3", "--every", "5", "--table-mb", "1"];

fn report(args: &[&str]) -> (Value, Vec<Value>) {
    let scratch = Scratch::new();
    let out = ["--out", "out", "--json"];
    let report = json_in(scratch.path(), SMALLER, &[&EINSTEIN[..], args, &out].concat());
    (report, samples(&scratch.path().join("out")))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

#[test]
fn a_game_with_all_its_outcomes_and_moves_loses_nothing() {
    let (report, lines) = report(&["--settings", "all,top-moves=99,sampled=1"]);
    assert_eq!((&report["positions"], &report["values_equal"]), (&json!(10), &json!(true)));
    for kept in &report["settings"].as_array().unwrap()[..2] {
        let lost = [&kept["error"]["rms"], &kept["worse_moves"], &kept["largest_regret"]];
        assert_eq!(lost.map(number), [0.0; 3], "{kept}");
    }
    assert_eq!(report["settings"][0]["other_moves"], 0.0, "the same search chooses the same moves");
    let sampled = &report["settings"][2];
    assert!(number(&sampled["error"]["rms"]) > 0.0 && number(&sampled["ratios"]["nodes"]) < 1.0);
    assert_eq!((&sampled["searches"], lines.len()), (&json!(30), 10));
}

#[test]
fn the_figures_follow_from_the_records() {
    let (report, lines) = report(&["--settings", "sampled=1+top-moves=2,top-moves=1", "--seeds", "2"]);
    for (place, name) in ["sampled=1+top-moves=2", "top-moves=1"].into_iter().enumerate() {
        let own = |line: &Value| -> Vec<(f64, f64, f64)> {
            let searches = line["searches"].as_array().unwrap().iter();
            let own = searches.filter(|search| search["setting"] == name);
            let full = |name: &str| number(&line["full"][name]);
            own.map(|search| {
                let error = number(&search["value"]) - full("value");
                (error, full("value") - number(&search["move_value"]), number(&search["nodes"]))
            })
            .collect()
        };
        let all: Vec<_> = lines.iter().flat_map(own).collect();
        assert_eq!(all.len(), if place == 0 { 20 } else { 10 });
        let mean = |part: fn(&(f64, f64, f64)) -> f64| all.iter().map(part).sum::<f64>() / all.len() as f64;
        let found = &report["settings"][place];
        let nodes = lines.iter().map(|line| number(&line["full"]["nodes"])).sum::<f64>() / 10.0;
        for (figure, expected) in [
            (&found["error"]["mean"]["mean"], mean(|one| one.0)),
            (&found["error"]["rms"], mean(|one| one.0.powi(2)).sqrt()),
            (&found["regret"]["mean"], mean(|one| one.1)),
            (&found["worse_moves"], mean(|one| f64::from(one.1 > 0.0))),
            (&found["ratios"]["nodes"], mean(|one| one.2) / nodes),
        ] {
            assert!((number(figure) - expected).abs() < 1e-9, "{name}: {figure} is not {expected}");
        }
        assert!(all.iter().all(|one| one.1 >= 0.0), "no move is better than the best");
        assert!(found["smaller_game"].as_str().is_some_and(|words| words.contains("best moves by")));
    }
}

#[test]
fn a_moves_value_is_that_of_a_search_after_it() {
    let (_, lines) = report(&["--settings", "top-moves=1,sampled=1", "--seeds", "2"]);
    let suite = Suite::load("einstein", None).expect("a suite");
    let table = AnyTable::of_mib(1).expect("a table");
    let maker = suite.door.evaluator(suite.door.default_evaluator(), 1).expect("an evaluator");
    let play = played(&*suite.door).expect("a game that is played");
    let mut lost = 0;
    for line in &lines {
        let position = suite.door.position(line["position"].as_str().unwrap()).expect("a position");
        assert_eq!(play.kind(&position).unwrap(), NodeKind::Decision);
        for search in line["searches"].as_array().unwrap() {
            let after = play.move_by_text(&position, search["best_move"].as_str().unwrap()).unwrap().after;
            let score = if play.kind(&after).unwrap() == NodeKind::Terminal {
                play.terminal_score(&after).unwrap().abs()
            } else {
                table.clear(1);
                let searcher = maker.searcher(&table, Options::default(), None);
                let answer = searcher.search(&after, &Limits::depth(2), &mut |_| {}).unwrap().answer;
                // The opponent is to roll.
                -answer.score().expect("an exact score")
            };
            assert_eq!(search["move_score"], json!(score), "{line}");
            lost += u32::from(search["move_score"] != line["full"]["score"]);
        }
    }
    assert!(lost > 0, "some of these moves lose something");
}

#[test]
fn a_spec_comes_to_a_page_that_follows_from_its_records() {
    let scratch = Scratch::new();
    let spec = "question = \"What is lost?\"\nreading = \"See.\"\n[[runs]]\nname = \"few\"\n\
        experiment = \"smaller\"\ngame = \"einstein\"\ndepth = 3\nevery = 10\ntable-mb = 1\n\
        settings = [\"all\", \"top-moves=8+within=0.16\"]\n";
    scratch.file("s.toml", spec);
    let printed = json_in(scratch.path(), RUN, &["s.toml", "--out", "out", "--json"]);
    assert_eq!(printed["runs"][0]["report"]["positions"], 5);
    let page = fs::read_to_string(scratch.path().join("out/few/README.md")).unwrap();
    assert!(
        page.contains("All values are equal.") && page.contains("the 8 best moves by evaluation"),
        "{page}"
    );
    let over = fs::read_to_string(scratch.path().join("out/README.md")).unwrap();
    assert!(over.contains("| top-moves=8+within=0.16 |"), "{over}");
    let figures = fs::read_to_string(scratch.path().join("out/few/figures.csv")).unwrap();
    assert_eq!(figures.lines().map(|line| line.split(',').count()).collect::<Vec<_>>(), [19, 19, 19]);
    assert_eq!(run_in(scratch.path(), REPORT, &["--check", "out"]).status.code(), Some(0));
}

#[test]
fn a_run_goes_on_where_it_was_killed() {
    let scratch = Scratch::new();
    let go = |more: &[&str]| {
        let own = ["--settings", "top-moves=2", "--out", "out", "--json"];
        json_in(scratch.path(), SMALLER, &[&EINSTEIN[..], &own, more].concat())
    };
    let whole = go(&[]);
    let file = scratch.path().join("out/samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&file, lines[..4].join("\n") + "\n" + &lines[4][..30]).unwrap();
    let found = go(&["--resume"]);
    assert_eq!(found["settings"][0]["error"], whole["settings"][0]["error"]);
    assert_eq!(found["full"]["nodes"], whole["full"]["nodes"]);
    assert!(fs::read_to_string(&file).unwrap().starts_with(&lines[..4].join("\n")));
    let args = ["--settings", "top-moves=3", "--out", "out", "--resume"];
    let output = run_in(scratch.path(), SMALLER, &[&EINSTEIN[..], &args].concat());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
    assert!(
        complaint.contains("expected records of the same settings to resume: its kept is"),
        "{complaint}"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_positions_that_were_searched() {
    let scratch = Scratch::new();
    let out = scratch.path().join("out");
    let args = ["--game", "einstein", "--depth", "7", "--table-mb", "1", "--seeds", "9"];
    let mut child = start(SMALLER, &args, &out);
    await_samples(&mut child, &out, 1);
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = samples(&out);
    assert!(!lines.is_empty() && lines.len() < 50);
    assert!(lines.iter().all(|line| line["searches"].as_array().unwrap().len() == 8 + 5 * 9));
    assert!(String::from_utf8(output.stdout).unwrap().contains("einstein, "));
}

#[test]
fn what_cannot_be_is_named_in_one_line() {
    let scratch = Scratch::new();
    for (args, words) in [
        (&["--settings", "half"][..], "setting half: expected"),
        (&["--settings", "sampled=0"], "sampled 0: expected a whole number from 1"),
        (&["--settings", "all,top-moves=2,all"], "settings all: expected every one once"),
        (&["--every", "0"], "every 0: expected a whole number from 1"),
        (&["--seeds", "x"], "seeds x: expected a whole number from 1"),
        (&["--evaluator", "oracle"], "evaluator oracle: expected"),
    ] {
        let output = run_in(scratch.path(), SMALLER, args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{args:?}: {complaint}");
        assert!(complaint.contains(words), "{words} in {complaint}");
    }
    assert!(!scratch.path().join("results").exists(), "nothing was written");
}
