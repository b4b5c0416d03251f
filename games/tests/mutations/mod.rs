//! Texts that are nearly right, to find out what a reader does with them.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// A source of chance for tests.
pub(crate) struct Random(Pcg64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(Pcg64::seed_from_u64(seed))
    }

    /// One of the numbers below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// The text with one to three signs put in, left out, replaced or exchanged, or with a part doubled.
    pub(crate) fn mutated(&mut self, text: &str) -> String {
        const STRANGE: &[char] =
            &['\n', '\t', '\u{1b}', '\u{0}', '\u{202e}', 'é', '\u{1f3b2}', '\u{85}', '\u{2028}'];
        const USUAL: &str = "0123456789 /.-+=,abcdefghixorRoOwNT\"";
        let mut signs: Vec<char> = text.chars().collect();
        let usual: Vec<char> = USUAL.chars().collect();
        for _ in 0..=self.below(3) {
            let sign = match self.below(4) {
                0 => STRANGE[self.below(STRANGE.len())],
                1 if !signs.is_empty() => signs[self.below(signs.len())],
                _ => usual[self.below(usual.len())],
            };
            let place = self.below(signs.len() + 1);
            match self.below(5) {
                0 => signs.insert(place, sign),
                1 if place < signs.len() => drop(signs.remove(place)),
                2 if place + 1 < signs.len() => signs.swap(place, place + 1),
                3 if self.below(8) == 0 => signs.extend_from_within(place..),
                _ if place < signs.len() => signs[place] = sign,
                _ => signs.push(sign),
            }
        }
        signs.into_iter().collect()
    }
}
