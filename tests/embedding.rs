//! What engines rely on: the builder, the stop handle, callbacks, ranked root moves, the line, the table and
//! the threads between searches.

use crate::common::alternating::{Alternating, Held};
use crate::common::campaign;
use crate::common::carried::Carried;
use crate::common::erased::Seeing;
use crate::common::faulty::{Fault, Faulty};
use crate::common::graphs::{affordable_depth, endless_graph, graph_of, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use crate::common::verdict::are_ranked;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::{Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::{Game, NodeKind, Player, Step};
use starsplit::score::{Bounds, Score};
use starsplit::search::{
    Algorithm, Iteration, Limits, Method, Options, RootRanking, SearchError, SearchResult, Splits, StopFlag,
    StopReason, TableUse,
};
use starsplit::table::{LocklessTable, NoTable, Table};
use starsplit::{BuildError, Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use std::cell::Cell;
use std::sync::{Arc, mpsc};
use std::time::Duration;

type Found = SearchResult<u32, u32>;

fn evaluator() -> HashRandom {
    HashRandom::new(1, 1000)
}

fn oracle_value(graph: &RandomGraph, root: &GraphPosition, depth: u32) -> Score {
    Oracle::new(graph, &evaluator()).value(root, depth) as Score
}

/// A game in which chance and decisions take turns, and so large that searches seldom meet a position twice.
fn alternating() -> Alternating {
    Alternating::new(1 << 14, 1)
}

/// Calls `act` on a thread of its own, and fails where it has not come back after a time that no machine
/// needs.
fn without_hanging<R: Send + 'static>(what: &str, act: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(act()));
    receiver
        .recv_timeout(Duration::from_secs(120))
        .unwrap_or_else(|error| panic!("{what}: no answer: {error}"))
}

#[test]
fn an_evaluator_is_the_same_behind_any_pointer() {
    fn seen(evaluator: impl Evaluator<RandomGraph>) -> (EvaluatorFacts, Vec<Score>) {
        let graph = endless_graph();
        let mut seen =
            vec![evaluator.evaluate(&graph, &graph.start(), &evaluator.state(&graph, &graph.start(), None))];
        graph.moves(&graph.start(), |mv| {
            let after = graph.play(&graph.start(), mv);
            seen.push(evaluator.evaluate(&graph, &after, &evaluator.state(&graph, &after, None)));
        });
        (evaluator.facts(&graph), seen)
    }
    let itself = seen(evaluator());
    assert!(itself.1.len() > 3 && itself.1[1] != itself.1[2], "{itself:?}");
    assert_eq!(seen(Box::new(evaluator())), itself);
    assert_eq!(seen(Arc::new(&evaluator())), itself);
}

#[test]
fn what_is_not_said_stays_at_its_default() {
    let searcher = Searcher::builder(endless_graph(), evaluator()).build().expect("defaults fit together");
    assert_eq!(searcher.options(), &Options::default());
    assert_eq!(searcher.table().buckets() * 64, 64 << 20);
    assert_eq!((searcher.limits().time, searcher.limits().nodes), (Some(Duration::from_secs(1)), None));
}

#[test]
fn later_calls_change_what_options_said() {
    let given = Options { threads: 2, splits: eager(Some(3)), ..Options::default() };
    let builder = || Searcher::builder(endless_graph(), evaluator()).threads(8).options(given.clone());
    assert_eq!(builder().build().expect("a valid searcher").options(), &given);
    let changed = builder().threads(3).algorithm(Algorithm::Star2).build().expect("valid");
    assert_eq!(changed.options(), &Options { threads: 3, algorithm: Algorithm::Star2, ..given });
    let star1 = Searcher::builder(endless_graph(), evaluator()).algorithm(Algorithm::Star1).build().unwrap();
    assert_eq!(star1.options().algorithm, Algorithm::Star1);
}

#[test]
fn a_pool_says_how_many_threads_there_are() {
    let pool = Pool::new(3).expect("three threads");
    let builder = || Searcher::builder(endless_graph(), evaluator()).pool(pool.clone());
    assert_eq!(builder().build().expect("a valid searcher").options().threads, 3);
    assert_eq!(builder().threads(2).build().expect("a valid searcher").options().threads, 2);
}

#[test]
fn a_pool_runs_several_together_on_the_calling_thread_and_its_own_which_were_told_their_numbers() {
    let (tell, told) = mpsc::channel();
    let pool = Pool::starting_with(3, move |number| tell.send(number).expect("somebody listens"));
    let pool = pool.expect("three threads");
    let mut numbers: Vec<usize> = (0..3).map(|_| told.recv().expect("a number")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2]);
    let own = std::thread::current().id();
    for count in 1..=3 {
        // Nobody goes on before all are there.
        let all = std::sync::Barrier::new(count);
        let found = pool.run_together(count, |number| {
            all.wait();
            (number, std::thread::current().id() == own)
        });
        assert_eq!(found, (0..count).map(|number| (number, number == 0)).collect::<Vec<_>>());
    }
    for count in [0, 4] {
        let run = std::panic::AssertUnwindSafe(|| pool.run_together(count, |_| ()));
        assert!(std::panic::catch_unwind(run).is_err(), "{count}");
    }
}

#[test]
fn parts_that_do_not_fit_are_named() {
    let builder = || Searcher::builder(endless_graph(), evaluator());
    let small_pool = Pool::new(2).expect("two threads");
    let refusals = [
        (builder().threads(0).build().err(), "threads 0: expected 1 to 1024"),
        (builder().limits(Limits::depth(0)).build().err(), "depth 0: expected 1 to 254"),
        (builder().limits(Limits::depth(255)).build().err(), "depth 255: expected 1 to 254"),
        (builder().table_mib(0).build().err(), "table of 0 MiB: expected 1 to"),
        (builder().pool(small_pool).threads(3).build().err(), "a pool of 2 threads for searches with 3"),
    ];
    for (error, expected) in refusals {
        let text = error.map(|error| error.to_string()).expect(expected);
        assert!(text.contains(expected), "{text}");
    }
    let options = Options { table_use: TableUse::None, ..Options::default() };
    let error = builder().options(options.clone()).build().expect_err("star2-tt needs its table");
    let expected = SearchError::Options(options.check().expect_err("star2-tt needs its table"));
    assert!(matches!(error, BuildError::Search(found) if found == expected));
    let game = Faulty::new(endless_graph(), Fault::MoveSlots(usize::MAX));
    let error = Searcher::builder(game, evaluator()).build().expect_err("no memory for so many");
    assert!(matches!(error, BuildError::Search(SearchError::MoveSlots { found }) if found == usize::MAX));
    // The table is whatever is given last.
    assert!(builder().table_mib(0).table(NoTable).build().is_ok());
    assert!(builder().table(NoTable).table_mib(0).build().is_err());
}

#[test]
fn a_searcher_keeps_to_its_own_limits_and_to_explicit_ones() {
    let graph = endless_graph();
    let start = graph.start();
    let searcher =
        Searcher::builder(graph, evaluator()).table_mib(1).limits(Limits::depth(3)).build().expect("valid");
    let depth = |found: Result<Found, SearchError>| found.expect("a sound game").depth;
    assert_eq!(depth(searcher.search(&start)), 3);
    assert_eq!(depth(searcher.request(&start).limits(Limits::depth(5)).search()), 5);
    assert_eq!(depth(searcher.search(&start)), 3);
    assert_eq!(depth(searcher.request(&start).search()), 3);
}

/// Options under which small searches are split, and at once.
fn parallel_by(method: Method, threads: usize) -> Options {
    Options { method, threads, splits: eager(Some(2)), ..Options::default() }
}

/// The forms of search that differ in how they come to an end.
fn forms() -> Vec<Options> {
    let with_threads = |&method: &Method| [2, 8].map(|threads| parallel_by(method, threads));
    let parallel = Method::ALL.iter().flat_map(with_threads);
    let serial = |&algorithm| Options { algorithm, ..Options::default() };
    let on_two = |&algorithm| Options { algorithm, ..parallel_by(Method::default(), 2) };
    Algorithm::ALL.iter().map(serial).chain(Algorithm::ALL.iter().map(on_two)).chain(parallel).collect()
}

/// Searches without end, and has another thread stop it once the third iteration is completed.
fn search_and_stop(searcher: &Searcher<RandomGraph, HashRandom>, limits: Option<&Limits>) -> Found {
    let start = searcher.game().start();
    let handle = searcher.stop_handle();
    let raised = searcher.stop_handle();
    let (sender, receiver) = mpsc::channel();
    let watch = |iteration: &Iteration<u32, u32>| match iteration.depth {
        3 => sender.send(()).expect("somebody listens"),
        // So few positions are soon searched to the greatest depth, however late the other thread wakes up;
        // and some of the deepest iterations are left out.
        20.. => {
            while !raised.is_raised() {
                std::thread::yield_now();
            }
        }
        _ => {}
    };
    std::thread::scope(|scope| {
        scope.spawn(move || {
            receiver.recv().expect("the search says so");
            handle.stop();
        });
        searcher
            .request(&start)
            .limits(limits.unwrap_or(searcher.limits()).clone())
            .on_iteration(watch)
            .search()
    })
    .expect("the graph keeps its contract")
}

#[test]
fn the_stop_handle_stops_searches_from_another_thread_until_it_is_cleared() {
    for options in forms() {
        let what = format!("{options:?}");
        without_hanging(&what.clone(), move || {
            let searcher = Searcher::builder(endless_graph(), evaluator())
                .table_mib(1)
                .options(options)
                .limits(Limits::unbounded())
                .build()
                .expect("a valid searcher");
            let start = searcher.game().start();
            let explicit = Limits::unbounded().with_stop(StopFlag::new());
            for limits in [None, Some(&explicit)] {
                let stopped = search_and_stop(&searcher, limits);
                assert_eq!(stopped.stopped_by, StopReason::Flag, "{what}");
                assert!(stopped.depth >= 3 && stopped.is_exact(), "{what}");

                // Not lost on a search that begins a moment later.
                let at_once = searcher.search(&start).expect("the graph keeps its contract");
                assert_eq!((at_once.stopped_by, at_once.depth), (StopReason::Flag, 0), "{what}");
                assert_eq!(at_once.pv, at_once.best_move.map(Step::Move).as_slice(), "{what}");

                searcher.stop_handle().clear();
                let free = searcher.request(&start).limits(Limits::depth(3)).search().expect("a sound game");
                assert_eq!((free.stopped_by, free.depth), (StopReason::Depth, 3), "{what}");
            }
        });
    }
}

#[test]
fn a_flag_in_the_limits_and_the_handle_are_two_wishes() {
    let flag = StopFlag::new();
    let graph = endless_graph();
    let start = graph.start();
    let limits = Limits::depth(2).with_stop(flag.clone());
    let searcher = Searcher::builder(graph, evaluator()).table_mib(1).limits(limits).build().expect("valid");
    flag.stop();
    assert!(!searcher.stop_handle().is_raised());
    assert_eq!(searcher.search(&start).expect("a sound game").stopped_by, StopReason::Flag);
    let others = searcher.request(&start).limits(Limits::depth(2)).search().expect("a sound game");
    assert_eq!(others.stopped_by, StopReason::Depth);
}

#[test]
fn callbacks_see_every_iteration_in_order() {
    for threads in [1, 2, 8] {
        let mut seen = Vec::new();
        let graph = endless_graph();
        let start = graph.start();
        let searcher = Searcher::builder(graph, evaluator())
            .table_mib(1)
            .threads(threads)
            .limits(Limits::depth(6))
            .build()
            .expect("a valid searcher");
        let watch = |iteration: &Iteration<u32, u32>| seen.push(iteration.clone());
        let result = searcher.request(&start).on_iteration(watch).search().expect("a sound game");
        assert_eq!((seen.len(), &seen), (6, &result.iterations));
        let last = result.iterations.last().expect("six iterations");
        assert_eq!((last.depth, last.bounds, last.best_move), (6, result.bounds, result.best_move));
        assert_eq!((&last.pv, &last.root_moves), (&result.pv, &result.root_moves));
    }
}

#[test]
fn a_callback_that_panics_ends_its_search_alone() {
    for threads in [1, 2] {
        let graph = endless_graph();
        let start = graph.start();
        let searcher = Searcher::builder(graph, evaluator())
            .table_mib(1)
            .threads(threads)
            .build()
            .expect("a valid searcher");
        let watch = |iteration: &Iteration<u32, u32>| assert!(iteration.depth < 4, "deep enough");
        let question = searcher.request(&start).limits(Limits::depth(5)).on_iteration(watch);
        let error = question.search().expect_err("the callback panics");
        let text = error.to_string();
        assert!(text.contains("callback panicked") && text.contains("deep enough"), "{text}");
        assert_eq!(
            searcher.request(&start).limits(Limits::depth(3)).search().expect("a sound game").depth,
            3
        );
    }
}

/// A graph whose root's moves are ranked.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    /// Evaluations between the negative of this and itself.
    width: Score,
    buckets: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let case = (shapes(), any::<u64>(), any::<u32>(), any::<bool>(), 1u64..=64);
    case.prop_map(|(shape, seed, root, ties, buckets)| {
        let width = if ties { 1 } else { shape.limit };
        Case { shape, seed, root, width, buckets }
    })
}

