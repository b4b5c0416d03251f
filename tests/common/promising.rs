//! A random graph that promises, or does not, that no outcome ends the game, and may declare dear successors.

use starsplit::game::{Game, GameFacts, Step};
use starsplit::score::Bounds;
use starsplit_testkit::{GraphPosition, RandomGraph};
use starsplit_wrappers::{GameWrapper, forward};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A graph with its promise, true or false.
#[derive(Clone, Debug)]
pub(crate) struct Promising {
    graph: RandomGraph,
    promises: bool,
    successor_ns: u32,
    asked: Arc<AtomicU64>,
}

impl Promising {
    pub(crate) fn new(graph: RandomGraph, promises: bool) -> Self {
        Promising { graph, promises, successor_ns: 0, asked: Arc::default() }
    }

    /// The same with successors that cost so much.
    pub(crate) fn with_successor_ns(self, successor_ns: u32) -> Self {
        Promising { successor_ns, ..self }
    }

    /// How often the outcomes of a position were asked for.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Relaxed)
    }
}

impl GameWrapper for Promising {
    type Inner = RandomGraph;
    type Position = GraphPosition;

    fn inner(&self) -> &RandomGraph {
        &self.graph
    }

    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        self.graph.identity()
    }

    fn facts(&self) -> GameFacts {
        self.graph.facts().with_outcomes_never_end(self.promises).with_successor_ns(self.successor_ns)
    }

    fn outcomes(&self, position: &GraphPosition, push: impl FnMut(u32, u32)) {
        self.asked.fetch_add(1, Relaxed);
        self.graph.outcomes(position, push);
    }

    fn outcome_bounds(&self, position: &GraphPosition, depth: u8, push: impl FnMut(Bounds)) {
        self.graph.outcome_bounds(position, depth, push);
    }
}

forward! { impl Game for Promising }
