//! The buckets of a table as blocks of bytes, each with a checksum.

use crate::checksum::checksum;
use crate::header::{BLOCK, BUCKET, HEADER, Header};
use crate::words::words;
use starsplit::table::LocklessTable;
use starsplit::unstable::RawTable;
use std::array;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// The numbers of the buckets of a block.
fn buckets(table: &LocklessTable, block: u64) -> Range<u64> {
    const BUCKETS: u64 = (BLOCK / BUCKET) as u64;
    BUCKETS * block..table.buckets().min(BUCKETS * (block + 1))
}

/// Copies a block into `bytes`. Other threads may be writing: a slot that is torn in the copy fails its seal.
pub(crate) fn copy_out(table: &LocklessTable, block: u64, bytes: &mut Vec<u8>) {
    bytes.clear();
    for bucket in buckets(table, block) {
        bytes.extend(table.words(bucket).map(u64::to_ne_bytes).as_flattened());
    }
}

/// Fills an empty block with the bytes of [`copy_out`].
pub(crate) fn copy_in(table: &LocklessTable, block: u64, bytes: &[u8]) {
    for (bucket, bytes) in buckets(table, block).zip(bytes.chunks_exact(BUCKET)) {
        let mut of_bytes = words(bytes).map(u64::from_ne_bytes);
        let words = array::from_fn(|_| of_bytes.next().unwrap_or_default());
        // Untouched pages stay untouched.
        if words != [0; 8] {
            table.set_words(bucket, words);
        }
    }
}

/// Empties a block.
pub(crate) fn clear(table: &LocklessTable, block: u64) {
    buckets(table, block).for_each(|bucket| table.set_words(bucket, [0; 8]));
}

/// Passes the number and the bytes of every block in a file to `each`. Leaves the file where its checksums
/// begin.
pub(crate) fn read_blocks(
    file: &mut File,
    header: &Header,
    mut each: impl FnMut(u64, &[u8]),
) -> io::Result<()> {
    file.seek(SeekFrom::Start(HEADER as u64))?;
    let mut left = header.buckets as usize * BUCKET;
    let mut bytes = Vec::new();
    for number in 0..header.blocks() {
        bytes.resize(left.min(BLOCK), 0);
        file.read_exact(&mut bytes)?;
        left -= bytes.len();
        each(number, &bytes);
    }
    Ok(())
}

/// Whether the bytes of block `number` match its checksum.
pub(crate) fn is_sound(checksums: &[u8], number: u64, bytes: &[u8]) -> bool {
    let expected = words(checksums).nth(number as usize);
    expected == Some(checksum(number, bytes).to_le_bytes())
}
