//! Requests to one searcher: options, limits and root moves of their own, and what is seen and changed while
//! a search runs.

use crate::common::erased::Seeing;
use crate::common::graphs::{affordable_depth, endless_graph};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::{Game, NodeKind, Player, Step};
use starsplit::score::{Bounds, Score, Window};
use starsplit::search::{
    Algorithm, Iteration, LaneOptions, Limits, Method, Options, RootRanking, SearchError, SearchResult,
    StopFlag, StopReason,
};
use starsplit::table::LocklessTable;
use starsplit::{Handle, Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Every algorithm on one thread and every method on two, with some of the moves ranked or none.
fn forms() -> Vec<Options> {
    let serial = Algorithm::ALL.iter().map(|&algorithm| Options { algorithm, ..Options::default() });
    let parallel = Method::ALL.iter().map(|&method| Options {
        method,
        threads: 2,
        splits: eager(Some(2)),
        ..Options::default()
    });
    let ranked = |(number, options)| Options {
        root_ranking: [RootRanking::None, RootRanking::Best(2), RootRanking::All][number % 3],
        ..options
    };
    serial.chain(parallel).enumerate().map(ranked).collect()
}

/// A move and its value for the root's player.
type Valued = (u32, Score);

/// The moves of a decision with their values, in generation order.
fn valued(graph: &RandomGraph, evaluator: &HashRandom, root: &GraphPosition, depth: u32) -> Vec<Valued> {
    let mut oracle = Oracle::new(graph, evaluator);
    let mut all = Vec::new();
    graph.moves(root, |mv| {
        let after = graph.play(root, mv);
        let sign = if graph.player(root) == graph.player(&after) { 1 } else { -1 };
        all.push((mv, (sign * oracle.value(&after, depth - 1)) as Score));
    });
    all
}

#[test]
fn named_root_moves_are_searched_as_if_there_were_no_others() {
    let pool = Pool::new(2).expect("two threads");
    let (mut searches, mut worse) = (0, 0);
    for seed in 0..120 {
        let shape = GraphShape { positions: 400, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a shape within its limits");
        let evaluator = HashRandom::new(seed, 300);
        let roots = graph.positions().filter(|root| graph.kind(root) == NodeKind::Decision);
        for root in roots.take(2) {
            let depth = affordable_depth(&graph, root, 6, 3_000);
            let all = valued(&graph, &evaluator, &root, depth);
            // Some of the moves, in another order, and one of them twice.
            let named: Vec<Valued> =
                all.iter().rev().copied().filter(|(mv, _)| (u64::from(*mv) + seed) % 3 != 0).collect();
            let Some(best) = named.iter().map(|&(_, value)| value).max() else { continue };
            let whole = all.iter().map(|&(_, value)| value).max();
            worse += u64::from(Some(best) < whole);
            let table = LocklessTable::with_buckets(64).expect("a small table");
            for options in forms() {
                let case = format!("seed {seed}, {root:?} to {depth}, {named:?} of {all:?}, {options:?}");
                let ranked = options.root_ranking;
                let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), &table);
                let searcher = searcher.with_pool(pool.clone());
                let question =
                    || searcher.request(&root).options(options.clone()).limits(Limits::depth(depth));
                let moves = named.iter().chain(named.first()).map(|&(mv, _)| mv);
                let found = question().root_moves(moves).search().expect("a sound game");
                assert_eq!(found.bounds, Bounds::exactly(best), "{case}");
                let chosen = named.iter().find(|&&(mv, _)| Some(mv) == found.best_move);
                assert!(chosen.is_some_and(|&(_, value)| value == best), "{:?} in {case}", found.best_move);
                if ranked != RootRanking::None {
                    assert_eq!(found.root_moves.len(), named.len(), "{case}");
                    let exact = if ranked == RootRanking::All { usize::MAX } else { 2 };
                    for one in found.root_moves.iter().take(exact) {
                        let own = named.iter().find(|&&(mv, _)| mv == one.mv).expect("a named move");
                        assert_eq!(one.bounds, Bounds::exactly(own.1), "{case}");
                    }
                }
                // The table has learnt nothing wrong.
                let again = question().search().expect("a sound game");
                assert_eq!(again.score(), whole, "{case}");
                searches += 1;
            }
        }
    }
    assert!(searches > 1_000 && worse > 20, "{searches} searches, {worse} without the best move");
}

