//! Saved tables: files that differ from a real one in a few places, or in many.
//!
//! A file is too long for a corpus, so bytes say in which places it differs from one that a search has left,
//! and whether checksums are made to fit again: else hardly any difference would come farther than these.
//! What a checksum of a block vouches for is believed, down to the slots' own checks; so where checksums are
//! made anew, slots are only taken for others' or emptied.

use crate::Target;
use crate::bytes::Bytes;
use crate::refusals::check;
use starsplit::Searcher;
use starsplit::evaluator::{HashRandom, mix64};
use starsplit::score::{MAX_LIMIT, Score};
use starsplit::search::{Limits, Options, TableUse};
use starsplit::table::{LocklessTable, Reuse, Table};
use starsplit_saved::{SavedTable, TableIdentity, TableNames, is_saved, save};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use std::fs;
use std::sync::LazyLock;
use tempfile::NamedTempFile;

pub(super) const TARGET: Target = Target {
    name: "saved_table",
    about: "a byte of switches, a length where one of them asks for it, and places of 16 bits, each with a \
            count and so many bytes",
    run,
    seeds,
    words: || {
        let places =
            [0_u16, 8, 12, 13, 29, 37, 45, 53, 57, 73, 74, 16_312, 16_320, 16_328, 16_384, 16_400, 17_408];
        let places = places.iter().map(|place| place.to_le_bytes().to_vec());
        places.chain([vec![255; 8], vec![0; 8], vec![8], vec![1], vec![16]]).collect()
    },
    mutations: 5_000,
    longest: 300,
};

/// Where things lie in a file: see `saved/src/header.rs`.
const HEADER: usize = 16 << 10;
const CHECKSUM_AT: usize = HEADER - 72;
const MARKS_AT: usize = HEADER - 64;

/// How many buckets the table has, of 64 bytes each: less than a block.
const BUCKETS: u64 = 16;

/// The switches.
const SEAL_HEADER: u8 = 1;
const SEAL_BLOCK: u8 = 2;
const NOT_CLOSED: u8 = 4;
const OTHER_LENGTH: u8 = 8;
/// What stands at a place is added to what was there, bit by bit, instead of taking its place.
const XOR: u8 = 16;
/// The table is mapped and used in place, not read.
const MAP: u8 = 32;

/// How deep is searched: to fill the table, and with what was loaded.
const DEPTH: u32 = 4;

struct Real {
    game: RandomGraph,
    evaluator: HashRandom,
    root: GraphPosition,
    identity: TableIdentity,
    /// The file that a search has left.
    bytes: Vec<u8>,
    value: Score,
}

static REAL: LazyLock<Real> = LazyLock::new(|| {
    let shape = GraphShape { positions: 200, terminal_percent: 3, ..GraphShape::default() };
    let game = RandomGraph::new(&shape, 4).expect("a graph");
    let (evaluator, root) = (HashRandom::new(5, MAX_LIMIT), game.start());
    let names =
        TableNames { game: "graph".into(), rules: "positions=200".into(), evaluator: "random".into() };
    let identity = TableIdentity::new(&game, &evaluator, Reuse::Exact, names);
    let table = LocklessTable::with_buckets(BUCKETS).expect("a small table");
    let value = search(&game, evaluator, root, &table);
    let file = NamedTempFile::new().expect("a temporary file");
    save(&table, file.path(), &identity).expect("it is saved");
    let bytes = fs::read(file.path()).expect("it is there");
    Real { game, evaluator, root, identity, bytes, value }
});

/// The value by a search whose nodes all use the table.
fn search(game: &RandomGraph, evaluator: HashRandom, root: GraphPosition, table: impl Table) -> Score {
    let options = Options { table_use: TableUse::All, table_depth: Some(1), ..Options::default() };
    let searcher = Searcher::new(game.clone(), evaluator, table).with_options(options);
    let result = searcher.request(&root).limits(Limits::depth(DEPTH)).search().expect("a search");
    result.score().expect("an exact value")
}

fn run(bytes: &[u8]) {
    let Real { game, evaluator, root, identity, value, .. } = &*REAL;
    let (switches, bytes) = file(bytes);
    let file = NamedTempFile::new().expect("a temporary file");
    fs::write(file.path(), &bytes).expect("a temporary file");
    is_saved(file.path());
    let loaded = match switches & MAP {
        0 => SavedTable::load(file.path(), identity),
        _ => SavedTable::map(file.path(), identity, BUCKETS),
    };
    match loaded {
        Err(error) => drop(check(&error)),
        Ok((table, loaded)) => {
            assert_eq!(loaded.blocks, 1);
            assert!(loaded.damaged <= loaded.blocks && table.table().buckets() == BUCKETS, "{loaded:?}");
            assert!(table.hashfull() <= 1000);
            assert_eq!(search(game, *evaluator, *root, &table), *value, "{loaded:?}");
            table.close().expect("it is left");
        }
    }
}

