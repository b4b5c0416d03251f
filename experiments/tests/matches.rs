//! Matches: paired rolls, points, intervals, records, Ctrl-C, and commands that speak the line protocol.

use crate::common::{
    ENGINE, MATCH, Scratch, await_samples, interrupt, json_in, run_in, samples, start, toy, without_seal,
};
use clap::Parser;
use serde_json::Value;
use starsplit::search::StopFlag;
use starsplit_experiments::matches::report::MatchReport;
use starsplit_experiments::matches::{MatchArgs, Played, play_out};
use starsplit_experiments::question::doors;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Small tables, so that games cost little.
const SHALLOW: &str = "depth=2,table-mb=1";

/// Plays a match of the toy in this process.
fn toy_match(players: u8, rounds: u8, out: &Path, args: &[&str]) -> (MatchReport, Vec<Value>) {
    let folder = out.to_str().expect("text");
    let args = [&["match", "--jobs", "2", "--out", folder], args].concat();
    let args = MatchArgs::try_parse_from(args).expect("flags of a match");
    let played = play_out(&args, &toy::door(players, rounds), &StopFlag::new()).expect("a match");
    let Played { report, stopped, folder } = played;
    assert!(!stopped && folder == out);
    (report, sorted(samples(out)))
}

/// Lines in the order of their games, without what differs from run to run.
fn sorted(mut lines: Vec<Value>) -> Vec<Value> {
    lines.sort_by_key(|line| line["number"].as_u64());
    for line in &mut lines {
        without_seal(line);
        for side in ["one", "two"] {
            line[side].as_object_mut().expect("an object").remove("time_ns");
        }
    }
    lines
}

/// The position in which a game was left.
fn end(line: &Value) -> &str {
    line["position"].as_str().expect("a position")
}

#[test]
fn points_are_rewards_and_the_end_in_the_games_units() {
    let scratch = Scratch::new();
    let args = ["--games", "20", "--one", "greedy,table-mb=1", "--two", SHALLOW];
    let (report, lines) = toy_match(2, 7, &scratch.path().join("out"), &args);
    assert_eq!((report.players, report.games, report.pairs, report.wins), (2, 20, 10, None));
    for line in &lines {
        let for_max = f64::from(toy::points(end(line), 2) + 1);
        let is_one = line["number"].as_u64().unwrap() % 2 == 1;
        assert_eq!(line["points"].as_f64(), Some(if is_one { for_max } else { -for_max }), "{line}");
        assert_eq!((&line["plies"], &line["finished"]), (&14.into(), &true.into()));
    }
    // Both choose alike, so that the two games of a pair cancel out.
    let points = report.points.unwrap();
    assert_eq!((points.mean, points.low, points.high), (0.0, Some(0.0), Some(0.0)));
    assert_eq!((report.one.moves, report.two.moves), (70, 70));
    assert_eq!((report.one.mean_depth, report.two.mean_depth), (Some(1.0), Some(2.0)));
}

#[test]
fn the_games_of_a_pair_have_the_same_rolls_and_others_have_not() {
    let scratch = Scratch::new();
    let args = ["--games", "40", "--one", "random", "--two", "random"];
    let (report, lines) = toy_match(2, 20, &scratch.path().join("out"), &args);
    let rolls = |line: &Value| toy::rolls(end(line));
    let all: Vec<_> = lines.iter().map(rolls).collect();
    assert!(all.chunks(2).all(|pair| pair[0] == pair[1]));
    assert!(all.chunks(2).map(|pair| &pair[0]).collect::<std::collections::BTreeSet<_>>().len() == 20);
    // Players at random do not play the same twice.
    assert!(lines.chunks(2).any(|pair| pair[0]["points"] != pair[1]["points"]));
    assert_eq!(report.results.iter().map(|result| result.one + result.two).sum::<u64>(), 40);
    let other = [&args[..], &["--seed", "2"]].concat();
    let (_, others) = toy_match(2, 20, &scratch.path().join("other"), &other);
    assert_ne!(others.iter().map(rolls).collect::<Vec<_>>(), all);
}

