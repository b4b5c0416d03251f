//! The binary `report`: the figures are those that the experiments printed, the files follow from the records
//! alone.

use crate::common::{
    MATCH, REPORT, SCALING, SIMULATE, Scratch, json_in, line_text, meta_of, run_in, with_checksums,
    write_meta,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What all searches have in common: as small as these are, they are split all the same.
const SHORT: [&str; 12] = [
    "--depth",
    "5",
    "--table-mb",
    "1",
    "--split-depth",
    "2",
    "--split-size",
    "0",
    "--min-nodes",
    "400",
    "--json",
    "--baselines",
];

/// The same bound for what is large as in `SHORT`.
const LARGE: [&str; 2] = ["--min-nodes", "400"];

fn simulate(folder: &Path, out: &str) -> Value {
    let args = [
        "hybrid,paper",
        "--processors",
        "1,2,16",
        "--method",
        "chance-split,both,abdada",
        "--costs",
        "unit,free",
        "--seeds",
        "3",
        "--out",
        out,
    ];
    json_in(folder, SIMULATE, &[&SHORT[..], &args].concat())
}

fn measure(folder: &Path, out: &str) -> Value {
    let args = ["hybrid", "--threads", "1,2", "--repeat", "3", "--explain", "--out", out];
    json_in(folder, SCALING, &[&SHORT[..], &args].concat())
}

/// What is printed of runs as [`measure`] makes them.
const BALANCED: &str = "  order of turns: balanced over all positions (at each by itself after 6 rounds)\n";

/// What was printed, but for how much the machine was disturbed meanwhile.
fn calm(printed: Vec<u8>) -> String {
    let printed = String::from_utf8(printed).expect("UTF-8");
    let lines = printed.lines().map(|line| match line.split_once(".md (") {
        Some((page, _)) => format!("{page}.md\n"),
        None => format!("{line}\n"),
    });
    lines.collect()
}

/// Reports on folders; what was printed.
fn report(folder: &Path, args: &[&str]) -> String {
    let output = run_in(folder, REPORT, &[&LARGE[..], args].concat());
    assert!(output.status.success(), "{output:?}");
    calm(output.stdout)
}

/// The lines of `figures.csv` in a folder, by column.
fn figures(folder: &Path) -> Vec<BTreeMap<String, String>> {
    let mut table = csv::Reader::from_path(folder.join("figures.csv")).expect("figures.csv");
    table.deserialize().map(|line| line.expect("a line")).collect()
}

/// Every file in a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

/// Checks a line of `figures.csv` against a row of the JSON object; a figure has another name there.
fn is_same(line: &BTreeMap<String, String>, row: &Value, names: &[(&str, &Value)]) {
    for (name, figure) in names {
        for (part, value) in [
            ("total", &figure["total"]),
            ("all_median", &figure["all"]["median"]),
            ("large_lower_quartile", &figure["large"]["lower_quartile"]),
            ("large_upper_quartile", &figure["large"]["upper_quartile"]),
        ] {
            let found: Option<f64> = line[&format!("{name}_{part}")].parse().ok();
            match (found, value.as_f64()) {
                (Some(found), Some(value)) => {
                    assert!(
                        (found - value).abs() <= 1e-8 * value.abs() + 1e-9,
                        "{name} {part}: {found}, {value}"
                    );
                }
                (found, value) => assert_eq!(found, value, "{name} {part} of {row}"),
            }
        }
    }
}

#[test]
fn figures_are_those_that_simulate_printed() {
    let scratch = Scratch::new();
    let printed = simulate(scratch.path(), "out");
    assert!(report(scratch.path(), &["out"]).contains("README.md"));
    let lines = figures(&scratch.path().join("out"));
    let rows = printed["models"].as_array().expect("models").iter().flat_map(|model| {
        let rows = model["parallel"].as_array().expect("rows");
        rows.iter().map(|row| (model["model"].as_str().expect("a name"), row))
    });
    let mut checked = 0;
    for (model, row) in rows {
        let is_own = |line: &&BTreeMap<String, String>| {
            line["costs"] == model
                && line["method"] == row["method"]
                && line["processors"].parse().ok() == row["processors"].as_u64()
        };
        let line = lines.iter().find(is_own).unwrap_or_else(|| panic!("a line for {row}"));
        let (decomposition, span) = (&row["decomposition"], &row["span"]);
        let names = [
            ("speedup", &row["speedup"]),
            ("search_overhead", &row["search_overhead"]),
            ("idle", &decomposition["idle"]),
            ("bound", &span["bound"]),
        ];
        is_same(line, row, &names);
        checked += 1;
    }
    assert_eq!((checked, lines.len()), (2 * 3 * 3, 2 * 3 * 3));
    let found = files(&scratch.path().join("out"));
    for name in ["speedup-unit.svg", "speedup-free.svg"] {
        assert!(found.contains_key(name), "{name} among {:?}", found.keys());
    }
    let page = String::from_utf8(found["README.md"].clone()).unwrap();
    assert!(page.contains("SIMULATED") && page.contains("All values are equal."), "{page}");
}

#[test]
fn figures_are_those_that_scaling_printed() {
    let scratch = Scratch::new();
    let printed = measure(scratch.path(), "out");
    report(scratch.path(), &["out"]);
    let lines = figures(&scratch.path().join("out"));
    let rows = printed["parallel"].as_array().expect("rows");
    assert_eq!((lines.len(), rows.len()), (2, 2));
    for (line, row) in lines.iter().zip(rows) {
        assert_eq!((&line["costs"][..], line["processors"].clone()), ("real", row["threads"].to_string()));
        let names = [
            ("speedup", &row["speedup"]),
            ("ceiling_share", &row["ceiling_share"]),
            ("search_overhead", &row["search_overhead"]),
            ("idle", &row["decomposition"]["idle"]),
        ];
        is_same(line, row, &names);
    }
}

#[test]
fn a_match_has_a_page_with_its_points_and_every_figure() {
    let scratch = Scratch::new();
    let play = |game: &[&str], out: &str| {
        let args = ["--one", "depth=2,table-mb=1", "--two", "random", "--jobs", "1", "--json", "--out", out];
        json_in(scratch.path(), MATCH, &[game, &args].concat())
    };
    let pig = play(&["--game", "pig", "--rules", "target=10", "--games", "8"], "results/pig");
    let score = play(&["--game", "2048", "--games", "2", "--max-plies", "60"], "results/score");
    // Nothing of a match is drawn, but the page over all is made.
    let written = "results/pig/README.md\nresults/score/README.md\nresults/index.html\n";
    assert_eq!(report(scratch.path(), &[]), written);
    let folder = |name: &str| scratch.path().join("results").join(name);
    let page = |name: &str| fs::read_to_string(folder(name).join("README.md")).unwrap();
    for words in
        ["| game | pig, target=10,die=6 |", "| one | depth=2,table-mb=1, evaluator ", "| two | random |"]
    {
        assert!(page("pig").contains(words), "{words} in {}", page("pig"));
    }
    let points = format!("* points a game for one: {:.4} (95%: ", pig["points"]["mean"].as_f64().unwrap());
    assert!(page("pig").contains(&points) && page("pig").contains("* one won "), "{}", page("pig"));
    assert!(
        page("score").contains("* one's score is higher by ") && page("score").contains("| mean score |")
    );
    assert!(page("score").contains("2 games were left unfinished") && page("score").contains("| how "));
    let value = |name: &str, figure: &str, who: &str| {
        let is_it = |line: &&BTreeMap<String, String>| line["figure"] == figure && line["setting"] == who;
        let line = figures(&folder(name)).iter().find(is_it).cloned();
        line.unwrap_or_else(|| panic!("{name}: {figure} of {who}"))["value"].parse::<f64>().unwrap()
    };
    for (name, figure, who, printed) in [
        ("pig", "points", "one", &pig["points"]["mean"]),
        ("pig", "win_rate", "one", &pig["win_rate"]["mean"]),
        ("pig", "lost", "one", &pig["wins"][2]),
        ("pig", "nodes_a_move", "one", &pig["one"]["nodes_a_move"]),
        ("score", "score_mean", "two", &score["two"]["scores"]["mean"]),
        ("score", "unfinished", "", &score["unfinished"]),
    ] {
        let (found, printed) = (value(name, figure, who), printed.as_f64().unwrap());
        assert!((found - printed).abs() < 1e-8, "{name}: {figure} is {found}, not {printed}");
    }
    assert_eq!(report(scratch.path(), &["--seal", "results/pig"]), "results/pig\n");
    assert!(folder("pig").join("records.tar.xz").exists() && !folder("pig").join("figures.csv").exists());
    assert_eq!(report(scratch.path(), &["--check"]), "");
    fs::copy(folder("score").join("figures.csv"), folder("pig").join("figures.csv")).unwrap();
    let output = run_in(scratch.path(), REPORT, &["--check", "results/pig"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("results/pig/figures.csv is not"));
}

#[test]
fn a_match_whose_games_are_there_twice_is_refused() {
    let scratch = Scratch::new();
    let args = ["--game", "pig", "--rules", "target=5", "--one", "random", "--two", "random", "--games", "2"];
    assert!(run_in(scratch.path(), MATCH, &[&args[..], &["--out", "out"]].concat()).status.success());
    let samples = scratch.path().join("out/samples.jsonl");
    let text = fs::read_to_string(&samples).unwrap();
    fs::write(&samples, with_checksums(&text.repeat(2))).unwrap();
    let output = run_in(scratch.path(), REPORT, &["out"]);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
    assert!(complaint.contains("expected every game once") && complaint.contains("line 3"), "{complaint}");
}

#[test]
fn the_same_records_give_the_same_files_and_others_are_noticed() {
    let scratch = Scratch::new();
    let results = scratch.path().join("results");
    simulate(scratch.path(), "results/one");
    measure(scratch.path(), "results/two");
    // Neither has samples of searches, nor is there a page to check.
    fs::create_dir(results.join("three")).unwrap();
    fs::write(results.join("three/README.md"), "no page of a report").unwrap();
    assert_eq!(report(scratch.path(), &["--check"]), "");
    let written = format!("results/one/README.md\nresults/two/README.md\n{BALANCED}results/index.html\n");
    assert_eq!(report(scratch.path(), &[]), written);
    let first = ["one", "two"].map(|name| files(&results.join(name)));
    report(scratch.path(), &["results/two", "results/one"]);
    assert_eq!(["one", "two"].map(|name| files(&results.join(name))), first);
    assert_eq!(report(scratch.path(), &["--check"]), "");

    let samples = results.join("one/samples.jsonl");
    let text = fs::read_to_string(&samples).unwrap();
    // A search that counts, whichever the order in which the searches have ended.
    let nodes = |line: &&str| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["threads"] == 16).then(|| line["nodes"].as_u64())
    };
    let largest = text.lines().max_by_key(nodes).unwrap();
    fs::write(&samples, with_checksums(&text.replacen(&format!("{largest}\n"), "", 1))).unwrap();
    fs::write(results.join("two/speedup.svg"), "<svg/>").unwrap();
    fs::write(results.join("two/speedup-gone.svg"), "<svg/>").unwrap();
    let page = fs::read(results.join("index.html")).unwrap();
    let output = run_in(scratch.path(), REPORT, &[&LARGE[..], &["--check"]].concat());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    for name in [
        "results/one/README.md",
        "results/one/figures.csv",
        "results/two/speedup.svg",
        "results/two/speedup-gone.svg",
        "results/index.html",
    ] {
        assert!(complaint.contains(name), "{name} in {complaint}");
    }
    assert!(!complaint.contains("results/two/README.md"), "{complaint}");
    assert_eq!(fs::read_to_string(results.join("two/speedup.svg")).unwrap(), "<svg/>");
    assert_eq!(fs::read(results.join("index.html")).unwrap(), page);
}

