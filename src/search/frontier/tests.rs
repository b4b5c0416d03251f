//! The frontier against the search of decision nodes that it stands for: the same bounds with the same
//! counts.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::TeamSetup;
use crate::processor::Thread;
use crate::score::Bounds;
use crate::search::algorithm::Algorithm;
use crate::search::answer::Stats;
use crate::search::control::Control;
use crate::search::deepening;
use crate::search::request::{History, Limits, MoveOrdering, Options, TableUse};
use crate::search::worker::{SearchContext, Worker};
use crate::search::{Iteration, StopFlag};
use crate::table::LocklessTable;
use crate::testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph, RewardedGraph, Rewards};

type Serial<G> = TeamSetup<G, OutcomeBlind, LocklessTable, Thread>;

/// Searches the graph from its start; with or without the loop for nodes above collapsed ones. Gives each
/// iteration's bounds and best move, and what was counted.
fn search<G: Game<Position = GraphPosition, Move = u32, Outcome = u32>>(
    graph: &G,
    evaluator: &OutcomeBlind,
    options: &Options,
    with_frontier: bool,
) -> (Vec<(Bounds, Option<u32>)>, Stats)
where
    OutcomeBlind: Evaluator<G>,
{
    let table = LocklessTable::with_buckets(64).expect("a small table");
    let control = Control::new(&Limits::depth(6), &StopFlag::new());
    let search = SearchContext { game: graph, evaluator, table: &table, options, control: &control };
    let mut worker = Worker::<Serial<G>>::new(search, Thread::new(control.started), None);
    assert!(worker.is_simple_frontier, "{options:?}");
    worker.is_simple_frontier = with_frontier;
    let result = deepening::run(&mut worker, &GraphPosition { index: 0 }, 6, |_| {});
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
            for &history in History::ALL {
                for probing_factor in [Some(1), Some(2)] {
                    let table_use = TableUse::All;
                    let options = Options {
                        algorithm,
                        ordering,
                        history,
                        probing_factor,
                        table_depth: Some(3), // what is chosen depends on when it is
                        table_use,
                        ..Options::default()
                    };
                    all.push(options);
                }
            }
        }
    }
    all
}

#[test]
fn the_frontier_finds_what_the_usual_search_finds_with_the_same_counts() {
    let mut collapsed = [0; 2];
    for seed in 0..100 {
        let shape = GraphShape {
            positions: 40 + 4 * seed as u32,
            chance_percent: 15 + seed as u32 % 40,
            // More moves, too, than the usual search selects one by one.
            successors: 1..=[3, 4, 5, 12][seed as usize % 4],
            limit: [3, 1 << 10][seed as usize % 2],
            ..GraphShape::default()
        };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let evaluator = OutcomeBlind::new(&graph, seed, shape.limit);
        for options in all_options() {
            let with = search(&graph, &evaluator, &options, true);
            assert_eq!(with, search(&graph, &evaluator, &options, false), "seed {seed}, {options:?}");
            collapsed[0] += with.1.nodes.collapsed;
            let rewards =
                Rewards { move_percent: 50, outcome_percent: 30, most: [1, 3][seed as usize / 2 % 2] };
            let rewarded = RewardedGraph::new(graph.clone(), rewards).expect("small rewards");
            let with = search(&rewarded, &evaluator, &options, true);
            let without = search(&rewarded, &evaluator, &options, false);
            assert_eq!(with, without, "seed {seed}, {options:?}, with rewards");
            collapsed[1] += with.1.nodes.collapsed;
        }
    }
    let [plain, rewarded] = collapsed;
    assert!(plain > 100_000 && rewarded > 50_000, "only {collapsed:?} chance nodes collapsed");
}
