//! A position of a named game with random searches of it.

use super::case::{Attempt, Case, DEEPEST, Found, REFERENCE_NODES, Store};
use super::random::Random;
use anyhow::{Result, ensure};
use starsplit::Pool;
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits, Options, TableUse};
use starsplit::table::{AnyTable, LocklessTable};
use starsplit_experiments::question::door::{Entry, SearcherMaker};
use starsplit_experiments::question::suite::Suite;

/// Positions of a game to draw from, by every evaluator that is not made to be slow.
pub(super) struct Positions {
    suite: Suite,
    evaluators: Vec<&'static str>,
}

/// A position, its evaluator, its reference values, and a table that all searches of it share.
pub(super) struct GameCase {
    maker: Box<dyn SearcherMaker>,
    position: Entry,
    /// The position's score at depth 1, 2, ...
    expected: Vec<Score>,
    table: AnyTable,
}

impl Positions {
    /// Those of a suite.
    pub(super) fn new(suite: Suite) -> Self {
        let evaluators = suite.door.evaluators().into_iter().map(|info| info.name);
        let evaluators = evaluators.filter(|name| !name.starts_with("slow")).collect();
        Positions { suite, evaluators }
    }
}

impl GameCase {
    /// The case that `random` draws.
    pub(super) fn new(positions: &Positions, random: &mut Random) -> Result<Self> {
        let position = random.pick(&positions.suite.positions).clone();
        let evaluator = random.pick(&positions.evaluators);
        let maker = positions.suite.door.evaluator(evaluator, random.next())?;
        let table = AnyTable::from(LocklessTable::with_buckets(1 + random.below(32))?);
        let expected = reference(&*maker, &position)?;
        Ok(GameCase { maker, position, expected, table })
    }
}

impl Case for GameCase {
    fn attempt(&self, pools: &[usize], random: &mut Random) -> Attempt {
        Attempt::new(pools, self.expected.len(), &[Store::Nowhere, Store::Lockless], random)
    }

    fn run(&self, attempt: &Attempt, pool: &Pool) -> Result<Found> {
        let options = match attempt.store {
            // The smallest table is not looked into: searches without one would be of a type of their own.
            Store::Nowhere => {
                Options { algorithm: Algorithm::Star2, table_use: TableUse::None, ..attempt.options.clone() }
            }
            _ => attempt.options.clone(),
        };
        let searcher = self.maker.searcher(&self.table, options, Some(pool));
        let found = attempt.stopping(|limits| searcher.search(&self.position, limits, &mut |_| {}))?;
        Ok(Found::new(attempt, &found.answer, &self.expected))
    }
}

/// What Expectimax finds without a table and on one thread, at every depth that it can afford.
fn reference(maker: &dyn SearcherMaker, position: &Entry) -> Result<Vec<Score>> {
    let table = AnyTable::from(LocklessTable::with_buckets(1)?);
    // Each depth is asked for by itself, whatever the step of the game's deepening.
    let options = Options { deepening: false, ..Options::paper(Algorithm::Expectimax) };
    let searcher = maker.searcher(&table, options, None);
    let mut scores = Vec::new();
    for depth in 1..=DEEPEST {
        let limits = Limits::depth(depth).with_nodes(REFERENCE_NODES);
        match searcher.search(position, &limits, &mut |_| {})?.answer {
            answer if answer.was_stopped() => break,
            answer => scores.extend(answer.score()),
        }
    }
    ensure!(!scores.is_empty(), "the reference affords no depth at all of {}", position.text);
    Ok(scores)
}