/// The switches and the file that bytes stand for.
fn file(bytes: &[u8]) -> (u8, Vec<u8>) {
    let mut bytes = Bytes::new(bytes);
    let mut file = REAL.bytes.clone();
    let switches = bytes.byte();
    let length = (switches & OTHER_LENGTH != 0).then(|| usize::from(bytes.u16()));
    while !bytes.is_empty() {
        let place = usize::from(bytes.u16());
        let count = usize::from(bytes.byte());
        let part = bytes.take(count);
        for (byte, &new) in file.iter_mut().skip(place).zip(part) {
            *byte = if switches & XOR == 0 { new } else { *byte ^ new };
        }
    }
    if switches & NOT_CLOSED != 0 {
        file[MARKS_AT..MARKS_AT + 8].fill(0);
    }
    if switches & SEAL_HEADER != 0 {
        let sum = checksum(0, &file[..CHECKSUM_AT]);
        file[CHECKSUM_AT..MARKS_AT].copy_from_slice(&sum.to_le_bytes());
    }
    if switches & SEAL_BLOCK != 0 {
        let end = HEADER + 64 * BUCKETS as usize;
        let sum = checksum(0, &file[HEADER..end]);
        file[end..end + 8].copy_from_slice(&sum.to_le_bytes());
    }
    if let Some(length) = length {
        file.resize(length, 0);
    }
    (switches, file)
}

/// The checksum of saved tables: see `saved/src/checksum.rs`.
fn checksum(number: u64, bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(mix64(number), |state, &word| mix64(state ^ u64::from_le_bytes(word)).wrapping_add(1))
}

/// The file as it was left, and differences of every kind: in what it is a table of, in its marks and in its
/// slots, with checksums that fit and without.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let at = |switches: u8, place: u16, part: &[u8]| {
        let mut bytes = vec![switches];
        bytes.extend(place.to_le_bytes());
        bytes.push(part.len() as u8);
        bytes.extend(part);
        bytes
    };
    let shorter = |length: u16| [&[OTHER_LENGTH][..], &length.to_le_bytes()].concat();
    let seeds = [
        ("whole", vec![0]),
        ("mapped", vec![MAP]),
        ("sealed", vec![SEAL_HEADER | SEAL_BLOCK]),
        ("not-closed", vec![NOT_CLOSED]),
        ("no-table", at(0, 0, b"PK")),
        ("format", at(SEAL_HEADER, 8, &[2])),
        ("byte-order", at(SEAL_HEADER, 12, &[2])),
        ("buckets", at(SEAL_HEADER, 29, &[255; 8])),
        ("no-buckets", at(SEAL_HEADER, 29, &[0; 8])),
        ("limit", at(SEAL_HEADER, 53, &[1, 0, 0, 0])),
        ("range", at(SEAL_HEADER, 57, &f64::NAN.to_le_bytes())),
        ("name", at(SEAL_HEADER, 74, &[255, 255, 255, 255])),
        ("short-name", at(SEAL_HEADER, 74, &[5, 0, 0, 0, 0xff])),
        ("header", at(XOR, 40, &[1])),
        ("generation", at(SEAL_BLOCK, 16_328, &[63])),
        ("slot", at(XOR | SEAL_BLOCK, 16_400, &[0, 0, 0, 0, 0, 0, 0, 0, 1])),
        ("slots", at(SEAL_BLOCK, 16_384, &[0xa5; 200])),
        ("slots-not-closed", at(NOT_CLOSED | MAP, 16_384, &[0x5a; 200])),
        ("damaged", at(XOR, 16_500, &[128])),
        ("empty", shorter(0)),
        ("half-header", shorter(9_000)),
        ("half", shorter(16_900)),
        ("longer", shorter(20_000)),
    ];
    seeds.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_made_as_the_library_makes_them() {
        let (_, sealed) = file(&[SEAL_HEADER | SEAL_BLOCK]);
        assert!(sealed == REAL.bytes, "nothing is changed, so nothing changes");
        let (_, other) = file(&[SEAL_HEADER, 8, 0, 1, 9]);
        assert!(other[8] == 9 && other[CHECKSUM_AT..MARKS_AT] != REAL.bytes[CHECKSUM_AT..MARKS_AT]);
    }
}
