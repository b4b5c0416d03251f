//! A game with random searches of it, and what is wrong with what they find.

use super::graph::TypedGraph;
use super::random::Random;
use anyhow::{Result, ensure};
use starsplit::Pool;
use starsplit::score::{Bounds, Score};
use starsplit::search::{Algorithm, LaneOptions, Limits, Options, SiblingBatch, Stats, StopFlag, TableUse};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::{LocklessTable, Reuse};
use starsplit_experiments::question::door::{Answer, Entry, SearcherMaker};
use starsplit_experiments::question::suite::Suite;
use starsplit_options::DECLARED;
use starsplit_saved::{SavedTable, TableNames, save};
use starsplit_tables::{AnyTable, Scheme};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The greatest number of nodes that the reference visits, unless another is asked for.
pub(super) const TREE_NODES: u64 = 60_000;

/// The deepest search.
pub(super) const DEEPEST: u32 = 9;

/// The most virtual processors.
const MOST_VIRTUAL: u64 = 20;

/// The greatest number of lanes of all threads together.
const MOST_LANES: usize = 1_024;

/// Positions of a game to draw from, by every evaluator that is not made to be slow.
pub(super) struct Positions {
    suite: Suite,
    evaluators: Vec<&'static str>,
}

impl Positions {
    /// Those of a suite.
    pub(super) fn new(suite: Suite) -> Self {
        let evaluators = suite.door.evaluators().into_iter().map(|info| info.name);
        let evaluators = evaluators.filter(|name| !name.starts_with("slow")).collect();
        Positions { suite, evaluators }
    }
}

/// A position to search in many ways, its evaluator, its reference values, and a table that all searches of
/// it share.
pub(super) struct Case {
    /// The name of the game.
    pub(super) game: &'static str,
    pub(super) table: AnyTable,
    maker: Box<dyn SearcherMaker>,
    position: Entry,
    /// The position's score at depth 1, 2, ...
    expected: Vec<Score>,
    searched: Searched,
}

/// How a position is searched beside the usual.
pub(super) struct Searched {
    /// Its graph, where it is searched with tables of other types, too.
    pub(super) typed: Option<TypedGraph>,
    /// Whether it is searched on virtual processors, too.
    pub(super) virtually: bool,
}

impl Searched {
    /// Through its door alone.
    pub(super) fn by_door(virtually: bool) -> Self {
        Searched { typed: None, virtually }
    }
}

impl Case {
    /// The case of these that `random` draws.
    pub(super) fn of(positions: &Positions, nodes: u64, random: &mut Random) -> Result<Self> {
        let position = random.pick(&positions.suite.positions).clone();
        let evaluator = random.pick(&positions.evaluators);
        let door = &positions.suite.door;
        let maker = door.evaluator(evaluator, random.next())?;
        Case::new(door.game(), maker, (position, nodes), Searched::by_door(false), random)
    }

    pub(super) fn new(
        game: &'static str,
        maker: Box<dyn SearcherMaker>,
        (position, nodes): (Entry, u64),
        searched: Searched,
        random: &mut Random,
    ) -> Result<Self> {
        let (table, expected) = (table(random)?, reference(&*maker, &position, nodes)?);
        Ok(Case { game, table, maker, position, expected, searched })
    }

    /// The position's score at depth 1, 2, ...
    pub(super) fn expected(&self) -> &[Score] {
        &self.expected
    }

    /// A random search of it on one of the pools, whose sizes are given.
    pub(super) fn attempt(&self, pools: &[usize], random: &mut Random) -> Attempt {
        let stores: &[Store] = match self.searched.typed {
            Some(_) => &[Store::Nowhere, Store::Scheme, Store::Scheme, Store::Striped],
            None => &[Store::Nowhere, Store::Scheme, Store::Scheme],
        };
        let attempt = Attempt::new(pools, self.expected.len(), stores, random);
        if self.searched.virtually && random.below(3) == 0 { attempt.virtually(random) } else { attempt }
    }

    /// Makes the search.
    pub(super) fn run(&self, attempt: &Attempt, pool: &Pool) -> Result<Found> {
        let searcher = || self.maker.searcher(&self.table, attempt.options_of_store(), Some(pool));
        let answer = match (attempt.store, &self.searched.typed) {
            (Store::Nowhere | Store::Striped, Some(graph)) => graph.search(attempt, pool)?,
            _ => match &attempt.simulation {
                Some(simulation) => {
                    attempt.stopping(|limits| searcher().simulate(&self.position, limits, simulation))?.result
                }
                None => {
                    attempt.stopping(|limits| searcher().search(&self.position, limits, &mut |_| {}))?.answer
                }
            },
        };
        let difference = difference(attempt, &answer, &self.expected);
        Ok(Found { stats: answer.stats, stopped: answer.was_stopped(), difference })
    }

