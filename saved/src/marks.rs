//! The line of a saved table that changes during use: 64 bytes, of which 16 are used. All zeros mark a table
//! in use.

use crate::words::words;
use starsplit::table::LocklessTable;
use starsplit::unstable::RawTable;
use std::fs::File;
use std::io;

/// The state of a table whose checksums are valid. A few flipped bits do not make this number, so damage may
/// turn a closed table into one in use, but never the reverse. A table that is mapped has another state,
/// usually 0, and so has one that was mapped by a process that was killed.
const CLOSED: u64 = 0x9d3f_51c2_e8a7_46b1;

/// The marks of a closed table, as bytes.
pub(crate) fn closed_bytes(generation: u8) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..8].copy_from_slice(&CLOSED.to_ne_bytes());
    bytes[8..16].copy_from_slice(&u64::from(generation).to_ne_bytes());
    bytes
}

/// The marks from bytes: whether the table was closed, and its generation.
pub(crate) fn of_bytes(bytes: &[u8; 64]) -> (bool, u8) {
    let mut words = words(bytes).map(u64::from_ne_bytes);
    let [state, latest] = [words.next(), words.next()].map(Option::unwrap_or_default);
    (state == CLOSED, generation(latest))
}

/// The latest generation of any process, of which a table takes the lowest six bits. It guides replacement
/// only, so any number is harmless.
fn generation(word: u64) -> u8 {
    word as u8
}

/// The marks of a mapped table, in the file.
#[derive(Debug)]
pub(crate) struct Marks {
    /// The marks are the words of its only bucket. Nothing is looked up in it.
    line: LocklessTable,
}

impl Marks {
    /// The marks at byte `offset` of a file.
    pub(crate) fn in_file(file: &File, offset: u64) -> io::Result<Self> {
        LocklessTable::in_file(file, offset, 1).map(|line| Marks { line })
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.line.words(0)[0] == CLOSED
    }

    /// Marks the table as closed or in use, on the disk. The caller has the exclusive lock.
    pub(crate) fn set_closed(&self, is_closed: bool) -> io::Result<()> {
        let mut words = self.line.words(0);
        words[0] = if is_closed { CLOSED } else { 0 };
        self.line.set_words(0, words);
        self.line.flush()
    }

    pub(crate) fn generation(&self) -> u8 {
        generation(self.line.words(0)[1])
    }

    /// Starts a generation for all processes that share the table.
    pub(crate) fn next_generation(&self) -> u8 {
        // A load and a store, not one operation: searches that start at once may share a generation, which is
        // harmless. The state stays as it is: to change it takes the exclusive lock, and the caller has a
        // shared one.
        let mut words = self.line.words(0);
        words[1] = words[1].wrapping_add(1);
        self.line.set_words(0, words);
        generation(words[1])
    }
}
