//! The session of README.md, as a program answers it.

use crate::common::{STARSPLIT, Scratch, run_in};
use starsplit_tidy::root;
use std::fs;

/// The commands of the session, each with the lines that follow it.
fn session(text: &str) -> Vec<(String, Vec<&str>)> {
    let (_, rest) = text.split_once("```console\n").expect("a session");
    let (session, _) = rest.split_once("```").expect("its end");
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for line in session.lines() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command.to_owned(), Vec::new())),
            // A command goes on behind a backslash.
            (None, Some((command, _))) if command.ends_with('\\') => {
                command.pop();
                command.push_str(line.trim());
            }
            (None, Some((_, answers))) => answers.push(line),
            (None, None) => panic!("{line}: expected a command first"),
        }
    }
    found
}

#[test]
fn the_session_of_readme_is_what_the_program_answers() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let (commands, scratch) = (session(&text), Scratch::new());
    assert_eq!(commands.len(), 2, "{commands:?}");
    for (command, answers) in &commands {
        let words = shlex::split(command).expect("words");
        let program = words.iter().position(|word| word == "--").expect("a program's arguments");
        let args: Vec<_> = words[program + 1..].iter().map(String::as_str).collect();
        let output = run_in(scratch.path(), STARSPLIT, &args);
        let found = String::from_utf8(output.stdout).unwrap();
        assert!(!answers.is_empty(), "{command}");
        for answer in answers {
            assert!(found.lines().any(|line| line == *answer), "{command}: {answer}: {found}");
        }
    }
}
