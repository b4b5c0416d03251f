//! Every scheme of replacement: one value, from one row up, on any number of threads; and that each keeps
//! what its literature says it keeps.

use crate::common::graphs::{affordable_depth, root_of};
use crate::common::oracle::Oracle;
use starsplit::evaluator::{HashRandom, mix64};
use starsplit::game::PositionHash;
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::search::{Algorithm, Limits, Options, Splits};
use starsplit::table::Reuse;
use starsplit::table::{NewEntry, Table};
use starsplit::{Pool, Searcher};
use starsplit_tables::{AnyTable, RETIRED, Retention, Scheme};
use starsplit_testkit::{GraphShape, RandomGraph};
use std::collections::BTreeMap;
use std::time::Duration;

/// Entries of the tables: one row, a few, some, and more than there are nodes.
const SIZES: [u64; 4] = [1, 16, 256, 1 << 14];

const THREADS: [usize; 3] = [1, 2, 8];

/// What happened in the searches with a scheme.
#[derive(Clone, Debug, Default)]
struct Seen {
    searches: u64,
    hits: u64,
    cutoffs: u64,
    replacements: u64,
    /// Searches by several threads that took work of each other's.
    steals: u64,
}

fn options(seed: u64, threads: usize) -> Options {
    let algorithms = [Algorithm::Star2Tt, Algorithm::Star1, Algorithm::Star2, Algorithm::Expectimax];
    // The default one every other time.
    let algorithm = if seed % 2 == 0 { Algorithm::Star2Tt } else { algorithms[seed as usize / 2 % 4] };
    Options {
        threads,
        table_depth: Some(1),
        splits: Splits {
            depth: Some(2),
            size: Some(0),
            helpers_after: Duration::ZERO,
            ..Options::paper(algorithm).splits
        },
        successor_probing_depth: 2,
        ..Options::paper(algorithm)
    }
}

/// Searches graphs with every scheme, against the oracle.
fn campaign(seeds: std::ops::Range<u64>) -> BTreeMap<Scheme, Seen> {
    let pools = THREADS.map(|threads| Pool::new(threads).expect("threads"));
    let mut seen = BTreeMap::<_, Seen>::new();
    for seed in seeds {
        let random = mix64(seed);
        let shape = GraphShape {
            positions: [12, 60, 400][random as usize % 3],
            cycles: random >> 8 & 3 != 0,
            one_player: random >> 10 & 7 == 0,
            ..GraphShape::default()
        };
        let graph = RandomGraph::new(&shape, seed).expect("a shape within its limits");
        let root = root_of(&graph, random as u32);
        let depth = affordable_depth(&graph, root, 7, 20_000);
        let evaluator = HashRandom::new(seed, shape.limit);
        let depths = [depth.saturating_sub(1).max(1), depth];
        let mut oracle = Oracle::new(&graph, &evaluator);
        let expected = depths.map(|depth| oracle.value(&root, depth) as Score);
        for (number, &scheme) in Scheme::ALL.iter().enumerate() {
            let choice = mix64(random ^ number as u64) as usize;
            let (size, team) = (SIZES[choice % 4], choice / 4 % 3);
            let table = AnyTable::new(scheme, size).expect("a small table");
            let searcher = Searcher::new(graph.clone(), evaluator, &table)
                .with_options(options(random >> 12, THREADS[team]))
                .with_pool(pools[team].clone());
            let seen = seen.entry(scheme).or_default();
            // To less depth first: the table is warm for the other.
            for (depth, expected) in depths.into_iter().zip(expected) {
                let found = searcher.request(&root).limits(Limits::depth(depth)).search().expect("a search");
                let what = format!("graph {seed} to depth {depth} with {size} entries, {}", scheme.name());
                assert_eq!(found.bounds, Bounds::exactly(expected), "{what}");
                let table = found.stats.table;
                assert_eq!(table.contradictions, 0, "{what}");
                seen.searches += 1;
                seen.hits += table.hits;
                seen.cutoffs += table.decision_cutoffs + table.chance_cutoffs;
                seen.replacements += table.replacements;
                seen.steals += u64::from(found.stats.split.steals > 0);
            }
        }
    }
    seen
}

/// Asserts that each scheme's searches did what could have gone wrong.
fn assert_happened(seen: &BTreeMap<Scheme, Seen>, graphs: u64) {
    assert_eq!(seen.len(), Scheme::ALL.len());
    for (&case, seen) in seen {
        let Seen { searches, hits, cutoffs, replacements, .. } = *seen;
        assert_eq!(searches, 2 * graphs, "{case:?}");
        assert!(hits > 100 * graphs && cutoffs > 20 * graphs, "{case:?}: {seen:?}");
        let is_kept = case == Scheme::KeepFirst || case == Scheme::Old;
        assert!(replacements > 2 * graphs || is_kept, "{case:?}: {seen:?}");
    }
}

