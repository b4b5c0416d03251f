//! The signature: how many nodes every algorithm visits, serially, with every table use and ordering, at
//! fixed positions of Dice, to the last node. A change that makes any of them slower (or faster) shows here,
//! so that no baseline is slowed unseen.
//!
//! The counts are in `signature.json`. A commit that changes them on purpose writes them anew with
//!
//! ```text
//! STARSPLIT_BLESS=1 cargo test -p starsplit-games --test all signature::
//! ```
//!
//! and says why they changed.

use crate::erased::{Blind, Seeing};
use serde::{Deserialize, Serialize};
use starsplit::Searcher;
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::score::{MAX_LIMIT, Score};
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options, Stats, TableUse};
use starsplit::table::{LocklessTable, Table};
use starsplit_games::dice::{Dice, Network, Position, Rules, RunCount};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The beginning, a middle with a roll pending, a middle before the roll, and an ending.
const POSITIONS: [&str; 4] = [
    "...../...../...../...../..... x -",
    "x.o../..x../.oo../.x..o/...x. x r3",
    "x.o../..x../.oo../.x..o/...x. x -",
    "x.o.x/..x.o/.oox./ox.xo/o..x. x -",
];

/// Deep enough for every ordering to matter, and for the look-ups of successors that Star2-TT adds to Star2.
fn depth_of(algorithm: Algorithm) -> u32 {
    if !algorithm.prunes() { 7 } else { 9 }
}

/// Buckets of the table: 1 MiB, where hardly anything is replaced, so that the counts do not depend on which
/// positions happen to share a bucket.
const ROOMY: u64 = 1 << 14;

/// So few buckets that much is replaced: for Star2-TT, to see a change of the replacement scheme.
const CROWDED: u64 = 1 << 8;

/// One line of the data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    position: String,
    evaluator: String,
    algorithm: String,
    table: String,
    ordering: String,
    depth: u32,
    buckets: u64,
    successor_probing_depth: u8,
    table_depth: Option<u8>,
    decision: u64,
    chance: u64,
    leaf: u64,
    evaluations: u64,
}

/// Every algorithm with every table use it accepts and every ordering, with the buckets of its table; and
/// Star2-TT with the paper's options and with a crowded table too.
fn all_setups() -> Vec<(Options, u64)> {
    let mut all = Vec::new();
    for &ordering in MoveOrdering::ALL {
        for &algorithm in Algorithm::ALL.iter().filter(|algorithm| !algorithm.needs_table()) {
            for &table_use in TableUse::ALL {
                all.push((Options { algorithm, table_use, ordering, ..Options::default() }, ROOMY));
            }
        }
        all.push((Options { ordering, ..Options::default() }, ROOMY));
        all.push((Options { ordering, ..Options::default() }, CROWDED));
        all.push((Options { ordering, ..Options::paper(Algorithm::Star2Tt) }, ROOMY));
    }
    all
}

fn search<E: Evaluator<Dice>>(
    dice: &Dice,
    evaluator: E,
    table: &LocklessTable,
    options: &Options,
    text: &str,
) -> Stats {
    let position = dice.parse(text).expect("valid notation");
    let searcher = Searcher::new(dice.clone(), evaluator, table).with_options(options.clone());
    let result = searcher
        .request(&position)
        .limits(Limits::depth(depth_of(options.algorithm)))
        .search()
        .expect("valid options");
    assert!(result.is_exact(), "{options:?} at {text}");
    result.stats
}

/// The lines of one evaluator.
fn lines<E: Evaluator<Dice>>(dice: &Dice, name: &str, evaluator: impl Fn() -> E) -> Vec<Line> {
    lines_at(&POSITIONS, dice, name, evaluator)
}

/// The same at these positions.
fn lines_at<E: Evaluator<Dice>>(
    positions: &[&str],
    dice: &Dice,
    name: &str,
    evaluator: impl Fn() -> E,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for &text in positions {
        for (options, buckets) in all_setups() {
            let table = LocklessTable::with_buckets(buckets).expect("a small table");
            let nodes = search(dice, evaluator(), &table, &options, text).nodes;
            lines.push(Line {
                position: text.to_owned(),
                evaluator: name.to_owned(),
                algorithm: options.algorithm.to_string(),
                table: options.table_use.to_string(),
                ordering: options.ordering.to_string(),
                depth: depth_of(options.algorithm),
                buckets,
                successor_probing_depth: options.successor_probing_depth,
                table_depth: options.table_depth,
                decision: nodes.decision,
                chance: nodes.chance,
                leaf: nodes.leaf,
                evaluations: nodes.evaluations,
            });
        }
    }
    lines
}

