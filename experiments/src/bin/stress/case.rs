//! A random game with random searches of it, and what is wrong with what they find.

use super::random::Random;
use anyhow::{Result, ensure};
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::{Game, NodeKind};
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::search::{Algorithm, LaneOptions, Limits, Options, SiblingBatch, Stats, StopFlag, TableUse};
use starsplit::table::{NoTable, Table};
use starsplit::{Pool, Searcher};
use starsplit_experiments::question::door::Answer;
use starsplit_experiments::question::typed::in_words;
use starsplit_experiments::records::meta::RANDOM_GRAPH;
use starsplit_options::DECLARED;
use starsplit_tables::{AnyTable, Scheme, StripedTable};
use starsplit_testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph, Weights};
use std::path::Path;
use std::time::Duration;

/// The greatest number of nodes that the reference visits.
pub(super) const REFERENCE_NODES: u64 = 60_000;

/// The deepest search.
pub(super) const DEEPEST: u32 = 9;

/// The greatest number of lanes of all threads together.
const MOST_LANES: usize = 1_024;

/// Something to search in many ways.
pub(super) trait Case {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The table's scheme.
    fn scheme(&self) -> Scheme;

    /// A random search of it on one of the pools, whose sizes are given.
    fn attempt(&self, pools: &[usize], random: &mut Random) -> Attempt;

    /// Makes the search.
    fn run(&self, attempt: &Attempt, pool: &Pool) -> Result<Found>;

    /// Now and then, puts what it saved of the table in the table's place, by way of a file in that folder.
    ///
    /// Says whether it did.
    fn resume(&mut self, _folder: &Path, _random: &mut Random) -> Result<bool> {
        Ok(false)
    }
}

/// A random graph, its reference values, and a table that all searches of it share.
pub(super) struct GraphCase {
    graph: RandomGraph,
    evaluation: Evaluation,
    root: GraphPosition,
    /// The root's score at depth 1, 2, ...
    expected: Vec<Score>,
    table: AnyTable,
    striped: StripedTable,
}

/// The evaluations of a case.
enum Evaluation {
    /// All independent of one another.
    Hash(Yielding<HashRandom>),
    /// The same after every outcome, so that chance nodes collapse where an option says so. Without the
    /// striped table, so that fewer kinds of search are built.
    Blind(Yielding<OutcomeBlind>),
}

/// One search.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) options: Options,
    pub(super) store: Store,
    pub(super) depth: u32,
    /// How many threads its pool has; at least its own number.
    pub(super) pool: usize,
    pub(super) stop: Stop,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Store {
    Nowhere,
    Scheme,
    Striped,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    Never,
    AfterNodes(u64),
    /// By another thread.
    AfterMicros(u64),
}

impl Attempt {
    /// A random search with one of these tables, on one of the pools; `depths` says how deep the reference
    /// went.
    pub(super) fn new(pools: &[usize], depths: usize, stores: &[Store], random: &mut Random) -> Self {
        let pool = pool(pools, random);
        let options = options(pool, random);
        let stop = match random.below(4) {
            0 => Stop::AfterNodes(random.below(REFERENCE_NODES)),
            1 => Stop::AfterMicros(random.below(2_000)),
            _ => Stop::Never,
        };
        let (store, depths) = (*random.pick(stores), depths as u64);
        Attempt { options, store, depth: (depths - random.below(depths.min(3))) as u32, pool, stop }
    }

    /// Calls `search` with its limits, and stops it as it is to be stopped.
    pub(super) fn stopping<R>(&self, search: impl FnOnce(&Limits) -> R) -> R {
        let flag = StopFlag::new();
        let limits = Limits::depth(self.depth).with_stop(flag.clone());
        match self.stop {
            Stop::Never => search(&limits),
            Stop::AfterNodes(nodes) => search(&limits.with_nodes(nodes)),
            Stop::AfterMicros(micros) => std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_micros(micros));
                    flag.stop();
                });
                search(&limits)
            }),
        }
    }
}

/// What an attempt came to.
pub(super) struct Found {
    pub(super) stats: Stats,
    pub(super) stopped: bool,
    /// What differs from the reference, if anything does.
    pub(super) difference: Option<String>,
}

impl Found {
    /// What an attempt came to, and what of it contradicts the scores that are expected at each depth.
    pub(super) fn new(attempt: &Attempt, answer: &Answer, expected: &[Score]) -> Self {
        let difference = difference(attempt, answer, expected);
        Found { stats: answer.stats, stopped: answer.was_stopped(), difference }
    }
}