/// How many searches stole, over all schemes, which share the code that shares the work.
fn steals(seen: &BTreeMap<Scheme, Seen>) -> u64 {
    seen.values().map(|seen| seen.steals).sum()
}

#[test]
fn every_scheme_finds_the_one_value() {
    let graphs = 250;
    let seen = campaign(0..graphs);
    assert_happened(&seen, graphs);
    // Who steals is the system's affair, in searches so small more than elsewhere: beside busy neighbours few
    // do. Then more graphs are searched.
    let mut stole = steals(&seen);
    for more in 1..=20 {
        if stole > graphs / 2 {
            return;
        }
        stole += steals(&campaign(graphs * more..graphs * (more + 1)));
    }
    assert!(stole > graphs / 2, "{stole} searches with steals");
}

#[test]
#[ignore = "takes some ten minutes in a release"]
fn every_scheme_finds_the_one_value_on_ten_thousand_graphs() {
    let graphs = 10_000;
    let seen = campaign(10_000..10_000 + graphs);
    for (scheme, seen) in &seen {
        println!("{}: {seen:?}", scheme.name());
    }
    assert_happened(&seen, graphs);
    assert!(steals(&seen) > graphs / 2, "{seen:?}");
}

/// A key of the only row of a small table.
fn key(number: u64) -> PositionHash {
    PositionHash { high: 0, low: number << 16 }
}

fn entry(depth: u8, value: Score) -> NewEntry {
    NewEntry::new(depth, Bounds::exactly(value), MAX_LIMIT)
}

fn tiny(scheme: Scheme) -> AnyTable {
    AnyTable::new(scheme, 1).expect("a small table")
}

/// Which of the keys 1 to 9 are found at a depth.
fn held(table: &AnyTable, depths: std::ops::RangeInclusive<u8>) -> Vec<u64> {
    let is_held = |number: u64| {
        let found =
            |depth| table.probe(key(number), depth, Reuse::Exact).is_some_and(|found| found.has_bounds());
        depths.clone().any(found)
    };
    (1..=9).filter(|&number| is_held(number)).collect()
}

fn after(scheme: Scheme, entries: &[NewEntry]) -> Vec<u64> {
    let table = tiny(scheme);
    for (number, &entry) in (1..).zip(entries) {
        table.store(key(number), entry, Reuse::Exact);
    }
    held(&table, 1..=9)
}

#[test]
fn one_entry_is_the_last_the_first_or_the_deepest() {
    let stored = [entry(3, 1), entry(5, 2), entry(5, 3), entry(4, 4)];
    for (scheme, expected) in [
        (Scheme::Always, 4),
        (Scheme::New, 4),
        (Scheme::KeepFirst, 1),
        (Scheme::Old, 1),
        (Scheme::Deepest, 2),
        (Scheme::Deep, 3),
    ] {
        assert_eq!(after(scheme, &stored), [expected], "{}", scheme.name());
    }
}

#[test]
fn an_entry_that_was_used_survives_one_collision() {
    let table = tiny(Scheme::ReferenceBit);
    table.store(key(1), entry(3, 1), Reuse::Exact);
    assert_eq!(held(&table, 3..=3), [1]);
    assert!(!table.store(key(2), entry(3, 2), Reuse::Exact).written);
    assert!(table.store(key(3), entry(3, 3), Reuse::Exact).written);
    assert!(table.store(key(4), entry(3, 4), Reuse::Exact).written, "it was not used");
    assert_eq!(held(&table, 3..=3), [4]);
}

#[test]
fn two_levels_keep_the_deepest_and_the_last() {
    let stored = [entry(5, 1), entry(3, 2), entry(4, 3), entry(2, 4)];
    assert_eq!(after(Scheme::TwoDeep, &stored), [1, 4]);
    assert_eq!(
        after(Scheme::TwoDeep, &[entry(3, 1), entry(2, 2), entry(5, 3)]),
        [1, 3],
        "the first goes down"
    );
}

#[test]
fn the_same_position_is_brought_up_to_date_in_every_scheme() {
    for &scheme in Scheme::ALL {
        let table = tiny(scheme);
        table.store(key(1), NewEntry { table_move: Some(7), ..entry(3, 1) }, Reuse::Exact);
        let stored = table.store(key(1), entry(5, 2), Reuse::Exact);
        let found = table.probe(key(1), 5, Reuse::Exact).expect("it is there");
        assert!(
            stored.written && found.bounds == Bounds::exactly(2) && found.table_move == Some(7),
            "{}",
            scheme.name()
        );
        assert!(!table.store(key(1), entry(5, 2), Reuse::Exact).written, "{}", scheme.name());
    }
}

