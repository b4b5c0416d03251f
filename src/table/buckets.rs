//! A table of buckets: one cache line of four 128-bit slots, which any thread may write at any time.

use super::entry::{Entry, Found, NewEntry, Stored};
use super::memory::Memory;
use super::prefetch::prefetch;
use super::replacement::{Gathered, SLOTS, Seen, plan, plan_crowded, second_bucket};
use super::saved::Marks;
use super::slot::{GENERATIONS, Read, Slot, WordPair, tag_of};
use super::{Table, TableError};
use crate::game::Hash;
use crate::sync::{AtomicU8, Relaxed};
use crate::table::Reuse;
use bytemuck::Zeroable;

/// The candidates of a bucket in which every slot seems to hold the same position.
const CROWDED: u32 = (1 << SLOTS) - 1;

/// One cache line.
#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Bucket<S> {
    slots: [S; SLOTS],
}

/// A table of four-slot buckets with ageing, over any kind of slot. With sealed slots it is
/// [`LocklessTable`](super::LocklessTable).
///
/// The high half of the key chooses the bucket; 48 bits of the low half verify an entry. With 128-bit hashes
/// the two are independent. A position that crowds its bucket has a second bucket for each other depth,
/// chosen by the high half and the depth.
#[derive(Debug)]
pub struct BucketTable<S> {
    memory: Memory<Bucket<S>>,
    generation: AtomicU8,
    /// The marks of a table that processes share.
    marks: Option<Memory<Marks>>,
}

impl<S: WordPair + Zeroable> BucketTable<S> {
    /// A table of `mib` MiB.
    pub(super) fn new(mib: u64) -> Result<Self, TableError> {
        if mib == 0 || mib > u64::MAX >> 21 {
            return Err(TableError::Size { mib });
        }
        Self::with_buckets((mib << 20) / size_of::<Bucket<S>>() as u64)
    }

    /// A table of `buckets` buckets of four slots, 64 bytes each.
    ///
    /// # Errors
    /// When `buckets` is 0 or the system does not grant the memory.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        const { assert!(size_of::<S>() == 16 && size_of::<Bucket<S>>() == 64) };
        Ok(Self::of(Memory::zeroed(buckets)?, None))
    }

    /// A table in memory that processes share, with its marks.
    pub(super) fn shared(memory: Memory<Bucket<S>>, marks: Memory<Marks>) -> Self {
        Self::of(memory, Some(marks))
    }

    fn of(memory: Memory<Bucket<S>>, marks: Option<Memory<Marks>>) -> Self {
        BucketTable { memory, generation: AtomicU8::new(0), marks }
    }

    /// The marks of a shared table.
    pub(super) fn marks(&self) -> Option<&Memory<Marks>> {
        self.marks.as_ref()
    }

    /// All buckets.
    pub(super) fn all(&self) -> &[Bucket<S>] {
        self.memory.get()
    }

    /// Writes the file of a shared table to the disk.
    pub(super) fn flush(&self) -> std::io::Result<()> {
        self.memory.flush()
    }

    /// The number of buckets, of four slots each.
    pub(super) fn buckets(&self) -> u64 {
        self.memory.get().len() as u64
    }

    #[inline]
    fn bucket(&self, key: Hash) -> &Bucket<S> {
        self.bucket_of(key.high)
    }

    /// The bucket for this number.
    #[inline]
    fn bucket_of(&self, number: u64) -> &Bucket<S> {
        let buckets = self.memory.get();
        // Multiply-high maps the number evenly onto any number of buckets.
        &buckets[((u128::from(number) * buckets.len() as u128) >> 64) as usize]
    }

    /// Combines all slots of a position: the candidates in its bucket and, where they crowd it, those of the
    /// second.
    #[inline(never)]
    fn gather(&self, key: Hash, candidates: u32, depth: u8, reuse: Reuse) -> Option<Found> {
        let (tag, generation) = (tag_of(key.low), self.generation());
        let mut gathered = Gathered::new(depth, reuse);
        let mut settled = gathered.add_all(self.bucket(key).own(candidates, tag, generation, depth));
        if settled.is_none() && gathered.is_crowded() {
            let second = self.bucket_of(second_bucket(key.high, depth));
            settled = gathered.add_all(second.own(second.candidates(tag), tag, generation, depth));
        }
        settled.or_else(|| gathered.found())
    }

    /// Stores to a crowded bucket or to its second bucket.
    #[inline(never)]
    fn store_crowded(&self, key: Hash, entry: &NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = Entry::new(entry, self.generation()) else { return Stored::default() };
        let tag = tag_of(key.low);
        let (first, second) = (self.bucket(key), self.bucket_of(second_bucket(key.high, new.depth())));
        // Read once, so that the plan fits what was read.
        let seen: [Seen; SLOTS] = std::array::from_fn(|slot| Seen::in_slot(first.slots[slot].read(), tag));
        let plan = plan_crowded(seen.into_iter(), second.seen(tag), new, reuse);
        if plan.stored.written {
            let bucket = if plan.slot < SLOTS { first } else { second };
            bucket.slots[plan.slot % SLOTS].write(tag, &plan.entry);
        }
        plan.stored
    }

    #[inline]
    pub(super) fn generation(&self) -> u8 {
        self.generation.load(Relaxed) // Relaxed: a stale generation only misguides replacement.
    }

    /// Sets the generation, modulo the number of generations.
    pub(super) fn set_generation(&self, generation: u64) {
        // Relaxed: as in `generation`.
        self.generation.store((generation % u64::from(GENERATIONS)) as u8, Relaxed);
    }
}

