//! Saved tables: what is saved is found again, what differs is refused with a reason, and what is damaged is
//! forgotten and never believed.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom, mix64};
use starsplit::game::{Game, PositionHash};
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::search::{Limits, Options, SearchResult, TableUse};
use starsplit::table::{Found, LocklessTable, NewEntry, Reuse, Stored, Table};
use starsplit_saved::{Loaded, SavedTable, SavedTableError, TableIdentity, TableNames, is_saved, save};
use starsplit_testkit::{GraphShape, RandomGraph};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// How long the header is, where its marks begin, and how long a block is.
const HEADER: usize = 16 << 10;
const MARKS: usize = HEADER - 64;
const BLOCK: usize = 64 << 10;

/// Buckets of a table of two blocks and a part of a third.
const BUCKETS: u64 = 2500;

/// The file of a saved table in a test's folder.
fn saved_in(folder: &TempDir) -> PathBuf {
    folder.path().join("saved.table")
}

fn names_in(folder: &TempDir) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().expect("text")).collect();
    names.sort();
    names
}

fn names() -> TableNames {
    TableNames { game: "graph".into(), rules: "positions=3000".into(), evaluator: "random".into() }
}

/// A game whose searches fill a good part of the table, and its evaluator.
fn game() -> (RandomGraph, HashRandom) {
    let shape = GraphShape { positions: 3000, terminal_percent: 2, ..GraphShape::default() };
    (RandomGraph::new(&shape, 4).expect("a graph"), HashRandom::new(5, MAX_LIMIT))
}

fn identity() -> TableIdentity {
    let (game, evaluator) = game();
    TableIdentity::new(&game, &evaluator, Reuse::Exact, names())
}

/// A search whose nodes all use the table.
fn search<T: Table>(table: T, depth: u32) -> SearchResult<u32, u32> {
    let (game, evaluator) = game();
    let start = game.start();
    let options = Options { table_use: TableUse::All, table_depth: Some(1), ..Options::default() };
    let searcher = Searcher::new(game, evaluator, table).with_options(options);
    searcher.request(&start).limits(Limits::depth(depth)).search().expect("an answer")
}

/// A table that remembers which keys it was asked to keep, so that all of it can be looked up again.
#[derive(Default)]
struct Noting {
    keys: std::sync::Mutex<Vec<(PositionHash, u8)>>,
}

/// [`Noting`] before a table.
struct Noted<'a>(&'a Noting, &'a LocklessTable);

impl Table for Noted<'_> {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        self.1.probe(key, depth, reuse)
    }

    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        self.0.keys.lock().unwrap().push((key, entry.depth));
        self.1.store(key, entry, reuse)
    }

    fn new_generation(&self) {
        self.1.new_generation();
    }

    fn clear(&self, threads: usize) {
        self.1.clear(threads);
    }

    fn hashfull(&self) -> u32 {
        self.1.hashfull()
    }
}

/// A table that a search has filled, saved; and every key that the search stored.
struct Sample {
    scratch: TempDir,
    table: LocklessTable,
    keys: Vec<(PositionHash, u8)>,
    value: Option<Score>,
    bytes: Vec<u8>,
}

const DEPTH: u32 = 6;

impl Sample {
    fn new() -> Self {
        let scratch = tempdir().expect("a temporary folder");
        let table = LocklessTable::with_buckets(BUCKETS).expect("a small table");
        let noting = Noting::default();
        let value = search(Noted(&noting, &table), DEPTH).score();
        save(&table, saved_in(&scratch), &identity()).expect("it is saved");
        let bytes = fs::read(saved_in(&scratch)).expect("it is there");
        let mut keys = noting.keys.into_inner().unwrap();
        keys.sort_by_key(|&(key, depth)| (key.high, key.low, depth));
        keys.dedup();
        assert!(keys.len() > 500 && value.is_some(), "{} keys, {value:?}", keys.len());
        Sample { scratch, table, keys, value, bytes }
    }

    fn load(&self, bytes: &[u8]) -> Result<(SavedTable, Loaded), SavedTableError> {
        fs::write(saved_in(&self.scratch), bytes).expect("it is written");
        SavedTable::load(saved_in(&self.scratch), &identity())
    }