#[test]
fn a_page_is_over_the_folders_that_are_named_and_replaces_nothing_else() {
    let scratch = Scratch::new();
    measure(scratch.path(), "one");
    let (folder, page) = (scratch.path(), scratch.path().join("all.html"));
    // Records of another kind are passed over, and no folder is written to.
    fs::create_dir(folder.join("other")).unwrap();
    fs::write(folder.join("other/samples.jsonl"), "").unwrap();
    fs::write(folder.join("other/meta.json"), r#"{"schema": 3, "experiment": "stress"}"#).unwrap();
    assert_eq!(report(folder, &["--page", "all.html", "one", "other"]), "all.html\n");
    assert!(!folder.join("one/README.md").exists());
    let made = fs::read_to_string(&page).unwrap();
    assert!(made.contains("\"name\":\"one\"") && !made.contains("\"name\":\"other\""), "{made}");
    assert_eq!(report(folder, &["--check", "--page", "all.html", "one"]), "");
    // The library makes the same page; there the bound for what is large is the usual one.
    starsplit_experiments::report::site::write(&page, &[folder.join("one")]).unwrap();
    let output = run_in(folder, REPORT, &["--check", "--page", "all.html", "one"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");

    let refuses = |args: &[&str], words: &str| {
        let output = run_in(folder, REPORT, &[&["--page"], args].concat());
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(words), "{words} in {complaint}");
    };
    refuses(&["all.html"], "FOLDER");
    refuses(&["all.html", "other"], "expected records of curves in one of 1 folders");
    refuses(&["all.html", "none"], "expected one with samples.jsonl");
    refuses(&["nowhere/all.html", "one"], "expected one that can be written");
    fs::write(&page, "somebody's own").unwrap();
    refuses(&["all.html", "one"], "expected none, or one that report has made");
    assert_eq!(fs::read_to_string(&page).unwrap(), "somebody's own");
}

#[test]
fn folders_without_records_of_curves_are_refused_by_name_and_left_out_otherwise() {
    let scratch = Scratch::new();
    measure(scratch.path(), "results/good");
    let refuses = |named: &str, words: &str| {
        let output = run_in(scratch.path(), REPORT, &[named]);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(named) && complaint.contains(words), "{complaint}");
    };
    let good = scratch.path().join("results/good");
    let (meta, samples) = ["meta.json", "samples.jsonl"].map(|name| good.join(name)).into();
    let (old_meta, old_samples) = (fs::read(&meta).unwrap(), fs::read_to_string(&samples).unwrap());
    let own = meta_of(meta.parent().unwrap());
    let changed = |name: &str, value: Value| {
        let mut changed = own.clone();
        changed[name] = value;
        write_meta(&good, &changed);
    };
    refuses("results/none", "samples.jsonl");
    fs::write(&samples, old_samples.replacen("\"nodes\":", "\"knots\":", 1)).unwrap();
    refuses("results/good", "line 1");
    fs::write(&samples, "").unwrap();
    refuses("results/good", "serial search");
    let first = old_samples.lines().next().unwrap();
    fs::write(&samples, with_checksums(&format!("{old_samples}{first}\n"))).unwrap();
    refuses("results/good", "the same run was there before");
    let mut line: Value = serde_json::from_str(first).unwrap();
    line["wall_ns"] = 0.into();
    fs::write(&samples, format!("{line}\n")).unwrap();
    refuses("results/good", "expected a checksum at its end");
    fs::write(&samples, line_text(&line, 1) + "\n").unwrap();
    refuses("results/good", "in 0 ns");
    fs::write(&samples, &old_samples).unwrap();
    changed("schema", 1_000.into());
    refuses("results/good", "schema");
    for (name, value) in [("depth", 4_294_967_301_u64), ("positions", u64::MAX), ("positions", 0)] {
        let mut settings = own["settings"].clone();
        settings[name] = value.into();
        changed("settings", settings);
        refuses("results/good", name);
    }
    changed("experiment", "stress".into());
    refuses(
        "results/good",
        "expected records of scaling, compare, simulate, study, paper_tables, tuning or match",
    );
    for (retired, last) in [("windows", "1875a700"), ("devices", "7a4c2bf0")] {
        changed("experiment", retired.into());
        refuses("results/good", &format!("retired, revision {last} had it last"));
    }
    assert_eq!(report(scratch.path(), &[]), "");
    fs::write(&meta, &old_meta).unwrap();
    fs::write(good.join("README.md"), "notes").unwrap();
    refuses("results/good", "page");
    assert_eq!(fs::read_to_string(good.join("README.md")).unwrap(), "notes");
    fs::remove_file(good.join("README.md")).unwrap();
    // One folder that cannot be read keeps no other from its report.
    fs::create_dir(scratch.path().join("results/bad")).unwrap();
    fs::write(scratch.path().join("results/bad/meta.json"), &old_meta).unwrap();
    fs::write(scratch.path().join("results/bad/samples.jsonl"), "{}\n").unwrap();
    let output = run_in(scratch.path(), REPORT, &[]);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("results/bad") && complaint.contains("1 of its folders"), "{complaint}");
    assert_eq!(calm(output.stdout), format!("results/good/README.md\n{BALANCED}results/index.html\n"));
}

