//! The frontier against the search of decision nodes that it stands for: the same bounds with the same
//! counts.

use super::DEPTH;
use crate::evaluator::Evaluator;
use crate::game::{Game, Kind};
use crate::parallel::TeamSetup;
use crate::processor::Thread;
use crate::score::{Bounds, Score};
use crate::search::algorithm::Algorithm;
use crate::search::answer::Stats;
use crate::search::control::Control;
use crate::search::deepening;
use crate::search::request::{History, Limits, MoveOrdering, Options, TableUse};
use crate::search::worker::{SearchContext, Worker};
use crate::search::{Iteration, StopFlag};
use crate::table::LocklessTable;
use crate::testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph, RewardedGraph, Rewards};

/// The same evaluations, and the value of every chance node at depth 1 for bounds, of which neither search is
/// to ask: such nodes collapse.
struct Telling(OutcomeBlind);

impl<G: Game<Position = GraphPosition, Move = u32, Outcome = u32>> Evaluator<G> for Telling
where
    OutcomeBlind: Evaluator<G, State = u32>,
{
    type State = u32;
    const IGNORES_OUTCOME: bool = true;
    const HAS_BOUNDS: bool = true;

    fn identity(&self) -> u64 {
        Evaluator::<G>::identity(&self.0)
    }

    fn saturates(&self, game: &G) -> bool {
        self.0.saturates(game)
    }

    fn state(&self, game: &G, position: &GraphPosition) -> u32 {
        self.0.state(game, position)
    }

    fn after_move(
        &self,
        game: &G,
        state: &u32,
        before: &GraphPosition,
        mv: u32,
        after: &GraphPosition,
    ) -> u32 {
        self.0.after_move(game, state, before, mv, after)
    }

    fn evaluate(&self, game: &G, position: &GraphPosition, state: &u32) -> Score {
        self.0.evaluate(game, position, state)
    }

    fn bounds(&self, game: &G, position: &GraphPosition, depth: u8) -> Bounds {
        let limit = game.grid().limit();
        let mut is_sure = depth == 1 && game.kind(position) == Kind::Chance;
        if is_sure {
            game.outcomes(position, |outcome, _| {
                let after = game.resolve(position, outcome);
                is_sure &= game.kind(&after) != Kind::Terminal;
                is_sure &= !G::HAS_REWARDS || game.outcome_reward(position, outcome, &after) == 0;
            });
        }
        let score = || self.0.evaluate(game, position, &self.0.state(game, position)).clamp(-limit, limit);
        if is_sure { Bounds::exactly(score()) } else { Bounds::unknown(limit) }
    }
}

type Serial<G, E> = TeamSetup<G, E, LocklessTable, Thread>;

/// The same evaluator with a promise for every second position only.
struct Sometimes(OutcomeBlind);

impl<G: Game<Position = GraphPosition>> Evaluator<G> for Sometimes
where
    OutcomeBlind: Evaluator<G>,
{
    type State = <OutcomeBlind as Evaluator<G>>::State;
    const MAY_IGNORE_OUTCOME: bool = true;

    fn identity(&self) -> u64 {
        !self.0.identity()
    }

    fn saturates(&self, game: &G) -> bool {
        self.0.saturates(game)
    }

    fn state(&self, game: &G, position: &GraphPosition) -> Self::State {
        self.0.state(game, position)
    }

    fn after_move(
        &self,
        game: &G,
        state: &Self::State,
        before: &GraphPosition,
        mv: G::Move,
        after: &GraphPosition,
    ) -> Self::State {
        self.0.after_move(game, state, before, mv, after)
    }

    fn ignores_outcome(&self, _: &G, position: &GraphPosition) -> bool {
        position.index.is_multiple_of(2)
    }

    fn evaluate(&self, game: &G, position: &GraphPosition, state: &Self::State) -> Score {
        self.0.evaluate(game, position, state)
    }
}

/// Searches the graph from its start; with or without the loop for nodes above collapsed ones. Gives each
/// iteration's bounds and best move, and what was counted.
fn search<G: Game<Position = GraphPosition, Move = u32, Outcome = u32>, E: Evaluator<G>>(
    graph: &G,
    evaluator: &E,
    options: &Options,
    with_frontier: bool,
) -> (Vec<(Bounds, Option<u32>)>, Stats) {
    let table = LocklessTable::with_buckets(64).expect("a small table");
    let control = Control::new(&Limits::depth(6), &StopFlag::new());
    let search = SearchContext { game: graph, evaluator, table: &table, options, control: &control };
    let mut worker = Worker::<Serial<G, E>>::new(search, Thread::new(control.started), None);
    assert!(worker.has_own_loop(DEPTH), "{options:?}");
    if !with_frontier {
        worker.own_loops &= !(1 << DEPTH);
    }
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
    let mut collapsed = [0; 3];
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
        let sometimes = Sometimes(evaluator.clone());
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
            let telling = Telling(evaluator.clone());
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
