//! A table whose scheme is chosen when it is made.

#[cfg(feature = "rivals")]
use crate::rivals::Rival;
use starsplit::game::PositionHash;
use starsplit::table::Reuse;
use starsplit::table::{Found, LocklessTable, NewEntry, Stored, Table, TableError};
use starsplit_saved::{SavedTable, SavedTableError};
use std::fmt;

/// A table for programs in which it is chosen while they run. The library's own is called directly, at the
/// cost of a look which it is; the others, with the feature `rivals`, through a pointer.
#[derive(Debug)]
pub struct AnyTable {
    pub(crate) held: Held,
    #[cfg(feature = "rivals")]
    pub(crate) rival: Rival,
}

#[derive(Debug)]
pub(crate) enum Held {
    /// In memory of its own, or in a file.
    Lockless(SavedTable),
    #[cfg_attr(not(feature = "rivals"), allow(dead_code))] // nothing makes one then
    Other(Box<dyn Dispatch>),
}

impl From<LocklessTable> for AnyTable {
    fn from(table: LocklessTable) -> Self {
        SavedTable::from(table).into()
    }
}

impl From<SavedTable> for AnyTable {
    fn from(table: SavedTable) -> Self {
        AnyTable {
            held: Held::Lockless(table),
            #[cfg(feature = "rivals")]
            rival: Rival::default(),
        }
    }
}

impl AnyTable {
    /// The library's own table, of `mib` MiB.
    ///
    /// # Errors
    /// As [`LocklessTable::new`].
    pub fn of_mib(mib: u64) -> Result<Self, TableError> {
        LocklessTable::new(mib).map(AnyTable::from)
    }

    /// The lockless table that this is, where it is one.
    pub fn as_lockless(&self) -> Option<&LocklessTable> {
        match &self.held {
            Held::Lockless(table) => Some(table.table()),
            Held::Other(_) => None,
        }
    }

    /// As [`SavedTable::close`], where it is a lockless table.
    ///
    /// # Errors
    /// When it is mapped, and the file cannot be written.
    pub fn close(self) -> Result<bool, SavedTableError> {
        match self.held {
            Held::Lockless(table) => table.close(),
            Held::Other(_) => Ok(true),
        }
    }
}

/// [`Table`] without its constant, to be called through a pointer.
pub(crate) trait Dispatch: Send + Sync + fmt::Debug {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found>;
    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored;
    fn prefetch(&self, key: PositionHash);
    fn new_generation(&self);
    fn clear(&self, threads: usize);
    fn hashfull(&self) -> u32;
}

impl<T: Table + fmt::Debug> Dispatch for T {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        Table::probe(self, key, depth, reuse)
    }

    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        Table::store(self, key, entry, reuse)
    }

    fn prefetch(&self, key: PositionHash) {
        Table::prefetch(self, key);
    }

    fn new_generation(&self) {
        Table::new_generation(self);
    }

    fn clear(&self, threads: usize) {
        Table::clear(self, threads);
    }

    fn hashfull(&self) -> u32 {
        Table::hashfull(self)
    }
}

/// Calls the table that is held.
macro_rules! call {
    ($table:ident, $name:ident($($argument:expr),*)) => {
        match &$table.held {
            Held::Lockless(table) => Table::$name(table $(, $argument)*),
            Held::Other(table) => table.$name($($argument),*),
        }
    };
}

impl Table for AnyTable {
    #[inline]
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        call!(self, probe(key, depth, reuse))
    }

    #[inline]
    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        call!(self, store(key, entry, reuse))
    }

    #[inline]
    fn prefetch(&self, key: PositionHash) {
        call!(self, prefetch(key));
    }

    fn new_generation(&self) {
        call!(self, new_generation());
    }

    fn clear(&self, threads: usize) {
        call!(self, clear(threads));
    }

    fn hashfull(&self) -> u32 {
        call!(self, hashfull())
    }
}
