//! A table as words: for a crate that saves it, and for a table in a file.

use super::buckets::LocklessTable;
use super::memory::Memory;
use super::slot::{SealedSlot, Slot};
use crate::score::Score;
use std::fs::File;
use std::io;

/// A lockless table as words of memory, for a crate that saves it.
pub trait RawTable: Sized {
    /// The table of `buckets` buckets at byte `offset` of a file, in memory that all who map it share: each
    /// finds what the others store. The file is not locked or checked.
    ///
    /// A bucket takes 64 bytes; zeros are an empty one. If the file is truncated while it is in use, or the
    /// disk fails, the processes that use it end (SIGBUS).
    ///
    /// # Errors
    /// When `buckets` is 0, `offset` no multiple of 64, or the file shorter, or the system does not map it.
    fn in_file(file: &File, offset: u64, buckets: u64) -> io::Result<Self>;

    /// Writes the memory of a table in a file to the disk.
    ///
    /// # Errors
    /// When the system cannot write it.
    fn flush(&self) -> io::Result<()>;

    /// The words of a bucket, as they lie in memory. Other threads may be writing: a slot that is torn in the
    /// copy fails its own check.
    ///
    /// # Panics
    /// When the table has no bucket of this number.
    fn words(&self, bucket: u64) -> [u64; 8];

    /// Overwrites a bucket with the [`words`](RawTable::words) of another table. A slot's own check finds
    /// words that have been damaged, except for one look-up in 2^48. It does not find words that were made
    /// up.
    ///
    /// # Panics
    /// When the table has no bucket of this number.
    fn set_words(&self, bucket: u64, words: [u64; 8]);

    /// Empties the slots that no search on a grid with this limit can have stored, and counts them. For words
    /// whose source is in doubt: a slot's own check finds damage only with high probability.
    fn clear_impossible(&self, limit: Score) -> u64;

    /// The current generation, 0 to 63. It ages entries and changes no value.
    fn generation(&self) -> u8;

    /// Sets the generation, modulo 64: to that of a saved table, or to one that processes share.
    fn set_generation(&self, generation: u8);
}

impl RawTable for LocklessTable {
    fn in_file(file: &File, offset: u64, buckets: u64) -> io::Result<Self> {
        Memory::of_file(file, offset, buckets).map(Self::of)
    }

    fn flush(&self) -> io::Result<()> {
        self.memory.flush()
    }

    fn words(&self, bucket: u64) -> [u64; 8] {
        let [a, b, c, d] = self.memory.get()[bucket as usize].slots.each_ref().map(SealedSlot::words);
        [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
    }

    fn set_words(&self, bucket: u64, words: [u64; 8]) {
        let slots = &self.memory.get()[bucket as usize].slots;
        for (slot, words) in slots.iter().zip(words.chunks_exact(2)) {
            slot.set_words([words[0], words[1]]);
        }
    }

    fn clear_impossible(&self, limit: Score) -> u64 {
        let mut cleared = 0;
        for slot in self.memory.get().iter().flat_map(|bucket| &bucket.slots) {
            let read = slot.read();
            if !read.is_empty() && !read.entry().is_possible(limit) {
                slot.clear();
                cleared += 1;
            }
        }
        cleared
    }

    fn generation(&self) -> u8 {
        self.generation()
    }

    fn set_generation(&self, generation: u8) {
        self.set_generation(generation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::mix64;
    use crate::game::PositionHash;
    use crate::score::{Bounds, MAX_LIMIT};
    use crate::table::slot::tag_of;
    use crate::table::{NewEntry, Reuse, Table};

    fn key(number: u64) -> PositionHash {
        PositionHash { high: mix64(2 * number), low: mix64(2 * number + 1) }
    }

    fn store(table: &LocklessTable, number: u64) {
        let entry = NewEntry::new(3, Bounds::exactly(number as Score), MAX_LIMIT);
        table.store(key(number), entry, Reuse::Exact);
    }

    fn found(table: &LocklessTable, number: u64) -> Option<Score> {
        table.probe(key(number), 3, Reuse::Exact).map(|found| found.bounds.lower)
    }

    #[test]
    fn a_table_of_the_same_words_finds_the_same() {
        let [one, other] = [0, 1].map(|_| LocklessTable::with_buckets(10).expect("a small table"));
        one.set_generation(64 + 5);
        (0..40).for_each(|number| store(&one, number));
        let found_in = |table| (0..40).filter_map(|number| found(table, number)).collect::<Vec<_>>();
        assert!(found_in(&one).len() > 20 && found_in(&other).is_empty());
        for bucket in 0..10 {
            other.set_words(bucket, one.words(bucket));
            assert_eq!(other.words(bucket), one.words(bucket));
        }
        assert_eq!((one.generation(), other.generation(), other.hashfull()), (5, 0, 0));
        other.set_generation(one.generation());
        assert!(one.hashfull() > 500 && other.hashfull() == one.hashfull());
        assert_eq!(found_in(&other), found_in(&one));
    }

    #[test]
    fn what_no_search_stores_is_cleared() {
        let table = LocklessTable::with_buckets(2).expect("a small table");
        store(&table, 7);
        assert_eq!((table.clear_impossible(7), found(&table, 7)), (0, Some(7)));
        let slot = &table.memory.get()[1].slots[2];
        let entry = slot.read().entry();
        slot.write(tag_of(!0), &crate::table::entry::Entry { lower_depth: 255, ..entry });
        assert!(!slot.read().is_empty());
        assert_eq!((table.clear_impossible(MAX_LIMIT), found(&table, 7)), (1, Some(7)));
        assert!(slot.read().is_empty());
        assert_eq!((table.clear_impossible(6), found(&table, 7)), (1, None));
    }

    #[test]
    fn a_table_in_a_file_is_shared_by_all_who_map_it() {
        let path = std::env::temp_dir().join(format!("starsplit-words-{}", std::process::id()));
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path).expect("a file");
        file.set_len(64 * 6 + 63).expect("its length");
        let map = |offset, buckets| LocklessTable::in_file(&file, offset, buckets);
        let (one, other) = (map(64, 5).expect("it is mapped"), map(64, 5).expect("once more"));
        store(&one, 1);
        store(&other, 2);
        assert_eq!((found(&other, 1), found(&one, 2), one.buckets()), (Some(1), Some(2), 5));
        one.flush().expect("it is written");
        let bytes = std::fs::read(&path).expect("it is there");
        let words: Vec<u8> = (0..5).flat_map(|bucket| one.words(bucket)).flat_map(u64::to_ne_bytes).collect();
        assert!(bytes[..64].iter().all(|&byte| byte == 0) && bytes[64..64 * 6] == words);
        for (offset, buckets) in [(64, 6), (64, 0), (32, 2), (0, u64::MAX / 64 + 2), (u64::MAX - 63, 1)] {
            let error = map(offset, buckets).expect_err("no such table").to_string();
            let told =
                format!("{buckets} buckets at byte {offset}: expected at least 1, at a multiple of 64, ");
            assert!(error.starts_with(&told) && error.ends_with("within the file's 447 bytes"), "{error}");
        }
        let _ = std::fs::remove_file(&path);
    }
}
