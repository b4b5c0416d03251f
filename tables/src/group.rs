//! A table of groups of one or two entries, written by any thread at any time without a lock, under a rule
//! that says which entry of a group gives way.

use crate::atomic128::WholePair;
use crate::entry::{Entry, gather, tag_of};
use bytemuck::allocation::try_zeroed_slice_box;
use starsplit::game::PositionHash;
use starsplit::table::Reuse;
use starsplit::table::{Found, NewEntry, Stored, Table, TableError};
use starsplit::unstable::WordPair;
use std::fmt;
use std::marker::PhantomData;

/// What a rule says where a new position meets a full group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The new entry is not kept.
    Nowhere,
    /// It is not kept, and the note of the first entry becomes 0.
    Unmarked,
    /// It takes this place.
    At(usize),
    /// It takes the first place, whose entry goes to the second.
    Down,
}

/// Which entry gives way.
pub(crate) trait Rule: fmt::Debug + Send + Sync + 'static {
    /// The note of an entry that a look-up has found.
    const USED: u8 = 0;

    /// Where `new` goes in a group full of other positions, of which this is the first.
    fn place(first: &Entry, new: &Entry) -> Place;
}

/// A table of such groups.
pub(crate) struct GroupTable<R, const SIZE: usize> {
    pairs: Box<[WholePair]>,
    rule: PhantomData<R>,
}

impl<R, const SIZE: usize> fmt::Debug for GroupTable<R, SIZE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroupTable").field("entries", &self.pairs.len()).finish_non_exhaustive()
    }
}

impl<R: Rule, const SIZE: usize> GroupTable<R, SIZE> {
    /// A table of so many entries, or a few less.
    pub(crate) fn new(entries: u64) -> Result<Self, TableError> {
        let entries = (entries / SIZE as u64).max(1).saturating_mul(SIZE as u64);
        let bytes = entries.saturating_mul(16);
        let refused = || TableError::Memory { bytes, source: std::io::ErrorKind::OutOfMemory.into() };
        let entries =
            usize::try_from(entries).ok().filter(|_| bytes <= isize::MAX as u64).ok_or_else(refused)?;
        let pairs = try_zeroed_slice_box(entries).map_err(|()| refused())?;
        Ok(GroupTable { pairs, rule: PhantomData })
    }

    fn group(&self, key: PositionHash) -> &[WholePair] {
        let groups = self.pairs.len() / SIZE;
        let group = ((u128::from(key.high) * groups as u128) >> 64) as usize;
        &self.pairs[group * SIZE..][..SIZE]
    }
}

impl<R: Rule, const SIZE: usize> Table for GroupTable<R, SIZE> {
    fn probe(&self, key: PositionHash, depth: u8, reuse: Reuse) -> Option<Found> {
        let tag = tag_of(key);
        let own = self.group(key).iter().filter_map(|pair| {
            let (_, entry) = Entry::of_words(pair.load()).filter(|&(held, _)| held == tag)?;
            if entry.note != R::USED {
                pair.flip(u64::from(entry.note ^ R::USED));
            }
            Some(entry)
        });
        gather(own, depth, reuse)
    }

    fn store(&self, key: PositionHash, entry: NewEntry, reuse: Reuse) -> Stored {
        let Some(new) = Entry::new(&entry) else { return Stored::default() };
        let (group, tag) = (self.group(key), tag_of(key));
        let held: [_; SIZE] = std::array::from_fn(|place| Entry::of_words(group[place].load()));
        let own = |held: &Option<(u64, Entry)>| held.filter(|&(own, _)| own == tag).map(|(_, entry)| entry);
        let mut earlier = held.iter().enumerate().filter_map(|(place, held)| Some((place, own(held)?)));
        if let Some((place, old)) = earlier.clone().find(|(_, old)| old.shares_slot_with(&new, reuse)) {
            let (merged, contradicted) = old.updated_by(&new);
            let merged = Entry { note: old.note, ..merged };
            let written = merged != old;
            if written {
                group[place].store(merged.words(tag));
            }
            return Stored { written, replaced: false, contradicted };
        }
        // The position itself, as an earlier iteration left it, gives way in every scheme.
        let earlier = earlier.next();
        let new = Entry { table_move: new.table_move.or(earlier.and_then(|(_, old)| old.table_move)), ..new };
        let empty = held.iter().position(Option::is_none);
        let free = earlier.map(|(place, _)| place).or(empty).map(Place::At);
        match free.unwrap_or_else(|| held[0].map_or(Place::At(0), |(_, first)| R::place(&first, &new))) {
            Place::Nowhere => return Stored::default(),
            Place::Unmarked => {
                group[0].flip(held[0].map_or(0, |(_, first)| u64::from(first.note)));
                return Stored::default();
            }
            Place::At(place) => group[place].store(new.words(tag)),
            Place::Down => {
                held[0].iter().for_each(|(tag, first)| group[SIZE - 1].store(first.words(*tag)));
                group[0].store(new.words(tag));
            }
        }
        Stored { written: true, replaced: empty.is_none(), contradicted: false }
    }

    fn new_generation(&self) {}

    fn clear(&self, _threads: usize) {
        self.pairs.iter().for_each(|pair| pair.store([0; 2]));
    }

    /// How full a sample is: entries have no generations here.
    fn hashfull(&self) -> u32 {
        let sample = || self.pairs.iter().take(4_000);
        let used = sample().filter(|pair| Entry::of_words(pair.load()).is_some()).count();
        (1000 * used / sample().count()) as u32
    }
}
