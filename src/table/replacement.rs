//! Replacement: which slot of a bucket a new entry goes to.
//!
//! In order: the slot of the same position at the same depth (both are merged); an empty slot; the slot of
//! the same position at another depth, left by an earlier iteration (its move is inherited); the slot whose
//! entry is worth least, by depth and age. Something always gives way: under [`Reuse::Exact`] a deep entry is
//! no more useful than a shallow one, so a table that kept deep entries at all costs would starve the search.
//!
//! A position that recurs at many depths would push its own entries out of a bucket while the table is nearly
//! empty. So a bucket is crowded when all four slots hold one position. If none of the four is [`OLD`],
//! further depths may use a second bucket, one for each depth. The bucket's contents alone say whether it is
//! crowded. When it stops being crowded, entries in its second buckets are no longer found; that costs
//! entries, never a value.

use super::entry::{Entry, Stored};
use super::slot::{GENERATIONS, Read};
use crate::evaluator::mix64;
use crate::score::{Bounds, MAX_LIMIT};
use crate::table::{Found, Reuse};

/// Slots in a bucket: four of 16 bytes fill a cache line.
pub(super) const SLOTS: usize = 4;

/// The slots to choose from: those of two buckets.
const PLACES: i32 = 2 * SLOTS as i32;

/// The plies of depth that one generation of age is worth.
const AGE_WEIGHT: i32 = 4;

/// The age in generations from which an entry gives way to another depth of its position, even though that
/// has a second bucket. The current iteration looks up what the last few iterations used; keeping older
/// entries saved nothing.
const OLD: i32 = 4;

/// The worth of an empty slot, below that of any entry.
const EMPTY: i32 = -1 << 20;

/// The contents of a slot, for a store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    Empty,
    /// The position of the store.
    Own(Entry),
    /// Another position.
    Other {
        depth: u8,
        generation: u8,
    },
}

impl Seen {
    /// The contents of this slot, for a store for `tag`.
    #[inline]
    pub(super) fn in_slot(read: Read, tag: u64) -> Self {
        if read.is_empty() {
            Seen::Empty
        } else if read.holds(tag) {
            Seen::Own(read.entry())
        } else {
            Seen::Other { depth: read.depth(), generation: read.generation() }
        }
    }
}

/// Where a new entry goes, and what to write there.
#[derive(Debug)]
pub(super) struct StorePlan {
    pub(super) slot: usize,
    pub(super) entry: Entry,
    pub(super) stored: Stored,
}

/// Chooses a slot of the bucket for `new`, in one pass.
#[inline]
pub(super) fn plan(seen: impl Iterator<Item = Seen>, new: Entry, reuse: Reuse) -> StorePlan {
    // The worth with the slot's index in its low digit, so that the minimum needs no branches.
    let mut least = i32::MAX;
    let mut inherited: Option<(u8, u16)> = None;
    for (index, seen) in seen.enumerate() {
        if let Seen::Own(old) = &seen {
            if old.shares_slot_with(&new, reuse) {
                let (entry, contradicted) = old.updated_by(&new);
                let stored = Stored { written: entry != *old, replaced: false, contradicted };
                return StorePlan { slot: index, entry, stored };
            }
            inherited = inherited.max(old.table_move.map(|table_move| (old.depth(), table_move)));
        }
        least = least.min(keep_value(&seen, new.generation) * PLACES + index as i32);
    }
    let slot = least.rem_euclid(PLACES) as usize;
    let replaced = least.div_euclid(PLACES) != EMPTY;
    let entry = Entry { table_move: new.table_move.or(inherited.map(|(_, table_move)| table_move)), ..new };
    StorePlan { slot, entry, stored: Stored { written: true, replaced, contradicted: false } }
}

/// [`plan`] for a crowded bucket: the slots of the second bucket follow, unless one of the first is old.
pub(super) fn plan_crowded(
    first: [Seen; SLOTS],
    second: impl Iterator<Item = Seen>,
    new: Entry,
    reuse: Reuse,
) -> StorePlan {
    let is_recent = |seen| matches!(seen, Seen::Own(entry) if age(entry.generation, new.generation) < OLD);
    let slots_of_second = if first.into_iter().all(is_recent) { SLOTS } else { 0 };
    plan(first.into_iter().chain(second.take(slots_of_second)), new, reuse)
}

/// The number that chooses the second bucket of a position for a depth. For the first bucket it is `high`.
#[inline]
pub(super) fn second_bucket(high: u64, depth: u8) -> u64 {
    mix64(high ^ u64::from(depth))
}

#[inline]
fn keep_value(seen: &Seen, generation: u8) -> i32 {
    match *seen {
        Seen::Empty => EMPTY,
        Seen::Own(entry) if age(entry.generation, generation) > 0 => EMPTY + 1 + i32::from(entry.depth()),
        Seen::Own(entry) => i32::from(entry.depth()),
        Seen::Other { depth, generation: of } => i32::from(depth) - AGE_WEIGHT * age(of, generation),
    }
}

/// How many generations ago an entry of generation `of` was last used.
#[inline]
fn age(of: u8, generation: u8) -> i32 {
    i32::from(generation.wrapping_sub(of) % GENERATIONS)
}

/// The knowledge of one position's slots for a search to `depth`: the bounds of all slots that count, and the
/// move of the slot nearest in depth.
#[derive(Debug)]
pub(super) struct Gathered {
    depth: u8,
    reuse: Reuse,
    bounds: Bounds,
    /// The move of the entry nearest in depth, after its distance.
    table_move: Option<(u8, u16)>,
    entries: usize,
}

impl Gathered {
    /// No entries yet, for a search to `depth`.
    pub(super) fn new(depth: u8, reuse: Reuse) -> Self {
        Gathered { depth, reuse, bounds: Bounds::unknown(MAX_LIMIT), table_move: None, entries: 0 }
    }

    /// Adds entries of the position, until one answers the probe.
    #[inline]
    pub(super) fn add_all(&mut self, own: impl Iterator<Item = Entry>) -> Option<Found> {
        for entry in own {
            let bounds = entry.bounds_for(self.depth, self.reuse);
            if self.reuse == Reuse::Exact && entry.depth() == self.depth {
                // Entries of one depth share a slot. (Two simultaneous stores may make two; the second is not
                // needed.)
                return Some(Found { bounds, table_move: entry.table_move });
            }
            self.entries += 1;
            // On a contradiction the first slot stands. Both were stored as proven, so only a false hit or,
            // under `AtLeast`, different depths can cause one.
            self.bounds = self.bounds.meet(bounds).unwrap_or(self.bounds);
            if let Some(ordinal) = entry.table_move {
                let distance = entry.depth().abs_diff(self.depth);
                if self.table_move.is_none_or(|(nearest, _)| distance < nearest) {
                    self.table_move = Some((distance, ordinal));
                }
            }
        }
        None
    }

    /// Whether the entries of the first bucket crowd it.
    pub(super) fn is_crowded(&self) -> bool {
        self.reuse == Reuse::Exact && self.entries == SLOTS
    }

    /// The answer to the probe.
    pub(super) fn found(&self) -> Option<Found> {
        let table_move = self.table_move.map(|(_, ordinal)| ordinal);
        (self.entries > 0).then_some(Found { bounds: self.bounds, table_move })
    }
}
