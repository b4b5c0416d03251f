//! The command `devices`: simulated lanes with a device through the doors of all games, its records byte for
//! byte, resuming, its page, and bad input.

use crate::common::{DEVICES, Program, REPORT, SEARCH, Scratch, json_in, run_in, samples};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SHORT: [&str; 12] = [
    "--depth",
    "3",
    "--table-mb",
    "1",
    "--threads",
    "1,2",
    "--lanes",
    "1,16",
    "--batch",
    "4,64",
    "--only",
    "17",
];

fn devices(folder: &Path, out: &str, args: &[&str]) -> Value {
    json_in(folder, DEVICES, &[&SHORT[..], &["--json", "--out", out], args].concat())
}

#[test]
fn lanes_with_a_simulated_device_find_the_value_of_the_serial_search_in_every_game() {
    let scratch = Scratch::new();
    for game in ["dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048", "abalone"] {
        let found = devices(scratch.path(), game, &["--game", game, "--costs", "unit"]);
        assert_eq!((&found["simulated"], &found["values_equal"]), (&true.into(), &true.into()), "{game}");
        let settings = found["settings"].as_array().expect("a list");
        assert_eq!(settings.len(), 8, "{game}");
        let lines = samples(&scratch.path().join(game));
        assert_eq!(lines.len(), 8, "{game}");
        for line in &lines {
            assert_eq!((&line["error"], &line["score"]), (&Value::Null, &lines[0]["score"]), "{game}");
            let number = |name: &str| line[name].as_u64().unwrap_or_else(|| panic!("{name} in {line}"));
            assert!(number("evaluations") <= number("calls") * number("batch"), "{line}");
            let device = 50_000 * number("calls") + 100 * number("evaluations");
            assert!(number("virtual_ns") >= device, "{line}");
            assert!(number("virtual_ns") * number("threads") >= number("work_ns"), "{line}");
            assert!(line["simulated"]["call_ns"] == 50_000 && line["simulated"]["each_ns"] == 100, "{line}");
        }
        for setting in settings {
            let number = |name: &str| setting[name].as_f64().unwrap_or_else(|| panic!("{name} in {setting}"));
            assert!(number("limit_ms") <= number("virtual_ms") * 1.000_001, "{game}: {setting}");
            assert!(number("ideal_ms") <= number("virtual_ms") * 1.000_001, "{game}: {setting}");
            assert!(number("fill") <= 1.0 && number("device_busy") <= 1.000_001, "{game}: {setting}");
        }
    }
}

#[test]
fn two_runs_of_devices_write_the_same_lines_and_resuming_searches_nothing_twice() {
    let scratch = Scratch::new();
    let game = ["--game", "backgammon"];
    let text =
        |out: &str| fs::read_to_string(scratch.path().join(out).join("samples.jsonl")).expect("samples");
    let one = devices(scratch.path(), "one", &game);
    assert_eq!(devices(scratch.path(), "two", &game), one);
    assert_eq!(text("one"), text("two"));
    let whole = text("one");
    let half = whole.lines().take(5).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(scratch.path().join("two/samples.jsonl"), half + "{\"sch").expect("a file");
    assert_eq!(devices(scratch.path(), "two", &[&game[..], &["--resume"]].concat()), one);
    assert_eq!(text("two"), whole);
}

#[test]
fn the_page_of_devices_says_that_its_figures_are_simulated() {
    let scratch = Scratch::new();
    devices(scratch.path(), "out", &["--game", "backgammon"]);
    let output = run_in(scratch.path(), REPORT, &["out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(scratch.path().join("out/README.md")).expect("a page");
    for words in ["SIMULATED", "a call of the device takes 50 us and 0.1 us", "| virtual ms", "depth | 3"] {
        assert!(page.contains(words), "{words} in {page}");
    }
    let figures = fs::read_to_string(scratch.path().join("out/figures.csv")).expect("figures");
    assert_eq!(figures.lines().count(), 1 + 8);
    assert!(run_in(scratch.path(), REPORT, &["--check", "out"]).status.success());
}

#[test]
fn devices_refuses_bad_input_in_one_line() {
    let scratch = Scratch::new();
    let refuses = |binary: Program, args: &[&str], words: &str| {
        let output = run_in(scratch.path(), binary, args);
        let complaint = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert_eq!(complaint, format!("error: {words}\n"), "{args:?}");
        assert!(output.stdout.is_empty() && !scratch.path().join("results").exists(), "{args:?}");
    };
    let whole = |most: u32| format!("expected a whole number from 1 to {most}");
    refuses(DEVICES, &["--lanes", "0"], &format!("lanes 0: {}", whole(16_384)));
    refuses(DEVICES, &["--lanes", "4,x"], &format!("lanes x: {}", whole(16_384)));
    refuses(DEVICES, &["--lanes", "4,4"], "lanes 4,4: expected every item once");
    refuses(DEVICES, &["--batch", "65537"], &format!("batch 65537: {}", whole(65_536)));
    refuses(DEVICES, &["--threads", "1025"], &format!("threads 1025: {}", whole(1024)));
    refuses(DEVICES, &["--device-call-us", "-1"], "device-call-us -1: expected a number from 0 to 1000000");
    refuses(DEVICES, &["--device-each-us", "nan"], "device-each-us nan: expected a number from 0 to 1000000");
    refuses(DEVICES, &["--only", "51"], "only 51: expected numbers of positions, 1 to 50");
    refuses(DEVICES, &["--method", "both,abdada"], "method both,abdada: expected one method");
    let lanes = ["--depth", "3", "--simulate", "unit", "--lanes", "4"];
    refuses(SEARCH, &lanes, "lanes 4: expected 1 in a simulated search without a device");
}
