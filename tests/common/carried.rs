//! A hash-random evaluator that carries a state, so that a search which hands on the wrong one is found out.

use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom, mix64};
use starsplit::game::{Game, PositionHash, Step};
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
    type State = PositionHash;

    fn facts(&self, game: &G) -> EvaluatorFacts {
        let inner = self.inner.facts(game);
        EvaluatorFacts::new(mix64(0x6361_7272 ^ inner.identity)).saturating(inner.saturates)
    }

    fn state(
        &self,
        game: &G,
        position: &G::Position,
        before: Option<Before<'_, G, PositionHash>>,
    ) -> PositionHash {
        // By differences, as accumulators are carried.
        let carried =
            before.map_or(PositionHash::default(), |before| *before.state ^ game.hash(before.position));
        carried ^ game.hash(position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &PositionHash) -> Score {
        assert_eq!(*state, game.hash(position), "the state of another position was carried here");
        if self.yields && state.low % 16 == 0 {
            std::thread::yield_now();
        }
        self.inner.evaluate(game, position, &())
    }

    fn evaluate_after_move(
        &self,
        game: &G,
        state: &PositionHash,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        assert_eq!(*state, game.hash(before), "the state of another position was carried here");
        let before = Before { position: before, state, step: Step::Move(mv) };
        self.evaluate(game, after, &self.state(game, after, Some(before)))
    }
}
