//! A table whose slots are 128-bit atomics, to compare the lockless one with: the same buckets, the same slot
//! contents and the same replacement, but the hardware keeps a slot whole, and there is no seal.
//!
//! On x86-64 with AVX a read is one vector load. Processors without AVX read by a locked `cmpxchg16b`. Builds
//! and processors that know no 128-bit atomic at all get the locks of `portable-atomic`; see
//! [`Atomic128Table::is_lock_free`].

#![allow(unsafe_code, reason = "vouches that zeroed bytes are a 128-bit atomic")]

use super::buckets::BucketTable;
use super::entry::Entry;
use super::slot::{Read, Slot};
use super::{Table, TableError};
use crate::sync::{AtomicU128, Relaxed};
use bytemuck::Zeroable;

/// A slot: the data word below, the key word above.
#[derive(Debug)]
#[repr(transparent)]
pub(super) struct WholeSlot(AtomicU128);

// SAFETY: all-zero bytes are a valid `AtomicU128`: it has the size and bit validity of a `u128`, whether the
// hardware or `portable-atomic`'s locks, which lie elsewhere, keep it whole. Without this the table could not
// lie in pages that the system zeroed, and the comparison with the lockless table would be one of memory.
unsafe impl Zeroable for WholeSlot {}

impl Slot for WholeSlot {
    #[inline]
    fn read(&self) -> Read {
        // Relaxed, here and below: a slot is all there is to know, nothing else is published by it.
        let bits = self.0.load(Relaxed);
        Read { check: (bits >> 64) as u64, data: bits as u64 }
    }

    #[inline]
    fn write(&self, tag: u64, entry: &Entry) {
        let Read { check, data } = Read::new(tag, entry);
        self.0.store(u128::from(check) << 64 | u128::from(data), Relaxed);
    }

    #[inline]
    fn refresh(&self, read: Read, generation: u8) {
        self.0.fetch_xor(u128::from(read.change_to(generation)) << 64, Relaxed);
    }

    #[inline]
    fn clear(&self) {
        self.0.store(0, Relaxed);
    }
}

/// A table of buckets of four 128-bit atomics.
#[derive(Debug)]
pub struct Atomic128Table(BucketTable<WholeSlot>);

impl Atomic128Table {
    /// A table of `buckets` buckets of four slots, 64 bytes each.
    ///
    /// # Errors
    /// When `buckets` is 0 or the system does not grant the memory.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        BucketTable::with_buckets(buckets).map(Atomic128Table)
    }

    /// Whether this processor has 128-bit atomics. Without them `portable-atomic` takes a lock for each
    /// access, out of a few that all tables share: the table is as correct, and slow.
    pub fn is_lock_free() -> bool {
        AtomicU128::is_lock_free()
    }
}

super::table_through!([] Atomic128Table, BucketTable<WholeSlot>, |table| &table.0);
