//! Which slot of a bucket a new entry goes to, the same for every table that keeps buckets of [`SLOTS`]
//! slots.
//!
//! In order: the slot of the same position at the same depth (the two are merged); an empty slot; the slot of
//! the same position left by an earlier iteration at another depth (its move is inherited); the slot whose
//! entry is worth least, depth weighed against age. Something always gives way: under [`Reuse::Exact`] a deep
//! entry is no more useful than a shallow one, so keeping the deep ones at all costs starves the search.
//!
//! Positions that recur at many depths would push their own entries out of a bucket while the table is all
//! but empty. So a bucket whose four slots all hold the position itself is crowded: further depths use a
//! second bucket, too, one for each depth, if none of the four is [`OLD`]. Crowding is what is seen in the
//! bucket, and only advice: where a bucket stops being crowded, what its second buckets hold is no longer
//! found, which costs entries, never a value.

use super::entry::{Entry, Stored};
use super::slot::{GENERATIONS, Read};
use crate::evaluator::mix64;
use crate::score::{Bounds, MAX_LIMIT};
use crate::table::{Found, Reuse};

/// Slots in a bucket: four of 16 bytes fill a cache line.
pub(super) const SLOTS: usize = 4;

/// How many slots there are to choose from: those of two buckets.
const PLACES: i32 = 2 * SLOTS as i32;

/// How many plies of depth one generation of age is worth.
const AGE_WEIGHT: i32 = 4;

/// From how many generations of age on an entry gives way to another depth of its position although that has
/// a second bucket. What the last few iterations used, the present one looks for; to keep still older ones
/// saves nothing (docs/tables.md).
const OLD: i32 = 4;

/// The worth of an empty slot: less than that of any entry.
const EMPTY: i32 = -1 << 20;

/// What is seen in one slot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    Empty,
    /// The position that is being looked for.
    Own(Entry),
    /// Another position.
    Other {
        depth: u8,
        generation: u8,
    },
}

impl Seen {
    /// What a store for `tag` sees in a slot that was read.
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

/// Where a new entry goes, and what is written there.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) slot: usize,
    pub(super) entry: Entry,
    pub(super) stored: Stored,
}

/// Chooses the slot for `new` from what is seen in each slot of the bucket, in one pass.
#[inline]
pub(super) fn plan(seen: impl Iterator<Item = Seen>, new: Entry, reuse: Reuse) -> Plan {
    // The worth with the slot's number below it, so that the least is found without branches.
    let mut least = i32::MAX;
    let mut inherited: Option<(u8, u16)> = None;
    for (index, seen) in seen.enumerate() {
        if let Seen::Own(old) = &seen {
            if old.shares_slot_with(&new, reuse) {
                let (entry, contradicted) = old.updated_by(&new);
                let stored = Stored { written: entry != *old, replaced: false, contradicted };
                return Plan { slot: index, entry, stored };
            }
            inherited = inherited.max(old.hint.map(|hint| (old.depth(), hint)));
        }
        least = least.min(worth(&seen, new.generation) * PLACES + index as i32);
    }
    let slot = least.rem_euclid(PLACES) as usize;
    let replaced = least.div_euclid(PLACES) != EMPTY;
    let entry = Entry { hint: new.hint.or(inherited.map(|(_, hint)| hint)), ..new };
    Plan { slot, entry, stored: Stored { written: true, replaced, contradicted: false } }
}

/// The same where all slots of the first bucket hold this position. If none of them is old, the slots of the
/// second bucket follow.
pub(super) fn plan_crowded(
    first: impl Iterator<Item = Seen> + Clone,
    second: impl Iterator<Item = Seen>,
    new: Entry,
    reuse: Reuse,
) -> Plan {
    let is_recent = |seen| matches!(seen, Seen::Own(entry) if age(entry.generation, new.generation) < OLD);
    let slots_of_second = if first.clone().all(is_recent) { SLOTS } else { 0 };
    plan(first.chain(second.take(slots_of_second)), new, reuse)
}

/// The number that chooses a position's second bucket for a depth, as the high half of its key chooses the
/// first.
#[inline]
pub(super) fn second_bucket(high: u64, depth: u8) -> u64 {
    mix64(high ^ u64::from(depth))
}

#[inline]
fn worth(seen: &Seen, generation: u8) -> i32 {
    match *seen {
        Seen::Empty => EMPTY,
        Seen::Own(entry) if age(entry.generation, generation) > 0 => EMPTY + 1 + i32::from(entry.depth()),
        Seen::Own(entry) => i32::from(entry.depth()),
        Seen::Other { depth, generation: of } => i32::from(depth) - AGE_WEIGHT * age(of, generation),
    }
}

/// How many generations ago an entry of generation `of` was used last.
#[inline]
fn age(of: u8, generation: u8) -> i32 {
    i32::from(generation.wrapping_sub(of) % GENERATIONS)
}

/// What the slots of one position say for a search to `depth`: bounds of every slot that counts, and the move
/// of the slot nearest to that depth.
#[derive(Debug)]
pub(super) struct Gathered {
    depth: u8,
    reuse: Reuse,
    bounds: Bounds,
    /// The nearest distance in depth of an entry with a move, and that move.
    hint: Option<(u8, u16)>,
    entries: usize,
}

impl Gathered {
    /// Nothing yet, for a search to `depth`.
    pub(super) fn new(depth: u8, reuse: Reuse) -> Self {
        Gathered { depth, reuse, bounds: Bounds::unknown(MAX_LIMIT), hint: None, entries: 0 }
    }

    /// Adds entries of the position, until one settles the look-up: the answer then.
    #[inline]
    pub(super) fn add_all(&mut self, own: impl Iterator<Item = Entry>) -> Option<Found> {
        for entry in own {
            let bounds = entry.bounds_for(self.depth, self.reuse);
            if self.reuse == Reuse::Exact && entry.depth() == self.depth {
                // Entries of one depth share a slot. (Two stores at once may make two; the other is then not
                // missed.)
                return Some(Found { bounds, hint: entry.hint });
            }
            self.entries += 1;
            // Where two slots contradict each other, the first stands: both were stored as proven, so it
            // cannot happen but by a false hit or, under `AtLeast`, by a mixture of depths.
            self.bounds = self.bounds.meet(bounds).unwrap_or(self.bounds);
            if let Some(move_hint) = entry.hint {
                let distance = entry.depth().abs_diff(self.depth);
                if self.hint.is_none_or(|(nearest, _)| distance < nearest) {
                    self.hint = Some((distance, move_hint));
                }
            }
        }
        None
    }

    /// Whether the entries so far, those of the first bucket, crowd it.
    pub(super) fn is_crowded(&self) -> bool {
        self.reuse == Reuse::Exact && self.entries == SLOTS
    }

    /// The answer.
    pub(super) fn found(&self) -> Option<Found> {
        let hint = self.hint.map(|(_, move_hint)| move_hint);
        (self.entries > 0).then_some(Found { bounds: self.bounds, hint })
    }
}
