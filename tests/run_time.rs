//! Games behind a pointer, and evaluators that are chosen when the program runs, in one type of searcher.

use crate::common::carried::Carried;
use crate::common::graphs::affordable_depth;
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use starsplit::evaluator::{AnyEvaluator, BehindPointer, Constant, HashRandom};
use starsplit::search::{LaneOptions, Limits, Options};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphShape, RandomGraph};
use std::sync::Arc;

/// An evaluator without a state, one with a state, and one that ignores outcomes.
fn evaluators(seed: u64) -> [AnyEvaluator<'static, RandomGraph>; 3] {
    [
        AnyEvaluator::new(HashRandom::new(seed, 1000)),
        AnyEvaluator::new(Carried::new(seed, 1000, false)),
        AnyEvaluator::new(Constant::new(seed as i32 % 1000)),
    ]
}

#[test]
fn games_behind_pointers_and_evaluators_of_any_type_have_the_oracles_values() {
    let pool = Pool::new(2).expect("two threads");
    let (mut positive, mut batches) = (0, 0);
    for seed in 0..40 {
        let graph = RandomGraph::new(&GraphShape::default(), seed).expect("a shape within its limits");
        let (root, shared) = (graph.start(), Arc::new(graph.clone()));
        let depth = affordable_depth(&graph, root, 6, 2_000);
        for evaluator in evaluators(seed) {
            let expected = Oracle::new(&graph, &evaluator).value(&root, depth);
            let table = LocklessTable::with_buckets(64).expect("a small table");
            let searcher = Searcher::new(shared.clone(), BehindPointer(evaluator), table);
            let searcher = searcher.with_pool(pool.clone());
            for (threads, lanes) in [(1, 1), (2, 1), (1, 3)] {
                let lanes = LaneOptions { count: Some(lanes), batch: Some(4), ..LaneOptions::default() };
                let options = Options { threads, lanes, splits: eager(Some(2)), ..Options::default() };
                searcher.new_game();
                let request = searcher.request(&root).options(options).limits(Limits::depth(depth));
                let found = request.search().expect("a sound game");
                assert_eq!(found.score().map(i64::from), Some(expected), "seed {seed}, {threads} threads");
                assert_eq!(found.contradictions(), 0, "seed {seed}");
                batches += u64::from(found.stats.batches.calls > 0);
            }
            positive += u64::from(expected > 0);
        }
    }
    assert!(positive > 20 && batches > 20, "{positive} positive values, {batches} searches in batches");
}
