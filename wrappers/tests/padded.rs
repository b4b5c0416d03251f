//! Evaluations in calls of one size: no other value, and no call of another size.

use crate::common::batched::Batched;
use crate::inner::Priced;
use starsplit::Searcher;
use starsplit::evaluator::{EvaluationCost, EvaluationError, Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::{LaneOptions, Limits, Options};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphShape, RandomGraph};
use starsplit_wrappers::{EvaluatorWrapper, Padded, forward};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what it is asked for.
struct Counted {
    inner: Batched,
    calls: AtomicU64,
    evaluations: AtomicU64,
}

impl EvaluatorWrapper for Counted {
    type Inner = Batched;

    fn inner(&self) -> &Batched {
        &self.inner
    }

    fn evaluate_many<G: Game>(
        &self,
        game: &G,
        nodes: &[(&G::Position, &<Batched as Evaluator<G>>::State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError>
    where
        Batched: Evaluator<G>,
    {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.evaluations.fetch_add(nodes.len() as u64, Ordering::Relaxed);
        Evaluator::evaluate_many(&self.inner, game, nodes, scores)
    }
}

forward! { impl Evaluator for Counted }

fn in_lanes(count: usize, batch: Option<usize>) -> Options {
    Options {
        lanes: LaneOptions { count: Some(count), batch, ..LaneOptions::default() },
        ..Options::default()
    }
}

#[test]
fn calls_of_one_size_change_no_value() {
    let shape = GraphShape { positions: 4_000, terminal_percent: 2, ..GraphShape::default() };
    let game = RandomGraph::new(&shape, 5).expect("the shape is within its limits");
    let inner = Batched(HashRandom::new(5, game.facts().grid.limit()));
    let search = |options: Options, size: usize| {
        let evaluator = Counted { inner, calls: AtomicU64::new(0), evaluations: AtomicU64::new(0) };
        let table = LocklessTable::new(1).expect("a small table");
        let searcher = Searcher::new(game.clone(), Padded::new(&evaluator, size), table);
        let searcher = searcher.with_options(options);
        let found = searcher.request(&game.start()).limits(Limits::depth(5)).search().expect("a sound game");
        (found.score(), evaluator.evaluations.into_inner(), evaluator.calls.into_inner())
    };
    let (expected, ..) = search(in_lanes(1, None), 1);
    for size in [1, 7, 16] {
        let (score, evaluations, calls) = search(in_lanes(16, Some(16)), size);
        assert!(calls > 0);
        assert_eq!((score, evaluations), (expected, calls * size as u64), "size {size}");
    }
}

#[test]
fn a_price_that_is_not_declared_stays_so() {
    let game = RandomGraph::new(&GraphShape::default(), 5).expect("the shape is within its limits");
    let inner = Batched(HashRandom::new(5, game.facts().grid.limit()));
    let cost = Evaluator::facts(&Padded::new(inner, 8), &game).cost;
    assert_eq!(cost, EvaluationCost { fixed_ns: 5_000 + 8 * 100, each_ns: 0 });
    assert!(!Evaluator::facts(&Padded::new(Priced(inner.0, 0), 8), &game).cost.is_declared());
}
