//! Going on with records: what is there is believed only as far as it agrees, and only what belongs together
//! comes together.

use crate::common::{
    COMPARE, COMPARE_RECORDS, EXPORT, Program, REPORT, RUN, SCALING, SIMULATE, STUDY, Scratch, json_in,
    run_in, samples, with_checksums,
};
use serde_json::Value;
use starsplit::search::Options;
use starsplit_experiments::records::archive::ARCHIVE;
use starsplit_experiments::records::sealing::seal;
use starsplit_options::{DECLARED, DeclaredOption, OptionRole, OptionValue};
use std::fs;
use std::process::Output;

const SHORT: [&str; 5] = ["--table-mb", "1", "--out", "out", "--resume"];

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks that the run is refused with these words and changes no sample.
fn refused(scratch: &Scratch, binary: Program, args: &[&str], words: &str) {
    let file = scratch.path().join("out/samples.jsonl");
    let before = fs::read(&file).unwrap();
    let output = run_in(scratch.path(), binary, args);
    assert_eq!(output.status.code(), Some(2), "{}", complaint(&output));
    assert!(complaint(&output).contains(words), "{words} in {}", complaint(&output));
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// Keeps the first lines of the samples only.
fn keep(scratch: &Scratch, lines: usize) {
    let file = scratch.path().join("out/samples.jsonl");
    let all = fs::read_to_string(&file).unwrap();
    assert!(all.lines().count() > lines, "something is cut off");
    fs::write(&file, all.lines().take(lines).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

#[test]
fn the_value_of_a_variant_that_may_find_others_is_expected_of_nobody() {
    let scratch = Scratch::new();
    let variants = ["--variant", "deeper:reuse=at-least", "--variant", "exact"];
    let args = [&["--suite", "pass", "--depth", "9"][..], &variants, &SHORT].concat();
    let run = || {
        let output = run_in(scratch.path(), STUDY, &args);
        assert!(output.status.success(), "{}", complaint(&output));
        samples(&scratch.path().join("out"))
    };
    let whole = run();
    let scores = |line: &Value| (line["index"].clone(), line["variant"].clone(), line["score"].clone());
    // The last line before the cut is of a variant that has found what the exact search will not.
    let differs = |pair: &[Value]| pair[0]["variant"] == "deeper" && pair[0]["score"] != pair[1]["score"];
    let last =
        whole.windows(2).position(differs).expect("a position whose value bounds of greater depths change");
    keep(&scratch, last + 1);
    let resumed = run();
    assert_eq!(resumed.iter().map(scores).collect::<Vec<_>>(), whole.iter().map(scores).collect::<Vec<_>>());
    assert!(resumed.iter().all(|line| line["error"].is_null()));
}

#[test]
fn recorded_scores_are_held_against_the_expected_ones() {
    let scratch = Scratch::new();
    let suite = scratch.file(
        "suite.txt",
        "rules size=5,run=4,full-line=reroll\n...../....o/..x../x.o../..... x \
            -\n.xox./....o/ooo.x/....x/.x... x -\n",
    );
    let args = [&["--suite", &suite, "--depth", "5", "--threads", "1"][..], &SHORT].concat();
    json_in(scratch.path(), SCALING, &[&args[..], &["--json"]].concat());
    let lines = samples(&scratch.path().join("out"));
    let scores: Vec<String> = [1, 2]
        .map(|index| lines.iter().find(|line| line["index"] == index).unwrap()["score"].to_string())
        .into();
    let with =
        |expected: &str| run_in(scratch.path(), SCALING, &[&args[..], &["--expected", expected]].concat());
    assert!(with(&scores.join(",")).status.success());
    let other = with(&format!("{},1", scores[0]));
    assert_eq!(other.status.code(), Some(1));
    assert!(complaint(&other).contains(&format!("score {}, expected 1", scores[1])), "{}", complaint(&other));

    // A digit that was damaged: the line no longer says what it expected itself.
    let file = scratch.path().join("out/samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let (score, damaged) = (format!("\"score\":{},", scores[1]), "\"score\":12345,");
    let place = text.find(&score).expect("a score");
    let edited = format!("{}{damaged}{}", &text[..place], &text[place + score.len()..]);
    fs::write(&file, &edited).unwrap();
    let refused = run_in(scratch.path(), SCALING, &args);
    assert!(complaint(&refused).contains("its checksum is "), "{}", complaint(&refused));
    fs::write(&file, with_checksums(&edited)).unwrap();
    let resumed = run_in(scratch.path(), SCALING, &args);
    assert_eq!(resumed.status.code(), Some(1));
    assert!(complaint(&resumed).contains("score 12345, expected"), "{}", complaint(&resumed));
    assert!(run_in(scratch.path(), REPORT, &["out"]).status.success());
    let page = fs::read_to_string(scratch.path().join("out/README.md")).unwrap();
    assert!(page.contains("wrong values are LEFT OUT"), "{page}");
}

#[test]
fn contenders_that_come_later_are_not_set_beside_earlier_ones_unless_told() {
    let scratch = Scratch::new();
    let args = |threads| [&["--depth", "3", "--repeat", "1", "--threads", threads][..], &SHORT].concat();
    assert!(run_in(scratch.path(), SCALING, &args("1")).status.success());
    refused(&scratch, SCALING, &args("1,2"), "at 50 positions some are missing; --mix searches them now");
    // A position at which a run was killed may be gone on with.
    let lines = samples(&scratch.path().join("out")).len();
    keep(&scratch, lines - 1);
    assert!(run_in(scratch.path(), SCALING, &args("1")).status.success());
    assert!(run_in(scratch.path(), SCALING, &[&args("1,2")[..], &["--mix"]].concat()).status.success());
    assert!(samples(&scratch.path().join("out")).len() > lines);
}

#[test]
fn a_cost_models_name_stands_for_the_same_costs() {
    let scratch = Scratch::new();
    let costs = |steal: u32| {
        let costs = r#"{"node": 1, "evaluation": 2, "table": 0, "poll": 0, "split": 2, "failed_steal": 10,
                        "steal": "#;
        scratch.file("my.json", format!("{costs}{steal}}}"))
    };
    let file = costs(20);
    let args = [&["--depth", "3", "--processors", "2", "--costs", &file][..], &SHORT].concat();
    assert!(run_in(scratch.path(), SIMULATE, &args).status.success());
    costs(30);
    refused(&scratch, SIMULATE, &args, "expected records of the same costs to resume");
}

#[test]
fn sealed_records_are_read_as_they_are_and_not_gone_on_with() {
    let scratch = Scratch::new();
    let args = [&["--depth", "3", "--repeat", "1", "--threads", "2"][..], &SHORT].concat();
    assert!(run_in(scratch.path(), SCALING, &args).status.success());
    assert!(run_in(scratch.path(), REPORT, &["out"]).status.success());
    let export = || run_in(scratch.path(), EXPORT, &["out"]).stdout;
    let plain = export();
    assert!(!plain.is_empty());
    let out = scratch.path().join("out");
    assert!(seal(&out).unwrap() && !out.join("samples.jsonl").exists());
    let output = run_in(scratch.path(), REPORT, &["--check", "out"]);
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(export() == plain);
    let sealed = fs::read(out.join(ARCHIVE)).unwrap();
    for more in [&[][..], &["--mix"]] {
        let output = run_in(scratch.path(), SCALING, &[&args[..], more].concat());
        assert_eq!(output.status.code(), Some(2));
        let words = complaint(&output);
        assert!(
            words.contains("expected records to go on with that are not sealed")
                && words.lines().count() == 1,
            "{words}"
        );
    }
    let output = run_in(scratch.path(), SCALING, &args[..args.len() - 1]);
    let words = "expected one without records, not to mix runs; --resume goes on with these";
    assert!(complaint(&output).contains(words), "{}", complaint(&output));
    assert!(fs::read(out.join(ARCHIVE)).unwrap() == sealed && !out.join("samples.jsonl").exists());
    // A byte that was damaged is seen.
    let mut damaged = sealed;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(out.join(ARCHIVE), damaged).unwrap();
    for (binary, args) in [(REPORT, &["out"][..]), (EXPORT, &["out"]), (REPORT, &["--check", "out"])] {
        assert_eq!(run_in(scratch.path(), binary, args).status.code(), Some(2));
    }
}

#[test]
fn pages_of_somebody_else_are_found_before_anything_is_searched() {
    let scratch = Scratch::new();
    for page in ["README.md", "index.html"] {
        let folder = scratch.path().join(page.replace('.', "-"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(page), "my own\n").unwrap();
        let output = run_in(scratch.path(), RUN, &["quick", "--out", folder.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{}", complaint(&output));
        assert!(
            complaint(&output).contains("expected none, or one that report has made"),
            "{}",
            complaint(&output)
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing was written");
    }
}

#[test]
fn folders_without_speedups_are_not_compared() {
    let scratch = Scratch::new();
    let study = ["--depth", "3", "--variant", "a", "--table-mb", "1", "--out", "study"];
    assert!(run_in(scratch.path(), STUDY, &study).status.success());
    let scaling = ["--depth", "3", "--threads", "1", "--table-mb", "1", "--out", "scaling"];
    assert!(run_in(scratch.path(), SCALING, &scaling).status.success());
    for pair in [["study", "scaling"], ["scaling", "study"]] {
        let output = run_in(scratch.path(), COMPARE_RECORDS, &pair);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            complaint(&output).contains("folder study: expected records with speedups"),
            "{}",
            complaint(&output)
        );
    }
}

/// For each option that has a flag of every experiment: a value that is not the default.
fn tuned() -> Vec<(&'static str, &'static str, OptionValue)> {
    let tuning = DECLARED.iter().filter(|declared| declared.role == OptionRole::Tuning);
    let other = |declared: &&'static DeclaredOption| {
        let default = declared.get(&Options::default());
        let trial = |n| {
            let mut options = Options::default();
            declared.try_nth(&mut options, n);
            declared.get(&options)
        };
        let is_other = |value: &OptionValue| *value != default && declared.read(&value.to_string()).is_ok();
        (0..declared.trials()).map(trial).find(is_other).expect("a trial of another value")
    };
    tuning.map(|declared| (declared.flag, declared.name, other(&declared))).collect()
}

#[test]
fn every_tuning_option_is_in_the_records_and_has_to_be_the_same() {
    let scratch = Scratch::new();
    let args = ["--suite", "quick", "--depth", "2", "--threads", "1", "--repeat", "1"];
    assert!(run_in(scratch.path(), COMPARE, &[&args[..], &SHORT].concat()).status.success());
    for (flag, name, value) in tuned() {
        let flag = format!("--{flag}={value}");
        refused(&scratch, COMPARE, &[&args[..], &SHORT, &[flag.as_str()]].concat(), "of the same settings");
        let own = ["--table-mb", "1", "--out", name, &flag];
        assert!(run_in(scratch.path(), COMPARE, &[&args[..], &own].concat()).status.success(), "{flag}");
        let meta = fs::read_to_string(scratch.path().join(name).join("meta.json")).unwrap();
        let meta: Value = serde_json::from_str(&meta).unwrap();
        let recorded = match value {
            OptionValue::Number(number) => number.into(),
            OptionValue::Switch(is_on) => is_on.into(),
            OptionValue::Name(name) => Value::from(name),
            OptionValue::Auto => Value::from("auto"),
        };
        assert_eq!(meta["settings"]["tuning"][name], recorded, "{flag}");
    }
}
