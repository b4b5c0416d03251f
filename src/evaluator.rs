//! The `Evaluator` trait, and the evaluators that fit every game.

mod facts;
mod of_inner;
mod padded;
mod wrapper;

pub use facts::{Abilities, Before, EvaluationCost, EvaluatorFacts};
pub use of_inner::OfInner;
pub use padded::Padded;
pub use wrapper::EvaluatorWrapper;

use crate::game::{Game, GameFacts, Kind, Player, Step};
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
/// that it [saturates](EvaluatorFacts::saturates).
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is carried along: the accumulators. `()` for evaluators that look at the position only.
    type State: Clone + Send + Sync;

    /// What it is able to do beside evaluating one position.
    const ABILITIES: Abilities = Abilities::NONE;

    /// What holds of it as a whole: its identity, what it costs. A function of its own settings and of the
    /// game's rules.
    fn facts(&self, game: &G) -> EvaluatorFacts;

    /// The state of a position: computed anew, or from that of the position `before` it where this is known.
    /// Both have to come out the same, and the second should be the cheaper one. What is carried over an
    /// outcome is not asked for where the evaluator [ignores outcomes](Abilities::ignores_outcome).
    fn state(
        &self,
        game: &G,
        position: &G::Position,
        before: Option<Before<'_, G, Self::State>>,
    ) -> Self::State;

    /// Promises that at the chance node `position` no outcome changes the evaluation, seen by the same
    /// player, though outcomes may at other positions, as where what is rolled counts in one phase only. The
    /// evaluation of this node then serves its successors, terminals aside, where these are leaves.
    ///
    /// The state may change with the outcome: unless it [ignores outcomes](Abilities::ignores_outcome)
    /// everywhere, a successor's own [`state`](Evaluator::state) is asked for wherever it is needed. A
    /// function of the position alone, asked at chance nodes at depth 1 and only where
    /// [`ABILITIES`](Evaluator::ABILITIES) say that it [may](Abilities::may_ignore_outcome); it should cost
    /// less than an evaluation. Wrong values follow from a false promise, which the test kit finds wherever
    /// its plays meet one.
    fn ignores_outcome(&self, _game: &G, _position: &G::Position) -> bool {
        Self::ABILITIES.ignores_outcome
    }

    /// The evaluation of `position` as its [`player`](Game::player) sees it, given its state. Never called
    /// for terminals.
    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> Score;

    /// The evaluation of `after`, as its [`player`](Game::player) sees it, from the state before the move
    /// that leads there: the same number as [`state`](Evaluator::state) and
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
        let before = Before { position: before, state, step: Step::Move(mv) };
        self.evaluate(game, after, &self.state(game, after, Some(before)))
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
    /// Where [`ABILITIES`](Evaluator::ABILITIES) and [`Options::static_bounds`] say so, a search asks for
    /// the bounds of what each move leads to before it searches that. To be worth its while this has to cost
    /// less than the nodes that it saves; the tighter, the more these are.
    ///
    /// They have to hold, or values are wrong: a search cannot tell false bounds from true ones. (It brings
    /// those beyond the grid onto it, leaves crossed ones out, and counts a contradiction where it meets
    /// one.) `starsplit_testkit::check_evaluator` compares them with plain searches.
    ///
    /// [`Options::static_bounds`]: crate::search::Options::static_bounds
    fn bounds(&self, game: &G, _position: &G::Position, _depth: u8) -> Bounds {
        Bounds::unknown(game.facts().grid.limit())
    }

    /// Gives `push`, for each outcome of the chance node `position` in the order of [`Game::outcomes`],
    /// bounds of the position after it as in [`bounds`](Evaluator::bounds), but as `position`'s player sees
    /// it; for the first few outcomes, or for none, where nothing more is known. `depth` is that of the
    /// chance node, at least 2; the positions after it are searched to `depth` - 1.
    ///
    /// Without an implementation each outcome's position is made and its bounds are asked for: implement it
    /// where many outcomes share what has to be worked out.
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, mut push: impl FnMut(Bounds)) {
        let (viewer, GameFacts { grid, saturates, .. }) = (game.player(position), game.facts());
        let limit = grid.limit();
        game.outcomes(position, |outcome, _| {
            let after = game.resolve(position, outcome);
            let bounds = match game.kind(&after) {
                Kind::Terminal => match game.terminal_score(&after) {
                    score if is_on_grid(score, limit) || saturates => Bounds::exactly(score),
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
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes();

    fn facts(&self, _game: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(0x636f_6e73_7461_6e74 ^ self.score as u64))
            .with_cost(EvaluationCost::each(1))
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, _state: &()) -> Score {
        match game.player(position) {
            Player::Max => self.score,
            Player::Min => -self.score,
        }
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

    fn facts(&self, game: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(mix64(0x6861_7368 ^ self.seed) ^ self.limit as u64))
            .saturating(self.limit > game.facts().grid.limit())
            .with_cost(EvaluationCost::each(5))
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, _state: &()) -> Score {
        let hash = game.hash(position);
        let bits = mix64(mix64(hash.high ^ self.seed) ^ hash.low);
        let points = 2 * self.limit as u64 + 1;
        ((u128::from(bits) * u128::from(points)) >> 64) as Score - self.limit
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