fn signature() -> Vec<Line> {
    let dice = Dice::new(Rules::default());
    let network = || Network::trained(&dice).expect("the committed weights are valid");
    let mut all = lines(&dice, "network", || Blind::of(network()));
    all.extend(lines(&dice, "run-count", || Blind::of(RunCount)));
    all.extend(lines(&dice, "hash-random", || Seeing::of(HashRandom::new(1, MAX_LIMIT))));
    all
}

fn data_file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/signature.json")
}

/// A JSON array, one element a line, so that a change shows which counts it changed.
fn text_of(signature: &[Line]) -> String {
    let mut text = String::from("[\n");
    for (index, line) in signature.iter().enumerate() {
        let json = serde_json::to_string(line).expect("a line is plain data");
        let comma = if index + 1 < signature.len() { "," } else { "" };
        writeln!(text, "{json}{comma}").expect("writing to a string never fails");
    }
    text + "]\n"
}

/// Which lines differ, in words.
fn differences(recorded: &[Line], found: &[Line]) -> String {
    let total = |line: &Line| line.decision + line.chance + line.leaf;
    let mut text = String::new();
    for (before, now) in recorded.iter().zip(found).filter(|(before, now)| before != now) {
        writeln!(
            text,
            "recorded {} nodes: {before:?}\nfound    {} nodes: {now:?}",
            total(before),
            total(now)
        )
        .expect("writing to a string never fails");
    }
    if recorded.len() != found.len() {
        writeln!(text, "{} lines recorded, {} found", recorded.len(), found.len())
            .expect("writing to a string never fails");
    }
    text
}

#[test]
fn every_serial_search_visits_the_recorded_number_of_nodes() {
    let found = signature();
    let path = data_file();
    if std::env::var_os("STARSPLIT_BLESS").is_some() {
        std::fs::write(&path, text_of(&found)).expect("the data file can be written");
    }
    let text = std::fs::read_to_string(&path).expect("the data file can be read");
    let recorded: Vec<Line> = serde_json::from_str(&text).expect("the data file is valid");
    assert!(
        recorded == found,
        "the signature changed:\n{}\nthe whole new signature:\n{}\nIf that is meant, run STARSPLIT_BLESS=1 \
         cargo test -p starsplit-games --test all signature::, and say in the commit why the counts changed.",
        differences(&recorded, &found),
        text_of(&found)
    );
}

/// Run counts that take long at times: for so many evaluations in a row that nodes seem slow, and then for
/// many no more.
struct SlowAtTimes(AtomicU64);

impl Evaluator<Dice> for SlowAtTimes {
    type State = ();
    const ABILITIES: Abilities = RunCount::ABILITIES;

    fn facts(&self, dice: &Dice) -> EvaluatorFacts {
        RunCount.facts(dice)
    }

    fn state(&self, _: &Dice, _: &Position, _: Option<Before<'_, Dice, ()>>) {}

    fn evaluate(&self, dice: &Dice, position: &Position, state: &()) -> Score {
        let made = self.0.fetch_add(1, Relaxed); // Relaxed: a counter.
        if made % 4_096 < 600 {
            std::thread::sleep(Duration::from_micros(20));
        }
        RunCount.evaluate(dice, position, state)
    }
}

/// Whatever a worker does that finds its nodes slow, it visits the same. (The clocks of the core's own tests
/// tell more.)
#[test]
fn nodes_that_are_slow_at_times_are_as_many() {
    let dice = Dice::new(Rules::default());
    let at = &POSITIONS[3..];
    let slow = lines_at(at, &dice, "run-count", || Blind::of(SlowAtTimes(AtomicU64::new(0))));
    assert_eq!(slow, lines_at(at, &dice, "run-count", || Blind::of(RunCount)));
}

#[test]
fn search_clear_and_search_again_gives_the_same_counts() {
    let dice = Dice::new(Rules::default());
    for (options, buckets) in all_setups() {
        let table = LocklessTable::with_buckets(buckets).expect("a small table");
        for text in POSITIONS {
            table.clear(1);
            let first = search(&dice, Blind::of(RunCount), &table, &options, text);
            table.clear(2);
            let again = search(&dice, Blind::of(RunCount), &table, &options, text);
            assert_eq!(again, first, "{options:?} at {text}");
        }
    }
}

/// The test above would show nothing if a table that is not cleared made no difference.
#[test]
fn a_table_that_is_not_cleared_changes_the_counts() {
    let dice = Dice::new(Rules::default());
    let table = LocklessTable::with_buckets(ROOMY).expect("a small table");
    let options = Options::default();
    let first = search(&dice, Blind::of(RunCount), &table, &options, POSITIONS[2]);
    let again = search(&dice, Blind::of(RunCount), &table, &options, POSITIONS[2]);
    assert!(again.nodes.total() < first.nodes.total(), "{again:?} after {first:?}");
}
