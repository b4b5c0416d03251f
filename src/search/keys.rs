//! The keys of the table's entries.
//!
//! A key is the game's hash, salted with all else that an entry's meaning depends on, and mixed. So weak
//! hashes are good enough, and entries of different rules, evaluators or reuse policies never meet. A node
//! uses the hash to its depth, which covers the past where values depend on it. An evaluation does not depend
//! on the past and uses the plain hash.

use crate::evaluator::{Evaluator, mix64};
use crate::game::{Game, Hash, NodeKind};
use crate::search::request::Options;
use crate::table::Meaning;

/// The salts of a search: one for each kind of node, one for evaluations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    decision: Hash,
    chance: Hash,
    evaluation: Hash,
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
        let of = |kind: u64| Hash { high: mix64(salt ^ kind), low: mix64(!salt ^ kind) };
        Keys { decision: of(1), chance: of(2), evaluation: of(3) }
    }

    /// The key of a node of this kind.
    #[inline]
    pub(crate) fn key(&self, hash: Hash, kind: NodeKind) -> Hash {
        spread(hash ^ if kind == NodeKind::Chance { self.chance } else { self.decision })
    }

    /// The key of a position's static evaluation.
    #[inline]
    pub(super) fn evaluation_key(&self, hash: Hash) -> Hash {
        spread(hash ^ self.evaluation)
    }
}

/// Carries every bit to the upper bits, which choose the bucket and form the tag.
#[inline]
fn spread(salted: Hash) -> Hash {
    // Multiplying by an odd number loses nothing.
    Hash {
        high: salted.high.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        low: salted.low.wrapping_mul(0xc2b2_ae3d_27d4_eb4f),
    }
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
        let hash = Hash { high: 5, low: 7 };
        let found = [
            keys.key(hash, NodeKind::Decision),
            keys.key(hash, NodeKind::Chance),
            keys.evaluation_key(hash),
            Keys::of(&Meaning { reuse: Reuse::AtLeast, ..meaning }, false).key(hash, NodeKind::Decision),
        ];
        let expected = [
            (0xdf6c_94fb_bbca_1f8a, 0x4b0e_bbbc_a22b_a1df),
            (0xc426_bd1b_daf1_df63, 0xb5f8_9116_e59a_87bf),
            (0x3b9b_8909_b560_81dc, 0x7fba_758c_5117_66aa),
            (0xa5b8_9c2b_7b76_2013, 0x23ba_789b_73a1_07e0),
        ];
        assert_eq!(found.map(|key| (key.high, key.low)), expected);
    }
}