#[test]
fn simulated_records_that_contradict_themselves_are_refused() {
    let scratch = Scratch::new();
    simulate(scratch.path(), "out");
    let samples = scratch.path().join("out/samples.jsonl");
    let old = fs::read_to_string(&samples).unwrap();
    let lines: Vec<Value> = old.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let parallel = lines.iter().find(|line| line["threads"] == 16).unwrap();
    let refuses = |change: &dyn Fn(&mut Value), words: &str| {
        let mut line = parallel.clone();
        change(&mut line);
        fs::write(&samples, format!("{old}{}\n", line_text(&line, lines.len() + 1))).unwrap();
        let output = run_in(scratch.path(), REPORT, &["out"]);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(words), "{words} in {complaint}");
        assert!(!scratch.path().join("out/README.md").exists());
    };
    refuses(&|_| (), "the same search was there before");
    refuses(&|line| line["simulated"]["costs"]["steal"] = 7.into(), "one set of costs under the name");
    refuses(&|line| line["simulated"]["model"] = "other".into(), "the same search");
    refuses(&|line| line["index"] = 0.into(), "positions from 1 to 50, not 0");
    refuses(&|line| line["index"] = 51.into(), "positions from 1 to 50, not 51");
    refuses(&|line| line["method"] = "luck".into(), "luck");
    refuses(&|line| line["threads"] = 2_000.into(), "2000 threads");
    refuses(
        &|line| {
            line["seed"] = 9.into();
            line["simulated"]["seed"] = 9.into();
            line["position"] = "elsewhere".into();
        },
        "one position of each index",
    );
}

