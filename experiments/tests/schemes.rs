//! Every scheme of replacement through the doors of all games: one value, whatever the table keeps.

use crate::common::{COMPARE, SEARCH, STUDY, Scratch, json_in, run_in};
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
fn search_study_and_compare_have_tables_of_chains() {
    let scratch = Scratch::new();
    let abalone = ["--game", "abalone", "--json", "--depth", "4", "--table-entries", "4096"];
    let chains = ["--chain-rows", "256", "--chain-threshold", "2", "--chain-length", "5"];
    let of = |flags: &[&str]| json_in(scratch.path(), SEARCH, &[&abalone[..], flags].concat());
    let usual = of(&[]);
    assert!(usual["table"].get("chains").is_none());
    for scheme in ["chains", "chains-by-counts"] {
        let found = of(&[&["--table-scheme", scheme][..], &chains].concat());
        assert_eq!((&found["score"], &found["table"]["scheme"]), (&usual["score"], &scheme.into()));
        let count = |name: &str| found["table"]["chains"][name].as_u64().expect("a count");
        assert_eq!((count("rows"), count("entries")), (256, 1280));
        let probes = found["table"]["probes"].as_u64().expect("a count");
        // The line of play is looked up, too.
        assert!(count("bytes") <= 16 * 4096 && count("look_ups") >= probes && probes > 100);
        assert!(count("lost") <= count("collisions") && count("passed") <= 5 * count("look_ups"));
    }
    let variant = |scheme: &str| {
        format!(
            "{scheme}:table-scheme={scheme},table-depth=1,chain-rows=256,chain-threshold=2,chain-length=5"
        )
    };
    let [by_hash, by_counts] = ["chains", "chains-by-counts"].map(variant);
    let (out, few) = (scratch.path().join("study").to_string_lossy().into_owned(), "--suite=abalone-starts");
    let flags = ["--variant", "buckets", "--variant", &by_hash, "--variant", &by_counts, "--out", &out, few];
    let study = json_in(scratch.path(), STUDY, &[&abalone[..], &flags].concat());
    assert_eq!(study["values_equal"], true);
    for number in [1, 2] {
        let [passed, retained] =
            [0, 1].map(|part| study["variants"][number]["table"]["chain"][part].as_f64().expect("a mean"));
        assert!(passed > 0.0 && passed <= 5.0 && (0.5..1.0).contains(&retained), "{passed} {retained}");
    }
    assert!(study["variants"][0]["table"].get("chain").is_none());
    let out = scratch.path().join("compare").to_string_lossy().into_owned();
    let flags = ["--table-scheme", "chains", "--threads", "2", "--repeat", "1", "--out", &out, few];
    let compare = json_in(scratch.path(), COMPARE, &[&abalone[..], &flags, &chains].concat());
    assert_eq!(compare["values_equal"], true);
    let line = std::fs::read_to_string(scratch.path().join("compare/samples.jsonl")).expect("records");
    assert!(line.lines().all(|line| line.contains("\"scheme\":\"chains\"")), "{line}");
}

#[test]
fn what_is_no_table_of_chains_is_named() {
    let scratch = Scratch::new();
    for (args, complaint) in [
        ("--chain-rows 4", "chain-rows 4: expected it with --table-scheme chains or chains-by-counts"),
        ("--table-scheme deep --chain-length 4", "chain-length 4: expected it with --table-scheme chains"),
        ("--table-scheme chains --chain-rows 3", "chain-rows 3: expected a power of two to"),
        ("--table-scheme chains --chain-rows 0", "chain-rows 0: expected a whole number from 1 to"),
        ("--table-scheme chains --chain-length 65", "chain-length 65: expected a whole number from 1 to 64"),
        ("--table-scheme chains --chain-threshold 14", "chain-threshold 14: expected 1 to 13"),
        ("--table-scheme chains --table-entries 9 --chain-rows 64", "chain-rows 64: expected a power of two"),
    ] {
        let output = run_in(scratch.path(), SEARCH, &args.split(' ').collect::<Vec<_>>());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.contains(complaint), "{text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    }
}

#[test]
fn what_is_no_table_is_named() {
    let scratch = Scratch::new();
    for (args, complaint) in [
        (["--table-scheme", "best"], "table-scheme best: expected one of buckets, always,"),
        (["--table-scheme", "big1"], "table-scheme big1: retired, revision 32d6ac58 had it last; expected"),
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
