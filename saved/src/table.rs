//! A table from a file.

use crate::shared::{self, Shared};
use crate::{Loaded, SavedTableError, TableIdentity, load};
use starsplit::game::PositionHash;
use starsplit::table::{Found, LocklessTable, NewEntry, Reuse, Stored, Table};
use starsplit::unstable::RawTable;
use std::path::Path;

/// A table that was loaded from a file, or that is mapped in one; or one that was made here, by `from`, for
/// programs that have any of them.
#[derive(Debug)]
pub struct SavedTable {
    table: LocklessTable,
    /// The file of a mapped table.
    shared: Option<Box<Shared>>,
}

impl SavedTable {
    /// Loads a saved table into memory of its own, at its old size. Damaged blocks are empty, and counted in
    /// [`Loaded`].
    ///
    /// # Errors
    /// When the file cannot be read, is no saved table, is shorter or longer than its header says, or is for
    /// another game, rules, evaluator, reuse policy or layout: the error says which.
    pub fn load(path: impl AsRef<Path>, identity: &TableIdentity) -> Result<(Self, Loaded), SavedTableError> {
        let (table, loaded) = load::load(path.as_ref(), identity)?;
        Ok((table.into(), loaded))
    }

    /// Maps the table in a file, for any number of processes at once. Where there is no file, makes one with
    /// `new_buckets` buckets. Each process finds what the others store, and [`clear`](Table::clear) clears
    /// the table for all.
    ///
    /// Another process's entries since this one's last iteration look old, and are replaced first. Values are
    /// the same in any case. If the file is truncated while mapped, or the disk fails, the processes that use
    /// it end (SIGBUS).
    ///
    /// # Errors
    /// As [`load`](Self::load), and when the file cannot be written, locked or mapped.
    pub fn map(
        path: impl AsRef<Path>,
        identity: &TableIdentity,
        new_buckets: u64,
    ) -> Result<(Self, Loaded), SavedTableError> {
        let (table, shared, loaded) = shared::map(path.as_ref(), identity, new_buckets)?;
        Ok((SavedTable { table, shared: Some(Box::new(shared)) }, loaded))
    }

    /// The table itself, such as to [`save`](crate::save()) it.
    pub fn table(&self) -> &LocklessTable {
        &self.table
    }

    /// Leaves a mapped table. Returns whether no other process has it mapped; then its checksums are valid
    /// again. Does nothing for a table that is not mapped. Dropping a table does the same, without the
    /// result.
    ///
    /// # Errors
    /// When the file cannot be written. Its slots still check themselves.
    pub fn close(mut self) -> Result<bool, SavedTableError> {
        self.leave()
    }

    fn leave(&mut self) -> Result<bool, SavedTableError> {
        self.shared.take().map_or(Ok(true), |mut shared| shared.leave(&self.table))
    }
}

impl Drop for SavedTable {
    fn drop(&mut self) {
        // On an error the checksums stay invalid; the next process relies on the slots' own checks.
        let _ = self.leave();
    }
}

impl From<LocklessTable> for SavedTable {
    fn from(table: LocklessTable) -> Self {
        SavedTable { table, shared: None }
    }
}

impl Table for SavedTable {
    #[inline]
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        self.table.probe(key, depth, reuse)
    }

    #[inline]
    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        self.table.store(key, entry, reuse)
    }

    #[inline]
    fn prefetch(&self, key: PositionHash) {
        self.table.prefetch(key);
    }

    fn new_generation(&self) {
        match &self.shared {
            None => self.table.new_generation(),
            Some(shared) => self.table.set_generation(shared.next_generation()),
        }
    }

    fn clear(&self, threads: usize) {
        self.table.clear(threads);
    }

    fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }
}