    /// Now and then, puts what it saved of the table in the table's place, by way of a file in that folder.
    ///
    /// Says whether it did.
    pub(super) fn resume(&mut self, folder: &Path, random: &mut Random) -> Result<bool> {
        let (chance, Some(table)) = (random.below(8), self.table.as_lockless()) else { return Ok(false) };
        if chance > 1 {
            return Ok(false);
        }
        let names = TableNames { game: self.game.to_owned(), ..TableNames::default() };
        let (file, identity) = (folder.join("table"), self.maker.table_identity(names, Reuse::Exact));
        save(table, &file, &identity)?;
        let (again, loaded) = match chance {
            0 => SavedTable::load(&file, &identity)?,
            _ => SavedTable::map(&file, &identity, 1)?,
        };
        ensure!(loaded.damaged == 0 && loaded.impossible == 0, "a saved table was damaged: {loaded:?}");
        // A table in place keeps what it has mapped. Where that is not so the next one is saved over it.
        fs::remove_file(&file).ok();
        self.table = again.into();
        Ok(true)
    }
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
    /// The machine, where it runs on virtual processors.
    pub(super) simulation: Option<Simulation>,
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
    fn new(pools: &[usize], depths: usize, stores: &[Store], random: &mut Random) -> Self {
        let pool = pool(pools, random);
        let options = options(pool, random);
        let stop = match random.below(4) {
            0 => Stop::AfterNodes(random.below(TREE_NODES)),
            1 => Stop::AfterMicros(random.below(2_000)),
            _ => Stop::Never,
        };
        let (store, depths) = (*random.pick(stores), depths as u64);
        let depth = (depths - random.below(depths.min(3))) as u32;
        Attempt { options, store, depth, pool, stop, simulation: None }
    }

    /// The same on virtual processors, where the options allow it.
    fn virtually(mut self, random: &mut Random) -> Self {
        if !self.options.method.uses_whole_pool() {
            self.options.lanes = LaneOptions::default();
            self.options.threads = 1 + random.below(MOST_VIRTUAL) as usize;
            self.simulation = Some(Simulation { costs: CostModel::UNIT, seed: random.next() });
        }
        self
    }

    /// Its options, where the table has one type: what stands for none is not looked into, since searches
    /// without one would be of a type of their own.
    fn options_of_store(&self) -> Options {
        let mut options = self.options.clone();
        if matches!(self.store, Store::Nowhere) {
            options.table_use = TableUse::None;
            if options.algorithm.needs_table() {
                options.algorithm = Algorithm::Star2;
            }
        }
        options
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
fn table(random: &mut Random) -> Result<AnyTable> {
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
    if random.below(4) > 0 || options.method.uses_whole_pool() {
        return options;
    }
    let batch = *random.pick(&[None, Some(1), Some(3), Some(64)]);
    let (sibling_batch, device) = (*random.pick(SiblingBatch::ALL), random.below(4) == 0);
    Options { lanes: LaneOptions { count: Some(lanes), batch, sibling_batch, device }, ..options }
}

/// What Expectimax finds without a table and on one thread, at every depth that it can afford.
fn reference(maker: &dyn SearcherMaker, position: &Entry, nodes: u64) -> Result<Vec<Score>> {
    let table = AnyTable::from(LocklessTable::with_buckets(1)?);
    // Each depth is asked for by itself, whatever the step of the game's deepening.
    let options = Options { deepening: false, ..Options::paper(Algorithm::Expectimax) };
    let searcher = maker.searcher(&table, options, None);
    let mut scores = Vec::new();
    for depth in 1..=DEEPEST {
        let limits = Limits::depth(depth).with_nodes(nodes);
        match searcher.search(position, &limits, &mut |_| {})?.answer {
            answer if answer.was_stopped() && (depth > 1 || nodes >= TREE_NODES) => break,
            answer if answer.was_stopped() => return reference(maker, position, TREE_NODES),
            answer => scores.extend(answer.score()),
        }
    }
    ensure!(!scores.is_empty(), "the reference affords no depth at all of {}", position.text);
    Ok(scores)
}
