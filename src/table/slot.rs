//! The slot of the lockless table: two words that any thread may write at any time. A check detects a key
//! word of one write beside the data word of another.
//!
//! Layout (why one slot has 128 bits: docs/decisions.md):
//!
//! ```text
//! data = lower 24 | upper 24 | lower depth 8 | upper depth 8     what soundness needs, in one word
//! key  = (tag 48 | move 10 | generation 6) ^ seal(data)          the seal in the lockless table only
//! ```
//!
//! Hyatt and Mann store the key XORed with the data ("A lock-less transposition-table implementation for
//! parallel search", ICGA Journal 25(1), 2002). Plain XOR is not enough here: the data words of two positions
//! with equal bounds and different depths differ in the low 16 bits only. The tag does not cover those, so
//! one position could be read with the other's depth. So the seal first multiplies the data word by an odd
//! number.
//!
//! A pair torn out of two writes for one position passes the check only where the seals of both data words
//! agree in the upper 48 bits. They never do where only the bounds differ (the difference is a multiple of
//! 2^16, and so is its product), nor where only the depths differ (a test tries all differences). Of other
//! pairs of data words, one in 2^47 does. A pair torn out of writes for two positions passes with probability
//! 2^-48, as two tags are equal. The models at the end of this file fail without the seal, and with plain
//! XOR.

use super::entry::Entry;
use crate::score::Score;
use crate::sync::{AtomicU64, ProtocolStep, Relaxed, unless_broken};

/// Two 64-bit words that any thread reads and writes at any time: a slot of a
/// [`BucketTable`](super::buckets::BucketTable). All zeros are an empty slot.
///
/// The first word checks the second. Its upper 48 bits name the position, and a reader takes the slot for a
/// proof about that position. So a torn pair must read with other upper bits, except with an acceptable
/// probability.
pub trait WordPair: Send + Sync {
    /// Loads both words.
    fn load(&self) -> [u64; 2];

    /// Overwrites both words. Zeros must load as zeros.
    fn store(&self, words: [u64; 2]);

    /// XORs bits below the upper 48 into the first word, whatever another thread has written meanwhile.
    fn flip(&self, bits: u64);
}

/// A place for one entry.
pub(super) trait Slot: WordPair {
    /// Reads the slot. It may be torn: [`Read::holds`] checks that.
    #[inline]
    fn read(&self) -> Read {
        let [check, data] = self.load();
        Read { check, data }
    }

    /// Overwrites the slot.
    #[inline]
    fn write(&self, tag: u64, entry: &Entry) {
        let Read { check, data } = Read::new(tag, entry);
        self.store([check, data]);
    }

    /// Moves the entry that was read to another generation. If another thread has written meanwhile, only the
    /// generation of its entry changes.
    #[inline]
    fn refresh(&self, read: Read, generation: u8) {
        self.flip(read.change_to(generation));
    }

    /// Empties the slot.
    #[inline]
    fn clear(&self) {
        self.store([0; 2]);
    }
}

impl<W: WordPair> Slot for W {}

/// The seal of a data word, which is XORed into the key word. A product carries every bit upwards, to where
/// the tag is.
#[inline]
fn seal(data: u64) -> u64 {
    let product = data.wrapping_mul(0xd6e8_feb8_6659_fd93);
    unless_broken(ProtocolStep::SlotIsSealed, unless_broken(ProtocolStep::SealMixes, product, data), 0)
}

/// A slot of two words that check each other. It is empty when the data word has no depth, which every entry
/// has. An empty slot matches no tag, not even zero.
#[derive(Debug)]
#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
#[cfg_attr(test, derive(Default))]
#[repr(C)]
pub struct SealedSlot {
    key: AtomicU64,
    data: AtomicU64,
}

/// A slot as read: the unsealed key word (tag, move and generation) and the data word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) check: u64,
    pub(super) data: u64,
}

/// The part of a key's low half that a slot stores: the upper 48 bits.
#[inline]
pub(super) fn tag_of(low: u64) -> u64 {
    low & TAG_MASK
}

