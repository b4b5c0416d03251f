//! A table whose scheme is chosen when it is made.

use crate::any::{AnyTable, Dispatch, Held};
use crate::atomic128::Atomic128Table;
use crate::chains::{ChainError, ChainOptions, ChainTable};
use crate::group::GroupTable;
use crate::pieces::PiecesLeft;
use crate::rules::{Always, Deep, Deepest, KeepFirst, ReferenceBit, TwoDeep};
use crate::scheme::Scheme;
use crate::striped::StripedTable;
use crate::watched::{Retention, Watch, Watched};
use starsplit::table::{LocklessTable, TableError};
use std::sync::Arc;

/// What is known of a table beside its entries.
#[derive(Debug, Default)]
pub(crate) struct Rival {
    scheme: Scheme,
    watch: Option<Arc<Watch>>,
    chains: Option<Arc<ChainTable>>,
}

impl From<ChainTable> for AnyTable {
    fn from(table: ChainTable) -> Self {
        let (scheme, table) = (table.scheme(), Arc::new(table));
        let held = Held::Other(Box::new(Arc::clone(&table)));
        AnyTable { held, rival: Rival { scheme, chains: Some(table), watch: None } }
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
        Ok(AnyTable { held: Held::Other(other), rival: Rival { scheme, ..Rival::default() } })
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
        self.rival.chains.as_deref()
    }

    /// What the table has a [`Counting`](crate::Counting) game tell the pieces left to, where it asks for
    /// them.
    pub fn pieces_left(&self) -> Option<&Arc<PiecesLeft>> {
        self.as_chains().map(ChainTable::pieces_left)
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
        AnyTable { held, rival: Rival { watch: Some(watch), ..self.rival } }
    }

    /// What it has kept since it was cleared, where it is [`watched`](Self::watched).
    pub fn retention(&self) -> Option<Retention> {
        self.rival.watch.as_ref().map(|watch| watch.retention())
    }

    /// Its scheme.
    pub fn scheme(&self) -> Scheme {
        self.rival.scheme
    }
}
