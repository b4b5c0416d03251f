//! A table whose rows are chains (Deshpande, Peshave and Prakash, "Analysis of iterative deepening minimax
//! tree search using hashing based memoization for Abalone"), behind locks.
//!
//! * A second-level hash of the key chooses the row (section 4.4). The row's chain may hold as many entries
//!   as its threshold says (5.1).
//! * The threshold is 3 at first. A new entry that finds its chain full hits it and takes the last one's
//!   place; after three hits it grows by one, up to a greatest (5.2 and appendix), where the row was last
//!   used in this iteration or the one before. How recent that has to be they leave open.
//! * A look-up adds one to the hits of what it finds and takes one from all others of the row; the chain is
//!   in the order of hits (5.5). Their pseudo-code puts a new entry at the tail, and moves one that is found
//!   up by one place; here both go to where their hits belong, so that the tail is what was found least, as
//!   their text has it.
//! * Entries with more pieces of a player than the root are of no use any more, and are deleted where a
//!   look-up or a new entry meets them (5.4). Their pseudo-code compares with the position in hand, and so
//!   deletes what other lines of the search still need; their text speaks of the game.
//!
//! Their table may grow to the greatest threshold in every row. Here the memory is fixed: 64 rows share a
//! lock and places, of which each row has as many as its threshold. Where none are left no threshold grows.
//! Their chains are linked lists; here the entries of a row lie side by side, in the same order.

use crate::chain::{COUNTS, Counts, Node, Query, Row, Stripe};
use crate::entry::{Entry, tag_of};
use crate::pieces::{Left, PiecesLeft, UNCOUNTED};
use crate::scheme::Scheme;
use parking_lot::Mutex;
use starsplit::game::PositionHash;
use starsplit::table::{Found, NewEntry, Reuse, Stored, Table, TableError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// How many rows share a lock and places.
const STRIPE: u64 = 64;
/// The most entries that a chain may ever hold.
pub const MAX_CHAIN: u8 = 64;
/// How many rows their table has.
const ROWS: u64 = 1 << 22;

/// How a table of chains is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainOptions {
    /// How many rows, a power of two. `None`, the default: 2^22 as theirs, or fewer where the memory has no
    /// room for `threshold` entries in each.
    pub rows: Option<u64>,
    /// How many entries a chain holds at first, 1 to `greatest`; 3 by default.
    pub threshold: u8,
    /// How many entries a chain may come to hold, at most [`MAX_CHAIN`]; 13 by default, as in the last line
    /// of their table.
    pub greatest: u8,
    /// Whether the pieces left choose the row, too: a second hash at the head of a row, by counts of pieces
    /// (their section 7). Two bits of the row are then those that tell even from odd counts of either player,
    /// so four rows have one hash of the position. Off by default; a game that tells no counts has the rows
    /// of its hash.
    pub by_counts: bool,
}

impl Default for ChainOptions {
    fn default() -> Self {
        ChainOptions { rows: None, threshold: 3, greatest: 13, by_counts: false }
    }
}

/// Why there is no such table of chains.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// An option is out of range.
    #[error("{option} {value}: expected {expected}")]
    Option {
        /// The option, as programs call it.
        option: &'static str,
        /// The value asked for.
        value: u64,
        /// What may be asked for.
        expected: String,
    },
    /// The system refused the memory.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// How many rows and places a table has, and its memory: known before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainPlan {
    /// The rows, a power of two.
    pub rows: u64,
    /// The entries that all rows together may hold.
    pub entries: u64,
    /// The memory, in bytes.
    pub bytes: u64,
}

impl ChainOptions {
    /// What a table in the memory of `count` entries of 16 bytes has: an entry in a chain takes 24
    /// bytes, a row 9. At least one row with `threshold` entries, and never more entries than all rows may
    /// hold. Where a game counts its pieces, each thread has 16 KiB besides.
    ///
    /// # Errors
    /// When an option is out of range, or there is no room for `threshold` entries in each of the rows asked
    /// for.
    pub fn plan(&self, count: u64) -> Result<ChainPlan, ChainError> {
        let [threshold, greatest] = [self.threshold, self.greatest].map(u64::from);
        let (most, rows) = (self.fitting(count), self.rows.unwrap_or(1));
        for (option, value, is_right, expected) in [
            (
                "chain-length",
                greatest,
                (1..=MAX_CHAIN.into()).contains(&greatest),
                format!("1 to {MAX_CHAIN}"),
            ),
            ("chain-threshold", threshold, (1..=greatest).contains(&threshold), format!("1 to {greatest}")),
            ("chain-rows", rows, rows.is_power_of_two() && rows <= most, format!("a power of two to {most}")),
        ] {
            if !is_right {
                return Err(ChainError::Option { option, value, expected });
            }
        }
        Ok(self.layout(count))
    }

