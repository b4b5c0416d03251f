//! The `Evaluator` trait, and the evaluators that fit every game.

mod padded;

pub use padded::Padded;

use crate::game::{Game, Kind, Player};
use crate::score::{Bounds, MAX_LIMIT, Score, is_on_grid};
use std::fmt;

/// A static evaluation with a state that is carried along moves.
///
/// The evaluation must be a function of the position alone, to the last bit: a carried state must end up
/// equal to one computed anew, whatever the path (so accumulate integers, not floats), and the output must
/// not depend on the platform (so avoid its mathematics library). Otherwise two paths to one position
/// would give it two values, and the promise of one value would break. The test kit (`starsplit-testkit`)
/// checks this.
///
/// Evaluations lie on the game's grid. A search that meets one which does not ends with
/// [`SearchError::OffGrid`](crate::search::SearchError::OffGrid), unless the evaluator or the game declares
/// that it [`saturates`](Evaluator::saturates).
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is carried along: the accumulators. `()` for evaluators that look at the position only.
    type State: Clone + Send + Sync;

    /// Promises that a chance outcome changes neither the state nor, seen by the same player, the evaluation:
    /// the evaluator does not look at what was rolled. The evaluation of a chance node then serves all its
    /// successors, and with [`Options::leaf_collapse`](crate::search::Options::leaf_collapse) stands for
    /// them. The test kit compares the evaluations around every chance node that its plays come to. Where it
    /// holds at some positions only, see [`ignores_outcome`](Evaluator::ignores_outcome).
    const IGNORES_OUTCOME: bool = false;

    /// Whether [`ignores_outcome`](Evaluator::ignores_outcome) may say so of some position. Where this is
    /// false no search asks it, and nothing is slower.
    const MAY_IGNORE_OUTCOME: bool = Self::IGNORES_OUTCOME;

    /// Whether it knows bounds of what searches find with it ([`bounds`](Evaluator::bounds),
    /// [`outcome_bounds`](Evaluator::outcome_bounds)). Where this is false no search asks for them, and
    /// nothing is slower.
    const HAS_BOUNDS: bool = false;

    /// Whether [`evaluate_many`](Evaluator::evaluate_many) is worth having: many at once cost less than one
    /// after another. Where this is false no search runs in [lanes](crate::search::Options::lanes), whatever
    /// its options, and none is compiled.
    const HAS_BATCHES: bool = false;

    /// A number that differs between evaluators which give some position different evaluations: table entries
    /// are kept apart by it. Whether evaluations saturate is part of what they are.
    fn identity(&self) -> u64;

    /// Declares that evaluations saturate: that those which it would give beyond the grid's ends, or short of
    /// them, where it has ends of its own, are meant to be told as these ends, by itself or by the search.
    /// The value found is then exact of the evaluator so clamped. What is not a number is an error all the
    /// same. Where the game itself [`saturates`](Game::saturates) no evaluator has to say so.
    fn saturates(&self, _game: &G) -> bool {
        false
    }

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

    /// Promises that at the chance node `position` no outcome changes the evaluation, seen by the same
    /// player, though outcomes may at other positions, as where what is rolled counts in one phase only. The
    /// evaluation of this node then serves its successors, terminals aside, where these are leaves.
    ///
    /// The state may change with the outcome: unless [`IGNORES_OUTCOME`](Evaluator::IGNORES_OUTCOME) holds,
    /// [`after_outcome`](Evaluator::after_outcome) is called wherever a successor's own state is needed. A
    /// function of the position alone, asked at chance nodes at depth 1 and only where
    /// [`MAY_IGNORE_OUTCOME`](Evaluator::MAY_IGNORE_OUTCOME); it should cost less than an evaluation. Wrong
    /// values follow from a false promise, which the test kit finds wherever its plays meet one.
    fn ignores_outcome(&self, _game: &G, _position: &G::Position) -> bool {
        Self::IGNORES_OUTCOME
    }

    /// The evaluation of `position` as its [`player`](Game::player) sees it, given its state. Never called
    /// for terminals.
    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> Score;

    /// The evaluation of `after`, as its [`player`](Game::player) sees it, from the state before the move
    /// that leads there: the same number as [`after_move`](Evaluator::after_move) and
    /// [`evaluate`](Evaluator::evaluate) give, which the test kit compares. Called above the leaves, where
    /// nobody needs the state after the move; worth implementing where half of it would be made in vain, as
    /// the other player's accumulators. Never called where `after` is terminal.
    #[inline]
    fn evaluate_after_move(
        &self,
        game: &G,
        state: &Self::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        self.evaluate(game, after, &self.after_move(game, state, before, mv, after))
    }

    /// Evaluates each of `nodes`, a position with its state, into the score at the same place, as
    /// [`evaluate`](Evaluator::evaluate) does: the same number, whatever else is among them and wherever
    /// it stands, which `starsplit_testkit::check_evaluator` compares. There are as many scores as nodes,
    /// one at least.
    ///
    /// Called by searches in [lanes](crate::search::Options::lanes) alone; worth implementing where many at
    /// once cost less than one after another.
    ///
    /// # Errors
    /// Whatever keeps it from evaluating them, as where a device is gone. The search ends with
    /// [`SearchError::Evaluation`](crate::search::SearchError::Evaluation), and whatever is in `scores` is
    /// forgotten.
    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &Self::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        for (&(position, state), score) in nodes.iter().zip(scores) {
            *score = self.evaluate(game, position, state);
        }
        Ok(())
    }

    /// Bounds of the value of `position`, as its [`player`](Game::player) sees it, that a search of it to
    /// exactly `depth` plies ends with, given this evaluator: from how far its evaluation, and what rewards
    /// add to it, can change in so many plies. The reward that leads to the position is not in it; those that
    /// come after are, and so are the scores of terminals within the depth. `depth` is at least 1, and
    /// `position` is no terminal. A function of these two alone.
    ///
    /// Where [`HAS_BOUNDS`](Evaluator::HAS_BOUNDS) and [`Options::static_bounds`] say so, a search asks for
    /// the bounds of what each move leads to before it searches that. To be worth its while this has to cost
    /// less than the nodes that it saves; the tighter, the more these are.
    ///
    /// They have to hold, or values are wrong: a search cannot tell false bounds from true ones. (It brings
    /// those beyond the grid onto it, leaves crossed ones out, and counts a contradiction where it meets
    /// one.) `starsplit_testkit::check_evaluator` compares them with plain searches.
    ///
    /// [`Options::static_bounds`]: crate::search::Options::static_bounds
    fn bounds(&self, game: &G, _position: &G::Position, _depth: u8) -> Bounds {
        Bounds::unknown(game.grid().limit())
    }

    /// Gives `push`, for each outcome of the chance node `position` in the order of [`Game::outcomes`],
    /// bounds of the position after it as in [`bounds`](Evaluator::bounds), but as `position`'s player sees
    /// it; for the first few outcomes, or for none, where nothing more is known. `depth` is that of the
    /// chance node, at least 2; the positions after it are searched to `depth` - 1.
    ///
    /// Without an implementation each outcome's position is made and its bounds are asked for: implement it
    /// where many outcomes share what has to be worked out.
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, mut push: impl FnMut(Bounds)) {
        let viewer = game.player(position);
        game.outcomes(position, |outcome, _| {
            let after = game.resolve(position, outcome);
            let limit = game.grid().limit();
            let bounds = match game.kind(&after) {
                Kind::Terminal => match game.terminal_score(&after) {
                    score if is_on_grid(score, limit) || game.saturates() => Bounds::exactly(score),
                    // For the search to meet.
                    _ => Bounds::unknown(limit),
                },
                Kind::Decision | Kind::Chance => self.bounds(game, &after, depth - 1),
            };
            let is_viewers = game.player(&after) == viewer;
            // Scores off the grid may be so far off that they have no negative.
            let flipped = || Bounds::new(bounds.upper.saturating_neg(), bounds.lower.saturating_neg());
            push(if is_viewers { bounds } else { flipped() });
        });
    }

    /// What an evaluation costs, its state included where that is carried along.
    ///
    /// A hint from which the search chooses among ways to find the same value, where its options leave the
    /// choice to it: what is declared wrong costs time, never exactness. A factor of two does not matter;
    /// `starsplit_testkit::check_cost` measures it.
    fn cost(&self) -> EvaluationCost {
        EvaluationCost::default()
    }
}

