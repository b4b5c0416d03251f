//! One value on the paper's game: every algorithm, with every table use and size that it accepts, and the
//! parallel search at 1, 2, 4 and 8 threads, finds the oracle's score, bit for bit, on the 50 positions; and
//! so does every method of parallel search on some of them.

#[path = "../../tests/common/oracle.rs"]
#[allow(dead_code)] // its tests and its short form serve others
mod oracle;

use oracle::Oracle;
use starsplit::score::Bounds;
use starsplit::search::{Algorithm, Limits, Method, MoveOrdering, Options, Splits, Stats, TableUse};
use starsplit::table::{LocklessTable, Table};
use starsplit_experiments::question::door::{Entry, SearcherMaker};
use starsplit_experiments::question::suite::Suite;
use starsplit_games::dice::{Dice, Network, Position};
use starsplit_tables::AnyTable;
use std::sync::LazyLock;

/// The paper's positions, searched to depths of both parities: leaves after a roll and before one.
const DEPTHS: [u32; 3] = [3, 6, 7];

/// The suite, the searches of it that the door to the game has compiled, and the scores it ought to have.
struct Setting {
    suite: Suite,
    maker: Box<dyn SearcherMaker>,
    /// For each position and each depth.
    expected: Vec<[i64; DEPTHS.len()]>,
}

/// What the oracle says takes longer than some of the tests.
static SETTING: LazyLock<Setting> = LazyLock::new(Setting::new);

impl Setting {
    fn new() -> Self {
        let suite = Suite::load("paper", None).expect("the suite is part of the program");
        let dice = Dice::new(suite.door.rules().parse().expect("rules of Dice"));
        let network = Network::trained(&dice).expect("the weights are part of the library");
        let mut oracle = Oracle::new(&dice, &network);
        let scores =
            suite.positions.iter().map(|entry| DEPTHS.map(|depth| oracle.value(position(entry), depth)));
        let expected = scores.collect();
        let maker = suite.door.evaluator(suite.door.default_evaluator(), 1).expect("the game's own network");
        Setting { suite, maker, expected }
    }

    /// Searches every position with `table` and asserts the scores; what one search stores, the next may use.
    fn check(&self, table: &AnyTable, options: &Options, what: &str) -> Stats {
        self.check_each(1, table, options, what)
    }

    /// As [`check`](Self::check), of every position whose number from 1 on is a multiple of `step`.
    fn check_each(&self, step: usize, table: &AnyTable, options: &Options, what: &str) -> Stats {
        let mut stats = Stats::default();
        let searcher = self.maker.searcher(table, options.clone(), None);
        let chosen = self.suite.positions.iter().zip(&self.expected).skip(step - 1).step_by(step);
        for (entry, expected) in chosen {
            for (depth, &expected) in DEPTHS.into_iter().zip(expected) {
                let found =
                    searcher.search(entry, &Limits::depth(depth), &mut |_| {}).expect("valid options");
                let expected = Bounds::exactly(i32::try_from(expected).expect("a score"));
                let bounds = found.answer.bounds;
                assert_eq!(bounds, expected, "{what}, {options:?}, {} to depth {depth}", entry.text);
                stats += found.answer.stats;
            }
        }
        stats
    }
}

fn with_buckets(buckets: u64) -> AnyTable {
    LocklessTable::with_buckets(buckets).expect("a table").into()
}

fn position(entry: &Entry) -> &Position {
    entry.position().expect("a position of Dice")
}

#[test]
fn all_searches_of_the_paper_positions_agree_with_the_oracle() {
    let setting = &*SETTING;
    assert_eq!(setting.suite.positions.len(), 50);
    let mib = |mib| AnyTable::of_mib(mib).expect("a table");
    let (one, large) = (mib(1), mib(256));
    let mut serial = Stats::default();
    for &algorithm in Algorithm::ALL {
        for &ordering in MoveOrdering::ALL {
            for &table_use in TableUse::ALL {
                let options = Options { table_use, ordering, ..Options::paper(algorithm) };
                if options.check().is_err() {
                    continue; // Star2-TT looks up every node
                }
                serial += setting.check(&with_buckets(7), &options, "seven buckets");
                if table_use != TableUse::None {
                    one.clear(1);
                    serial += setting.check(&one, &options, "1 MiB");
                    large.clear(2);
                    serial += setting.check(&large, &options, "256 MiB");
                }
            }
        }
    }
    assert!(serial.table.decision_cutoffs > 10_000 && serial.table.chance_cutoffs > 10_000, "{serial:?}");
    assert!(serial.nodes.star2_probes > 10_000 && serial.nodes.successor_probes > 10_000, "{serial:?}");
    assert_eq!(serial.table.contradictions, 0);
}

#[test]
fn parallel_searches_of_the_paper_positions_agree_with_the_oracle() {
    let setting = &*SETTING;
    let mut parallel = Stats::default();
    // Most of these searches are over in a moment. On a machine with other things to do, others come to help
    // in few of them, so it takes more rounds.
    for _ in 0..ROUNDS {
        for threads in [1, 2, 4, 8] {
            for buckets in [7, 1 << 14] {
                let table = with_buckets(buckets);
                let options = Options {
                    threads,
                    splits: Splits { depth: Some(1), size: Some(0), ..Splits::default() },
                    ..Options::default()
                };
                parallel += setting.check(&table, &options, &format!("{buckets} buckets"));
            }
        }
        if parallel.split.steals > 100 && parallel.split.helped > 100 {
            break;
        }
    }
    let splits = parallel.split;
    assert!(splits.probing_splits > 1_000 && splits.star1_splits > 1_000, "{splits:?}");
    assert!(splits.steals > 100 && splits.helped > 100, "{splits:?}");
    assert_eq!(parallel.table.contradictions, 0);
}

/// How often, at most, the parallel searches are repeated.
const ROUNDS: usize = 40;

/// The positions that every method searches.
const OF_EVERY_METHOD: usize = 6;

#[test]
fn every_method_finds_the_oracles_scores_of_some_paper_positions() {
    // From opening to end, some of them.
    let step = SETTING.suite.positions.len() / OF_EVERY_METHOD;
    for &method in Method::ALL {
        let mut found = Stats::default();
        for threads in [1, 2, 8] {
            let table = with_buckets(1 << 12);
            let options = Options {
                method,
                threads,
                splits: Splits { alone: true, depth: Some(2), size: Some(0), ..Splits::default() },
                ..Options::default()
            };
            found += SETTING.check_each(step, &table, &options, "4,096 buckets");
        }
        let Stats { split, table, .. } = found;
        let chance = split.probing_splits + split.star1_splits;
        match method {
            // Of the others, only nodes far above the leaves are split whether or not somebody is idle.
            Method::ForkJoin => assert!(chance > 100, "{found:?}"),
            Method::ChanceSplit | Method::Both => assert!(chance > 10, "{found:?}"),
            Method::RootSplit => assert!(chance + split.decision_splits > 10, "{found:?}"),
            // Decision nodes are split for whoever is idle, and searches so short may be over before anybody
            // is, or before anybody helps; tests/methods.rs sees to it that somebody does.
            _ => assert!(table.hits > 100, "{found:?}"),
        }
        assert_eq!(table.contradictions, 0, "{method}");
    }
}
