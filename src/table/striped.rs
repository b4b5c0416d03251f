//! A table behind locks, to compare the lockless one with: the same buckets and the same replacement, each
//! stripe of buckets behind one parking_lot mutex.

use super::entry::{Entry, Found, NewEntry, Stored};
use super::form::{Form, TwoSided};
use super::replacement::{SLOTS, Seen, gather, plan};
use super::slot::GENERATIONS;
use super::{Table, TableError};
use crate::game::Hash;
use crate::sync::{AtomicU8, Mutex, Relaxed};
use crate::table::Reuse;
use std::marker::PhantomData;

/// How many buckets share a lock at most.
const STRIPE: usize = 64;

/// A position's whole key half with its entry; nothing is packed, so nothing is lost.
type LockedSlot = Option<(u64, Entry)>;
type LockedBucket = [LockedSlot; SLOTS];

/// A transposition table of striped locks.
#[derive(Debug)]
pub struct StripedTable(Striped<TwoSided>);

/// The same for entries of either form.
#[derive(Debug)]
pub(super) struct Striped<F> {
    stripes: Vec<Mutex<Box<[LockedBucket]>>>,
    buckets: usize,
    generation: AtomicU8,
    form: PhantomData<F>,
}

impl StripedTable {
    /// A table of `buckets` buckets of four entries.
    ///
    /// # Errors
    /// When `buckets` is 0 or the memory is not to be had.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        Striped::with_buckets(buckets).map(StripedTable)
    }
}

super::table_through!([] StripedTable, Striped<TwoSided>, |table| &table.0);

impl<F: Form> Striped<F> {
    /// A table of `buckets` buckets of four entries.
    ///
    /// # Errors
    /// When `buckets` is 0 or the memory is not to be had.
    pub(super) fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        if buckets == 0 || buckets > u64::from(u32::MAX) {
            return Err(TableError::Buckets { buckets });
        }
        let buckets = buckets as usize;
        let mut stripes = Vec::new();
        for first in (0..buckets).step_by(STRIPE) {
            let mut stripe = Vec::new();
            let wanted = STRIPE.min(buckets - first);
            if stripes.try_reserve(1).is_err() || stripe.try_reserve_exact(wanted).is_err() {
                let bytes = (buckets * size_of::<LockedBucket>()) as u64;
                return Err(TableError::Memory { bytes, source: std::io::ErrorKind::OutOfMemory.into() });
            }
            stripe.resize(wanted, [None; SLOTS]);
            stripes.push(Mutex::new(stripe.into_boxed_slice()));
        }
        Ok(Striped { stripes, buckets, generation: AtomicU8::new(0), form: PhantomData })
    }

    /// Runs `act` on the bucket of `key`, under its lock.
    fn with_bucket<R>(&self, key: Hash, act: impl FnOnce(&mut LockedBucket) -> R) -> R {
        let bucket = ((u128::from(key.high) * self.buckets as u128) >> 64) as usize;
        act(&mut self.stripes[bucket / STRIPE].lock()[bucket % STRIPE])
    }

    fn generation(&self) -> u8 {
        self.generation.load(Relaxed) // Relaxed: a stale generation only misguides replacement.
    }
}

impl<F: Form> Table for Striped<F> {
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        let generation = self.generation();
        self.with_bucket(key, |bucket| {
            for (low, entry) in bucket.iter_mut().flatten() {
                if *low == key.low && entry.depth() >= depth {
                    entry.generation = generation;
                }
            }
            let own = bucket.iter().flatten().filter(|(low, _)| *low == key.low).map(|&(_, entry)| entry);
            gather(own, depth, reuse)
        })
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = F::entry(&entry, self.generation()) else { return Stored::default() };
        self.with_bucket(key, |bucket| {
            let seen = bucket.iter().map(|slot| match *slot {
                None => Seen::Empty,
                Some((low, entry)) if low == key.low => Seen::Own(entry),
                Some((_, entry)) => Seen::Other { depth: entry.depth(), generation: entry.generation },
            });
            let plan = plan::<F>(seen, new, reuse);
            bucket[plan.slot] = Some((key.low, plan.entry));
            plan.stored
        })
    }

    fn new_generation(&self) {
        // Relaxed: as in `generation`.
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    fn clear(&self, _threads: usize) {
        self.stripes.iter().for_each(|stripe| stripe.lock().fill([None; SLOTS]));
    }

    fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let (mut slots, mut used) = (0, 0);
        for stripe in self.stripes.iter().take(16) {
            for slot in stripe.lock().iter().flatten() {
                slots += 1;
                used += u32::from(slot.is_some_and(|(_, entry)| entry.generation == generation));
            }
        }
        1000 * used / slots.max(1)
    }
}
