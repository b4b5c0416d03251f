//! `Searcher::line` keeps its promise: a best move at every decision node, the likeliest outcome at every
//! chance node, down to the depth or the end of the game, whatever the table remembers; and, stopped, as much
//! of it as there was time for.

#[path = "../examples/pig.rs"]
#[allow(dead_code, reason = "it has a main of its own")]
mod pig;

use crate::common::campaign;
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Seeing};
use crate::common::faulty::{Fault, Faulty};
use crate::common::forms::forms;
use crate::common::graphs::{
    affordable_depth, endless_graph, graph_of, rewards, root_of, shapes, wide_graph,
};
use crate::common::oracle::Oracle;
use crate::common::verdict::assert_happened;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::{Constant, Evaluator, HashRandom};
use starsplit::game::{Game, NodeKind, Step};
use starsplit::search::{
    Algorithm, Limits, Options, PrincipalVariation, RootRanking, SearchError, SearchResult, Splits,
    StopReason, TableUse,
};
use starsplit::table::{LocklessTable, NoTable, Table};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph, RewardedGraph, Rewards};
use std::cell::Cell;
use std::time::Duration;

/// How often the campaign met what it is about.
#[derive(Debug, Default)]
struct Met {
    lines: Cell<u64>,
    moves: Cell<u64>,
    outcomes: Cell<u64>,
    /// Steps beyond the end of the line that the search itself gave.
    forgotten: Cell<u64>,
    /// Lines that end with the game.
    ended: Cell<u64>,
}

fn count(counter: &Cell<u64>, more: u64) {
    counter.set(counter.get() + more);
}

/// Holds each step of a line to depth `depth` against the oracle; the position it ends in.
fn check_steps<G: Game<Outcome: PartialEq>, E: Evaluator<G>>(
    oracle: &mut Oracle<'_, G, E>,
    root: &G::Position,
    depth: u32,
    steps: &[Step<G::Move, G::Outcome>],
) -> Result<G::Position, String> {
    let game = oracle.game;
    let mut position = root.clone();
    for (&step, left) in steps.iter().zip((1..=depth).rev()) {
        let kind = game.kind(&position);
        position = match step {
            Step::Move(mv) if kind == NodeKind::Decision => {
                let (worth, value) =
                    (oracle.worth_of_move(&position, mv, left), oracle.value(&position, left));
                if worth != value {
                    return Err(format!("{mv:?} is worth {worth} of {value} with {left} left in {steps:?}"));
                }
                game.play(&position, mv)
            }
            Step::Outcome(outcome) if kind == NodeKind::Chance => {
                let mut likeliest = None;
                game.outcomes(&position, |outcome, weight| {
                    if likeliest.is_none_or(|(_, greatest)| weight > greatest) {
                        likeliest = Some((outcome, weight));
                    }
                });
                if likeliest.is_none_or(|(first, _)| first != outcome) {
                    return Err(format!("{outcome:?} where {likeliest:?} is likeliest, in {steps:?}"));
                }
                game.resolve(&position, outcome)
            }
            _ => return Err(format!("{step:?} at a node of kind {kind:?}, in {steps:?}")),
        };
    }
    Ok(position)
}

/// The same of a whole line of `result`.
fn check_whole<G: Game<Outcome: PartialEq>, E: Evaluator<G>>(
    oracle: &mut Oracle<'_, G, E>,
    root: &G::Position,
    result: &SearchResult<G::Move, G::Outcome>,
    line: &PrincipalVariation<G::Move, G::Outcome>,
) -> Result<(), String> {
    let steps = &line.steps;
    let end = check_steps(oracle, root, result.depth, steps)?;
    let ends_game = oracle.game.kind(&end) == NodeKind::Terminal;
    if !line.is_whole() || (steps.len() as u32 != result.depth && !ends_game) {
        return Err(format!("{line:?} at depth {}", result.depth));
    }
    let first = steps.first().and_then(|&step| if let Step::Move(mv) = step { Some(mv) } else { None });
    if first != result.best_move {
        return Err(format!("{steps:?} with the best move {:?}", result.best_move));
    }
    Ok(())
}

#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    rewards: Option<Rewards>,
    seed: u64,
    root: u32,
    /// Whether evaluations are few, and so many moves equally good.
    has_ties: bool,
    is_ranked: bool,
    deepening: bool,
}

fn cases() -> impl Strategy<Value = Case> {
    let shape = shapes().prop_flat_map(|shape| {
        let rewards = prop::option::of(rewards(shape.limit));
        (Just(shape), rewards)
    });
    (shape, any::<u64>(), any::<u32>(), any::<(bool, bool, bool)>()).prop_map(|(shape, seed, root, flags)| {
        let ((shape, rewards), (has_ties, is_ranked, deepening)) = (shape, flags);
        Case { shape, rewards, seed, root, has_ties, is_ranked, deepening }
    })
}

/// Calls `test` with so many graphs.
fn campaign(graphs: u32, test: impl Fn(Case) -> Result<(), TestCaseError>) {
    campaign::run(graphs, 9, &cases(), test);
}

