//! Every scheme of replacement through the doors of all games: one value, whatever the table keeps.

use crate::common::{SEARCH, Scratch, json_in, run_in};
use starsplit::search::{Limits, Options, Splits};
use starsplit::table::Table;
use starsplit_experiments::question::door::{AnySearcher, Entry};
use starsplit_experiments::question::suite::Suite;
use starsplit_tables::{AnyTable, Scheme};
use std::time::Duration;

/// The games, each to a depth that takes some thousands of nodes.
const DEPTHS: [(&str, u32); 7] = [
    ("dice", 7),
    ("pig", 9),
    ("einstein", 5),
    ("backgammon", 3),
    ("hyper-backgammon", 3),
    ("2048", 6),
    // To 3 plies no position comes twice at one depth.
    ("abalone", 4),
];

/// Entries of a table and threads, of which each scheme has all in turn.
const CASES: [(u64, usize); 5] = [(1, 1), (64, 2), (4096, 1), (64, 8), (1 << 16, 2)];

fn score(searcher: &dyn AnySearcher, entry: &Entry, depth: u32) -> (Option<i32>, u64) {
    let found = searcher.search(entry, &Limits::depth(depth), &mut |_| {}).expect("a sound search").answer;
    (found.score(), found.stats.table.hits)
}

#[test]
fn every_scheme_finds_the_value_in_every_game() {
    for (game, depth) in DEPTHS {
        let suite = Suite::load(if game == "dice" { "paper" } else { game }, None).expect("a suite");
        let maker = suite.door.evaluator(suite.door.default_evaluator(), 1).expect("its evaluator");
        let mut hits = 0;
        for (place, entry) in suite.positions.iter().step_by(25).enumerate() {
            let large = AnyTable::of_mib(1).expect("a table");
            let expected = score(&*maker.searcher(&large, Options::default(), None), entry, depth).0;
            assert!(expected.is_some());
            for (number, &scheme) in Scheme::ALL.iter().enumerate() {
                let (count, threads) = CASES[(number + place) % CASES.len()];
                let table = AnyTable::new(scheme, count).expect("a table");
                table.clear(1);
                let options = Options {
                    threads,
                    table_depth: Some(1),
                    splits: Splits { size: Some(0), helpers_after: Duration::ZERO, ..Splits::default() },
                    ..Options::default()
                };
                let found = score(&*maker.searcher(&table, options, None), entry, depth);
                let case = format!("{game} {}, {}, {count}", entry.text, scheme.name());
                assert_eq!(found.0, expected, "{case}");
                hits += found.1;
            }
        }
        assert!(hits > 100, "{game}: {hits} hits");
    }
}

#[test]
fn a_search_says_what_its_table_is_and_keeps() {
    let scratch = Scratch::new();
    let args = ["--json", "--depth", "7", "--table-entries", "256", "--watch-table"];
    let of = |scheme: &str| {
        let flags = ["--table-scheme", scheme, "--entries", "two-sided"];
        json_in(scratch.path(), SEARCH, &[&args[..], &flags].concat())
    };
    let (always, pairs) = (of("always"), of("twodeep"));
    assert_eq!(always["score"], pairs["score"]);
    assert_eq!(
        (&always["table"]["scheme"], &always["table"]["entries"]),
        (&"always".into(), &"two-sided".into())
    );
    for found in [&always, &pairs] {
        let count = |name: &str| found["table"]["retention"][name].as_u64().expect("a count");
        assert!(count("asked_again") >= count("found_again") && count("found_again") > 0, "{found}");
    }
    let of_library = json_in(scratch.path(), SEARCH, &["--json", "--depth", "5"]);
    assert_eq!(of_library["table"]["scheme"], "buckets");
    assert!(of_library["table"].get("retention").is_none());
}

#[test]
fn what_is_no_table_is_named() {
    let scratch = Scratch::new();
    for (args, complaint) in [
        (["--table-scheme", "best"], "table-scheme best: expected one of buckets, always,"),
        (
            ["--table-scheme", "chains"],
            "table-scheme chains: retired, revision 32d6ac58 had it last; expected",
        ),
        (["--entries", "four"], "entries four: expected two-sided"),
        (
            ["--entries", "three-types"],
            "entries three-types: retired, revision 32d6ac58 had it last; expected",
        ),
        (["--table-entries", "0"], "table-entries 0: expected a whole number from 1 to"),
    ] {
        let output = run_in(scratch.path(), SEARCH, &args);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(complaint), "{text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    }
    let file = scratch.path().join("table").to_string_lossy().into_owned();
    let output = run_in(scratch.path(), SEARCH, &["--save-table", &file, "--table-scheme", "always"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected the library's own table"));
    assert!(!output.status.success());
}
