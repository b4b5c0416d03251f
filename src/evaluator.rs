//! The `Evaluator` trait, and evaluators for every game.

mod any;
mod behind_pointer;
mod facts;

pub use any::{AnyEvaluator, AnyState};
pub use behind_pointer::BehindPointer;
pub use facts::{Abilities, Before, EvaluationCost, EvaluatorFacts};

use crate::game::{Game, GameFacts, NodeKind, Player, Step};
use crate::score::{Bounds, MAX_LIMIT, Score, is_on_grid};
use std::fmt;
use std::ops::Deref;

/// A static evaluation, with a state that the search carries along moves.
///
/// The evaluation must be a function of the position alone, to the last bit. A carried state must equal one
/// computed from scratch, on every path: accumulate integers, not floats. The result must not depend on the
/// platform: avoid its mathematics library. Otherwise two paths to a position could give it two values. The
/// test kit (`starsplit-testkit`) checks this.
///
/// Evaluations lie on the game's grid. A search that meets one off the grid ends with
/// [`SearchError::OffGrid`](crate::search::SearchError::OffGrid), unless the evaluator or the game
/// [saturates](EvaluatorFacts::saturates).
pub trait Evaluator<G: Game>: Send + Sync {
    /// The carried state: accumulators, or `()` for evaluators that look at the position only.
    type State: Clone + Send + Sync;

    /// The evaluator's abilities besides evaluating one position.
    const ABILITIES: Abilities = Abilities::NONE;

    /// Facts about the evaluator as a whole, such as its identity and cost. A function of its settings and of
    /// the game's rules.
    fn facts(&self, game: &G) -> EvaluatorFacts;

    /// The state of a position, computed from scratch or from the position `before` it. Both must give the
    /// same state; the second should be cheaper. The search does not carry a state over an outcome where the
    /// evaluator [ignores outcomes](Abilities::ignores_outcome).
    fn state(
        &self,
        game: &G,
        position: &G::Position,
        before: Option<Before<'_, G, Self::State>>,
    ) -> Self::State;

    /// Promises that no outcome of the chance node `position` changes the evaluation, seen by the same
    /// player. Outcomes may change it at other positions, as where the dice count in one phase of the game
    /// only. The evaluation of this node then serves all its successors that are leaves but no terminals.
    ///
    /// The state may still change with the outcome: unless the evaluator
    /// [ignores outcomes](Abilities::ignores_outcome) everywhere, the search asks for a successor's own
    /// [`state`](Evaluator::state) where it needs one. A function of the position alone. It is called at
    /// chance nodes at depth 1, and only where the evaluator
    /// [may ignore outcomes](Abilities::may_ignore_outcome); it should cost less than an evaluation. A false
    /// promise gives wrong values; the test kit looks for one.
    fn ignores_outcome(&self, _game: &G, _position: &G::Position) -> bool {
        Self::ABILITIES.ignores_outcome
    }

    /// The evaluation of `position` for its [`player`](Game::player). `state` is the position's. Never called
    /// for terminals.
    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> Score;

    /// The evaluation of `after` for its [`player`](Game::player), from the state before the move `mv`. It
    /// must be the number that [`state`](Evaluator::state) and [`evaluate`](Evaluator::evaluate) give; the
    /// test kit compares them. Called above the leaves, where the state after the move is not needed.
    /// Implement it where part of that state would be computed in vain, such as the other player's
    /// accumulators. Never called where `after` is terminal.
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

    /// Evaluates each of `nodes`, a position with its state, into the score at the same index. A score must
    /// be what [`evaluate`](Evaluator::evaluate) gives, whatever else is in the batch;
    /// `starsplit_testkit::check_evaluator` compares them. There are as many scores as nodes, at least one.
    ///
    /// Only searches with evaluators that have [batches](Abilities::batches) call this: for moves and
    /// outcomes of one node ([`SiblingBatch`](crate::search::SiblingBatch)), and in
    /// [lanes](crate::search::Options::lanes) for many nodes. Implement it where a batch is cheaper than its
    /// evaluations one by one, and declare the price of a call
    /// ([`EvaluatorFacts::cost`](EvaluatorFacts::cost)).
    ///
    /// # Errors
    /// Whatever prevents the evaluation, such as a lost device. The search ends with
    /// [`SearchError::Evaluation`](crate::search::SearchError::Evaluation) and ignores `scores`.
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

    /// Bounds, for the [`player`](Game::player) of `position`, of the value that a search to exactly `depth`
    /// plies finds with this evaluator. They follow from how far the evaluation and the rewards can change
    /// within the depth. The reward of the step to the position is not included; later rewards and the scores
    /// of terminals are. `depth` is at least 1, and `position` is no terminal. A function of these two alone.
    ///
    /// A search calls this for the position after each move, before it searches that position, where
    /// [`ABILITIES`](Evaluator::ABILITIES) and [`Options::static_bounds`] allow it. It pays where it costs
    /// less than the nodes that it saves.
    ///
    /// False bounds give wrong values: a search cannot detect them. (It clamps bounds beyond the grid, drops
    /// crossed ones, and counts a contradiction where it meets one.) `starsplit_testkit::check_evaluator`
    /// compares them with plain searches.
    ///
    /// [`Options::static_bounds`]: crate::search::Options::static_bounds
    fn bounds(&self, game: &G, _position: &G::Position, _depth: u8) -> Bounds {
        Bounds::unknown(game.facts().grid.limit())
    }