/// Options under which even small searches are split, and at once.
fn at_once(options: Options, threads: usize) -> Options {
    Options {
        threads,
        splits: Splits { depth: Some(2), size: Some(0), helpers_after: Duration::ZERO, ..options.splits },
        ..options
    }
}

/// Searches, and checks the whole line.
fn check_search<G, T>(
    game: &G,
    root: &GraphPosition,
    depth: u32,
    searcher: &Searcher<G, Seeing<'_, G>, T>,
    met: &Met,
) -> Result<(), TestCaseError>
where
    G: Game<Position = GraphPosition, Move = u32, Outcome = u32>,
    T: Table,
{
    let result = searcher.request(root).limits(Limits::depth(depth)).search().expect("a sound game");
    let line = searcher.request(root).following(&result).pv().expect("a sound game");
    let mut oracle = Oracle::new(game, searcher.evaluator());
    check_whole(&mut oracle, root, &result, &line)
        .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {:?}", searcher.options())))?;
    let moves = line.steps.iter().filter(|step| matches!(step, Step::Move(_))).count();
    count(&met.lines, 1);
    count(&met.moves, moves as u64);
    count(&met.outcomes, (line.steps.len() - moves) as u64);
    count(&met.forgotten, line.steps.len().saturating_sub(result.pv.len()) as u64);
    count(&met.ended, u64::from((line.steps.len() as u32) < depth));
    Ok(())
}

/// Searches by every algorithm and table use, on one thread and on two, with a table of one bucket and
/// without any.
fn check_searches<G>(game: &G, graph: &RandomGraph, case: &Case, met: &Met) -> Result<(), TestCaseError>
where
    G: Game<Position = GraphPosition, Move = u32, Outcome = u32> + Clone,
{
    let root = root_of(graph, case.root);
    let depth = affordable_depth(graph, root, 7, 1_000);
    let limit = if case.has_ties { 1 } else { case.shape.limit };
    let evaluator = Seeing::of(Carried::new(case.seed, limit, false));
    let pool = Pool::new(2).expect("two threads");
    let table = LocklessTable::with_buckets(1).expect("a small table");
    for (algorithm, table_use) in forms() {
        for threads in [1, 2] {
            let options = Options {
                algorithm,
                table_use,
                root_ranking: if case.is_ranked { RootRanking::Best(2) } else { RootRanking::None },
                deepening: case.deepening,
                ..Options::default()
            };
            let options = at_once(options, threads);
            let (game, pool) = (game.clone(), pool.clone());
            if table_use == TableUse::None {
                let searcher = Searcher::new(game.clone(), evaluator.clone(), NoTable).with_options(options);
                check_search(&game, &root, depth, &searcher.with_pool(pool), met)?;
            } else {
                table.clear(1);
                let searcher = Searcher::new(game.clone(), evaluator.clone(), &table).with_options(options);
                check_search(&game, &root, depth, &searcher.with_pool(pool), met)?;
            }
        }
    }
    Ok(())
}

#[test]
fn whole_lines_are_the_oracles_with_tiny_tables_and_without_any() {
    let met = Met::default();
    campaign(400, |case| {
        let graph = graph_of(&case.shape, case.seed);
        match case.rewards {
            None => check_searches(&graph, &graph, &case, &met),
            Some(rewards) => {
                let rewarded = RewardedGraph::new(graph.clone(), rewards).expect("rewards within limits");
                check_searches(&rewarded, &graph, &case, &met)
            }
        }
    });
    assert_happened(&[
        ("lines", met.lines.get(), 4_000),
        ("moves", met.moves.get(), 8_000),
        ("outcomes", met.outcomes.get(), 8_000),
        ("steps that the table had forgotten", met.forgotten.get(), 8_000),
        ("lines to the end of the game", met.ended.get(), 200),
    ]);
}

#[test]
fn whole_lines_of_pig_are_the_oracles() {
    let (game, position) = pig::under_way();
    let evaluator = HashRandom::new(1, 1 << 20);
    let mut oracle = Oracle::new(&game, &evaluator);
    let table = LocklessTable::with_buckets(2).expect("a small table");
    for threads in [1, 2] {
        let options = at_once(Options::default(), threads);
        let searcher = Searcher::new(pig::under_way().0, evaluator, &table).with_options(options);
        for depth in [1, 2, 9, 12] {
            let result =
                searcher.request(&position).limits(Limits::depth(depth)).search().expect("a sound game");
            let line = searcher.request(&position).following(&result).pv().expect("a sound game");
            check_whole(&mut oracle, &position, &result, &line).expect("a best line");
            assert_eq!(line.steps.len() as u32, depth, "nobody wins so soon");
        }
    }
}

