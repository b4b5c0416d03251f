//! The command `search`: known values, the JSON object, limits.

use crate::common::{SEARCH, Scratch, json_in, names, run_in};
use serde_json::{Value, json};
use starsplit::search::Method;
use std::process::{Command, Stdio};

fn search(args: &[&str]) -> Value {
    let scratch = Scratch::new();
    json_in(scratch.path(), SEARCH, &[&["--json", "--table-mb", "4"], args].concat())
}

#[test]
fn small_boards_have_their_known_values() {
    for (rules, expected) in
        [("size=2,run=2", 1.0), ("size=3,run=2", 53.0 / 81.0), ("size=3,run=3", 6079.0 / 17496.0)]
    {
        for algorithm in ["expectimax", "star1", "star2", "star2-tt"] {
            // Expectimax visits every line of play: on 3x3 with runs of 3 that is millions, so give it the
            // table.
            let table = if algorithm == "star2-tt" { "all" } else { "decision" };
            let found =
                search(&["--rules", rules, "--depth", "full", "--algorithm", algorithm, "--table", table]);
            let value = found["value"].as_f64().expect("a value");
            assert!((value - expected).abs() < 1e-6, "{rules} {algorithm}: {value}, expected {expected}");
            assert_eq!(found["exact"], true);
            assert_eq!((&found["lower"], &found["upper"]), (&found["score"], &found["score"]));
        }
    }
}

/// The probability of 32 on 2 by 2, by the layer tranche builder's test of jdleesmiller/twenty48; and a race
/// that gnubg's database of bear-offs has.
#[test]
fn games_are_searched_to_their_end() {
    let to_the_end = |args: &[&str]| search(&[args, &["--depth", "full"]].concat());
    for threads in ["1", "2"] {
        let rules = "size=2,end=32,score=target";
        let found = to_the_end(&[
            "--game",
            "2048",
            "--rules",
            rules,
            "--threads",
            threads,
            "--evaluator",
            "constant",
        ]);
        let probability = found["value"].as_f64().expect("a value");
        assert!((probability - 0.082_887_289_071_554_14).abs() < 1e-6, "{probability}");
        assert_eq!(found["exact"], true);
    }
    let (id, equity) = bear_off();
    let found = to_the_end(&["--game", "backgammon", "--position", &id]);
    let value = found["value"].as_f64().expect("a value");
    assert!((value - equity).abs() < 1.6e-4, "{value}, expected {equity}");
}

/// A position of gnubg's database, and its equity.
fn bear_off() -> (String, f64) {
    let numbers: Value =
        serde_json::from_str(include_str!("../../games/oracles/gnubg_bearoff.json")).expect("JSON");
    let one = &numbers["positions"][100];
    (one["id"].as_str().expect("an id").to_owned(), one["equity"].as_f64().expect("a number"))
}

#[test]
fn the_object_has_its_fields() {
    let found = search(&["--depth", "4", "--position", "...../..x../..o../...../..... x r3"]);
    let mut expected = vec![
        "game",
        "position",
        "depth",
        "algorithm",
        "evaluator",
        "value",
        "score",
        "lower",
        "upper",
        "exact",
        "contradictions",
        "best_move",
        "line",
        "line_stopped",
        "nodes",
        "decision_nodes",
        "chance_nodes",
        "leaves",
        "seconds",
        "table",
        "table_file",
        "evaluations",
        "successor_probes",
        "stopped",
        "interrupted",
        "simulated",
        "trace",
        "tree",
        "ranked",
        "chosen",
        "batches",
        "smaller_game",
    ];
    expected.sort_unstable();
    let mut found_names = names(&found);
    found_names.sort_unstable();
    assert_eq!(found_names, expected);
    assert_eq!((&found["game"], &found["contradictions"]), (&"dice".into(), &0.into()));
    assert_eq!(found["position"], "...../..x../..o../...../..... x r3");
    assert_eq!((found["depth"].as_u64(), found["algorithm"].as_str()), (Some(4), Some("star2-tt")));
    assert!(found["best_move"].as_str().is_some_and(|mv| mv.ends_with('3')), "{found}");
    let count = |name: &str| found[name].as_u64().expect("a count");
    assert_eq!(count("nodes"), count("decision_nodes") + count("chance_nodes") + count("leaves"));
    assert!(found["table"]["probes"].as_u64() > Some(0), "{found}");
    let absent =
        ["stopped", "interrupted", "line_stopped", "simulated", "trace", "tree", "ranked", "table_file"];
    for absent in absent {
        assert_eq!(found[absent], Value::Null, "{absent}");
    }
}