/// A folder with records that are kept, sealed but not reported on yet.
fn kept() -> Scratch {
    let scratch = Scratch::new();
    let results = scratch.path().join("results");
    measure(scratch.path(), "results/current/scaling/some-2");
    let own = results.join("current/scaling/some-2");
    let mut meta = meta_of(&own);
    meta["machine"]["cpu"] = serde_json::json!({"name": "Some"});
    meta["machine"]["cores"] = 2.into();
    for (folder, spec) in [
        ("current/scaling/some-2", Value::Null),
        (
            "current/quick/some-2/real",
            serde_json::json!({"name": "quick", "question": "How?", "reading": "So."}),
        ),
        ("old/2026-01-01-scaling", Value::Null),
    ] {
        meta["spec"] = spec;
        let folder = results.join(folder);
        fs::create_dir_all(&folder).unwrap();
        write_meta(&folder, &meta);
        if folder != own {
            fs::copy(own.join("samples.jsonl"), folder.join("samples.jsonl")).unwrap();
        }
    }
    let spec =
        "question = \"How?\"\nreading = \"So.\"\n[[runs]]\nname = \"real\"\nexperiment = \"scaling\"\n";
    fs::write(results.join("current/quick/some-2/spec.toml"), spec).unwrap();
    let sealed = [
        "current/scaling/some-2",
        "current/quick/some-2/real",
        "current/quick/some-2",
        "old/2026-01-01-scaling",
    ];
    let sealed = sealed.map(|name| format!("results/{name}"));
    let named = [&["--seal"], &[&sealed[0], &sealed[2], &sealed[3]].map(String::as_str)[..]].concat();
    assert_eq!(report(scratch.path(), &named), sealed.join("\n") + "\n");
    assert_eq!(report(scratch.path(), &named), "", "nothing is left to seal");
    scratch
}