fn campaign(graphs: u32, test: impl Fn(Case) -> Result<(), TestCaseError>) {
    campaign::run(graphs, 3, &cases(), test);
}

fn count(counter: &Cell<u64>, more: usize) {
    counter.set(counter.get() + more as u64);
}

/// How often the campaign met what it is about.
#[derive(Debug, Default)]
struct Met {
    chance_roots: Cell<u64>,
    ranked: Cell<u64>,
    ties: Cell<u64>,
    decision_splits: Cell<u64>,
    helped: Cell<u64>,
}

/// Each move's own value, best first, equals in generation order, by the oracle.
fn expected_ranking(
    graph: &RandomGraph,
    oracle: &mut Oracle<'_, RandomGraph, Carried>,
    root: &GraphPosition,
    depth: u32,
) -> Vec<(u32, Bounds, f64)> {
    let mut ranked = Vec::new();
    if graph.kind(root) != NodeKind::Decision {
        return ranked;
    }
    graph.moves(root, |mv| {
        let after = graph.play(root, mv);
        let sign = if graph.player(root) == graph.player(&after) { 1 } else { -1 };
        let score = (sign * oracle.value(&after, depth - 1)) as Score;
        let for_max = if graph.player(root) == Player::Max { score } else { -score };
        ranked.push((mv, Bounds::exactly(score), graph.facts().grid.value(for_max)));
    });
    ranked.sort_by_key(|(_, bounds, _)| -bounds.lower); // stable
    ranked
}

