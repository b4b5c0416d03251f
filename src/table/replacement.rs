//! Which slot of a bucket a new entry goes to, the same for every table that keeps buckets of [`SLOTS`] slots.
//!
//! In order: the slot of the same position at the same depth (the two are merged); an empty slot; the slot of the same
//! position left by an earlier iteration at another depth (its move is inherited); the slot whose entry is worth least,
//! depth weighed against age. Something always gives way: under [`Reuse::Exact`] a deep entry is no more useful than
//! a shallow one, so keeping the deep ones at all costs starves the search.

use super::entry::{Entry, Stored};
use super::slot::GENERATIONS;
use crate::score::{Bounds, MAX_LIMIT};
use crate::search::Reuse;
use crate::table::Found;

/// Slots in a bucket: four of 16 bytes fill a cache line.
pub(super) const SLOTS: usize = 4;

/// How many plies of depth one generation of age is worth.
const AGE_WEIGHT: i32 = 4;

/// What is seen in one slot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    Empty,
    /// The position that is being looked for.
    Own(Entry),
    /// Another position.
    Other { depth: u8, generation: u8 },
}

/// Where a new entry goes, and what is written there.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) slot: usize,
    pub(super) entry: Entry,
    pub(super) stored: Stored,
}

/// Chooses the slot for `new`.
pub(super) fn plan(seen: &[Seen; SLOTS], new: Entry, reuse: Reuse) -> Plan {
    let own = |slot: usize| match &seen[slot] {
        Seen::Own(entry) => Some(entry),
        _ => None,
    };
    for slot in 0..SLOTS {
        if let Some(old) = own(slot).filter(|old| old.shares_slot_with(&new, reuse)) {
            let (entry, contradicted) = old.updated_by(&new);
            let stored = Stored { written: entry != *old, replaced: false, contradicted };
            return Plan { slot, entry, stored };
        }
    }
    let slot = (0..SLOTS).min_by_key(|&slot| worth(&seen[slot], new.generation)).unwrap_or(0);
    let inherited = (0..SLOTS).filter_map(own).max_by_key(|old| old.depth()).and_then(|old| old.hint);
    let entry = Entry { hint: new.hint.or(inherited), ..new };
    let stored = Stored { written: true, replaced: !matches!(seen[slot], Seen::Empty), contradicted: false };
    Plan { slot, entry, stored }
}

fn worth(seen: &Seen, generation: u8) -> i32 {
    let age = |of: u8| i32::from(generation.wrapping_sub(of) % GENERATIONS);
    match *seen {
        Seen::Empty => i32::MIN,
        Seen::Own(entry) if age(entry.generation) > 0 => i32::MIN + 1 + i32::from(entry.depth()),
        Seen::Own(entry) => i32::from(entry.depth()),
        Seen::Other { depth, generation: of } => i32::from(depth) - AGE_WEIGHT * age(of),
    }
}

/// Gathers what the slots of one position say for a search to `depth`: bounds of every slot that counts, and the move
/// of the slot nearest to that depth.
pub(super) fn gather(own: impl Iterator<Item = Entry>, depth: u8, reuse: Reuse) -> Option<Found> {
    let mut bounds = Bounds::unknown(MAX_LIMIT);
    let mut hint: Option<(u8, u16)> = None;
    let mut any = false;
    for entry in own {
        any = true;
        // Where two slots contradict each other, the first stands: both were stored as proven, so it cannot happen
        // but by a false hit or, under `AtLeast`, by a mixture of depths.
        bounds = bounds.meet(entry.bounds_for(depth, reuse)).unwrap_or(bounds);
        if let Some(move_hint) = entry.hint {
            let distance = entry.depth().abs_diff(depth);
            if hint.is_none_or(|(nearest, _)| distance < nearest) {
                hint = Some((distance, move_hint));
            }
        }
    }
    any.then_some(Found { bounds, hint: hint.map(|(_, move_hint)| move_hint) })
}
