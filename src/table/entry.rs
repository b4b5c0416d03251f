//! What goes into a table and what comes out.

use crate::score::{Bounds, MAX_LIMIT, Score};

/// Which stored bounds count for a search to a given depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reuse {
    /// Bounds of exactly that depth: the value is the value of the fixed-depth tree, whatever the table held.
    Exact,
    /// Bounds of at least that depth, as the paper has it: fewer nodes where positions recur at different
    /// depths, but a value that depends on what the table held, and a root that may come back inexact.
    AtLeast,
}

/// The greatest move ordinal that an entry can name.
pub(super) const MAX_HINT: u16 = 1022;

/// What a look-up found, copied out of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Proven bounds; the ends of the finest grid where nothing of a depth that counts is known.
    pub bounds: Bounds,
    /// The ordinal of the move to try first, from this depth or from a shallower iteration.
    pub hint: Option<u16>,
}

impl Found {
    /// Whether a bound of a depth that counts was found, not only a move.
    #[inline]
    pub fn has_bounds(&self) -> bool {
        self.bounds != Bounds::unknown(MAX_LIMIT)
    }
}

/// What a search offers to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The depth, 1 to 254, at which the bounds were proven.
    pub depth: u8,
    /// The proven bounds.
    pub bounds: Bounds,
    /// The limit of the grid: a bound at an end of it says nothing.
    pub limit: Score,
    /// The ordinal of the best move; not kept when above 1,022.
    pub hint: Option<u16>,
}

impl NewEntry {
    /// Bounds that a search to `depth` proved, without a move.
    pub fn new(depth: u8, bounds: Bounds, limit: Score) -> Self {
        NewEntry { depth, bounds, limit, hint: None }
    }
}

/// What became of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stored {
    /// It was written (a store that adds nothing is not).
    pub written: bool,
    /// It took the slot of another position or depth.
    pub replaced: bool,
    /// It contradicts what was stored for the same depth.
    pub contradicted: bool,
}

/// A decoded entry. A bound with depth 0 says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) lower: Score,
    pub(super) upper: Score,
    pub(super) lower_depth: u8,
    pub(super) upper_depth: u8,
    pub(super) hint: Option<u16>,
    pub(super) generation: u8,
}

impl Entry {
    /// An entry from what a search offers, or `None` when it says nothing.
    #[inline]
    pub(super) fn new(new: &NewEntry, generation: u8) -> Option<Entry> {
        let says_lower = new.bounds.lower > -new.limit;
        let says_upper = new.bounds.upper < new.limit;
        (says_lower || says_upper).then(|| Entry {
            lower: if says_lower { new.bounds.lower } else { -MAX_LIMIT },
            upper: if says_upper { new.bounds.upper } else { MAX_LIMIT },
            lower_depth: if says_lower { new.depth } else { 0 },
            upper_depth: if says_upper { new.depth } else { 0 },
            hint: new.hint.filter(|&hint| hint <= MAX_HINT),
            generation,
        })
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

    /// Whether `self` and `new` describe one thing, so that they belong in one slot: under `Exact` a position
    /// at one depth, under `AtLeast` a position.
    #[inline]
    pub(super) fn shares_slot_with(&self, new: &Entry, reuse: Reuse) -> bool {
        reuse == Reuse::AtLeast || self.depth() == new.depth()
    }

    /// `self` brought up to date with `new` for the same position, and whether the two contradict each other.
    /// Where they do, the newer bounds stand alone.
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
        merged.hint = new.hint.or(self.hint);
        if merged.lower <= merged.upper {
            (merged, false)
        } else {
            (Entry { hint: merged.hint, ..*new }, true)
        }
    }
}
