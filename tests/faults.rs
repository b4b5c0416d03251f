//! Faults and rough handling, by every method: games and evaluators that panic or give nonsense, pools that
//! are dropped, shared, crowded or too small, searches that are stopped, and thousands of them in a row.

mod common;

use common::alarmed::Alarmed;
use common::carried::Carried;
use common::erased::Seeing;
use common::faulty::{Fault, Faulty};
use common::graphs::endless_graph;
use common::oracle::Oracle;
use common::process::{resident_kib, threads_of_pools};
use common::quiet::quieten_planned_panics;
use common::splits::eager;
use common::watchdog::{Watch, watched};
use common::whimsical::{Whim, Whimsical};
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Game;
use starsplit::score::{Bounds, Grid, MAX_LIMIT, Score};
use starsplit::search::{
    Interrupted, Limits, Method, MoveOrdering, Options, SearchError, SearchResult, Splits, StopFlag,
    StopReason,
};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, RandomGraph};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// One thread goes the parallel way all the same; the last two are more than most machines have cores.
const THREADS: [usize; 4] = [1, 2, 8, 64];

/// One test at a time: some look at what the whole process has, and all of them start many threads.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    quieten_planned_panics();
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pool(threads: usize) -> Pool {
    Pool::new(threads).expect("the system starts the threads")
}

fn options(method: Method, threads: usize) -> Options {
    Options {
        method,
        threads,
        splits: Splits { alone: true, ..eager(Some(2)) },
        table_depth: Some(1),
        ..Options::default()
    }
}

fn every_method_and_count() -> impl Iterator<Item = Options> {
    Method::ALL.iter().flat_map(|&method| THREADS.map(|threads| options(method, threads)))
}

fn small_table() -> LocklessTable {
    LocklessTable::with_buckets(16).expect("a small table")
}

fn search<G: Game<Position = GraphPosition>, E: Evaluator<G>>(
    (game, evaluator, table): (G, E, &LocklessTable),
    options: &Options,
    pool: &Pool,
    limits: &Limits,
) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
    let searcher =
        Searcher::new(game, evaluator, table).with_options(options.clone()).with_pool(pool.clone());
    searcher.request(&GraphPosition { index: 0 }).limits(limits.clone()).search()
}

/// Searches the sound game on a pool and a table that have been through something, and asserts the value.
fn assert_sound(options: &Options, pool: &Pool, table: &LocklessTable, depth: u32, what: &str) {
    let (graph, evaluator) = (endless_graph(), HashRandom::new(1, 1000));
    let expected = Oracle::new(&graph, &evaluator).value(&graph.start(), depth) as Score;
    let result = search((graph, Seeing::of(evaluator), table), options, pool, &Limits::depth(depth))
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(result.bounds, Bounds::exactly(expected), "{what}");
    assert_eq!(result.stats.table.contradictions, 0, "{what}");
}

/// The depth to which games that panic are searched.
const DEPTH: u32 = 6;

#[test]
fn a_panic_at_any_successor_is_an_error_and_leaves_pool_and_table_sound() {
    let _alone = alone();
    let panics = watched(|watch| {
        let pool = pool(64);
        let mut panics = 0;
        for options in every_method_and_count() {
            for number in [1, 2, 3, 5, 8, 13, 21, 55, 144, 377, 987, 2584, 6765] {
                panics += u32::from(panics_once(watch, &options, &pool, number));
            }
        }
        panics
    });
    println!("{panics} searches panicked");
    assert!(panics >= 200, "only {panics} searches panicked");
}

/// Searches a game that panics at that successor, then the same game mended; whether it came to the panic.
fn panics_once(watch: &Watch, options: &Options, pool: &Pool, number: u64) -> bool {
    let what = format!("a panic at successor {number} with {options:?}");
    let table = small_table();
    let game = Faulty::new(endless_graph(), Fault::PanicAtSuccessor(number));
    let (made, evaluator) = (game.made(), HashRandom::new(1, 1000));
    let outcome = watch
        .over(|| what.clone(), || search((game, evaluator, &table), options, pool, &Limits::depth(DEPTH)));
    match &outcome {
        Err(SearchError::Panicked { message }) => assert!(message.contains("the game gave up"), "{message}"),
        Ok(result) => assert!(made.load(Relaxed) < number && result.depth == DEPTH, "{what}: {result:?}"),
        Err(error) => panic!("{what}: {error}"),
    }
    watch.over(|| format!("after {what}"), || assert_sound(options, pool, &table, DEPTH, &what));
    outcome.is_err()
}