    /// The greatest power of two of rows that have room in the memory of `count` entries; 1 at least.
    fn fitting(&self, count: u64) -> u64 {
        let row = size_of::<Row>() as u64 + u64::from(self.threshold) * size_of::<Node>() as u64;
        let rows = count.saturating_mul(16) / (row + (size_of::<Mutex<Stripe>>() as u64).div_ceil(STRIPE));
        1 << rows.max(1).ilog2()
    }

    fn layout(&self, count: u64) -> ChainPlan {
        let rows = self.rows.unwrap_or_else(|| self.fitting(count).min(ROWS));
        let stripes = rows.div_ceil(STRIPE);
        let heads = rows * size_of::<Row>() as u64 + stripes * size_of::<Mutex<Stripe>>() as u64;
        let room = count.saturating_mul(16).saturating_sub(heads) / size_of::<Node>() as u64;
        let [least, most] = [self.threshold, self.greatest].map(|each| rows.saturating_mul(each.into()));
        let entries = room.clamp(least, most) / stripes * stripes;
        ChainPlan { rows, entries, bytes: heads + entries * size_of::<Node>() as u64 }
    }
}

/// A table of chains. A look-up or a store takes a time that grows with the chain's length, at most
/// `greatest`.
#[derive(Debug)]
pub struct ChainTable {
    stripes: Vec<Mutex<Stripe>>,
    plan: ChainPlan,
    by_counts: bool,
    generation: AtomicU8,
    pieces: Arc<PiecesLeft>,
}

impl ChainTable {
    /// A table in the memory of `count` entries of 16 bytes.
    ///
    /// # Errors
    /// As [`ChainOptions::plan`], and when the system does not grant the memory.
    pub fn new(count: u64, options: ChainOptions) -> Result<Self, ChainError> {
        options.plan(count)?;
        Ok(Self::laid_out(count, options)?)
    }

    /// The same of options that are in order.
    pub(crate) fn laid_out(count: u64, options: ChainOptions) -> Result<Self, TableError> {
        let plan = options.layout(count);
        let bytes = plan.bytes.max(count.saturating_mul(16));
        let refused = || TableError::Memory { bytes, source: std::io::ErrorKind::OutOfMemory.into() };
        let count = plan.rows.div_ceil(STRIPE);
        let mut stripes = Vec::new();
        if bytes > isize::MAX as u64 || stripes.try_reserve_exact(count as usize).is_err() {
            return Err(refused());
        }
        for _ in 0..count {
            let stripe = Stripe::new(plan.rows.min(STRIPE), plan.entries / count, options);
            stripes.push(Mutex::new(stripe.ok_or_else(refused)?));
        }
        let (by_counts, generation, pieces) = (options.by_counts, AtomicU8::new(0), Arc::default());
        Ok(ChainTable { stripes, plan, by_counts, generation, pieces })
    }

    /// Its scheme.
    pub(crate) fn scheme(&self) -> Scheme {
        if self.by_counts { Scheme::ChainsByCounts } else { Scheme::Chains }
    }

    /// Its rows, entries and memory.
    pub fn plan(&self) -> ChainPlan {
        self.plan
    }

