//! The binary `graphs`: its figures are those of its records, and what it refuses.

use crate::common::{GRAPHS, Scratch, json_in, run_in, samples};

#[test]
fn the_figures_follow_from_the_records() {
    let scratch = Scratch::new();
    let run = |out: &str| {
        let args = ["--positions", "30,300", "--games", "20", "--depth", "7", "--table-mb", "1", "--json"];
        let found = json_in(scratch.path(), GRAPHS, &[&args[..], &["--out", out]].concat());
        (found, samples(&scratch.path().join(out)))
    };
    let (found, recorded) = run("one");
    assert_eq!(
        (found.clone(), recorded.clone()),
        run("other"),
        "the same seed gives the same games and searches"
    );
    assert_eq!(recorded.len(), 40);
    for size in found["sizes"].as_array().expect("sizes") {
        let own: Vec<_> = recorded.iter().filter(|line| line["positions"] == size["positions"]).collect();
        for (name, sum) in [("exact", "exact_nodes"), ("at_least", "at_least_nodes")] {
            let nodes: u64 = own.iter().map(|line| line[name]["nodes"].as_u64().expect("nodes")).sum();
            assert_eq!(size[sum], nodes);
        }
        for line in &own {
            assert_eq!(
                line["exact"]["lower"], line["exact"]["upper"],
                "bounds of the very depth give an exact value"
            );
        }
    }
    assert!(
        found["sizes"][0]["other_values"].as_u64() > Some(0),
        "bounds of greater depths change values: {found}"
    );
}

#[test]
fn bad_input_is_named() {
    let scratch = Scratch::new();
    for (args, named) in [
        (["--positions", "1"], "positions 1: expected"),
        (["--games", "0"], "games 0: expected"),
        (["--depth", "255"], "depth 255: expected"),
        (["--out", "/dev/null/x"], "results folder"),
    ] {
        let output = run_in(scratch.path(), GRAPHS, &args);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(output.stdout.is_empty() && complaint.contains(named), "{complaint}");
    }
}