#[test]
fn a_panic_at_any_evaluation_is_an_error_and_leaves_pool_and_table_sound() {
    let _alone = alone();
    watched(|watch| {
        let pool = pool(64);
        for options in every_method_and_count() {
            for number in [1, 2, 10, 100] {
                let what = format!("a panic at evaluation {number} with {options:?}");
                let table = small_table();
                let evaluator = Seeing::of(Whimsical::new(Whim::PanicAt(number)));
                let outcome = watch.over(
                    || what.clone(),
                    || search((endless_graph(), evaluator, &table), &options, &pool, &Limits::depth(DEPTH)),
                );
                let Err(SearchError::Panicked { message }) = outcome else { panic!("{what}: {outcome:?}") };
                assert!(message.contains("the evaluator gave up"), "{what}: {message}");
                watch
                    .over(|| format!("after {what}"), || assert_sound(&options, &pool, &table, DEPTH, &what));
            }
        }
    });
}

/// The threads of a pool end with it, whatever went wrong in its searches.
#[test]
fn no_thread_outlives_its_pool() {
    let _alone = alone();
    let Some(before) = threads_of_pools() else { return println!("skipped: no /proc here") };
    watched(|watch| {
        for options in every_method_and_count().filter(|options| options.threads <= 8) {
            for number in [1, 3, 100] {
                let pool = pool(options.threads);
                panics_once(watch, &options, &pool, number);
            }
            watch
                .over(|| format!("a panic in the callback with {options:?}"), || panic_in_callback(&options));
        }
    });
    let begun = Instant::now();
    while threads_of_pools().is_some_and(|now| now > before) {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{:?} threads, {before} before",
            threads_of_pools()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The leader of the search panics, after others have helped it.
fn panic_in_callback(options: &Options) {
    let (pool, table) = (pool(options.threads), small_table());
    let searcher = searcher_on(&pool, options, &table);
    let outcome = searcher
        .request(&GraphPosition { index: 0 })
        .limits(Limits::depth(DEPTH))
        .on_iteration(|iteration| {
            assert!(iteration.depth < 4, "the callback gave up at depth {}", iteration.depth);
        })
        .search();
    assert!(matches!(outcome, Err(SearchError::Panicked { .. })), "{outcome:?} with {options:?}");
    assert_sound(options, &pool, &table, DEPTH, "after a panic in the callback");
}

/// What an evaluator that saturates gives beyond the grid counts as its nearer end.
#[test]
fn evaluations_beyond_the_grid_are_clamped_onto_it_where_that_is_declared() {
    let _alone = alone();
    watched(|watch| {
        let pool = pool(8);
        let graph = endless_graph();
        let limit = graph.facts().grid.limit();
        for whim in [Whim::BeyondTheGrid, Whim::Extreme] {
            // The oracle clamps on its own.
            let expected =
                Oracle::new(&graph, &Whimsical::saturating(whim)).value(&graph.start(), 5) as Score;
            assert!((-limit..=limit).contains(&expected));
            for &ordering in MoveOrdering::ALL {
                for method in Method::ALL {
                    for threads in [1, 8] {
                        let options = Options { ordering, ..options(*method, threads) };
                        let what = format!("{whim:?} with {options:?}");
                        let (evaluator, table) = (Seeing::of(Whimsical::saturating(whim)), small_table());
                        let game = (graph.clone(), evaluator, &table);
                        let result = watch
                            .over(|| what.clone(), || search(game, &options, &pool, &Limits::depth(5)))
                            .unwrap_or_else(|error| panic!("{what}: {error}"));
                        assert_eq!(result.bounds, Bounds::exactly(expected), "{what}");
                        assert!((-1.0..=1.0).contains(&result.value), "{what}: {}", result.value);
                    }
                }
            }
        }
    });
}

/// What it gives beyond the grid without a declaration, or with one where it is not a number, is an error.
#[test]
fn evaluations_off_the_grid_are_errors_where_nothing_is_declared() {
    let _alone = alone();
    watched(|watch| {
        let pool = pool(8);
        let graph = endless_graph();
        let of = |whim| [(whim, Whimsical::new as fn(Whim) -> Whimsical), (whim, Whimsical::saturating)];
        let [strict, _] = of(Whim::BeyondTheGrid);
        for (whim, new) in [strict, of(Whim::Extreme)[0]].into_iter().chain(of(Whim::NotANumber)) {
            for options in every_method_and_count() {
                let what = format!("{whim:?} with {options:?}");
                let table = small_table();
                let game = (graph.clone(), Seeing::of(new(whim)), &table);
                let found = watch.over(|| what.clone(), || search(game, &options, &pool, &Limits::depth(5)));
                let Err(SearchError::OffGrid(off)) = found else { panic!("{what}: {found:?}") };
                let is_nan = off.to_string().contains("NaN");
                assert_eq!(is_nan, whim == Whim::NotANumber, "{what}: {off}");
            }
        }
    });
}

#[test]
fn values_that_are_no_scores_get_the_nearest_one_where_values_saturate() {
    let grid = Grid::new(-3.0, 5.0).expect("a range");
    assert!(grid.value(grid.saturating_score(f64::NAN)).is_nan());
    for (value, expected) in [
        (f64::INFINITY, MAX_LIMIT),
        (f64::NEG_INFINITY, -MAX_LIMIT),
        (1e300, MAX_LIMIT),
        (-1e300, -MAX_LIMIT),
        (5.000_001, MAX_LIMIT),
        (-3.000_001, -MAX_LIMIT),
    ] {
        assert_eq!(grid.saturating_score(value), expected, "{value}");
    }
}

/// The caller's handle goes while the search is under way: the search keeps the threads until it is over.
#[test]
fn a_pool_may_be_dropped_during_a_search() {
    let _alone = alone();
    watched(|watch| {
        for options in every_method_and_count() {
            let what = format!("{options:?}");
            watch.over(|| format!("dropped in the callback, {what}"), || drop_in_callback(&options));
            watch.over(|| format!("dropped by another thread, {what}"), || drop_elsewhere(&options));
        }
    });
}

type GraphSearcher<'t> = Searcher<RandomGraph, Seeing<'static, RandomGraph>, &'t LocklessTable>;

fn searcher_on<'t>(pool: &Pool, options: &Options, table: &'t LocklessTable) -> GraphSearcher<'t> {
    Searcher::new(endless_graph(), Seeing::of(HashRandom::new(1, 1000)), table)
        .with_options(options.clone())
        .with_pool(pool.clone())
}

