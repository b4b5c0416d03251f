//! Positions as other programs write them, given to the commands: what of them is not used is said.

use crate::common::{COMPARE, ENGINE, PERFT, PLAY, POSITIONS, Program, SEARCH, Scratch, run_in};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::Stdio;

const NEUTRAL: &str = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
const OF_A_MATCH: &str = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:3:2:1:7:10";
const UNUSED: &str = "not used: cube 2 of o, score 3-2 of x and o, match to 7, Crawford \
                      (values are of a game without cube and match)\n";

/// What a command prints of a search or a count at that position, and what it says of it.
fn given(program: Program, position: &str, others: &[&str]) -> (String, String) {
    let scratch = Scratch::new();
    let args = [&["--game", "backgammon", "--position", position], others].concat();
    let output = run_in(scratch.path(), program, &args);
    assert!(output.status.success(), "{output:?}");
    let [printed, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    (printed, said)
}

#[test]
fn what_is_not_used_is_said_in_a_line_and_never_on_standard_output() {
    let evaluator = ["--depth", "1", "--evaluator", "pips"];
    let cases: [(Program, &[&str]); 4] = [
        (SEARCH, &evaluator),
        (SEARCH, &[&evaluator[..], &["--json"]].concat()),
        (PERFT, &["--depth", "1", "--json"]),
        (PLAY, &evaluator),
    ];
    for (program, flags) in cases {
        let (printed, said) = given(program, OF_A_MATCH, flags);
        assert_eq!(said, format!("position: {UNUSED}"), "{flags:?}");
        assert!(!printed.contains("not used"), "{printed}");
        if flags.contains(&"--json") {
            let found: Value = serde_json::from_str(&printed).expect("one JSON object");
            assert_eq!(found["position"], "4HPwATDgc/ABMA x 31");
        }
        for neutral in [NEUTRAL, "xgid=-b----E-C---eE---c-e----B-:0:0:1:31", "4HPwATDgc/ABMA x 3-1"] {
            assert_eq!(given(program, neutral, flags).1, "", "{neutral}");
        }
    }
    let (_, said) = given(SEARCH, "4HPwATDgc/ABMA:QYkqASAAIAAA", &evaluator);
    assert!(
        said.starts_with("position: not used: cube 2 of o, score 4-2 of x and o, match to 9 ("),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn what_a_suite_says_beyond_positions_is_said_with_its_line() {
    let scratch = Scratch::new();
    let suite =
        format!("game backgammon\nrules scoring=points\ndepth 1\n{NEUTRAL}\n# cube 2\n{OF_A_MATCH}\n");
    fs::write(scratch.path().join("match.txt"), suite).expect("a file");
    let args =
        ["--suite", "match.txt", "--evaluator", "pips", "--repeat", "1", "--threads", "1", "--table-mb", "1"];
    let output = run_in(scratch.path(), COMPARE, &args);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    let lines: Vec<_> = said.lines().filter(|line| line.contains("not used")).collect();
    assert_eq!(lines, [format!("suite \"match.txt\", line 6: {}", UNUSED.trim_end())], "{said}");
}

#[test]
fn the_engine_says_it_beside_its_answers() {
    let mut command = ENGINE.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the engine runs");
    let requests = format!("game backgammon\nposition {OF_A_MATCH}\nposition {NEUTRAL}\nquit\n");
    child.stdin.take().expect("its input").write_all(requests.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ok\nok\nok\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("position: {UNUSED}"));
}

#[test]
fn what_is_no_cube_is_refused_in_a_line() {
    let scratch = Scratch::new();
    for program in [SEARCH, PERFT, PLAY] {
        let text = "-b----E-C---eE---c-e----B-:x:0:1:31";
        let output = run_in(scratch.path(), program, &["--game", "backgammon", "--position", text]);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains("XGID's cube x: expected a number from 0 to 30"), "{said}");
    }
}

#[test]
fn the_help_names_the_forms_that_are_read() {
    let scratch = Scratch::new();
    let help = |program: Program| {
        let output = run_in(scratch.path(), program, &["--help"]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for program in [SEARCH, PLAY, PERFT] {
        let help = help(program);
        for form in
            ["4HPwATDgc/ABMA:", "XGID=", "(or 3-1)", "0x0020000001000000 move", ".mat and .sgf", "o c2"]
        {
            assert!(help.contains(form), "{form}: {help}");
        }
    }
    let help = help(POSITIONS);
    for form in ["1) 31: 8/5 6/5", "(;GM[6];W[31hefe])", "the help of search"] {
        assert!(help.contains(form), "{form}: {help}");
    }
}