#[test]
fn the_best_moves_are_ranked_and_the_others_are_bounded() {
    let found = search(&["--position", "x.o../..x../.oo../.x..o/...x. x r3", "--depth", "6", "--top", "2"]);
    let ranked = found["ranked"].as_array().expect("moves");
    assert_eq!(ranked.len(), 3, "{found}");
    assert_eq!((&ranked[0]["move"], &ranked[0]["value"]), (&found["best_move"], &found["value"]));
    assert!(ranked[1]["value"].as_f64() <= ranked[0]["value"].as_f64(), "{found}");
    assert!(ranked[2]["value"].is_null() && ranked[2]["upper"].as_i64() <= ranked[1]["lower"].as_i64());
}

#[test]
fn before_a_roll_each_has_its_value_and_the_reply() {
    let found = search(&["--depth", "5", "--top", "1"]);
    let rolls = found["ranked"].as_array().expect("rolls");
    let (mut sum, mut weights) = (0.0, 0.0);
    for roll in rolls {
        let weight = roll["weight"].as_f64().expect("a weight");
        sum += weight * roll["value"].as_f64().expect("a value");
        weights += weight;
        assert!(roll["roll"].is_string() && roll["reply"].is_string() && roll["lower"] == roll["upper"]);
    }
    assert!((sum / weights - found["value"].as_f64().expect("a value")).abs() < 1e-6, "{found}");
}

#[test]
fn there_is_no_best_move_before_the_roll() {
    assert_eq!(search(&["--depth", "3"])["best_move"], Value::Null);
}

