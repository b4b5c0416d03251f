//! When helpers are called: not to a search that is over soon, to a longer one before an iteration or in the
//! middle of one, and at once where `helpers_after` is 0. No test asserts how long anything takes: what
//! evaluations take is what tells the searches apart.

use crate::common::erased::Seeing;
use crate::common::graphs::endless_graph;
use crate::common::watchdog::without_hanging;
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::{Limits, Method, Options, SearchResult, Splits, StopFlag, StopReason};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use std::time::Duration;

/// The evaluations of [`HashRandom`], each of which sleeps first.
#[derive(Clone, Copy)]
struct Sleepy(Duration);

impl<G: Game> Evaluator<G> for Sleepy {
    type State = ();

    fn facts(&self, _: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(0)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, (): &()) -> Score {
        if !self.0.is_zero() {
            std::thread::sleep(self.0);
        }
        HashRandom::new(1, 1000).evaluate(game, position, &())
    }
}

fn search(options: Options, sleep: Duration, limits: Limits) -> SearchResult<u32, u32> {
    without_hanging(options.clone(), move || {
        let graph = endless_graph();
        let start = graph.start();
        let table = LocklessTable::with_buckets(64).expect("a small table");
        let searcher = Searcher::new(graph, Seeing::of(Sleepy(sleep)), &table);
        searcher.with_options(options).request(&start).limits(limits.clone()).search().expect("a sound game")
    })
}

fn with(method: Method) -> Options {
    Options {
        method,
        threads: 3,
        splits: Splits { depth: Some(2), size: Some(0), ..Splits::default() },
        ..Options::default()
    }
}

/// Helpers that the search had: the calling thread is no helper, nor does it search by fork and join.
fn helpers(options: &Options, result: &SearchResult<u32, u32>) -> usize {
    let came = result.workers.len();
    if options.method.uses_whole_pool() { came } else { came.saturating_sub(1) }
}

#[test]
fn a_search_that_is_over_soon_is_the_serial_one() {
    let serial = search(Options { threads: 1, ..with(Method::Both) }, Duration::ZERO, Limits::depth(6));
    let long = [Duration::from_secs(3600), Duration::MAX / 2, Duration::MAX];
    for (&method, helpers_after) in Method::ALL.iter().flat_map(|method| long.map(|long| (method, long))) {
        let options = Options { splits: Splits { helpers_after, ..with(method).splits }, ..with(method) };
        let result = search(options.clone(), Duration::ZERO, Limits::depth(6));
        assert_eq!(helpers(&options, &result), 0, "{method}");
        assert_eq!((result.stats, result.bounds), (serial.stats, serial.bounds), "{method}");
    }
}

#[test]
fn helpers_are_called_at_once_where_that_is_asked_for() {
    for &method in Method::ALL {
        let options = Options {
            splits: Splits { helpers_after: Duration::ZERO, ..with(method).splits },
            ..with(method)
        };
        let result = search(options.clone(), Duration::ZERO, Limits::depth(1));
        assert!(helpers(&options, &result) >= 2, "{method}: {}", result.workers.len());
    }
}

/// Every iteration takes milliseconds, and each longer than the last: so they are called before one.
#[test]
fn helpers_are_called_before_a_long_iteration() {
    for &method in Method::ALL {
        let options = with(method);
        let result = search(options.clone(), Duration::from_millis(1), Limits::depth(5));
        assert!(helpers(&options, &result) >= 2, "{method}: {}", result.workers.len());
        assert_eq!(result.stopped_by, StopReason::Depth, "{method}");
    }
}

/// There is one iteration, of which nothing is known beforehand.
#[test]
fn helpers_are_called_in_the_middle_of_an_iteration() {
    let options = |method| Options { deepening: false, ..with(method) };
    let serial = search(Options { threads: 1, ..options(Method::Both) }, Duration::ZERO, Limits::depth(5));
    for &method in Method::ALL {
        let result = search(options(method), Duration::from_millis(1), Limits::depth(5));
        assert!(helpers(&options(method), &result) >= 2, "{method}: {}", result.workers.len());
        assert_eq!(result.bounds, serial.bounds, "{method}");
        let split = result.stats.split;
        let has_split = split.probing_splits + split.star1_splits + split.decision_splits > 0;
        // The root was open when they came, and every worker that searches the whole tree makes no split
        // points.
        let splits = matches!(method, Method::ChanceSplit | Method::DecisionSplit | Method::Both);
        assert!(has_split || !splits, "{method}");
    }
}

/// Searches that end while helpers are on their way, one after another on one pool: nobody is waited for in
/// vain, and nobody who comes late does harm.
#[test]
fn helpers_that_come_too_late_find_nothing_and_leave() {
    let graph = endless_graph();
    let start = graph.start();
    let pool = Pool::new(4).expect("threads");
    let found = without_hanging("late helpers", move || {
        let table = LocklessTable::with_buckets(64).expect("a small table");
        let searcher = Searcher::new(graph, Seeing::of(Sleepy(Duration::ZERO)), &table).with_pool(pool);
        let mut scores = Vec::new();
        for number in 0..2_000u64 {
            let method = Method::ALL[number as usize % Method::ALL.len()];
            let helpers_after = Duration::from_nanos(1 + number * 37 % 40_000);
            let options = Options {
                threads: 4,
                splits: Splits { helpers_after, ..with(method).splits },
                ..with(method)
            };
            searcher.new_game();
            let depth = 3 + number as u32 % 4;
            let limits = Limits::depth(depth).with_stop(StopFlag::new());
            let found =
                searcher.request(&start).options(options).limits(limits).search().expect("a sound game");
            scores.push((depth, found.score()));
        }
        scores
    });
    for depth in 3..7 {
        let mut of_depth = found.iter().filter(|(of, _)| *of == depth).map(|(_, score)| score);
        let first = of_depth.next().expect("some");
        assert!(first.is_some() && of_depth.all(|score| score == first), "depth {depth}");
    }
}