    /// How many entries a table has forgotten; none says anything else than it did.
    fn forgotten(&self, table: &SavedTable, what: &str) -> usize {
        let mut forgotten = 0;
        for &(key, depth) in &self.keys {
            let probe =
                |table: &LocklessTable| table.probe(key, depth, Reuse::Exact).map(|found| found.bounds);
            let (whole, found) = (probe(&self.table), probe(table.table()));
            let unknown = found.is_none_or(|bounds| bounds == Bounds::unknown(MAX_LIMIT));
            assert!(unknown || found == whole, "{what}: {found:?}, was {whole:?}");
            forgotten += usize::from(found != whole);
        }
        forgotten
    }
}

#[test]
fn what_is_saved_is_found_again_and_a_search_goes_on_as_it_would_have() {
    let sample = Sample::new();
    assert!(is_saved(saved_in(&sample.scratch)));
    let (loaded, found) = SavedTable::load(saved_in(&sample.scratch), &identity()).expect("it is loaded");
    assert_eq!(found, Loaded { blocks: 3, damaged: 0, impossible: 0, is_checked: true });
    assert_eq!((loaded.table().buckets(), loaded.hashfull()), (BUCKETS, sample.table.hashfull()));
    assert_eq!(sample.forgotten(&loaded, "whole"), 0);
    for &(key, depth) in &sample.keys {
        assert_eq!(loaded.probe(key, depth, Reuse::Exact), sample.table.probe(key, depth, Reuse::Exact));
    }
    let empty = search(LocklessTable::with_buckets(BUCKETS).unwrap(), DEPTH + 2);
    let (there, here) = (search(&loaded, DEPTH + 2), search(&sample.table, DEPTH + 2));
    assert_eq!((there.stats, there.score(), there.best_move), (here.stats, here.score(), here.best_move));
    assert_eq!(there.score(), empty.score());
    assert!(there.stats.nodes.total() < empty.stats.nodes.total());
    // And what was loaded is saved as what was not.
    save(loaded.table(), saved_in(&sample.scratch), &identity()).unwrap();
    let again = fs::read(saved_in(&sample.scratch)).unwrap();
    save(&sample.table, saved_in(&sample.scratch), &identity()).unwrap();
    assert!(again == fs::read(saved_in(&sample.scratch)).unwrap(), "the same bytes");
    assert_eq!(names_in(&sample.scratch), ["saved.table"]);
}

/// What an earlier build saved: 256 buckets after a search to depth 6.
const OF_BEFORE: &[u8] = include_bytes!("data/key-scheme-2.table");

#[test]
#[cfg(target_endian = "little")]
fn a_table_that_an_earlier_build_saved_is_loaded_mapped_and_used() {
    let scratch = tempdir().expect("a temporary folder");
    fs::write(saved_in(&scratch), OF_BEFORE).unwrap();
    let sound = Loaded { blocks: 1, damaged: 0, impossible: 0, is_checked: true };
    fn nodes_after(table: &impl Table) -> u64 {
        let result = search(table, DEPTH);
        assert_eq!(result.score(), Some(6_802_900), "what that build found");
        result.stats.nodes.total()
    }
    let empty = nodes_after(&LocklessTable::with_buckets(256).unwrap());
    let (loaded, told) = SavedTable::load(saved_in(&scratch), &identity()).expect("it is loaded");
    assert_eq!((told, loaded.table().buckets()), (sound, 256));
    let after = nodes_after(&loaded);
    assert!(after < empty / 10, "{after} of {empty} nodes: it has most of what is asked for");
    let (mapped, told) = SavedTable::map(saved_in(&scratch), &identity(), 1).expect("it is mapped");
    assert_eq!((told, mapped.table().buckets()), (sound, 256));
    assert_eq!(nodes_after(&mapped), after);
}

/// What version 0.1.0 saved when half of a hash verified an entry.
const OF_HALVES: &[u8] = include_bytes!("data/key-scheme-1.table");

#[test]
#[cfg(target_endian = "big")]
fn a_table_that_a_little_endian_machine_saved_is_refused() {
    for saved in [OF_BEFORE, OF_HALVES] {
        let scratch = tempdir().expect("a temporary folder");
        fs::write(saved_in(&scratch), saved).unwrap();
        let error = SavedTable::load(saved_in(&scratch), &identity()).expect_err("by load");
        assert!(matches!(error, SavedTableError::Differs { what: "byte order", .. }), "{error}");
    }
}

