//! Values that panic when they are dropped: positions, evaluator states, and what panics carry. Each such
//! panic that comes while a search runs is the search's error, and the searcher is as good as before.

use crate::common::brittle::{Breaks, BrittleGraph, BrittleStates, Explosive, Fuse};
use crate::common::erased::Seeing;
use crate::common::oracle::Oracle;
use crate::common::quiet::quieten_planned_panics;
use crate::common::splits::eager;
use crate::common::watchdog::{Watch, watched};
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::score::{Bounds, Score};
use starsplit::search::{Limits, Method, MoveOrdering, Options, SearchError, SearchResult, Splits};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const DEPTH: u32 = 6;

const THREADS: [usize; 3] = [1, 2, 4];

/// Which drops panic, from the first to more than there are.
const NUMBERS: [u64; 12] = [1, 2, 3, 5, 8, 21, 55, 144, 610, 2_584, 6_765, 28_657];

/// How a position is searched.
#[derive(Clone, Copy, Debug)]
enum Way {
    OnThreads,
    Simulated,
}

fn graph() -> RandomGraph {
    let shape = GraphShape { positions: 60, terminal_percent: 0, successors: 3..=6, ..GraphShape::default() };
    RandomGraph::new(&shape, 4).expect("the shape is within its limits")
}

fn evaluator() -> HashRandom {
    HashRandom::new(1, 1000)
}

fn table() -> LocklessTable {
    LocklessTable::with_buckets(16).expect("a small table")
}

fn expected(depth: u32) -> Bounds {
    let (graph, evaluator) = (graph(), evaluator());
    Bounds::exactly(Oracle::new(&graph, &evaluator).value(&graph.start(), depth) as Score)
}

/// The serial search, and every method on so many threads or virtual processors that splits all it can.
fn every_way() -> impl Iterator<Item = (Way, Options)> {
    let orderings = [MoveOrdering::Paper, MoveOrdering::Static];
    let parallel = Method::ALL.iter().flat_map(|&method| THREADS.map(|threads| (method, threads)));
    let split = parallel.map(|(method, threads)| Options {
        method,
        threads,
        splits: Splits { alone: true, ..eager(Some(2)) },
        table_depth: Some(1),
        ..Options::default()
    });
    std::iter::once(Options::default())
        .chain(split)
        .flat_map(move |options| orderings.map(|ordering| Options { ordering, ..options.clone() }))
        .flat_map(|options| [(Way::OnThreads, options.clone()), (Way::Simulated, options)])
        .filter(|(way, options)| matches!(way, Way::OnThreads) || !options.method.uses_whole_pool())
}

type BrittleSearcher = Searcher<BrittleGraph, BrittleStates, LocklessTable>;

fn search(searcher: &BrittleSearcher, way: Way) -> Result<SearchResult<u32, u32>, SearchError> {
    let (start, limits) = (searcher.game().start(), Limits::depth(DEPTH));
    let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
    // What escapes would end the test; caught, it says where it came from.
    let found = catch_unwind(AssertUnwindSafe(|| match way {
        Way::OnThreads => searcher.request(&start).limits(limits.clone()).search(),
        Way::Simulated => searcher
            .request(&start)
            .limits(limits.clone())
            .simulate(&simulation)
            .map(|simulated| simulated.result),
    }));
    searcher.game().fuse.mend(); // the start is dropped, too
    found.unwrap_or_else(|_| panic!("a panic escaped from {way:?} with {:?}", searcher.options()))
}

/// Searches once with fuses that blow, and once with the same searcher when they are mended; whether one
/// blew.
fn blows_once(
    watch: &Watch,
    pool: &Pool,
    (way, options): (Way, &Options),
    (positions, states): (Breaks, Breaks),
) -> bool {
    let what = format!("positions that break {positions:?} and states {states:?}, {way:?}, {options:?}");
    let (positions, states) = (Fuse::new(positions), Fuse::new(states));
    let game = BrittleGraph { graph: graph(), fuse: positions.clone() };
    let evaluator = BrittleStates { inner: evaluator(), fuse: states.clone() };
    let searcher =
        Searcher::new(game, evaluator, table()).with_options(options.clone()).with_pool(pool.clone());
    let found = watch.over(|| what.clone(), || search(&searcher, way));
    let has_blown = positions.has_blown() || states.has_blown();
    match &found {
        Err(SearchError::Panicked { message }) => {
            assert!(has_blown && message.contains("gave up at drop"), "{what}: {message}");
        }
        Ok(result) => assert!(!has_blown && result.bounds == expected(DEPTH), "{what}: {result:?}"),
        Err(error) => panic!("{what}: {error}"),
    }
    positions.mend();
    states.mend();
    let again = watch.over(|| format!("after {what}"), || search(&searcher, way));
    let again = again.unwrap_or_else(|error| panic!("after {what}: {error}"));
    assert_eq!(again.bounds, expected(DEPTH), "after {what}");
    assert_eq!(again.stats.table.contradictions, 0, "after {what}");
    has_blown
}

