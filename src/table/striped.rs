//! A table behind locks, to compare the lockless one with: the same buckets and the same replacement, each
//! stripe of buckets behind one parking_lot mutex.

use super::entry::{Entry, Found, NewEntry, Stored};
use super::replacement::{Gathered, SLOTS, Seen, plan, plan_crowded, second_bucket};
use super::slot::GENERATIONS;
use super::{Table, TableError};
use crate::game::Hash;
use crate::sync::{AtomicU8, Mutex, Relaxed};
use crate::table::Reuse;

/// How many buckets share a lock at most.
const STRIPE: usize = 64;

/// A position's whole key half with its entry; nothing is packed, so nothing is lost.
type LockedSlot = Option<(u64, Entry)>;
type LockedBucket = [LockedSlot; SLOTS];

/// A transposition table of striped locks.
#[derive(Debug)]
pub struct StripedTable {
    stripes: Vec<Mutex<Box<[LockedBucket]>>>,
    buckets: usize,
    generation: AtomicU8,
}

/// What a store for a key with this low half sees in each slot.
fn seen(bucket: &LockedBucket, low: u64) -> impl Iterator<Item = Seen> + Clone {
    bucket.iter().map(move |slot| match *slot {
        None => Seen::Empty,
        Some((own, entry)) if own == low => Seen::Own(entry),
        Some((_, entry)) => Seen::Other { depth: entry.depth(), generation: entry.generation },
    })
}

impl StripedTable {
    /// A table of `buckets` buckets of four entries.
    ///
    /// # Errors
    /// When `buckets` is 0 or the memory is not to be had.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
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
        Ok(StripedTable { stripes, buckets, generation: AtomicU8::new(0) })
    }

    /// Runs `act` on the bucket that a number chooses, under its lock.
    fn with_bucket<R>(&self, number: u64, act: impl FnOnce(&mut LockedBucket) -> R) -> R {
        let bucket = ((u128::from(number) * self.buckets as u128) >> 64) as usize;
        act(&mut self.stripes[bucket / STRIPE].lock()[bucket % STRIPE])
    }

    fn generation(&self) -> u8 {
        self.generation.load(Relaxed) // Relaxed: a stale generation only misguides replacement.
    }
}

impl Table for StripedTable {
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        let generation = self.generation();
        let mut gathered = Gathered::new(depth, reuse);
        let add_all = |gathered: &mut Gathered, number| {
            self.with_bucket(number, |bucket| {
                let own = bucket.iter_mut().flatten().filter(|(low, _)| *low == key.low);
                gathered.add_all(own.map(|(_, entry)| {
                    if entry.depth() >= depth {
                        entry.generation = generation;
                    }
                    *entry
                }))
            })
        };
        let mut settled = add_all(&mut gathered, key.high);
        if settled.is_none() && gathered.is_crowded() {
            settled = add_all(&mut gathered, second_bucket(key.high, depth));
        }
        settled.or_else(|| gathered.found())
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = Entry::new(&entry, self.generation()) else { return Stored::default() };
        let first = self.with_bucket(key.high, |bucket| {
            let plan = plan(seen(bucket, key.low), new, reuse);
            let is_own = |slot: &LockedSlot| matches!(slot, Some((low, _)) if *low == key.low);
            if plan.stored.replaced && bucket.iter().all(is_own) {
                return Err(*bucket);
            }
            bucket[plan.slot] = Some((key.low, plan.entry));
            Ok(plan.stored)
        });
        // What is seen of a crowded bucket may be out of date when the second one is locked: never two locks.
        first.unwrap_or_else(|first| {
            let number = second_bucket(key.high, new.depth());
            let plan = self.with_bucket(number, |second| {
                let plan = plan_crowded(seen(&first, key.low), seen(second, key.low), new, reuse);
                if let Some(slot) = plan.slot.checked_sub(SLOTS) {
                    second[slot] = Some((key.low, plan.entry));
                }
                plan
            });
            if plan.slot < SLOTS {
                self.with_bucket(key.high, |bucket| bucket[plan.slot] = Some((key.low, plan.entry)));
            }
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
