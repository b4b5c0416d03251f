//! The command `compare-records`: what differs is named, ratios are of the positions in both, nothing is
//! written.

use crate::common::{
    COMPARE_RECORDS, REPORT, SIMULATE, Scratch, json_in, meta_of, run_in, unit_costs, write_meta,
};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn simulate(folder: &Path, out: &str, args: &[&str]) -> Value {
    let fixed = ["--depth", "5", "--table-mb", "1", "--split-depth", "2", "--split-size", "0", "--json"];
    let more = ["--processors", "2,8", "--min-nodes", "400", "--baselines", "hybrid", "--out", out];
    json_in(folder, SIMULATE, &[&fixed[..], &more, unit_costs(args), args].concat())
}

fn compare(folder: &Path, one: &str, other: &str) -> Value {
    json_in(folder, COMPARE_RECORDS, &["--json", "--min-nodes", "400", one, other])
}

/// What is in a folder and when it was changed.
fn state(folder: &Path) -> Vec<(String, std::time::SystemTime, u64)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut state: Vec<_> = entries
        .map(|entry| {
            let found = entry.metadata().unwrap();
            (entry.file_name().into_string().unwrap(), found.modified().unwrap(), found.len())
        })
        .collect();
    state.sort();
    state
}

#[test]
fn records_of_another_machine_are_set_beside_ones_own_and_not_merged() {
    let scratch = Scratch::new();
    let folder = scratch.path();
    simulate(folder, "own", &[]);
    fs::create_dir(folder.join("theirs")).unwrap();
    fs::copy(folder.join("own/samples.jsonl"), folder.join("theirs/samples.jsonl")).unwrap();
    let mut meta = meta_of(&folder.join("own"));
    meta["machine"]["cores"] = 4_096.into();
    meta["program"]["rustc"] = "rustc 1.0.0".into();
    // An option that was still one, at what every search does now.
    meta["settings"]["tuning"]["history"] = "live".into();
    write_meta(&folder.join("theirs"), &meta);
    let before = ["own", "theirs"].map(|name| state(&folder.join(name)));
    let found = compare(folder, "own", "theirs");
    assert_eq!(["own", "theirs"].map(|name| state(&folder.join(name))), before);
    assert_eq!((&found["a"], &found["b"]), (&"own".into(), &"theirs".into()));
    let differences = found["differences"].as_object().unwrap();
    assert_eq!(differences.keys().collect::<Vec<_>>(), ["/machine/cores", "/program/rustc"]);
    assert_eq!(differences["/machine/cores"][1], 4_096);
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let low = &row["intervals"]["positions"]["low"];
        assert_eq!(
            (&row["ratio"], low, &row["is_paired"]),
            (&1.0.into(), &1.0.into(), &true.into()),
            "{row}"
        );
    }
    // The same of what the archive of the folder above has. A page would stay where it is.
    fs::remove_file(folder.join("own/index.html")).unwrap();
    fs::write(folder.join("spec.toml"), "").unwrap();
    let output = run_in(folder, REPORT, &["--seal", "own", "theirs"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "own\ntheirs\n");
    assert!(folder.join("records.tar.xz").exists() && !folder.join("own").exists());
    assert_eq!(compare(folder, "own", "theirs"), found);
}

#[test]
fn ratios_are_of_the_speedups_that_both_have_printed() {
    let scratch = Scratch::new();
    let printed =
        [("one", "3"), ("other", "4")].map(|(out, seeds)| simulate(scratch.path(), out, &["--seeds", seeds]));
    let speedups = |report: &Value| -> Vec<f64> {
        let positions = report["models"][0]["by_position"].as_array().unwrap().iter();
        let large = positions.filter(|position| position["nodes"].as_u64() >= Some(400));
        large.map(|position| position["speedups"][1].as_f64().unwrap()).collect()
    };
    let [one, other] = [speedups(&printed[0]), speedups(&printed[1])];
    let mut ratios: Vec<f64> = one.iter().zip(&other).map(|(one, other)| other / one).collect();
    ratios.sort_by(f64::total_cmp);
    let middle = (ratios[(ratios.len() - 1) / 2] + ratios[ratios.len() / 2]) / 2.0;
    let found = compare(scratch.path(), "one", "other");
    let row = &found["rows"][2];
    assert_eq!((&row["processors"], row["a"]["positions"].as_u64()), (&8.into(), Some(one.len() as u64)));
    let ratio = row["ratio"].as_f64().unwrap();
    assert!((ratio - middle).abs() < 1e-12, "{ratio}, not {middle}");
    let interval = ["low", "high"].map(|end| row["intervals"]["positions"][end].as_f64().unwrap());
    assert!(interval[0] <= ratio && ratio <= interval[1] && interval[0] < interval[1], "{row}");
}

#[test]
fn algorithms_and_games_are_set_side_by_side() {
    let scratch = Scratch::new();
    let folder = scratch.path();
    simulate(folder, "own", &["--only", "1-8"]);
    simulate(folder, "star1", &["--only", "1-8", "--algorithm", "star1"]);
    simulate(folder, "pig", &["--only", "1-7", "--game", "pig"]);
    let found = compare(folder, "own", "star1");
    assert_eq!(found["differ_in"], json!(["algorithm"]));
    assert_eq!((&found["values"]["compared"], &found["values"]["differ"]), (&8.into(), &0.into()));
    let rows = found["rows"].as_array().unwrap();
    assert!(rows.len() == 3 && rows.iter().all(|row| row["is_paired"] == true), "{found}");
    let found = compare(folder, "own", "pig");
    let differ = found["differ_in"].as_array().unwrap();
    assert!(differ.contains(&"game".into()) && differ.contains(&"suite".into()), "{found}");
    let rows = found["rows"].as_array().unwrap();
    assert!(rows.len() == 2 && rows.iter().all(|row| row["is_paired"] == false), "{found}");
    for row in rows {
        let [a, b] = ["a", "b"].map(|side| row[side]["median"].as_f64().unwrap());
        assert_eq!((row["ratio"].as_f64(), &row["intervals"]["positions"]), (Some(b / a), &Value::Null));
    }
}

#[test]
fn folders_with_nothing_in_common_are_refused() {
    let scratch = Scratch::new();
    simulate(scratch.path(), "one", &[]);
    simulate(scratch.path(), "other", &["--costs", "free"]);
    for (other, words) in [("other", "cost model"), ("none", "samples.jsonl")] {
        let output = run_in(scratch.path(), COMPARE_RECORDS, &["one", other]);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(other) && complaint.contains(words), "{complaint}");
    }
}
