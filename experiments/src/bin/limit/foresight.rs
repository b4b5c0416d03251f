//! What a search needs to know every best move beforehand, and to tell which leaves it evaluates.

use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, Hash};
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::table::{Found, NewEntry, Reuse, Stored, Table};
use starsplit_tables::AnyTable;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A node's key and depth.
type NodeKey = (u64, u64, u8);

/// A table that never forgets a move: what it knows of bounds is the table's below it, and is erased with
/// that.
#[derive(Debug)]
pub(super) struct Foresight<'a> {
    table: &'a AnyTable,
    moves: Mutex<HashMap<NodeKey, u16>>,
    /// Whether moves are still being learnt; afterwards they stand as they are.
    learns: bool,
}

impl<'a> Foresight<'a> {
    /// Nothing known yet.
    pub(super) fn new(table: &'a AnyTable) -> Self {
        Foresight { table, moves: Mutex::default(), learns: true }
    }

    /// Erases all bounds, keeps all moves, and learns no more.
    pub(super) fn into_known(self) -> Self {
        self.table.clear(1);
        Foresight { learns: false, ..self }
    }

    fn moves(&self) -> MutexGuard<'_, HashMap<NodeKey, u16>> {
        self.moves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table for Foresight<'_> {
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        let found = self.table.probe(key, depth, reuse);
        if self.learns {
            return found;
        }
        let Some(&best) = self.moves().get(&(key.high, key.low, depth)) else { return found };
        let bounds = found.map_or(Bounds::unknown(MAX_LIMIT), |found| found.bounds);
        Some(Found { bounds, table_move: Some(best) })
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        if let Some(best) = entry.table_move.filter(|_| self.learns) {
            self.moves().insert((key.high, key.low, entry.depth), best);
        }
        self.table.store(key, entry, reuse)
    }

    fn new_generation(&self) {
        self.table.new_generation();
    }

    fn clear(&self, threads: usize) {
        self.table.clear(threads);
    }

    fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }
}

/// An evaluator that notes what it was asked to evaluate.
pub(super) struct Noting<G: Game, E: Evaluator<G>> {
    evaluator: E,
    asked: Mutex<Vec<(G::Position, E::State)>>,
}

impl<G: Game, E: Evaluator<G>> Noting<G, E> {
    pub(super) fn new(evaluator: E) -> Self {
        Noting { evaluator, asked: Mutex::default() }
    }

    /// As if nothing had been asked yet.
    pub(super) fn forget(&self) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Evaluates once more all that it was asked to, in the same order; the sum of the scores, so that no
    /// evaluation can be left out.
    pub(super) fn repeat(&self, game: &G) -> i64 {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|(position, state)| i64::from(self.evaluator.evaluate(game, position, state))).sum()
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Noting<G, E> {
    type State = E::State;
    const ABILITIES: Abilities = E::ABILITIES.with_batches(false);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.evaluator.facts(game)
    }

    fn state(&self, game: &G, position: &G::Position, before: Option<Before<'_, G, E::State>>) -> E::State {
        self.evaluator.state(game, position, before)
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        self.evaluator.ignores_outcome(game, position)
    }

    fn evaluate(&self, game: &G, position: &G::Position, state: &E::State) -> Score {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push((position.clone(), state.clone()));
        self.evaluator.evaluate(game, position, state)
    }

    fn bounds(&self, game: &G, position: &G::Position, depth: u8) -> Bounds {
        self.evaluator.bounds(game, position, depth)
    }

    fn outcome_bounds(&self, game: &G, position: &G::Position, depth: u8, push: impl FnMut(Bounds)) {
        self.evaluator.outcome_bounds(game, position, depth, push);
    }
}