const MOVE_SHIFT: u32 = 6;
const NO_MOVE: u64 = 1023;
pub(super) const GENERATIONS: u8 = 64;
const TAG_SHIFT: u32 = 16;
const TAG_MASK: u64 = !0 << TAG_SHIFT;
const DEPTHS_MASK: u64 = 0xffff;

impl WordPair for SealedSlot {
    #[inline]
    fn load(&self) -> [u64; 2] {
        // Relaxed, both: the pair carries its own check and publishes nothing else.
        let data = self.data.load(Relaxed);
        let key = self.key.load(Relaxed);
        [key ^ seal(data), data]
    }

    #[inline]
    fn store(&self, [check, data]: [u64; 2]) {
        // Relaxed, both: as in `load`.
        self.key.store(check ^ seal(data), Relaxed);
        self.data.store(data, Relaxed);
    }

    #[inline]
    fn flip(&self, bits: u64) {
        // Relaxed: as in `load`.
        self.key.fetch_xor(bits, Relaxed);
    }
}

impl SealedSlot {
    /// Both words, key and data, as stored: to save them.
    pub(super) fn words(&self) -> [u64; 2] {
        [self.key.load(Relaxed), self.data.load(Relaxed)] // Relaxed, both: as in `load`.
    }

    /// Overwrites both words with saved ones.
    pub(super) fn set_words(&self, [key, data]: [u64; 2]) {
        // Relaxed, both: as in `load`.
        self.key.store(key, Relaxed);
        self.data.store(data, Relaxed);
    }
}

impl Read {
    /// An entry as an untorn slot reads.
    #[inline]
    pub(super) fn new(tag: u64, entry: &Entry) -> Self {
        let table_move = entry.table_move.map_or(NO_MOVE, u64::from);
        Read { check: tag | table_move << MOVE_SHIFT | u64::from(entry.generation), data: pack(entry) }
    }

    /// The bits to XOR into the key word to set this generation.
    #[inline]
    pub(super) fn change_to(self, generation: u8) -> u64 {
        (self.check ^ u64::from(generation)) & u64::from(GENERATIONS - 1)
    }

    /// Whether the slot has no entry.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.data & DEPTHS_MASK == 0
    }

    /// Whether this is an untorn entry for `tag`.
    #[inline]
    pub(super) fn holds(self, tag: u64) -> bool {
        self.has_tag(tag) && !self.is_empty()
    }

    /// As [`holds`](Self::holds), but an empty slot may have any tag.
    #[inline]
    pub(super) fn has_tag(self, tag: u64) -> bool {
        (self.check ^ tag) >> TAG_SHIFT == 0
    }

    /// The generation in which the entry was last used. Meaningless for a torn pair, but harmless: it only
    /// guides replacement.
    #[inline]
    pub(super) fn generation(self) -> u8 {
        (self.check & u64::from(GENERATIONS - 1)) as u8
    }

    /// The greater of the entry's two depths.
    #[inline]
    pub(super) fn depth(self) -> u8 {
        ((self.data >> 8) as u8).max(self.data as u8)
    }

    /// The entry.
    #[inline]
    pub(super) fn entry(self) -> Entry {
        let table_move = self.check >> MOVE_SHIFT & NO_MOVE;
        Entry {
            lower: unpack_score(self.data >> 40),
            upper: unpack_score(self.data >> 16),
            lower_depth: (self.data >> 8) as u8,
            upper_depth: self.data as u8,
            table_move: (table_move != NO_MOVE).then_some(table_move as u16),
            generation: self.generation(),
        }
    }
}

#[inline]
fn pack(entry: &Entry) -> u64 {
    pack_score(entry.lower) << 40
        | pack_score(entry.upper) << 16
        | u64::from(entry.lower_depth) << 8
        | u64::from(entry.upper_depth)
}

#[inline]
fn pack_score(score: Score) -> u64 {
    (score as u64) & 0xff_ffff
}

