//! Every table of the library behind one type, so that searches are compiled once for all of them.

use starsplit::game::Hash;
use starsplit::table::{
    Atomic128Table, Found, LocklessTable, NewEntry, NoTable, Reuse, Stored, StripedTable, Table,
};

/// One of the library's tables. Searches take [`NoTable`] for one that happens to find nothing.
pub(crate) enum AnyTable {
    Nowhere(NoTable),
    Lockless(LocklessTable),
    Striped(StripedTable),
    Atomic128(Atomic128Table),
}

impl AnyTable {
    /// How many kinds there are.
    pub(crate) const KINDS: usize = 4;

    /// A table of a kind with so many buckets.
    pub(crate) fn of_kind(kind: usize, buckets: u64) -> Self {
        match kind {
            0 => AnyTable::Nowhere(NoTable),
            1 => AnyTable::Lockless(LocklessTable::with_buckets(buckets).expect("a small table")),
            2 => AnyTable::Striped(StripedTable::with_buckets(buckets).expect("a small table")),
            _ => AnyTable::Atomic128(Atomic128Table::with_buckets(buckets).expect("a small table")),
        }
    }
}

/// The same expression of whichever table it is.
macro_rules! of_each {
    ($any:expr, $table:ident => $what:expr) => {
        match $any {
            AnyTable::Nowhere($table) => $what,
            AnyTable::Lockless($table) => $what,
            AnyTable::Striped($table) => $what,
            AnyTable::Atomic128($table) => $what,
        }
    };
}

impl Table for AnyTable {
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        of_each!(self, table => table.probe(key, depth, reuse))
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        of_each!(self, table => table.store(key, entry, reuse))
    }

    fn prefetch(&self, key: Hash) {
        of_each!(self, table => table.prefetch(key));
    }

    fn new_generation(&self) {
        of_each!(self, table => table.new_generation());
    }

    fn clear(&self, threads: usize) {
        of_each!(self, table => table.clear(threads));
    }

    fn hashfull(&self) -> u32 {
        of_each!(self, table => table.hashfull())
    }
}