fn assert_expected(result: &SearchResult<u32, u32>, what: &Options) {
    let (graph, evaluator) = (endless_graph(), HashRandom::new(1, 1000));
    let expected = Oracle::new(&graph, &evaluator).value(&graph.start(), result.depth) as Score;
    assert_eq!(result.bounds, Bounds::exactly(expected), "{what:?}");
}

fn drop_in_callback(options: &Options) {
    let (pool, table) = (pool(options.threads), small_table());
    let searcher = searcher_on(&pool, options, &table);
    let mut handle = Some(pool);
    let result = searcher
        .request(&GraphPosition { index: 0 })
        .limits(Limits::depth(DEPTH))
        .on_iteration(|iteration| {
            if iteration.depth == 3 {
                handle = None;
            }
        })
        .search();
    assert_expected(&result.expect("the graph keeps its contract"), options);
}

fn drop_elsewhere(options: &Options) {
    let (pool, table) = (pool(options.threads), small_table());
    let searcher = searcher_on(&pool, options, &table);
    let (sender, receiver) = mpsc::channel();
    let other = std::thread::spawn(move || {
        receiver.recv().expect("the search says when");
        drop(pool);
    });
    let result = searcher
        .request(&GraphPosition { index: 0 })
        .limits(Limits::depth(DEPTH))
        .on_iteration(|iteration| {
            if iteration.depth == 3 {
                sender.send(()).expect("somebody listens");
            }
        })
        .search();
    other.join().expect("dropping does not panic");
    assert_expected(&result.expect("the graph keeps its contract"), options);
}

