//! Calls that are all of one size, for evaluators whose sums depend on how many they are for.

use crate::evaluator::{EvaluationCost, EvaluationError, Evaluator, mix64};
use crate::game::Game;
use crate::score::{Bounds, Score};

/// An evaluator all of whose evaluations are made in calls for exactly so many positions, the first one of a
/// call repeated where there are fewer.
///
/// A library of matrix products may add in another order where a product has other sides: then the same
/// position is worth something else alone than in company, and the promise of one value is broken. Where
/// only the number matters, and neither the place in the call nor the company, calls of one size mend it.
/// They cost as much however few positions there are, so the size should be that of the batches
/// ([`Options::batch`](crate::search::Options::batch)). `starsplit_testkit::check_evaluator` tells whether
/// it is enough.
#[derive(Clone, Copy, Debug)]
pub struct Padded<E> {
    inner: E,
    size: usize,
}

impl<E> Padded<E> {
    /// `inner` in calls for `size` positions, at least one.
    pub fn new(inner: E, size: usize) -> Self {
        Padded { inner, size: size.max(1) }
    }

    /// The evaluator itself.
    pub fn inner(&self) -> &E {
        &self.inner
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Padded<E> {
    type State = E::State;

    const IGNORES_OUTCOME: bool = E::IGNORES_OUTCOME;
    const MAY_IGNORE_OUTCOME: bool = E::MAY_IGNORE_OUTCOME;
    const HAS_BOUNDS: bool = E::HAS_BOUNDS;
    const HAS_BATCHES: bool = E::HAS_BATCHES;

    /// Another one for each size, since evaluations may differ.
    fn identity(&self) -> u64 {
        mix64(self.inner.identity() ^ mix64(self.size as u64))
    }

    fn saturates(&self, game: &G) -> bool {
        self.inner.saturates(game)
    }

    fn state(&self, game: &G, position: &G::Position) -> E::State {
        self.inner.state(game, position)
    }

    fn after_move(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> E::State {
        self.inner.after_move(game, state, before, mv, after)
    }

    fn after_outcome(
        &self,
        game: &G,
        state: &E::State,
        before: &G::Position,
        outcome: G::Outcome,
        after: &G::Position,
    ) -> E::State {
        self.inner.after_outcome(game, state, before, outcome, after)
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        self.inner.ignores_outcome(game, position)
    }

    /// In a call of the full size.
    ///
    /// # Panics
    /// When that call fails: one evaluation has no other way to say so.
    fn evaluate(&self, game: &G, position: &G::Position, state: &E::State) -> Score {
        let mut score = [0];
        let made = self.evaluate_many(game, &[(position, state)], &mut score);
        made.unwrap_or_else(|error| panic!("{error}"));
        score[0]
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        for (nodes, scores) in nodes.chunks(self.size).zip(scores.chunks_mut(self.size)) {
            if nodes.len() == self.size {
                self.inner.evaluate_many(game, nodes, scores)?;
                continue;
            }
            let mut padded = nodes.to_vec();
            padded.resize(self.size, nodes[0]);
            let mut found = vec![0; self.size];
            self.inner.evaluate_many(game, &padded, &mut found)?;
            scores.copy_from_slice(&found[..nodes.len()]);
        }
        Ok(())
    }

    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        self.inner.bounds(game, position, depth)
    }

    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: impl FnMut(Bounds)) {
        self.inner.outcome_bounds(game, position, depth, push);
    }

    /// One alone costs as much as a full call.
    fn cost(&self) -> EvaluationCost {
        let EvaluationCost { fixed_ns, each_ns } = self.inner.cost();
        let all = u64::from(fixed_ns) + u64::from(each_ns) * self.size as u64;
        EvaluationCost { fixed_ns: all.try_into().unwrap_or(u32::MAX), each_ns: 0 }
    }
}
