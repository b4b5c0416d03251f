//! The binary `stress`: a short run, its records, and what it refuses.

use crate::common::{STRESS, Scratch, json_in, run_in, samples, without_seal};

#[test]
fn a_short_stress_finds_no_difference_and_keeps_records() {
    let scratch = Scratch::new();
    let found = json_in(scratch.path(), STRESS, &["--minutes", "0.15", "--json", "--out", "stress"]);
    assert_eq!(found["differences"], 0);
    for (count, least) in [
        ("games", 1),
        ("searches", 8),
        ("stopped", 1),
        ("nodes", 1_000),
        ("probing_splits", 1),
        ("tasks", 10),
    ] {
        assert!(found[count].as_u64().expect("a count") >= least, "{count}: {found}");
    }
    let mut recorded = samples(&scratch.path().join("stress")).pop().expect("a line");
    without_seal(&mut recorded);
    assert_eq!(recorded, found);
}

#[test]
fn bad_input_is_named() {
    let scratch = Scratch::new();
    for (args, named) in [
        (["--minutes", "0"], "minutes 0: expected"),
        (["--minutes", "-1"], "minutes -1: expected"),
        (["--minutes", "NaN"], "minutes NaN: expected"),
        (["--seed", "x"], "seed x: expected"),
        (["--out", "/dev/null/x"], "results folder"),
    ] {
        let output = run_in(scratch.path(), STRESS, &args);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(output.stdout.is_empty() && complaint.contains(named), "{complaint}");
    }
}
