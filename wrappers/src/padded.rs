//! Calls of one size, for evaluators whose sums depend on the number of positions in a call.

use crate::{EvaluatorWrapper, forward};
use starsplit::evaluator::{EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::Game;
use starsplit::score::Score;

/// An evaluator that makes all evaluations in calls for a fixed number of positions. A call for fewer repeats
/// its first one.
///
/// A matrix library may add in another order if a product has another size. Then a position's evaluation
/// alone differs from that in a batch, and a search no longer has one value. Calls of one size mend this if
/// only the size matters, and neither the place in the call nor the other positions. A call costs the same
/// for fewer positions, so the size should be that of the batches
/// ([`LaneOptions::batch`](starsplit::search::LaneOptions::batch)). `starsplit_testkit::check_evaluator`
/// tells whether one size is enough.
#[derive(Clone, Copy, Debug)]
pub struct Padded<E> {
    inner: E,
    size: usize,
}

impl<E> Padded<E> {
    /// `inner` with calls for `size` positions, at least one.
    pub fn new(inner: E, size: usize) -> Self {
        Padded { inner, size: size.max(1) }
    }
}

impl<E: Send + Sync> EvaluatorWrapper for Padded<E> {
    type Inner = E;

    fn inner(&self) -> &E {
        &self.inner
    }

    /// The identity differs for each size, since evaluations may differ. One evaluation costs as much as a
    /// full call; what is not declared stays so.
    fn facts<G: Game>(&self, game: &G) -> EvaluatorFacts
    where
        E: Evaluator<G>,
    {
        let mut facts = self.inner.facts(game);
        let EvaluationCost { fixed_ns, each_ns } = facts.cost;
        let all = u64::from(fixed_ns) + u64::from(each_ns) * self.size as u64;
        facts.identity = mix64(facts.identity ^ mix64(self.size as u64));
        let cost = EvaluationCost { fixed_ns: all.try_into().unwrap_or(u32::MAX), each_ns: 0 };
        facts.with_cost(cost).with_call_size(self.size.try_into().unwrap_or(u32::MAX))
    }

    /// Evaluates in a call of the full size.
    ///
    /// # Panics
    /// If that call fails: one evaluation cannot report an error otherwise.
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

forward! { impl<E: Send + Sync> Evaluator for Padded<E> }
