//! The binary `compare`: the JSON object, the records, Ctrl-C.

use crate::common::{COMPARE, Scratch, json_in, line_text, names, run_in, samples};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Flags of a comparison that takes a second.
const SHORT: [&str; 6] = ["--depth", "3", "--table-mb", "1", "--threads", "1,2"];

/// Flags of one whose searches are long enough for a second thread to wake up and help, on a busy machine
/// too.
const LONGER: [&str; 6] = ["--depth", "9", "--table-mb", "1", "--threads", "1,2"];

fn compare(folder: &Path, args: &[&str]) -> Value {
    json_in(folder, COMPARE, &[&SHORT[..], args].concat())
}

#[test]
fn the_object_has_its_fields_and_the_values_are_equal() {
    let scratch = Scratch::new();
    let found = compare(scratch.path(), &["--json", "--repeat", "1"]);
    assert_eq!((names(&found).len(), &found["contradictions"]), (8, &0.into()));
    assert_eq!(found["algorithm"], "star2-tt");
    for name in ["depth", "positions", "values_equal", "serial", "parallel"] {
        assert!(!found[name].is_null(), "{name} in {found}");
    }
    assert_eq!(
        (&found["depth"], &found["positions"], &found["values_equal"]),
        (&3.into(), &50.into(), &true.into())
    );
    assert_eq!(names(&found["serial"]), ["chosen", "nodes", "seconds"]);
    let parallel = found["parallel"].as_array().expect("an array");
    assert_eq!(parallel.len(), 2);
    for (figures, threads) in parallel.iter().zip([1, 2]) {
        let mut fields = names(figures);
        fields.sort_unstable();
        let expected = [
            "chosen",
            "nodes",
            "search_overhead",
            "seconds",
            "speedup_intervals",
            "speedup_median",
            "speedup_total",
            "threads",
        ];
        assert_eq!(fields, expected);
        assert_eq!(figures["threads"], threads);
        assert!(figures["speedup_total"].as_f64() > Some(0.0), "{figures}");
        let ratio =
            figures["nodes"].as_f64().zip(found["serial"]["nodes"].as_f64()).map(|(p, s)| p / s - 1.0);
        assert!(
            (ratio.expect("numbers") - figures["search_overhead"].as_f64().expect("a number")).abs() < 1e-9
        );
    }
}

#[test]
fn only_the_positions_that_are_named_are_searched_and_others_can_follow() {
    let scratch = Scratch::new();
    let only = |list: &str, more: &[&str]| {
        let args = [&["--json", "--repeat", "2", "--out", "out", "--only", list], more].concat();
        compare(scratch.path(), &args)["positions"].clone()
    };
    assert_eq!(only("3,7-8", &[]), 3);
    let out = scratch.path().join("out");
    let places = || samples(&out).iter().map(|line| line["index"].as_u64()).collect::<Vec<_>>();
    // Three contenders at the first of the positions, and then at the next.
    assert_eq!(places()[..9], [3, 3, 3, 7, 7, 7, 8, 8, 8].map(Some));
    assert_eq!(places().len(), 18);
    assert_eq!(crate::common::meta_of(&out)["planned"]["positions"], 3);
    assert_eq!(only("8-9", &["--resume"]), 4);
    assert_eq!((places().len(), places().last()), (24, Some(&Some(9))));
}

