//! Lanes and smaller games through the doors of all games.

use crate::common::{SEARCH, Scratch, json_in};
use serde_json::Value;
use starsplit::search::{LaneOptions, Limits, Options, Stats};
use starsplit::table::Table;
use starsplit_experiments::question::door::{Answer, AnySearcher, Entry, Kept};
use starsplit_experiments::question::doors;
use starsplit_experiments::question::suite::Suite;
use starsplit_tables::AnyTable;

/// Threads, lanes on each, the most evaluations of a call, and whether a device makes them.
const LANES: [(usize, usize, usize, bool); 7] = [
    (1, 2, 1, false),
    (1, 7, 3, true),
    (1, 32, 64, false),
    (1, 256, 64, false),
    (2, 1, 64, true),
    (2, 7, 64, true),
    (8, 32, 3, false),
];

fn search(searcher: &dyn AnySearcher, entry: &Entry, depth: u32) -> Answer {
    searcher.search(entry, &Limits::depth(depth), &mut |_| {}).expect("a sound search").answer
}

/// The games, each to a depth that takes some thousands of evaluations.
const DEPTHS: [(&str, u32); 7] = [
    ("dice", 6),
    ("pig", 9),
    ("einstein", 3),
    ("backgammon", 3),
    ("hyper-backgammon", 3),
    ("2048", 6),
    ("abalone", 2),
];

#[test]
fn lanes_find_the_value_of_the_serial_search_in_every_game() {
    let table = AnyTable::of_mib(4).expect("a table");
    for (game, depth) in DEPTHS {
        let suite = Suite::load(if game == "dice" { "paper" } else { game }, None).expect("a suite");
        let maker = suite.door.evaluator("slow", 1).expect("an evaluator of every game");
        let (mut calls, mut evaluations, mut steals) = (0, 0, 0);
        for entry in suite.positions.iter().step_by(17) {
            table.clear(1);
            let alone = Options {
                lanes: LaneOptions { count: Some(1), batch: Some(1), ..LaneOptions::default() },
                ..Options::default()
            };
            let serial = search(&*maker.searcher(&table, alone, None), entry, depth);
            assert_eq!(serial.stats.batches.calls, 0);
            for (threads, lanes, batch, device) in LANES {
                table.clear(1);
                let options = Options {
                    threads,
                    lanes: LaneOptions {
                        count: Some(lanes),
                        batch: Some(batch),
                        device,
                        ..LaneOptions::default()
                    },
                    ..Options::default()
                };
                let found = search(&*maker.searcher(&table, options, None), entry, depth);
                let case = format!("{game} {}: {threads}, {lanes}, {batch}, {device}", entry.text);
                assert_eq!(found.score(), serial.score(), "{case}");
                let Stats { nodes, split, .. } = found.stats;
                assert_eq!(found.stats.batches.evaluations, nodes.evaluations, "{case}");
                assert!(
                    found.stats.batches.evaluations <= found.stats.batches.calls * batch as u64,
                    "{case}"
                );
                calls += if batch > 1 { found.stats.batches.calls } else { 0 };
                evaluations += if batch > 1 { found.stats.batches.evaluations } else { 0 };
                steals += split.steals;
            }
        }
        let mean = evaluations as f64 / calls as f64;
        assert!(mean > 2.0, "{game}: {mean} evaluations a call");
        assert!(steals > 20, "{game}: {steals} steals");
    }
}

#[test]
fn a_smaller_game_has_one_value_in_every_game() {
    let table = AnyTable::of_mib(4).expect("a table");
    let (mut differ, mut searched) = (0, 0);
    for (game, depth) in DEPTHS {
        let suite = Suite::load(if game == "dice" { "paper" } else { game }, None).expect("a suite");
        let name = suite.door.default_evaluator();
        for entry in suite.positions.iter().step_by(10) {
            let kept = Kept { draws: Some((2, 5)), moves: Some(2), margin: None };
            let full = suite.door.evaluator(name, 1).expect("the default evaluator");
            let smaller = suite.door.evaluator_of_smaller(name, 1, kept).expect("the same of a smaller game");
            let all =
                suite.door.evaluator_of_smaller(name, 1, Kept::default()).expect("the same of all of it");
            let value = |maker: &dyn starsplit_experiments::question::door::SearcherMaker, threads| {
                table.clear(1);
                let options = Options { threads, ..Options::default() };
                search(&*maker.searcher(&table, options, None), entry, depth)
            };
            let (of_full, of_smaller) = (value(&*full, 1), value(&*smaller, 1));
            assert_eq!(of_smaller.score(), value(&*smaller, 2).score(), "{game} {}", entry.text);
            let words = "2 outcomes drawn at each chance node with seed 5, the 2 best moves by evaluation";
            assert_eq!(of_smaller.smaller_game.as_deref(), Some(words));
            let of_all = value(&*all, 1);
            assert_eq!(
                (of_all.score(), of_all.smaller_game),
                (of_full.score(), None),
                "{game} {}",
                entry.text
            );
            differ += u32::from(of_smaller.score() != of_full.score());
            searched += 1;
        }
    }
    assert!(2 * differ > searched, "{differ} of {searched} values are not the full games'");
}

fn json(args: &[&str]) -> Value {
    json_in(Scratch::new().path(), SEARCH, &[&["--json", "--table-mb", "4"], args].concat())
}

#[test]
fn search_tells_of_batches_and_of_what_was_left_out() {
    let depth = ["--game", "backgammon", "--evaluator", "slow", "--depth", "3"];
    let alone = json(&[&depth[..], &["--lanes", "1", "--batch", "1"]].concat());
    let none = serde_json::json!({"calls": 0, "evaluations": 0, "fill": 0.0, "lanes": 1, "cap": 1});
    assert_eq!(alone["batches"], none);
    assert_eq!(alone["smaller_game"], Value::Null);
    let siblings = json(&[&depth[..], &["--lanes", "1"]].concat());
    assert_eq!((&siblings["score"], &siblings["batches"]["lanes"]), (&alone["score"], &1.into()));
    assert!(siblings["batches"]["calls"].as_u64() < siblings["batches"]["evaluations"].as_u64());
    let found = json(&[&depth[..], &["--lanes", "16", "--batch", "8"]].concat());
    assert_eq!(found["score"], alone["score"]);
    assert_eq!(found["batches"]["evaluations"], found["evaluations"]);
    let fill = found["batches"]["fill"].as_f64().expect("a number");
    assert!((0.5..=1.0).contains(&fill), "{fill}");
    let chosen = json(&depth);
    assert_eq!(chosen["score"], alone["score"]);
    assert!(chosen["batches"]["lanes"].as_u64() > Some(1), "a call that takes 5 us is worth lanes");
    let device = json(&[&depth[..], &["--lanes", "4", "--threads", "2", "--device"]].concat());
    assert_eq!((&device["score"], &device["batches"]["cap"]), (&alone["score"], &Value::from(64)));
    assert_eq!(device["batches"]["evaluations"], device["evaluations"]);
    let smaller = json(&[&depth[..], &["--sampled", "3", "--keep-moves", "4", "--within", "0.1"]].concat());
    let words = smaller["smaller_game"].as_str().expect("words");
    assert!(words.starts_with("3 outcomes drawn") && words.contains("the 4 best moves"), "{words}");
    assert!(doors::games().infos().any(|info| info.name == smaller["game"]));
}