/// Each of the forms with its moves ranked, and one thread alone on the parallel path.
fn ranking_forms() -> Vec<Options> {
    let alone = Options { splits: Splits { alone: true, ..eager(Some(2)) }, ..Options::default() };
    let ranked = |(number, options)| Options {
        root_ranking: [RootRanking::All, RootRanking::Best(1), RootRanking::Best(2), RootRanking::Best(3)]
            [number % 4],
        ..options
    };
    forms().into_iter().chain([alone]).enumerate().map(ranked).collect()
}

#[test]
fn ranked_moves_have_the_oracles_values_by_every_method() {
    let met = Met::default();
    let pool = Pool::new(8).expect("eight threads");
    let forms = ranking_forms();
    campaign(250, |case| {
        let graph = graph_of(&case.shape, case.seed);
        let root = root_of(&graph, case.root);
        let evaluator = Carried::new(case.seed, case.width, true);
        let depth = affordable_depth(&graph, root, 6, 3_000);
        let mut oracle = Oracle::new(&graph, &evaluator);
        let table = LocklessTable::with_buckets(case.buckets).expect("a small table");
        for options in &forms {
            let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), &table)
                .with_options(options.clone())
                .with_pool(pool.clone());
            let result = searcher.request(&root).limits(Limits::depth(depth)).search().expect("a sound game");
            check_ranking(&graph, &mut oracle, &root, (options, &result), &met)
                .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {options:?}")))?;
        }
        Ok(())
    });
    println!("{met:?}");
    assert!(met.chance_roots.get() >= 1_000, "{met:?}");
    assert!(met.ranked.get() >= 5_000 && met.ties.get() >= 1_000, "{met:?}");
    assert!(met.decision_splits.get() >= 500 && met.helped.get() >= 200, "{met:?}");
}

