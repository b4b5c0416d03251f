//! The lockless table: its slots are pairs of words that check each other.

use super::buckets::BucketTable;
use super::slot::SealedSlot;
use super::{Table, TableError};

/// The lockless table of this library: buckets of four slots, written by any thread at any time without a
/// lock.
#[derive(Debug)]
pub struct LocklessTable(BucketTable<SealedSlot>);

impl LocklessTable {
    /// A table of `mib` MiB.
    ///
    /// # Errors
    /// When `mib` is 0 or the system does not grant the memory.
    pub fn new(mib: u64) -> Result<Self, TableError> {
        BucketTable::new(mib).map(LocklessTable)
    }

    /// A table of `buckets` buckets of four slots, 64 bytes each. Tiny ones are for tests.
    ///
    /// # Errors
    /// When `buckets` is 0 or the system does not grant the memory.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        BucketTable::with_buckets(buckets).map(LocklessTable)
    }

    /// How many buckets of four slots the table has.
    pub fn buckets(&self) -> u64 {
        self.0.buckets()
    }
}

super::table_through!([] LocklessTable, BucketTable<SealedSlot>, |table| &table.0);
