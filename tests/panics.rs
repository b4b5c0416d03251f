//! A panic in any method of a game or an evaluator, in a callback or a payload, at each of its first calls,
//! in every mode: the search ends with an error that has its message, no helper waits for ever, and the pool
//! is sound afterwards.

use crate::common::quiet::quieten_planned_panics;
use crate::common::watchdog::{Watch, watched, without_hanging};
use starsplit::evaluator::{
    Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, HashRandom,
};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Bounds, Score, Window};
use starsplit::search::{
    LaneOptions, Limits, Method, Options, RootRanking, SearchError, SearchResult, Splits,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The calls that panic, counted from 1.
const CALLS: [u64; 8] = [1, 2, 3, 4, 5, 8, 21, 144];

const DEPTH: u32 = 5;

/// Whatever the library calls of somebody else's.
const CALLBACKS: [&str; 27] = [
    "identity",
    "game facts",
    "kind",
    "player",
    "terminal score",
    "hash",
    "hash to depth",
    "moves",
    "play",
    "visit moves",
    "visit outcomes",
    "reward",
    "plies",
    "outcomes",
    "resolve",
    "game's outcome bounds",
    "move slot",
    "full depth",
    "evaluator facts",
    "state",
    "ignores outcome",
    "evaluate",
    "evaluate many",
    "bounds",
    "outcome bounds",
    "watch",
    "payload",
];

/// Panics at one call of one callback.
#[derive(Clone, Debug, Default)]
struct Alarm {
    callback: &'static str,
    at: u64,
    calls: Arc<AtomicU64>,
}

impl Alarm {
    fn ring(&self, callback: &str) {
        if callback == self.callback {
            let calls = self.calls.fetch_add(1, Relaxed) + 1;
            assert!(calls != self.at, "{callback} gave up at call {calls}");
        }
    }

    fn has_rung(&self) -> bool {
        self.calls.load(Relaxed) >= self.at
    }
}

/// A random game that has such an alarm.
#[derive(Clone, Debug)]
struct Alarming<G> {
    inner: G,
    alarm: Alarm,
}

/// A random game with rewards, and the same with plies.
fn games() -> (RewardedGraph, PliedGraph<RewardedGraph>) {
    let shape = GraphShape {
        positions: 300,
        terminal_percent: 5,
        successors: 2..=5,
        cycles: false,
        ..GraphShape::default()
    };
    let rewards = Rewards { move_percent: 30, outcome_percent: 30, most: 100 };
    let graph = RewardedGraph::new(RandomGraph::new(&shape, 3).expect("a graph"), rewards);
    let graph = graph.expect("rewards");
    let plies = EdgePlies { none_percent: 10, more_percent: 10, most: 3 };
    (graph.clone(), PliedGraph::new(graph, plies).expect("plies"))
}

impl<G: GraphGame> Game for Alarming<G> {
    type Position = GraphPosition;
    type Move = u32;
    type Outcome = u32;
    const STEPS: Steps = G::STEPS;

    fn identity(&self) -> u64 {
        self.alarm.ring("identity");
        self.inner.identity()
    }

    fn facts(&self) -> GameFacts {
        self.alarm.ring("game facts");
        self.inner.facts().with_move_slots(16).saturating(false)
    }

    fn kind(&self, position: &GraphPosition) -> NodeKind {
        self.alarm.ring("kind");
        self.inner.kind(position)
    }

    fn player(&self, position: &GraphPosition) -> Player {
        self.alarm.ring("player");
        self.inner.player(position)
    }

    fn terminal_score(&self, position: &GraphPosition) -> Score {
        self.alarm.ring("terminal score");
        self.inner.terminal_score(position) / 2 // so that no sum of rewards leads beyond the grid
    }

    fn hash(&self, position: &GraphPosition) -> PositionHash {
        self.alarm.ring("hash");
        self.inner.hash(position)
    }

    fn hash_to_depth(&self, position: &GraphPosition, depth: u8) -> PositionHash {
        self.alarm.ring("hash to depth");
        self.inner.hash_to_depth(position, depth)
    }

    fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
        self.alarm.ring("moves");
        self.inner.moves(position, push);
    }

    fn play(&self, position: &GraphPosition, mv: u32) -> GraphPosition {
        self.alarm.ring("play");
        self.inner.play(position, mv)
    }

    fn visit_moves(
        &self,
        position: &GraphPosition,
        visit: impl FnMut(u32, GraphPosition) -> ControlFlow<()>,
    ) {
        self.alarm.ring("visit moves");
        self.inner.visit_moves(position, visit);
    }

    fn visit_outcomes(
        &self,
        position: &GraphPosition,
        visit: impl FnMut(u32, u32, GraphPosition) -> ControlFlow<()>,
    ) {
        self.alarm.ring("visit outcomes");
        self.inner.visit_outcomes(position, visit);
    }

    fn reward(&self, before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> Score {
        self.alarm.ring("reward");
        self.inner.reward(before, step, after)
    }

    fn plies(&self, before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> u8 {
        self.alarm.ring("plies");
        self.inner.plies(before, step, after)
    }

    fn outcomes(&self, position: &GraphPosition, push: impl FnMut(u32, u32)) {
        self.alarm.ring("outcomes");
        self.inner.outcomes(position, push);
    }

    fn resolve(&self, position: &GraphPosition, outcome: u32) -> GraphPosition {
        self.alarm.ring("resolve");
        self.inner.resolve(position, outcome)
    }

    fn outcome_bounds(&self, position: &GraphPosition, depth: u8, push: impl FnMut(Bounds)) {
        self.alarm.ring("game's outcome bounds");
        self.inner.outcome_bounds(position, depth, push);
    }

    fn move_slot(&self, mv: u32) -> usize {
        self.alarm.ring("move slot");
        mv as usize % 16
    }

    fn full_depth(&self, position: &GraphPosition) -> Option<u32> {
        self.alarm.ring("full depth");
        self.inner.full_depth(position)
    }
}

/// An evaluator with such an alarm. Of batches, calls are said to be dear; what is blind evaluates all
/// positions as equal, so that chance nodes collapse.
#[derive(Clone, Debug)]
struct AlarmingEvaluator<const BATCHES: bool, const BLIND: bool> {
    inner: HashRandom,
    alarm: Alarm,
}

impl<G: GraphGame, const BATCHES: bool, const BLIND: bool> Evaluator<Alarming<G>>
    for AlarmingEvaluator<BATCHES, BLIND>
{
    type State = ();
    const ABILITIES: Abilities =
        Abilities::NONE.with_batches(BATCHES).with_bounds(!BLIND).ignoring_some_outcomes();

    fn facts(&self, game: &Alarming<G>) -> EvaluatorFacts {
        self.alarm.ring("evaluator facts");
        let cost = EvaluationCost { fixed_ns: 5_000 * u32::from(BATCHES), each_ns: 100 };
        EvaluatorFacts::new(Evaluator::facts(&self.inner, &game.inner).identity).with_cost(cost)
    }

    fn state(&self, _: &Alarming<G>, _: &GraphPosition, _: Option<Before<'_, Alarming<G>, ()>>) {
        self.alarm.ring("state");
    }

    fn ignores_outcome(&self, _: &Alarming<G>, _: &GraphPosition) -> bool {
        self.alarm.ring("ignores outcome");
        BLIND
    }

    fn evaluate(&self, game: &Alarming<G>, position: &GraphPosition, _: &()) -> Score {
        self.alarm.ring("evaluate");
        match game.inner.player(position) {
            Player::Max if BLIND => 7,
            Player::Min if BLIND => -7,
            _ => self.inner.evaluate(&game.inner, position, &()),
        }
    }

    fn evaluate_many(
        &self,
        game: &Alarming<G>,
        nodes: &[(&GraphPosition, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.alarm.ring("evaluate many");
        for (&(position, _), score) in nodes.iter().zip(scores) {
            *score = self.inner.evaluate(&game.inner, position, &());
        }
        Ok(())
    }

    fn bounds(&self, game: &Alarming<G>, _: &GraphPosition, _: u8) -> Bounds {
        self.alarm.ring("bounds");
        Bounds::unknown(game.inner.facts().grid.limit())
    }

    fn outcome_bounds(
        &self,
        game: &Alarming<G>,
        position: &GraphPosition,
        _: u8,
        mut push: impl FnMut(Bounds),
    ) {
        self.alarm.ring("outcome bounds");
        game.inner.outcomes(position, |_, _| push(Bounds::unknown(game.inner.facts().grid.limit())));
    }
}

/// How positions are evaluated: those of the game with plies, but for the last, which has loops of its own
/// right above leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evaluation {
    Single,
    Batches,
    Blind,
}

/// What is asked of a searcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Search,
    ToTheEnd,
    Outcomes,
    Proof,
    Line,
    Expectation,
    Simulation,
    RootMoves,
}

/// A way of searching.
type Mode = (Options, Evaluation, Question);

fn modes() -> Vec<Mode> {
    let serial = Options { table_depth: Some(1), root_ranking: RootRanking::Best(2), ..Options::default() };
    let mut modes: Vec<_> = [
        Question::Search,
        Question::ToTheEnd,
        Question::Outcomes,
        Question::Proof,
        Question::Line,
        Question::Expectation,
        Question::RootMoves,
    ]
    .map(|question| (serial.clone(), Evaluation::Single, question))
    .into();
    // With the loops of nodes right above leaves.
    let with_loops = Options { table_depth: Some(4), remember_evaluations: Some(false), ..serial.clone() };
    modes.push((with_loops, Evaluation::Blind, Question::Search));
    let shared = |threads, method| Options {
        threads,
        method,
        splits: Splits { depth: Some(1), size: Some(0), helpers_after: Duration::ZERO, ..Splits::default() },
        ..serial.clone()
    };
    for &method in Method::ALL {
        modes.push((shared(3, method), Evaluation::Single, Question::Search));
        modes.push((shared(3, method), Evaluation::Blind, Question::Search));
        modes.push((shared(2, method), Evaluation::Batches, Question::Search));
        if !method.uses_whole_pool() {
            modes.push((shared(3, method), Evaluation::Single, Question::Simulation));
        }
    }
    for (threads, device) in [(1, false), (2, false), (1, true), (3, true)] {
        let lanes = LaneOptions { count: Some(3), batch: Some(4), device, ..LaneOptions::default() };
        modes.push((
            Options { lanes, ..shared(threads, Method::default()) },
            Evaluation::Batches,
            Question::Search,
        ));
    }
    modes
}

/// The first position of this kind.
fn first_of(game: &impl GraphGame, kind: NodeKind) -> GraphPosition {
    game.graph().positions().find(|at| game.kind(at) == kind).expect("there are all kinds")
}

/// What came of it; the value where there is one of the root at [`DEPTH`].
fn ask<G: GraphGame, E: Evaluator<Alarming<G>>>(
    searcher: &Searcher<Alarming<G>, E, LocklessTable>,
    question: Question,
    alarm: &Alarm,
) -> Result<Option<Bounds>, SearchError> {
    let game = &searcher.game().inner;
    let root = game.graph().start();
    let limits = Limits::depth(DEPTH);
    let watched = alarm.clone();
    let search = |limits: Limits| {
        let asked = searcher.request(&root).limits(limits).on_iteration(move |_| watched.ring("watch"));
        asked.search()
    };
    let value = |found: SearchResult<u32, u32>| found.is_exact().then_some(found.bounds);
    match question {
        Question::Search => search(limits).map(value),
        Question::ToTheEnd => search(Limits::to_the_end()).map(|_| None),
        Question::Outcomes => searcher
            .request(&first_of(game, NodeKind::Chance))
            .limits(limits.clone())
            .outcomes()
            .map(|_| None),
        Question::Proof => {
            searcher.request(&root).limits(Limits::depth(DEPTH)).prove(Window::new(-10, 10)).map(|_| None)
        }
        Question::Line => searcher.request(&root).limits(limits.clone()).pv().map(|_| None),
        Question::Expectation => searcher
            .request(&root)
            .limits(limits.clone())
            .expectation(1, |_, _| alarm.ring("payload"))
            .map(|_| None),
        Question::RootMoves => {
            let decision = first_of(game, NodeKind::Decision);
            searcher.request(&decision).limits(limits).root_moves([0]).search().map(|_| None)
        }
        Question::Simulation => {
            let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
            searcher.request(&root).limits(limits.clone()).simulate(&simulation).map(|run| value(run.result))
        }
    }
}

/// Builds a searcher, asks it, and drops it.
fn search(
    (options, evaluation, question): &Mode,
    pool: &Pool,
    alarm: &Alarm,
) -> Result<Option<Bounds>, SearchError> {
    let (rewarded, plied) = games();
    match evaluation {
        Evaluation::Single => ask_with::<_, false, false>((plied, alarm), options, pool, *question),
        Evaluation::Batches => ask_with::<_, true, false>((plied, alarm), options, pool, *question),
        Evaluation::Blind => ask_with::<_, false, true>((rewarded, alarm), options, pool, *question),
    }
}

fn ask_with<G: GraphGame, const BATCHES: bool, const BLIND: bool>(
    (game, alarm): (G, &Alarm),
    options: &Options,
    pool: &Pool,
    question: Question,
) -> Result<Option<Bounds>, SearchError> {
    let table = LocklessTable::with_buckets(64).expect("a small table");
    let game = Alarming { inner: game, alarm: alarm.clone() };
    let inner = HashRandom::new(1, 1000);
    let evaluator = AlarmingEvaluator::<BATCHES, BLIND> { inner, alarm: alarm.clone() };
    let searcher = Searcher::new(game, evaluator, table).with_options(options.clone());
    ask(&searcher.with_pool(pool.clone()), question, alarm)
}

/// Searches with this alarm. Whether it rang.
fn panics_once(
    watch: &Watch,
    (mode, pool): (&Mode, &Pool),
    (callback, at): (&'static str, u64),
    expected: Option<Bounds>,
) -> bool {
    let what = || format!("{callback} panics at call {at}: {mode:?}");
    let alarm = Alarm { callback, at, ..Alarm::default() };
    match watch.over(what, || search(mode, pool, &alarm)) {
        Err(SearchError::Panicked { message }) => {
            assert_eq!(message, format!("{callback} gave up at call {at}"), "{}", what());
        }
        Ok(found) => assert!(!alarm.has_rung() && found == expected, "{}: {found:?}", what()),
        Err(error) => panic!("{}: {error}", what()),
    }
    alarm.has_rung()
}

#[test]
fn a_panic_in_any_callback_ends_any_search_with_an_error() {
    quieten_planned_panics();
    let rung = watched(|watch| {
        let pool = Pool::new(3).expect("threads");
        let mut rung = BTreeMap::new();
        for mode in modes() {
            let sound = || search(&mode, &pool, &Alarm::default()).expect("nobody panics");
            let expected = watch.over(|| format!("{mode:?}"), sound);
            for callback in CALLBACKS {
                for at in CALLS {
                    let has_rung = panics_once(watch, (&mode, &pool), (callback, at), expected);
                    *rung.entry(callback).or_insert(0) += u32::from(has_rung);
                }
                let after = watch.over(|| format!("after {callback}: {mode:?}"), sound);
                assert_eq!(after, expected, "after panics in {callback}: {mode:?}");
            }
        }
        rung
    });
    println!("{rung:?}");
    assert!(CALLBACKS.iter().all(|callback| rung[callback] > 0), "some never panicked: {rung:?}");
}

#[test]
fn a_pool_whose_threads_do_not_begin_as_they_should_says_so_in_every_search() {
    quieten_planned_panics();
    let graph = RandomGraph::new(&GraphShape::default(), 1).expect("the shape is within its limits");
    let root = graph.start();
    let evaluator = HashRandom::new(1, graph.facts().grid.limit());
    let starts: [fn() -> Result<Pool, SearchError>; 3] = [
        || Pool::starting_with(2, |index| panic!("thread {index} gave up at its start")),
        || Pool::starting_with(2, |index| assert!(index == 0, "thread {index} gave up at its start")),
        || Pool::running_within(2, |_, _| {}),
    ];
    let messages = ["gave up at its start", "1 gave up at its start", "not run by what it was to run within"];
    let splits = Splits { helpers_after: Duration::ZERO, ..Splits::default() };
    let lanes = LaneOptions { count: Some(2), ..LaneOptions::default() };
    let modes = [
        Options { threads: 2, splits, ..Options::default() },
        Options { threads: 2, lanes, ..Options::default() },
        Options { threads: 2, method: Method::ForkJoin, ..Options::default() },
    ];
    for (start, message) in starts.into_iter().zip(messages) {
        for options in &modes {
            let searcher = Searcher::builder(graph.clone(), evaluator)
                .options(options.clone())
                .pool(start().expect("two threads"));
            let searcher = searcher.build().expect("a valid searcher");
            // The threads may begin after the first search, which is sound meanwhile.
            let error = without_hanging("a search on a pool without threads", move || {
                loop {
                    if let Err(error) = searcher.request(&root).limits(Limits::depth(DEPTH)).search() {
                        break error;
                    }
                }
            });
            assert!(error.to_string().contains(message), "{error}, expected {message}");
        }
    }
}