impl GraphCase {
    /// The case that `random` makes.
    pub(super) fn new(random: &mut Random) -> Result<Self> {
        let shape = shape(random);
        let graph = RandomGraph::new(&shape, random.next())?;
        let positions = graph.positions().count() as u64;
        let drawn = GraphPosition { index: random.below(positions) as u32 };
        let root = if graph.kind(&drawn) == NodeKind::Terminal { graph.start() } else { drawn };
        let width = *random.pick(&[shape.limit, shape.limit, 1, 2 * shape.limit]);
        let seed = random.next();
        let evaluation = if random.below(2) == 0 {
            Evaluation::Blind(Yielding(OutcomeBlind::new(&graph, seed, width)))
        } else {
            Evaluation::Hash(Yielding(HashRandom::new(seed, width)))
        };
        let expected = match &evaluation {
            Evaluation::Hash(evaluator) => reference(&graph, evaluator, &root),
            Evaluation::Blind(evaluator) => reference(&graph, evaluator, &root),
        }?;
        let (table, striped) = (table(random)?, StripedTable::with_buckets(1 + random.below(32))?);
        Ok(GraphCase { graph, evaluation, root, expected, table, striped })
    }

    fn run_in<E: Evaluator<RandomGraph>, T: Table>(
        &self,
        evaluator: &E,
        table: T,
        attempt: &Attempt,
        pool: &Pool,
    ) -> Result<Found> {
        let searcher = Searcher::new(self.graph.clone(), evaluator, table)
            .with_options(attempt.options.clone())
            .with_pool(pool.clone());
        let result = attempt.stopping(|limits| searcher.search_within(&self.root, limits))?;
        Ok(Found::new(attempt, &in_words(&self.graph, &self.root, result), &self.expected))
    }
}

impl Case for GraphCase {
    fn game(&self) -> &'static str {
        RANDOM_GRAPH
    }

    fn scheme(&self) -> Scheme {
        self.table.scheme()
    }

    fn attempt(&self, pools: &[usize], random: &mut Random) -> Attempt {
        let stores = [Store::Nowhere, Store::Scheme, Store::Scheme, Store::Striped];
        Attempt::new(pools, self.expected.len(), &stores, random)
    }

    fn run(&self, attempt: &Attempt, pool: &Pool) -> Result<Found> {
        match (&self.evaluation, attempt.store) {
            (Evaluation::Hash(evaluator), Store::Nowhere) => self.run_in(evaluator, NoTable, attempt, pool),
            (Evaluation::Hash(evaluator), Store::Scheme) => {
                self.run_in(evaluator, &self.table, attempt, pool)
            }
            (Evaluation::Hash(evaluator), Store::Striped) => {
                self.run_in(evaluator, &self.striped, attempt, pool)
            }
            (Evaluation::Blind(evaluator), Store::Nowhere) => self.run_in(evaluator, NoTable, attempt, pool),
            (Evaluation::Blind(evaluator), _) => self.run_in(evaluator, &self.table, attempt, pool),
        }
    }
}

/// What a search's answer has that the expected scores at each depth contradict.
fn difference(attempt: &Attempt, answer: &Answer, expected: &[Score]) -> Option<String> {
    if answer.stats.table.contradictions > 0 {
        return Some(format!("{} contradictions", answer.stats.table.contradictions));
    }
    if !answer.was_stopped() && answer.depth != attempt.depth {
        return Some(format!("depth {}, expected {}", answer.depth, attempt.depth));
    }
    for iteration in &answer.iterations {
        let expected = expected[iteration.depth as usize - 1];
        if iteration.bounds != Bounds::exactly(expected) {
            return Some(format!("{:?} at depth {}, expected {expected}", iteration.bounds, iteration.depth));
        }
    }
    let interrupted = answer.interrupted?;
    let expected = expected[interrupted.depth as usize - 1];
    let Bounds { lower, upper } = interrupted.bounds;
    let is_sound = lower <= expected && expected <= upper;
    (!is_sound).then(|| format!("{interrupted:?} does not hold {expected}"))
}

/// One of the pools, the largest one seldom: it has far more threads than there are processors.
fn pool(pools: &[usize], random: &mut Random) -> usize {
    let (largest, others) = pools.split_last().expect("pools");
    if others.is_empty() || random.below(64) == 0 { *largest } else { *random.pick(others) }
}

