//! Which slot of a bucket a new entry goes to, the same for every table that keeps buckets of [`SLOTS`]
//! slots.
//!
//! In order: the slot of the same position at the same depth (the two are merged); an empty slot; the slot of
//! the same position left by an earlier iteration at another depth (its move is inherited); the slot whose
//! entry is worth least, depth weighed against age. Something always gives way: under [`Reuse::Exact`] a deep
//! entry is no more useful than a shallow one, so keeping the deep ones at all costs starves the search.

use super::entry::{Entry, Stored};
use super::form::Form;
use super::slot::GENERATIONS;
use crate::score::{Bounds, MAX_LIMIT};
use crate::table::Found;
use crate::table::Reuse;

/// Slots in a bucket: four of 16 bytes fill a cache line.
pub(super) const SLOTS: usize = 4;

/// How many plies of depth one generation of age is worth.
const AGE_WEIGHT: i32 = 4;

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

/// Where a new entry goes, and what is written there.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) slot: usize,
    pub(super) entry: Entry,
    pub(super) stored: Stored,
}

/// Chooses the slot for `new` from what is seen in each slot of the bucket, in one pass.
#[inline]
pub(super) fn plan<F: Form>(seen: impl Iterator<Item = Seen>, new: Entry, reuse: Reuse) -> Plan {
    // The worth with the slot's number below it, so that the least is found without branches.
    let mut least = i32::MAX;
    let mut inherited: Option<(u8, u16)> = None;
    for (index, seen) in seen.enumerate() {
        if let Seen::Own(old) = &seen {
            if old.shares_slot_with(&new, reuse) {
                let (entry, contradicted) = F::updated(old, &new);
                let stored = Stored { written: entry != *old, replaced: false, contradicted };
                return Plan { slot: index, entry, stored };
            }
            inherited = inherited.max(old.hint.map(|hint| (old.depth(), hint)));
        }
        least = least.min(worth(&seen, new.generation) * SLOTS as i32 + index as i32);
    }
    let slot = least.rem_euclid(SLOTS as i32) as usize;
    let replaced = least.div_euclid(SLOTS as i32) != EMPTY;
    let entry = Entry { hint: new.hint.or(inherited.map(|(_, hint)| hint)), ..new };
    Plan { slot, entry, stored: Stored { written: true, replaced, contradicted: false } }
}

#[inline]
fn worth(seen: &Seen, generation: u8) -> i32 {
    let age = |of: u8| i32::from(generation.wrapping_sub(of) % GENERATIONS);
    match *seen {
        Seen::Empty => EMPTY,
        Seen::Own(entry) if age(entry.generation) > 0 => EMPTY + 1 + i32::from(entry.depth()),
        Seen::Own(entry) => i32::from(entry.depth()),
        Seen::Other { depth, generation: of } => i32::from(depth) - AGE_WEIGHT * age(of),
    }
}

/// Gathers what the slots of one position say for a search to `depth`: bounds of every slot that counts, and
/// the move of the slot nearest to that depth.
#[inline]
pub(super) fn gather(own: impl Iterator<Item = Entry>, depth: u8, reuse: Reuse) -> Option<Found> {
    let mut bounds = Bounds::unknown(MAX_LIMIT);
    let mut hint: Option<(u8, u16)> = None;
    let mut any = false;
    for entry in own {
        if reuse == Reuse::Exact && entry.depth() == depth {
            // Entries of one depth share a slot. (Two stores at once may make two; the other is then not
            // missed.)
            return Some(Found { bounds: entry.bounds_for(depth, reuse), hint: entry.hint, nodes: 0 });
        }
        any = true;
        // Where two slots contradict each other, the first stands: both were stored as proven, so it cannot
        // happen but by a false hit or, under `AtLeast`, by a mixture of depths.
        bounds = bounds.meet(entry.bounds_for(depth, reuse)).unwrap_or(bounds);
        if let Some(move_hint) = entry.hint {
            let distance = entry.depth().abs_diff(depth);
            if hint.is_none_or(|(nearest, _)| distance < nearest) {
                hint = Some((distance, move_hint));
            }
        }
    }
    any.then_some(Found { bounds, hint: hint.map(|(_, move_hint)| move_hint), nodes: 0 })
}