#[test]
fn every_run_is_recorded() {
    let scratch = Scratch::new();
    let out = scratch.path().join("made/for/this");
    let args = ["--json", "--repeat", "2", "--out", out.to_str().expect("text"), "--split-depth", "3"];
    json_in(scratch.path(), COMPARE, &[&LONGER[..], &args].concat());
    let samples = samples(&out);
    assert_eq!(samples.len(), 50 * 3 * 2);
    for sample in &samples {
        assert_eq!((&sample["schema"], &sample["error"]), (&6.into(), &Value::Null));
        assert_eq!(sample["score"], sample["expected"]);
        assert!(sample["wall_ns"].as_u64() > Some(0) && sample["nodes"].as_u64() > Some(0), "{sample}");
        let splits = &sample["split"];
        let split = splits["probing_splits"].as_u64().max(splits["star1_splits"].as_u64()) > Some(0);
        // One position may be too near its end to be split anywhere; a serial search never splits.
        assert!(sample["method"] != "serial" || !split, "{sample}");
    }
    let on_two = |sample: &&Value| sample["method"] == "both" && sample["threads"] == 2;
    assert!(
        samples.iter().filter(on_two).any(|sample| sample["split"]["probing_splits"].as_u64() > Some(0)),
        "two threads split"
    );
    let order: Vec<_> =
        samples.iter().take(3).map(|sample| (&sample["method"], &sample["threads"])).collect();
    assert_eq!(
        order,
        [(&"serial".into(), &1.into()), (&"both".into(), &1.into()), (&"both".into(), &2.into())]
    );
    let backwards: Vec<_> =
        samples[150..].iter().take(3).map(|sample| (&sample["method"], &sample["threads"])).collect();
    assert!(backwards.iter().eq(order.iter().rev()), "{backwards:?}");
}

#[test]
fn what_the_searches_chose_is_told_and_recorded() {
    let scratch = Scratch::new();
    let game = ["--json", "--game", "backgammon", "--depth", "5"];
    let args = ["--threads", "2", "--table-mb", "4", "--repeat", "1", "--out", "out", "--suite"];
    let positions = "4HPwATDgc/ABMA x -\n4AzA1CdgAHJ2Sw o -\n";
    let suite = scratch.file("suite", format!("game backgammon\nrules scoring=points\n{positions}"));
    let run = |more: &[&str]| json_in(scratch.path(), COMPARE, &[&game[..], &args, &[&suite], more].concat());
    let found = run(&[]);
    let lines = samples(&scratch.path().join("out"));
    assert_eq!(lines.len(), 4);
    for (contender, method) in [(&found["serial"], "serial"), (&found["parallel"][0], "both")] {
        let chosen = &contender["chosen"];
        assert!(chosen["decision_table_depth"].as_u64() >= Some(1), "{found}");
        assert!(chosen["evaluation_ns"].as_u64() > Some(10), "{found}");
        let split = (&chosen["split_depth"], &chosen["split_size"]);
        assert_eq!(
            (split.0.is_null(), split.1.is_null()),
            (method == "serial", method == "serial"),
            "{found}"
        );
        let of_last = |line: &&Value| line["index"] == 2 && line["method"] == method;
        assert_eq!(lines.iter().find(of_last).map(|line| &line["chosen"]), Some(chosen));
    }

    // Older records do not tell it.
    let resumed = run(&["--resume"]);
    let serial = lines.iter().rfind(|line| line["method"] == "serial").expect("a serial search");
    assert_eq!(resumed["serial"]["chosen"], serial["chosen"]);
    let file = scratch.path().join("out/samples.jsonl");
    let older: String = (1..).zip(&lines).map(|(number, line)| without_chosen(line, number)).collect();
    fs::write(&file, older).expect("a file");
    let of_old = run(&["--resume"]);
    assert_eq!((&of_old["serial"]["chosen"], &of_old["parallel"][0]["chosen"]), (&Value::Null, &Value::Null));
    assert_eq!(of_old["serial"]["nodes"], found["serial"]["nodes"]);
}

/// The line of this number as it was written before what was chosen was.
fn without_chosen(line: &Value, number: usize) -> String {
    let mut line = line.clone();
    line.as_object_mut().expect("an object").remove("chosen").expect("what was chosen");
    line_text(&line, number) + "\n"
}

