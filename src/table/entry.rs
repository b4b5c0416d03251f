//! Entries: to store, and as probes return them.

use crate::score::{Bounds, MAX_LIMIT, Score};

/// Which stored bounds count for a search to a given depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reuse {
    /// Bounds of exactly that depth. The value is that of the fixed-depth tree, whatever the table holds.
    #[default]
    Exact,
    /// Bounds of at least that depth, as in the paper. It saves nodes where positions recur at different
    /// depths. But the value depends on what the table holds, and the root's may be inexact.
    AtLeast,
}

/// The greatest move ordinal that an entry can hold.
pub(super) const MAX_TABLE_MOVE: u16 = 1022;

/// The greatest depth of an entry.
const MAX_DEPTH: u8 = 254;

/// The answer of a probe, copied out of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Proven bounds; the ends of the finest grid where none of a depth that counts is known.
    pub bounds: Bounds,
    /// The ordinal of the table move, from this depth or another one.
    pub table_move: Option<u16>,
}

impl Found {
    /// Whether the probe found a bound, not only a move.
    #[inline]
    pub fn has_bounds(&self) -> bool {
        self.bounds != Bounds::unknown(MAX_LIMIT)
    }
}

/// An entry to store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The depth, 1 to 254, at which the bounds were proven.
    pub depth: u8,
    /// The proven bounds.
    pub bounds: Bounds,
    /// The grid's limit. A bound at the limit says nothing.
    pub limit: Score,
    /// The ordinal of the best move; dropped above 1,022.
    pub table_move: Option<u16>,
}

impl NewEntry {
    /// Bounds proven by a search to `depth`, without a move.
    pub fn new(depth: u8, bounds: Bounds, limit: Score) -> Self {
        NewEntry { depth, bounds, limit, table_move: None }
    }
}

/// The effect of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stored {
    /// It wrote the entry. (A store that adds nothing is not written.)
    pub written: bool,
    /// It replaced an entry of another position or depth.
    pub replaced: bool,
    /// It contradicted the stored bounds of the same depth.
    pub contradicted: bool,
}

/// A decoded entry. Depth 0 marks a bound that says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) lower: Score,
    pub(super) upper: Score,
    pub(super) lower_depth: u8,
    pub(super) upper_depth: u8,
    pub(super) table_move: Option<u16>,
    pub(super) generation: u8,
}

impl Entry {
    /// The entry for what a search stores, or `None` where its bounds say nothing.
    #[inline]
    pub(super) fn new(new: &NewEntry, generation: u8) -> Option<Entry> {
        let says_lower = new.bounds.lower > -new.limit;
        let says_upper = new.bounds.upper < new.limit;
        (says_lower || says_upper).then(|| Entry {
            lower: if says_lower { new.bounds.lower } else { -MAX_LIMIT },
            upper: if says_upper { new.bounds.upper } else { MAX_LIMIT },
            lower_depth: if says_lower { new.depth } else { 0 },
            upper_depth: if says_upper { new.depth } else { 0 },
            table_move: new.table_move.filter(|&table_move| table_move <= MAX_TABLE_MOVE),
            generation,
        })
    }

    /// Whether a search on a grid with this limit can have stored it.
    pub(super) fn is_possible(&self, limit: Score) -> bool {
        let may_be = |score: Score, depth, unknown| match depth {
            0 => score == unknown,
            1..=MAX_DEPTH => score.abs() <= limit,
            _ => false,
        };
        self.lower <= self.upper
            && may_be(self.lower, self.lower_depth, -MAX_LIMIT)
            && may_be(self.upper, self.upper_depth, MAX_LIMIT)
    }

    /// The greater of the two depths.
    #[inline]
    pub(super) fn depth(&self) -> u8 {
        self.lower_depth.max(self.upper_depth)
    }

    /// The bounds that count for a search to `depth`.
    #[inline]
    pub(super) fn bounds_for(&self, depth: u8, reuse: Reuse) -> Bounds {
        let counts = |stored: u8| match reuse {
            Reuse::Exact => stored == depth,
            Reuse::AtLeast => stored >= depth,
        };
        Bounds {
            lower: if counts(self.lower_depth) { self.lower } else { -MAX_LIMIT },
            upper: if counts(self.upper_depth) { self.upper } else { MAX_LIMIT },
        }
    }

    /// Whether both entries belong in one slot: under `Exact` those of one depth, under `AtLeast` all of a
    /// position.
    #[inline]
    pub(super) fn shares_slot_with(&self, new: &Entry, reuse: Reuse) -> bool {
        reuse == Reuse::AtLeast || self.depth() == new.depth()
    }

    /// `self` merged with `new`, an entry of the same position, and whether their bounds contradict each
    /// other. If they do, only the newer bounds stay.
    pub(super) fn updated_by(&self, new: &Entry) -> (Entry, bool) {
        let mut merged = *new;
        if self.lower_depth > new.lower_depth || self.lower_depth == new.lower_depth && self.lower > new.lower
        {
            (merged.lower, merged.lower_depth) = (self.lower, self.lower_depth);
        }
        if self.upper_depth > new.upper_depth || self.upper_depth == new.upper_depth && self.upper < new.upper
        {
            (merged.upper, merged.upper_depth) = (self.upper, self.upper_depth);
        }
        merged.table_move = new.table_move.or(self.table_move);
        if merged.lower <= merged.upper {
            (merged, false)
        } else {
            (Entry { table_move: merged.table_move, ..*new }, true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an entry may hold these bounds with their depths, on a grid of limit 100.
    fn may_be((lower, lower_depth): (Score, u8), (upper, upper_depth): (Score, u8)) -> bool {
        Entry { lower, upper, lower_depth, upper_depth, table_move: None, generation: 1 }.is_possible(100)
    }

    #[test]
    fn what_no_search_stores_is_known_as_that() {
        let (no_lower, no_upper) = ((-MAX_LIMIT, 0), (MAX_LIMIT, 0));
        assert!(may_be((-5, 3), (7, 4)) && may_be((-100, 254), (100, 254)));
        assert!(may_be(no_lower, (7, 4)) && may_be((-5, 3), no_upper));
        assert!(!may_be((7, 3), (-5, 3)), "no score is between them");
        assert!(!may_be((-101, 3), (7, 3)) && !may_be((-5, 3), (101, 3)), "beyond the grid");
        assert!(!may_be((-5, 255), (7, 3)) && !may_be((-5, 3), (7, 255)), "too deep");
        assert!(!may_be((-5, 0), (7, 3)) && !may_be((-5, 3), (7, 0)), "known from no search");
    }
}
