//! A position of a named game with random searches of it.

use super::case::{Attempt, Case, DEEPEST, Found, REFERENCE_NODES, Store, table};
use super::random::Random;
use anyhow::{Result, ensure};
use starsplit::Pool;
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits, Options, TableUse};
use starsplit::table::{LocklessTable, Reuse};
use starsplit_experiments::question::door::{Entry, SearcherMaker};
use starsplit_experiments::question::suite::Suite;
use starsplit_saved::{SavedTable, TableNames, save};
use starsplit_tables::{AnyTable, Scheme};
use std::fs;
use std::path::Path;

/// Positions of a game to draw from, by every evaluator that is not made to be slow.
pub(super) struct Positions {
    suite: Suite,
    evaluators: Vec<&'static str>,
}

/// A position, its evaluator, its reference values, and a table that all searches of it share.
pub(super) struct GameCase {
    maker: Box<dyn SearcherMaker>,
    game: &'static str,
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
        let (table, expected) = (table(random)?, reference(&*maker, &position)?);
        Ok(GameCase { maker, game: positions.suite.door.game(), position, expected, table })
    }
}

impl Case for GameCase {
    fn game(&self) -> &'static str {
        self.game
    }

    fn scheme(&self) -> Scheme {
        self.table.scheme()
    }

    fn attempt(&self, pools: &[usize], random: &mut Random) -> Attempt {
        Attempt::new(pools, self.expected.len(), &[Store::Nowhere, Store::Scheme, Store::Scheme], random)
    }

    fn run(&self, attempt: &Attempt, pool: &Pool) -> Result<Found> {
        let options = match attempt.store {
            // The smallest table is not looked into: searches without one would be of a type of their own.
            Store::Nowhere => {
                let algorithm = attempt.options.algorithm;
                let algorithm = if algorithm.needs_table() { Algorithm::Star2 } else { algorithm };
                Options { algorithm, table_use: TableUse::None, ..attempt.options.clone() }
            }
            _ => attempt.options.clone(),
        };
        let searcher = self.maker.searcher(&self.table, options, Some(pool));
        let found = attempt.stopping(|limits| searcher.search(&self.position, limits, &mut |_| {}))?;
        Ok(Found::new(attempt, &found.answer, &self.expected))
    }

    fn resume(&mut self, folder: &Path, random: &mut Random) -> Result<bool> {
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