/// A pool that has too few threads stays as it is; the searcher starts a larger one for itself.
#[test]
fn a_search_may_have_more_threads_than_its_pool() {
    let _alone = alone();
    watched(|watch| {
        for &method in Method::ALL {
            let pool = pool(2);
            let options = options(method, 8);
            let result = watch.over(
                || format!("{options:?}"),
                || {
                    searcher_on(&pool, &options, &small_table())
                        .request(&GraphPosition { index: 0 })
                        .limits(Limits::depth(DEPTH))
                        .search()
                },
            );
            let result = result.expect("a larger pool");
            assert_expected(&result, &options);
            assert_eq!(pool.threads(), 2);
            assert!(result.workers.len() >= 8, "{method}: {} workers", result.workers.len());
        }
    });
}

/// Searches that want one pool at the same time take turns; one within another does without.
#[test]
fn searches_share_a_pool() {
    let _alone = alone();
    watched(|watch| {
        let pool = pool(4);
        for &method in Method::ALL {
            let options = options(method, 4);
            watch.over(|| format!("together, {options:?}"), || search_together(&pool, &options));
            watch.over(|| format!("in the callback, {options:?}"), || search_within(&pool, &options));
        }
    });
}

fn search_together(pool: &Pool, options: &Options) {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    assert_sound(options, pool, &small_table(), DEPTH, "one of four at a time");
                }
            });
        }
    });
}

fn search_within(pool: &Pool, options: &Options) {
    let table = small_table();
    let searcher = searcher_on(pool, options, &table);
    let mut inner = 0;
    let result = searcher
        .request(&GraphPosition { index: 0 })
        .limits(Limits::depth(DEPTH))
        .on_iteration(|_| {
            assert_sound(options, pool, &small_table(), DEPTH, "within another");
            inner += 1;
        })
        .search();
    assert_expected(&result.expect("the graph keeps its contract"), options);
    assert_eq!(inner, DEPTH);
}

/// An evaluator that searches on the pool of the search that asks it, now and then.
struct Searching {
    options: Options,
    pool: Pool,
    inner: HashRandom,
    made: AtomicU32,
}

impl Evaluator<RandomGraph> for Searching {
    type State = ();

    fn facts(&self, graph: &RandomGraph) -> EvaluatorFacts {
        EvaluatorFacts::new(self.inner.facts(graph).identity)
    }