fn check_ranking(
    graph: &RandomGraph,
    oracle: &mut Oracle<'_, RandomGraph, Carried>,
    root: &GraphPosition,
    (options, result): (&Options, &Found),
    met: &Met,
) -> Result<(), String> {
    for iteration in &result.iterations {
        let expected = expected_ranking(graph, oracle, root, iteration.depth);
        let asked = expected.len().min(match options.root_ranking {
            RootRanking::Best(count) => count as usize,
            _ => usize::MAX,
        });
        let (best, others) = iteration.root_moves.split_at(asked.min(iteration.root_moves.len()));
        let best: Vec<_> = best.iter().map(|one| (one.mv, one.bounds, one.value)).collect();
        if best != expected[..asked] || best.len() + others.len() != expected.len() {
            return Err(format!("{:?}, expected {expected:?}", iteration.root_moves));
        }
        are_ranked(oracle, root, iteration.depth, &iteration.root_moves)?;
        if iteration.best_move != expected.first().map(|best| best.0) {
            return Err(format!("best move {:?} of {expected:?}", iteration.best_move));
        }
        let value = Bounds::exactly(oracle.value(root, iteration.depth) as Score);
        if iteration.bounds != value {
            return Err(format!("{:?} at depth {}, expected {value:?}", iteration.bounds, iteration.depth));
        }
        count(&met.ranked, expected.len());
        count(&met.ties, expected.windows(2).filter(|pair| pair[0].1 == pair[1].1).count());
        count(&met.chance_roots, usize::from(expected.is_empty()));
    }
    count(&met.decision_splits, result.stats.split.decision_splits as usize);
    count(&met.helped, result.stats.split.helped as usize);
    Ok(())
}