/// A tiny table, or a small one: half the time the library's own, else of any scheme.
pub(super) fn table(random: &mut Random) -> Result<AnyTable> {
    let count = if random.below(8) == 0 { 1 << 14 } else { 4 * (1 + random.below(32)) };
    let scheme = if random.below(2) == 0 { Scheme::Buckets } else { *random.pick(Scheme::ALL) };
    Ok(AnyTable::new(scheme, count)?)
}

/// Random options, mostly of Star2-TT, on as many threads as the pool has at most.
fn options(pool: usize, random: &mut Random) -> Options {
    let mut options = Options::default();
    for declared in DECLARED {
        declared.try_nth(&mut options, random.below(declared.trials() as u64) as usize);
    }
    let algorithm = match random.below(2) {
        0 => Algorithm::Star2Tt,
        _ => *random.pick(Algorithm::ALL),
    };
    let table_use = if algorithm.needs_table() { TableUse::All } else { options.table_use };
    let threads = 1 + random.below(pool as u64) as usize;
    options.splits.alone = true;
    in_lanes(Options { algorithm, table_use, threads, ..options }, random)
}

/// These options, now and then in lanes, where the method allows it.
fn in_lanes(options: Options, random: &mut Random) -> Options {
    let lanes = *random.pick(&[2, 5, 16, 64]);
    let lanes = lanes.min(MOST_LANES / options.threads).max(1);
    if random.below(4) > 0 || !options.method.properties().can_be_simulated {
        return options;
    }
    let batch = *random.pick(&[None, Some(1), Some(3), Some(64)]);
    let (sibling_batch, device) = (*random.pick(SiblingBatch::ALL), random.below(4) == 0);
    Options { lanes: LaneOptions { count: Some(lanes), batch, sibling_batch, device }, ..options }
}

fn shape(random: &mut Random) -> GraphShape {
    let least = 1 + random.below(3) as u32;
    let weights = [Weights::Mixed, Weights::EvenSum, Weights::OddSum, Weights::Ones, Weights::Ties];
    GraphShape {
        positions: 2 + random.below(200) as u32,
        chance_percent: 10 + random.below(71) as u32,
        terminal_percent: random.below(21) as u32,
        successors: least..=least + random.below(6) as u32,
        weights: *random.pick(&weights),
        limit: *random.pick(&[1, 3, 4, 1 << 10, 1 << 21, MAX_LIMIT]),
        one_player: random.below(5) == 0,
        cycles: random.below(4) > 0,
    }
}

/// What Expectimax finds without a table and on one thread, at every depth that it can afford.
fn reference<E: Evaluator<RandomGraph>>(
    graph: &RandomGraph,
    evaluator: &E,
    root: &GraphPosition,
) -> Result<Vec<Score>> {
    let options =
        Options { algorithm: Algorithm::Expectimax, table_use: TableUse::None, ..Options::default() };
    let searcher = Searcher::new(graph.clone(), evaluator, NoTable).with_options(options);
    let limits = Limits::depth(DEEPEST).with_nodes(REFERENCE_NODES);
    let found = searcher.search_within(root, &limits)?;
    let scores: Vec<_> = found.iterations.iter().map(|iteration| iteration.bounds.lower).collect();
    ensure!(!scores.is_empty(), "the reference affords no depth at all");
    Ok(scores)
}

/// Evaluations some of which give the processor away first, so that threads meet in many different orders.
#[derive(Clone, Debug)]
struct Yielding<E>(E);

impl<E: Evaluator<RandomGraph>> Evaluator<RandomGraph> for Yielding<E> {
    type State = E::State;
    // So that searches of graphs take lanes as well.
    const ABILITIES: Abilities = E::ABILITIES.with_batches(true);

    fn facts(&self, game: &RandomGraph) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(
        &self,
        game: &RandomGraph,
        position: &GraphPosition,
        before: Option<Before<'_, RandomGraph, E::State>>,
    ) -> E::State {
        self.0.state(game, position, before)
    }

    fn evaluate(&self, graph: &RandomGraph, position: &GraphPosition, state: &E::State) -> Score {
        if position.index.is_multiple_of(16) {
            std::thread::yield_now();
        }
        self.0.evaluate(graph, position, state)
    }
}
