//! The binary `scaling`: the JSON object, the records, Ctrl-C.

use crate::common::{REPORT, SCALING, Scratch, json_in, names, run_in, samples};
use serde_json::Value;
use starsplit::search::Method;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Flags of a measurement that takes a second.
const SHORT: [&str; 8] = ["--depth", "3", "--table-mb", "1", "--threads", "1,2", "--min-nodes", "30"];

fn scaling(folder: &Path, args: &[&str]) -> Value {
    json_in(folder, SCALING, &[&SHORT[..], args].concat())
}

/// The same, where the depth is among the arguments.
fn scaling_deeper(folder: &Path, args: &[&str]) -> Value {
    json_in(folder, SCALING, &[&SHORT[2..], args].concat())
}

/// Whether this machine runs two threads at once: otherwise every ceiling is 1 and none is measured.
fn two_cores() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number instead of {value}"))
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9 * one.abs().max(1.0)
}

#[test]
fn the_object_has_its_fields_and_the_values_are_equal() {
    let scratch = Scratch::new();
    let found = scaling(scratch.path(), &["--json", "--repeat", "1", "--baselines", "paper,static"]);
    let fields = [
        "depth",
        "positions",
        "min_nodes",
        "large_positions",
        "values_equal",
        "contradictions",
        "baseline",
        "serial",
        "ceilings",
        "matched_ceilings",
        "order",
        "pinned",
        "probed",
        "parallel",
        "algorithm",
        "by_position",
    ];
    let mut expected = fields.to_vec();
    expected.sort_unstable();
    let mut found_names = names(&found);
    found_names.sort_unstable();
    assert_eq!(found_names, expected);
    assert_eq!((&found["depth"], &found["values_equal"]), (&3.into(), &true.into()));
    assert_eq!(found["contradictions"], 0);
    assert_eq!((&found["positions"], &found["min_nodes"]), (&50.into(), &30.into()));
    let orderings: Vec<_> =
        found["serial"].as_array().expect("an array").iter().map(|s| s["ordering"].as_str()).collect();
    assert_eq!(orderings, [Some("paper"), Some("static"), Some("auto")], "auto is what is split");
    assert!(orderings.contains(&found["baseline"].as_str()));
    assert_eq!(found["ceilings"].as_array().expect("an array").len(), usize::from(two_cores()));
    let parallel: Vec<_> = found["parallel"].as_array().expect("an array").iter().collect();
    let who = |row: &Value| (row["method"].clone(), row["ordering"].clone(), row["threads"].clone());
    let split = |threads: u64| ("both".into(), "auto".into(), threads.into());
    assert_eq!(parallel.iter().map(|row| who(row)).collect::<Vec<_>>(), [split(1), split(2)]);
}

#[test]
fn the_figures_follow_from_one_another() {
    let scratch = Scratch::new();
    let found = scaling(scratch.path(), &["--json", "--repeat", "1", "--baselines", "auto"]);
    let positions = found["by_position"].as_array().expect("an array");
    assert_eq!(positions.len(), 50);
    let large = positions.iter().filter(|position| number(&position["nodes"]) >= 30.0).count();
    assert!(0 < large && large < 50, "some positions are large, some are not");
    assert_eq!(found["large_positions"], large);
    let serial = &found["serial"][0];
    for (place, row) in found["parallel"].as_array().expect("an array").iter().enumerate() {
        let speedup = number(&serial["seconds"]) / number(&row["seconds"]);
        assert!(close(number(&row["speedup"]["total"]), speedup), "{row}");
        let overhead = number(&row["nodes"]) / number(&serial["nodes"]) - 1.0;
        assert!(close(number(&row["search_overhead"]["total"]), overhead), "{row}");
        for (name, of) in [("speedup", "speedups"), ("ceiling_share", "ceiling_shares")] {
            let each = positions.iter().map(|position| number(&position[of][place]));
            let least = each.fold(f64::INFINITY, f64::min);
            assert!(close(number(&row[name]["all"]["min"]), least), "{name} of {row}");
            assert!(!row[name]["large"].is_null(), "{name} of {row}");
        }
        for position in positions {
            let ceiling = match row["threads"].as_u64() {
                Some(2) if two_cores() => number(&position["ceilings"][0]),
                _ => 1.0,
            };
            let share = number(&position["speedups"][place]) / ceiling;
            assert!(close(number(&position["ceiling_shares"][place]), share), "{position}");
        }
    }
}

