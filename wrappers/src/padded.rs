//! Calls that are all of one size, for evaluators whose sums depend on how many they are for.

use starsplit::evaluator::{
    EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, EvaluatorWrapper, mix64,
};
use starsplit::game::Game;
use starsplit::score::Score;

/// An evaluator all of whose evaluations are made in calls for exactly so many positions, the first one of a
/// call repeated where there are fewer.
///
/// A library of matrix products may add in another order where a product has other sides: then the same
/// position is worth something else alone than in company, and the promise of one value is broken. Where only
/// the number matters, and neither the place in the call nor the company, calls of one size mend it. They
/// cost as much however few positions there are, so the size should be that of the batches
/// ([`LaneOptions::batch`](starsplit::search::LaneOptions::batch)). `starsplit_testkit::check_evaluator`
/// tells whether it is enough.
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
}

impl<E: Send + Sync> EvaluatorWrapper for Padded<E> {
    type Inner = E;

    fn inner(&self) -> &E {
        &self.inner
    }

    /// Another one for each size, since evaluations may differ; one alone costs as much as a full call.
    fn facts<G: Game>(&self, game: &G) -> EvaluatorFacts
    where
        E: Evaluator<G>,
    {
        let mut facts = self.inner.facts(game);
        let EvaluationCost { fixed_ns, each_ns } = facts.cost;
        let all = u64::from(fixed_ns) + u64::from(each_ns) * self.size as u64;
        facts.identity = mix64(facts.identity ^ mix64(self.size as u64));
        facts.with_cost(EvaluationCost { fixed_ns: all.try_into().unwrap_or(u32::MAX), each_ns: 0 })
    }

    /// In a call of the full size.
    ///
    /// # Panics
    /// When that call fails: one evaluation has no other way to say so.
    fn evaluate<G: Game>(&self, game: &G, position: &G::Position, state: &E::State) -> Score
    where
        E: Evaluator<G>,
    {
        let mut score = [0];
        let made = EvaluatorWrapper::evaluate_many(self, game, &[(position, state)], &mut score);
        made.unwrap_or_else(|error| panic!("{error}"));
        score[0]
    }

    fn evaluate_many<G: Game>(
        &self,
        game: &G,
        nodes: &[(&G::Position, &E::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError>
    where
        E: Evaluator<G>,
    {
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
}
