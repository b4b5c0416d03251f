//! The lockless table: buckets of four 128-bit slots, one cache line each, written by any thread at any time.

use super::entry::{Entry, Found, NewEntry, Stored};
use super::memory::Memory;
use super::replacement::{SLOTS, Seen, gather, plan};
use super::slot::{GENERATIONS, Read, Slot, tag_of};
use super::{Table, TableError};
use crate::game::Hash;
use crate::sync::{AtomicU8, Relaxed};
use crate::table::Reuse;

/// One cache line.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Bucket {
    slots: [Slot; SLOTS],
}

const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Bucket>() == 64);

/// The lockless table of this library. See `slot.rs` for the slot protocol and `replacement.rs` for what gives way.
///
/// The bucket is chosen by the high half of the key and verified by 48 bits of the low half, so that with 128-bit
/// hashes the two are independent.
#[derive(Debug)]
pub struct LocklessTable {
    memory: Memory,
    generation: AtomicU8,
}

impl LocklessTable {
    /// A table of `mib` MiB.
    ///
    /// # Errors
    /// When `mib` is 0 or the system does not grant the memory.
    pub fn new(mib: u64) -> Result<Self, TableError> {
        if mib == 0 || mib > u64::MAX >> 21 {
            return Err(TableError::Size { mib });
        }
        Self::with_buckets((mib << 20) / size_of::<Bucket>() as u64)
    }

    /// A table of `buckets` buckets of four slots, 64 bytes each. Tiny ones are for tests.
    ///
    /// # Errors
    /// When `buckets` is 0 or the system does not grant the memory.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        Ok(LocklessTable { memory: Memory::zeroed(buckets)?, generation: AtomicU8::new(0) })
    }

    /// How many buckets of four slots the table has.
    pub fn buckets(&self) -> u64 {
        self.memory.buckets().len() as u64
    }

    #[inline]
    fn bucket(&self, key: Hash) -> &Bucket {
        let buckets = self.memory.buckets();
        // Multiply-high maps the high half evenly onto the buckets, whatever their number.
        &buckets[((u128::from(key.high) * buckets.len() as u128) >> 64) as usize]
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Relaxed) // Relaxed: a stale generation only misguides replacement.
    }
}

impl Bucket {
    #[inline]
    fn read(&self) -> [Read; SLOTS] {
        std::array::from_fn(|slot| self.slots[slot].read())
    }

    fn clear(&self) {
        self.slots.iter().for_each(Slot::clear);
    }
}

impl Table for LocklessTable {
    #[inline]
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        let bucket = self.bucket(key);
        let tag = tag_of(key.low);
        let generation = self.generation();
        let own = bucket.slots.iter().filter_map(|slot| {
            let read = slot.read();
            if !read.holds(tag) {
                return None;
            }
            if read.generation() != generation && read.depth() >= depth {
                slot.refresh(read, generation);
            }
            Some(read.entry())
        });
        gather(own, depth, reuse)
    }

    #[inline]
    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = Entry::new(&entry, self.generation()) else { return Stored::default() };
        let bucket = self.bucket(key);
        let tag = tag_of(key.low);
        let seen = bucket.slots.iter().map(|slot| {
            let read = slot.read();
            if read.is_empty() {
                Seen::Empty
            } else if read.holds(tag) {
                Seen::Own(read.entry())
            } else {
                Seen::Other { depth: read.depth(), generation: read.generation() }
            }
        });
        let plan = plan(seen, new, reuse);
        if plan.stored.written {
            bucket.slots[plan.slot].write(tag, &plan.entry);
        }
        plan.stored
    }

    #[inline]
    fn prefetch(&self, key: Hash) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch never faults and changes no memory, and the pointer is to a live bucket.
            // It pays: see ARCHITECTURE.md, "unsafe".
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    fn new_generation(&self) {
        // Relaxed: as in `generation`. A load and a store, not one operation: two searches that begin at once on one
        // table may share a generation, which does no harm.
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    fn clear(&self, threads: usize) {
        let buckets = self.memory.buckets();
        // A thread for less than a megabyte costs more than it saves.
        let threads = threads.clamp(1, buckets.len() / (1 << 14) + 1);
        let share = buckets.len().div_ceil(threads);
        std::thread::scope(|scope| {
            for chunk in buckets.chunks(share).skip(1) {
                let clear = move || chunk.iter().for_each(Bucket::clear);
                if std::thread::Builder::new().spawn_scoped(scope, clear).is_err() {
                    clear(); // no thread to be had
                }
            }
            buckets[..share].iter().for_each(Bucket::clear);
        });
    }

    fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample: Vec<Read> = self.memory.buckets().iter().take(1000).flat_map(Bucket::read).collect();
        let used = sample.iter().filter(|read| !read.is_empty() && read.generation() == generation).count();
        (1000 * used / sample.len().max(1)) as u32
    }
}
