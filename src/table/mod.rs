//! Transposition tables: proven bounds of positions already searched.
//!
//! A table is advice. It may forget anything at any time; it must never invent. A probe returns a copy, and a
//! later probe may or may not find what a store offered.

#[cfg(not(loom))]
mod bucket;
#[cfg(not(loom))]
pub(crate) mod buckets;
mod entry;
#[cfg(all(any(test, not(any(unix, windows))), not(loom)))]
mod heap;
pub(crate) mod meaning;
#[cfg(all(any(unix, windows), not(loom)))]
mod memory;
mod none;
#[cfg(not(loom))]
mod prefetch;
mod replacement;
// Under loom only the slot of the lockless table is built, for its models.
#[cfg_attr(loom, allow(dead_code))]
pub(crate) mod slot;
#[cfg(not(loom))]
pub(crate) mod words;

#[cfg(not(loom))]
pub use buckets::LocklessTable;
pub use entry::{Found, NewEntry, Reuse, Stored};
pub(crate) use meaning::Meaning;
pub use none::NoTable;

use crate::game::PositionHash;
#[cfg(not(any(unix, windows)))]
use heap as memory;
use std::ops::Deref;

/// A transposition table for any number of threads at once.
///
/// The search mixes and salts the keys. A table may rely on the upper 48 bits of each half; the lower bits
/// are mixed less well. Searches whose values mean something else (other rules, evaluator or reuse policy)
/// have different keys.
pub trait Table: Send + Sync {
    /// Whether a probe can ever hit. Where not, searches are compiled without the table's work.
    const IS_PRESENT: bool = true;

    /// The table's knowledge of this key for a search to `depth`: bounds of a depth that counts under
    /// `reuse`, or a table move. `None` without both.
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found>;

    /// Offers proven bounds.
    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored;

    /// Prefetches the key's bucket.
    fn prefetch(&self, key: PositionHash) {
        let _ = key; // by default there is nothing to fetch
    }

    /// Starts a new generation: older entries age. Called before every iteration.
    fn new_generation(&self);

    /// Removes all entries, with up to `threads` threads.
    fn clear(&self, threads: usize);

    /// The permille of a sample of the slots that hold entries of the current generation.
    fn hashfull(&self) -> u32;
}

// Searchers share a table through a pointer.
impl<P: Deref<Target: Table> + Send + Sync> Table for P {
    const IS_PRESENT: bool = P::Target::IS_PRESENT;

    #[inline]
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        P::Target::probe(self, key, depth, reuse)
    }

    #[inline]
    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        P::Target::store(self, key, entry, reuse)
    }

    #[inline]
    fn prefetch(&self, key: PositionHash) {
        P::Target::prefetch(self, key);
    }

    fn new_generation(&self) {
        P::Target::new_generation(self);
    }

    fn clear(&self, threads: usize) {
        P::Target::clear(self, threads);
    }

    fn hashfull(&self) -> u32 {
        P::Target::hashfull(self)
    }
}

/// Why a table could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The size is zero or exceeds the address space.
    #[error("table of {mib} MiB: expected 1 to {} MiB", isize::MAX as u64 >> 20)]
    Size {
        /// The size asked for, in MiB.
        mib: u64,
    },
    /// The number of buckets is zero or exceeds the address space.
    #[error("table of {buckets} buckets: expected at least 1, and no more than memory can hold")]
    Buckets {
        /// The number asked for.
        buckets: u64,
    },
    /// The system refused the memory.
    #[error("table of {} MiB: the system refused the memory: {source}", bytes >> 20)]
    Memory {
        /// The size asked for, in bytes.
        bytes: u64,
        /// The system's error.
        source: std::io::Error,
    },
}
