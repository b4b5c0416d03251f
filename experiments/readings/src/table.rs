//! The transposition table of the readings: one entry a place, two bounds with a depth each, and a move.

use crate::form::Form;
use starsplit::score::Score;

/// What an entry has for a move where it has none.
pub(crate) const NO_MOVE: u8 = u8::MAX;

/// A lower and an upper bound, where they are known.
pub(crate) type Bounds = (Option<Score>, Option<Score>);

/// What is kept of a node. A bound of depth 0 is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u64,
    /// In which search it was stored, or, where the table is cleared between iterations, in which iteration.
    age: u32,
    lower: Score,
    upper: Score,
    lower_depth: u8,
    upper_depth: u8,
    pub(crate) hint: u8,
}

const NOTHING: Entry =
    Entry { key: 0, age: 0, lower: 0, upper: 0, lower_depth: 0, upper_depth: 0, hint: NO_MOVE };

impl Entry {
    /// Its bounds that count at `depth`, or those of greater depths, too.
    pub(crate) fn bounds(&self, depth: u8, takes_deeper: bool) -> Bounds {
        let counts = |stored: u8| stored == depth || takes_deeper && stored > depth;
        (counts(self.lower_depth).then_some(self.lower), counts(self.upper_depth).then_some(self.upper))
    }
}

/// The binary logarithm of the entries of a table with room for all that these searches store.
const ROOM: u32 = 22;

/// A table for one search after another.
#[derive(Debug, Default)]
pub struct Table {
    entries: Vec<Entry>,
    mask: u64,
    age: u32,
    holds_one_bound: bool,
    keeps_deeper: bool,
    pub(crate) look_ups: u64,
    pub(crate) stores: u64,
}

impl Table {
    /// Makes it the table of a form, empty.
    pub(crate) fn begin(&mut self, form: &Form) {
        let size = 1usize << form.entries_log2.unwrap_or(ROOM);
        // Entries of an earlier age do not count, so nothing has to be cleared.
        self.clear();
        self.entries.resize(size.max(self.entries.len()), NOTHING);
        self.mask = size as u64 - 1;
        (self.holds_one_bound, self.keeps_deeper) = (form.holds_one_bound, form.keeps_deeper);
        (self.look_ups, self.stores) = (0, 0);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.age += 1;
    }

    /// The paper's `retrieve`: an entry without bounds and move where there is none.
    pub(crate) fn look_up(&mut self, key: u64) -> Entry {
        self.look_ups += 1;
        let entry = self.entries[(key & self.mask) as usize];
        if (entry.key, entry.age) == (key, self.age) { entry } else { NOTHING }
    }

    /// The paper's `store`, of "the usual upper, lower or exact bound information" beside the other bound
    /// that is there, and a move where there is one.
    pub(crate) fn store(&mut self, key: u64, depth: u8, (lower, upper): Bounds, hint: u8) {
        self.stores += 1;
        let entry = &mut self.entries[(key & self.mask) as usize];
        if (entry.key, entry.age) != (key, self.age) {
            let is_deeper = entry.lower_depth.max(entry.upper_depth) > depth;
            if self.keeps_deeper && entry.age == self.age && is_deeper {
                return;
            }
            *entry = Entry { key, age: self.age, ..NOTHING };
        }
        if self.holds_one_bound {
            (entry.lower_depth, entry.upper_depth) = (0, 0);
        }
        if let Some(lower) = lower {
            (entry.lower, entry.lower_depth) = (lower, depth);
        }
        if let Some(upper) = upper {
            (entry.upper, entry.upper_depth) = (upper, depth);
        }
        if hint != NO_MOVE {
            entry.hint = hint;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(table: &mut Table, key: u64, depth: u8) -> Bounds {
        table.look_up(key).bounds(depth, false)
    }

    fn table(form: Form) -> Table {
        let mut table = Table::default();
        table.begin(&Form { entries_log2: Some(4), ..form });
        table
    }

    #[test]
    fn the_bounds_of_a_decision_node_are_kept_beside_each_other_or_not() {
        for (holds_one_bound, lower) in [(false, Some(3)), (true, None)] {
            let mut table = table(Form { holds_one_bound, ..Form::default() });
            table.store(5, 2, (Some(3), None), 7);
            table.store(5, 2, (None, Some(9)), NO_MOVE);
            assert_eq!(found(&mut table, 5, 2), (lower, Some(9)));
            assert_eq!(found(&mut table, 5, 4), (None, None), "another depth");
            assert_eq!(table.look_up(5).hint, 7);
            table.clear();
            assert_eq!((found(&mut table, 5, 2), table.look_up(5).hint), ((None, None), NO_MOVE));
        }
    }

    #[test]
    fn deeper_entries_stay_where_they_are_to() {
        for keeps_deeper in [false, true] {
            let mut table = table(Form { keeps_deeper, ..Form::default() });
            table.store(1, 5, (Some(2), Some(4)), NO_MOVE);
            table.store(17, 3, (Some(0), Some(0)), NO_MOVE);
            let stays = (keeps_deeper.then_some(2), keeps_deeper.then_some(4));
            assert_eq!(found(&mut table, 1, 5), stays);
            table.store(17, 5, (Some(0), Some(0)), NO_MOVE);
            assert_eq!(found(&mut table, 17, 5), (Some(0), Some(0)), "as deep replaces");
        }
    }
}
