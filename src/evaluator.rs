//! The `Evaluator` trait, and the evaluators that fit every game.

use crate::game::{Game, Player};
use crate::score::{MAX_LIMIT, Score};

/// A static evaluation with a state that is carried along moves.
///
/// The evaluation must be a function of the position alone, to the last bit: a carried state must end up
/// equal to one computed anew, whatever the path (so accumulate integers, not floats), and the output must
/// not depend on the platform (so avoid its mathematics library). Otherwise two paths to one position would
/// give it two values, and the promise of one value would break. The `testkit` module (a feature) checks
/// this.
///
/// Scores outside the game's grid are clamped onto it by the search.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is carried along: the accumulators. `()` for evaluators that look at the position only.
    type State: Clone + Send + Sync;

    /// Promises that a chance outcome changes neither the state nor, seen by the same player, the evaluation:
    /// the evaluator does not look at what was rolled. The evaluation of a chance node then serves all its
    /// successors, and with [`Options::leaf_collapse`](crate::search::Options::leaf_collapse) stands for
    /// them. The test kit compares the evaluations around every chance node that its plays come to.
    const IGNORES_OUTCOME: bool = false;

    /// A number that differs between evaluators which give some position different evaluations: table entries
    /// are kept apart by it.
    fn identity(&self) -> u64;

    /// The state of a position, computed anew.
    fn state(&self, game: &G, position: &G::Position) -> Self::State;

    /// The state after a move, from the state before it.
    fn after_move(
        &self,
        game: &G,
        state: &Self::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Self::State;

    /// The state after a chance outcome, from the state before it. Not called where
    /// [`IGNORES_OUTCOME`](Evaluator::IGNORES_OUTCOME) holds.
    fn after_outcome(
        &self,
        _game: &G,
        state: &Self::State,
        _before: &G::Position,
        _outcome: G::Outcome,
        _after: &G::Position,
    ) -> Self::State {
        state.clone()
    }

    /// The evaluation of `position` as its [`player`](Game::player) sees it, given its state. Never called
    /// for terminals.
    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> Score;

    /// What an evaluation costs, its state included where that is carried along.
    ///
    /// A hint from which the search chooses among ways to find the same value, where its options leave the
    /// choice to it: what is declared wrong costs time, never exactness. A factor of two does not matter;
    /// `testkit::check_cost` measures it.
    fn cost(&self) -> EvaluationCost {
        EvaluationCost::default()
    }
}

/// What it costs to evaluate positions, in nanoseconds on one core of a machine of today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationCost {
    /// What each call costs, however many positions it is for.
    pub fixed_ns: u32,
    /// What each position costs beside that.
    pub each_ns: u32,
}

impl EvaluationCost {
    /// So many nanoseconds for each position, and nothing beside.
    pub fn each(ns: u32) -> Self {
        EvaluationCost { fixed_ns: 0, each_ns: ns }
    }

    /// What one position alone costs.
    pub fn alone(self) -> u64 {
        u64::from(self.fixed_ns) + u64::from(self.each_ns)
    }
}

impl Default for EvaluationCost {
    /// 30 ns: a small table of features, or a small network whose first layer is carried along.
    fn default() -> Self {
        EvaluationCost::each(30)
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for &E {
    type State = E::State;
    const IGNORES_OUTCOME: bool = E::IGNORES_OUTCOME;

    fn identity(&self) -> u64 {
        (**self).identity()
    }

    fn state(&self, game: &G, position: &G::Position) -> E::State {
        (**self).state(game, position)
    }

    #[inline]
    fn after_move(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> E::State {
        (**self).after_move(game, state, before, mv, after)
    }

    #[inline]
    fn after_outcome(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        outcome: G::Outcome,
        after: &G::Position,
    ) -> E::State {
        (**self).after_outcome(game, state, before, outcome, after)
    }

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, state: &E::State) -> Score {
        (**self).evaluate(game, position, state)
    }

    fn cost(&self) -> EvaluationCost {
        (**self).cost()
    }
}

/// The same evaluation everywhere: `score` for `Max`, its negative for `Min`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constant {
    score: Score,
}

impl Constant {
    /// The evaluator that gives `score`, as `Max` sees it, to every position; within the finest grid.
    pub fn new(score: Score) -> Self {
        Constant { score: score.clamp(-MAX_LIMIT, MAX_LIMIT) }
    }
}

impl<G: Game> Evaluator<G> for Constant {
    type State = ();
    const IGNORES_OUTCOME: bool = true;

    fn identity(&self) -> u64 {
        mix64(0x636f_6e73_7461_6e74 ^ self.score as u64)
    }

    fn state(&self, _game: &G, _position: &G::Position) {}

    fn after_move(&self, _: &G, _: &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, _state: &()) -> Score {
        match game.player(position) {
            Player::Max => self.score,
            Player::Min => -self.score,
        }
    }

    fn cost(&self) -> EvaluationCost {
        EvaluationCost::each(1)
    }
}

/// A pseudo-random evaluation drawn from the position's hash: for tests, where it reaches corners that a
/// sensible evaluation never does.
#[derive(Clone, Copy, Debug)]
pub struct HashRandom {
    seed: u64,
    limit: Score,
}

impl HashRandom {
    /// Evaluations spread evenly over `-limit..=limit`, a different assignment for each `seed`. A limit
    /// outside `0..=4 * MAX_LIMIT` is brought inside.
    pub fn new(seed: u64, limit: Score) -> Self {
        HashRandom { seed, limit: limit.clamp(0, 4 * MAX_LIMIT) }
    }
}

impl<G: Game> Evaluator<G> for HashRandom {
    type State = ();

    fn identity(&self) -> u64 {
        mix64(mix64(0x6861_7368 ^ self.seed) ^ self.limit as u64)
    }

    fn state(&self, _game: &G, _position: &G::Position) {}

    fn after_move(&self, _: &G, _: &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, _state: &()) -> Score {
        let hash = game.hash(position);
        let bits = mix64(mix64(hash.high ^ self.seed) ^ hash.low);
        let points = 2 * self.limit as u64 + 1;
        ((u128::from(bits) * u128::from(points)) >> 64) as Score - self.limit
    }

    fn cost(&self) -> EvaluationCost {
        EvaluationCost::each(5)
    }
}

/// An invertible function of 64 bits in which every input bit moves about half of the output bits (the
/// finaliser of the SplitMix64 generator: Steele, Lea and Flood 2014).
#[inline]
pub fn mix64(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