#[test]
fn one_player_plays_the_same_rolls_with_each_setting() {
    let scratch = Scratch::new();
    let args = ["--games", "30", "--one", SHALLOW, "--two", "random"];
    let (report, lines) = toy_match(1, 9, &scratch.path().join("out"), &args);
    assert_eq!((report.players, report.pairs, report.wins), (1, 15, None));
    for line in &lines {
        let is_one = line["number"].as_u64().unwrap() % 2 == 1;
        let moves = ["one", "two"].map(|side| line[side]["moves"].as_u64());
        assert_eq!(moves, if is_one { [Some(9), Some(0)] } else { [Some(0), Some(9)] });
    }
    for line in &lines {
        let score = f64::from(toy::points(end(line), 1) + 1);
        let is_one = line["number"].as_u64().unwrap() % 2 == 1;
        assert_eq!(line["points"].as_f64(), Some(if is_one { score } else { -score }), "{line}");
    }
    let [one, two] = [&report.one, &report.two].map(|side| side.scores.unwrap().mean);
    let points = report.points.unwrap();
    assert!((points.mean - (one - two)).abs() < 1e-9 && points.low > Some(0.0), "{report:?}");
    assert!(report.results.iter().all(|result| result.one == result.two), "the highest roll is the same");
}

#[test]
fn a_game_that_is_left_counts_as_it_stands() {
    let scratch = Scratch::new();
    let args = ["--games", "4", "--one", "greedy,table-mb=1", "--two", SHALLOW, "--max-plies", "7"];
    let (report, lines) = toy_match(2, 30, &scratch.path().join("out"), &args);
    assert_eq!((report.unfinished, report.plies), (4, Some(7.0)));
    for line in &lines {
        // Three moves and a roll that nobody has moved with.
        assert_eq!((toy::rolls(end(line)).len(), &line["finished"]), (4, &false.into()));
        let for_max = f64::from(toy::points(end(line), 2));
        assert_eq!(line["points"].as_f64().unwrap().abs(), for_max.abs());
    }
}

const DICE: [&str; 8] = ["--rules", "size=3,run=3", "--one", SHALLOW, "--two", "random", "--seed", "5"];

#[test]
fn every_game_of_the_list_is_played() {
    let scratch = Scratch::new();
    for info in doors::games().infos() {
        let args = ["--game", info.name, "--one", "greedy,table-mb=1", "--two", "random", "--games", "4"];
        let more = ["--max-plies", "400", "--jobs", "1", "--json", "--out", info.name];
        let report = json_in(scratch.path(), MATCH, &[&args[..], &more].concat());
        assert_eq!((&report["games"], &report["game"]), (&4.into(), &info.name.into()));
        assert!(
            report["points"]["mean"].is_number() && report["one"]["moves"].as_u64() > Some(0),
            "{report}"
        );
        if report["players"] == 1 {
            let scores = |side: &str| report[side]["scores"]["mean"].as_f64().unwrap();
            let apart = scores("one") - scores("two") - report["points"]["mean"].as_f64().unwrap();
            assert!(apart.abs() < 1e-6, "{report}");
        }
    }
}

#[test]
fn the_highest_tile_of_2048_is_counted() {
    let scratch = Scratch::new();
    let args = ["--game", "2048", "--one", "depth=2,table-mb=1", "--two", "random", "--games", "8", "--json"];
    let report = json_in(scratch.path(), MATCH, &args);
    assert_eq!((&report["players"], &report["unfinished"]), (&1.into(), &0.into()));
    assert!(report["points"]["low"].as_f64() > Some(0.0), "{report}");
    let results = report["results"].as_array().unwrap();
    let tiles: Vec<u64> =
        results.iter().map(|result| result["text"].as_str().unwrap().parse().unwrap()).collect();
    assert!(tiles.iter().all(|tile| tile.is_power_of_two() && *tile >= 16) && tiles.is_sorted(), "{report}");
    let games =
        results.iter().map(|result| result["one"].as_u64().unwrap() + result["two"].as_u64().unwrap());
    assert_eq!(games.sum::<u64>(), 8);
}