fn median_of_three(mut samples: [f64; 3]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[1]
}

#[test]
fn ratios_are_medians_of_those_of_the_rounds_that_are_recorded() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let out_text = out.to_str().expect("text");
    let found =
        scaling(scratch.path(), &["--json", "--repeat", "3", "--baselines", "auto", "--out", out_text]);
    // What a contender took at a position, or of copies at once the inverse of their mean rate.
    let mut rates: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for sample in samples(&out) {
        let place = [&sample["index"], &sample["repeat"]].map(|number| number.as_u64().expect("a number"));
        let who = (sample["method"].as_str().expect("text").to_owned(), sample["threads"].as_u64());
        rates.entry((who, place)).or_default().push(1.0 / number(&sample["wall_ns"]));
    }
    let time = |method: &str, threads: u64, index, round| {
        let rates = &rates[&((method.to_owned(), Some(threads)), [index, round])];
        rates.len() as f64 / rates.iter().sum::<f64>()
    };
    let in_rounds = |of: &dyn Fn(u64) -> f64| median_of_three([1, 2, 3].map(of));
    for (place, threads) in [1, 2].into_iter().enumerate() {
        let one = |index, round| time("serial", 1, index, round);
        let many = |index, round| time("both", threads, index, round);
        let total = in_rounds(&|round| {
            (1..=50).map(|i| one(i, round)).sum::<f64>() / (1..=50).map(|i| many(i, round)).sum::<f64>()
        });
        assert!(close(number(&found["parallel"][place]["speedup"]["total"]), total), "{total} of {found}");
        for position in found["by_position"].as_array().expect("an array") {
            let index = position["index"].as_u64().expect("a number");
            let speedup = in_rounds(&|round| one(index, round) / many(index, round));
            assert!(close(number(&position["speedups"][place]), speedup), "{speedup} of {position}");
            if threads == 2 && two_cores() {
                let ceiling = |round| 2.0 * one(index, round) / time("ceiling", 2, index, round);
                let share = in_rounds(&|round| one(index, round) / many(index, round) / ceiling(round));
                assert!(close(number(&position["ceilings"][0]), in_rounds(&ceiling)), "{position}");
                assert!(close(number(&position["ceiling_shares"][place]), share), "{position}");
            }
            let measured = number(&position["decompositions"][place]["measured"]);
            assert!(close(measured, speedup), "the middle of three: {position}");
        }
    }
}

/// What there is of each part of the decomposition in a row of the report, null where nothing is.
fn factor(row: &Value, name: &str) -> Option<f64> {
    let figure = row["decomposition"].get(name).unwrap_or_else(|| panic!("{name} in {row}"));
    (!figure.is_null()).then(|| number(&figure["total"]))
}

#[test]
fn every_method_is_taken_apart() {
    let scratch = Scratch::new();
    let args = ["--json", "--repeat", "1", "--methods", "all", "--explain", "--split-depth", "2"];
    let found = scaling(scratch.path(), &[&args[..], &["--no-ceiling"]].concat());
    assert_eq!(found["values_equal"], true);
    let rows = found["parallel"].as_array().expect("an array");
    assert_eq!(rows.len(), 2 * Method::ALL.len());
    for (row, method) in rows.iter().zip(Method::ALL.iter().flat_map(|method| [method; 2])) {
        assert_eq!(row["method"], method.name());
        let known = |name| factor(row, name).unwrap_or_else(|| panic!("{name} of {row}"));
        let causes = ["aborted", "duplicate", "rest"].map(|name| factor(row, name));
        let overhead = known("search_overhead");
        assert!(close(overhead, causes.iter().flatten().sum()), "{row}");
        assert!(close(known("measured"), number(&row["speedup"]["total"])), "{row}");
        let searches_whole_tree = matches!(method, Method::SharedTable | Method::Abdada);
        assert_eq!(causes.map(|cause| cause.is_some()), [!searches_whole_tree, !searches_whole_tree, true]);
        let idle = factor(row, "idle");
        assert_eq!(idle.is_some(), *method != Method::ForkJoin);
        let Some(idle) = idle else {
            assert_eq!((factor(row, "parked"), factor(row, "predicted")), (None, None));
            continue;
        };
        assert!(close(idle, known("waiting") + known("stealing") + known("parked")), "{row}");
        let gain = known("ordering_ratio") * number(&row["threads"]) * known("node_rate_ratio");
        assert!(close(known("predicted"), gain * (1.0 - idle) / (1.0 + overhead)), "{row}");
        assert!(close(known("residual"), known("predicted") / known("measured") - 1.0), "{row}");
    }
}

