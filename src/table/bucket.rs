//! A bucket: four slots in one cache line, and what a probe and a store read there.

use super::entry::Entry;
use super::replacement::{SLOTS, Seen};
use super::slot::{Slot, WordPair};
use bytemuck::Zeroable;

/// The candidates of a bucket in which every slot seems to hold the same position.
pub(super) const CROWDED: u32 = (1 << SLOTS) - 1;

/// One cache line.
#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Bucket<S> {
    pub(super) slots: [S; SLOTS],
}

impl<S: WordPair> Bucket<S> {
    /// The slots that seem to hold an entry for `tag`, as bits. Without branches: while the bucket comes from
    /// memory, the processor can go on with the next probe, instead of guessing which slot it will be.
    #[inline]
    pub(super) fn candidates(&self, tag: u64) -> u32 {
        self.slots
            .iter()
            .enumerate()
            .fold(0, |candidates, (index, slot)| candidates | u32::from(slot.read().has_tag(tag)) << index)
    }

    /// The entries for `tag` in these candidates. An entry of at least this depth moves to this generation.
    #[inline]
    pub(super) fn own(
        &self,
        mut candidates: u32,
        tag: u64,
        generation: u8,
        depth: u8,
    ) -> impl Iterator<Item = Entry> {
        std::iter::from_fn(move || {
            while candidates != 0 {
                let slot = &self.slots[candidates.trailing_zeros() as usize % SLOTS];
                candidates &= candidates - 1;
                // Read again: another thread may have written since the candidates were found.
                let read = slot.read();
                if read.holds(tag) {
                    if read.generation() != generation && read.depth() >= depth {
                        slot.refresh(read, generation);
                    }
                    return Some(read.entry());
                }
            }
            None
        })
    }

    /// The contents of each slot, for a store for `tag`.
    #[inline]
    pub(super) fn seen(&self, tag: u64) -> impl Iterator<Item = Seen> {
        self.slots.iter().map(move |slot| Seen::in_slot(slot.read(), tag))
    }

    pub(super) fn clear(&self) {
        self.slots.iter().for_each(S::clear);
    }
}