#[test]
fn moves_are_ranked_only_when_asked() {
    let game = alternating();
    let position = game.decision();
    let builder = || {
        let limits = Limits::depth(6);
        Searcher::builder(game.clone(), Held).table_mib(1).limits(limits)
    };
    let plain = builder().build().expect("valid").search(&position).expect("a sound game");
    let options = Options { root_ranking: RootRanking::All, ..Options::default() };
    let ranked = builder().options(options).build().expect("valid").search(&position).expect("sound");
    assert!(plain.root_moves.is_empty());
    assert_eq!(ranked.root_moves.len(), game.node(position).edges.len());
    assert_eq!((ranked.bounds, ranked.value), (plain.bounds, plain.value));
    assert!(ranked.stats.nodes.total() > plain.stats.nodes.total(), "each move costs a search of its own");
}

/// Follows a line from the root: every step must be one that the position has, and chance the likeliest.
fn follow<G: Game<Outcome: PartialEq>>(
    game: &G,
    root: &G::Position,
    result: &SearchResult<G::Move, G::Outcome>,
) -> Result<Vec<G::Position>, String> {
    let mut positions = vec![root.clone()];
    for &step in &result.pv {
        let position = positions.last().expect("the root at least");
        let (mut choices, mut greatest) = (Vec::new(), 0);
        match game.kind(position) {
            NodeKind::Terminal => {}
            NodeKind::Decision => game.moves(position, |mv| choices.push(Step::Move(mv))),
            NodeKind::Chance => game.outcomes(position, |outcome, weight| {
                if weight > greatest {
                    (choices, greatest) = (vec![Step::Outcome(outcome)], weight);
                }
            }),
        }
        if !choices.contains(&step) {
            return Err(format!("{step:?} in {:?} is none of {choices:?}", result.pv));
        }
        positions.push(match step {
            Step::Move(mv) => game.play(position, mv),
            Step::Outcome(outcome) => game.resolve(position, outcome),
        });
    }
    Ok(positions)
}