#[test]
fn what_the_workers_did_is_recorded() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let args = ["--json", "--repeat", "1", "--methods", "both,fork-join", "--out"];
    let splits = ["--split-depth", "2", "--helpers-after-us", "0"];
    scaling(scratch.path(), &[&args[..], &[out.to_str().expect("text")], &splits].concat());
    let sum = |list: &Value| list.as_array().expect("a list").iter().filter_map(Value::as_u64).sum::<u64>();
    let mut splits = 0;
    for sample in samples(&out) {
        let (workers, threads) = (&sample["workers"], sample["threads"].as_u64().expect("a number"));
        assert!(sample["split"].get("duplicate_nodes").is_none(), "nobody asked for them: {sample}");
        if matches!(sample["method"].as_str(), Some("serial" | "ceiling" | "matched-ceiling")) {
            assert!(
                workers.is_null() && sample["busy_ns"].is_null() && sample["idle_ns"].is_null(),
                "{sample}"
            );
            continue;
        }
        assert_eq!(sample["busy_ns"], sum(&workers["busy_ns"]));
        assert_eq!(workers["task_nodes"]["count"], sample["split"]["tasks"]);
        for (kind, by_depth) in workers["splits"].as_object().expect("kinds") {
            let count: u64 = by_depth.as_object().expect("depths").values().filter_map(Value::as_u64).sum();
            assert_eq!(sample["split"][format!("{kind}_splits")], count);
            splits += count;
        }
        let count = workers["busy_ns"].as_array().expect("a list").len() as u64;
        if sample["method"] == "fork-join" {
            assert_eq!(count, threads + 1, "the calling thread waits for those of the pool");
            assert!(sample["idle_ns"].is_null() && workers["idle_ns"].is_null(), "{sample}");
        } else {
            assert_eq!(count, threads);
            for name in ["idle_ns", "stealing_ns", "parked_ns"] {
                assert_eq!(sample[name], sum(&workers[name]), "{name}");
            }
        }
    }
    assert!(splits > 0, "nothing was split");
}

#[test]
fn every_search_is_recorded() {
    let scratch = Scratch::new();
    let out = scratch.path().join("made/for/this");
    let out_text = out.to_str().expect("text");
    scaling(scratch.path(), &["--json", "--repeat", "2", "--baselines", "paper", "--out", out_text]);
    let samples = samples(&out);
    let mut counts: BTreeMap<(String, u64, Option<u64>), usize> = BTreeMap::new();
    for sample in &samples {
        assert_eq!((&sample["schema"], &sample["error"]), (&6.into(), &Value::Null));
        if sample["method"] != "matched-ceiling" || sample["stopped"] == false {
            assert_eq!(sample["score"], sample["expected"]);
        }
        assert!(sample["probe_ns"].as_u64() > Some(0), "{sample}");
        assert_eq!(sample["cpu_ns"].is_u64(), cfg!(unix), "{sample}");
        assert_eq!(sample["stolen_ns"].is_u64(), cfg!(target_os = "linux"), "{sample}");
        // Who was stopped may not have begun.
        let has_nodes = sample["nodes"].as_u64() > Some(0) || sample["stopped"] == true;
        assert!(sample["wall_ns"].as_u64() > Some(0) && has_nodes, "{sample}");
        let method = sample["method"].as_str().expect("text").to_owned();
        let threads = sample["threads"].as_u64().expect("a number");
        *counts.entry((method, threads, sample["copy"].as_u64())).or_default() += 1;
    }
    let row = |method: &str, threads, copy, count| ((method.to_owned(), threads, copy), count);
    let mut expected = vec![
        row("both", 1, None, 100),
        row("both", 2, None, 100),
        row("serial", 1, None, 200), // under two orderings
    ];
    if two_cores() {
        for method in ["ceiling", "matched-ceiling"] {
            expected.extend([row(method, 2, Some(1), 100), row(method, 2, Some(2), 100)]);
        }
    }
    assert_eq!(counts, expected.into_iter().collect());
}

