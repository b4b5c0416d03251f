//! A table of buckets: one cache line of four 128-bit slots, which any thread may write at any time.

use super::bucket::{Bucket, CROWDED};
use super::entry::{Entry, Found, NewEntry, Stored};
use super::memory::Memory;
use super::prefetch::prefetch;
use super::replacement::{Gathered, SLOTS, Seen, plan, plan_crowded, second_bucket};
use super::slot::{GENERATIONS, Read, SealedSlot, Slot, WordPair, tag_of};
use super::{Table, TableError};
use crate::game::PositionHash;
use crate::sync::{AtomicU8, Relaxed};
use crate::table::Reuse;
use bytemuck::Zeroable;

/// A table of four-slot buckets with ageing, over any kind of slot. With sealed slots it is
/// [`LocklessTable`](super::LocklessTable).
///
/// The high half of the key chooses the bucket; 48 bits of the low half verify an entry. Each half of a key
/// depends on all of the hash. A position that crowds its bucket has a second bucket for each other depth,
/// chosen by the high half and the depth.
#[derive(Debug)]
pub struct BucketTable<S> {
    pub(super) memory: Memory<Bucket<S>>,
    generation: AtomicU8,
}

/// The lockless table: buckets of four slots, which any thread may write at any time without a lock.
pub type LocklessTable = BucketTable<SealedSlot>;

impl<S: WordPair + Zeroable> BucketTable<S> {
    /// A table of `mib` MiB.
    ///
    /// # Errors
    /// When `mib` is 0 or the system does not grant the memory.
    pub fn new(mib: u64) -> Result<Self, TableError> {
        if mib == 0 || mib > isize::MAX as u64 >> 20 {
            return Err(TableError::Size { mib });
        }
        Self::with_buckets((mib << 20) / size_of::<Bucket<S>>() as u64)
    }

    /// A table of `buckets` buckets of four slots, 64 bytes each. Tiny ones are for tests.
    ///
    /// # Errors
    /// When `buckets` is 0 or the system does not grant the memory.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        const { assert!(size_of::<S>() == 16 && size_of::<Bucket<S>>() == 64) };
        Ok(Self::of(Memory::zeroed(buckets)?))
    }

    /// A table in this memory.
    pub(super) fn of(memory: Memory<Bucket<S>>) -> Self {
        BucketTable { memory, generation: AtomicU8::new(0) }
    }

    /// The number of buckets, of four slots each.
    pub fn buckets(&self) -> u64 {
        self.memory.get().len() as u64
    }

    /// The bucket for this number.
    #[inline]
    fn bucket(&self, number: u64) -> &Bucket<S> {
        let buckets = self.memory.get();
        // Multiply-high maps the number evenly onto any number of buckets.
        &buckets[((u128::from(number) * buckets.len() as u128) >> 64) as usize]
    }

    /// Combines all slots of a position: the candidates in its bucket and, where they crowd it, those of the
    /// second.
    fn gather(&self, key: PositionHash, candidates: u32, depth: u8, reuse: Reuse) -> Option<Found> {
        let (tag, generation) = (tag_of(key.low), self.generation());
        let mut gathered = Gathered::new(depth, reuse);
        let mut settled = gathered.add_all(self.bucket(key.high).own(candidates, tag, generation, depth));
        if settled.is_none() && gathered.is_crowded() {
            let second = self.bucket(second_bucket(key.high, depth));
            settled = gathered.add_all(second.own(second.candidates(tag), tag, generation, depth));
        }
        settled.or_else(|| gathered.found())
    }

    /// Stores to a crowded bucket or to its second bucket.
    fn store_crowded(&self, key: PositionHash, new: Entry, reuse: Reuse) -> Stored {
        let tag = tag_of(key.low);
        let (first, second) = (self.bucket(key.high), self.bucket(second_bucket(key.high, new.depth())));
        // Read once, so that the plan fits what was read.
        let seen: [Seen; SLOTS] = std::array::from_fn(|slot| Seen::in_slot(first.slots[slot].read(), tag));
        let plan = plan_crowded(seen, second.seen(tag), new, reuse);
        if plan.stored.written {
            let bucket = if plan.slot < SLOTS { first } else { second };
            bucket.slots[plan.slot % SLOTS].write(tag, &plan.entry);
        }
        plan.stored
    }

    pub(super) fn set_generation(&self, generation: u8) {
        self.generation.store(generation % GENERATIONS, Relaxed); // Relaxed: as in `generation`.
    }

    /// The current generation, 0 to 63. It ages entries and changes no value.
    #[inline]
    pub(super) fn generation(&self) -> u8 {
        self.generation.load(Relaxed) // Relaxed: a stale generation only misguides replacement.
    }
}

impl<S: WordPair + Zeroable> Table for BucketTable<S> {
    #[inline]
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        let bucket = self.bucket(key.high);
        let tag = tag_of(key.low);
        let candidates = bucket.candidates(tag);
        if candidates == 0 {
            return None;
        }
        let generation = self.generation();
        let slot = &bucket.slots[candidates.trailing_zeros() as usize % SLOTS];
        let read = slot.read();
        // The usual case: one entry, of the right depth.
        if reuse == Reuse::Exact && read.holds(tag) && read.depth() == depth {
            if read.generation() != generation {
                slot.refresh(read, generation);
            }
            let entry = read.entry();
            return Some(Found { bounds: entry.bounds_for(depth, reuse), table_move: entry.table_move });
        }
        self.gather(key, candidates, depth, reuse)
    }

    #[inline]
    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = Entry::new(&entry, self.generation()) else { return Stored::default() };
        let bucket = self.bucket(key.high);
        let tag = tag_of(key.low);
        let plan = plan(bucket.seen(tag), new, reuse);
        if plan.stored.replaced && bucket.candidates(tag) == CROWDED {
            return self.store_crowded(key, new, reuse);
        }
        if plan.stored.written {
            bucket.slots[plan.slot].write(tag, &plan.entry);
        }
        plan.stored
    }

    #[inline]
    fn prefetch(&self, key: PositionHash) {
        prefetch(self.bucket(key.high));
    }

    fn new_generation(&self) {
        // A load and a store, not one operation: two searches that start at once on one table may share a
        // generation, which is harmless.
        self.set_generation(self.generation() + 1);
    }

    fn clear(&self, threads: usize) {
        let buckets = self.memory.get();
        // A thread for less than a MiB costs more than it saves.
        let threads = threads.clamp(1, buckets.len() / (1 << 14) + 1);
        let share = buckets.len().div_ceil(threads);
        std::thread::scope(|scope| {
            for chunk in buckets.chunks(share).skip(1) {
                let clear = move || chunk.iter().for_each(Bucket::clear);
                if std::thread::Builder::new().spawn_scoped(scope, clear).is_err() {
                    clear(); // the system has no thread to give
                }
            }
            buckets[..share].iter().for_each(Bucket::clear);
        });
    }

    fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let slots = || self.memory.get().iter().take(1000).flat_map(|bucket| &bucket.slots);
        let is_used = |read: &Read| !read.is_empty() && read.generation() == generation;
        (1000 * slots().map(S::read).filter(is_used).count() / slots().count()) as u32
    }
}
