//! The texts of suites.

use crate::Target;
use crate::bytes::text;
use crate::refusals::check;
use crate::target::{seeds, words};
use starsplit_doors_all::GAMES;
use starsplit_experiments::question::suite::Suite;
use std::fmt::Write;

pub(super) const TARGET: Target = Target {
    name: "suite",
    about: "the text of a suite of positions",
    run,
    seeds: || {
        let suites = GAMES.infos().flat_map(|game| game.suites.iter());
        seeds(suites.map(|(name, text)| (*name, beginning(text))))
    },
    words: || {
        let games = GAMES.infos().flat_map(|game| [game.name, game.default_rules]);
        words(games.chain(["game ", "rules ", "depth ", "# ", "\n", "\r\n", "254", "255", "\u{85}", "\0"]))
    },
    mutations: 6_000,
    longest: 2_000,
};

fn run(bytes: &[u8]) {
    let text = text(bytes);
    let suite = match Suite::parse("fuzz", &text, None) {
        Ok(suite) => suite,
        Err(error) => return drop(check(&error)),
    };
    // Written anew it is the same suite.
    let mut written = format!("game {}\nrules {}\n", suite.door.game(), suite.door.rules());
    suite.depth.iter().for_each(|depth| writeln!(written, "depth {depth}").expect("room"));
    suite.positions.iter().for_each(|position| writeln!(written, "{}", position.text).expect("room"));
    let again = Suite::parse("fuzz", &written, None).unwrap_or_else(|error| panic!("{error} in {written}"));
    let texts = |suite: &Suite| suite.positions.iter().map(|entry| entry.text.clone()).collect::<Vec<_>>();
    assert_eq!((again.depth, texts(&again)), (suite.depth, texts(&suite)), "{written}");
    assert_eq!(again.door.rules(), suite.door.rules());
    // Under other rules, and with a step, nothing else can go wrong than with its own.
    if let Err(error) = Suite::parse("fuzz", &text, Some(&suite.door.rules())) {
        panic!("under its own rules: {error}");
    }
    assert_eq!(suite.clone().every(1).positions.len(), suite.positions.len());
}

/// The lines before the positions, without comments, and a few positions.
fn beginning(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.take(6).collect::<Vec<_>>().join("\n") + "\n"
}
