//! The command `readings`: its figures follow from its records, however many positions are searched at once;
//! what it refuses; Ctrl-C keeps whole lines.

use crate::common::{READINGS, REPORT, Scratch, interrupt, json_in, run_in, samples, start};
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

fn nodes(line: &Value, algorithm: &str) -> Vec<u64> {
    let nodes = line[algorithm]["nodes"].as_array().expect("nodes");
    nodes.iter().map(|nodes| nodes.as_u64().expect("a count")).collect()
}

/// What does not hang on how long anything took.
fn untimed(mut value: Value) -> Value {
    match &mut value {
        Value::Object(parts) => {
            parts.retain(|name, _| !["wall_ns", "wall_time", "crc32"].contains(&name.as_str()));
            parts.values_mut().for_each(|part| *part = untimed(part.take()));
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| *part = untimed(part.take())),
        _ => {}
    }
    value
}

fn sum(line: &Value, algorithm: &str) -> f64 {
    nodes(line, algorithm).into_iter().sum::<u64>() as f64
}

#[test]
fn the_figures_follow_from_the_records() {
    let scratch = Scratch::new();
    let run = |jobs: &str, out: &str| {
        let args = [&SMALL[..], &["--jobs", jobs, "--out", out, "--json"]].concat();
        let (found, lines) = (json_in(scratch.path(), READINGS, &args), samples(&scratch.path().join(out)));
        (untimed(found), lines.into_iter().map(untimed).collect::<Vec<_>>())
    };
    let (found, lines) = run("1", "one");
    assert_eq!((found.clone(), lines.clone()), run("3", "three"));
    assert_eq!((lines.len(), &found["values_equal"]), (12, &Value::Bool(true)));
    let readings = found["readings"].as_array().expect("readings");
    assert_eq!(readings.len(), 3);
    for reading in readings {
        let own: Vec<_> = lines.iter().filter(|line| line["reading"] == reading["reading"]).collect();
        assert_eq!(own.len(), 4);
        let held_out: Vec<_> = own
            .iter()
            .filter(|line| (&line["set"], &line["network"]) != (&1.into(), &"library".into()))
            .collect();
        let found = &reading["held_out"];
        assert_eq!((held_out.len(), &found["combinations"]), (3, &Value::from(3)));
        let pairs =
            [("star1", "expectimax"), ("star2", "expectimax"), ("star2", "star1"), ("star2_tt", "star2")];
        for (place, (one, other)) in pairs.into_iter().enumerate() {
            let ratios = held_out.iter().map(|line| sum(line, one) / sum(line, other));
            let greatest = ratios.fold(0.0, f64::max);
            assert_eq!(found["nodes"][place]["greatest"], greatest);
        }
        let beyond = |line: &&Value| {
            let pairs = nodes(line, "star2").into_iter().zip(nodes(line, "star1"));
            pairs.filter(|(star2, star1)| star2 > star1).count()
        };
        assert_eq!(found["star2_beyond_star1"], held_out.iter().map(|line| beyond(line)).sum::<usize>());
    }
    let output = run_in(scratch.path(), REPORT, &["one"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(scratch.path().join("one/README.md")).expect("a page");
    assert!(
        page.contains("## Readings of the paper to depth 5") && page.contains("| hints-last |"),
        "{page}"
    );
    assert!(page.contains("Nodes of serial searches as the paper prints them"), "{page}");
    let csv = std::fs::read_to_string(scratch.path().join("one/figures.csv")).expect("figures");
    assert_eq!(csv.lines().count(), 1 + 2 * 3, "{csv}");
}

#[test]
fn evaluations_take_what_was_asked() {
    let scratch = Scratch::new();
    let args = ["--readings", "cuts", "--depth", "3", "--sets", "1", "--networks", "1", "--positions", "2"];
    let run = |us: &str| {
        json_in(
            scratch.path(),
            READINGS,
            &[&args[..], &["--evaluation-us", us, "--out", us, "--json"]].concat(),
        );
        let line = samples(&scratch.path().join(us)).swap_remove(0);
        assert_eq!(line["evaluation_us"], us.parse::<u64>().expect("a number"));
        let evaluations: u64 =
            line["star2"]["evaluations"].as_array().expect("a list").iter().filter_map(Value::as_u64).sum();
        (evaluations, line["star2"]["wall_ns"].as_u64().expect("a time"))
    };
    let ((evaluations, _), (slowly, wall_ns)) = (run("0"), run("500"));
    assert_eq!(evaluations, slowly);
    assert!(wall_ns >= slowly * 500_000, "a delay is never shorter: {wall_ns}");
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
