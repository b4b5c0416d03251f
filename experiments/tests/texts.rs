//! Texts from other editors: a byte-order mark before a text in UTF-8 is none of it, and UTF-16 is named.

use crate::common::{ENGINE, POSITIONS, Program, RUN, SCALING, SIMULATE, Scratch, run_in};
use std::io::Write;
use std::process::Stdio;

const SUITE: &str = "game pig\nrules target=20,die=6\ndepth 3\n0 0 0 x roll\n";

const SPEC: &str = "question = \"Q?\"\nreading = \"R.\"\n[[runs]]\nname = \"one\"\nexperiment = \"scaling\"\n\
    suite = \"suite\"\nthreads = [1]\nrepeat = 1\ntable-mb = 1\n";

const COSTS: &str = r#"{"node": 30, "evaluation": 50, "table": 7, "poll": 1, "split": 200, "steal": 900,
    "failed_steal": 300}"#;

const MATCH: &str = include_str!("../../games/tests/matches/match.mat");

/// Commands that read the text of this name.
const READERS: [(Program, &[&str], &str, &str); 4] = [
    (SCALING, &["--suite", "suite", "--threads", "1", "--repeat", "1", "--table-mb", "1"], "suite", SUITE),
    (RUN, &["spec.toml"], "spec.toml", SPEC),
    (
        SIMULATE,
        &["--game", "pig", "--depth", "3", "--processors", "2", "--table-mb", "1", "--costs", "costs"],
        "costs",
        COSTS,
    ),
    (POSITIONS, &["--game", "backgammon", "--from", "match"], "match", MATCH),
];

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    for (reader, args, name, text) in READERS {
        let scratch = Scratch::new();
        scratch.file("suite", SUITE);
        scratch.file(name, format!("\u{feff}{text}"));
        let output = run_in(scratch.path(), reader, args);
        assert!(output.status.success(), "{reader}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn utf_16_is_named_in_one_line() {
    for (reader, args, name, text) in READERS {
        for is_marked in [true, false] {
            let scratch = Scratch::new();
            scratch.file("suite", SUITE);
            let marked = if is_marked { format!("\u{feff}{text}") } else { text.to_owned() };
            scratch.file(name, marked.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
            let output = run_in(scratch.path(), reader, args);
            let complaint = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{reader}: {complaint}");
            assert!(complaint.contains("UTF-16") && complaint.contains(name), "{reader}: {complaint}");
            assert!(
                complaint.lines().count() == 1 && complaint.contains("expected"),
                "{reader}: {complaint}"
            );
        }
    }
}

#[test]
fn requests_may_begin_with_a_byte_order_mark() {
    let mut child = ENGINE.command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("\u{feff}game pig\r\nnew\r\n".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "ok\nok\n");
}
