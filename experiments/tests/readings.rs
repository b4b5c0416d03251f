//! The binary `readings`: its figures follow from its records, however many positions are searched at once;
//! what it refuses; Ctrl-C keeps whole lines.

use crate::common::{READINGS, Scratch, interrupt, json_in, run_in, samples, start};
use serde_json::Value;

const SMALL: [&str; 10] = [
    "--readings",
    "cuts,hints,hints-last",
    "--depth",
    "5",
    "--sets",
    "2",
    "--networks",
    "2",
    "--positions",
    "6",
];

fn nodes(line: &Value, algorithm: &str) -> f64 {
    line[algorithm]["nodes"].as_f64().expect("nodes")
}

#[test]
fn the_figures_follow_from_the_records() {
    let scratch = Scratch::new();
    let run = |jobs: &str, out: &str| {
        let args = [&SMALL[..], &["--jobs", jobs, "--out", out, "--json"]].concat();
        (json_in(scratch.path(), READINGS, &args), samples(&scratch.path().join(out)))
    };
    let (found, lines) = run("1", "one");
    assert_eq!((found.clone(), lines.clone()), run("3", "three"));
    assert_eq!((lines.len(), &found["values_equal"]), (12, &Value::Bool(true)));
    let readings = found["readings"].as_array().expect("readings");
    assert_eq!(readings.len(), 3);
    for reading in readings {
        let own: Vec<_> = lines.iter().filter(|line| line["reading"] == reading["reading"]).collect();
        assert_eq!(own.len(), 4);
        let pairs =
            [("star1", "expectimax"), ("star2", "expectimax"), ("star2", "star1"), ("star2_tt", "star2")];
        for (place, (one, other)) in pairs.into_iter().enumerate() {
            let ratios = own.iter().map(|line| nodes(line, one) / nodes(line, other));
            let greatest = ratios.fold(0.0, f64::max);
            assert_eq!(reading["ratios"][place]["greatest"], greatest);
        }
        let beyond: u64 = own.iter().filter_map(|line| line["star2_beyond_star1"].as_u64()).sum();
        assert_eq!(reading["star2_beyond_star1"], beyond);
    }
    let page = std::fs::read_to_string(scratch.path().join("one/README.md")).expect("a page");
    assert!(
        page.starts_with("# Readings of the paper to depth 5") && page.contains("| hints-last |"),
        "{page}"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_whole_lines() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let child = start(READINGS, &["--depth", "25", "--readings", "off"], &out);
    while !out.join("meta.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(samples(&out).is_empty(), "its first position takes years");
}

#[test]
fn bad_input_is_named() {
    let scratch = Scratch::new();
    for (args, named) in [
        (["--readings", "cuts,none"], "reading none: expected all, or some of cuts, hints"),
        (["--readings", "cuts,cuts"], "expected every item once"),
        (["--depth", "2"], "depth 2: expected"),
        (["--sets", "4"], "sets 4: expected"),
        (["--positions", "51"], "positions 51: expected"),
        (["--out", "/dev/null/x"], "results folder"),
    ] {
        let output = run_in(scratch.path(), READINGS, &args);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(output.stdout.is_empty() && complaint.contains(named), "{complaint}");
    }
}