#[test]
fn the_method_is_the_one_named() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let args = ["--json", "--repeat", "1", "--method", "both", "--split-depth", "2", "--out"];
    let out_text = out.to_str().expect("text");
    let found = json_in(scratch.path(), COMPARE, &[&LONGER[..], &args, &[out_text]].concat());
    assert_eq!((&found["values_equal"], names(&found).len()), (&true.into(), 8));
    let samples = samples(&out);
    let parallel: Vec<_> = samples.iter().filter(|sample| sample["method"] != "serial").collect();
    assert_eq!(parallel.len(), 50 * 2);
    assert!(parallel.iter().all(|sample| sample["method"] == "both"));
    let splits =
        |kind: &str| parallel.iter().filter_map(|sample| sample["split"][kind].as_u64()).sum::<u64>();
    assert!(splits("probing_splits") + splits("star1_splits") > 0, "chance nodes are split");
    assert!(splits("decision_splits") > 0, "decision nodes are split");
}

#[test]
fn the_records_say_how_they_were_made() {
    let scratch = Scratch::new();
    compare(scratch.path(), &["--json", "--repeat", "1"]);
    compare(scratch.path(), &["--json", "--repeat", "1"]);
    let mut folders: Vec<_> = fs::read_dir(scratch.path().join("results"))
        .expect("the results folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    folders.sort();
    assert_eq!(folders.len(), 2);
    assert!(folders[0].ends_with("-compare"), "{folders:?}");
    let meta = fs::read_to_string(scratch.path().join("results").join(&folders[0]).join("meta.json"));
    let meta: Value = serde_json::from_str(&meta.expect("meta.json")).expect("JSON");
    assert_eq!((&meta["experiment"], &meta["settings"]["suite"]), (&"compare".into(), &"paper".into()));
    let words = meta["program"]["command"].as_array().expect("the command line");
    assert!(words[0] == "compare" && words.contains(&"--repeat".into()), "{words:?}");
    assert!(meta["program"]["rustc"].as_str().is_some_and(|version| version.starts_with("rustc ")), "{meta}");
    assert!(meta["machine"]["cores"].as_u64() > Some(0));
}

#[test]
fn a_suite_in_a_file_is_searched() {
    let scratch = Scratch::new();
    let suite =
        scratch.file("suite", "# two positions\nrules size=3,run=3\n.../.../... x -\nx../.../... o c1\n");
    let found = compare(scratch.path(), &["--json", "--suite", &suite, "--evaluator", "runs"]);
    assert_eq!((&found["positions"], &found["values_equal"]), (&2.into(), &true.into()));
}

#[test]
fn people_get_a_row_for_each_thread_count() {
    let scratch = Scratch::new();
    let output = run_in(scratch.path(), COMPARE, &[&SHORT[..], &["--repeat", "1"]].concat());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    for words in ["search overhead", "serial", "All values are equal.", "Records: results"] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    // Depth 1 of the same suite again and again: a run that would go on for hours.
    let args = ["--json", "--depth", "1", "--table-mb", "1", "--threads", "1", "--repeat", "1000000"];
    let mut child = crate::common::start(COMPARE, &args, &out);
    crate::common::await_samples(&mut child, &out, 200);
    let output = crate::common::interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stopped by Ctrl-C"));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["stopped"], &found["positions"]), (&true.into(), &50.into()));
    assert!(samples(&out).len() >= 200);
}

#[test]
fn what_was_shown_is_said_and_drawn() {
    let scratch = Scratch::new();
    let output = run_in(scratch.path(), COMPARE, &[&SHORT[..], &["--repeat", "1", "--out", "out"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\nIn short: half of the searches took less than "), "{text}");
    assert!(text.ends_with("Curve, for a browser: out/index.html\n"), "{text}");
    let page = fs::read_to_string(scratch.path().join("out/index.html")).unwrap();
    assert!(page.contains("--depth 3 --table-mb 1 --threads 1,2"), "a page over that record");
    // Something else of that name is kept, and the record as well.
    fs::write(scratch.path().join("out/index.html"), "mine").unwrap();
    let again = [&SHORT[..], &["--repeat", "1", "--out", "out", "--resume"]].concat();
    let output = run_in(scratch.path(), COMPARE, &again);
    let noted = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && noted.contains("page: "), "{noted}");
    assert_eq!(fs::read_to_string(scratch.path().join("out/index.html")).unwrap(), "mine");
}
