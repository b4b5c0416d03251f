//! Searches that end before their depth: by a limit, by a wish, by a fault of the game, or before they begin.

use crate::common::alarmed::Alarmed;
use crate::common::campaign;
use crate::common::carried::Carried;
use crate::common::erased::{Blind, Erased, Seeing};
use crate::common::faulty::{Fault, Faulty};
use crate::common::graphs::{affordable_depth, endless_graph, graph_of, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::Searcher;
use starsplit::evaluator::{Before, Constant, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::{Game, NodeKind, Step};
use starsplit::score::{Bounds, Score};
use starsplit::search::{
    Algorithm, Limits, MAX_DEPTH, MAX_MOVE_SLOTS, MAX_THREADS, MoveOrdering, Options, SearchError,
    SearchResult, Splits, StopFlag, StopReason, TableUse,
};
use starsplit::table::{LocklessTable, NoTable, Table};
use starsplit_testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph};
use std::cell::Cell;
use std::sync::mpsc;
use std::time::Duration;

/// Every algorithm and number of threads, with a low split depth.
fn all_options() -> Vec<Options> {
    let forms = [
        (Algorithm::Expectimax, TableUse::None, 1),
        (Algorithm::Expectimax, TableUse::All, 1),
        (Algorithm::Star1, TableUse::Decision, 1),
        (Algorithm::Star1, TableUse::All, 1),
        (Algorithm::Star2, TableUse::Decision, 1),
        (Algorithm::Star2, TableUse::All, 1),
        (Algorithm::Expectimax, TableUse::None, 4),
        (Algorithm::Expectimax, TableUse::All, 2),
        (Algorithm::Star1, TableUse::Decision, 4),
        (Algorithm::Star2, TableUse::None, 4),
        (Algorithm::Star2Tt, TableUse::All, 1),
        (Algorithm::Star2Tt, TableUse::All, 2),
        (Algorithm::Star2Tt, TableUse::All, 4),
        (Algorithm::Star2Tt, TableUse::All, 8),
    ];
    let options = |(algorithm, table_use, threads)| Options {
        algorithm,
        table_use,
        threads,
        splits: eager(Some(2)),
        successor_probing_depth: 2,
        ..Options::default()
    };
    let alone = Options {
        splits: Splits { alone: true, ..options((Algorithm::Star2Tt, TableUse::All, 1)).splits },
        ..options((Algorithm::Star2Tt, TableUse::All, 1))
    };
    forms.into_iter().map(options).chain([alone]).collect()
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

/// A search that is stopped somewhere in the middle.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    seed: u64,
    root: u32,
    /// Whether the evaluator ignores outcomes, so that chance nodes may collapse.
    is_blind: bool,
    options: Options,
    buckets: u64,
    stop: Stop,
}

#[derive(Clone, Copy, Debug)]
enum Stop {
    AfterNodes(u64),
    AtEvaluation(u32),
}

fn cases() -> impl Strategy<Value = Case> {
    let positions = 12u32..200;
    let shape = (shapes(), positions).prop_map(|(shape, positions)| GraphShape { positions, ..shape });
    // Nodes of any depth are shared, or so deep ones that many decision nodes above collapsed ones are nobody
    // else's.
    let splits = prop::option::weighted(0.9, prop_oneof![2 => Just(2u8), 1 => 3u8..=7]);
    let orderings = prop::sample::select(MoveOrdering::ALL.to_vec());
    let others = (orderings, prop::option::of(0u32..=2), splits, prop::option::of(1u8..=3), techniques());
    let options = (prop::sample::select(all_options()), others).prop_map(
        |(options, (ordering, probing_factor, split_depth, table_depth, techniques))| {
            let Options { algorithm, table_use, threads, splits: Splits { alone: split_alone, .. }, .. } =
                options;
            Options {
                algorithm,
                table_use,
                threads,
                splits: Splits { alone: split_alone, ..eager(split_depth) },
                // Of a search without shallower iterations that is stopped there is nothing to check.
                deepening: true,
                ordering,
                probing_factor,
                successor_probing_depth: 2,
                table_depth,
                ..techniques
            }
        },
    );
    let stop =
        prop_oneof![(0u64..30_000).prop_map(Stop::AfterNodes), (0u32..15_000).prop_map(Stop::AtEvaluation),];
    (shape, any::<u64>(), any::<u32>(), any::<bool>(), options, 1u64..=64, stop).prop_map(
        |(shape, seed, root, is_blind, options, buckets, stop)| Case {
            shape,
            seed,
            root,
            is_blind,
            options,
            buckets,
            stop,
        },
    )
}

/// How often the campaign met what it is about.
#[derive(Debug, Default)]
struct Met {
    stopped: Cell<u32>,
    interrupted: Cell<u32>,
    interrupted_threads: Cell<u32>,
    informative: Cell<u32>,
    /// Stopped searches in which chance nodes collapsed.
    collapsed: Cell<u32>,
}

fn count(counter: &Cell<u32>, condition: bool) {
    counter.set(counter.get() + u32::from(condition));
}

/// What a stopped search says is proven, it has proven; and what it leaves in the table as well.
#[test]
fn stopped_searches_say_and_store_only_what_is_so() {
    let met = Met::default();
    campaign::run(3_300, 7, &cases(), |case| try_case(&case, &met));
    println!("{met:?}");
    assert!(met.stopped.get() >= 1_000, "{met:?}");
    assert!(met.interrupted.get() >= 1_000, "{met:?}");
    assert!(met.interrupted_threads.get() >= 200, "{met:?}");
    assert!(met.informative.get() >= 200, "{met:?}");
    assert!(met.collapsed.get() >= 300, "{met:?}");
}

fn try_case(case: &Case, met: &Met) -> Result<(), TestCaseError> {
    let graph = graph_of(&case.shape, case.seed);
    let limit = case.shape.limit;
    if case.is_blind {
        try_with(case, &graph, &Blind::of(OutcomeBlind::new(&graph, case.seed, limit)), met)
    } else {
        try_with(case, &graph, &Seeing::of(Carried::new(case.seed, limit, false)), met)
    }
}

fn try_with<const IS_BLIND: bool>(
    case: &Case,
    graph: &RandomGraph,
    evaluator: &Erased<'_, RandomGraph, IS_BLIND, false>,
    met: &Met,
) -> Result<(), TestCaseError> {
    let root = root_of(graph, case.root);
    let mut oracle = Oracle::new(graph, evaluator);
    let table = LocklessTable::with_buckets(case.buckets).expect("a small table");

    let flag = StopFlag::new();
    let limits = Limits::depth(14).with_stop(flag.clone());
    let (limits, evaluations, reason) = match case.stop {
        Stop::AfterNodes(nodes) => (limits.with_nodes(nodes), u32::MAX, StopReason::Nodes),
        // A search that makes no evaluations, for all its leaves are terminals, needs another end.
        Stop::AtEvaluation(number) => (limits.with_nodes(200_000), number, StopReason::Flag),
    };
    let alarmed = Alarmed::new(evaluator, flag.clone(), evaluations);
    let alarmed = Erased::<_, IS_BLIND, false>::of(alarmed);
    let searcher = Searcher::new(graph.clone(), alarmed, &table).with_options(case.options.clone());
    let result =
        searcher.request(&root).limits(limits.clone()).search().expect("the graph keeps its contract");

    prop_assert_eq!(result.was_stopped(), result.depth < 14);
    if result.was_stopped() && (reason == StopReason::Nodes || flag.is_raised()) {
        prop_assert_eq!(result.stopped_by, reason);
    }
    prop_assert_eq!(result.stats.table.contradictions, 0);
    check_iterations(&mut oracle, &root, &result)?;
    check_interrupted(case, &mut oracle, &root, &result, met)?;

    // The same table again, to the end this time.
    let depth = affordable_depth(graph, root, 8, 5_000);
    let searcher = Searcher::new(graph.clone(), evaluator.clone(), &table).with_options(case.options.clone());
    let again =
        searcher.request(&root).limits(Limits::depth(depth)).search().expect("the graph keeps its contract");
    prop_assert_eq!(
        again.bounds,
        Bounds::exactly(oracle.value(&root, depth) as Score),
        "after a stopped search"
    );
    prop_assert_eq!(again.stats.table.contradictions, 0, "after a stopped search");
    Ok(())
}

fn check_iterations(
    oracle: &mut Oracle<'_, RandomGraph, impl Evaluator<RandomGraph>>,
    root: &GraphPosition,
    result: &SearchResult<u32, u32>,
) -> Result<(), TestCaseError> {
    // A search of many nodes that hardly grows leaves iterations out.
    prop_assert!(result.iterations.is_sorted_by(|one, next| one.depth < next.depth));
    for iteration in &result.iterations {
        let depth = iteration.depth;
        prop_assert_eq!(
            iteration.bounds,
            Bounds::exactly(oracle.value(root, depth) as Score),
            "depth {}",
            depth
        );
    }
    prop_assert_eq!(result.depth, result.iterations.last().map_or(0, |last| last.depth));
    match result.iterations.last() {
        Some(last) => {
            prop_assert_eq!((result.bounds, result.best_move), (last.bounds, last.best_move));
        }
        None => {
            prop_assert!(!result.is_exact() && result.score().is_none());
            let proven = result.interrupted.map(|interrupted| interrupted.bounds);
            prop_assert!(proven.is_none_or(|bounds| bounds == result.bounds));
            let is_decision = oracle.game.kind(root) == NodeKind::Decision;
            prop_assert_eq!(result.best_move.is_some(), is_decision, "a move to play all the same");
        }
    }
    Ok(())
}

fn check_interrupted(
    case: &Case,
    oracle: &mut Oracle<'_, RandomGraph, impl Evaluator<RandomGraph>>,
    root: &GraphPosition,
    result: &SearchResult<u32, u32>,
    met: &Met,
) -> Result<(), TestCaseError> {
    count(&met.stopped, result.was_stopped());
    count(&met.collapsed, result.was_stopped() && result.stats.nodes.collapsed > 0);
    let Some(interrupted) = result.interrupted else { return Ok(()) };
    prop_assert!(result.was_stopped());
    prop_assert!(interrupted.depth > result.depth);
    let value = oracle.value(root, interrupted.depth) as Score;
    let Bounds { lower, upper } = interrupted.bounds;
    prop_assert!(lower <= value && value <= upper, "{:?} for {}", interrupted, value);
    count(&met.interrupted, true);
    count(&met.interrupted_threads, case.options.threads > 1);
    count(&met.informative, interrupted.bounds != Bounds::unknown(case.shape.limit));
    Ok(())
}

fn search<const IS_BLIND: bool>(
    evaluator: Erased<'_, RandomGraph, IS_BLIND, false>,
    options: Options,
    limits: Limits,
) -> Result<SearchResult<u32, u32>, SearchError> {
    search_from(RandomGraph::start, evaluator, options, limits)
}

fn search_from<const IS_BLIND: bool>(
    root: fn(&RandomGraph) -> GraphPosition,
    evaluator: Erased<'_, RandomGraph, IS_BLIND, false>,
    options: Options,
    limits: Limits,
) -> Result<SearchResult<u32, u32>, SearchError> {
    let graph = endless_graph();
    let root = root(&graph);
    let table = LocklessTable::with_buckets(16).expect("a small table");
    Searcher::new(graph, evaluator, &table)
        .with_options(options)
        .request(&root)
        .limits(limits.clone())
        .search()
}

#[test]
fn a_node_limit_stops_every_algorithm() {
    for options in all_options() {
        let limits = Limits::unbounded().with_nodes(20_000);
        let result = search(Seeing::of(HashRandom::new(1, 1000)), options.clone(), limits).unwrap();
        assert_eq!(result.stopped_by, StopReason::Nodes, "{options:?}");
        assert!(result.depth >= 1 && result.is_exact(), "{options:?}");
        let most = 20_000 + 2_000 * options.threads as u64;
        assert!(result.stats.nodes.total() <= most, "{} nodes with {options:?}", result.stats.nodes.total());
    }
}

#[test]
fn a_time_limit_stops_every_algorithm() {
    for options in all_options() {
        let limits = Limits::unbounded().with_time(Duration::from_millis(20));
        let what = format!("{options:?}");
        let evaluator = Seeing::of(HashRandom::new(1, 1000));
        let result = without_hanging(&what, move || search(evaluator, options, limits)).unwrap();
        assert_eq!(result.stopped_by, StopReason::Time, "{what}");
    }
}

#[test]
fn a_flag_raised_by_another_thread_stops_every_algorithm() {
    for options in all_options() {
        let what = format!("{options:?}");
        let flag = StopFlag::new();
        let limits = Limits::unbounded().with_stop(flag.clone());
        let (sender, receiver) = mpsc::channel();
        let other = std::thread::spawn(move || {
            // Once the third iteration is completed.
            receiver.recv().expect("the search says so");
            flag.stop();
        });
        let result = without_hanging(&what, move || {
            let graph = endless_graph();
            let start = graph.start();
            let table = LocklessTable::with_buckets(16).expect("a small table");
            let searcher = Searcher::new(graph, HashRandom::new(1, 1000), table).with_options(options);
            let watch = |iteration: &starsplit::search::Iteration<u32, u32>| {
                if iteration.depth == 3 {
                    sender.send(()).expect("somebody listens");
                }
            };
            searcher.request(&start).limits(limits).on_iteration(watch).search()
        });
        other.join().expect("the other thread raises the flag");
        let result = result.unwrap();
        assert_eq!(result.stopped_by, StopReason::Flag, "{what}");
        assert!(result.depth >= 3, "{what}");
    }
}

#[test]
fn limits_that_leave_no_room_leave_the_first_move() {
    for options in all_options() {
        let flag = StopFlag::new();
        flag.stop();
        let limits = [
            (Limits::depth(3).with_nodes(0), StopReason::Nodes),
            (Limits::depth(3).with_time(Duration::ZERO), StopReason::Time),
            (Limits::depth(3).with_stop(flag.clone()), StopReason::Flag),
        ];
        for (limits, reason) in limits {
            let evaluator = Blind::of(Constant::new(5));
            let result = search_from(decision, evaluator, options.clone(), limits).unwrap();
            assert_eq!((result.stopped_by, result.depth), (reason, 0), "{options:?}");
            assert!(!result.is_exact() && result.iterations.is_empty() && result.root_moves.is_empty());
            assert_eq!(result.best_move, Some(first_move()), "{options:?}");
            assert_eq!(result.pv, [Step::Move(first_move())], "{options:?}");
        }
        flag.clear();
        let evaluator = Blind::of(Constant::new(5));
        let result = search(evaluator, options, Limits::depth(3).with_stop(flag)).unwrap();
        assert_eq!((result.stopped_by, result.depth), (StopReason::Depth, 3));
    }
}

/// Where the endless graph has a choice to make.
fn decision(graph: &RandomGraph) -> GraphPosition {
    let is_decision = |position: &GraphPosition| graph.kind(position) == NodeKind::Decision;
    graph.positions().find(is_decision).expect("there are some among so many")
}

/// The first move there.
fn first_move() -> u32 {
    let graph = endless_graph();
    let mut moves = Vec::new();
    graph.moves(&decision(&graph), |mv| moves.push(mv));
    moves[0]
}

#[test]
fn a_search_that_ends_at_once_names_the_move_that_the_table_remembers() {
    let graph = endless_graph();
    let searcher = Searcher::builder(graph.clone(), HashRandom::new(1, 1000)).table_mib(1).build();
    let searcher = searcher.expect("a valid searcher");
    let mut others = 0;
    for root in graph.positions().filter(|position| graph.kind(position) == NodeKind::Decision) {
        let known = searcher.request(&root).limits(Limits::depth(5)).search().expect("a sound game");
        let at_once =
            searcher.request(&root).limits(Limits::depth(5).with_nodes(0)).search().expect("a sound game");
        assert_eq!((at_once.depth, at_once.best_move), (0, known.best_move), "{root:?}");
        // Nothing is proven, and nothing was evaluated.
        assert_eq!(at_once.bounds, Bounds::unknown(graph.facts().grid.limit()), "{root:?}");
        assert!(at_once.value.is_nan() && !at_once.is_exact(), "{root:?}: {at_once}");
        assert!(at_once.to_string().contains(": no value (not exact"), "{at_once}");
        let mut moves = Vec::new();
        graph.moves(&root, |mv| moves.push(mv));
        others += u32::from(known.best_move != Some(moves[0]));
    }
    assert!(others >= 10, "{others} moves other than the first");
}

/// Searches a faulty game, then the same one mended, with the same table.
fn search_faulty(fault: Fault, options: Options) -> Result<SearchResult<u32, u32>, SearchError> {
    let graph = endless_graph();
    let start = graph.start();
    let evaluator = HashRandom::new(1, 1000);
    let table = LocklessTable::with_buckets(16).expect("a small table");
    let limits = Limits::depth(5);
    let faulty =
        Searcher::new(Faulty::new(graph.clone(), fault), evaluator, &table).with_options(options.clone());
    let outcome = faulty.request(&start).limits(limits.clone()).search();
    let mended = Searcher::new(graph.clone(), Seeing::of(evaluator), &table).with_options(options);
    let result =
        mended.request(&start).limits(limits.clone()).search().expect("the graph keeps its contract");
    let expected = Oracle::new(&graph, &evaluator).value(&start, 5) as Score;
    assert_eq!(result.bounds, Bounds::exactly(expected), "after {outcome:?}");
    outcome
}

#[test]
fn a_game_that_panics_ends_the_search_with_an_error() {
    for options in all_options() {
        for number in [1, 2, 10, 100, 300] {
            let what = format!("a panic at successor {number} with {options:?}");
            let options = options.clone();
            let outcome =
                without_hanging(&what, move || search_faulty(Fault::PanicAtSuccessor(number), options));
            let Err(SearchError::Panicked { message }) = outcome else { panic!("{what}: {outcome:?}") };
            assert!(message.contains("the game gave up"), "{what}: {message}");
        }
    }
}

/// An evaluator that panics, with a message of neither of the usual types.
#[derive(Debug)]
struct Panicking;

impl<G: Game> Evaluator<G> for Panicking {
    type State = ();

    fn facts(&self, _: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(0)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, _: &G, _: &G::Position, _: &()) -> Score {
        std::panic::panic_any(17)
    }
}

#[test]
fn an_evaluator_that_panics_ends_the_search_with_an_error() {
    for options in all_options() {
        let what = format!("{options:?}");
        let search = move || search(Seeing::of(Panicking), options, Limits::depth(5));
        let outcome = without_hanging(&what, search);
        assert!(matches!(outcome, Err(SearchError::Panicked { .. })), "{what}: {outcome:?}");
    }
}

#[test]
fn games_that_break_their_contract_are_named() {
    let heavy = u64::from(u32::MAX) + 1;
    let faults = [
        (Fault::ZeroWeight, SearchError::ZeroWeight),
        (Fault::HeavyWeights, SearchError::TotalWeight { total: heavy }),
        (Fault::NoOutcomes, SearchError::TotalWeight { total: 0 }),
        (Fault::NoMoves, SearchError::NoMoves),
        (Fault::MoveSlots(MAX_MOVE_SLOTS + 1), SearchError::MoveSlots { found: MAX_MOVE_SLOTS + 1 }),
        (Fault::MoveSlots(1 << 30), SearchError::MoveSlots { found: 1 << 30 }),
        (Fault::MoveSlots(usize::MAX), SearchError::MoveSlots { found: usize::MAX }),
    ];
    for options in all_options() {
        for (fault, expected) in &faults {
            let (fault, what) = (*fault, format!("{fault:?} with {options:?}"));
            let options = options.clone();
            let outcome = without_hanging(&what, move || search_faulty(fault, options));
            assert_eq!(outcome.err().as_ref(), Some(expected), "{what}");
        }
    }
}

#[test]
fn as_many_move_slots_as_there_may_be_are_searched_with() {
    let options =
        Options { threads: 2, splits: Splits { alone: true, ..Splits::default() }, ..Options::default() };
    let outcome = search_faulty(Fault::MoveSlots(MAX_MOVE_SLOTS), options);
    assert!(outcome.is_ok(), "{outcome:?}");
    let text = SearchError::MoveSlots { found: 1 << 30 }.to_string();
    assert_eq!(text, "move_slots 1073741824: expected at most 1048576");
}

#[test]
fn depths_out_of_range_are_refused() {
    for depth in [0, 255, 1_000_000_000, u32::MAX - 1] {
        for options in all_options() {
            let outcome = search(Blind::of(Constant::new(0)), options, Limits::depth(depth));
            assert_eq!(outcome.err(), Some(SearchError::Depth { found: depth }));
        }
    }
    let text = SearchError::Depth { found: 255 }.to_string();
    assert!(text.contains("255") && text.contains(&MAX_DEPTH.to_string()), "{text}");
}

/// A game of a few positions without cycles is over long before the greatest depth.
#[test]
fn the_greatest_depth_is_searched() {
    let shape = GraphShape { positions: 12, cycles: false, successors: 1..=3, ..GraphShape::default() };
    for options in all_options() {
        let graph = RandomGraph::new(&shape, 3).expect("the shape is within its limits");
        let start = graph.start();
        let full = graph.full_depth(&start).expect("no cycles");
        let expected = Oracle::new(&graph, &Constant::new(0)).value(&start, full) as Score;
        let evaluator = Blind::of(Constant::new(0));
        let searcher = Searcher::new(graph, evaluator, NoTable).with_options(options.clone());
        let result = searcher.request(&start).limits(Limits::unbounded()).search().unwrap();
        assert_eq!((result.depth, result.bounds), (MAX_DEPTH, Bounds::exactly(expected)), "{options:?}");
    }
}

#[test]
fn a_finished_game_has_its_score_at_every_depth() {
    let shape = GraphShape { terminal_percent: 30, ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, 5).expect("the shape is within its limits");
    let over =
        graph.positions().find(|position| graph.kind(position) == NodeKind::Terminal).expect("a terminal");
    let expected = Bounds::exactly(graph.terminal_score(&over));
    for options in all_options() {
        let evaluator = Blind::of(Constant::new(0));
        let searcher = Searcher::new(graph.clone(), evaluator, NoTable).with_options(options.clone());
        let result = searcher.request(&over).limits(Limits::depth(4)).search().unwrap();
        assert_eq!((result.depth, result.bounds, result.best_move), (4, expected, None), "{options:?}");
    }
}

fn refusal(options: Options) -> SearchError {
    fn refused<T: Table>(table: T, options: &Options) -> SearchError {
        let graph = endless_graph();
        let start = graph.start();
        let evaluator = Blind::of(Constant::new(0));
        let searcher = Searcher::new(graph, evaluator, table).with_options(options.clone());
        searcher
            .request(&start)
            .limits(Limits::depth(2))
            .search()
            .expect_err("these options do not fit together")
    }
    let table = LocklessTable::with_buckets(1).expect("a small table");
    let error = refused(&table, &options);
    assert_eq!(error, refused(NoTable, &options));
    assert_eq!(error, SearchError::Options(options.check().expect_err("these options do not fit together")));
    error
}

#[test]
fn options_that_do_not_fit_together_are_refused() {
    for threads in [0, MAX_THREADS + 1, usize::MAX] {
        let error = refusal(Options { threads, ..Options::default() });
        assert_eq!(error.to_string(), format!("threads {threads}: expected 1 to 1024"));
    }
    assert_eq!(Options { threads: MAX_THREADS, ..Options::default() }.check(), Ok(()));

    for &algorithm in Algorithm::ALL {
        assert_eq!(Options { algorithm, threads: 2, ..Options::default() }.check(), Ok(()));
        for found in [TableUse::None, TableUse::Decision] {
            let options = Options { algorithm, table_use: found, ..Options::default() };
            if !algorithm.needs_table() {
                assert_eq!(options.check(), Ok(()));
                continue;
            }
            let error = refusal(options);
            let expected = format!("table use {found}: {algorithm} looks up chance nodes; expected all");
            assert_eq!(error.to_string(), expected);
        }
    }
    assert!(Algorithm::Star2Tt.needs_table() && !Algorithm::Star2.needs_table());
}

#[test]
fn names_are_read_and_wrong_ones_are_named() {
    for &algorithm in Algorithm::ALL {
        assert_eq!(algorithm.name().parse(), Ok(algorithm));
    }
    for &ordering in MoveOrdering::ALL {
        assert_eq!(ordering.name().parse(), Ok(ordering));
    }
    let error = "star3".parse::<Algorithm>().expect_err("there is no Star3");
    let (last, others) = Algorithm::ALL.split_last().expect("some algorithms");
    let others: Vec<_> = others.iter().map(|algorithm| algorithm.name()).collect();
    assert_eq!(error.to_string(), format!("algorithm \"star3\": expected {} or {last}", others.join(", ")));
}