#[test]
fn independent_searches_visit_what_the_serial_one_visits() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let out_text = out.to_str().expect("text");
    scaling(scratch.path(), &["--json", "--repeat", "1", "--baselines", "auto", "--out", out_text]);
    let samples = samples(&out);
    let of = |method: &str| samples.iter().filter(move |s| s["method"] == method).collect::<Vec<_>>();
    let nodes: BTreeMap<_, _> =
        of("serial").iter().map(|s| (s["index"].as_u64(), s["nodes"].clone())).collect();
    let copies = of("ceiling");
    assert_eq!(copies.len(), if two_cores() { 100 } else { 0 });
    for copy in copies {
        assert_eq!(copy["nodes"], nodes[&copy["index"].as_u64()], "{copy}");
    }
}

/// Of the copies of a ceiling like for like in each turn: their nodes a second together, and whether one
/// ended.
fn matched_rates(samples: &[Value]) -> BTreeMap<[Option<u64>; 2], (f64, bool)> {
    let mut rates: BTreeMap<_, (f64, bool)> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| sample["method"] == "matched-ceiling") {
        let turn = rates.entry([sample["index"].as_u64(), sample["repeat"].as_u64()]).or_default();
        turn.0 += 1e9 * number(&sample["nodes"]) / number(&sample["wall_ns"]);
        turn.1 |= sample["stopped"] == false;
    }
    rates
}

#[test]
fn the_ceiling_like_for_like_is_of_rates_of_nodes_until_the_first_ends() {
    if !two_cores() {
        return;
    }
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let out_text = out.to_str().expect("text");
    let args = ["--json", "--repeat", "1", "--baselines", "auto", "--depth", "6", "--out", out_text];
    let found = scaling_deeper(scratch.path(), &args);
    let samples = samples(&out);
    let rates = matched_rates(&samples);
    assert!(rates.len() == 50 && rates.values().all(|(_, one_ended)| *one_ended));
    let alone: BTreeMap<_, _> = samples
        .iter()
        .filter(|sample| sample["method"] == "serial")
        .map(|s| (s["index"].as_u64(), 1e9 * number(&s["nodes"]) / number(&s["wall_ns"])))
        .collect();
    for position in found["by_position"].as_array().expect("an array") {
        let index = position["index"].as_u64();
        let ceiling = rates[&[index, Some(1)]].0 / alone[&index];
        assert!(close(number(&position["matched_ceilings"][0]), ceiling), "{ceiling} of {position}");
        let shares = [number(&position["matched_shares"][0]), number(&position["matched_shares"][1])];
        assert!(close(shares[0], number(&position["speedups"][0])), "one thread's ceiling is 1: {position}");
        assert!(close(shares[1] * ceiling, number(&position["speedups"][1])), "{position}");
    }
}

#[test]
fn order_probes_and_pins_are_told_and_balance_follows_from_the_rounds() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    let out_text = out.to_str().expect("text");
    let pin = if two_cores() && cfg!(target_os = "linux") { &["--pin"][..] } else { &[] };
    let args = ["--json", "--baselines", "auto", "--no-ceiling", "--repeat", "3", "--out", out_text];
    let found = scaling(scratch.path(), &[&args[..], pin].concat());
    // Three contenders at 50 positions: 150 rounds of a position are a multiple of 6, three are not.
    let order = &found["order"];
    assert_eq!(
        (&order["over_all"], &order["at_each"], &order["blocks"]),
        (&true.into(), &false.into(), &150.into())
    );
    assert_eq!((&order["fewest"], &order["most"]), (&50.into(), &50.into()));
    assert_eq!(found["pinned"], !pin.is_empty());
    let probed = &found["probed"];
    assert_eq!((&probed["rounds"], &probed["places"]), (&3.into(), &150.into()));
    assert!(number(&probed["median_ns"]) > 0.0 && probed["probes"].as_u64() > Some(0), "{probed}");
    assert_eq!(probed["turns"], if cfg!(unix) { 450 } else { 0 });
    let meta = std::fs::read_to_string(out.join("meta.json")).expect("a file");
    assert!(meta.contains(&format!("\"pinned\": {}", !pin.is_empty())), "{meta}");
    let intervals = &found["parallel"][1]["speedup_intervals"];
    assert_eq!(names(intervals), ["positions", "two_stage"], "of two large positions they are null");
}

