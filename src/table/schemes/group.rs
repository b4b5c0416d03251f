//! A table of groups of one or two slots, written by any thread at any time without a lock, under a rule that
//! says which entry of a group gives way. The slot is that of the default table (`slot.rs`), whose six bits
//! of generation are here a note of the rule's own.

use crate::game::Hash;
use crate::table::entry::{Entry, Found, NewEntry, Stored};
use crate::table::form::Form;
use crate::table::memory::Memory;
use crate::table::prefetch::prefetch;
use crate::table::replacement::gather;
use crate::table::slot::{Read, SealedSlot, Slot, tag_of};
use crate::table::{Reuse, Table, TableError, Weighs};
use std::fmt;
use std::marker::PhantomData;

/// What a rule says where a new position meets a full group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The new entry is not kept.
    Nowhere,
    /// It is not kept, and the note of the first slot becomes this.
    Noted(u8),
    /// It takes this slot.
    Slot(usize),
    /// It takes the first slot, whose entry goes to the second.
    Down,
}

/// Which entry gives way.
pub(super) trait Rule: fmt::Debug + Send + Sync + 'static {
    /// What the rule wants to be told of entries.
    const WEIGHS: Weighs = Weighs::Nothing;

    /// The note that is kept with a new entry, six bits: its size, where the rule goes by sizes.
    fn note(new: &NewEntry) -> u8 {
        if Self::WEIGHS == Weighs::Nothing { 0 } else { note_of_nodes(new.nodes) }
    }

    /// The note of an entry that was found by a look-up.
    fn used(note: u8) -> u8 {
        note
    }

    /// How many nodes a note says that the entry took; 0 where nobody counts those of transposed subtrees.
    fn nodes(note: u8) -> u64 {
        if Self::WEIGHS == Weighs::NodesAndTransposed { nodes_of_note(note) } else { 0 }
    }

    /// Where `new` goes in a group full of other positions.
    fn place(held: &[Read], new: &Entry) -> Place;
}

/// A table of such groups.
pub(super) struct GroupTable<R, F, const SLOTS: usize> {
    memory: Memory<[SealedSlot; SLOTS]>,
    rule: PhantomData<(R, F)>,
}

impl<R, F, const SLOTS: usize> fmt::Debug for GroupTable<R, F, SLOTS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroupTable").field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl<R: Rule, F: Form, const SLOTS: usize> GroupTable<R, F, SLOTS> {
    /// A table of so many entries, or a few less.
    pub(super) fn new(entries: u64) -> Result<Self, TableError> {
        let groups = (entries / SLOTS as u64).max(1);
        Ok(GroupTable { memory: Memory::zeroed(groups)?, rule: PhantomData })
    }

    fn group(&self, key: Hash) -> &[SealedSlot; SLOTS] {
        let groups = self.memory.get();
        &groups[((u128::from(key.high) * groups.len() as u128) >> 64) as usize]
    }
}

impl<R: Rule, F: Form, const SLOTS: usize> Table for GroupTable<R, F, SLOTS> {
    const MAY_WEIGH: bool = true;

    fn weighs(&self) -> Weighs {
        R::WEIGHS
    }

    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        let (group, tag) = (self.group(key), tag_of(key.low));
        let mut nodes = 0;
        let own = group.iter().filter_map(|slot| {
            let read = slot.read();
            read.holds(tag).then(|| {
                let note = R::used(read.generation());
                if note != read.generation() {
                    slot.refresh(read, note);
                }
                nodes = nodes.max(R::nodes(note));
                read.entry()
            })
        });
        let found = gather(own, depth, reuse)?;
        Some(Found { nodes, ..found })
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = F::entry(&entry, R::note(&entry)) else { return Stored::default() };
        let (group, tag) = (self.group(key), tag_of(key.low));
        let held: [Read; SLOTS] = std::array::from_fn(|slot| group[slot].read());
        let own = |read: &Read| read.holds(tag).then(|| read.entry());
        let is_same = |read: &Read| own(read).is_some_and(|old| old.shares_slot_with(&new, reuse));
        if let Some(slot) = held.iter().position(is_same) {
            let old = held[slot].entry();
            let (merged, contradicted) = F::updated(&old, &new);
            let merged = Entry { generation: old.generation.max(new.generation), ..merged };
            let written = merged != old;
            if written {
                group[slot].write(tag, &merged);
            }
            return Stored { written, replaced: false, contradicted };
        }
        // The position itself, as an earlier iteration left it, gives way in every scheme.
        let earlier = held.iter().position(|read| read.holds(tag));
        let inherited = earlier.and_then(|slot| held[slot].entry().hint);
        let new = Entry { hint: new.hint.or(inherited), ..new };
        let empty = held.iter().position(|read| read.is_empty());
        let place = earlier.or(empty).map_or_else(|| R::place(&held, &new), Place::Slot);
        match place {
            Place::Nowhere => return Stored::default(),
            Place::Noted(note) => {
                group[0].refresh(held[0], note);
                return Stored::default();
            }
            Place::Slot(slot) => group[slot].write(tag, &new),
            Place::Down => {
                group[SLOTS - 1].write(held[0].tag(), &held[0].entry());
                group[0].write(tag, &new);
            }
        }
        Stored { written: true, replaced: empty.is_none(), contradicted: false }
    }

    fn prefetch(&self, key: Hash) {
        prefetch(self.group(key));
    }

    fn new_generation(&self) {}

    fn clear(&self, _threads: usize) {
        self.memory.get().iter().flatten().for_each(Slot::clear);
    }

    /// How full a sample is: entries have no generations here.
    fn hashfull(&self) -> u32 {
        let sample = || self.memory.get().iter().take(4_000 / SLOTS).flatten();
        let used = sample().filter(|slot| !slot.read().is_empty()).count();
        (1000 * used / sample().count().max(1)) as u32
    }
}

/// A number of nodes as six bits: half-octaves, so that sizes to 2^31 are told apart by a factor of 1.5.
fn note_of_nodes(nodes: u64) -> u8 {
    let nodes = nodes.max(1);
    let octave = nodes.ilog2();
    // The upper half of an octave begins at its one and a half.
    let is_upper = octave > 0 && nodes >> (octave - 1) == 3;
    (2 * octave + u32::from(is_upper)).min(63) as u8
}

/// The least number of nodes with this note.
fn nodes_of_note(note: u8) -> u64 {
    let octave = u32::from(note / 2);
    (1 << octave) + if note % 2 == 1 { (1 << octave) / 2 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_go_through_their_notes() {
        for nodes in (1..5_000u64).chain([1 << 20, 3 << 20, u64::MAX]) {
            let note = note_of_nodes(nodes);
            assert!(nodes_of_note(note) <= nodes, "{nodes}");
            assert!(note == 63 || nodes < nodes_of_note(note + 1) || note == 0, "{nodes}");
            assert_eq!(note_of_nodes(nodes_of_note(note)), note, "{nodes}");
        }
    }
}
