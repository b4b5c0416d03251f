//! A table whose scheme is chosen when it is made.

use crate::atomic128::Atomic128Table;
use crate::chains::{ChainError, ChainOptions, ChainTable};
use crate::group::GroupTable;
use crate::pieces::PiecesLeft;
use crate::rules::{Always, Deep, Deepest, KeepFirst, ReferenceBit, TwoDeep};
use crate::scheme::Scheme;
use crate::striped::StripedTable;
use crate::watched::{Retention, Watch, Watched};
use starsplit::game::Hash;
use starsplit::table::Reuse;
use starsplit::table::{Found, LocklessTable, NewEntry, Stored, Table, TableError};
use starsplit_saved::{SavedTable, SavedTableError};
use std::fmt;
use std::sync::Arc;

/// A table of any [`Scheme`], for programs in which it is chosen while they run. The default one is called
/// directly, at the cost of a look which it is; the others through a pointer.
#[derive(Debug)]
pub struct AnyTable {
    scheme: Scheme,
    held: Held,
    watch: Option<Arc<Watch>>,
    chains: Option<Arc<ChainTable>>,
}

#[derive(Debug)]
enum Held {
    /// In memory of its own, or in a file.
    Lockless(SavedTable),
    Other(Box<dyn Dispatch>),
}

impl From<LocklessTable> for AnyTable {
    fn from(table: LocklessTable) -> Self {
        SavedTable::from(table).into()
    }
}

impl From<SavedTable> for AnyTable {
    fn from(table: SavedTable) -> Self {
        AnyTable { scheme: Scheme::Buckets, held: Held::Lockless(table), watch: None, chains: None }
    }
}

impl From<ChainTable> for AnyTable {
    fn from(table: ChainTable) -> Self {
        let (scheme, table) = (table.scheme(), Arc::new(table));
        let held = Held::Other(Box::new(Arc::clone(&table)));
        AnyTable { scheme, held, watch: None, chains: Some(table) }
    }
}

impl AnyTable {
    /// A table for so many entries, or for a few less where the scheme has them in groups; of one group at
    /// least. An entry takes 16 bytes; chains have fewer entries in the same memory, as
    /// [`ChainOptions::plan`] tells.
    ///
    /// # Errors
    /// When `count` is 0 or the system does not grant the memory.
    pub fn new(scheme: Scheme, count: u64) -> Result<Self, TableError> {
        if count == 0 {
            return Err(TableError::Buckets { buckets: 0 });
        }
        // Buckets have four entries.
        let buckets = (count / 4).max(1);
        let other: Box<dyn Dispatch> = match scheme {
            Scheme::Buckets => return LocklessTable::with_buckets(buckets).map(AnyTable::from),
            Scheme::Always | Scheme::New => Box::new(GroupTable::<Always, 1>::new(count)?),
            Scheme::KeepFirst | Scheme::Old => Box::new(GroupTable::<KeepFirst, 1>::new(count)?),
            Scheme::Deepest => Box::new(GroupTable::<Deepest, 1>::new(count)?),
            Scheme::ReferenceBit => Box::new(GroupTable::<ReferenceBit, 1>::new(count)?),
            Scheme::Deep => Box::new(GroupTable::<Deep, 1>::new(count)?),
            Scheme::TwoDeep => Box::new(GroupTable::<TwoDeep, 2>::new(count)?),
            Scheme::Striped => Box::new(StripedTable::with_buckets(buckets)?),
            Scheme::Atomic128 => Box::new(Atomic128Table::with_buckets(buckets)?),
            Scheme::Chains | Scheme::ChainsByCounts => {
                let by_counts = scheme == Scheme::ChainsByCounts;
                let options = ChainOptions { by_counts, ..ChainOptions::default() };
                return ChainTable::laid_out(count, options).map(AnyTable::from);
            }
        };
        Ok(AnyTable { scheme, held: Held::Other(other), watch: None, chains: None })
    }

    /// A table of chains in the memory of so many entries of 16 bytes.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when an option is out of range.
    pub fn of_chains(count: u64, options: ChainOptions) -> Result<Self, ChainError> {
        if count == 0 {
            return Err(TableError::Buckets { buckets: 0 }.into());
        }
        ChainTable::new(count, options).map(AnyTable::from)
    }

    /// The table of chains that this is, where it is one.
    pub fn as_chains(&self) -> Option<&ChainTable> {
        self.chains.as_deref()
    }

    /// What the table has a [`Counting`](crate::Counting) game tell the pieces left to, where it asks for
    /// them.
    pub fn pieces_left(&self) -> Option<&Arc<PiecesLeft>> {
        self.as_chains().map(ChainTable::pieces_left)
    }

    /// The same with the default scheme, of `mib` MiB.
    ///
    /// # Errors
    /// As [`LocklessTable::new`].
    pub fn of_mib(mib: u64) -> Result<Self, TableError> {
        LocklessTable::new(mib).map(AnyTable::from)
    }

    /// The same table with a count of what it keeps of what is stored in it ([`retention`](Self::retention)).
    /// It is much slower, and its memory grows with every search until it is cleared.
    #[must_use]
    pub fn watched(self) -> Self {
        let inner: Box<dyn Dispatch> = match self.held {
            Held::Lockless(table) => Box::new(table),
            Held::Other(table) => table,
        };
        let watch = Arc::new(Watch::default());
        let held = Held::Other(Box::new(Watched::new(inner, Arc::clone(&watch))));
        AnyTable { held, watch: Some(watch), ..self }
    }

    /// What it has kept since it was cleared, where it is [`watched`](Self::watched).
    pub fn retention(&self) -> Option<Retention> {
        self.watch.as_ref().map(|watch| watch.retention())
    }

    /// Its scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
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
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found>;
    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored;
    fn prefetch(&self, key: Hash);
    fn new_generation(&self);
    fn clear(&self, threads: usize);
    fn hashfull(&self) -> u32;
}

impl<T: Table + fmt::Debug> Dispatch for T {
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        Table::probe(self, key, depth, reuse)
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        Table::store(self, key, entry, reuse)
    }

    fn prefetch(&self, key: Hash) {
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
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        call!(self, probe(key, depth, reuse))
    }

    #[inline]
    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        call!(self, store(key, entry, reuse))
    }

    #[inline]
    fn prefetch(&self, key: Hash) {
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
