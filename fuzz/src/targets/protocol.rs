//! The line protocol between a match and a command, and the short texts that flags take: levels, settings
//! and variants.

use crate::Target;
use crate::bytes::text;
use crate::refusals::{check, one_line};
use crate::target::{seeds, words};
use starsplit_experiments::matches::level::Level;
use starsplit_experiments::matches::protocol::{Answer, Request};
use starsplit_experiments::matches::setting::{SearchSetting, Setting};
use starsplit_experiments::study::Variant;
use starsplit_experiments::tuning::Choice;
use starsplit_options::DECLARED;

pub(super) const TARGET: Target = Target {
    name: "protocol",
    about: "a line that is taken for a request, an answer, and whatever a flag may take",
    run,
    seeds: || {
        seeds([
            ("game", "game dice size=5,run=4".to_owned()),
            ("new", "new".to_owned()),
            ("position", "position x.o../..x../.oo../.x..o/...x. x r3".to_owned()),
            ("go", "go depth 3 ms 50 nodes 1000".to_owned()),
            ("ok", "ok".to_owned()),
            ("info", "info depth 5 nodes 1234 smaller the 8 best moves".to_owned()),
            ("move", "move 24/20 13/11".to_owned()),
            ("error", "error position: expected one".to_owned()),
            ("level", "depth 3 ms 50".to_owned()),
            ("setting", "depth=5,evaluator=runs,ordering=static,table-mb=1".to_owned()),
            ("command", "depth=3,command=engine --fast".to_owned()),
            ("random", "random".to_owned()),
            ("variant", "paper's:paper,algorithm=star2,probing-factor=2".to_owned()),
            ("choice", "table-depth=1|table-depth=2+lanes=1".to_owned()),
        ])
    },
    words: || {
        let flags = DECLARED.iter().map(|declared| declared.flag);
        let own = [
            "game ",
            "new",
            "position ",
            "go ",
            "quit",
            "ok",
            "info ",
            "move ",
            "error ",
            "depth ",
            "ms ",
            "nodes ",
            " smaller ",
            "command=",
            "random",
            "greedy",
            "evaluator=",
            "sampled=",
            "keep-moves=",
            "within=",
            "|",
            "+",
            "seed=",
            "table-mb=",
            "paper",
            "=",
            ",",
            ":",
            "/",
            "\u{85}",
            "\u{2028}",
            "\t",
            "\n",
            "--",
            "help",
            "--help",
            "version",
            "0",
            "18446744073709551615",
            "nan",
            "inf",
            "-0",
            "1e-320",
        ];
        words(flags.chain(own))
    },
    mutations: 5_000,
    longest: 300,
};

fn run(bytes: &[u8]) {
    let text = text(bytes);
    // Whoever reads lines gives one without its end.
    let line = text.lines().next().unwrap_or_default();
    match Request::read(line) {
        Ok(Some(request)) => assert_eq!(Request::read(&request.to_string()), Ok(Some(request))),
        Ok(None) => assert_eq!(line.trim(), ""),
        Err(error) => drop(check(&error)),
    }
    match Answer::read(line) {
        Ok(Some(answer)) => assert_eq!(Answer::read(&answer.to_string()), Ok(Some(answer))),
        Ok(None) => assert_eq!(line.trim(), ""),
        Err(error) => drop(check(&error)),
    }
    match Level::read(&text) {
        Ok(level) => assert_eq!(Level::read(&one_line(&level)), Ok(level)),
        Err(error) => drop(check(&error)),
    }
    refuse(Setting::read(&text));
    refuse(SearchSetting::read(&text));
    refuse(Variant::read(&text));
    refuse(Choice::read(&text));
}

fn refuse<T>(read: Result<T, impl std::fmt::Display>) {
    if let Err(error) = read {
        check(&error);
    }
}
