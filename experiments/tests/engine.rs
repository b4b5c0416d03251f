//! The engine hears requests while it thinks, tells what it finds, and ends whenever it is to.

use crate::common::{ENGINE, SEARCH, Scratch, json_in};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

/// A position of Dice whose search to any great depth takes far longer than any test.
const POSITION: &str = "...../o..../....x/...../..... x r1";

/// An engine that is talked to.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Talk {
    /// Begins with these requests.
    fn begin(requests: &[&str]) -> Self {
        let mut command = ENGINE.command();
        command.args(["--settings", "table-mb=1"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the engine runs");
        let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        let mut talk = Talk { child, input, output };
        talk.say(requests);
        talk
    }

    /// The same with a search to that depth.
    fn thinking(depth: u32) -> Self {
        let mut talk =
            Talk::begin(&["game dice", &format!("position {POSITION}"), &format!("go depth {depth}")]);
        assert_eq!([talk.line(), talk.line()], ["ok", "ok"]);
        talk
    }

    fn say(&mut self, requests: &[&str]) {
        let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
        self.input.as_mut().expect("its input").write_all(text.as_bytes()).expect("it reads");
    }

    /// The next line.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.as_mut().expect("its output").read_line(&mut line).expect("it writes");
        line.trim_end().to_owned()
    }

    /// The next line that is no information, and the last that was.
    fn answer(&mut self) -> (String, String) {
        let mut info = String::new();
        loop {
            let line = self.line();
            if !line.starts_with("info ") {
                return (line, info);
            }
            info = line;
        }
    }

    /// All that is left, when nothing more is asked.
    fn end(mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        let lines = self.output.take().expect("its output").lines().map(|line| line.expect("text")).collect();
        (lines, self.child.wait().expect("it ends"))
    }
}

/// The number after a word of a line of information.
fn number(info: &str, name: &str) -> f64 {
    let mut words = info.split(' ').skip_while(|word| *word != name).skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{name} in {info}"))
}

#[test]
fn every_iteration_is_told_with_its_value_and_line_and_the_last_is_the_searchs() {
    let scratch = Scratch::new();
    let mut talk = Talk::thinking(6);
    let (mut mv, mut last, mut depths) = (talk.line(), String::new(), Vec::new());
    while mv.starts_with("info ") {
        depths.push(number(&mv, "depth") as u64);
        last = std::mem::replace(&mut mv, talk.line());
    }
    assert!(depths.len() > 1 && depths.is_sorted_by(|one, other| one < other), "{depths:?}");
    let args = ["--position", POSITION, "--depth", "6", "--table-mb", "1", "--json"];
    let found = json_in(scratch.path(), SEARCH, &args);
    assert_eq!(number(&last, "depth"), 6.0);
    assert_eq!(Some(number(&last, "value")), found["value"].as_f64(), "{last}");
    assert_eq!(Some(number(&last, "nodes")), found["nodes"].as_f64(), "{last}");
    let (_, line) = last.split_once(" line ").expect("a line");
    assert_eq!(mv.strip_prefix("move "), line.split(", ").next());
    assert_eq!(mv.strip_prefix("move "), found["best_move"].as_str());
}

#[test]
fn a_search_is_stopped_with_the_best_move_so_far_and_the_next_request_is_answered() {
    let mut talk = Talk::thinking(60);
    for _ in 0..2 {
        assert!(talk.line().starts_with("info depth "));
        talk.say(&["stop"]);
        let (mv, info) = talk.answer();
        assert!(mv.starts_with("move ") && !info.contains("depth 60"), "{mv}, {info}");
        // Nothing is left to stop.
        talk.say(&["stop", "go depth 60"]);
    }
    let (lines, status) = {
        talk.say(&["quit"]);
        talk.end()
    };
    assert!(status.success() && lines.last().is_some_and(|line| line.starts_with("move ")), "{lines:?}");
}

#[test]
fn a_stop_before_the_first_iteration_waits_for_its_move() {
    let position = format!("position {POSITION}");
    let mut talk = Talk::begin(&["game dice", &position, "go depth 60", "stop"]);
    assert_eq!([talk.line(), talk.line()], ["ok", "ok"]);
    let (mv, info) = talk.answer();
    assert!(mv.starts_with("move ") && number(&info, "depth") >= 1.0, "{mv}, {info}");
}

#[test]
fn what_is_no_request_is_answered_at_once_and_what_is_one_in_its_turn() {
    let mut talk = Talk::thinking(60);
    talk.say(&["fly", "new", "game chess", "position nonsense"]);
    assert!(talk.answer().0.starts_with("error request fly: expected game, new"));
    talk.say(&["stop"]);
    assert!(talk.answer().0.starts_with("move "));
    assert_eq!(talk.answer().0, "ok");
    assert!(talk.answer().0.starts_with("error game chess: expected"));
    assert!(talk.answer().0.starts_with("error position"));
}

#[test]
fn a_search_under_way_ends_with_quit_and_not_with_the_end_of_requests() {
    let mut talk = Talk::thinking(60);
    talk.say(&["go depth 1", "quit"]);
    let (lines, status) = talk.end();
    let moves = lines.iter().filter(|line| line.starts_with("move ")).count();
    assert!(status.success() && moves == 1, "{lines:?}");
    let mut talk = Talk::thinking(7);
    talk.say(&["go depth 2"]);
    let (lines, status) = talk.end();
    let moves: Vec<_> = (1..).zip(&lines).filter(|(_, line)| line.starts_with("move ")).collect();
    assert!(status.success() && moves.len() == 2, "{lines:?}");
    assert_eq!(number(&lines[moves[0].0 - 2], "depth"), 7.0);
}

#[cfg(unix)]
#[test]
fn one_whom_nobody_hears_any_more_does_not_think_on() {
    let mut talk = Talk::thinking(60);
    assert!(talk.line().starts_with("info depth "));
    drop((talk.input.take(), talk.output.take()));
    // It ends: else this never does.
    talk.child.wait().expect("it ends");
}

#[test]
fn one_who_asks_much_before_reading_is_not_waited_for() {
    let mut talk = Talk::thinking(60);
    // More than pipes hold, of requests and of answers; then the search is stopped all the same.
    for _ in 0..200 {
        talk.say(&["fly"; 100]);
    }
    talk.say(&["stop", "new"]);
    let (lines, status) = talk.end();
    let errors = lines.iter().filter(|line| line.starts_with("error request fly")).count();
    assert!(status.success() && errors == 20_000, "{errors}");
    assert!(lines[lines.len() - 2].starts_with("move ") && lines[lines.len() - 1] == "ok");
}
