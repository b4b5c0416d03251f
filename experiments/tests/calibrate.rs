//! The command `calibrate`: costs that `simulate` takes.

use crate::common::{CALIBRATE, SIMULATE, Scratch, json_in, samples};
use serde_json::Value;
use std::fs;
use std::path::Path;

const EVENTS: [&str; 9] =
    ["node", "evaluation", "table", "poll", "split", "steal", "failed_steal", "wake", "wake_latency"];

#[test]
fn its_costs_are_taken_by_simulate() {
    let scratch = Scratch::new();
    let args = ["--depth", "9", "--positions", "10", "--repeat", "2", "--table-mb", "8", "--out", "costs"];
    let found = json_in(scratch.path(), CALIBRATE, &[&args[..], &["--json"]].concat());
    let text = fs::read_to_string(scratch.path().join("costs/costs.json")).expect("costs.json");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), found);
    for costs in [&found, &found["busy"]] {
        assert!(EVENTS.iter().all(|event| costs[event].is_u64()), "{costs}");
        assert!(costs["node"].as_u64() >= Some(1), "{costs}");
    }
    for figure in ["residual", "slowdown"] {
        assert!(found[figure].as_f64().is_some_and(f64::is_finite), "{found}");
    }
    assert!(found["steals"].as_u64() >= Some(1), "{found}");
    let samples = samples(&scratch.path().join("costs"));
    for sample in &samples {
        assert!(sample["alone_ns"].as_u64() > Some(0) && sample["busy_ns"].as_u64() > Some(0), "{sample}");
        assert!(sample["events"]["node"].as_u64() > Some(0), "{sample}");
    }
    let rounds = samples.iter().filter(|sample| sample["round"] == 2).count();
    assert_eq!(2 * rounds, samples.len());

    let file = "costs/costs.json";
    let short = ["--depth", "5", "--table-mb", "1", "--only", "1,50", "--processors", "1,2", "--json"];
    let simulated = json_in(scratch.path(), SIMULATE, &[&short[..], &["--costs", file]].concat());
    let model = &simulated["models"][0];
    for event in EVENTS {
        assert_eq!((&model["costs"][event], &model["busy"][event]), (&found[event], &found["busy"][event]));
    }
}

#[test]
fn the_costs_of_simulate_are_those_that_are_kept() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| -> Value {
        let text = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    let measured = read("src/simulate/measured.json");
    let games = measured.as_object().expect("games");
    assert!(games.len() >= 7);
    for (game, costs) in games {
        let kept = read(&format!("../results/current/calibrate/xeon-m207-2/{game}/costs.json"));
        for event in EVENTS {
            let of = |all: &Value| (all[event].clone(), all["busy"][event].clone());
            assert_eq!(of(costs), of(&kept), "{game}, {event}");
        }
    }

    // A machine on which waking was not measured is given that of Dice.
    let spec = fs::read_to_string(root.join("specs/simulate.toml")).expect("the spec");
    let [wake, latency] = ["wake", "wake_latency"].map(|event| &measured["dice"][event]);
    assert!(spec.contains(&format!("costs.json+wake={wake}+wake-latency={latency}\"")), "{wake}, {latency}");
}
