//! The keys of the table's entries.
//!
//! A key is the game's hash, salted with all else that an entry's meaning depends on, and mixed. So it does
//! not matter in which of their 128 bits hashes differ, and entries of different rules, evaluators or reuse
//! policies never meet. A node uses the hash to its depth, which covers the past where values depend on it.
//! An evaluation does not depend on the past and uses the plain hash.

use crate::evaluator::{Evaluator, mix64};
use crate::game::{Game, NodeKind, PositionHash};
use crate::search::request::Options;
use crate::table::Meaning;

/// The salts of a search: one for each kind of node, one for evaluations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    decision: PositionHash,
    chance: PositionHash,
    evaluation: PositionHash,
}

impl Keys {
    pub(super) fn new<G: Game, E: Evaluator<G>>(
        game: &G,
        evaluator: &E,
        options: &Options,
        to_the_end: bool,
    ) -> Self {
        Self::of(&Meaning::new(game, evaluator, options.reuse), to_the_end)
    }

    fn of(meaning: &Meaning, to_the_end: bool) -> Self {
        // A value to the end is another than that to a depth.
        let salt = if to_the_end { mix64(meaning.salt()) } else { meaning.salt() };
        let of = |kind: u64| PositionHash { high: mix64(salt ^ kind), low: mix64(!salt ^ kind) };
        Keys { decision: of(1), chance: of(2), evaluation: of(3) }
    }

    /// The key of a node of this kind.
    #[inline]
    pub(crate) fn key(&self, hash: PositionHash, kind: NodeKind) -> PositionHash {
        spread(hash ^ if kind == NodeKind::Chance { self.chance } else { self.decision })
    }

    /// The key of a position's static evaluation.
    #[inline]
    pub(super) fn evaluation_key(&self, hash: PositionHash) -> PositionHash {
        spread(hash ^ self.evaluation)
    }
}

/// Odd numbers without a pattern.
const FACTORS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];

/// Mixes all 128 bits, so that every bit of the hash bears on the bucket and on the tag, whichever bits the
/// game's hashes differ in. Three Feistel rounds: different hashes stay different, whatever `fold` loses.
#[inline]
fn spread(salted: PositionHash) -> PositionHash {
    let [one, two, three] = FACTORS;
    let low = salted.low ^ fold(salted.high, one);
    let high = salted.high ^ fold(low, two);
    PositionHash { high, low: low ^ fold(high, three) }
}

/// The two halves of a product of 128 bits, XORed: each bit of `bits` reaches bits on both sides of it.
#[inline]
fn fold(bits: u64, factor: u64) -> u64 {
    let product = u128::from(bits) * u128::from(factor);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::table::Reuse;

    /// If this fails, tables saved by older builds are useless to this one: raise `KEY_SCHEME` in
    /// `src/table/meaning.rs`, so that they are refused, and put the new numbers here.
    #[test]
    fn keys_are_those_of_the_scheme_that_saved_tables_name() {
        let meaning = Meaning { game: 1, evaluator: 2, limit: 3, range: (-1.0, 1.0), reuse: Reuse::Exact };
        let keys = Keys::of(&meaning, false);
        let hash = PositionHash { high: 5, low: 7 };
        let found = [
            keys.key(hash, NodeKind::Decision),
            keys.key(hash, NodeKind::Chance),
            keys.evaluation_key(hash),
            Keys::of(&Meaning { reuse: Reuse::AtLeast, ..meaning }, false).key(hash, NodeKind::Decision),
        ];
        let expected = [
            (0x4ba4_1daf_3a0f_abdf, 0x0746_67b2_cf27_a88b),
            (0xfaaa_c498_02af_305c, 0xff26_9d00_6a37_b987),
            (0xcd96_977b_05fe_797a, 0xeef5_272e_6eca_815b),
            (0x4a3b_9b73_7561_7567, 0x11eb_e50e_7b4f_f8d6),
        ];
        assert_eq!(found.map(|key| (key.high, key.low)), expected);
    }

    /// The argument of `spread` that gave this.
    fn gathered(PositionHash { high, low }: PositionHash) -> PositionHash {
        let [one, two, three] = FACTORS;
        let low = low ^ fold(high, three);
        let high = high ^ fold(low, two);
        PositionHash { high, low: low ^ fold(high, one) }
    }

    #[test]
    fn different_hashes_have_different_keys() {
        for hash in FORMS.iter().flat_map(|(_, of)| (0..1000).map(of)) {
            assert_eq!(gathered(spread(hash)), hash);
        }
    }

    /// Hashes as games may give them, by the number of a position.
    type Form = (&'static str, fn(u64) -> PositionHash);
    const FORMS: [Form; 9] = [
        ("counters", |n| PositionHash { high: 0, low: n }),
        ("counters in the high half", |n| PositionHash { high: n, low: 0 }),
        ("counters in both", |n| PositionHash { high: n, low: n }),
        ("counters in the top bits", |n| PositionHash { high: 0, low: n << 44 }),
        ("counters in the top bits of the high half", |n| PositionHash { high: n << 44, low: 0 }),
        ("random bits, the low half constant", |n| PositionHash { high: mix64(n), low: 0 }),
        ("random bits, the high half constant", |n| PositionHash { high: 0, low: mix64(n) }),
        ("two packed fields", |n| PositionHash { high: n >> 10, low: n & 0x3ff }),
        ("a field of four bits a place", |n| PositionHash {
            high: (0..10).fold(0, |packed, bit| packed | (n >> bit & 1) << (4 * bit)),
            low: (0..10).fold(0, |packed, bit| packed | (n >> (10 + bit) & 1) << (4 * bit + 3)),
        }),
    ];

    /// Pairs of keys with equal bits, of `keys`.
    fn equal_pairs(keys: impl Iterator<Item = u64>) -> u64 {
        let mut bits: Vec<u64> = keys.collect();
        bits.sort_unstable();
        bits.chunk_by(|one, other| one == other).map(|same| (same.len() * (same.len() - 1) / 2) as u64).sum()
    }

    /// Parts of the tag verify as rarely by mistake as chance has it, and so does the whole: in whichever
    /// bits hashes differ. The same of tag and bucket together.
    #[test]
    fn any_two_hashes_verify_differently_but_by_chance() {
        const POSITIONS: u64 = 1 << 18;
        const BITS: u32 = 26;
        let by_chance = ((POSITIONS * POSITIONS) >> (BITS + 1)) as f64;
        let meaning = Meaning { game: 1, evaluator: 2, limit: 3, range: (-1.0, 1.0), reuse: Reuse::Exact };
        let keys = Keys::of(&meaning, false);
        for (form, of) in FORMS {
            let key = |n| keys.key(of(n), NodeKind::Decision);
            for shift in [16, 27, 38] {
                let pairs = equal_pairs((0..POSITIONS).map(|n| key(n).low >> shift & ((1 << BITS) - 1)));
                let share = pairs as f64 / by_chance;
                assert!((0.75..1.25).contains(&share), "{form}, tag from bit {shift}: {share:.2} of chance");
            }
            let both = (0..POSITIONS).map(key).map(|key| key.high >> 52 << 14 | key.low >> 50);
            let share = equal_pairs(both) as f64 / by_chance;
            assert!((0.75..1.25).contains(&share), "{form}, bucket and tag: {share:.2} of chance");
            // Buckets may be filled more evenly than by chance.
            let share = equal_pairs((0..POSITIONS).map(|n| key(n).high >> (64 - BITS))) as f64 / by_chance;
            assert!(share < 1.25, "{form}, bucket: {share:.2} of chance");
        }
    }
}