#[test]
#[cfg(target_endian = "little")]
fn a_table_whose_keys_were_made_otherwise_is_refused() {
    let scratch = tempdir().expect("a temporary folder");
    fs::write(saved_in(&scratch), OF_HALVES).unwrap();
    let refused = |error: SavedTableError| {
        let SavedTableError::Differs { what: "key scheme", expected, found, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!((&expected[..], &found[..]), ("2", "1"), "{error}");
    };
    refused(SavedTable::load(saved_in(&scratch), &identity()).expect_err("by load"));
    refused(SavedTable::map(saved_in(&scratch), &identity(), 1).expect_err("by map"));
}

#[test]
fn no_flipped_bit_is_believed() {
    let sample = Sample::new();
    let mut random = Pcg64::seed_from_u64(1);
    let anywhere = (0..200).map(|_| (random.next_u64() % (8 * sample.bytes.len() as u64)) as usize);
    let in_the_marks = (8 * MARKS)..(8 * HEADER);
    let (mut refused, mut damaged, mut unchecked, mut harmless) = (0, 0, 0, 0);
    for bit in anywhere.collect::<Vec<_>>().into_iter().chain(in_the_marks) {
        let mut bytes = sample.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let (table, loaded) = match sample.load(&bytes) {
            Ok(loaded) => loaded,
            Err(error) => {
                assert!(error.to_string().contains("saved.table: expected "), "bit {bit}: {error}");
                assert!(bit < 8 * MARKS, "bit {bit}: {error}");
                refused += 1;
                continue;
            }
        };
        let forgotten = sample.forgotten(&table, &format!("bit {bit}"));
        let is_told = loaded.damaged > 0 || !loaded.is_checked;
        assert!(is_told || forgotten == 0, "bit {bit}: {forgotten} forgotten, and nothing is told");
        // What nobody reads or what merely guides replacement: the rest of the marks.
        assert!(is_told || (8 * MARKS + 64..8 * HEADER).contains(&bit), "bit {bit} is in none of the blocks");
        assert_eq!(loaded.damaged > 0, bit >= 8 * HEADER, "bit {bit}: {loaded:?}");
        assert_eq!(search(&table, DEPTH).score(), sample.value, "bit {bit}");
        match loaded {
            Loaded { damaged: 1, .. } => damaged += 1,
            Loaded { is_checked: false, .. } => unchecked += 1,
            _ => harmless += 1,
        }
    }
    assert!(refused > 0 && damaged > 100, "{refused} refused, {damaged} damaged");
    assert_eq!((unchecked, unchecked + harmless), (64, 512), "the mark that it was closed, and the others");
}

#[test]
fn without_checksums_a_slot_does_not_believe_a_flipped_bit() {
    let sample = Sample::new();
    let mut random = Pcg64::seed_from_u64(2);
    let buckets = 8 * 64 * BUCKETS;
    let (mut forgotten, mut impossible) = (0, 0);
    // Many at once, since each may cost one entry at the most.
    for round in 0..20 {
        let mut bytes = sample.bytes.clone();
        bytes[MARKS..MARKS + 8].fill(0); // as a killed process leaves it
        for _ in 0..200 {
            let bit = 8 * HEADER + (random.next_u64() % buckets) as usize;
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        let (table, loaded) = sample.load(&bytes).expect("it is loaded");
        assert_eq!((loaded.damaged, loaded.is_checked), (0, false), "round {round}");
        let lost = sample.forgotten(&table, &format!("round {round}"));
        assert!(lost <= 200, "round {round}: {lost}");
        forgotten += lost;
        impossible += loaded.impossible;
        assert_eq!(search(&table, DEPTH).score(), sample.value, "round {round}");
    }
    assert!(forgotten > 100 && impossible > 0, "{forgotten} forgotten, {impossible} impossible");
}

#[test]
fn a_truncated_file_is_refused() {
    let sample = Sample::new();
    let mut random = Pcg64::seed_from_u64(3);
    for _ in 0..200 {
        let length = (random.next_u64() % sample.bytes.len() as u64) as usize;
        let error = sample.load(&sample.bytes[..length]).expect_err("too short");
        let is_told = match error {
            SavedTableError::Length { expected, found, .. } => {
                (expected, found) == (sample.bytes.len() as u64, length as u64)
            }
            SavedTableError::Header { .. } => length < HEADER,
            SavedTableError::Foreign { .. } => length < 8,
            _ => false,
        };
        assert!(is_told, "{length} bytes: {error}");
    }
    let longer = [&sample.bytes[..], &[0]].concat();
    assert!(matches!(sample.load(&longer), Err(SavedTableError::Length { .. })));
}

#[test]
fn blocks_that_have_changed_places_are_damaged() {
    let sample = Sample::new();
    let mut bytes = sample.bytes.clone();
    let (first, second) = bytes[HEADER..HEADER + 2 * BLOCK].split_at_mut(BLOCK);
    first.swap_with_slice(second);
    let sums = HEADER + 64 * BUCKETS as usize;
    let (first, second) = bytes[sums..sums + 16].split_at_mut(8);
    first.swap_with_slice(second);
    let (table, loaded) = sample.load(&bytes).expect("it is loaded");
    assert_eq!((loaded.blocks, loaded.damaged), (3, 2));
    assert!(sample.forgotten(&table, "changed places") > 0);
}

#[test]
fn whatever_differs_is_refused_by_name() {
    let sample = Sample::new();
    let (game, evaluator) = game();
    let of = |change: fn(&mut TableNames)| {
        let mut names = names();
        change(&mut names);
        TableIdentity::new(&game, &evaluator, Reuse::Exact, names)
    };
    let other_game = RandomGraph::new(&GraphShape { positions: 2999, ..GraphShape::default() }, 4).unwrap();
    let coarse = GraphShape { positions: 3000, terminal_percent: 2, limit: 99, ..GraphShape::default() };
    let coarse = RandomGraph::new(&coarse, 4).unwrap();
    assert_ne!(game.identity(), coarse.identity(), "the grid is one of the rules");
    let other_evaluator = HashRandom::new(6, MAX_LIMIT);
    assert_ne!(evaluator.facts(&game).identity, other_evaluator.facts(&game).identity);
    let cases = [
        (of(|names| names.game = "pig".into()), "expected game pig, found graph"),
        (of(|names| names.rules = "none".into()), "expected rules none, found positions=3000"),
        (of(|names| names.evaluator = "zero".into()), "expected evaluator zero, found random"),
        (
            TableIdentity::new(&other_game, &evaluator, Reuse::Exact, names()),
            "number of the game and its rules",
        ),
        (TableIdentity::new(&coarse, &evaluator, Reuse::Exact, names()), "number of the game and its rules"),
        (TableIdentity::new(&game, &other_evaluator, Reuse::Exact, names()), "number of the evaluator"),
        (
            TableIdentity::new(&game, &evaluator, Reuse::AtLeast, names()),
            "expected reuse of greater depths, found of exact depths",
        ),
    ];
    let path = saved_in(&sample.scratch);
    for (identity, told) in cases {
        for error in [
            SavedTable::load(&path, &identity).map(|_| ()).expect_err(told),
            SavedTable::map(&path, &identity, 1).map(|_| ()).expect_err(told),
        ] {
            let complaint = error.to_string();
            assert!(complaint.starts_with("table ") && complaint.contains(told), "{complaint}");
        }
    }
    assert!(fs::read(&path).unwrap() == sample.bytes, "what is refused stays as it is");
}

#[test]
fn what_is_no_saved_table_is_refused() {
    let scratch = tempdir().expect("a temporary folder");
    let file = saved_in(&scratch);
    let refused = |path: &Path, told: &str| {
        for error in [
            SavedTable::load(path, &identity()).map(|_| ()).expect_err(told),
            SavedTable::map(path, &identity(), 0).map(|_| ()).expect_err(told),
        ] {
            assert!(error.to_string().contains(told), "{error}");
        }
        assert!(!is_saved(path));
    };
    refused(&file, "expected ");
    refused(scratch.path(), "not a regular file");
    for bytes in [&[][..], b"text", &[0; 2 * HEADER]] {
        fs::write(&file, bytes).unwrap();
        refused(&file, "expected a saved table, found something else");
    }
}

#[test]
fn what_cannot_be_saved_leaves_the_old_file() {
    let sample = Sample::new();
    let long = TableNames { rules: "x".repeat(5000), ..names() };
    let (game, evaluator) = game();
    let long = TableIdentity::new(&game, &evaluator, Reuse::Exact, long);
    let complaint = save(&sample.table, saved_in(&sample.scratch), &long).expect_err("no room").to_string();
    assert!(
        complaint.ends_with("saved.table: expected rules of at most 4096 bytes, found 5000"),
        "{complaint}"
    );
    assert!(save(&sample.table, sample.scratch.path().join("none/x"), &identity()).is_err());
    let complaint =
        save(&sample.table, sample.scratch.path(), &identity()).expect_err("a folder").to_string();
    assert!(complaint.contains("expected a file that can be written"), "{complaint}");
    assert!(fs::read(saved_in(&sample.scratch)).unwrap() == sample.bytes);
    assert_eq!(names_in(&sample.scratch), ["saved.table"]);
}

/// Keys as searches make them.
fn key(number: u64) -> PositionHash {
    PositionHash { high: mix64(2 * number), low: mix64(2 * number + 1) }
}

fn store(table: &SavedTable, number: u64) {
    let entry = NewEntry::new(3, Bounds::exactly(number as Score), MAX_LIMIT);
    table.store(key(number), entry, Reuse::Exact);
}

fn found(table: &SavedTable, number: u64) -> Option<Score> {
    table.probe(key(number), 3, Reuse::Exact).map(|found| found.bounds.lower)
}

#[test]
fn what_one_who_has_it_mapped_stores_the_others_find_and_the_last_closes_it() {
    let scratch = tempdir().expect("a temporary folder");
    let (file, identity) = (saved_in(&scratch), identity());
    let (one, loaded) = SavedTable::map(&file, &identity, BUCKETS).expect("it is made");
    assert_eq!(loaded, Loaded { blocks: 3, damaged: 0, impossible: 0, is_checked: true });
    assert_eq!(names_in(&scratch), ["saved.table"]);
    // The size that it has counts.
    let (other, loaded) = SavedTable::map(&file, &identity, 7).expect("it is shared");
    assert_eq!((other.table().buckets(), loaded.is_checked), (BUCKETS, false));
    store(&one, 1);
    store(&other, 2);
    assert_eq!([found(&one, 2), found(&other, 1)], [Some(2), Some(1)]);
    // A generation is begun after those of all who share the table.
    one.new_generation();
    other.new_generation();
    (3..300).for_each(|number| store(&other, number));
    assert!(other.hashfull() > 0 && one.hashfull() == 0);
    one.new_generation();
    assert_eq!(one.hashfull(), 0, "it is the other's");
    // A copy of what is in use, as what a killed process leaves.
    let left = scratch.path().join("left.table");
    fs::copy(&file, &left).unwrap();
    assert!(!one.close().expect("it is left"), "another has it");
    assert!(other.close().expect("it is left"), "nobody has it");
    let (loaded, what) = SavedTable::load(&file, &identity).expect("it is loaded");
    assert_eq!((what.damaged, what.is_checked), (0, true));
    let (of_left, what) = SavedTable::load(&left, &identity).expect("it is loaded");
    assert_eq!((what.damaged, what.impossible, what.is_checked), (0, 0, false));
    let (left, what) = SavedTable::map(&left, &identity, 1).expect("it is mapped");
    assert_eq!((what.damaged, what.impossible, what.is_checked), (0, 0, false));
    for number in 1..300 {
        let numbers = [&loaded, &of_left, &left].map(|table| found(table, number));
        assert_eq!(numbers, [Some(number as Score); 3]);
    }
}

#[test]
fn a_table_that_is_dropped_is_closed_and_a_damaged_block_is_emptied_in_place() {
    let scratch = tempdir().expect("a temporary folder");
    let (file, identity) = (saved_in(&scratch), identity());
    let (table, _) = SavedTable::map(&file, &identity, BUCKETS).expect("it is made");
    (0..2000).for_each(|number| store(&table, number));
    let kept = (0..2000).filter(|&number| found(&table, number).is_some()).count();
    drop(table);
    let mut bytes = fs::read(&file).unwrap();
    bytes[HEADER + BLOCK + 5] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let (table, loaded) = SavedTable::map(&file, &identity, BUCKETS).expect("it is mapped");
    assert_eq!(loaded, Loaded { blocks: 3, damaged: 1, impossible: 0, is_checked: true });
    let left = (0..2000).filter(|&number| found(&table, number) == Some(number as Score)).count();
    assert!(left < kept && left > kept / 3, "{left} of {kept}");
    assert!(table.close().expect("it is closed"));
    let (_, loaded) = SavedTable::map(&file, &identity, BUCKETS).expect("it is mapped");
    assert_eq!((loaded.damaged, loaded.is_checked), (0, true));
}

#[test]
fn searches_of_many_threads_on_several_mappings_find_one_value() {
    let scratch = tempdir().expect("a temporary folder");
    let (file, identity) = (saved_in(&scratch), identity());
    let expected = search(LocklessTable::with_buckets(BUCKETS).unwrap(), DEPTH).score();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let (table, _) = SavedTable::map(&file, &identity, 64).expect("it is mapped");
                    assert_eq!(search(&table, DEPTH).score(), expected);
                }
            });
        }
    });
    let (table, loaded) = SavedTable::load(&file, &identity).expect("it is loaded");
    assert_eq!((loaded.damaged, loaded.is_checked), (0, true), "the last has closed it");
    assert_eq!(search(&table, DEPTH).score(), expected);
}