/// What a line must be whatever the table remembers.
fn check_line<G: Game<Outcome: PartialEq>>(
    game: &G,
    root: &G::Position,
    result: &SearchResult<G::Move, G::Outcome>,
) -> Result<Vec<G::Position>, String> {
    let line = &result.pv;
    let positions = follow(game, root, result)?;
    let ends_well = line.last().is_none_or(|last| matches!(last, Step::Move(_)));
    if line.len() > result.depth as usize || !ends_well {
        return Err(format!("{line:?} at depth {}", result.depth));
    }
    match (game.kind(root), line.first()) {
        (NodeKind::Decision, Some(&Step::Move(mv))) if Some(mv) == result.best_move => Ok(positions),
        (NodeKind::Chance, Some(Step::Outcome(_)) | None) | (NodeKind::Terminal, None) => Ok(positions),
        _ => Err(format!("{line:?} with the best move {:?}", result.best_move)),
    }
}

#[test]
fn lines_are_legal_by_every_method_and_table() {
    let steps = Cell::new(0);
    let pool = Pool::new(8).expect("eight threads");
    let forms = forms();
    campaign(100, |case| {
        let graph = graph_of(&case.shape, case.seed);
        let root = root_of(&graph, case.root);
        let depth = affordable_depth(&graph, root, 6, 3_000);
        let table = LocklessTable::with_buckets(case.buckets).expect("a small table");
        for options in &forms {
            let options = Options { table_depth: Some(1), ..options.clone() };
            let evaluator = Carried::new(case.seed, case.width, false);
            let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), &table)
                .with_options(options.clone())
                .with_pool(pool.clone());
            let result = searcher.request(&root).limits(Limits::depth(depth)).search().expect("a sound game");
            check_line(&graph, &root, &result)
                .map_err(|fault| TestCaseError::fail(format!("{fault}\nby {options:?}")))?;
            count(&steps, result.pv.len());
        }
        Ok(())
    });
    assert!(steps.get() >= 4_000, "{} steps in all", steps.get());
}

/// In a table that forgets nothing, a serial search leaves mostly moves that are best at their depth: all but
/// those of nodes whose exact value did not matter.
#[test]
fn lines_follow_the_best_moves() {
    let (moves, best) = (Cell::new(0), Cell::new(0));
    campaign(200, |case| {
        let graph = graph_of(&case.shape, case.seed);
        let root = root_of(&graph, case.root);
        let depth = affordable_depth(&graph, root, 8, 5_000);
        let evaluator = Carried::new(case.seed, case.width, false);
        let mut oracle = Oracle::new(&graph, &evaluator);
        let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
        let options = Options { table_depth: Some(1), ..Options::default() };
        let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), &table).with_options(options);
        let result = searcher.request(&root).limits(Limits::depth(depth)).search().expect("a sound game");
        let positions = check_line(&graph, &root, &result).map_err(TestCaseError::fail)?;
        for (index, step) in result.pv.iter().enumerate() {
            if matches!(step, Step::Move(_)) {
                let left = depth - index as u32;
                let (before, after) = (&positions[index], &positions[index + 1]);
                let sign = if graph.player(before) == graph.player(after) { 1 } else { -1 };
                count(&moves, 1);
                let is_best = oracle.value(before, left) == sign * oracle.value(after, left - 1);
                count(&best, usize::from(is_best));
            }
        }
        Ok(())
    });
    println!("{} of {} moves are best", best.get(), moves.get());
    assert!(moves.get() >= 300, "{} moves", moves.get());
    assert!(10 * best.get() >= 9 * moves.get(), "{} of {} moves are best", best.get(), moves.get());
}