fn blow_in_every_way(breaks: impl Fn(u64) -> (Breaks, Breaks) + Send + 'static) {
    quieten_planned_panics();
    let blown = watched(move |watch| {
        let pool = Pool::new(4).expect("threads");
        let mut blown = 0;
        for (way, options) in every_way() {
            for number in NUMBERS {
                blown += u32::from(blows_once(watch, &pool, (way, &options), breaks(number)));
            }
        }
        blown
    });
    println!("{blown} searches were broken");
    assert!(blown >= 300, "only {blown} searches were broken");
}

#[test]
fn a_position_that_panics_when_it_is_dropped_is_an_error() {
    blow_in_every_way(|number| (Breaks::At(number), Breaks::Never));
}

/// After the first panic, what it left behind panics, too.
#[test]
fn positions_that_all_panic_when_they_are_dropped_are_an_error() {
    blow_in_every_way(|number| (Breaks::From(number), Breaks::Never));
}

#[test]
fn states_that_panic_when_they_are_dropped_are_an_error() {
    blow_in_every_way(|number| (Breaks::Never, Breaks::At(number)));
    blow_in_every_way(|number| (Breaks::Never, Breaks::From(number)));
}

/// An evaluator whose panics carry what panics when it is dropped, until it is mended.
struct Detonating {
    inner: HashRandom,
    more: u32,
    is_mended: Arc<AtomicBool>,
}

impl Evaluator<RandomGraph> for Detonating {
    type State = ();

    fn facts(&self, game: &RandomGraph) -> EvaluatorFacts {
        self.inner.facts(game)
    }

    fn state(&self, _: &RandomGraph, _: &GraphPosition, _: Option<Before<'_, RandomGraph, ()>>) {}

    fn evaluate(&self, game: &RandomGraph, position: &GraphPosition, _: &()) -> Score {
        if !self.is_mended.load(Relaxed) {
            std::panic::panic_any(Explosive { more: self.more });
        }
        self.inner.evaluate(game, position, &())
    }
}

#[test]
fn what_a_panic_carries_may_panic_when_it_is_dropped() {
    quieten_planned_panics();
    watched(|watch| {
        let pool = Pool::new(4).expect("threads");
        for (way, options) in every_way() {
            for more in [0, 1, 2, u32::MAX] {
                let what = format!("{more} more panics, {way:?}, {options:?}");
                watch.over(|| what.clone(), || detonate_once(&pool, (way, &options), more, &what));
            }
        }
    });
}

fn detonate_once(pool: &Pool, (way, options): (Way, &Options), more: u32, what: &str) {
    let is_mended = Arc::new(AtomicBool::new(false));
    let evaluator = Detonating { inner: evaluator(), more, is_mended: is_mended.clone() };
    let table = table();
    let searcher = Searcher::new(graph(), Seeing::of(evaluator), &table)
        .with_options(options.clone())
        .with_pool(pool.clone());
    let search = || {
        let (start, limits) = (searcher.game().start(), Limits::depth(DEPTH));
        let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
        match way {
            Way::OnThreads => searcher.request(&start).limits(limits.clone()).search(),
            Way::Simulated => searcher
                .request(&start)
                .limits(limits.clone())
                .simulate(&simulation)
                .map(|found| found.result),
        }
    };
    let found = catch_unwind(AssertUnwindSafe(search));
    // Whatever escaped is not to panic here again.
    let found = found.map_err(std::mem::forget).unwrap_or_else(|()| panic!("a panic escaped: {what}"));
    let message = "without a message".to_owned();
    assert_eq!(found.err(), Some(SearchError::Panicked { message }), "{what}");
    is_mended.store(true, Relaxed);
    let again = search().unwrap_or_else(|error| panic!("after {what}: {error}"));
    assert_eq!(again.bounds, expected(DEPTH), "after {what}");
}

/// What the callback holds goes while the search is under way.
#[test]
fn a_callback_that_panics_when_it_is_dropped_is_an_error() {
    quieten_planned_panics();
    let pool = Pool::new(2).expect("threads");
    for threads in [1, 2] {
        let fuse = Fuse::new(Breaks::From(1));
        let holds = BrittleGraph { graph: graph(), fuse: fuse.clone() }.start();
        let options = Options { threads, ..Options::default() };
        let searcher =
            Searcher::new(graph(), evaluator(), table()).with_options(options).with_pool(pool.clone());
        let limits = Limits::depth(DEPTH);
        let found = catch_unwind(AssertUnwindSafe(|| {
            searcher
                .request(&graph().start())
                .limits(limits.clone())
                .on_iteration(move |_| _ = &holds)
                .search()
        }));
        let found = found.unwrap_or_else(|_| panic!("a panic escaped with {threads} threads"));
        assert!(matches!(found, Err(SearchError::Panicked { .. })), "{found:?}");
        assert!(fuse.has_blown());
        let again = searcher
            .request(&graph().start())
            .limits(limits.clone())
            .search()
            .expect("no callback, no panic");
        assert_eq!(again.bounds, expected(DEPTH));
    }
}
