//! A table whose scheme is chosen when it is made.

use super::always::Always;
use super::big::{Big1, BigAll};
use super::chains::Chains;
use super::deepest::{Deep, Deepest};
use super::group::GroupTable;
use super::keep_first::KeepFirst;
use super::reference_bit::ReferenceBit;
use super::two_level::{TwoBig1, TwoDeep};
use super::watched::{Retention, Watch, Watched};
use super::{Entries, Scheme, Table};
use crate::game::Hash;
use crate::table::buckets::BucketTable;
use crate::table::form::{Form, ThreeTypes, TwoSided};
use crate::table::replacement::SLOTS;
use crate::table::slot::SealedSlot;
use crate::table::{Found, LocklessTable, NewEntry, Reuse, Stored, TableError, Weighs};
use std::fmt;
use std::sync::Arc;

/// A table of any [`Scheme`], for programs in which it is chosen while they run. The default one is called
/// directly, at the cost of a look which it is; the others through a pointer.
#[derive(Debug)]
pub struct AnyTable {
    scheme: Scheme,
    entries: Entries,
    held: Held,
    watch: Option<Arc<Watch>>,
}

#[derive(Debug)]
enum Held {
    Lockless(LocklessTable),
    Other(Box<dyn Dispatch>),
}

impl From<LocklessTable> for AnyTable {
    fn from(table: LocklessTable) -> Self {
        AnyTable {
            scheme: Scheme::Buckets,
            entries: Entries::TwoSided,
            held: Held::Lockless(table),
            watch: None,
        }
    }
}

impl AnyTable {
    /// A table for so many entries, or for a few less where the scheme has them in groups; of one group at
    /// least. What an entry takes: 16 bytes; with chains 56 bytes; striped 32 bytes and a share of a lock.
    ///
    /// # Errors
    /// When `count` is 0 or the system does not grant the memory.
    pub fn new(scheme: Scheme, entries: Entries, count: u64) -> Result<Self, TableError> {
        if count == 0 {
            return Err(TableError::Buckets { buckets: 0 });
        }
        let held = match (scheme, entries) {
            (Scheme::Buckets, Entries::TwoSided) => {
                Held::Lockless(LocklessTable::with_buckets(buckets_for(count))?)
            }
            (_, Entries::TwoSided) => Held::Other(of_form::<TwoSided>(scheme, count)?),
            (_, Entries::ThreeTypes) => Held::Other(of_form::<ThreeTypes>(scheme, count)?),
        };
        Ok(AnyTable { scheme, entries, held, watch: None })
    }

    /// The same with the default scheme and entries, of `mib` MiB.
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

    /// What its entries tell.
    pub fn entries(&self) -> Entries {
        self.entries
    }

    /// The lockless table that this is, where it is one.
    pub fn as_lockless(&self) -> Option<&LocklessTable> {
        match &self.held {
            Held::Lockless(table) => Some(table),
            Held::Other(_) => None,
        }
    }

    /// The lockless table that this is, where it is one; else itself.
    ///
    /// # Errors
    /// When it is another.
    pub fn into_lockless(self) -> Result<LocklessTable, AnyTable> {
        match self.held {
            Held::Lockless(table) => Ok(table),
            held => Err(AnyTable { held, ..self }),
        }
    }
}

/// How many buckets so many entries make.
fn buckets_for(count: u64) -> u64 {
    (count / SLOTS as u64).max(1)
}

/// A table of a scheme whose entries have this form.
fn of_form<F: Form>(scheme: Scheme, count: u64) -> Result<Box<dyn Dispatch>, TableError> {
    let buckets = buckets_for(count);
    Ok(match scheme {
        Scheme::Buckets => Box::new(BucketTable::<SealedSlot, F>::with_buckets(buckets)?),
        Scheme::Always | Scheme::New => Box::new(GroupTable::<Always, F, 1>::new(count)?),
        Scheme::KeepFirst | Scheme::Old => Box::new(GroupTable::<KeepFirst, F, 1>::new(count)?),
        Scheme::Deepest => Box::new(GroupTable::<Deepest, F, 1>::new(count)?),
        Scheme::ReferenceBit => Box::new(GroupTable::<ReferenceBit, F, 1>::new(count)?),
        Scheme::Deep => Box::new(GroupTable::<Deep, F, 1>::new(count)?),
        Scheme::Big1 => Box::new(GroupTable::<Big1, F, 1>::new(count)?),
        Scheme::BigAll => Box::new(GroupTable::<BigAll, F, 1>::new(count)?),
        Scheme::TwoDeep => Box::new(GroupTable::<TwoDeep, F, 2>::new(count)?),
        Scheme::TwoBig1 => Box::new(GroupTable::<TwoBig1, F, 2>::new(count)?),
        Scheme::Chains => Box::new(Chains::<F, false>::new(count)?),
        Scheme::ChainsByCounts => Box::new(Chains::<F, true>::new(count)?),
        Scheme::Striped => Box::new(crate::table::striped::Striped::<F>::with_buckets(buckets)?),
        Scheme::Atomic128 => {
            Box::new(BucketTable::<crate::table::atomic128::WholeSlot, F>::with_buckets(buckets)?)
        }
    })
}

/// [`Table`] without its constants, to be called through a pointer.
pub(super) trait Dispatch: Send + Sync + fmt::Debug {
    fn weighs(&self) -> Weighs;
    fn asks_what_is_left(&self) -> bool;
    fn begin(&self, left: u16);
    fn probe_with(&self, key: Hash, left: u16, depth: u8, reuse: Reuse) -> Option<Found>;
    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored;
    fn prefetch(&self, key: Hash);
    fn new_generation(&self);
    fn clear(&self, threads: usize);
    fn hashfull(&self) -> u32;
}

impl<T: Table + fmt::Debug> Dispatch for T {
    fn weighs(&self) -> Weighs {
        Table::weighs(self)
    }

    fn asks_what_is_left(&self) -> bool {
        Table::asks_what_is_left(self)
    }

    fn begin(&self, left: u16) {
        Table::begin(self, left);
    }

    fn probe_with(&self, key: Hash, left: u16, depth: u8, reuse: Reuse) -> Option<Found> {
        Table::probe_with(self, key, left, depth, reuse)
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
    const MAY_WEIGH: bool = true;

    fn weighs(&self) -> Weighs {
        call!(self, weighs())
    }

    fn asks_what_is_left(&self) -> bool {
        call!(self, asks_what_is_left())
    }

    fn begin(&self, left: u16) {
        call!(self, begin(left));
    }

    #[inline]
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        Table::probe_with(self, key, 0, depth, reuse)
    }

    #[inline]
    fn probe_with(&self, key: Hash, left: u16, depth: u8, reuse: Reuse) -> Option<Found> {
        call!(self, probe_with(key, left, depth, reuse))
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
