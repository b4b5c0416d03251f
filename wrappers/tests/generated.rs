//! How often a search has moves generated.

use crate::common::batched::Batched;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, StepOf};
use starsplit::score::Score;
use starsplit::search::{LaneOptions, Limits, Options, SiblingBatch};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use starsplit_wrappers::{GameWrapper, forward};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts how often moves are generated.
struct Generating {
    inner: RandomGraph,
    generated: AtomicU64,
}

impl GameWrapper for Generating {
    type Inner = RandomGraph;
    type Position = GraphPosition;

    fn inner(&self) -> &RandomGraph {
        &self.inner
    }

    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &GraphPosition, _: StepOf<RandomGraph>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        self.inner.identity()
    }

    fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
        self.generated.fetch_add(1, Ordering::Relaxed);
        self.inner.moves(position, push);
    }
}

forward! { impl Game for Generating }

/// The first moves after all outcomes share a call. The nodes are then searched with the moves generated for
/// it.
#[test]
fn evaluating_first_moves_together_generates_no_moves_twice() {
    let shape = GraphShape { positions: 4_000, terminal_percent: 2, ..GraphShape::default() };
    let search = |seed: u64, sibling_batch: SiblingBatch| -> (Option<Score>, u64) {
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let evaluator = Batched(HashRandom::new(seed, graph.facts().grid.limit()));
        let start = graph.start();
        let game = Generating { inner: graph, generated: AtomicU64::new(0) };
        let lanes = LaneOptions { count: Some(1), sibling_batch, ..LaneOptions::default() };
        let options = Options { lanes, ..Options::default() };
        let table = LocklessTable::new(1).expect("a small table");
        let searcher = Searcher::new(game, evaluator, table).with_options(options);
        let found = searcher.request(&start).limits(Limits::depth(6)).search().expect("a sound game");
        (found.score(), searcher.game().generated.load(Ordering::Relaxed))
    };
    let (mut alone, mut together) = (0, 0);
    for seed in 0..40 {
        let (expected, one_by_one) = search(seed, SiblingBatch::None);
        let (score, in_calls) = search(seed, SiblingBatch::Probes);
        assert_eq!(score, expected, "seed {seed}");
        (alone, together) = (alone + one_by_one, together + in_calls);
    }
    // What is generated for nodes that a cut then spares is no more than is spared between the two phases.
    assert!(alone > 10_000 && together * 20 <= alone * 21, "{together} beside {alone}");
}