#[test]
fn sealed_records_show_the_same_and_tell_their_revision() {
    let scratch = kept();
    let own = scratch.path().join("results/current/scaling/some-2");
    assert!(own.join("records.tar.xz").exists() && !own.join("samples.jsonl").exists());
    let meta = |folder: &Path| -> Value {
        serde_json::from_slice(&fs::read(folder.join("meta.json")).unwrap()).unwrap()
    };
    assert_eq!(meta(&own)["revision"], meta(&own)["program"]["built_from"]["revision"]);
    let over = meta(&scratch.path().join("results/current/quick/some-2"));
    assert_eq!(
        (&over["spec"]["name"], &over["settings"]["runs"], &over["machine"]["cores"]),
        (&"quick".into(), &serde_json::json!(["real"]), &2.into())
    );
    assert!(over.get("revision").is_some());
    // The same records that are not sealed give the same report.
    let plain = scratch.path().join("some-2");
    fs::create_dir(&plain).unwrap();
    let unpacked = std::process::Command::new("tar")
        .arg("-xJf")
        .arg(own.join("records.tar.xz"))
        .current_dir(&plain)
        .status();
    assert!(unpacked.unwrap().success() && plain.join("samples.jsonl").exists());
    for name in ["meta.json", "records.tar.xz"] {
        fs::copy(own.join(name), plain.join(name)).unwrap();
    }
    report(scratch.path(), &["some-2", "results/current/scaling/some-2"]);
    for name in ["figures.csv", "speedup.svg"] {
        assert_eq!(fs::read(own.join(name)).unwrap(), fs::read(plain.join(name)).unwrap(), "{name}");
    }
    let page = |folder: &Path| fs::read_to_string(folder.join("README.md")).unwrap();
    assert_eq!(page(&own), page(&plain).replacen("# some-2", "# scaling/some-2", 1));
    let bad = scratch.path().join("bad");
    fs::create_dir(&bad).unwrap();
    let output = run_in(scratch.path(), REPORT, &["--seal", "bad"]);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && complaint.contains("folder bad: expected a meta.json"),
        "{complaint}"
    );
}