    /// What its chains have done since it was cleared, by name:
    ///
    /// | name | what it counts |
    /// |---|---|
    /// | `look_ups` | look-ups |
    /// | `passed` | the entries that these passed: the lengths of their chains |
    /// | `found`, `places` | look-ups that found their position, and at which places, from 1 |
    /// | `collisions`, `met` | new entries that came to a row with others, and these others |
    /// | `lost` | those of the others that gave way |
    /// | `thresholds` | the thresholds of the rows in question |
    /// | `deleted` | entries that nothing could reach any more |
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let mut sum = Counts::default();
        for stripe in &self.stripes {
            sum.iter_mut().zip(stripe.lock().counts).for_each(|(sum, count)| *sum += count);
        }
        COUNTS.into_iter().zip(sum)
    }

    /// What a [`Counting`](crate::Counting) game tells the pieces left to.
    pub fn pieces_left(&self) -> &Arc<PiecesLeft> {
        &self.pieces
    }

    /// Runs `act` on the row of a position, under its lock.
    fn with_row<R>(&self, key: PositionHash, left: Left, act: impl FnOnce(&mut Stripe, usize) -> R) -> R {
        let mut row = ((u128::from(key.high) * u128::from(self.plan.rows)) >> 64) as u64;
        if self.by_counts && left != UNCOUNTED {
            let parities = u64::from(left[0] & 1) | u64::from(left[1] & 1) << 1;
            row = ((row & !3) | parities) & (self.plan.rows - 1);
        }
        act(&mut self.stripes[(row / STRIPE) as usize].lock(), (row % STRIPE) as usize)
    }

    fn query(&self, key: PositionHash, reuse: Reuse, left: Left) -> Query {
        // Relaxed: it only guides what gives way.
        let generation = self.generation.load(Relaxed);
        Query { tag: tag_of(key), reuse, generation, left, at_root: self.pieces.most() }
    }
}

