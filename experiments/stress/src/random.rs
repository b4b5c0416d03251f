//! Where everything random of a stress comes from.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// A stream of random numbers.
pub(super) struct Random(Pcg64);

impl Random {
    /// The stream of the case with this number: the same seed and number give the same case.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        Random(Pcg64::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// One of the items, of which there is at least one.
    pub(super) fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len() as u64) as usize]
    }
}
