//! A random graph that promises, or does not, that no outcome ends the game.

use starsplit::game::{Game, Hash, Kind, Player};
use starsplit::score::{Bounds, Grid, Score};
use starsplit_testkit::{GraphPosition, RandomGraph};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A graph with its promise, true or false.
#[derive(Clone, Debug)]
pub(crate) struct Promising {
    graph: RandomGraph,
    promises: bool,
    asked: Arc<AtomicU64>,
}

impl Promising {
    pub(crate) fn new(graph: RandomGraph, promises: bool) -> Self {
        Promising { graph, promises, asked: Arc::default() }
    }

    /// How often the outcomes of a position were asked for.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Relaxed)
    }
}

impl Game for Promising {
    type Position = GraphPosition;
    type Move = u32;
    type Outcome = u32;

    fn grid(&self) -> Grid {
        self.graph.grid()
    }

    fn identity(&self) -> u64 {
        self.graph.identity()
    }

    fn outcomes_never_end(&self) -> bool {
        self.promises
    }

    fn kind(&self, position: &GraphPosition) -> Kind {
        self.graph.kind(position)
    }

    fn player(&self, position: &GraphPosition) -> Player {
        self.graph.player(position)
    }

    fn terminal_score(&self, position: &GraphPosition) -> Score {
        self.graph.terminal_score(position)
    }

    fn hash(&self, position: &GraphPosition) -> Hash {
        self.graph.hash(position)
    }

    fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
        self.graph.moves(position, push);
    }

    fn play(&self, position: &GraphPosition, mv: u32) -> GraphPosition {
        self.graph.play(position, mv)
    }

    fn outcomes(&self, position: &GraphPosition, push: impl FnMut(u32, u32)) {
        self.asked.fetch_add(1, Relaxed);
        self.graph.outcomes(position, push);
    }

    fn resolve(&self, position: &GraphPosition, outcome: u32) -> GraphPosition {
        self.graph.resolve(position, outcome)
    }

    fn outcome_bounds(&self, position: &GraphPosition, depth: u8, push: impl FnMut(Bounds)) {
        self.graph.outcome_bounds(position, depth, push);
    }
}
