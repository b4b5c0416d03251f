//! The lockless table: its slots are pairs of words that check each other.

use super::buckets::BucketTable;
use super::saved::Shared;
use super::slot::SealedSlot;
use super::{Table, TableError};

/// The lockless table of this library: buckets of four slots, written by any thread at any time without a
/// lock.
#[derive(Debug)]
pub struct LocklessTable {
    pub(super) table: BucketTable<SealedSlot>,
    /// The file of a table that is used in place.
    pub(super) shared: Option<Shared>,
}

impl LocklessTable {
    /// A table of `mib` MiB.
    ///
    /// # Errors
    /// When `mib` is 0 or the system does not grant the memory.
    pub fn new(mib: u64) -> Result<Self, TableError> {
        BucketTable::new(mib).map(Self::of)
    }

    /// A table of `buckets` buckets of four slots, 64 bytes each. Tiny ones are for tests.
    ///
    /// # Errors
    /// When `buckets` is 0 or the system does not grant the memory.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        BucketTable::with_buckets(buckets).map(Self::of)
    }

    /// How many buckets of four slots the table has.
    pub fn buckets(&self) -> u64 {
        self.table.buckets()
    }

    fn of(table: BucketTable<SealedSlot>) -> Self {
        LocklessTable { table, shared: None }
    }
}

super::table_through!([] LocklessTable, BucketTable<SealedSlot>, |table| &table.table);
