//! Records that lack something say so wherever they are read, and programs what they were built from.

use crate::common::{
    COMPARE_RECORDS, EXPORT, MATCH, REPORT, SCALING, SIMULATE, Scratch, json_in, meta_of, run_in, samples,
    write_meta,
};
use serde_json::{Value, json};
use starsplit_experiments::cli;
use starsplit_experiments::records::earlier::Earlier;
use std::fs;
use std::path::Path;

/// What all searches have in common: as small as these are, they are split all the same.
const SHORT: [&str; 12] = [
    "--depth",
    "3",
    "--table-mb",
    "1",
    "--split-depth",
    "2",
    "--split-size",
    "0",
    "--baselines",
    "auto",
    "--out",
    "out",
];

fn scaling(scratch: &Scratch, args: &[&str]) {
    let output = run_in(scratch.path(), SCALING, &[&SHORT[..], &["--threads", "2"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn lacks(folder: &Path) -> Option<String> {
    Earlier::read(folder).unwrap().unwrap().lacks().unwrap()
}

/// Rewrites the samples as those of their lines that are `kept`, by their numbers from 0.
fn keep(folder: &Path, kept: impl Fn(usize) -> bool) {
    let file = folder.join("samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let lines = text.lines().enumerate().filter(|(number, _)| kept(*number));
    fs::write(&file, lines.map(|(_, line)| format!("{line}\n")).collect::<String>()).unwrap();
}

#[test]
fn a_killed_run_is_five_of_fifty_positions_wherever_it_is_read() {
    let scratch = Scratch::new();
    scaling(&scratch, &["--repeat", "2"]);
    let out = scratch.path().join("out");
    let whole = samples(&out).len();
    assert_eq!(meta_of(&out)["planned"], json!({"positions": 50, "lines": whole}));
    assert_eq!(lacks(&out), None);
    // Of every position as many lines in the first round: a search, four of both ceilings, one in parallel.
    let each = whole / 100;
    keep(&out, |number| number < 5 * each);
    let words = format!("5 of 50 positions, {} of {whole} lines", 5 * each);
    assert_eq!(lacks(&out), Some(words.clone()));
    let output = run_in(scratch.path(), REPORT, &["out"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains(&format!("  INCOMPLETE: {words}\n")));
    let page = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(page.contains(&format!("| INCOMPLETE | {words} |")), "{page}");
    assert!(run_in(scratch.path(), REPORT, &["--page", "all.html", "out"]).status.success());
    let page = fs::read_to_string(scratch.path().join("all.html")).unwrap();
    assert!(page.contains(&format!("\"lacks\":\"{words}\"")));
    let compared = json_in(scratch.path(), COMPARE_RECORDS, &["--json", "out", "out"]);
    assert_eq!(compared["lacks"], json!([words, words]));
    let output = run_in(scratch.path(), EXPORT, &["out"]);
    let (table, note) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(note.contains(&format!("INCOMPLETE: {words}")), "{note}");
    assert!(table.lines().next().unwrap().contains("record.lacks") && table.contains(&words), "{table}");
    // What goes on with it has the same plan, and the whole lacks nothing.
    scaling(&scratch, &["--repeat", "2", "--resume"]);
    assert_eq!((samples(&out).len(), lacks(&out)), (whole, None));
    // Fewer rounds are no smaller plan; more are a larger one.
    scaling(&scratch, &["--repeat", "1", "--resume"]);
    assert_eq!(meta_of(&out)["planned"]["lines"], json!(whole));
    scaling(&scratch, &["--repeat", "3", "--resume"]);
    assert_eq!((meta_of(&out)["planned"]["lines"].clone(), lacks(&out)), (json!(whole / 2 * 3), None));
}

#[test]
fn records_without_a_plan_are_held_against_their_suite_and_themselves() {
    let scratch = Scratch::new();
    scaling(&scratch, &["--repeat", "1", "--no-ceiling"]);
    let out = scratch.path().join("out");
    let mut meta = meta_of(&out);
    meta.as_object_mut().unwrap().remove("planned").expect("a plan");
    meta["schema"] = 4.into();
    write_meta(&out, &meta);
    let whole = samples(&out);
    let older = |lines: &[Value]| {
        let mut lines = lines.to_vec();
        for line in &mut lines {
            crate::common::without_seal(line);
            line["schema"] = 4.into();
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(out.join("samples.jsonl"), text).unwrap();
    };
    older(&whole);
    assert_eq!(lacks(&out), None);
    older(&[&whole[..20], &whole[21..]].concat());
    assert_eq!(lacks(&out).as_deref(), Some("99 of 100 lines"));
    older(&whole[..10]);
    assert_eq!(lacks(&out).as_deref(), Some("5 of 50 positions, 10 of 100 lines"));
}

#[test]
fn a_line_that_is_missing_is_noticed_as_one_that_was_changed() {
    let scratch = Scratch::new();
    scaling(&scratch, &["--repeat", "1"]);
    let out = scratch.path().join("out");
    keep(&out, |number| number != 6);
    for (binary, args) in [
        (REPORT, &["out"][..]),
        (REPORT, &["--seal", "out"]),
        (EXPORT, &["out"]),
        (COMPARE_RECORDS, &["out", "out"]),
        (SCALING, &[&SHORT[..], &["--threads", "2", "--repeat", "1", "--resume"]].concat()),
    ] {
        let output = run_in(scratch.path(), binary, args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(
            complaint.contains("line 7") && complaint.contains("it was written as line 8"),
            "{complaint}"
        );
    }
}

#[test]
fn simulations_and_matches_have_plans_as_well() {
    let scratch = Scratch::new();
    let simulate =
        ["--depth", "3", "--table-mb", "1", "--processors", "2,4", "--only", "1,7", "--seeds", "2"];
    let args = [&simulate[..], &["--baselines", "auto", "--out", "out", "--resume"]].concat();
    assert!(run_in(scratch.path(), SIMULATE, &args).status.success());
    let out = scratch.path().join("out");
    assert_eq!(meta_of(&out)["planned"], json!({"positions": 2, "lines": 2 * (1 + 2 * 2)}));
    keep(&out, |number| number < 4);
    assert_eq!(lacks(&out).as_deref(), Some("4 of 10 lines"));
    // Others that come later are beyond what is still missing of the first.
    let more = [&args[..], &["--mix"]]
        .concat()
        .iter()
        .map(|&arg| if arg == "1,7" { "8" } else { arg })
        .collect::<Vec<_>>();
    assert!(run_in(scratch.path(), SIMULATE, &more).status.success());
    assert_eq!(meta_of(&out)["planned"], json!({"positions": 2, "lines": 10}));
    let args =
        ["--games", "4", "--one", "greedy,table-mb=1", "--two", "random", "--jobs", "1", "--out", "games"];
    assert!(run_in(scratch.path(), MATCH, &args).status.success());
    assert_eq!(meta_of(&scratch.path().join("games"))["planned"], json!({"lines": 4}));
}

#[test]
fn two_methods_of_one_record_are_compared_and_drawn_in_one_picture() {
    let scratch = Scratch::new();
    scaling(&scratch, &["--repeat", "1", "--no-ceiling", "--method", "both,chance-split"]);
    let args = ["out", "--methods", "both,chance-split", "--picture", "both.svg", "--json"];
    let found = json_in(scratch.path(), COMPARE_RECORDS, &args);
    assert_eq!(found["rows"].as_array().map(Vec::len), Some(1), "{found}");
    let row = &found["rows"][0];
    assert_eq!((&row["method"], &row["processors"]), (&json!("A both, B chance-split"), &json!(2)));
    let low = row["intervals"]["positions"]["low"].as_f64().expect("an interval");
    assert!(Some(low) <= row["ratio"].as_f64(), "{row}");
    let picture = fs::read_to_string(scratch.path().join("both.svg")).unwrap();
    assert!(picture.contains("A: both") && picture.contains("B: chance-split"), "{picture}");
    assert!(run_in(scratch.path(), COMPARE_RECORDS, &args).status.success(), "its own picture is replaced");
    scratch.file("mine.svg", "<svg/>");
    for (args, words) in [
        (&["out"][..], "expected another, or two of its methods"),
        (&["out", "--methods", "both,abdada"], "the methods and orderings asked for"),
        (
            &["out", "--methods", "both", "--picture", "mine.svg"],
            "expected none, or one that compare-records",
        ),
        (
            &["out", "--methods", "both", "--picture", "both.png"],
            "picture both.png: expected a name that ends with .svg",
        ),
        (&["out", "out", "--costs", "unit"], "expected the costs \"unit\", not real"),
    ] {
        let output = run_in(scratch.path(), COMPARE_RECORDS, args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(words), "{words} in {complaint}");
    }
}

#[test]
fn records_of_other_depths_are_set_side_by_side() {
    let scratch = Scratch::new();
    scaling(&scratch, &["--repeat", "1", "--no-ceiling"]);
    let args = SHORT.map(|arg| match arg {
        "3" => "5",
        "out" => "deeper",
        arg => arg,
    });
    let args = [&args[..], &["--threads", "2", "--repeat", "1", "--no-ceiling"]].concat();
    assert!(run_in(scratch.path(), SCALING, &args).status.success());
    let found = json_in(scratch.path(), COMPARE_RECORDS, &["out", "deeper", "--json"]);
    assert_eq!((&found["differ_in"], &found["values"]["compared"]), (&json!(["depth"]), &json!(0)));
    assert_eq!(found["differences"]["/settings/depth"], json!([3, 5]));
    let rows = found["rows"].as_array().expect("rows");
    assert!(rows.len() == 2 && rows.iter().all(|row| row["is_paired"] == true), "{found}");
    let output = run_in(scratch.path(), COMPARE_RECORDS, &["out", "deeper"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("Other depth: each speedup is over the serial search of its own record."),
        "{text}"
    );
}

#[test]
fn a_program_knows_the_commit_that_it_was_built_from() {
    let scratch = Scratch::new();
    let output = run_in(scratch.path(), SCALING, &["--version"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, format!("scaling {}\n", cli::VERSION));
    let (_, words) = cli::VERSION.split_once(" (").expect("a commit");
    // Sources without a history have none.
    let revision = words.trim_end_matches(')').trim_end_matches(", changed");
    assert!(revision == "revision unknown" || revision.len() == 40, "{revision}");
    // There is no checkout where it runs.
    scaling(&scratch, &["--repeat", "1", "--no-ceiling"]);
    let meta = meta_of(&scratch.path().join("out"));
    assert_eq!(meta["program"]["git"], Value::Null);
    if revision != "revision unknown" {
        let built_from = json!({"revision": revision, "dirty": words.contains(", changed")});
        assert_eq!((&meta["program"]["built_from"], &meta["revision"]), (&built_from, &json!(revision)));
        assert!(run_in(scratch.path(), REPORT, &["out"]).status.success());
        let page = fs::read_to_string(scratch.path().join("out/README.md")).unwrap();
        assert!(page.contains(&format!("| revision | {revision}")), "{page}");
    }
}