    /// Passes to `push`, for each outcome of the chance node `position` in the order of [`Game::outcomes`],
    /// the [`bounds`](Evaluator::bounds) of the position after it, but for `position`'s player. It may stop
    /// after the first few outcomes, or pass none. `depth` is that of the chance node, at least 2; each
    /// successor is searched to `depth` less the [plies](Game::plies) of its outcome. Where that leaves 0,
    /// the successor is evaluated, and what is passed for it does not count.
    ///
    /// By default this makes each outcome's position and asks for its bounds. Implement it where the outcomes
    /// share work.
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, mut push: impl FnMut(Bounds)) {
        let (viewer, GameFacts { grid, saturates, .. }) = (game.player(position), game.facts());
        let limit = grid.limit();
        game.outcomes(position, |outcome, _| {
            let after = game.resolve(position, outcome);
            let plies = if G::STEPS.plies { game.plies(position, Step::Outcome(outcome), &after) } else { 1 };
            let bounds = match game.kind(&after) {
                NodeKind::Terminal => match game.terminal_score(&after) {
                    score if is_on_grid(score, limit) || saturates => Bounds::exactly(score),
                    // The search will meet the score, and report it.
                    _ => Bounds::unknown(limit),
                },
                _ if depth <= plies => Bounds::unknown(limit), // it is evaluated
                NodeKind::Decision | NodeKind::Chance => self.bounds(game, &after, depth - plies),
            };
            let is_viewers = game.player(&after) == viewer;
            // Saturating: a score far off the grid may have no negative.
            let flipped = || Bounds::new(bounds.upper.saturating_neg(), bounds.lower.saturating_neg());
            push(if is_viewers { bounds } else { flipped() });
        });
    }
}

// Searchers share an evaluator through a pointer: a reference, a `Box`, an `Arc`.
// The lint: a new method must be forwarded here.
#[deny(clippy::missing_trait_methods)]
impl<G: Game, P: Deref<Target: Evaluator<G>> + Send + Sync> Evaluator<G> for P {
    type State = <P::Target as Evaluator<G>>::State;
    const ABILITIES: Abilities = P::Target::ABILITIES;

    fn facts(&self, game: &G) -> EvaluatorFacts {
        P::Target::facts(self, game)
    }

    #[inline]
    fn state(
        &self,
        game: &G,
        position: &G::Position,
        before: Option<Before<'_, G, Self::State>>,
    ) -> Self::State {
        P::Target::state(self, game, position, before)
    }

    #[inline]
    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        P::Target::ignores_outcome(self, game, position)
    }

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, state: &Self::State) -> Score {
        P::Target::evaluate(self, game, position, state)
    }

    #[inline]
    fn evaluate_after_move(
        &self,
        game: &G,
        state: &Self::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        P::Target::evaluate_after_move(self, game, state, before, mv, after)
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &Self::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        P::Target::evaluate_many(self, game, nodes, scores)
    }

    #[inline]
    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        P::Target::bounds(self, game, position, depth)
    }

    #[inline]
    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: impl FnMut(Bounds)) {
        P::Target::outcome_bounds(self, game, position, depth, push);
    }
}

/// Why an evaluation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvaluationError {
    message: String,
}

impl EvaluationError {
    /// An error with this one-line reason, which ends the text of the search's error.
    pub fn new(reason: impl fmt::Display) -> Self {
        EvaluationError { message: reason.to_string() }
    }
}

/// The same evaluation everywhere: `score` for `Max`, its negative for `Min`. Score 0 is the middle of the
/// grid's range, whatever value that is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constant {
    score: Score,
}

impl Constant {
    /// Gives `score`, as `Max` sees it, to every position. `score` is clamped to the finest grid; the game's
    /// grid should have room for it.
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

/// A pseudo-random evaluation drawn from the position's hash. For tests: it reaches corners that a sensible
/// evaluation never does.
#[derive(Clone, Copy, Debug)]
pub struct HashRandom {
    seed: u64,
    limit: Score,
}

impl HashRandom {
    /// Evaluations spread evenly over `-limit..=limit`, different for each `seed`. `limit` is clamped to
    /// `0..=4 * MAX_LIMIT`. Where it exceeds the grid's, evaluations saturate.
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

/// An invertible function of 64 bits. Each input bit changes about half of the output bits. (The finaliser of
/// SplitMix64: Steele, Lea and Flood 2014.)
#[inline]
pub fn mix64(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Before, Evaluator};
    use crate::game::{Game, NodeKind, Step};
    use crate::tests::{Blind, Graph};

    #[test]
    fn a_reference_to_an_evaluator_is_that_evaluator() {
        let graph = Graph::<false>::default();
        let own = Blind::<true, true> { seed: 3, limit: 1000, cost: 7 };
        let by_reference = &own;
        assert_eq!(Evaluator::facts(&by_reference, &graph), own.facts(&graph));
        for position in (0..graph.positions()).filter(|position| graph.kind(position) == NodeKind::Decision) {
            let state = own.state(&graph, &position, None);
            graph.moves(&position, |mv| {
                let after = graph.play(&position, mv);
                let before = Before { position: &position, state: &state, step: Step::Move(mv) };
                let carried = Evaluator::state(&by_reference, &graph, &after, Some(before));
                assert_eq!(carried, own.state(&graph, &after, None));
                let (expected, mut scores) = (own.evaluate(&graph, &after, &carried), [0]);
                Evaluator::evaluate_many(&by_reference, &graph, &[(&after, &carried)], &mut scores)
                    .expect("one that never fails");
                assert_eq!(scores, [expected]);
                let ignores = Evaluator::ignores_outcome(&by_reference, &graph, &after);
                assert_eq!(ignores, own.ignores_outcome(&graph, &after));
                let bounds = Evaluator::bounds(&by_reference, &graph, &after, 1);
                assert_eq!(bounds, own.bounds(&graph, &after, 1));
            });
        }
    }
}
