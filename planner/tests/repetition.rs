//! Plans of games in which a position that comes again ends the game.

use crate::common::graphs::affordable_depth_of;
use crate::common::verdict::assert_happened;
use crate::path_oracle::PathOracle;
use crate::returning::{Nearness, Returning};
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::score::{Bounds, Score};
use starsplit::search::{Limits, Options};
use starsplit::table::{LocklessTable, Reuse};
use starsplit_planner::{Identities, Planner, PlannerOptions, work};
use starsplit_testkit::{GraphShape, RandomGraph};
use starsplit_wrappers::OfInner;
use starsplit_wrappers::repetition::Repeating;

/// The deepest plan, and the greatest whole tree below a root.
const DEEPEST: u32 = 8;
const NODES: u64 = 1_500;

/// What a plan finds that is split wherever it can be; nothing where its answers contradict each other.
fn planned<G: Game + Clone, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    root: &G::Position,
    depth: u32,
) -> Option<Bounds> {
    let table = LocklessTable::with_buckets(4).expect("a small table");
    let identities = Identities::new(&game, &evaluator, Reuse::Exact);
    let options = PlannerOptions { split_above: 1, parts: u32::MAX };
    let planner = Planner::new(game.clone(), root.clone(), depth, identities, options);
    let mut planner = planner.expect("a plan");
    let options = Options { table_depth: Some(1), ..Options::default() };
    let searcher = Searcher::new(game, evaluator, &table).with_options(options);
    loop {
        if let Some(plan) = planner.plan() {
            return Some(plan.bounds);
        }
        for task in planner.tasks(3) {
            let answer = work(&searcher, root, &task, &Limits::unbounded()).expect("a task");
            planner.answer(&answer).ok()?;
        }
    }
}

/// What a planner keeps is apart by the past as what a table keeps is: with keys of positions alone plans
/// contradict themselves or find wrong roots, with the library's they find the path oracle's.
#[test]
fn plans_keep_pasts_apart() {
    let (mut wrong, mut right) = (0, 0);
    for seed in 0..300 {
        let shape = GraphShape {
            positions: 4 + seed as u32 % 24,
            successors: 1..=3,
            chance_percent: 30,
            terminal_percent: 5,
            limit: 1 << 10,
            cycles: true,
            ..GraphShape::default()
        };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let depth = affordable_depth_of(&graph, graph.start(), DEEPEST, NODES);
        let evaluator = HashRandom::new(seed, shape.limit);
        for nearness in [Nearness::Denied, Nearness::True] {
            let returns = Returning::new((&graph, &graph), seed, 10, nearness, DEEPEST as u8);
            let game = Repeating::knowing(graph.clone(), 0, returns.clone());
            let mut oracle = PathOracle::new(&graph, &evaluator, &returns, 0);
            let expected = Some(Bounds::exactly(oracle.value(&graph.start(), &[], depth) as Score));
            let found = planned(game.clone(), OfInner(evaluator), &game.begin(graph.start()), depth);
            if nearness == Nearness::Denied {
                wrong += u64::from(found != expected);
            } else {
                assert_eq!(found, expected, "{seed}");
                right += 1;
            }
        }
    }
    assert_happened(&[("wrong plans", wrong, 20), ("right ones with the library's keys", right, 300)]);
}