/// Why an evaluator could not evaluate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvaluationError {
    message: String,
}

impl EvaluationError {
    /// For this reason, on one line: the error of the search ends with it.
    pub fn new(reason: impl fmt::Display) -> Self {
        EvaluationError { message: reason.to_string() }
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
    const MAY_IGNORE_OUTCOME: bool = E::MAY_IGNORE_OUTCOME;
    const HAS_BOUNDS: bool = E::HAS_BOUNDS;
    const HAS_BATCHES: bool = E::HAS_BATCHES;

    fn identity(&self) -> u64 {
        (**self).identity()
    }

    fn saturates(&self, game: &G) -> bool {
        (**self).saturates(game)
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
    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        (**self).ignores_outcome(game, position)
    }

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, state: &E::State) -> Score {
        (**self).evaluate(game, position, state)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        (**self).evaluate_after_move(game, state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        (**self).evaluate_many(game, nodes, scores)
    }

    #[inline]
    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        (**self).bounds(game, position, depth)
    }

    #[inline]
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: impl FnMut(Bounds)) {
        (**self).outcome_bounds(game, position, depth, push);
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
    /// The evaluator that gives `score`, as `Max` sees it, to every position; within the finest grid. The
    /// grid of the game should have room for it.
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
    /// outside `0..=4 * MAX_LIMIT` is brought inside. Where it is greater than the grid's, evaluations
    /// saturate.
    pub fn new(seed: u64, limit: Score) -> Self {
        HashRandom { seed, limit: limit.clamp(0, 4 * MAX_LIMIT) }
    }
}

impl<G: Game> Evaluator<G> for HashRandom {
    type State = ();

    fn identity(&self) -> u64 {
        mix64(mix64(0x6861_7368 ^ self.seed) ^ self.limit as u64)
    }

    fn saturates(&self, game: &G) -> bool {
        self.limit > game.grid().limit()
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