#[test]
fn a_line_is_the_best_move_alone_where_there_is_no_table() {
    let game = alternating();
    let searcher =
        Searcher::builder(game.clone(), Held).table(NoTable).limits(Limits::depth(4)).build().unwrap();
    let result = searcher.search(&game.decision()).expect("a sound game");
    assert_eq!(result.pv, result.best_move.map(Step::Move).into_iter().collect::<Vec<_>>());
    let chance = game.chance_nodes().next().expect("a chance node");
    assert_eq!(searcher.search(&chance).expect("a sound game").pv, []);
}

#[test]
fn the_table_serves_the_next_search_and_is_forgotten_for_a_new_game() {
    let game = alternating();
    let first = game.decision();
    for threads in [1, 2] {
        let searcher = Searcher::builder(game.clone(), Held)
            .table_mib(16)
            .threads(threads)
            .limits(Limits::depth(8))
            .build()
            .expect("a valid searcher");
        let nodes = |result: &SearchResult<_, _>| result.stats.nodes.total();
        let fresh = searcher.search(&first).expect("a sound game");
        let again = searcher.search(&first).expect("a sound game");
        assert!(10 * nodes(&again) < nodes(&fresh), "{} after {}", nodes(&again), nodes(&fresh));
        assert_eq!((again.bounds, again.depth), (fresh.bounds, fresh.depth));

        // The opponent's turn after the move and the roll that the line tells.
        let [Step::Move(mv), Step::Outcome(roll), ..] = fresh.pv[..] else { panic!("{:?}", fresh.pv) };
        let second = game.resolve(&game.play(&first, mv), roll);
        let at_depth_6 = Limits::depth(6);
        let kept = searcher.request(&second).limits(at_depth_6.clone()).search().expect("a sound game");
        searcher.new_game();
        assert_eq!(searcher.table().hashfull(), 0);
        let alone = searcher.request(&second).limits(at_depth_6.clone()).search().expect("a sound game");
        assert!(2 * nodes(&kept) < nodes(&alone), "{} and {} alone", nodes(&kept), nodes(&alone));
        assert_eq!((kept.bounds, kept.depth), (alone.bounds, alone.depth));
        if threads == 1 {
            searcher.new_game();
            let anew = searcher.search(&first).expect("a sound game");
            assert_eq!(anew.stats, fresh.stats, "as it was the first time");
        }
    }
}

#[test]
fn the_table_ages_from_search_to_search() {
    let game = alternating();
    let table = LocklessTable::with_buckets(200).expect("a small table");
    let searcher =
        Searcher::builder(game.clone(), Held).table(table).limits(Limits::depth(9)).build().unwrap();
    searcher.search(&game.decision()).expect("a sound game");
    let table = searcher.table();
    let full = table.hashfull();
    assert!(full >= 100, "{full} thousandths of the table in use");
    // A search that stores next to nothing: what is there is of an earlier generation now.
    let other = game.chance_nodes().last().expect("a chance node");
    searcher.request(&other).limits(Limits::depth(2)).search().expect("a sound game");
    assert!(table.hashfull() <= 10, "{} after {full}", table.hashfull());
}

/// So many threads, however short the search.
fn at_once(threads: usize) -> Options {
    Options {
        threads,
        splits: Splits { helpers_after: Duration::ZERO, ..Splits::default() },
        ..Options::default()
    }
}