#[test]
fn the_line_goes_down_to_the_depth_in_the_games_words() {
    let scratch = Scratch::new();
    for args in [&[][..], &["--algorithm", "star2", "--table", "none"], &["--simulate", "unit"]] {
        let found = search(&[&["--depth", "5"], args].concat());
        let line: Vec<_> = found["line"].as_array().expect("a list").iter().map(names).collect();
        assert_eq!(line, [["outcome"], ["move"], ["outcome"], ["move"], ["outcome"]], "{args:?}");
        assert_eq!((&found["line"][0]["outcome"], &found["line_stopped"]), (&"row 1".into(), &Value::Null));
        assert!(found["line"][1]["move"].as_str().is_some_and(|mv| mv.ends_with('1')), "{found}");
    }
    let output = run_in(scratch.path(), SEARCH, &["--depth", "3", "--table-mb", "1"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let line = text.lines().find_map(|line| line.strip_prefix("line         [row 1], ")).expect(&text);
    assert!(["a1", "b1", "c1", "d1", "e1"].iter().any(|mv| line == format!("{mv}, [column a]")), "{line}");
}

#[test]
fn whatever_the_options_the_score_is_the_same() {
    let position = ["--depth", "6", "--position", "x..../..x../..o../...../o.... x r1"];
    let score = |args: &[&str]| search(&[&position[..], args].concat())["score"].as_i64().expect("exact");
    let expected = score(&["--algorithm", "expectimax"]);
    for args in [
        &["--algorithm", "expectimax", "--table", "all"][..],
        &["--algorithm", "star1", "--table", "none"],
        &["--algorithm", "star2", "--probing-factor", "3"],
        &["--ordering", "static"],
        &["--ordering", "paper", "--threads", "3", "--split-depth", "2"],
    ] {
        assert_eq!(score(args), expected, "{args:?}");
    }
    for &method in Method::ALL {
        let args = ["--threads", "2", "--split-depth", "2", "--method", method.name()];
        assert_eq!(score(&args), expected, "{args:?}");
    }
}

#[test]
fn the_value_is_told_for_the_player_to_act() {
    // The second player has rolled the column in which a checker wins at once; then one that wins nothing.
    let value = |roll: &str| {
        let position = format!("x.../..../o..x/.... o {roll}");
        search(&["--rules", "size=4,run=2", "--depth", "1", "--position", &position])["value"].as_f64()
    };
    assert_eq!(value("c2"), Some(1.0));
    assert_eq!(value("c4"), Some(0.0));
}

#[test]
fn a_node_limit_stops_the_search_and_says_so() {
    let found = search(&["--depth", "25", "--nodes", "20000"]);
    assert_eq!(found["stopped"], "nodes");
    assert!(found["depth"].as_u64() < Some(25) && found["depth"].as_u64() > Some(0), "{found}");
    assert!(found["interrupted"]["depth"].as_u64() > found["depth"].as_u64(), "{found}");
    assert!(found["interrupted"]["lower"].as_i64() <= found["interrupted"]["upper"].as_i64(), "{found}");
    // The line is that of the last iteration completed.
    let steps = found["line"].as_array().map(|line| line.len() as u64);
    assert_eq!((steps, &found["line_stopped"]), (found["depth"].as_u64(), &Value::Null));
}

#[test]
fn a_time_limit_stops_the_search() {
    assert_eq!(search(&["--depth", "49", "--time-ms", "1"])["stopped"], "time");
}

#[test]
fn a_simulated_search_is_said_to_be_one_and_repeats() {
    let position = ["--depth", "7", "--split-depth", "3", "--split-size", "0"];
    let score = search(&position)["score"].clone();
    for (costs, threads) in [("unit", 16), ("free", 16), ("unit", 1)] {
        let threads = threads.to_string();
        let args = [&position[..], &["--simulate", costs, "--threads", &threads, "--seed", "5"]].concat();
        let (found, again) = (search(&args), search(&args));
        assert_eq!(found["score"], score, "{args:?}");
        assert_eq!(
            (&found["simulated"], &found["nodes"]),
            (&again["simulated"], &again["nodes"]),
            "{args:?}"
        );
        let simulated = &found["simulated"];
        assert_eq!((&simulated["costs"], &simulated["seed"]), (&Value::from(costs), &Value::from(5)));
        assert_eq!(simulated["processors"].to_string(), threads);
        assert!(simulated["virtual_time"].as_u64() > Some(0), "{found}");
        assert!(simulated["events"].as_u64() >= found["nodes"].as_u64(), "{found}");
    }
    let scratch = Scratch::new();
    let costs =
        json!({"node": 1, "evaluation": 0, "table": 0, "poll": 0, "split": 0, "steal": 0, "failed_steal": 0});
    let file = scratch.file("costs.json", "");
    for (text, is_good) in [("{}".to_owned(), false), (costs.to_string(), true)] {
        std::fs::write(&file, text).unwrap();
        let args = [&position[..], &["--simulate", &file, "--threads", "1", "--json"]].concat();
        let output = run_in(scratch.path(), SEARCH, &args);
        assert_eq!(output.status.success(), is_good, "{output:?}");
        if is_good {
            // Nodes alone cost, and one each: the same as free.
            let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(found["simulated"]["virtual_time"], found["nodes"]);
            assert_eq!(found["simulated"]["costs"], file.as_str());
        }
    }
    let output = run_in(scratch.path(), SEARCH, &["--depth", "4", "--simulate", "unit", "--threads", "3"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for words in ["3 virtual processors, costs unit, seed 1", "virtual time "] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
}

#[test]
fn people_get_text_and_help_explains() {
    let scratch = Scratch::new();
    let output = run_in(scratch.path(), SEARCH, &["--depth", "2", "--table-mb", "1"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success() && text.contains("algorithm    star2-tt"), "{text}");
    let help = run_in(scratch.path(), SEARCH, &["--help"]);
    let text = String::from_utf8(help.stdout).expect("UTF-8");
    for words in ["about to roll or to move", "full-line is reroll", "--time-ms", "network:FILE"] {
        assert!(text.contains(words), "help without {words:?}: {text}");
    }
    assert_eq!((help.status.code(), help.stderr.len()), (Some(0), 0));
}

#[test]
fn a_reader_that_leaves_early_is_no_panic() {
    let mut child = SEARCH
        .command()
        .args(["--depth", "5", "--table-mb", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn the_program_of_all_commands_lists_them_and_names_what_is_none() {
    let run =
        |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_starsplit")).args(args).output().expect("it runs");
    for args in [&[][..], &["--help"]] {
        let output = run(args);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && output.stderr.is_empty(), "{text}");
        for line in ["  compare ", "  search          Search one position to a fixed depth", "  perft "] {
            assert!(text.lines().any(|found| found.starts_with(line)), "{line} in {text}");
        }
    }
    let version = String::from_utf8(run(&["--version"]).stdout).expect("UTF-8");
    assert!(version.starts_with("starsplit 0."), "{version}");
    let usage = String::from_utf8(run(&["perft", "--help"]).stdout).expect("UTF-8");
    assert!(usage.contains("Usage: starsplit perft"), "{usage}");
    let refused = run(&["serach", "--depth", "3"]);
    let complaint = String::from_utf8(refused.stderr).expect("UTF-8");
    assert_eq!((refused.status.code(), refused.stdout.len(), complaint.lines().count()), (Some(2), 0, 1));
    assert_eq!(complaint, "error: command serach: expected such as search\n");
    let complaint = String::from_utf8(run(&["zzz"]).stderr).expect("UTF-8");
    assert!(complaint.starts_with("error: command zzz: expected one of search, play"), "{complaint}");
    let complaint = String::from_utf8(run(&["search", "--deph", "3"]).stderr).expect("UTF-8");
    assert!(complaint.contains("such as --depth") && complaint.lines().count() == 1, "{complaint}");
    let help = String::from_utf8(run(&["help", "search"]).stdout).expect("UTF-8");
    assert!(help.contains("Usage: starsplit search") && help.contains("Example: starsplit search"), "{help}");
    let short = run(&["search", "-g", "pig", "-d", "3", "-t", "1"]);
    assert!(short.status.success(), "{short:?}");
    let completions = String::from_utf8(run(&["completions", "bash"]).stdout).expect("UTF-8");
    assert!(completions.contains("--tree-beside"), "completions of every flag");
    assert!(completions.contains("hyper-backgammon"), "and of names that are known");
}