#[test]
fn no_entries_are_refused_and_names_name_one_scheme_each() {
    for &scheme in Scheme::ALL {
        assert!(AnyTable::new(scheme, 0).is_err());
        assert!(AnyTable::new(scheme, u64::MAX / 2).is_err(), "{}", scheme.name());
        assert_eq!(Scheme::ALL.iter().filter(|other| other.name() == scheme.name()).count(), 1);
    }
    assert!(RETIRED.iter().all(|name| Scheme::ALL.iter().all(|scheme| scheme.name() != *name)));
}

#[test]
fn a_table_that_is_cleared_keeps_nothing_and_has_kept_nothing() {
    for &scheme in Scheme::ALL {
        let plain = AnyTable::new(scheme, 256).expect("a small table");
        let watched = AnyTable::new(scheme, 256).expect("a small table").watched();
        for table in [&plain, &watched] {
            let what = scheme.name();
            for number in 0..256 {
                let key = PositionHash { high: number << 56, low: number << 16 };
                table.store(key, entry(3, 1), Reuse::Exact);
            }
            let found = table.probe(key(0), 3, Reuse::Exact).map(|found| found.bounds);
            assert_eq!(found, Some(Bounds::exactly(1)), "{what}");
            assert!((100..=1000).contains(&table.hashfull()), "{what}: {}", table.hashfull());
            table.clear(2);
            assert_eq!(table.probe(key(0), 3, Reuse::Exact), None, "{what}");
            assert_eq!(table.hashfull(), 0, "{what}");
        }
        let none = Retention { asked_again: 0, found_again: 0 };
        assert_eq!((plain.retention(), watched.retention()), (None, Some(none)));
    }
}

/// Two depths of one position, under either way of reuse, in every scheme of one entry.
#[test]
fn one_entry_joins_what_is_proven_of_a_position() {
    let sides = [Bounds::new(5, MAX_LIMIT), Bounds::new(-MAX_LIMIT, 9), Bounds::new(-MAX_LIMIT, 4)];
    let [lower, upper, contrary] = sides.map(|bounds| NewEntry::new(3, bounds, MAX_LIMIT));
    let deeper = |entry| NewEntry { depth: 4, ..entry };
    for scheme in [Scheme::Always, Scheme::Deep, Scheme::ReferenceBit, Scheme::TwoDeep] {
        let (table, what) = (tiny(scheme), scheme.name());
        let joined = |entries: [NewEntry; 2], reuse| {
            table.clear(1);
            let [_, second] = entries.map(|entry| table.store(key(1), entry, reuse));
            (table.probe(key(1), 3, reuse).expect("it is there").bounds, second.contradicted)
        };
        assert_eq!(joined([lower, upper], Reuse::Exact), (Bounds::new(5, 9), false), "{what}");
        assert_eq!(joined([lower, contrary], Reuse::Exact), (contrary.bounds, true), "{what}: the newer one");
        assert_eq!(joined([lower, deeper(upper)], Reuse::AtLeast), (Bounds::new(5, 9), false), "{what}");
        assert_eq!(joined([deeper(lower), lower], Reuse::AtLeast), (lower.bounds, false), "{what}");
    }
}

#[test]
fn retention_is_told_of_what_was_offered_with_bounds() {
    let table = tiny(Scheme::Always).watched();
    let (least, most) = (-MAX_LIMIT, MAX_LIMIT);
    let known = [Bounds::exactly(1), Bounds::new(0, most), Bounds::new(least, 0), Bounds::new(least, most)];
    for (number, bounds) in (1..).zip(known) {
        table.store(key(number), NewEntry::new(3, bounds, MAX_LIMIT), Reuse::Exact);
    }
    assert_eq!(held(&table, 3..=3), [3], "the last that says anything");
    assert_eq!(table.retention(), Some(Retention { asked_again: 3, found_again: 1 }));
    assert!(held(&table, 4..=4).is_empty(), "of another depth");
    assert_eq!(table.retention(), Some(Retention { asked_again: 3, found_again: 1 }));
}

#[test]
fn a_table_is_lockless_where_it_is_the_default_one() {
    for &scheme in Scheme::ALL {
        let table = AnyTable::new(scheme, 64).expect("a small table");
        assert_eq!(table.scheme(), scheme);
        assert_eq!(table.as_lockless().is_some(), scheme == Scheme::Buckets);
        assert!(table.close().expect("it is in no file"));
    }
}
