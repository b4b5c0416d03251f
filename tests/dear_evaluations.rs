//! Evaluations that take as long as thousands of nodes do elsewhere: how many are made after the end, and
//! whether it matters to what is visited how long they take. No test here looks at a clock.

use crate::common::erased::{Blind, Erased, Seeing};
use crate::common::graphs::endless_graph;
use crate::common::splits::eager;
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::{
    Algorithm, Limits, Method, MoveOrdering, Options, RootRanking, Splits, StopFlag, StopReason, TableUse,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit_testkit::{EdgePlies, GraphPosition, OutcomeBlind, PliedGraph};
use starsplit_wrappers::{EvaluatorWrapper, forward};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Where searches begin.
const START: GraphPosition = GraphPosition { index: 0 };

/// A random graph.
trait Graph: Game<Position = GraphPosition> + Clone {}

impl<G: Game<Position = GraphPosition> + Clone> Graph for G {}

/// Waits so long: short times in a loop, since a thread that sleeps for them wakes up much later.
fn wait(time: Duration) {
    if time >= Duration::from_millis(1) {
        std::thread::sleep(time);
    } else {
        let begun = Instant::now();
        while begun.elapsed() < time {
            std::hint::spin_loop();
        }
    }
}

/// The evaluations of another evaluator, each of which waits first; one of them raises a flag when it has
/// waited.
struct Dear<E> {
    inner: E,
    sleep: Duration,
    flag: StopFlag,
    alarm: u64,
    begun: AtomicU64,
    /// How many were begun when the flag was up already.
    late: AtomicU64,
}

impl<E> Dear<E> {
    fn new(inner: E, sleep: Duration, alarm: u64) -> Self {
        let (begun, late) = (AtomicU64::new(0), AtomicU64::new(0));
        Dear { inner, sleep, flag: StopFlag::new(), alarm, begun, late }
    }
}

impl<E: Send + Sync> EvaluatorWrapper for Dear<E> {
    type Inner = E;

    fn inner(&self) -> &E {
        &self.inner
    }

    fn evaluate<G: Game>(&self, game: &G, position: &G::Position, state: &E::State) -> Score
    where
        E: Evaluator<G>,
    {
        // Relaxed: counters.
        self.late.fetch_add(u64::from(self.flag.is_raised()), Relaxed);
        let number = self.begun.fetch_add(1, Relaxed) + 1;
        wait(self.sleep);
        if number == self.alarm {
            self.flag.stop();
        }
        self.inner.evaluate(game, position, state)
    }
}

forward! { impl<E: Send + Sync> Evaluator for Dear<E> }

/// The same graph, where some moves and outcomes take no ply and some two, so that leaves are anywhere.
fn plied_graph() -> PliedGraph {
    let plies = EdgePlies { none_percent: 20, more_percent: 50, most: 2 };
    PliedGraph::new(endless_graph(), plies).expect("the plies are within their limits")
}

/// An evaluator that looks at outcomes and one that does not.
fn evaluators() -> (HashRandom, OutcomeBlind) {
    (HashRandom::new(1, 1000), OutcomeBlind::new(&endless_graph(), 1, 1000))
}

fn forms() -> Vec<Options> {
    let serial = [
        (Algorithm::Expectimax, TableUse::None),
        (Algorithm::Star1, TableUse::Decision),
        (Algorithm::Star2, TableUse::All),
        (Algorithm::Star2Tt, TableUse::All),
    ];
    let serial = serial.into_iter().flat_map(|(algorithm, table_use)| {
        MoveOrdering::ALL.iter().map(move |&ordering| Options {
            algorithm,
            table_use,
            ordering,
            ..Options::default()
        })
    });
    let parallel = Method::ALL.iter().map(|&method| Options {
        method,
        threads: 4,
        splits: eager(Some(2)),
        ..Options::default()
    });
    let every_algorithm = Algorithm::ALL.iter().map(|&algorithm| Options {
        algorithm,
        table_use: Options::paper(algorithm).table_use,
        threads: 4,
        splits: eager(Some(2)),
        ..Options::default()
    });
    let ranked = Options { root_ranking: RootRanking::All, ..Options::default() };
    serial.chain(parallel).chain(every_algorithm).chain([ranked]).collect()
}

/// One thread that splits all the same, by every method.
fn alone() -> impl Iterator<Item = Options> {
    let is_alone = |options: Options| Options {
        threads: 1,
        splits: Splits { alone: true, ..options.splits },
        ..options
    };
    forms().into_iter().filter(|options| options.threads > 1).map(is_alone)
}

/// A search that is stopped by its evaluation number `alarm` makes no other: each thread looks before it
/// begins one.
fn stop_at<G: Graph, const IS_BLIND: bool>(game: &G, evaluator: &Erased<'_, G, IS_BLIND, false>, alarm: u64) {
    for options in forms().into_iter().chain(alone()) {
        let what = format!("stopped by evaluation {alarm} with {options:?}");
        let dear = Dear::new(evaluator, Duration::from_millis(1), alarm);
        // If the table knew the leaves' parents too, evaluations would be so rare that none is waited for.
        let options = Options { table_depth: Some(2), ..options };
        let table = LocklessTable::with_buckets(16).expect("a small table");
        let others = options.threads as u64 - 1;
        let erased = Erased::<_, IS_BLIND, false>::of(&dear);
        let searcher = Searcher::new(game.clone(), erased, &table).with_options(options);
        let limits = Limits::unbounded().with_stop(dear.flag.clone());
        let result = searcher.request(&START).limits(limits.clone()).search().expect("a sound game");
        assert_eq!(result.stopped_by, StopReason::Flag, "{what}");
        // Another thread may have looked before the flag went up, and begun its evaluation after it.
        let late = dear.late.load(Relaxed);
        assert!(late <= others, "{late} evaluations after the end, {what}");
    }
}

#[test]
fn no_evaluation_is_begun_after_a_stop() {
    for alarm in [1, 2, 7, 30] {
        let (seeing, blind) = evaluators();
        stop_at(&endless_graph(), &Seeing::of(seeing), alarm);
        stop_at(&endless_graph(), &Blind::of(&blind), alarm);
        stop_at(&plied_graph(), &Seeing::of(seeing), alarm);
        stop_at(&plied_graph(), &Blind::of(&blind), alarm);
    }
}

/// What is counted in a search of so many nodes whose evaluations take so long: serially, or on virtual
/// processors where there are to be several.
fn counted<G: Graph, const IS_BLIND: bool>(
    game: &G,
    evaluator: &Erased<'_, G, IS_BLIND, false>,
    options: &Options,
    sleep: Duration,
) -> String {
    let dear = Dear::new(evaluator, sleep, u64::MAX);
    let table = LocklessTable::with_buckets(1 << 8).expect("a small table");
    let erased = Erased::<_, IS_BLIND, false>::of(&dear);
    let searcher = Searcher::new(game.clone(), erased, &table).with_options(options.clone());
    let (start, limits) = (START, Limits::unbounded().with_nodes(2_500));
    let result = if options.threads > 1 {
        let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
        let simulated =
            searcher.request(&start).limits(limits.clone()).simulate(&simulation).expect("a sound game");
        assert!(simulated.events > 0);
        simulated.result
    } else {
        searcher.request(&start).limits(limits.clone()).search().expect("a sound game")
    };
    assert_eq!(result.stopped_by, StopReason::Nodes);
    format!("{:?} {:?} {:?}", result.stats, result.bounds, result.interrupted)
}

#[test]
fn how_long_evaluations_take_does_not_matter_to_what_is_visited() {
    let dear = Duration::from_micros(20);
    let is_simulated = |options: &&Options| options.threads == 1 || !options.method.uses_whole_pool();
    for options in forms().iter().filter(is_simulated) {
        let (seeing, blind) = evaluators();
        let (graph, plied) = (endless_graph(), plied_graph());
        let of_graph = |sleep| {
            let seen = counted(&graph, &Seeing::of(seeing), options, sleep);
            [seen, counted(&graph, &Blind::of(&blind), options, sleep)]
        };
        let of_plied = |sleep| {
            let seen = counted(&plied, &Seeing::of(seeing), options, sleep);
            [seen, counted(&plied, &Blind::of(&blind), options, sleep)]
        };
        assert_eq!(of_graph(dear), of_graph(Duration::ZERO), "{options:?}");
        assert_eq!(of_plied(dear), of_plied(Duration::ZERO), "plies, {options:?}");
    }
}