#[test]
fn moves_that_the_root_does_not_have_are_refused() {
    let graph = endless_graph();
    let start = graph.start();
    let searcher =
        Searcher::builder(graph.clone(), HashRandom::new(1, 1000)).table_mib(1).build().expect("valid");
    let refused = |root: &GraphPosition, moves: &[u32]| {
        let question = searcher.request(root).limits(Limits::depth(3)).root_moves(moves.iter().copied());
        let error = question.search().expect_err("no such moves");
        assert!(matches!(error, SearchError::Options(_)), "{error:?}");
        error.to_string()
    };
    let decision = graph.positions().find(|root| graph.kind(root) == NodeKind::Decision).expect("a decision");
    let chance = graph.positions().find(|root| graph.kind(root) == NodeKind::Chance).expect("a roll");
    assert_eq!(refused(&decision, &[4_000_000]), "root moves 4000000: expected moves of the position");
    assert_eq!(refused(&decision, &[]), "root moves []: expected moves of the position");
    assert_eq!(refused(&chance, &[0]), "root moves 0: expected moves of the position");
    assert!(searcher.request(&start).limits(Limits::depth(3)).search().is_ok());
}

#[test]
fn a_request_has_options_of_its_own_and_the_searcher_keeps_its() {
    let graph = endless_graph();
    let start = graph.start();
    let searcher = Searcher::builder(graph, HashRandom::new(1, 1000))
        .table_mib(1)
        .limits(Limits::depth(6))
        .build()
        .expect("valid");
    let expected = searcher.search(&start).expect("a sound game").score();
    thread::scope(|scope| {
        for options in forms() {
            let (searcher, start) = (&searcher, &start);
            scope.spawn(move || {
                let threads = options.threads;
                let found = searcher.request(start).options(options.clone()).search().expect("a sound game");
                assert_eq!((found.score(), found.depth), (expected, 6), "{options:?}");
                let is_alone = threads == 1 || found.waited > Duration::ZERO;
                assert!(is_alone || !found.workers.is_empty(), "{options:?}");
            });
        }
    });
    assert_eq!(searcher.options(), &Options::default());
    let none = LaneOptions { count: Some(0), ..LaneOptions::default() };
    let refused = searcher.request(&start).options(Options { lanes: none, ..Options::default() }).search();
    assert!(matches!(refused, Err(SearchError::Options(_))), "{refused:?}");
}

