//! What a slot holds, and the slot of the lockless table: two words that any thread may write at any time,
//! and a check that catches a key word of one write beside the data word of another.
//!
//! Layout (one slot is 128 bits: see docs/decisions.md):
//!
//! ```text
//! data = lower 24 | upper 24 | lower depth 8 | upper depth 8     what soundness needs, in one word
//! key  = (tag 48 | hint 10 | generation 6) ^ seal(data)          the seal in the lockless table only
//! ```
//!
//! The idea of storing the key XORed with the data is Hyatt and Mann's ("A lock-less transposition-table
//! implementation for parallel search", ICGA Journal 25(1), 2002). Plain XOR is not enough here: two
//! positions with equal bounds and different depths have data words that differ in the low 16 bits only, and
//! the tag does not cover those, so one position could be read with the other's depth. Sealing multiplies the
//! data word by an odd number first. A pair torn out of two writes for one position then passes the check
//! only where the two data words' seals agree in the upper 48 bits. They never do where only the bounds
//! differ (the difference, a multiple of 2^16, has a product that is one, too) nor where only the depths
//! differ (a test goes through all differences); of other pairs of data words one in 2^47 does. A pair out of
//! writes for two positions passes with a chance of 2^-48, that of two tags' being equal. The models at the
//! end of this file fail without the seal, and with plain XOR.

use super::entry::Entry;
use crate::score::Score;
use crate::sync::{AtomicU64, Relaxed};
use std::marker::PhantomData;

/// Two words of 64 bits that any thread reads and writes at any time: a slot of a
/// [`BucketTable`](super::BucketTable). All zero, as memory begins, they are those of no entry.
///
/// The first word checks the second: its upper 48 bits name the position, and what is found there is taken
/// for a proof of that position. So a pair that was not written together must be read with other bits there,
/// but for a chance that one is ready to take.
pub trait WordPair: Send + Sync {
    /// Both words.
    fn load(&self) -> [u64; 2];

    /// Overwrites both words; zeros are read as zeros.
    fn store(&self, words: [u64; 2]);

    /// XORs bits below the 48 into the first word, whatever another thread has written meanwhile.
    fn flip(&self, bits: u64);
}

/// A place for one entry.
pub(super) trait Slot: WordPair {
    /// What is there. It may be torn: [`Read::holds`] tells.
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

    /// Moves what was read to another generation, without rewriting what another thread may have written
    /// meanwhile: if one has, only that entry's generation changes.
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

/// What is XORed into the key word for a given data word.
pub(super) trait Seal: Send + Sync {
    fn seal(data: u64) -> u64;
}

/// The seal in use: a product carries every bit upwards, to where the tag is.
#[derive(Debug)]
pub(super) struct Product;

impl Seal for Product {
    #[inline]
    fn seal(data: u64) -> u64 {
        data.wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

/// A slot of two words. Empty when the data word has no depth, which no entry has: an empty slot matches no
/// tag, zero included.
#[derive(Debug)]
#[cfg_attr(not(loom), derive(bytemuck::Zeroable), zeroable(bound = ""))]
#[repr(C)]
pub(super) struct SealedSlot<S = Product> {
    key: AtomicU64,
    data: AtomicU64,
    seal: PhantomData<S>,
}

/// A slot as it was read: the tag with hint and generation, unsealed, and the data word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) check: u64,
    pub(super) data: u64,
}

/// The part of a key's low half that a slot keeps: the upper 48 bits.
#[inline]
pub(super) fn tag_of(low: u64) -> u64 {
    low & TAG_MASK
}

const HINT_SHIFT: u32 = 6;
const NO_HINT: u64 = 1023;
pub(super) const GENERATIONS: u8 = 64;
const TAG_SHIFT: u32 = 16;
const TAG_MASK: u64 = !0 << TAG_SHIFT;
const DEPTHS_MASK: u64 = 0xffff;

#[cfg(test)]
impl<S> Default for SealedSlot<S> {
    fn default() -> Self {
        SealedSlot { key: AtomicU64::new(0), data: AtomicU64::new(0), seal: PhantomData }
    }
}

impl<S: Seal> WordPair for SealedSlot<S> {
    #[inline]
    fn load(&self) -> [u64; 2] {
        // Relaxed, both: the pair carries its own check, and nothing else is published by it.
        let data = self.data.load(Relaxed);
        let key = self.key.load(Relaxed);
        [key ^ S::seal(data), data]
    }

    #[inline]
    fn store(&self, [check, data]: [u64; 2]) {
        // Relaxed, both: as in `load`.
        self.key.store(check ^ S::seal(data), Relaxed);
        self.data.store(data, Relaxed);
    }

    #[inline]
    fn flip(&self, bits: u64) {
        // Relaxed: as in `load`.
        self.key.fetch_xor(bits, Relaxed);
    }
}

impl<S> SealedSlot<S> {
    /// Both words as they are, key and data, to be saved.
    pub(super) fn words(&self) -> [u64; 2] {
        [self.key.load(Relaxed), self.data.load(Relaxed)] // Relaxed, both: as in `load`.
    }

    /// Overwrites both words with what was saved.
    pub(super) fn set_words(&self, [key, data]: [u64; 2]) {
        // Relaxed, both: as in `load`.
        self.key.store(key, Relaxed);
        self.data.store(data, Relaxed);
    }
}

impl Read {
    /// An entry as it is read when it was not torn.
    #[inline]
    pub(super) fn new(tag: u64, entry: &Entry) -> Self {
        let hint = entry.hint.map_or(NO_HINT, u64::from);
        Read { check: tag | hint << HINT_SHIFT | u64::from(entry.generation), data: pack(entry) }
    }