/// Seals what is kept again; the folders that had something left.
fn seal_again(folder: &Path) -> String {
    report(folder, &["--seal", "results/current/quick/some-2", "results/current/scaling/some-2"])
}

#[test]
fn all_records_below_results_are_reported_on_but_for_those_of_retired_studies() {
    let scratch = kept();
    let folder = scratch.path();
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let retired = folder.join("results/current/windows/some-2");
    fs::create_dir_all(retired.join("dice")).unwrap();
    let spec = text("results/current/quick/some-2/spec.toml").replace("\"scaling\"", "\"windows\"");
    fs::write(retired.join("spec.toml"), spec).unwrap();
    fs::write(retired.join("README.md"), "as it was").unwrap();
    fs::write(retired.join("dice/samples.jsonl"), "{}\n").unwrap();
    // What is sealed needs no page of its own; what it has of a report is made again.
    assert_eq!(report(folder, &[]), "results/index.html\n");
    assert_eq!(report(folder, &["--check"]), "");
    assert!(!folder.join("results/current/scaling/some-2/README.md").exists());
    let written = format!(
        "results/current/quick/some-2/real/README.md\n{BALANCED}results/current/quick/some-2/index.html\n\
         results/current/scaling/some-2/README.md\n{BALANCED}"
    );
    assert_eq!(report(folder, &["results/current/quick/some-2", "results/current/scaling/some-2"]), written);
    assert_eq!(report(folder, &["--check"]), "");
    assert_eq!(fs::read_to_string(retired.join("README.md")).unwrap(), "as it was");
    assert!(text("results/current/quick/some-2/README.md").starts_with("# quick/some-2\n"));
    assert!(text("results/current/quick/some-2/real/README.md").starts_with("# quick/some-2/real"));
    assert!(text("results/index.html").contains("\"name\":\"2026-01-01-scaling\""));
    assert_eq!(seal_again(folder), "results/current/quick/some-2/real\nresults/current/scaling/some-2\n");
    assert_eq!(report(folder, &["--check"]), "");
    let figures = "results/current/quick/some-2/real/figures.csv";
    let kept = fs::read(folder.join("results/current/quick/some-2/records.tar.xz")).unwrap();
    assert!(!folder.join(figures).exists());
    report(folder, &["results/current/quick/some-2"]);
    let found = text(figures);
    assert_eq!(seal_again(folder), "results/current/quick/some-2/real\n");
    assert!(fs::read(folder.join("results/current/quick/some-2/records.tar.xz")).unwrap() == kept);
    // What differs from the archive is named, made anew beside it, and sealed.
    fs::write(folder.join(figures), format!("{found}\n")).unwrap();
    seal_again(folder);
    let output = run_in(folder, REPORT, &[&LARGE[..], &["--check"]].concat());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), complaint),
        (Some(1), format!("report: {figures} is not what its records show\n"))
    );
    report(folder, &[]);
    assert_eq!((text(figures), report(folder, &["--check"])), (found.clone(), String::new()));
    fs::write(folder.join(figures), format!("{found}\n")).unwrap();
    report(folder, &[]);
    assert_eq!(text(figures), found);
    let page = "results/current/quick/some-2/README.md";
    fs::write(folder.join(page), text(page).replacen("So.", "Not so.", 1)).unwrap();
    let output = run_in(folder, REPORT, &[&LARGE[..], &["--check"]].concat());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), complaint),
        (Some(1), format!("report: {page} is not what its records show\n"))
    );
}
