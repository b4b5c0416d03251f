//! An evaluator of random graphs that knows bounds of what searches find with it: true ones, as tight as the
//! value or looser, or lies.

use super::oracle::Oracle;
use super::verdict::Graph;
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::NodeKind;
use starsplit::score::{Bounds, Score};
use starsplit_testkit::GraphPosition;

/// What is told of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// Bounds that hold, in the form that they are to have.
    Truth,
    /// The same, ends of the grid being told as numbers far beyond.
    Beyond,
    /// One bound in some is false.
    Lies,
    /// Some are crossed.
    Crossed,
}

/// The evaluations of another evaluator, with bounds of what searches to some depth find with it.
#[derive(Clone, Debug)]
pub(crate) struct Foreseeing<E> {
    inner: E,
    seed: u64,
    /// By position, for depths from 1.
    bounds: Vec<Vec<Bounds>>,
}

impl<E> Foreseeing<E> {
    /// Bounds of all of the first `positions` of `graph` to depths up to `deepest`; nothing is known of
    /// greater ones. Which they are is drawn by `seed`.
    pub(crate) fn new<G: Graph>(
        graph: &G,
        positions: u32,
        inner: E,
        deepest: u32,
        (telling, seed): (Telling, u64),
    ) -> Self
    where
        E: Evaluator<G>,
    {
        let limit = graph.facts().grid.limit();
        let mut oracle = Oracle::new(graph, &inner);
        let mut of_position = |index| {
            let position = GraphPosition { index };
            let is_open = graph.kind(&position) != NodeKind::Terminal;
            let told = (1..=if is_open { deepest } else { 0 }).map(|depth| {
                let value = oracle.value(&position, depth) as Score;
                let bits = mix64(mix64(seed ^ u64::from(index)) ^ u64::from(depth));
                twisted(around(value, limit, bits), value, limit, telling, mix64(bits))
            });
            told.collect()
        };
        let bounds = (0..positions).map(&mut of_position).collect();
        Foreseeing { inner, seed, bounds }
    }

    /// The evaluator without its bounds.
    pub(crate) fn inner(&self) -> &E {
        &self.inner
    }
}

/// The same evaluator, whose bounds of outcomes are those that every evaluator has by default.
#[derive(Clone, Debug)]
pub(crate) struct ByDefault<E>(pub(crate) Foreseeing<E>);

impl<G: Graph, E: Evaluator<G>> Evaluator<G> for ByDefault<E> {
    type State = E::State;
    const ABILITIES: Abilities = <Foreseeing<E> as Evaluator<G>>::ABILITIES;

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(&self, game: &G, position: &GraphPosition, before: Option<Before<'_, G, E::State>>) -> E::State {
        self.0.state(game, position, before)
    }

    fn evaluate(&self, graph: &G, position: &GraphPosition, state: &E::State) -> Score {
        self.0.evaluate(graph, position, state)
    }

    fn bounds(&self, graph: &G, position: &GraphPosition, depth: u8) -> Bounds {
        self.0.bounds(graph, position, depth)
    }
}

/// Bounds that hold: none, one or both, at the value or some way off.
fn around(value: Score, limit: Score, bits: u64) -> Bounds {
    let off = |bits: u64| match bits % 4 {
        0 | 1 => 0,
        _ => (mix64(bits) % (1 << (bits >> 8 & 31))).min(2 * limit as u64) as Score,
    };
    let lower = (value - off(bits >> 4)).max(-limit);
    let upper = (value + off(bits >> 32)).min(limit);
    match bits % 8 {
        0 => Bounds::unknown(limit),
        1 | 2 => Bounds::new(lower, limit),
        3 | 4 => Bounds::new(-limit, upper),
        _ => Bounds::new(lower, upper),
    }
}

/// What is told instead.
fn twisted(bounds: Bounds, value: Score, limit: Score, telling: Telling, bits: u64) -> Bounds {
    let Bounds { lower, upper } = bounds;
    match (telling, bits % 4) {
        (Telling::Beyond, _) => Bounds::new(
            if lower == -limit { Score::MIN } else { lower },
            if upper == limit { Score::MAX } else { upper },
        ),
        (Telling::Lies, 0) if value < limit => Bounds::new(value + 1, limit),
        (Telling::Lies, 1) if value > -limit => Bounds::new(-limit, value - 1),
        (Telling::Crossed, 0) => Bounds::new(value + 1, value),
        (Telling::Crossed, 1) => Bounds::new(Score::MAX, Score::MIN),
        _ => bounds,
    }
}

impl<G: Graph, E: Evaluator<G>> Evaluator<G> for Foreseeing<E> {
    type State = E::State;
    const ABILITIES: Abilities = E::ABILITIES.with_bounds(true).with_batches(false);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.inner.facts(game)
    }

    fn state(&self, game: &G, position: &GraphPosition, before: Option<Before<'_, G, E::State>>) -> E::State {
        self.inner.state(game, position, before)
    }

    fn evaluate(&self, graph: &G, position: &GraphPosition, state: &E::State) -> Score {
        self.inner.evaluate(graph, position, state)
    }

    fn bounds(&self, graph: &G, position: &GraphPosition, depth: u8) -> Bounds {
        assert!(depth > 0 && graph.kind(position) != NodeKind::Terminal, "depth {depth} of {position:?}");
        let told = self
            .bounds
            .get(position.index as usize)
            .and_then(|by_depth| by_depth.get(usize::from(depth) - 1));
        told.copied().unwrap_or(Bounds::unknown(graph.facts().grid.limit()))
    }

    /// Of all outcomes, of some or of none.
    fn outcome_bounds(&self, graph: &G, position: &GraphPosition, depth: u8, mut push: impl FnMut(Bounds)) {
        let mut outcomes = Vec::new();
        graph.outcomes(position, |outcome, _| outcomes.push(outcome));
        let told = match mix64(self.seed ^ u64::from(position.index)) % 4 {
            0 => outcomes.len() / 2,
            1 => 0,
            _ => outcomes.len(),
        };
        for &outcome in &outcomes[..told] {
            let after = graph.resolve(position, outcome);
            let bounds = match graph.kind(&after) {
                NodeKind::Terminal => Bounds::exactly(graph.terminal_score(&after)),
                _ => self.bounds(graph, &after, depth - 1),
            };
            let same_viewer = graph.player(&after) == graph.player(position);
            let flipped = || Bounds::new(bounds.upper.saturating_neg(), bounds.lower.saturating_neg());
            push(if same_viewer { bounds } else { flipped() });
        }
    }
}