    /// What has to be XORed into the key word for the entry to be of another generation.
    #[inline]
    pub(super) fn change_to(self, generation: u8) -> u64 {
        (self.check ^ u64::from(generation)) & u64::from(GENERATIONS - 1)
    }

    /// Whether no entry was written here.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.data & DEPTHS_MASK == 0
    }

    /// Whether this is an untorn entry for `tag`.
    #[inline]
    pub(super) fn holds(self, tag: u64) -> bool {
        self.has_tag(tag) && !self.is_empty()
    }

    /// The same but for an empty slot, which may have any tag.
    #[inline]
    pub(super) fn has_tag(self, tag: u64) -> bool {
        (self.check ^ tag) >> TAG_SHIFT == 0
    }

    /// The generation that the entry was last used in. Meaningless for a torn pair, but harmless: it only
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
        let hint = self.check >> HINT_SHIFT & NO_HINT;
        Entry {
            lower: unpack_score(self.data >> 40),
            upper: unpack_score(self.data >> 16),
            lower_depth: (self.data >> 8) as u8,
            upper_depth: self.data as u8,
            hint: (hint != NO_HINT).then_some(hint as u16),
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
    // Shifting up and arithmetically down again extends the sign of the 24-bit number.
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
        hint: Some(1022),
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
                hint: None,
                generation: 0,
            },
            Entry { lower: -1, upper: 0, lower_depth: 254, upper_depth: 254, hint: Some(0), generation: 31 },
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

    /// Two words of 64 bits: two bounds with a depth each, and a tag that is XORed with a seal of them.
    #[test]
    fn a_slot_is_two_words_sealed_by_xor_with_two_bounds_and_two_depths() {
        assert_eq!(size_of::<SealedSlot>(), 16);
        let (slot, tag) = (SealedSlot::<Product>::default(), tag_of(0xdead_beef_cafe_f00d));
        slot.write(tag, &ENTRY);
        let [key, data] = [&slot.key, &slot.data].map(|word| word.load(Relaxed));
        assert_eq!(key ^ Product::seal(data), slot.read().check);
        assert_eq!(tag_of(slot.read().check), tag);
        let [lower, upper] = [40, 16].map(|shift| unpack_score(data >> shift & 0xff_ffff));
        assert_eq!((lower, upper), (ENTRY.lower, ENTRY.upper));
        assert_eq!([data >> 8 & 0xff, data & 0xff], [ENTRY.lower_depth, ENTRY.upper_depth].map(u64::from));
    }

    #[test]
    fn an_empty_slot_matches_no_tag() {
        let slot: SealedSlot = SealedSlot::default();
        for low in [0, 1, u64::MAX, Product::seal(1)] {
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

    /// What a flip of any one bit does, in memory or in a file: entries of which nothing is known any more,
    /// and such as differ in what guides searches only. Nothing that was not proven.
    #[test]
    fn a_flipped_bit_hides_an_entry_or_misguides() {
        let low =
            Entry { lower: -5, upper: MAX_LIMIT, lower_depth: 1, upper_depth: 0, hint: None, generation: 9 };
        let exact =
            Entry { lower: 9, upper: 9, lower_depth: 3, upper_depth: 3, hint: Some(0), generation: 0 };
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
                    let Entry { hint, generation, .. } = read.entry();
                    assert_eq!(read.entry(), Entry { hint, generation, ..entry }, "bit {bit} of {entry:?}");
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
        // The seal is linear, so what holds for the difference from 0 holds for every two words.
        for difference in 1..=DEPTHS_MASK {
            let sealed = Product::seal(difference);
            let distance = sealed.min(sealed.wrapping_neg());
            assert!(distance >= 1 << TAG_SHIFT, "depths that differ by {difference:#x}: seals by {distance}");
        }
    }
}

/// Models of the slot protocol. Run with `RUSTFLAGS="--cfg loom" cargo test --release --lib loom`.
#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    /// No check at all.
    struct Unsealed;
    impl Seal for Unsealed {
        fn seal(_: u64) -> u64 {
            0
        }
    }

    /// The check without the mix: plain XOR.
    struct PlainXor;
    impl Seal for PlainXor {
        fn seal(data: u64) -> u64 {
            data
        }
    }

    fn entry(lower: Score, depth: u8) -> Entry {
        Entry { lower, upper: 7, lower_depth: depth, upper_depth: depth, hint: None, generation: 0 }
    }

    /// Two threads write two positions' entries into one slot while a third reads: whatever it accepts for a
    /// position must be that position's entry, whole.
    fn nothing_torn_is_accepted<S: Seal + 'static>(first: Entry, second: Entry) {
        loom::model(move || {
            let tags = [tag_of(0x1111 << 16), tag_of(0x2222 << 16)];
            let slot: Arc<SealedSlot<S>> = Arc::new(SealedSlot::default());
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
        nothing_torn_is_accepted::<Product>(entry(-5, 3), entry(6, 3));
    }

    #[test]
    fn loom_equal_bounds_different_depths() {
        nothing_torn_is_accepted::<Product>(entry(-5, 3), entry(-5, 4));
    }

    #[test]
    #[should_panic(expected = "torn entry")]
    fn loom_fails_without_the_check() {
        nothing_torn_is_accepted::<Unsealed>(entry(-5, 3), entry(6, 3));
    }

    #[test]
    #[should_panic(expected = "torn entry")]
    fn loom_fails_without_the_mix() {
        nothing_torn_is_accepted::<PlainXor>(entry(-5, 3), entry(-5, 4));
    }

    /// A refresh that races with a write may touch an entry's generation and nothing else.
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
