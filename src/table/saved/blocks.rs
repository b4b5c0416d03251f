//! The buckets of a table as blocks of bytes, each with a checksum.

use super::checksum::checksum;
use super::header::{BLOCK, BUCKET, HEADER, Header};
use crate::score::{MAX_LIMIT, Score};
use crate::table::bucket::Bucket;
use crate::table::entry::Entry;
use crate::table::slot::{self, SealedSlot, Slot};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// A bucket of the lockless table.
pub(super) type SealedBucket = Bucket<SealedSlot>;

/// The greatest depth of an entry.
const MAX_DEPTH: u8 = 254;

/// The blocks of a table.
pub(super) fn blocks(buckets: &[SealedBucket]) -> std::slice::Chunks<'_, SealedBucket> {
    const { assert!(size_of::<SealedBucket>() == BUCKET && BLOCK.is_multiple_of(BUCKET)) };
    buckets.chunks(BLOCK / BUCKET)
}

/// Copies a block into `bytes`. Other threads may be writing: a slot that is torn in the copy fails its seal.
pub(super) fn copy_out(block: &[SealedBucket], bytes: &mut Vec<u8>) {
    bytes.clear();
    for slot in block.iter().flat_map(|bucket| &bucket.slots) {
        slot.words().into_iter().for_each(|word| bytes.extend(word.to_ne_bytes()));
    }
}

/// Fills an empty block with the bytes of [`copy_out`].
pub(super) fn copy_in(block: &[SealedBucket], bytes: &[u8]) {
    let (words, _) = bytes.as_chunks::<8>();
    let (pairs, _) = words.as_chunks::<2>();
    for (slot, &[key, data]) in block.iter().flat_map(|bucket| &bucket.slots).zip(pairs) {
        let words = [u64::from_ne_bytes(key), u64::from_ne_bytes(data)];
        // Untouched pages stay untouched.
        if words != [0, 0] {
            slot.set_words(words);
        }
    }
}

/// Passes the number and the bytes of every block in a file to `each`. Leaves the file where its checksums
/// begin.
pub(super) fn read_blocks(
    file: &mut File,
    header: &Header,
    mut each: impl FnMut(usize, &[u8]),
) -> io::Result<()> {
    file.seek(SeekFrom::Start(HEADER as u64))?;
    let mut left = header.buckets as usize * BUCKET;
    let mut bytes = Vec::new();
    for number in 0..header.blocks() as usize {
        bytes.resize(left.min(BLOCK), 0);
        file.read_exact(&mut bytes)?;
        left -= bytes.len();
        each(number, &bytes);
    }
    Ok(())
}

/// Whether the bytes of block `number` match its checksum.
pub(super) fn is_sound(checksums: &[u8], number: usize, bytes: &[u8]) -> bool {
    let expected = checksums.as_chunks::<8>().0.get(number);
    expected == Some(&checksum(number as u64, bytes).to_le_bytes())
}

/// Empties the slots that no search on this grid can have stored, and counts them. For tables whose checksums
/// are not valid: the slots' own checks find damage only with high probability.
pub(super) fn drop_impossible(buckets: &[SealedBucket], limit: Score) -> u64 {
    let mut dropped = 0;
    for slot in buckets.iter().flat_map(|bucket| &bucket.slots) {
        let read = slot.read();
        if !read.is_empty() && !is_possible(read, limit) {
            slot.clear();
            dropped += 1;
        }
    }
    dropped
}

fn is_possible(read: slot::Read, limit: Score) -> bool {
    let Entry { lower, upper, lower_depth, upper_depth, .. } = read.entry();
    let may_be = |score: Score, depth, unknown| match depth {
        0 => score == unknown,
        1..=MAX_DEPTH => score.abs() <= limit,
        _ => false,
    };
    lower <= upper && may_be(lower, lower_depth, -MAX_LIMIT) && may_be(upper, upper_depth, MAX_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    /// Whether a slot may hold these bounds with their depths, on a grid of limit 100.
    fn may_be(lower: (Score, u8), upper: (Score, u8)) -> bool {
        let slot: SealedSlot = Zeroable::zeroed();
        let ((lower, lower_depth), (upper, upper_depth)) = (lower, upper);
        slot.write(
            1 << 20,
            &Entry { lower, upper, lower_depth, upper_depth, table_move: None, generation: 1 },
        );
        is_possible(slot.read(), 100)
    }

    #[test]
    fn what_no_search_stores_is_known_as_that() {
        let (no_lower, no_upper) = ((-MAX_LIMIT, 0), (MAX_LIMIT, 0));
        assert!(may_be((-5, 3), (7, 4)) && may_be((-100, 254), (100, 254)));
        assert!(may_be(no_lower, (7, 4)) && may_be((-5, 3), no_upper));
        assert!(!may_be((7, 3), (-5, 3)), "no score is between them");
        assert!(!may_be((-101, 3), (7, 3)) && !may_be((-5, 3), (101, 3)), "beyond the grid");
        assert!(!may_be((-5, 255), (7, 3)) && !may_be((-5, 3), (7, 255)), "too deep");
        assert!(!may_be((-5, 0), (7, 3)) && !may_be((-5, 3), (7, 0)), "known from no search");
    }
}