#[test]
fn the_outcomes_of_a_chance_root_have_the_oracles_values() {
    let (mut searches, mut stopped) = (0, 0);
    for seed in 0..150 {
        let shape = GraphShape { positions: 300, terminal_percent: 5, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a shape within its limits");
        let evaluator = HashRandom::new(seed, 300);
        let roots: Vec<_> = graph.positions().filter(|root| graph.kind(root) == NodeKind::Chance).collect();
        for root in roots.into_iter().take(2) {
            let depth = affordable_depth(&graph, root, 6, 3_000);
            let mut oracle = Oracle::new(&graph, &evaluator);
            let mut expected = Vec::new();
            graph.outcomes(&root, |outcome, weight| {
                let after = graph.resolve(&root, outcome);
                let sign = if graph.player(&root) == graph.player(&after) { 1 } else { -1 };
                expected.push((outcome, weight, (sign * oracle.value(&after, depth - 1)) as Score));
            });
            let form = forms().swap_remove(seed as usize % forms().len());
            let table = LocklessTable::with_buckets(256).expect("a small table");
            let searcher = Searcher::new(graph.clone(), evaluator, table).with_options(form.clone());
            let case = format!("seed {seed}, {root:?} to {depth}, {form:?}");
            let found =
                searcher.request(&root).limits(Limits::depth(depth)).outcomes().expect("a sound game");
            let told: Vec<_> = found.iter().map(|one| (one.outcome, one.weight, one.bounds.lower)).collect();
            assert_eq!(told, expected, "{case}");
            assert!(found.iter().all(|one| one.bounds.is_exact() && one.depth == depth), "{case}");
            for one in &found {
                let after = graph.resolve(&root, one.outcome);
                let is_move = matches!(one.pv.first(), Some(Step::Move(_)));
                let has_move = depth > 1 && graph.kind(&after) == NodeKind::Decision;
                assert_eq!(is_move, has_move, "{:?} in {case}", one.pv);
            }
            // What limits leave out says nothing, and what is told is true.
            let few = searcher
                .request(&root)
                .limits(Limits::depth(depth).with_nodes(seed % 60))
                .outcomes()
                .expect("a sound game");
            for (one, &(outcome, weight, _)) in few.iter().zip(&expected) {
                assert_eq!((one.outcome, one.weight, one.depth), (outcome, weight, few[0].depth), "{case}");
                assert_eq!(one.bounds.is_exact(), one.depth > 0, "{case}");
                if one.depth > 0 {
                    let after = graph.resolve(&root, outcome);
                    let sign = if graph.player(&root) == graph.player(&after) { 1 } else { -1 };
                    let value = (sign * oracle.value(&after, one.depth - 1)) as Score;
                    assert_eq!(one.bounds.lower, value, "{one:?} in {case}");
                }
            }
            stopped += u64::from(few[0].depth < depth);
            searches += 1;
        }
    }
    assert!(searches > 200 && stopped > 40, "{searches} searches, {stopped} stopped");
    let (searcher, start) = searcher(1);
    let decision = searcher.game().positions().find(|one| searcher.game().kind(one) == NodeKind::Decision);
    let error = searcher
        .request(&decision.unwrap_or(start))
        .limits(Limits::depth(3))
        .outcomes()
        .expect_err("no chance node");
    assert_eq!(error.to_string(), "outcomes of a Decision node: expected a chance node");
}

/// As deep as the time allows, all outcomes to one depth.
#[test]
fn outcomes_within_a_time_are_of_the_deepest_depth_that_all_have() {
    let (searcher, start) = searcher(1);
    let root = searcher.game().positions().find(|one| searcher.game().kind(one) == NodeKind::Chance);
    let (root, began) = (root.unwrap_or(start), Instant::now());
    let limits = Limits::unbounded().with_time(Duration::from_millis(30));
    let found = searcher.request(&root).limits(limits.clone()).outcomes().expect("a sound game");
    assert!(found.iter().all(|one| one.depth == found[0].depth && one.depth >= 3), "{found:?}");
    let whole = searcher.request(&root).limits(Limits::depth(found[0].depth)).search().expect("a sound game");
    let total: f64 = found.iter().map(|one| f64::from(one.weight)).sum();
    let mean: f64 = found.iter().map(|one| f64::from(one.weight) / total * one.value).sum();
    assert!((mean - whole.value).abs() < 0.01, "{mean} {} after {:?}", whole.value, began.elapsed());
    searcher.stop_handle().stop();
    assert!(
        searcher
            .request(&root)
            .limits(limits.clone())
            .outcomes()
            .expect("a sound game")
            .iter()
            .all(|one| one.depth == 0)
    );
}

/// The table stays, and tells the evaluators apart; what the first had learnt is there when it comes back.
#[test]
fn an_evaluator_is_exchanged_between_searches() {
    let graph =
        RandomGraph::new(&GraphShape { positions: 4_000, ..GraphShape::default() }, 5).expect("a shape");
    let (start, limits) = (graph.start(), Limits::depth(6));
    let expected = |seed| {
        let alone = Searcher::new(graph.clone(), HashRandom::new(seed, 1000), LocklessTable::new(1).unwrap());
        alone.request(&start).limits(limits.clone()).search().expect("a sound game")
    };
    let table = LocklessTable::new(16).expect("a table");
    let searcher = Searcher::new(graph.clone(), HashRandom::new(1, 1000), table);
    let first = searcher.request(&start).limits(limits.clone()).search().expect("a sound game");
    let searcher = searcher.with_evaluator(HashRandom::new(2, 1000));
    let second = searcher.request(&start).limits(limits.clone()).search().expect("a sound game");
    assert_eq!((first.score(), second.score()), (expected(1).score(), expected(2).score()));
    assert_eq!(second.stats.nodes, expected(2).stats.nodes, "as if the table were empty");
    let searcher = searcher.with_evaluator(HashRandom::new(1, 1000));
    let again = searcher.request(&start).limits(limits.clone()).search().expect("a sound game");
    assert_eq!(again.score(), first.score());
    assert!(again.stats.nodes.total() < first.stats.nodes.total() / 2, "{:?}", again.stats.nodes);
}

/// One thread and two.
fn searcher(threads: usize) -> (Searcher<RandomGraph, HashRandom>, GraphPosition) {
    let graph = endless_graph();
    let start = graph.start();
    let options = Options { threads, splits: eager(Some(2)), ..Options::default() };
    let builder = Searcher::builder(graph, HashRandom::new(1, 1000)).table_mib(1).options(options);
    (builder.limits(Limits::unbounded()).build().expect("valid"), start)
}

/// Searches without an end, and holds the search after its ninth iteration until `act` has looked and acted.
fn while_running(threads: usize, act: impl FnOnce(&Handle<u32, u32>)) -> SearchResult<u32, u32> {
    let (searcher, start) = searcher(threads);
    let (handle, is_released) = (Handle::new(), AtomicBool::new(false));
    let wait = |iteration: &Iteration<u32, u32>| {
        while iteration.depth == 9 && !is_released.load(Ordering::Acquire) {
            thread::yield_now();
        }
    };
    let result = thread::scope(|scope| {
        let search = scope.spawn(|| searcher.request(&start).handle(&handle).on_iteration(wait).search());
        let mut before = (0, 0);
        while handle.iteration().is_none_or(|last| last.depth < 9) {
            let now = (handle.depth(), handle.nodes());
            assert!(now.0 >= before.0 && now.1 >= before.1, "{now:?} after {before:?}");
            before = now;
            thread::yield_now();
        }
        act(&handle);
        is_released.store(true, Ordering::Release);
        search.join().expect("no panic")
    });
    let (result, last) = (result.expect("a sound game"), handle.iteration().expect("an iteration"));
    assert_eq!((last.depth, last.bounds, &last.pv), (result.depth, result.bounds, &result.pv));
    let (seen, nodes) = (handle.nodes(), result.stats.nodes.total());
    assert!(seen > 0 && seen <= nodes, "{seen} of {nodes}");
    assert_eq!(
        searcher.request(&start).limits(Limits::depth(9)).search().unwrap().score(),
        Some(at_nine(&result))
    );
    result
}

/// The score of the ninth iteration.
fn at_nine(result: &SearchResult<u32, u32>) -> Score {
    let ninth = result.iterations.iter().find(|iteration| iteration.depth == 9).expect("nine iterations");
    ninth.bounds.lower
}

#[test]
fn a_running_search_is_seen_and_stopped_from_another_thread() {
    for threads in [1, 2] {
        let result = while_running(threads, |handle| {
            assert_eq!(handle.depth(), 9);
            handle.stop();
        });
        assert_eq!((result.stopped_by, result.depth), (StopReason::Flag, 9));
    }
}

#[test]
fn a_running_searchs_time_is_moved() {
    for threads in [1, 2] {
        let result = while_running(threads, |handle| handle.end_within(Some(Duration::ZERO)));
        assert_eq!((result.stopped_by, result.depth), (StopReason::Time, 9));
        // And taken away again: it goes on to the greatest depth, or until somebody stops it.
        let began = Instant::now();
        let result = while_running(threads, |handle| {
            handle.end_within(Some(Duration::ZERO));
            handle.end_within(None);
        });
        assert!(
            result.stopped_by == StopReason::Depth,
            "{:?} after {:?}",
            result.stopped_by,
            began.elapsed()
        );
    }
}

#[test]
fn a_wish_from_before_the_search_counts() {
    let (searcher, start) = searcher(1);
    let with = |handle: &Handle<u32, u32>, limits: Limits| {
        searcher.request(&start).handle(handle).limits(limits).search().expect("a sound game").stopped_by
    };
    let hurried = Handle::new();
    hurried.end_within(Some(Duration::ZERO));
    assert_eq!(with(&hurried, Limits::unbounded()), StopReason::Time);
    let free = Handle::new();
    free.end_within(None);
    assert_eq!(with(&free, Limits::depth(5).with_time(Duration::ZERO)), StopReason::Depth);
    let stopped = Handle::new();
    stopped.stop();
    assert_eq!(with(&stopped, Limits::depth(5)), StopReason::Flag);
    assert_eq!((stopped.depth() <= 1, stopped.iteration().is_none()), (true, true));
    let error = searcher.request(&start).handle(&stopped).search().expect_err("its search is over");
    assert_eq!(error.to_string(), "handle of another search: expected a new one for each search");
}

#[test]
fn a_request_is_sent_to_a_thread() {
    let (searcher, start) = searcher(1);
    let request = searcher.request(&start).limits(Limits::depth(4));
    let there = thread::scope(|scope| scope.spawn(|| request.search()).join().expect("no panic"));
    let here = searcher.request(&start).limits(Limits::depth(4)).search();
    assert_eq!(there.expect("a sound game").score(), here.expect("a sound game").score());
}

#[test]
fn whatever_is_asked_keeps_to_handle_and_limits() {
    let (searcher, _) = searcher(1);
    let graph = searcher.game();
    let of = |kind| graph.positions().find(|at| graph.kind(at) == kind).expect("there are all kinds");
    let (decision, chance) = (of(NodeKind::Decision), of(NodeKind::Chance));
    let stopped = || {
        let handle = Handle::new();
        handle.stop();
        handle
    };
    let request =
        |at, handle: Handle<u32, u32>| searcher.request(at).limits(Limits::depth(5)).handle(&handle);
    let pv = request(&decision, stopped()).pv().expect("a sound game");
    assert_eq!((pv.stopped_by, pv.steps.len()), (StopReason::Flag, 0));
    let proof = request(&decision, stopped()).prove(Window::new(-5, 5)).expect("a sound game");
    assert_eq!(proof.stopped_by, StopReason::Flag);
    let outcomes = request(&chance, stopped()).outcomes().expect("a sound game");
    assert!(!outcomes.is_empty() && outcomes.iter().all(|outcome| outcome.depth == 0), "{outcomes:?}");
    let means = request(&decision, stopped()).expectation(0, |_, _| {}).expect("a sound game");
    assert!(means.is_none());
    // A handle counts the nodes of all searches for one answer, and is for no other.
    let handle = Handle::new();
    let outcomes = request(&chance, handle.clone()).outcomes().expect("a sound game");
    assert!(outcomes.iter().all(|outcome| outcome.depth == 5) && handle.nodes() > 0);
    let again = request(&chance, handle.clone()).outcomes().expect_err("a handle that was used");
    assert!(again.to_string().starts_with("handle of another search"), "{again}");
    let few = searcher.request(&chance).limits(Limits::depth(9).with_nodes(handle.nodes())).outcomes();
    let reached = few.expect("a sound game")[0].depth;
    assert!((1..9).contains(&reached), "depth {reached}");
}

#[test]
fn a_line_follows_a_result_whatever_its_limits_and_their_order() {
    let (searcher, start) = searcher(1);
    let result = searcher.request(&start).limits(Limits::depth(4)).search().expect("a sound game");
    let limits = || Limits::depth(9).with_nodes(1_000_000);
    let after = searcher.request(&start).limits(limits()).following(&result).pv().expect("a sound game");
    let before = searcher.request(&start).following(&result).limits(limits()).pv().expect("a sound game");
    assert_eq!((before.steps.len(), after.steps.len()), (4, 4), "{before:?}, {after:?}");
}

/// A search that was stopped before its first iteration has depth 0. What follows it is a leaf.
#[test]
fn a_proof_may_follow_a_result_of_depth_0() {
    let (searcher, start) = searcher(1);
    let flag = StopFlag::new();
    flag.stop();
    let stopped =
        searcher.request(&start).limits(Limits::depth(4).with_stop(flag)).search().expect("a search");
    assert_eq!(stopped.depth, 0);
    let proof = searcher.request(&start).following(&stopped).prove(Window::new(-5, 5));
    assert!(proof.expect("a sound game").bounds.is_exact());
}

#[test]
fn root_moves_begin_a_line_and_a_tree_of_best_play() {
    let (searcher, _) = searcher(1);
    let graph = searcher.game();
    let mut others = 0;
    for root in graph.positions().filter(|at| graph.kind(at) == NodeKind::Decision).take(20) {
        let limits = Limits::depth(4);
        let best = searcher.request(&root).limits(limits.clone()).search().expect("a sound game");
        let mut moves = Vec::new();
        graph.moves(&root, |mv| moves.push(mv));
        moves.retain(|&mv| Some(mv) != best.best_move);
        if moves.is_empty() {
            continue;
        }
        let request = || searcher.request(&root).limits(limits.clone()).root_moves(moves.iter().copied());
        let without_best = request().search().expect("a sound game");
        for line in [request().pv(), searcher.request(&root).following(&without_best).pv()] {
            let line = line.expect("a sound game");
            let Some(&Step::Move(first)) = line.steps.first() else { panic!("{line:?}") };
            assert!(line.is_whole() && moves.contains(&first), "{line:?}");
        }
        let grid = graph.facts().grid;
        let evaluation = |leaf: &GraphPosition, mean: &mut [f64]| {
            let score = match graph.kind(leaf) {
                NodeKind::Terminal => graph.terminal_score(leaf),
                _ => searcher.evaluator().evaluate(graph, leaf, &()),
            };
            mean[0] = grid.difference(if graph.player(leaf) == Player::Max { score } else { -score });
        };
        let means = request().expectation(1, evaluation).expect("a sound game").expect("no limit");
        let value = without_best.value - grid.value(0);
        assert!((means.payload[0] - value).abs() < 1e-4, "{means:?}, not {value}");
        others += 1;
    }
    assert!(others >= 10, "{others} roots with another move");
}