#[cfg(unix)]
#[test]
fn turns_in_which_the_process_was_stopped_are_held_up() {
    let scratch = Scratch::new();
    scratch.file("one.txt", "rules size=5,run=4,full-line=reroll\n...../o..../....x/...../..... x -\n");
    let args = ["--suite", "one.txt", "--depth", "11", "--threads", "1,2", "--baselines", "auto"];
    let more = ["--table-mb", "1", "--repeat", "2", "--no-ceiling", "--json", "--out", "out"];
    let mut child = SCALING
        .command()
        .args(args.iter().chain(&more))
        .current_dir(scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    // It rests far longer than it runs, so that no turn is without a rest.
    let id = child.id().to_string();
    let signal = |name: &str| Command::new("kill").args([name, &id]).status().expect("kill runs");
    while child.try_wait().expect("the child's state").is_none() {
        signal("-STOP");
        thread::sleep(Duration::from_millis(60));
        signal("-CONT");
        thread::sleep(Duration::from_millis(4));
    }
    let output = child.wait_with_output().expect("the binary ends");
    let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let probed = &found["probed"];
    assert_eq!((&probed["turns"], &probed["held_up_turns"]), (&6.into(), &6.into()), "{probed}");
    for line in samples(&scratch.path().join("out")) {
        assert!(2.0 * number(&line["cpu_ns"]) < number(&line["wall_ns"]), "{line}");
    }
    let page = run_in(scratch.path(), REPORT, &["out"]);
    assert!(page.status.success());
    let page = std::fs::read_to_string(scratch.path().join("out/README.md")).expect("a page");
    assert!(page.contains("6 of 6 turns were held up"), "{page}");
    let heading = page.lines().next().expect("a heading");
    assert!(heading.ends_with("held up: 6 of 6 turns)"), "{heading}");
}

#[test]
fn without_ceilings_there_are_no_shares_of_them() {
    let scratch = Scratch::new();
    let found = scaling(scratch.path(), &["--json", "--repeat", "1", "--no-ceiling"]);
    assert_eq!(found["ceilings"], Value::Array(Vec::new()));
    assert_eq!(found["matched_ceilings"], Value::Array(Vec::new()));
    let shares: Vec<_> = (0..2).map(|place| found["parallel"][place]["ceiling_share"].is_null()).collect();
    assert_eq!(shares, [false, two_cores()], "one thread's ceiling is 1");
}

#[test]
fn the_depth_is_the_users_or_the_suites() {
    let scratch = Scratch::new();
    let text = "rules size=3,run=3\ndepth 5\n.../.../... x -\nx../.../... o c1\n";
    let suite = scratch.file("suite", text);
    let args = ["--json", "--table-mb", "1", "--threads", "2", "--suite", &suite, "--evaluator", "runs"];
    let found = json_in(scratch.path(), SCALING, &args);
    assert_eq!((&found["depth"], &found["positions"]), (&5.into(), &2.into()));
    let found = json_in(scratch.path(), SCALING, &[&args[..], &["--depth", "4"]].concat());
    assert_eq!((&found["depth"], &found["values_equal"]), (&4.into(), &true.into()));
}

#[test]
fn people_get_rows_for_each_contender() {
    let scratch = Scratch::new();
    let args = [&SHORT[..], &["--repeat", "1"]].concat();
    let output = run_in(scratch.path(), SCALING, &args);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    let expected = [
        "the baseline is the ordering",
        "share of ceiling",
        "search overhead",
        "all 50",
        "Where the speedup comes from",
        "node rate ratio",
        "residual",
        "abort p99",
        "All values are equal.",
        "Records: results",
    ];
    for words in expected {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done() {
    let scratch = Scratch::new();
    let out = scratch.path().join("records");
    // Depth 1 of the same suite again and again: a run that would go on for hours.
    let args = ["--json", "--depth", "1", "--table-mb", "1", "--threads", "2", "--repeat", "1000000"];
    let mut child = crate::common::start(SCALING, &args, &out);
    // More than one repeat takes: at most 3 serial searches, 4 copies and a parallel search at each position.
    crate::common::await_samples(&mut child, &out, 450);
    let output = crate::common::interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stopped by Ctrl-C"));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["stopped"], &found["positions"]), (&true.into(), &50.into()));
    assert!(samples(&out).len() >= 450);
}
