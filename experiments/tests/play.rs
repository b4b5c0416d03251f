//! A person at the terminal, by scripts: what is typed, and what comes of it.

use crate::common::{PLAY, Scratch, run_in, toy};
use starsplit::game::Player;
use starsplit::search::StopFlag;
use starsplit_experiments::cli::lines::Next;
use starsplit_experiments::matches::level::Level;
use starsplit_experiments::matches::session::{Dice, Session, SessionEnd};
use starsplit_experiments::matches::setting::SearchSetting;
use starsplit_tables::AnyTable;
use std::io::{Read, Write};
use std::process::{Child, Output, Stdio};

fn started(args: &[&str]) -> Child {
    let mut command = PLAY.command();
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

/// Types the lines, then nothing more.
fn typed(args: &[&str], lines: &[&str]) -> Output {
    let mut child = started(args);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // A game that is over reads no more.
    let _ = child.stdin.take().expect("a pipe").write_all(text.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

/// What is printed where nothing goes wrong.
fn printed(args: &[&str], lines: &[&str]) -> String {
    let output = typed(args, lines);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

const SMALL: [&str; 6] = ["--rules", "size=3,run=3", "--depth", "2", "--settings", "table-mb=1"];

#[test]
fn what_is_typed_is_played_listed_refused_and_taken_back() {
    let args = [&SMALL[..], &["--position", ".../.../... x r2"]].concat();
    let lines = ["moves", "", "fly", "hint", "help", "board", "undo", "R2C2", "undo", "undo", "quit"];
    let text = printed(&args, &lines);
    let answers: Vec<_> = text.split("move> ").collect();
    assert_eq!(answers.len(), lines.len() + 1, "{text}");
    assert_eq!((answers[1].trim(), answers[2]), ("a2, b2, c2", ""));
    assert!(
        answers[3].starts_with("move fly: expected one of 3 legal moves, such as a2\n"),
        "{}",
        answers[3]
    );
    let hint: Vec<_> = answers[4].trim().lines().collect();
    assert_eq!((hint[0], hint.len()), ("to depth 2, for whoever moves:", 4), "{hint:?}");
    for (place, line) in hint[1..].iter().enumerate() {
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(words[0], format!("{}.", place + 1), "{line}");
        assert!(words[1].parse::<f64>().is_ok() && ["a2", "b2", "c2"].contains(&words[2]), "{line}");
    }
    assert!(answers[5].contains("hint (the best moves with their values)"));
    assert!(answers[6].contains("x moves, row 2"));
    assert!(answers[7].contains("undo: expected a move of yours before"));
    // The move, the roll of the program, its move, and the next roll.
    assert!(answers[8].contains("2  . x .") && answers[8].matches("rolled: ").count() == 2, "{}", answers[8]);
    assert!(answers[8].contains("the program plays "));
    assert!(answers[9].contains("2  . . .") && answers[9].contains("x moves, row 2"));
    assert!(answers[11].contains("The game was not finished."));
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    let text = printed(&SMALL, &[]);
    assert!(text.ends_with("move> \nThe game was not finished.\n"), "{text}");
}

#[test]
fn the_same_seed_plays_the_same_game_to_its_end() {
    let args = [&SMALL[..], &["--you", "none", "--seed", "7"]].concat();
    let text = printed(&args, &[]);
    assert!(text.contains("The game is over: it is worth "), "{text}");
    assert_eq!(text, printed(&args, &[]));
    let rolls = |text: &str| text.lines().filter(|line| line.starts_with("rolled")).count();
    assert!(rolls(&text) >= 5);
}

#[test]
fn dice_can_be_rolled_by_hand() {
    let args = [&SMALL[..], &["--dice", "hand", "--you", "both"]].concat();
    let text = printed(&args, &["row 9", "rolls", "Row 3", "r3c3", "undo", "C3", "column a", "quit"]);
    assert!(text.contains("roll \"row 9\": expected one of 3 rolls, such as row 1"), "{text}");
    assert!(text.contains("row 1, row 2, row 3"));
    assert_eq!(text.matches("rolled: row 3").count(), 1, "{text}");
    assert_eq!(text.matches("3  . . x").count(), 3, "played twice, and there after the other's roll: {text}");
    assert!(text.contains("rolled: column a") && text.contains("o moves, column a"));
    assert!(text.contains("   a b c\n"), "moves and rolls are named as the board is drawn: {text}");
}

#[test]
fn backgammons_rolls_are_typed_in_three_ways() {
    let position = ["--game", "backgammon", "--position", "4HPwATDgc/ABMA x -"];
    let args = [&position[..], &["--dice", "hand", "--you", "both"]].concat();
    let rolls = ["3-1", "8/5 6/5", "4 2", "undo", "quit"];
    let text = printed(&args, &rolls);
    assert!(text.contains("rolled: 31\n") && text.contains("rolled: 42\n"), "{text}");
    let text = printed(&args, &["3-7", "31", "quit"]);
    assert!(text.contains("roll 3-7: expected one of 21 rolls, such as "), "{text}");
    assert!(text.contains("rolled: 31\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_game_that_waits_for_a_move() {
    let mut child = started(&SMALL);
    let input = child.stdin.take();
    let mut output = child.stdout.take().expect("a pipe");
    let mut seen = Vec::new();
    while !seen.ends_with(b"move> ") {
        let mut byte = [0];
        output.read_exact(&mut byte).expect("a prompt");
        seen.push(byte[0]);
    }
    let ended = crate::common::interrupt(child);
    assert_eq!(ended.status.code(), Some(130));
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "\nThe game was not finished.\n");
}

#[test]
fn bad_flags_are_refused_in_a_line() {
    let scratch = Scratch::new();
    let cases = [
        (["--you", "third"], "--you"),
        (["--dice", "loaded"], "--dice"),
        (["--depth", "0"], "depth 0: expected"),
        (["--time-ms", "x"], "time-ms x: expected"),
        (["--position", "x"], "position has no player"),
        (["--evaluator", "oracle"], "oracle"),
        (["--settings", "depth=3"], "expected no greedy, depth, time-ms or nodes"),
        (["--rules", "size=99"], "size"),
    ];
    for (args, words) in cases {
        let output = run_in(scratch.path(), PLAY, &args);
        let complaint = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert!(complaint.lines().count() == 1 && complaint.contains(words), "{args:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// A session of the toy in this process: what is printed where this is typed.
fn toy_session(players: u8, persons: &[Player], lines: &[&str]) -> (SessionEnd, String) {
    let table = AnyTable::of_mib(1).expect("a table");
    let door = toy::door(players, 3);
    let position = door.initial();
    let setting = SearchSetting::read("table-mb=1").expect("settings");
    let mut player = setting.player(door, &table, &StopFlag::new()).expect("a player");
    player.level = Level { depth: Some(1), ..Level::default() };
    let mut session = Session::new(&player, persons.to_vec(), Dice::Hand, position).expect("a session");
    let mut lines = lines.iter();
    let mut next = || Ok(lines.next().map_or(Next::End, |&line| Next::Line(line.to_owned())));
    let mut out = Vec::new();
    let end = session.run(&mut next, &mut out).expect("a session that ends");
    (end, String::from_utf8(out).expect("UTF-8"))
}

#[test]
fn points_are_told_as_they_are_made() {
    // 6 of a doubled 3, less the 6 of the program's, less the 1 that is doubled, and 1 for the end.
    let (end, text) = toy_session(2, &[Player::Max], &["a 3", "double", "a 3", "a 1", "double"]);
    assert_eq!(end, SessionEnd::Ended);
    let scores: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("score: ")).collect();
    assert_eq!(scores, ["6", "0", "-1"], "{text}");
    assert!(text.contains("the program plays double"));
    assert!(text.ends_with("The game is over: it is worth 0 to the first player; 3.\n"), "{text}");
}

#[test]
fn one_player_has_no_opponent() {
    let (end, text) =
        toy_session(1, &[Player::Max], &["a 1", "keep", "a 1", "keep", "undo", "double", "a 3"]);
    assert_eq!(end, SessionEnd::Ended);
    assert!(!text.contains("the program plays") && text.contains("The game was not finished."), "{text}");
    let scores: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("score: ")).collect();
    assert_eq!(scores, ["1", "2", "0"], "undo takes the points back");
}