impl Table for ChainTable {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        let left = self.pieces.asked(key, depth);
        let query = self.query(key, reuse, left);
        self.with_row(key, left, |stripe, row| stripe.look_up(row, depth, &query))
    }

    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = Entry::new(&entry) else { return Stored::default() };
        let left = self.pieces.stored(key, entry.depth);
        let query = self.query(key, reuse, left);
        self.with_row(key, left, |stripe, row| stripe.store(row, &query, new))
    }

    fn new_generation(&self) {
        self.pieces.begin();
        self.generation.fetch_add(1, Relaxed); // Relaxed: as in `query`.
    }

    fn clear(&self, _threads: usize) {
        self.stripes.iter().for_each(|stripe| stripe.lock().clear());
    }

    /// How full a sample of the rows' places is.
    fn hashfull(&self) -> u32 {
        let used: usize = self.stripes.iter().take(16).map(|stripe| stripe.lock().used()).sum();
        let places = self.plan.entries as usize / self.stripes.len() * self.stripes.len().min(16);
        (1000 * used / places) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::RECENT;
    use starsplit::evaluator::mix64;
    use starsplit::score::{Bounds, MAX_LIMIT};

    /// A table of one row with so many nodes at the most.
    fn one_row(threshold: u8, greatest: u8) -> ChainTable {
        let options = ChainOptions { rows: Some(1), threshold, greatest, ..ChainOptions::default() };
        ChainTable::new(1 << 10, options).expect("a small table")
    }

    fn key(number: u64) -> PositionHash {
        PositionHash { high: 0, low: number << 16 }
    }

    fn store_with(table: &ChainTable, number: u64, left: Left) -> Stored {
        table.pieces.note(left);
        table.pieces.asked(key(number), 3);
        table.store(key(number), NewEntry::new(3, Bounds::exactly(number as i32), MAX_LIMIT), Reuse::Exact)
    }

    fn store(table: &ChainTable, number: u64) -> Stored {
        store_with(table, number, UNCOUNTED)
    }

    fn value(table: &ChainTable, number: u64) -> Option<i32> {
        let found = table.probe(key(number), 3, Reuse::Exact)?;
        found.bounds.is_exact().then_some(found.bounds.lower)
    }

    /// The positions of the first row in their order, which is checked: it is that of hits.
    fn order(table: &ChainTable) -> Vec<u64> {
        table.stripes[0].lock().checked(0).into_iter().map(|tag| tag & 0xffff).collect()
    }

    #[test]
    fn a_chain_is_in_the_order_of_hits_and_what_was_found_least_gives_way() {
        let table = one_row(3, 3);
        (1..=3).for_each(|number| assert!(!store(&table, number).replaced));
        assert_eq!(order(&table), [1, 2, 3]);
        assert_eq!(value(&table, 3), Some(3));
        assert_eq!(order(&table), [3, 1, 2], "one hit goes before none");
        assert_eq!((value(&table, 2), value(&table, 2)), (Some(2), Some(2)));
        assert_eq!(order(&table), [2, 3, 1]);
        assert!(store(&table, 4).replaced);
        assert_eq!(order(&table), [2, 4, 3], "no hits yet are more than two misses less a hit");
        assert_eq!((value(&table, 1), value(&table, 9)), (None, None));
        assert!(store(&table, 5).replaced);
        assert_eq!(order(&table), [5, 2, 4], "what was found long ago gives way, too");
    }

    #[test]
    fn a_threshold_grows_by_one_after_three_hits_up_to_the_greatest() {
        let table = one_row(3, 5);
        let replaced: Vec<_> = (1..=14).map(|number| store(&table, number).replaced).collect();
        let expected = [false, false, false, true, true, true, false, true, true, true, false];
        assert_eq!(replaced[..11], expected);
        assert!(replaced[11..].iter().all(|replaced| *replaced), "the greatest is reached");
        assert_eq!(order(&table).len(), 5);
    }

    #[test]
    fn a_threshold_does_not_grow_in_a_row_that_was_not_used_of_late() {
        let table = one_row(1, 2);
        (1..=4).for_each(|number| _ = store(&table, number));
        (0..RECENT).for_each(|_| table.new_generation());
        assert!(store(&table, 5).replaced, "an old access");
        assert!(!store(&table, 6).replaced, "that one was recent");
    }

    #[test]
    fn what_the_pieces_left_make_unreachable_gives_way_first() {
        let table = one_row(3, 3);
        table.new_generation();
        for (number, left) in [(1, [14, 14]), (2, [14, 13]), (3, [13, 14])] {
            store_with(&table, number, left);
        }
        (0..3).for_each(|_| assert_eq!(value(&table, 1), Some(1)));
        assert!(store_with(&table, 4, [13, 13]).replaced, "all can still be reached");
        table.new_generation();
        // The root of the next search has lost one of the second player's.
        table.pieces.note([14, 13]);
        table.probe(key(9), 3, Reuse::Exact);
        assert_eq!(order(&table), [4, 2], "two have more, however often found");
        assert!(!store_with(&table, 5, [14, 13]).replaced);
        table.new_generation();
        assert!(!store_with(&table, 7, [12, 13]).replaced, "what is unreachable has left room");
        assert_eq!(order(&table), [7], "4 and 5 have 13 and 14 of the first player's, 2 has 14");
    }

    #[test]
    fn threads_find_in_a_row_that_they_share_only_what_was_stored() {
        let table = one_row(3, 13);
        let hits = AtomicU8::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (table, hits) = (&table, &hits);
                scope.spawn(move || {
                    for round in 0..5_000 {
                        let number = 1 + mix64(round << 8 | thread) % 40;
                        table.pieces.note([(round % 9) as u8, thread as u8]);
                        if let Some(found) = value(table, number) {
                            assert_eq!(found, number as i32);
                            hits.store(1, Relaxed);
                        }
                        let left = [(round % 9) as u8, thread as u8];
                        assert!(!store_with(table, number, left).contradicted);
                        if round % 500 == 0 {
                            table.new_generation();
                        }
                    }
                });
            }
        });
        assert_eq!(hits.load(Relaxed), 1, "nothing was found");
        let deleted = table.counts().find(|(name, _)| *name == "deleted").expect("a count").1;
        assert!(deleted > 100, "{deleted} were thought unreachable");
        let order = order(&table);
        assert!(!order.is_empty() && order.len() <= 13 && table.stripes[0].lock().used() == order.len());
    }

    #[test]
    fn counts_of_pieces_choose_one_of_four_rows() {
        let options = ChainOptions { rows: Some(4), by_counts: true, ..ChainOptions::default() };
        let table = ChainTable::new(1 << 10, options).expect("a small table");
        assert_eq!(table.scheme(), Scheme::ChainsByCounts);
        for (row, left) in [(0, [14, 14]), (1, [13, 14]), (2, [14, 13]), (3, [13, 13])] {
            let seen = |key, left| table.with_row(key, left, |_, row| row);
            let high = [0, u64::MAX].map(|high| seen(PositionHash { high, low: 0 }, left));
            assert_eq!(high, [row, row]);
            assert_eq!(seen(PositionHash { high: u64::MAX, low: 0 }, UNCOUNTED), 3, "by the hash alone");
        }
    }

    #[test]
    fn counts_of_open_nodes_are_kept_by_depth() {
        let pieces = PiecesLeft::default();
        for depth in (1..=9).rev() {
            pieces.note([depth, 1]);
            assert_eq!(pieces.asked(key(depth.into()), depth), [depth, 1]);
            assert_eq!(pieces.asked(key(100), depth + 100), UNCOUNTED, "a note is taken once");
        }
        for depth in 1..=9 {
            assert_eq!(pieces.stored(key(depth.into()), depth), [depth, 1]);
            assert_eq!(pieces.stored(key(50), depth), UNCOUNTED);
        }
        assert_eq!(pieces.most(), [9, 1]);
        pieces.begin();
        assert_eq!(pieces.most(), UNCOUNTED);
        std::thread::scope(|scope| scope.spawn(|| assert_eq!(pieces.stored(key(5), 5), UNCOUNTED)).join())
            .expect("another thread has notes of its own");
    }

    #[test]
    fn memory_is_told_beforehand_and_never_exceeded() {
        for (count, rows, greatest) in
            [(1, None, 13), (100, None, 13), (4096, None, 4), (8192, Some(1024), 64), (9999, Some(2), 5)]
        {
            let options = ChainOptions { rows, greatest, ..ChainOptions::default() };
            let plan = options.plan(count).expect("options in order");
            let table = ChainTable::new(count, options).expect("a small table");
            let all = table.stripes.iter().map(|stripe| stripe.lock().places() as u64).sum::<u64>();
            assert_eq!((table.plan(), all), (plan, plan.entries), "{count}");
            assert!(plan.bytes <= 16 * count || count == 1, "{plan:?} for {count}");
            assert!(plan.rows.is_power_of_two() && plan.rows.saturating_mul(greatest.into()) >= plan.entries);
            for number in 0..20 * plan.entries {
                let high = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let new = NewEntry::new(3, Bounds::exactly(1), MAX_LIMIT);
                table.store(PositionHash { high, low: number << 16 }, new, Reuse::Exact);
            }
            let rows = table.stripes.iter().flat_map(|stripe| {
                let mut stripe = stripe.lock();
                (0..plan.rows.min(STRIPE) as usize).map(|row| stripe.checked(row).len()).collect::<Vec<_>>()
            });
            let lengths: Vec<_> = rows.collect();
            assert!(lengths.iter().all(|length| (1..=greatest.into()).contains(length)), "{lengths:?}");
            assert!(lengths.iter().sum::<usize>() as u64 <= plan.entries);
        }
    }

    #[test]
    fn the_default_has_two_to_the_22_rows_where_there_is_room() {
        let options = ChainOptions::default();
        assert_eq!(options.plan(1 << 26).expect("in order").rows, 1 << 22);
        assert_eq!(options.plan(1 << 18).expect("in order").rows, 1 << 15);
        assert_eq!(
            options.plan(1 << 40).expect("in order").entries,
            13 << 22,
            "never more than there may be"
        );
    }

    #[test]
    fn what_is_out_of_range_is_told_in_a_line() {
        let default = ChainOptions::default();
        for (options, complaint) in [
            (ChainOptions { rows: Some(3), ..default }, "chain-rows 3: expected a power of two to 8"),
            (ChainOptions { rows: Some(0), ..default }, "chain-rows 0: expected a power of two to 8"),
            (ChainOptions { rows: Some(64), ..default }, "chain-rows 64: expected a power of two to 8"),
            (ChainOptions { threshold: 0, ..default }, "chain-threshold 0: expected 1 to 13"),
            (ChainOptions { threshold: 14, ..default }, "chain-threshold 14: expected 1 to 13"),
            (ChainOptions { greatest: 65, ..default }, "chain-length 65: expected 1 to 64"),
        ] {
            let error = ChainTable::new(50, options).expect_err("out of range").to_string();
            assert!(error.starts_with(complaint) && !error.contains('\n'), "{error}");
        }
    }
}
