//! Transposition tables: what is proven of positions already searched.
//!
//! A table is advice. It may forget anything at any time; it must never invent. What it answers is a copy,
//! and what is stored may or may not be found again.

#[cfg(not(loom))]
mod buckets;
mod entry;
#[cfg(not(loom))]
mod lockless;
mod meaning;
#[cfg(not(loom))]
mod memory;
mod none;
#[cfg(not(loom))]
mod prefetch;
mod replacement;
#[cfg(not(loom))]
mod saved;
// Under loom the slot is all that is left of the lockless table, and only the models use it.
#[cfg_attr(loom, allow(dead_code))]
mod slot;
mod striped;

#[cfg(not(loom))]
pub use buckets::BucketTable;
pub use entry::{Found, NewEntry, Reuse, Stored};
#[cfg(not(loom))]
pub use lockless::LocklessTable;
pub(crate) use meaning::Meaning;
pub use none::NoTable;
#[cfg(not(loom))]
pub use saved::{Loaded, SavedTableError, TableIdentity, TableNames};
pub use slot::WordPair;
pub use striped::StripedTable;

use crate::game::Hash;
use std::sync::Arc;

/// A transposition table that any number of threads use at once.
///
/// Keys are finalised and salted by the search. A table may rely on the upper 48 bits of each half, the lower
/// ones are mixed less well. Entries of searches whose values differ in meaning (other rules, another
/// evaluator, another reuse policy) have different keys.
pub trait Table: Send + Sync {
    /// Whether the table ever finds anything. Searches leave out the work for a table that does not.
    const IS_PRESENT: bool = true;

    /// What is known of the position with this key, for a search to `depth`. `None` when nothing is: neither
    /// bounds of a depth that counts under `reuse` nor a move to try first.
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found>;

    /// Offers proven bounds.
    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored;

    /// Tells the memory that this key will be looked up soon.
    fn prefetch(&self, key: Hash) {
        let _ = key; // there need not be anything to fetch
    }

    /// Begins a new generation: what is there ages. Called before every iteration.
    fn new_generation(&self);

    /// Forgets everything, with up to `threads` threads at work.
    fn clear(&self, threads: usize);

    /// How many thousandths of a sample of the slots hold entries of the present generation.
    fn hashfull(&self) -> u32;
}

/// Makes a table of what holds one: `$to` leads there.
macro_rules! table_through {
    ([$($generics:tt)*] $holder:ty, $held:ty, |$table:ident| $to:expr) => {
        impl<$($generics)*> Table for $holder {
            const IS_PRESENT: bool = <$held as Table>::IS_PRESENT;

            #[inline]
            fn probe(
                &self,
                key: crate::game::Hash,
                depth: u8,
                reuse: crate::table::Reuse,
            ) -> Option<crate::table::Found> {
                let $table = self;
                Table::probe($to, key, depth, reuse)
            }

            #[inline]
            fn store(
                &self,
                key: crate::game::Hash,
                entry: crate::table::NewEntry,
                reuse: crate::table::Reuse,
            ) -> crate::table::Stored {
                let $table = self;
                Table::store($to, key, entry, reuse)
            }

            #[inline]
            fn prefetch(&self, key: crate::game::Hash) {
                let $table = self;
                Table::prefetch($to, key);
            }

            fn new_generation(&self) {
                let $table = self;
                Table::new_generation($to);
            }

            fn clear(&self, threads: usize) {
                let $table = self;
                Table::clear($to, threads);
            }

            fn hashfull(&self) -> u32 {
                let $table = self;
                Table::hashfull($to)
            }
        }
    };
}
use table_through;

// A pointer to a table is a table, so that searchers can share one.
table_through!([T: Table] &T, T, |table| &**table);
table_through!([T: Table] Arc<T>, T, |table| &**table);

/// Why a table could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// No room was asked for, or more than an address can name.
    #[error("table of {mib} MiB: expected 1 to {} MiB", u64::MAX >> 21)]
    Size {
        /// The size asked for, in MiB.
        mib: u64,
    },
    /// No buckets were asked for, or more than an address can name.
    #[error("table of {buckets} buckets: expected at least 1, and no more than memory can hold")]
    Buckets {
        /// The number asked for.
        buckets: u64,
    },
    /// The system has no such amount of memory to give.
    #[error("table of {} MiB: the system refused the memory: {source}", bytes >> 20)]
    Memory {
        /// The size asked for, in bytes.
        bytes: u64,
        /// What the system said.
        source: std::io::Error,
    },
}
