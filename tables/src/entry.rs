//! What an entry of a group holds, and its 128 bits: those of the library's own slots, without a seal, whose
//! six bits of generation are here a note of the scheme's own.
//!
//! ```text
//! tag 48 | move 10 | note 6 | lower 24 | upper 24 | lower depth 8 | upper depth 8
//! ```

use starsplit::game::PositionHash;
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::table::Reuse;
use starsplit::table::{Found, NewEntry};

/// The greatest move that an entry can name, and what stands for none.
const MAX_TABLE_MOVE: u16 = 1022;
const NO_MOVE: u16 = 1023;

/// An entry. A bound of depth 0 says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) bounds: Bounds,
    pub(crate) lower_depth: u8,
    pub(crate) upper_depth: u8,
    pub(crate) table_move: Option<u16>,
    pub(crate) note: u8,
}

/// The upper 48 bits of a key's low half, which tell positions apart.
pub(crate) fn tag_of(key: PositionHash) -> u64 {
    key.low >> 16
}

impl Entry {
    /// What a search offers, or `None` where it says nothing.
    pub(crate) fn new(new: &NewEntry) -> Option<Self> {
        let Bounds { lower, upper } = new.bounds;
        let (says_lower, says_upper) = (lower > -new.limit, upper < new.limit);
        (says_lower || says_upper).then(|| Entry {
            bounds: Bounds {
                lower: if says_lower { lower } else { -MAX_LIMIT },
                upper: if says_upper { upper } else { MAX_LIMIT },
            },
            lower_depth: if says_lower { new.depth } else { 0 },
            upper_depth: if says_upper { new.depth } else { 0 },
            table_move: new.table_move.filter(|&table_move| table_move <= MAX_TABLE_MOVE),
            note: 0,
        })
    }

    /// The greater of the two depths; 0 only where there is no entry.
    pub(crate) fn depth(&self) -> u8 {
        self.lower_depth.max(self.upper_depth)
    }

    /// Whether it is of what `new` is of: under `Exact` a position at one depth, under `AtLeast` a position.
    pub(crate) fn shares_slot_with(&self, new: &Entry, reuse: Reuse) -> bool {
        reuse == Reuse::AtLeast || self.depth() == new.depth()
    }

    /// Brought up to date with `new`, and whether the two contradict each other. Where they do, the newer
    /// bounds stand alone.
    pub(crate) fn updated_by(&self, new: &Entry) -> (Entry, bool) {
        let table_move = new.table_move.or(self.table_move);
        let (old, mut merged) = (self.bounds, Entry { table_move, ..*new });
        if (self.lower_depth, old.lower) > (new.lower_depth, new.bounds.lower) {
            (merged.bounds.lower, merged.lower_depth) = (old.lower, self.lower_depth);
        }
        if (self.upper_depth, -old.upper) > (new.upper_depth, -new.bounds.upper) {
            (merged.bounds.upper, merged.upper_depth) = (old.upper, self.upper_depth);
        }
        let contradicts = merged.bounds.lower > merged.bounds.upper;
        (if contradicts { Entry { table_move, ..*new } } else { merged }, contradicts)
    }

    /// The bounds that count for a search to `depth`.
    fn bounds_for(&self, depth: u8, reuse: Reuse) -> Bounds {
        let counts = |stored: u8| if reuse == Reuse::Exact { stored == depth } else { stored >= depth };
        Bounds {
            lower: if counts(self.lower_depth) { self.bounds.lower } else { -MAX_LIMIT },
            upper: if counts(self.upper_depth) { self.bounds.upper } else { MAX_LIMIT },
        }
    }

    /// The words of an entry for a tag.
    pub(crate) fn words(&self, tag: u64) -> [u64; 2] {
        let score = |score: Score| u64::from(score as u32 & 0xff_ffff);
        let table_move = u64::from(self.table_move.unwrap_or(NO_MOVE));
        let depths = u64::from(self.lower_depth) << 8 | u64::from(self.upper_depth);
        let data = score(self.bounds.lower) << 40 | score(self.bounds.upper) << 16 | depths;
        [tag << 16 | table_move << 6 | u64::from(self.note), data]
    }

    /// The tag and the entry that words hold, if they hold one.
    pub(crate) fn of_words([check, data]: [u64; 2]) -> Option<(u64, Self)> {
        // Shifting up and arithmetically down again extends the sign of a 24-bit number.
        let score = |bits: u64| (bits as u32) << 8;
        let bounds =
            Bounds { lower: score(data >> 40) as Score >> 8, upper: score(data >> 16) as Score >> 8 };
        let table_move = (check >> 6) as u16 & NO_MOVE;
        let entry = Entry {
            bounds,
            lower_depth: (data >> 8) as u8,
            upper_depth: data as u8,
            table_move: (table_move != NO_MOVE).then_some(table_move),
            note: check as u8 & 63,
        };
        (entry.depth() > 0).then_some((check >> 16, entry))
    }
}

/// What the entries of one position say for a search to `depth`: bounds of all that count, and the move of
/// the one nearest to that depth.
pub(crate) fn gather(own: impl Iterator<Item = Entry>, depth: u8, reuse: Reuse) -> Option<Found> {
    let (mut bounds, mut table_move, mut is_known) = (Bounds::unknown(MAX_LIMIT), None::<(u8, u16)>, false);
    for entry in own {
        let counting = entry.bounds_for(depth, reuse);
        if reuse == Reuse::Exact && entry.depth() == depth {
            return Some(Found { bounds: counting, table_move: entry.table_move });
        }
        is_known = true;
        // Where two entries contradict each other the first stands: that takes a false hit, or `AtLeast`.
        bounds = bounds.meet(counting).unwrap_or(bounds);
        let distance = entry.depth().abs_diff(depth);
        if let Some(own) =
            entry.table_move.filter(|_| table_move.is_none_or(|(nearest, _)| distance < nearest))
        {
            table_move = Some((distance, own));
        }
    }
    is_known.then_some(Found { bounds, table_move: table_move.map(|(_, table_move)| table_move) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_goes_through_its_words() {
        let exact = Entry {
            bounds: Bounds::exactly(-5),
            lower_depth: 3,
            upper_depth: 3,
            table_move: Some(MAX_TABLE_MOVE),
            note: 63,
        };
        let low = Bounds::new(7, MAX_LIMIT);
        let lower = Entry { bounds: low, lower_depth: 254, upper_depth: 0, table_move: None, note: 0 };
        let ends = Bounds::new(-MAX_LIMIT, MAX_LIMIT - 1);
        let upper = Entry { bounds: ends, lower_depth: 0, upper_depth: 1, table_move: Some(0), note: 1 };
        for entry in [exact, lower, upper] {
            for tag in [0, 1, (1 << 48) - 1] {
                assert_eq!(Entry::of_words(entry.words(tag)), Some((tag, entry)));
            }
        }
        assert_eq!(Entry::of_words([u64::MAX, !0xffff]), None, "what has no depth is none");
    }
}