#[test]
fn a_line_may_be_asked_for_without_a_search() {
    let graph = wide_graph();
    let evaluator = Seeing::of(Carried::new(1, 1000, false));
    let searcher = Searcher::new(graph.clone(), evaluator.clone(), NoTable).with_options(Options {
        algorithm: Algorithm::Star2,
        table_use: TableUse::None,
        ..Options::default()
    });
    let mut oracle = Oracle::new(&graph, &evaluator);
    let root =
        graph.positions().find(|root| graph.kind(root) == NodeKind::Decision).expect("a decision node");
    let line = searcher.request(&root).limits(Limits::depth(5)).pv().expect("a sound game");
    check_steps(&mut oracle, &root, 5, &line.steps).expect("a best line");
    let end = graph.positions().find(|root| graph.kind(root) == NodeKind::Terminal).expect("an end");
    let nothing = searcher.request(&end).limits(Limits::depth(5)).pv().expect("a sound game");
    assert!(line.is_whole() && nothing.is_whole() && nothing.steps.is_empty());
}

#[test]
fn a_result_counts_nothing_of_its_line() {
    let graph = wide_graph();
    let root = graph.start();
    let options = Options { algorithm: Algorithm::Star2, table_use: TableUse::None, ..Options::default() };
    let searcher = Searcher::new(graph, Blind::of(Constant::default()), NoTable).with_options(options);
    let search = || searcher.request(&root).limits(Limits::depth(6)).search().expect("a sound game");
    let first = search();
    let line = searcher.request(&root).following(&first).pv().expect("a sound game");
    assert!(line.stats.nodes.total() > 0, "{line:?}");
    assert_eq!(search().stats, first.stats);
    // Its own counts are the same each time, too.
    assert_eq!(searcher.request(&root).following(&first).pv().expect("a sound game"), line);
}

/// An endless graph searched to depth 8, with a line that takes nodes.
fn endless() -> (Searcher<RandomGraph, Seeing<'static, RandomGraph>, NoTable>, GraphPosition) {
    let options = Options { algorithm: Algorithm::Star2, table_use: TableUse::None, ..Options::default() };
    let graph = endless_graph();
    let root = graph.start();
    let evaluator = Seeing::of(Carried::new(1, 1000, false));
    (Searcher::new(graph, evaluator, NoTable).with_options(options), root)
}

#[test]
fn a_stopped_line_is_a_proven_part_and_says_so() {
    let (searcher, root) = endless();
    let result = searcher.request(&root).limits(Limits::depth(7)).search().expect("a sound game");
    let whole = searcher.request(&root).following(&result).pv().expect("a sound game");
    assert!(whole.is_whole() && whole.stats.nodes.total() > 2_000, "{whole:?}");

    let (mut lengths, within) = (Vec::new(), |nodes| Limits::depth(7).with_nodes(nodes));
    for nodes in (0..40).map(|part| part * whole.stats.nodes.total() / 39) {
        let line =
            searcher.request(&root).following(&result).limits(within(nodes)).pv().expect("a sound game");
        assert!(whole.steps.starts_with(&line.steps), "{line:?} of {whole:?}");
        let is_short = line.steps.len() < whole.steps.len();
        assert_eq!(line.stopped_by, if is_short { StopReason::Nodes } else { StopReason::Depth });
        lengths.push(line.steps.len());
    }
    lengths.dedup();
    assert!(lengths.len() >= 3 && lengths.is_sorted(), "{lengths:?}");

    let no_time = Limits::depth(7).with_time(Duration::ZERO);
    let late = searcher.request(&root).following(&result).limits(no_time).pv().expect("a sound game");
    assert_eq!((late.stopped_by, late.is_whole()), (StopReason::Time, false));
    searcher.stop_handle().stop();
    let stopped = searcher.request(&root).following(&result).pv().expect("a sound game");
    assert_eq!((stopped.stopped_by, stopped.steps.first()), (StopReason::Flag, whole.steps.first()));
    assert!(stopped.steps.len() < whole.steps.len(), "{stopped:?}");
}

#[test]
fn where_nothing_was_searched_there_is_no_line() {
    let (searcher, root) = endless();
    searcher.stop_handle().stop();
    let nothing = searcher.request(&root).limits(Limits::depth(5)).search().expect("a sound game");
    searcher.stop_handle().clear();
    let refused = searcher.request(&root).following(&nothing).pv();
    assert_eq!((nothing.stopped_by, refused), (StopReason::Flag, Err(SearchError::Depth { found: 0 })));
}

#[test]
fn what_goes_wrong_below_the_line_is_an_error() {
    let error = |fault, depth| {
        let graph = Faulty::new(endless_graph(), fault);
        let table = LocklessTable::with_buckets(1).expect("a small table");
        let searcher = Searcher::new(graph, HashRandom::new(1, 1000), &table).with_options(Options {
            algorithm: Algorithm::Star1,
            table_use: TableUse::None,
            ..Options::default()
        });
        searcher.request(&endless_graph().start()).limits(Limits::depth(depth)).pv().expect_err("a fault")
    };
    assert!(matches!(error(Fault::PanicAtSuccessor(3), 4), SearchError::Panicked { .. }));
    assert_eq!(error(Fault::NoMoves, 4), SearchError::NoMoves);
    assert_eq!(error(Fault::NoOutcomes, 4), SearchError::TotalWeight { total: 0 });
    assert_eq!(error(Fault::NoMoves, 0), SearchError::Depth { found: 0 });
}