#[inline]
fn unpack_score(bits: u64) -> Score {
    // Shifting up, then arithmetically down, extends the sign of the 24-bit number.
    ((bits as u32) << 8) as i32 >> 8
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::score::MAX_LIMIT;

    const ENTRY: Entry = Entry {
        lower: -MAX_LIMIT,
        upper: 77,
        lower_depth: 0,
        upper_depth: 254,
        table_move: Some(1022),
        generation: 63,
    };

    #[test]
    fn what_is_written_is_read() {
        let entries = [
            ENTRY,
            Entry {
                lower: MAX_LIMIT,
                upper: MAX_LIMIT,
                lower_depth: 1,
                upper_depth: 9,
                table_move: None,
                generation: 0,
            },
            Entry {
                lower: -1,
                upper: 0,
                lower_depth: 254,
                upper_depth: 254,
                table_move: Some(0),
                generation: 31,
            },
        ];
        for entry in entries {
            let slot: SealedSlot = SealedSlot::default();
            let tag = tag_of(0xdead_beef_cafe_f00d);
            slot.write(tag, &entry);
            assert!(slot.read().holds(tag));
            assert_eq!(slot.read().entry(), entry);
            assert!(!slot.read().holds(tag_of(0xdead_beef_cafd_f00d)), "another tag must not match");
        }
    }

    /// The format: two bounds with a depth each, and a tag XORed with their seal.
    #[test]
    fn a_slot_is_two_words_sealed_by_xor_with_two_bounds_and_two_depths() {
        assert_eq!(size_of::<SealedSlot>(), 16);
        let (slot, tag) = (SealedSlot::default(), tag_of(0xdead_beef_cafe_f00d));
        slot.write(tag, &ENTRY);
        let [key, data] = [&slot.key, &slot.data].map(|word| word.load(Relaxed));
        assert_eq!(key ^ seal(data), slot.read().check);
        assert_eq!(tag_of(slot.read().check), tag);
        let [lower, upper] = [40, 16].map(|shift| unpack_score(data >> shift & 0xff_ffff));
        assert_eq!((lower, upper), (ENTRY.lower, ENTRY.upper));
        assert_eq!([data >> 8 & 0xff, data & 0xff], [ENTRY.lower_depth, ENTRY.upper_depth].map(u64::from));
    }

    #[test]
    fn an_empty_slot_matches_no_tag() {
        let slot: SealedSlot = SealedSlot::default();
        for low in [0, 1, u64::MAX, seal(1)] {
            assert!(!slot.read().holds(tag_of(low)), "low half {low:#x}");
        }
        slot.write(0, &ENTRY);
        assert!(slot.read().holds(0));
        slot.clear();
        assert!(!slot.read().holds(0));
    }

    #[test]
    fn refreshing_changes_the_generation_only() {
        let slot: SealedSlot = SealedSlot::default();
        slot.write(0, &ENTRY);
        slot.refresh(slot.read(), 5);
        assert_eq!(slot.read().entry(), Entry { generation: 5, ..ENTRY });
        assert!(slot.read().holds(0));
    }

    /// One flipped bit, in memory or in a file, either hides an entry or changes what only guides searches.
    /// It never makes an unproven bound.
    #[test]
    fn a_flipped_bit_hides_an_entry_or_misguides() {
        let low = Entry {
            lower: -5,
            upper: MAX_LIMIT,
            lower_depth: 1,
            upper_depth: 0,
            table_move: None,
            generation: 9,
        };
        let exact =
            Entry { lower: 9, upper: 9, lower_depth: 3, upper_depth: 3, table_move: Some(0), generation: 0 };
        for (entry, tag) in
            [ENTRY, low, exact].into_iter().zip([0xdead_beef_cafe_f00d, 0, u64::MAX].map(tag_of))
        {
            let slot: SealedSlot = SealedSlot::default();
            slot.write(tag, &entry);
            let words = slot.words();
            for bit in 0..128 {
                let mut flipped = words;
                flipped[bit / 64] ^= 1 << (bit % 64);
                slot.set_words(flipped);
                let read = slot.read();
                let is_guide = bit < TAG_SHIFT as usize;
                assert_eq!(read.holds(tag), is_guide, "bit {bit} of {entry:?}");
                if is_guide {
                    let Entry { table_move, generation, .. } = read.entry();
                    assert_eq!(
                        read.entry(),
                        Entry { table_move, generation, ..entry },
                        "bit {bit} of {entry:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_flipped_bit_makes_an_empty_slot_hold_for_one_tag_at_most() {
        for bit in 0..128 {
            let slot: SealedSlot = SealedSlot::default();
            let mut words = [0; 2];
            words[bit / 64] = 1 << (bit % 64);
            slot.set_words(words);
            let is_depth = (64..80).contains(&bit);
            assert_eq!(slot.read().is_empty(), !is_depth, "bit {bit}");
            assert!(!slot.read().holds(0), "bit {bit}: nobody wrote it for the tag of an empty slot");
        }
    }

    #[test]
    fn no_two_pairs_of_depths_with_equal_bounds_have_seals_of_one_tag() {
        // The seal is linear: what holds for the difference from 0 holds for every two words.
        for difference in 1..=DEPTHS_MASK {
            let sealed = seal(difference);
            let distance = sealed.min(sealed.wrapping_neg());
            assert!(distance >= 1 << TAG_SHIFT, "depths that differ by {difference:#x}: seals by {distance}");
        }
    }
}

/// Models of the slot protocol. Run with `RUSTFLAGS="--cfg loom" cargo test --release --lib loom`.
#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::sync::break_step;
    use loom::sync::Arc;
    use loom::thread;

    fn entry(lower: Score, depth: u8) -> Entry {
        Entry { lower, upper: 7, lower_depth: depth, upper_depth: depth, table_move: None, generation: 0 }
    }

    /// Two threads write entries of two positions into one slot while a third reads. Whatever the reader
    /// accepts for a position must be that position's whole entry.
    fn nothing_torn_is_accepted(first: Entry, second: Entry) {
        loom::model(move || {
            let tags = [tag_of(0x1111 << 16), tag_of(0x2222 << 16)];
            let slot: Arc<SealedSlot> = Arc::new(SealedSlot::default());
            let writers: Vec<_> = [(tags[0], first), (tags[1], second)]
                .into_iter()
                .map(|(tag, entry)| {
                    let slot = slot.clone();
                    thread::spawn(move || slot.write(tag, &entry))
                })
                .collect();
            let read = slot.read();
            for (tag, entry) in tags.into_iter().zip([first, second]) {
                assert!(!read.holds(tag) || read.entry() == entry, "torn entry accepted: {:?}", read.entry());
            }
            for writer in writers {
                writer.join().unwrap();
            }
            let read = slot.read();
            for (tag, entry) in tags.into_iter().zip([first, second]) {
                assert!(
                    !read.holds(tag) || read.entry() == entry,
                    "torn entry left behind: {:?}",
                    read.entry()
                );
            }
        });
    }

    #[test]
    fn loom_different_bounds() {
        nothing_torn_is_accepted(entry(-5, 3), entry(6, 3));
    }

    #[test]
    fn loom_equal_bounds_different_depths() {
        nothing_torn_is_accepted(entry(-5, 3), entry(-5, 4));
    }

    #[test]
    #[should_panic(expected = "torn entry")]
    fn loom_fails_without_the_check() {
        let _broken = break_step(ProtocolStep::SlotIsSealed);
        nothing_torn_is_accepted(entry(-5, 3), entry(6, 3));
    }

    #[test]
    #[should_panic(expected = "torn entry")]
    fn loom_fails_without_the_mix() {
        // Plain XOR.
        let _broken = break_step(ProtocolStep::SealMixes);
        nothing_torn_is_accepted(entry(-5, 3), entry(-5, 4));
    }

    /// A refresh that races with a write may change the entry's generation only.
    #[test]
    fn loom_refresh_races_with_a_write() {
        loom::model(|| {
            let tags = [tag_of(0x1111 << 16), tag_of(0x2222 << 16)];
            let entries = [entry(-5, 3), entry(6, 3)];
            let slot: Arc<SealedSlot> = Arc::new(SealedSlot::default());
            slot.write(tags[0], &entries[0]);
            let read = slot.read();
            let writer = thread::spawn({
                let slot = slot.clone();
                move || slot.write(tags[1], &entries[1])
            });
            slot.refresh(read, 9);
            writer.join().unwrap();
            let read = slot.read();
            for (tag, entry) in tags.into_iter().zip(entries) {
                let same = Entry { generation: entry.generation, ..read.entry() } == entry;
                assert!(!read.holds(tag) || same, "torn entry left behind: {:?}", read.entry());
            }
        });
    }
}
