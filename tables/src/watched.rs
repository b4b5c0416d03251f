//! What a table keeps, counted beside it: of all look-ups of a position and depth that was offered to the
//! table before, how many find it. A table that never forgot would find all of them.
//!
//! The record of what was offered grows with the search and is behind locks: for measurements of that alone.

use crate::any::Dispatch;
use parking_lot::Mutex;
use starsplit::game::PositionHash;
use starsplit::table::Reuse;
use starsplit::table::{Found, NewEntry, Stored};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many of the look-ups for what was stored before found it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Look-ups of a position and depth of which bounds were offered since the table was cleared.
    pub asked_again: u64,
    /// Those that found bounds.
    pub found_again: u64,
}

/// How many parts the record of what was offered has, each behind its lock.
const SHARDS: usize = 64;

/// The counts of a watched table.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    asked_again: AtomicU64,
    found_again: AtomicU64,
}

impl Watch {
    pub(crate) fn retention(&self) -> Retention {
        // Relaxed, here and below: counts, read when the search is over.
        let (asked_again, found_again) = (self.asked_again.load(Relaxed), self.found_again.load(Relaxed));
        Retention { asked_again, found_again }
    }
}

/// A table that is watched.
#[derive(Debug)]
pub(crate) struct Watched {
    inner: Box<dyn Dispatch>,
    watch: Arc<Watch>,
    offered: [Mutex<HashSet<(u64, u64, u8)>>; SHARDS],
}

impl Watched {
    pub(crate) fn new(inner: Box<dyn Dispatch>, watch: Arc<Watch>) -> Self {
        Watched { inner, watch, offered: std::array::from_fn(|_| Mutex::new(HashSet::new())) }
    }

    fn shard(&self, key: PositionHash) -> &Mutex<HashSet<(u64, u64, u8)>> {
        &self.offered[(key.high >> 48) as usize % SHARDS]
    }
}

impl Dispatch for Watched {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        let found = self.inner.probe(key, depth, reuse);
        if self.shard(key).lock().contains(&(key.high, key.low, depth)) {
            self.watch.asked_again.fetch_add(1, Relaxed);
            let is_found = found.is_some_and(|found| found.has_bounds());
            self.watch.found_again.fetch_add(u64::from(is_found), Relaxed);
        }
        found
    }

    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        if entry.bounds.lower > -entry.limit || entry.bounds.upper < entry.limit {
            self.shard(key).lock().insert((key.high, key.low, entry.depth));
        }
        self.inner.store(key, entry, reuse)
    }

    fn prefetch(&self, key: PositionHash) {
        self.inner.prefetch(key);
    }

    fn new_generation(&self) {
        self.inner.new_generation();
    }

    fn clear(&self, threads: usize) {
        self.offered.iter().for_each(|shard| shard.lock().clear());
        self.watch.asked_again.store(0, Relaxed);
        self.watch.found_again.store(0, Relaxed);
        self.inner.clear(threads);
    }

    fn hashfull(&self) -> u32 {
        self.inner.hashfull()
    }
}