#[test]
fn searchers_of_different_games_share_one_pool() {
    let pool = Pool::new(4).expect("four threads");
    let game = alternating();
    let position = game.decision();
    let of_alternating = Searcher::builder(game.clone(), Held)
        .table_mib(4)
        .pool(pool.clone())
        .options(at_once(4))
        .limits(Limits::depth(6))
        .build();
    let of_graph =
        Searcher::builder(endless_graph(), evaluator()).table_mib(1).pool(pool.clone()).options(at_once(3));
    let (of_alternating, of_graph) =
        (of_alternating.unwrap(), of_graph.limits(Limits::depth(7)).build().unwrap());
    let serial =
        Searcher::builder(game.clone(), Held).table(NoTable).limits(Limits::depth(6)).build().unwrap();
    let start = of_graph.game().start();
    let value = serial.search(&position).expect("a sound game").bounds;
    let of_start = Bounds::exactly(oracle_value(of_graph.game(), &start, 7));
    for _ in 0..5 {
        of_alternating.new_game();
        of_graph.new_game();
        let found = of_alternating.search(&position).expect("a sound game");
        assert_eq!((found.bounds, found.workers.len()), (value, 4));
        let found = of_graph.search(&start).expect("a sound game");
        assert_eq!((found.bounds, found.workers.len()), (of_start, 3));
    }
}

#[test]
fn searches_from_several_threads_share_one_pool() {
    without_hanging("searches from three threads", || {
        let pool = Pool::new(2).expect("two threads");
        let graph = endless_graph();
        let searcher = |method: Method| {
            let builder = Searcher::builder(graph.clone(), evaluator()).table_mib(1).pool(pool.clone());
            builder
                .options(Options { method, ..at_once(2) })
                .limits(Limits::depth(7))
                .build()
                .expect("a valid searcher")
        };
        let searchers = [Method::ChanceSplit, Method::Both].map(searcher);
        let roots: Vec<_> = graph.positions().filter(|root| graph.kind(root) != NodeKind::Terminal).collect();
        std::thread::scope(|scope| {
            // The first searcher is used by two threads at once.
            for (place, searcher) in [0, 1, 0].map(|index| &searchers[index]).into_iter().enumerate() {
                let (graph, roots) = (&graph, &roots);
                scope.spawn(move || {
                    for root in roots.iter().skip(place).step_by(3).take(10) {
                        let found = searcher.search(root).expect("the graph keeps its contract");
                        assert_eq!(found.bounds, Bounds::exactly(oracle_value(graph, root, 7)));
                        assert!(found.workers.len() == 2 || found.waited > Duration::ZERO, "{found}");
                    }
                });
            }
        });
    });
}

/// A searcher can be kept in a structure, shared, and sent to another thread.
#[test]
fn a_searcher_is_a_value_like_others() {
    fn shareable<S: Send + Sync + std::fmt::Debug>(_: &S) {}
    struct Engine {
        searcher: Searcher<RandomGraph, HashRandom>,
    }
    let searcher = Searcher::builder(endless_graph(), evaluator()).table_mib(1).build().expect("valid");
    shareable(&searcher);
    let engine = Engine { searcher };
    let result = std::thread::spawn(move || {
        engine.searcher.request(&engine.searcher.game().start()).limits(Limits::depth(3)).search()
    });
    assert_eq!(result.join().expect("no panic").expect("a sound game").depth, 3);
}

#[test]
fn a_search_without_shallower_iterations_finds_the_same() {
    let game = alternating();
    let search = |position: u32, deepening| {
        let options = Options { deepening, ..Options::default() };
        let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
        Searcher::new(game.clone(), Held, table)
            .with_options(options)
            .request(&position)
            .limits(Limits::depth(8))
            .search()
            .expect("a search")
    };
    for position in [game.decision(), game.chance_nodes().next().expect("a chance node")] {
        let (usual, at_once) = (search(position, true), search(position, false));
        assert_eq!((usual.iterations.len(), at_once.iterations.len()), (8, 1));
        assert_eq!((at_once.depth, at_once.bounds), (usual.depth, usual.bounds));
    }
}