impl<S: WordPair> Bucket<S> {
    #[inline]
    fn read(&self) -> [Read; SLOTS] {
        std::array::from_fn(|slot| self.slots[slot].read())
    }

    /// The slots that seem to hold an entry for `tag`, as bits. Without branches: while the bucket comes from
    /// memory, the processor can go on with the next probe, instead of guessing which slot it will be.
    #[inline]
    fn candidates(&self, tag: u64) -> u32 {
        self.slots
            .iter()
            .enumerate()
            .fold(0, |candidates, (index, slot)| candidates | u32::from(slot.read().has_tag(tag)) << index)
    }

    /// The entries for `tag` in these candidates. An entry of at least this depth moves to this generation.
    #[inline]
    fn own(&self, mut candidates: u32, tag: u64, generation: u8, depth: u8) -> impl Iterator<Item = Entry> {
        std::iter::from_fn(move || {
            while candidates != 0 {
                let slot = &self.slots[candidates.trailing_zeros() as usize % SLOTS];
                candidates &= candidates - 1;
                // Read again: another thread may have written since the candidates were found.
                let read = slot.read();
                if read.holds(tag) {
                    if read.generation() != generation && read.depth() >= depth {
                        slot.refresh(read, generation);
                    }
                    return Some(read.entry());
                }
            }
            None
        })
    }

    /// What a store for `tag` finds in each slot.
    #[inline]
    fn seen(&self, tag: u64) -> impl Iterator<Item = Seen> {
        self.slots.iter().map(move |slot| Seen::in_slot(slot.read(), tag))
    }

    pub(super) fn slots(&self) -> &[S; SLOTS] {
        &self.slots
    }

    pub(super) fn clear(&self) {
        self.slots.iter().for_each(S::clear);
    }
}

impl<S: WordPair + Zeroable> Table for BucketTable<S> {
    #[inline]
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        let bucket = self.bucket(key);
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
            return Some(Found { bounds: entry.bounds_for(depth, reuse), hint: entry.hint });
        }
        self.gather(key, candidates, depth, reuse)
    }

    #[inline]
    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = Entry::new(&entry, self.generation()) else { return Stored::default() };
        let bucket = self.bucket(key);
        let tag = tag_of(key.low);
        let plan = plan(bucket.seen(tag), new, reuse);
        if plan.stored.replaced && bucket.candidates(tag) == CROWDED {
            return self.store_crowded(key, &entry, reuse);
        }
        if plan.stored.written {
            bucket.slots[plan.slot].write(tag, &plan.entry);
        }
        plan.stored
    }

    #[inline]
    fn prefetch(&self, key: Hash) {
        prefetch(self.bucket(key));
    }

    fn new_generation(&self) {
        // A load and a store, not one operation: two searches that start at once on one table may share a
        // generation, which is harmless.
        let of_its_own = || u64::from(self.generation()) + 1;
        self.set_generation(
            self.marks.as_ref().map_or_else(of_its_own, |marks| marks.get()[0].next_generation()),
        );
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
        let sample: Vec<Read> = self.memory.get().iter().take(1000).flat_map(Bucket::read).collect();
        let used = sample.iter().filter(|read| !read.is_empty() && read.generation() == generation).count();
        (1000 * used / sample.len().max(1)) as u32
    }
}
