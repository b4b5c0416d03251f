//! A table whose slots are 128-bit atomics, to compare the lockless one with: the same buckets, the same slot
//! contents and the same replacement, but the hardware keeps a slot whole, and there is no seal.
//!
//! On x86-64 with AVX a read is one vector load. Processors without AVX read by a locked `cmpxchg16b`. Builds
//! and processors that know no 128-bit atomic at all get the locks of `portable-atomic`; see
//! [`is_lock_free`].

#![allow(unsafe_code, reason = "vouches that zeroed bytes are a 128-bit atomic")]

use bytemuck::Zeroable;
use portable_atomic::AtomicU128;

use starsplit::unstable::{BucketTable, WordPair};
use std::sync::atomic::Ordering::Relaxed;

/// Two words in one atomic, the first above the second.
#[derive(Debug)]
#[repr(transparent)]
pub struct WholePair(AtomicU128);

// SAFETY: all-zero bytes are a valid `AtomicU128`: it has the size and bit validity of a `u128`, whether the
// hardware or `portable-atomic`'s locks, which lie elsewhere, keep it whole. Without this the table could not
// lie in pages that the system zeroed, and the comparison with the lockless table would be one of memory.
unsafe impl Zeroable for WholePair {}

impl WordPair for WholePair {
    #[inline]
    fn load(&self) -> [u64; 2] {
        // Relaxed, here and below: a slot is all there is to know, nothing else is published by it.
        let bits = self.0.load(Relaxed);
        [(bits >> 64) as u64, bits as u64]
    }

    #[inline]
    fn store(&self, [first, second]: [u64; 2]) {
        self.0.store(u128::from(first) << 64 | u128::from(second), Relaxed);
    }

    #[inline]
    fn flip(&self, bits: u64) {
        self.0.fetch_xor(u128::from(bits) << 64, Relaxed);
    }
}

/// A table of buckets of four 128-bit atomics.
pub type Atomic128Table = BucketTable<WholePair>;

/// Whether this processor has 128-bit atomics. Without them `portable-atomic` takes a lock for each access,
/// out of a few that all tables share: such tables are as correct, and slow.
pub fn is_lock_free() -> bool {
    AtomicU128::is_lock_free()
}
