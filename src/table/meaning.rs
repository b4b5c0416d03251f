//! The meaning of a value: all that it depends on besides position and depth. Keys are salted with it, and
//! saved tables record it.

use crate::evaluator::{Evaluator, mix64};
use crate::game::Game;
use crate::score::Score;
use crate::table::Reuse;

/// The number of the scheme by which this build makes keys and fills slots. Entries of another scheme mean
/// nothing to it, so saved tables name this number.
// Raise it whenever keys or the contents of slots change, so that older saved tables are refused. A test in
// `src/search/keys.rs` notices. A new field of `Meaning` belongs in `saved/src/identity.rs`, too.
pub const KEY_SCHEME: u32 = 2;

/// All that values depend on besides position and depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// [`Game::identity`]: the game and its rules.
    pub(crate) game: u64,
    /// [`EvaluatorFacts::identity`](crate::evaluator::EvaluatorFacts::identity).
    pub(crate) evaluator: u64,
    /// The grid: its limit and the ends of its range.
    pub(crate) limit: Score,
    pub(crate) range: (f64, f64),
    pub(crate) reuse: Reuse,
}

impl Meaning {
    pub(crate) fn new<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, reuse: Reuse) -> Self {
        let grid = game.facts().grid;
        Meaning {
            game: game.identity(),
            evaluator: evaluator.facts(game).identity,
            limit: grid.limit(),
            range: grid.range(),
            reuse,
        }
    }

    /// One number for all of it.
    pub(crate) fn salt(&self) -> u64 {
        let (low, high) = self.range;
        let parts = [
            self.game,
            self.evaluator,
            self.limit as u64,
            low.to_bits(),
            high.to_bits(),
            u64::from(self.reuse == Reuse::AtLeast),
        ];
        parts.into_iter().fold(0x7374_6172, |salt, part| mix64(salt ^ part).wrapping_add(1))
    }
}