#[test]
fn what_is_played_does_not_depend_on_the_number_of_jobs() {
    let scratch = Scratch::new();
    let play = |jobs: &str, out: &str| {
        let args = [&DICE[..], &["--games", "12", "--jobs", jobs, "--out", out, "--json"]].concat();
        let mut report = json_in(scratch.path(), MATCH, &args);
        for side in ["one", "two"] {
            report[side].as_object_mut().unwrap().remove("ms_a_move");
        }
        (report, sorted(samples(&scratch.path().join(out))))
    };
    let (one, three) = (play("1", "a"), play("3", "b"));
    assert_eq!(one, three);
    assert_eq!((&one.0["games"], one.1.len()), (&12.into(), 12));
}

#[test]
fn a_match_that_is_gone_on_with_is_as_one_that_was_not() {
    let scratch = Scratch::new();
    let run = |out: &str, games: &str, more: &[&str]| {
        let args = [&DICE[..], &["--jobs", "1", "--games", games, "--out", out], more].concat();
        run_in(scratch.path(), MATCH, &args)
    };
    assert!(run("whole", "8", &[]).status.success() && run("parts", "4", &[]).status.success());
    let file = scratch.path().join("parts/samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    // As a killed run leaves it, within the third line.
    let third = text.match_indices('\n').nth(1).unwrap().0 + 9;
    fs::write(&file, &text[..third]).unwrap();
    let others: [&[&str]; 4] =
        [&["--seed", "6"], &["--two", SHALLOW], &["--max-plies", "9"], &["--rules", "size=4,run=3"]];
    for other in others {
        let kept: Vec<_> = DICE.chunks(2).filter(|pair| pair[0] != other[0]).flatten().copied().collect();
        let args =
            [&kept[..], &["--games", "8", "--out", "parts", "--resume", "--jobs", "1"], other].concat();
        let output = run_in(scratch.path(), MATCH, &args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains("expected records of the same settings"), "{complaint}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), text[..third], "what was refused changed nothing");
    assert!(run("parts", "8", &["--resume"]).status.success());
    let [whole, parts] = ["whole", "parts"].map(|out| sorted(samples(&scratch.path().join(out))));
    assert_eq!(whole, parts);
    assert_eq!(run("parts", "8", &[]).status.code(), Some(2), "not without --resume");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_games_that_were_finished() {
    let scratch = Scratch::new();
    let out = scratch.path().join("out");
    let args = ["--one", "ms=5,table-mb=1", "--two", "random", "--games", "2000", "--jobs", "2"];
    let mut child = start(MATCH, &args, &out);
    await_samples(&mut child, &out, 2);
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = samples(&out);
    assert!(lines.len() >= 2 && lines.len() < 2000 && lines.iter().all(|line| line["finished"] == true));
    assert!(String::from_utf8(output.stdout).unwrap().contains("games, seed 1"));
}

#[test]
fn the_stronger_setting_wins() {
    let scratch = Scratch::new();
    let args =
        ["--one", "depth=5,evaluator=network,table-mb=4", "--two", "random", "--games", "24", "--json"];
    let report = json_in(scratch.path(), MATCH, &args);
    assert!(report["win_rate"]["low"].as_f64().unwrap() > 0.5, "{report}");
    assert_eq!(report["wins"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 24);
    assert_eq!((&report["two"]["nodes_a_move"], &report["two"]["mean_depth"]), (&0.0.into(), &0.0.into()));
    assert!(report["one"]["mean_depth"].as_f64().unwrap() > 3.0, "{report}");
}

#[test]
fn a_search_through_the_protocol_plays_as_it_does_here() {
    let scratch = Scratch::new();
    let args = ["--rules", "size=4,run=3", "--one", "greedy,table-mb=1", "--games", "6", "--jobs", "2"];
    let play = |two: &str, out: &str| {
        let args = [&args[..], &["--two", two, "--out", out]].concat();
        let output = run_in(scratch.path(), MATCH, &args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        sorted(samples(&scratch.path().join(out)))
    };
    let there = play(&format!("depth=3,command={ENGINE} --settings table-mb=1"), "there");
    assert_eq!(there, play("depth=3,table-mb=1", "here"));
    assert!(there.iter().all(|line| line["two"]["nodes"].as_u64() > Some(0)));
}

#[test]
fn a_smaller_game_is_searched_here_and_through_the_protocol_alike() {
    let scratch = Scratch::new();
    let args = ["--game", "einstein", "--one", "greedy,table-mb=1", "--games", "4", "--jobs", "2"];
    let play = |two: &str, out: &str| {
        let args = [&args[..], &["--two", two, "--out", out]].concat();
        let output = run_in(scratch.path(), MATCH, &args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let meta = fs::read(scratch.path().join(out).join("meta.json")).expect("meta.json");
        let meta: Value = serde_json::from_slice(&meta).expect("JSON");
        (meta["settings"]["two"]["search"].clone(), sorted(samples(&scratch.path().join(out))))
    };
    let (recorded, here) = play("depth=3,sampled=1,keep-moves=2,table-mb=1", "here");
    let kept = serde_json::json!({"sampled": 1, "top_moves": 2, "within": null});
    assert_eq!(recorded["smaller_game"], kept);
    let engine = format!("depth=3,command={ENGINE} --settings sampled=1,keep-moves=2,table-mb=1");
    assert_eq!(play(&engine, "there").1, here);
    let (recorded, full) = play("depth=3,table-mb=1", "full");
    assert!(recorded.get("smaller_game").is_none());
    assert_ne!(full, here, "the full game is played otherwise");
    let requests = "game pig\nposition 10 5 3 x\ngo depth 1\n";
    let mut child = ENGINE
        .command()
        .args(["--settings", "sampled=2,seed=7"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(requests.as_bytes()).unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let words = " smaller 2 outcomes drawn at each chance node with seed 7\n";
    assert!(text.contains("info depth 1 nodes ") && text.contains(words), "{text}");
}

/// The answer to a match against a command that is a script.
#[cfg(unix)]
fn against(scratch: &Scratch, script: &str, args: &[&str]) -> (Option<i32>, String) {
    let script = scratch.file("script", script);
    let two = format!("ms=1,command=sh {script}");
    let own = ["--one", "random", "--two", &two, "--games", "4", "--jobs", "1", "--out", "out"];
    let output = run_in(scratch.path(), MATCH, &[&own[..], args].concat());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(output.stdout.is_empty() && complaint.starts_with("error: "), "{complaint}");
    (output.status.code(), complaint)
}

#[cfg(unix)]
#[test]
fn a_command_that_fails_ends_the_match_with_a_line_that_names_it() {
    let polite = |go: &str| {
        format!("while read word rest; do case $word in go) {go};; quit) exit;; *) echo ok;; esac; done\n")
    };
    let cases = [
        ("exit 3\n".to_owned(), "ended (exit status: 3) before it answered \"game dice size=5"),
        ("echo error no such game\n".to_owned(), "it answered \"error no such game\" to \"game dice"),
        ("echo hello\n".to_owned(), "answer hello: expected ok, info, move or error"),
        ("exec sleep 100\n".to_owned(), "no answer to \"game dice"),
        (polite("echo move z9"), "move z9: expected one of"),
        (polite("echo ok"), "it answered \"ok\" to \"go ms 1\""),
        (polite("echo info depth 1; exit 4"), "ended (exit status: 4) before it answered \"go ms 1\""),
        (polite("exec sleep 100"), "no answer to \"go ms 1\" in 301 ms"),
        (polite("exec yes info depth 1 nodes 1"), "no answer to \"go ms 1\" in 301 ms"),
        (polite("exec tr '\\\\0' x </dev/zero"), "a line of more than a megabyte"),
    ];
    for (script, words) in cases {
        let scratch = Scratch::new();
        let (code, complaint) = against(&scratch, &script, &["--timeout-ms", "300"]);
        assert_eq!(code, Some(1), "{complaint}");
        assert!(complaint.contains(words), "{words} in {complaint}");
        assert!(complaint.contains("command sh "), "{complaint}");
        let has_begun = script.contains("go)");
        assert_eq!(scratch.path().join("out").exists(), has_begun, "{words}");
    }
}

#[cfg(unix)]
#[test]
fn games_before_a_failure_are_kept() {
    // Ends when it was asked 60 times, which is a handful of games on the smallest board.
    let scratch = Scratch::new();
    let some = "n=0; while [ $n -lt 60 ] && read -r line; do echo \"$line\"; n=$((n+1)); done";
    let script = scratch.file("script", format!("{some} | {ENGINE}\n"));
    let two = format!("depth=1,command=sh {script}");
    let args = ["--rules", "size=3,run=3", "--one", "random", "--two", &two, "--jobs", "1", "--out", "out"];
    let output = run_in(scratch.path(), MATCH, &args);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = samples(&scratch.path().join("out"));
    assert!((2..20).contains(&lines.len()) && lines.iter().all(|line| line["finished"] == true));
}

#[test]
fn a_match_refuses_bad_input() {
    let scratch = Scratch::new();
    let fine = ["--one", "greedy", "--two", "random"];
    let cases: [(&[&str], &str); 15] = [
        (&["--one", "greedy"], "--two"),
        (&["--one", "best", "--two", "random"], "setting best: expected"),
        (&["--one", "depth=0", "--two", "random"], "depth 0: expected"),
        (&["--one", "depth=1,sampled=0", "--two", "random"], "sampled 0: expected a whole number from 1"),
        (&["--one", "depth=1,within=x", "--two", "random"], "within x: expected a number of 0 or more"),
        (&["--one", "evaluator=constant", "--two", "random"], "one of depth, time-ms and nodes"),
        (&["--one", "depth=1,evaluator=oracle", "--two", "random"], "oracle"),
        (&["--one", "depth=1,algorithm=star2-tt,table-use=none", "--two", "random"], "table use none"),
        (&["--one", "command=no/such/program", "--two", "random"], "command no/such/program: expected"),
        (&["--games", "3"], "games 3: expected an even number"),
        (&["--games", "0"], "games 0: expected"),
        (&["--jobs", "0"], "threads 0: expected"),
        (&["--max-plies", "0"], "max-plies 0: expected"),
        (&["--game", "chess"], "game chess: expected"),
        (&["--rules", "size=99"], "size"),
    ];
    for (args, words) in cases {
        let args = if args.contains(&"--one") { args.to_vec() } else { [&fine[..], args].concat() };
        let output = run_in(scratch.path(), MATCH, &args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert!(complaint.lines().count() == 1 && complaint.contains(words), "{args:?}: {complaint}");
        assert!(output.stdout.is_empty() && !scratch.path().join("results").exists(), "{args:?}");
    }
}

#[test]
fn the_engine_answers_what_it_cannot_do_and_goes_on() {
    let requests = [
        "new",
        "position x",
        "game chess",
        "game dice size=3,run=3",
        "fly",
        "position nonsense",
        "go depth 1",
        "position .../.../... x -",
        "go depth 1",
        "position .../.../... x r1",
        "go",
        "go depth 0",
        "go depth 1",
        "",
        "quit",
    ];
    let mut child = ENGINE.command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(requests.join("\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = [
        "error expected the game first",
        "error expected the game first",
        "error game chess: expected",
        "ok",
        "error request fly: expected",
        "error position has no player: ",
        "error go: expected a position first",
        "ok",
        "error position \".../.../... x -\": expected one in which somebody is to move",
        "ok",
        "error go: expected depth, ms or nodes",
        "error depth 0: expected",
        "info depth 1 nodes ",
        "move ",
    ];
    assert_eq!(text.lines().count(), expected.len(), "{text}");
    for (line, expected) in text.lines().zip(expected) {
        assert!(line.starts_with(expected), "{line:?} begins with {expected:?}");
    }
}
