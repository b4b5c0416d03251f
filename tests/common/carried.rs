//! A hash-random evaluator that carries a state, so that a search which hands on the wrong one is found out.

use starsplit::evaluator::{Evaluator, HashRandom, mix64};
use starsplit::game::{Game, Hash};
use starsplit::score::Score;

/// The evaluations of [`HashRandom`], computed from a carried state that must belong to the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    inner: HashRandom,
    /// Whether some evaluations give the processor away first, so that threads meet in many different orders.
    yields: bool,
}

impl Carried {
    pub(crate) fn new(seed: u64, limit: Score, yields: bool) -> Self {
        Carried { inner: HashRandom::new(seed, limit), yields }
    }
}

impl<G: Game> Evaluator<G> for Carried {
    type State = Hash;

    fn identity(&self) -> u64 {
        mix64(0x6361_7272 ^ Evaluator::<G>::identity(&self.inner))
    }

    fn saturates(&self, game: &G) -> bool {
        self.inner.saturates(game)
    }

    fn state(&self, game: &G, position: &G::Position) -> Hash {
        game.hash(position)
    }

    fn after_move(
        &self,
        game: &G,
        state: &Hash,
        before: &G::Position,
        _: G::Move,
        after: &G::Position,
    ) -> Hash {
        // By differences, as accumulators are carried.
        *state ^ game.hash(before) ^ game.hash(after)
    }

    fn after_outcome(
        &self,
        game: &G,
        state: &Hash,
        before: &G::Position,
        _: G::Outcome,
        after: &G::Position,
    ) -> Hash {
        *state ^ game.hash(before) ^ game.hash(after)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &Hash) -> Score {
        assert_eq!(*state, game.hash(position), "the state of another position was carried here");
        if self.yields && state.low.is_multiple_of(16) {
            std::thread::yield_now();
        }
        self.inner.evaluate(game, position, &())
    }

    fn evaluate_after_move(
        &self,
        game: &G,
        state: &Hash,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        assert_eq!(*state, game.hash(before), "the state of another position was carried here");
        self.evaluate(game, after, &Evaluator::<G>::after_move(self, game, state, before, mv, after))
    }
}
