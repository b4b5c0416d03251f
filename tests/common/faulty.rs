//! A random graph that breaks the contract of games, or panics, where a test tells it to.

use starsplit::game::{Game, GameFacts, NodeKind, Step};
use starsplit_testkit::{GraphPosition, RandomGraph};
use starsplit_wrappers::{GameWrapper, forward};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is wrong with the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The n-th successor that is made panics, and so does every later one.
    PanicAtSuccessor(u64),
    /// The n-th question for a position's kind panics, and no other.
    PanicAtKind(u64),
    /// The last outcome of every chance node has weight 0.
    ZeroWeight,
    /// The weights of chance nodes sum to more than 2^32 - 1.
    HeavyWeights,
    /// Chance nodes have no outcomes.
    NoOutcomes,
    /// Decision nodes have no moves.
    NoMoves,
    /// There are so many move slots.
    MoveSlots(usize),
}

/// The graph with its fault.
#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    graph: RandomGraph,
    pub(crate) fault: Option<Fault>,
    successors: Arc<AtomicU64>,
    kinds: Arc<AtomicU64>,
}

impl Faulty {
    pub(crate) fn new(graph: RandomGraph, fault: Fault) -> Self {
        Faulty { graph, fault: Some(fault), successors: Arc::default(), kinds: Arc::default() }
    }

    /// Counts the successors made, the one that panicked among them.
    pub(crate) fn made(&self) -> Arc<AtomicU64> {
        self.successors.clone()
    }

    fn count_successor(&self) {
        if let Some(Fault::PanicAtSuccessor(number)) = self.fault {
            let made = self.successors.fetch_add(1, Relaxed) + 1;
            assert!(made < number, "the game gave up at successor {number}");
        }
    }
}

impl GameWrapper for Faulty {
    type Inner = RandomGraph;
    type Position = GraphPosition;

    fn inner(&self) -> &RandomGraph {
        &self.graph
    }

    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
        self.count_successor();
        after
    }

    fn identity(&self) -> u64 {
        self.graph.identity()
    }

    fn facts(&self) -> GameFacts {
        let slots = if let Some(Fault::MoveSlots(slots)) = self.fault { slots } else { 0 };
        self.graph.facts().with_move_slots(slots)
    }

    fn kind(&self, position: &GraphPosition) -> NodeKind {
        if let Some(Fault::PanicAtKind(number)) = self.fault {
            assert!(self.kinds.fetch_add(1, Relaxed) + 1 != number, "the game gave up at kind {number}");
        }
        self.graph.kind(position)
    }

    fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
        if self.fault != Some(Fault::NoMoves) {
            self.graph.moves(position, push);
        }
    }

    fn outcomes(&self, position: &GraphPosition, mut push: impl FnMut(u32, u32)) {
        let mut outcomes = Vec::new();
        self.graph.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
        match self.fault {
            Some(Fault::NoOutcomes) => outcomes.clear(),
            Some(Fault::ZeroWeight) => outcomes.last_mut().expect("an outcome").1 = 0,
            Some(Fault::HeavyWeights) => outcomes = vec![(0, u32::MAX), (0, 1)],
            _ => {}
        }
        outcomes.into_iter().for_each(|(outcome, weight)| push(outcome, weight));
    }
}

forward! { impl Game for Faulty }