    fn state(&self, _: &RandomGraph, _: &GraphPosition, _: Option<Before<'_, RandomGraph, ()>>) {}

    fn evaluate(&self, game: &RandomGraph, position: &GraphPosition, _: &()) -> Score {
        if self.made.fetch_add(1, Relaxed) % 200 == 7 {
            assert_sound(&self.options, &self.pool, &small_table(), 4, "within an evaluation");
        }
        self.inner.evaluate(game, position, &())
    }
}

#[test]
fn an_evaluator_may_search() {
    let _alone = alone();
    watched(|watch| {
        let pool = pool(4);
        for &method in Method::ALL {
            let options = options(method, 4);
            let (made, inner) = (AtomicU32::new(0), HashRandom::new(1, 1000));
            let evaluator = Searching { options: options.clone(), pool: pool.clone(), inner, made };
            let found = watch.over(
                || format!("{options:?}"),
                || {
                    let game = (endless_graph(), Seeing::of(evaluator), &small_table());
                    search(game, &options, &pool, &Limits::depth(DEPTH))
                },
            );
            assert_expected(&found.expect("the graph keeps its contract"), &options);
        }
    });
}

#[test]
fn a_pool_may_have_a_thousand_threads() {
    let _alone = alone();
    watched(|watch| {
        let pool = match Pool::new(1024) {
            Ok(pool) => pool,
            Err(SearchError::Refused { message, .. }) => return println!("skipped: {message}"),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(pool.threads(), 1024);
        for &method in Method::ALL {
            let options = options(method, 1024);
            watch.over(
                || format!("{options:?}"),
                || assert_sound(&options, &pool, &small_table(), 5, "a thousand threads"),
            );
        }
    });
}

/// Of a leak of some 200 bytes a search, this notices.
#[test]
fn ten_thousand_searches_in_a_row_need_no_more_memory_than_one_thousand() {
    let _alone = alone();
    let growth = watched(|watch| {
        let pool = pool(8);
        let mut early = None;
        for number in 0..10_000 {
            if number == 1_000 {
                early = resident_kib();
            }
            watch.over(|| format!("search {number}"), || search_in_a_row(&pool, number));
        }
        Some((early?, resident_kib()?))
    });
    let Some((early, late)) = growth else { return println!("skipped: no /proc here") };
    println!("{early} KiB after a thousand searches, {late} KiB after ten thousand");
    assert!(late < early + 2048, "{early} KiB after a thousand searches, {late} KiB after ten thousand");
}

/// Every seventh search of each method panics, every third is stopped.
fn search_in_a_row(pool: &Pool, number: usize) {
    let options = options(Method::ALL[number % Method::ALL.len()], [1, 2, 8][number / 7 % 3]);
    let round = number / 7;
    let fault = if round % 7 == 3 { 200 } else { u64::MAX };
    let game = Faulty::new(endless_graph(), Fault::PanicAtSuccessor(fault));
    let limits = if round % 3 == 0 { Limits::depth(9).with_nodes(1_000) } else { Limits::depth(4) };
    let _ = search((game, HashRandom::new(1, 1000), &small_table()), &options, pool, &limits);
}

/// A stop that comes from another thread at a moment when the search is deep in something.
#[test]
fn a_stop_from_another_thread_ends_every_search_with_sound_bounds() {
    let _alone = alone();
    let interrupted = watched(|watch| {
        let pool = pool(64);
        let mut interrupted = 0;
        for options in every_method_and_count() {
            for evaluations in [100, 3_000, 10_000, 30_000] {
                let what = format!("a stop after {evaluations} evaluations with {options:?}");
                interrupted += watch.over(|| what.clone(), || stop_once(&options, &pool, evaluations, &what));
            }
        }
        interrupted
    });
    println!("{interrupted} iterations were interrupted");
    assert!(interrupted >= 50, "only {interrupted} iterations were interrupted");
}

/// Stops one search, and says whether that interrupted an iteration.
fn stop_once(options: &Options, pool: &Pool, evaluations: u32, what: &str) -> u32 {
    let (graph, evaluator) = (endless_graph(), Carried::new(1, 1000, false));
    let (alarm, flag) = (StopFlag::new(), StopFlag::new());
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !alarm.is_raised() {
                std::thread::yield_now();
            }
            flag.stop();
        });
        let alarmed = Alarmed::new(evaluator, alarm.clone(), evaluations);
        let limits = Limits::unbounded().with_stop(flag.clone());
        search((graph.clone(), Seeing::of(alarmed), &small_table()), options, pool, &limits)
    });
    let result = result.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(result.stopped_by, StopReason::Flag, "{what}");
    assert_eq!(result.stats.table.contradictions, 0, "{what}");
    let mut oracle = Oracle::new(&graph, &evaluator);
    for iteration in &result.iterations {
        let expected = oracle.value(&graph.start(), iteration.depth) as Score;
        assert_eq!(iteration.bounds, Bounds::exactly(expected), "{what}, depth {}", iteration.depth);
    }
    let Some(Interrupted { depth, bounds, .. }) = result.interrupted else { return 0 };
    let expected = oracle.value(&graph.start(), depth) as Score;
    assert!(bounds.lower <= expected && expected <= bounds.upper, "{what}: {bounds:?} for {expected}");
    1
}
