//! The frontier against the search of decision nodes that it stands for: the same bounds with the same
//! counts.

use crate::evaluator::Evaluator;
use crate::parallel::TeamSetup;
use crate::processor::Thread;
use crate::score::Bounds;
use crate::search::answer::Stats;
use crate::search::control::Control;
use crate::search::near_leaves::FRONTIER;
use crate::search::request::{Algorithm, Limits, MoveOrdering, Options, TableUse};
use crate::search::worker::{SearchContext, Worker};
use crate::search::{Iteration, StopFlag, deepening};
use crate::table::LocklessTable;
use crate::tests::{Blind, Graph, Shape};

type Serial<const REWARDS: bool, E> = TeamSetup<Graph<REWARDS>, E, LocklessTable, Thread>;

/// Searches the graph from its start; with or without the loop for nodes above collapsed ones. Gives each
/// iteration's bounds and best move, and what was counted.
fn search<const REWARDS: bool, E: Evaluator<Graph<REWARDS>>>(
    graph: &Graph<REWARDS>,
    evaluator: &E,
    options: &Options,
    with_frontier: bool,
) -> (Vec<(Bounds, Option<u32>)>, Stats) {
    let table = LocklessTable::with_buckets(64).expect("a small table");
    let control = Control::with_progress(&Limits::depth(6), &StopFlag::new(), Default::default());
    let search = SearchContext {
        game: graph,
        evaluator,
        table: &table,
        options,
        control: &control,
        root_moves: &[],
        logs: None,
    };
    let mut worker = Worker::<Serial<REWARDS, E>>::new(search, Thread::new(control.started), None);
    assert!(worker.near_leaves.has_own_loop(FRONTIER), "{options:?}");
    if !with_frontier {
        worker.near_leaves.own_loops &= !(1 << FRONTIER);
    }
    let result = deepening::run(&mut worker, &0, 6, Box::new(|_| {}));
    let found = |iteration: &Iteration<u32, u32>| (iteration.bounds, iteration.best_move);
    (result.iterations.iter().map(found).collect(), result.stats)
}

/// Every way to search that has a frontier.
fn all_options() -> Vec<Options> {
    let algorithms = [Algorithm::Star1, Algorithm::Star2, Algorithm::Star2Tt];
    let orderings = [MoveOrdering::Paper, MoveOrdering::Hybrid];
    let mut all = Vec::new();
    for algorithm in algorithms {
        for ordering in orderings {
            for probing_factor in [Some(1), Some(2)] {
                all.push(Options {
                    algorithm,
                    ordering,
                    probing_factor,
                    table_depth: Some(3), // what is chosen depends on when it is
                    table_use: TableUse::All,
                    ..Options::default()
                });
            }
        }
    }
    all
}

#[test]
fn the_frontier_finds_what_the_usual_search_finds_with_the_same_counts() {
    let mut collapsed = [0; 3];
    for seed in 0..400 {
        let limit = [3, 1 << 10][seed as usize % 2];
        let shape = Shape {
            seed,
            groups: 5 + seed as u32 / 2,
            chance_percent: 15 + seed as u32 % 40,
            terminal_percent: 10,
            // More moves, too, than the usual search selects one by one.
            successors: [3, 4, 5, 12][seed as usize % 4],
            limit,
            reward: [1, 3][seed as usize / 2 % 2],
            ..Shape::default()
        };
        let (graph, rewarded) = (Graph::<false>(shape.clone()), Graph::<true>(shape));
        let blind = Blind::<false> { seed, limit, cost: 30 };
        let telling = Blind::<false, true> { seed, limit, cost: 30 };
        let sometimes = Blind::<true> { seed, limit, cost: 30 };
        for options in all_options() {
            let with = search(&graph, &blind, &options, true);
            assert_eq!(with, search(&graph, &blind, &options, false), "seed {seed}, {options:?}");
            collapsed[0] += with.1.nodes.collapsed;
            let with = search(&rewarded, &blind, &options, true);
            let without = search(&rewarded, &blind, &options, false);
            assert_eq!(with, without, "seed {seed}, {options:?}, with rewards");
            collapsed[1] += with.1.nodes.collapsed;
            let with = search(&rewarded, &telling, &options, true);
            let without = search(&rewarded, &telling, &options, false);
            assert_eq!(with, without, "seed {seed}, {options:?}, with bounds");
            let with = search(&graph, &sometimes, &options, true);
            let without = search(&graph, &sometimes, &options, false);
            assert_eq!(with, without, "seed {seed}, {options:?}, with a promise for some nodes");
            collapsed[2] += with.1.nodes.collapsed;
        }
    }
    let [plain, rewarded, sometimes] = collapsed;
    let is_enough = plain > 100_000 && rewarded > 50_000 && sometimes > 50_000;
    assert!(is_enough, "only {collapsed:?} chance nodes collapsed");
}
