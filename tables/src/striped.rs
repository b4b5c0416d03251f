//! The lockless table behind locks, to see what locks cost: a look-up or a store holds the lock of its stripe
//! of buckets, a parking_lot mutex.

use parking_lot::{Mutex, MutexGuard};
use starsplit::game::PositionHash;
use starsplit::table::Reuse;
use starsplit::table::{Found, LocklessTable, NewEntry, Stored, Table, TableError};

/// How many buckets share a lock.
const STRIPE: u64 = 64;

/// A transposition table of striped locks.
#[derive(Debug)]
pub struct StripedTable {
    table: LocklessTable,
    locks: Box<[Mutex<()>]>,
}

impl StripedTable {
    /// A table of `buckets` buckets of four entries.
    ///
    /// # Errors
    /// When `buckets` is 0 or the system does not grant the memory.
    pub fn with_buckets(buckets: u64) -> Result<Self, TableError> {
        let table = LocklessTable::with_buckets(buckets)?;
        let locks = (0..buckets.div_ceil(STRIPE)).map(|_| Mutex::new(())).collect();
        Ok(StripedTable { table, locks })
    }

    /// The table, with the lock of the position's stripe. A second bucket of the position may be in another
    /// stripe: a slot checks itself.
    fn locked(&self, key: PositionHash) -> (MutexGuard<'_, ()>, &LocklessTable) {
        let stripe = (u128::from(key.high) * self.locks.len() as u128) >> 64;
        (self.locks[stripe as usize].lock(), &self.table)
    }
}

impl Table for StripedTable {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        let (_lock, table) = self.locked(key);
        table.probe(key, depth, reuse)
    }

    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        let (_lock, table) = self.locked(key);
        table.store(key, entry, reuse)
    }

    fn prefetch(&self, key: PositionHash) {
        self.table.prefetch(key);
    }

    fn new_generation(&self) {
        self.table.new_generation();
    }

    fn clear(&self, threads: usize) {
        self.table.clear(threads);
    }

    fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit::score::{Bounds, MAX_LIMIT};
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn who_looks_up_or_stores_waits_for_the_stripes_lock() {
        let table = StripedTable::with_buckets(4 * STRIPE).expect("a small table");
        let [first, last] = [0, u64::MAX].map(|high| PositionHash { high, low: 1 << 32 });
        let new = NewEntry::new(3, Bounds::exactly(1), MAX_LIMIT);
        std::thread::scope(|scope| {
            let (done, is_done) = mpsc::channel();
            let lock = table.locked(first);
            assert!(table.store(last, new, Reuse::Exact).written, "another stripe has another lock");
            for act in [
                |table: &StripedTable, key, _| _ = table.probe(key, 3, Reuse::Exact),
                |table: &StripedTable, key, new| _ = table.store(key, new, Reuse::Exact),
            ] {
                let (done, table) = (done.clone(), &table);
                scope.spawn(move || {
                    act(table, first, new);
                    done.send(()).expect("somebody waits");
                });
            }
            let while_locked = is_done.recv_timeout(Duration::from_millis(50));
            assert!(while_locked.is_err(), "nobody waited for the lock");
            drop(lock);
            (0..2).for_each(|_| is_done.recv().expect("both go on"));
        });
    }
}
