//! How play comes back to positions of random graphs: worked out, known in part, or lied about.

use crate::common::verdict::Graph;
use starsplit::evaluator::mix64;
use starsplit::game::{NodeKind, Step};
use starsplit_testkit::{GraphPosition, RandomGraph};
use starsplit_wrappers::repetition::Returns;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much is known of the way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nearness {
    /// Nothing.
    One,
    /// Half of it, rounded up.
    Half,
    /// All.
    True,
    /// It is said that nothing ever comes back, so that keys are those of positions alone.
    Denied,
}

/// What a random graph knows of the way back, and which of its moves and outcomes are irreversible, by its
/// own lights: those drawn, whatever they lead to.
#[derive(Clone, Debug)]
pub(crate) struct Returning {
    seed: u64,
    irreversible_percent: u64,
    nearness: Nearness,
    /// The least depth at which a search of one position comes to another: by the one's number, then the
    /// other's.
    depths: Vec<Vec<u8>>,
    /// How often an earlier position was told to be as near as this.
    near: u8,
    told_near: Arc<AtomicU64>,
}

impl Returning {
    /// `near` plies are counted as near.
    pub(crate) fn new<G: Graph>(
        (game, graph): (&G, &RandomGraph),
        seed: u64,
        irreversible_percent: u64,
        nearness: Nearness,
        near: u8,
    ) -> Self {
        let edges: Vec<_> = graph.positions().map(|position| edges(game, position)).collect();
        let depths = (0..edges.len()).map(|from| depths_from(&edges, from)).collect();
        Returning { seed, irreversible_percent, nearness, depths, near, told_near: Arc::default() }
    }

    /// How often a position that is as near as was asked for was found in a past.
    pub(crate) fn told_near(&self) -> u64 {
        self.told_near.load(Ordering::Relaxed)
    }

    fn drops_past(&self, before: GraphPosition, ordinal: u32) -> bool {
        let edge = u64::from(before.index) << 32 | u64::from(ordinal);
        mix64(self.seed ^ mix64(edge)) % 100 < self.irreversible_percent
    }
}

impl<G: Graph> Returns<G> for Returning {
    fn identity(&self) -> u64 {
        mix64(self.seed ^ mix64(self.irreversible_percent))
    }

    fn is_irreversible(
        &self,
        _: &G,
        before: &GraphPosition,
        step: Step<u32, u32>,
        _: &GraphPosition,
    ) -> bool {
        let (Step::Move(ordinal) | Step::Outcome(ordinal)) = step;
        self.drops_past(*before, ordinal)
    }

    fn depth_back(&self, _: &G, position: &GraphPosition, earlier: &GraphPosition) -> u8 {
        let depth = self.depths[position.index as usize][earlier.index as usize];
        let told = match self.nearness {
            Nearness::One => 1,
            Nearness::Half => depth.div_ceil(2),
            Nearness::True => depth,
            Nearness::Denied => u8::MAX,
        };
        self.told_near.fetch_add(u64::from(told <= self.near), Ordering::Relaxed);
        told
    }
}

/// Where the edges of a position lead, and the plies that they take.
fn edges<G: Graph>(game: &G, position: GraphPosition) -> Vec<(usize, u8)> {
    let mut edges = Vec::new();
    match game.kind(&position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => game.moves(&position, |mv| {
            let after = game.play(&position, mv);
            let plies = if G::STEPS.plies { game.plies(&position, Step::Move(mv), &after) } else { 1 };
            edges.push((after.index as usize, plies));
        }),
        NodeKind::Chance => game.outcomes(&position, |outcome, _| {
            let after = game.resolve(&position, outcome);
            let plies =
                if G::STEPS.plies { game.plies(&position, Step::Outcome(outcome), &after) } else { 1 };
            edges.push((after.index as usize, plies));
        }),
    }
    edges
}

/// The least depth at which a search of `from` comes to each position; 255 where none does. The last edge
/// counts 1, whatever it takes.
fn depths_from(edges: &[Vec<(usize, u8)>], from: usize) -> Vec<u8> {
    let mut plies = vec![u8::MAX; edges.len()];
    plies[from] = 0;
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for (before, edges) in edges.iter().enumerate() {
            for &(after, taken) in edges {
                let through = plies[before].saturating_add(taken);
                has_changed |= through < plies[after];
                plies[after] = plies[after].min(through);
            }
        }
    }
    let mut depths = vec![u8::MAX; edges.len()];
    for (before, edges) in edges.iter().enumerate() {
        for &(after, _) in edges {
            depths[after] = depths[after].min(plies[before].saturating_add(1));
        }
    }
    depths
}
