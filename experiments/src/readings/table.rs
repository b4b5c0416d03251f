//! The transposition table of the readings: one entry a place, two bounds with a depth each, and a move.

use crate::readings::form::{Bounds, Form, Replacement, Reuse};
use starsplit::score::Score;

/// What an entry has for a move where it has none.
pub(super) const NO_MOVE: u8 = u8::MAX;

/// What a search has proven of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Lower(Score),
    Upper(Score),
    Exact(Score),
}

/// What is kept of a node. A bound of depth 0 is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// In which search it was stored, or, where the table is cleared between iterations, in which iteration.
    age: u32,
    lower: Score,
    upper: Score,
    lower_depth: u8,
    upper_depth: u8,
    pub(super) hint: u8,
}

const NOTHING: Entry =
    Entry { key: 0, age: 0, lower: 0, upper: 0, lower_depth: 0, upper_depth: 0, hint: NO_MOVE };

impl Entry {
    /// Its bounds that count at `depth`.
    pub(super) fn bounds(&self, reuse: Reuse, depth: u8) -> (Option<Score>, Option<Score>) {
        let counts = |stored: u8| match reuse {
            Reuse::Equal => stored == depth,
            Reuse::AtLeast => stored >= depth,
        };
        (counts(self.lower_depth).then_some(self.lower), counts(self.upper_depth).then_some(self.upper))
    }
}

/// A table for one search after another.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    mask: u64,
    age: u32,
    bounds: Bounds,
    replacement: Replacement,
    pub(super) look_ups: u64,
    pub(super) stores: u64,
}

impl Table {
    /// Makes `entries` the table of a form, empty.
    pub(super) fn of(form: &Form, mut entries: Vec<Entry>, age: u32) -> Self {
        let size = 1usize << form.entries_log2;
        // Entries of an earlier age do not count, so nothing has to be cleared.
        entries.resize(size.max(entries.len()), NOTHING);
        let (bounds, replacement) = (form.bounds, form.replacement);
        Table { entries, mask: size as u64 - 1, age, bounds, replacement, look_ups: 0, stores: 0 }
    }

    /// The memory for the next search, and the age that it begins with.
    pub(super) fn into_parts(self) -> (Vec<Entry>, u32) {
        (self.entries, self.age + 1)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.age += 1;
    }

    fn place(&self, key: u64) -> usize {
        (key & self.mask) as usize
    }

    /// The paper's `retrieve`.
    pub(super) fn look_up(&mut self, key: u64) -> Option<Entry> {
        self.look_ups += 1;
        let entry = self.entries[self.place(key)];
        (entry.key == key && entry.age == self.age).then_some(entry)
    }

    /// The entry to write to; none where what is there is kept.
    fn entry(&mut self, key: u64, depth: u8) -> Option<&mut Entry> {
        self.stores += 1;
        let (place, age) = (self.place(key), self.age);
        let entry = &mut self.entries[place];
        let is_own = entry.key == key && entry.age == age;
        if !is_own {
            let is_deeper = entry.lower_depth.max(entry.upper_depth) > depth;
            if self.replacement == Replacement::Deepest && entry.age == age && is_deeper {
                return None;
            }
            *entry = Entry { key, age, ..NOTHING };
        }
        Some(entry)
    }

    /// Stores what was proven of a decision node, beside the other bound that is there: "the usual upper,
    /// lower or exact bound information".
    pub(super) fn store_decision(&mut self, key: u64, depth: u8, proof: Proof, hint: u8) {
        let keeps_one = self.bounds == Bounds::One;
        let Some(entry) = self.entry(key, depth) else { return };
        if keeps_one {
            entry.forget_bounds();
        }
        entry.put(depth, proof);
        if hint != NO_MOVE {
            entry.hint = hint;
        }
    }

    /// The paper's `store(brd, depth, LB(cinfo), UB(cinfo))`; `proof` is what the search ended with, which is
    /// all that an entry of one bound has.
    pub(super) fn store_chance(&mut self, key: u64, depth: u8, (lower, upper): (Score, Score), proof: Proof) {
        let bounds = self.bounds;
        let Some(entry) = self.entry(key, depth) else { return };
        match bounds {
            Bounds::One => {
                entry.forget_bounds();
                entry.put(depth, proof);
            }
            Bounds::Two => entry.put_both(depth, lower, upper),
        }
    }
}

impl Entry {
    fn forget_bounds(&mut self) {
        (self.lower_depth, self.upper_depth) = (0, 0);
    }

    fn put(&mut self, depth: u8, proof: Proof) {
        if let Proof::Lower(score) | Proof::Exact(score) = proof {
            (self.lower, self.lower_depth) = (score, depth);
        }
        if let Proof::Upper(score) | Proof::Exact(score) = proof {
            (self.upper, self.upper_depth) = (score, depth);
        }
    }

    fn put_both(&mut self, depth: u8, lower: Score, upper: Score) {
        (self.lower, self.lower_depth) = (lower, depth);
        (self.upper, self.upper_depth) = (upper, depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readings::form::BASE;

    fn found(table: &mut Table, key: u64, depth: u8) -> Option<(Option<Score>, Option<Score>)> {
        table.look_up(key).map(|entry| entry.bounds(Reuse::Equal, depth))
    }

    #[test]
    fn the_bounds_of_a_decision_node_are_kept_beside_each_other_or_not() {
        for (bounds, lower) in [(Bounds::Two, Some(3)), (Bounds::One, None)] {
            let mut table = Table::of(&Form { bounds, entries_log2: 4, ..BASE }, Vec::new(), 1);
            table.store_decision(5, 2, Proof::Lower(3), 7);
            table.store_decision(5, 2, Proof::Upper(9), NO_MOVE);
            assert_eq!(found(&mut table, 5, 2), Some((lower, Some(9))));
            assert_eq!(found(&mut table, 5, 4), Some((None, None)), "another depth");
            assert_eq!(table.look_up(5).map(|entry| entry.hint), Some(7));
            table.clear();
            assert_eq!(found(&mut table, 5, 2), None);
        }
    }

    #[test]
    fn deeper_entries_stay_where_they_are_to() {
        for (replacement, stays) in [(Replacement::Always, false), (Replacement::Deepest, true)] {
            let mut table = Table::of(&Form { replacement, entries_log2: 4, ..BASE }, Vec::new(), 1);
            table.store_chance(1, 5, (2, 4), Proof::Upper(4));
            table.store_chance(17, 3, (0, 0), Proof::Exact(0));
            assert_eq!(found(&mut table, 1, 5), stays.then_some((Some(2), Some(4))));
            table.store_chance(17, 5, (0, 0), Proof::Exact(0));
            assert_eq!(found(&mut table, 17, 5), Some((Some(0), Some(0))), "as deep replaces");
        }
    }
}
