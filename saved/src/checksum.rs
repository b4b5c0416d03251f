//! The 64-bit checksum of saved tables, in a few lines instead of another crate.

use crate::words::words;
use starsplit::evaluator::mix64;

/// A checksum of whole 8-byte words and of a block's number, so that swapped blocks count as damaged.
///
/// Each step is one-to-one in the state and in the word, so every change within one word shows, such as a
/// flipped bit. Of other changes one in 2^64 does not. It guards against accidents, not against attackers.
pub(crate) fn checksum(number: u64, bytes: &[u8]) -> u64 {
    debug_assert!(bytes.len() % 8 == 0, "{} bytes", bytes.len());
    words(bytes).fold(mix64(number), |state, word| mix64(state ^ u64::from_le_bytes(word)).wrapping_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_bit_or_two_and_of_the_number_shows() {
        let bytes: Vec<u8> = (0..32).collect();
        let mut found = vec![checksum(0, &bytes), checksum(1, &bytes)];
        for one in 0..8 * bytes.len() {
            for other in 0..=one {
                let mut changed = bytes.clone();
                changed[one / 8] ^= 1 << (one % 8);
                if other < one {
                    changed[other / 8] ^= 1 << (other % 8);
                }
                found.push(checksum(0, &changed));
            }
        }
        // All of these checksums differ.
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!((found.len(), count), (count, 2 + 256 * 257 / 2));
    }

    #[test]
    fn words_that_have_changed_places_show() {
        let words = |words: [u64; 3]| checksum(0, words.map(u64::to_le_bytes).as_flattened());
        assert_ne!(words([1, 2, 3]), words([2, 1, 3]));
        assert_ne!(words([0, 0, 0]), checksum(0, &[0; 16]));
    }
}
