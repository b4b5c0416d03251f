//! The searches of a stress, one after another on a thread of their own, and the watch over them.

use super::case::{Attempt, Case};
use super::random::Random;
use anyhow::Result;
use serde::Serialize;
use starsplit::Pool;
use starsplit::search::{MAX_THREADS, Method, Stats, StopFlag};
use starsplit_experiments::cli::values::cores;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many searches each game gets.
const SEARCHES_OF_A_GAME: usize = 8;

/// What was counted so far.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Counts {
    pub(super) games: u64,
    pub(super) searches: u64,
    pub(super) stopped: u64,
    pub(super) differences: u64,
    pub(super) nodes: u64,
    pub(super) probing_splits: u64,
    pub(super) star1_splits: u64,
    pub(super) decision_splits: u64,
    pub(super) tasks: u64,
    pub(super) helped: u64,
    pub(super) steals: u64,
    pub(super) aborts: u64,
    pub(super) deferred: u64,
    pub(super) table_hits: u64,
    pub(super) collapsed: u64,
    pub(super) static_cutoffs: u64,
    pub(super) move_cutoffs: u64,
    pub(super) searches_by_method: BTreeMap<&'static str, u64>,
}

impl Counts {
    fn add(&mut self, method: Method, stopped: bool, Stats { nodes, table, split }: Stats) {
        self.searches += 1;
        self.stopped += u64::from(stopped);
        self.nodes += nodes.total();
        self.probing_splits += split.probing_splits;
        self.star1_splits += split.star1_splits;
        self.decision_splits += split.decision_splits;
        self.tasks += split.tasks;
        self.helped += split.helped;
        self.steals += split.steals;
        self.aborts += split.aborts;
        self.deferred += split.deferred;
        self.table_hits += table.hits;
        self.collapsed += nodes.collapsed;
        self.static_cutoffs += nodes.static_cutoffs;
        self.move_cutoffs += table.move_cutoffs;
        *self.searches_by_method.entry(method.name()).or_default() += 1;
    }
}

/// What the searching thread tells the one that watches.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) counts: Counts,
    /// What differed, as text.
    pub(super) differences: Vec<String>,
    /// The search under way, and since when.
    pub(super) under_way: Option<(String, Instant)>,
}

/// [`State`], shared.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches games made from `seed`, from the first on, until `stop` is raised.
pub(super) fn search_until(stop: &StopFlag, seed: u64, shared: &Shared) -> Result<()> {
    let sizes = [cores(), (2 * cores()).min(MAX_THREADS), 16, 64];
    let pools = sizes.iter().map(|&size| Ok((size, Pool::new(size)?))).collect::<Result<BTreeMap<_, _>>>()?;
    for number in 0.. {
        if stop.is_raised() {
            break;
        }
        search_game(number, seed, &sizes, &pools, shared)?;
    }
    Ok(())
}

fn search_game(
    number: u64,
    seed: u64,
    sizes: &[usize],
    pools: &BTreeMap<usize, Pool>,
    shared: &Shared,
) -> Result<()> {
    let mut random = Random::new(seed, number);
    let case = Case::new(&mut random)?;
    for _ in 0..SEARCHES_OF_A_GAME {
        let attempt = case.attempt(sizes, &mut random);
        shared.lock().under_way = Some((name(number, seed, &attempt), Instant::now()));
        let found = case.run(&attempt, &pools[&attempt.pool])?;
        let mut state = shared.lock();
        state.under_way = None;
        state.counts.add(attempt.method(), found.stopped, found.stats);
        if let Some(difference) = found.difference {
            state.counts.differences += 1;
            state.differences.push(format!("{difference}, by {}", name(number, seed, &attempt)));
        }
    }
    shared.lock().counts.games += 1;
    Ok(())
}

fn name(number: u64, seed: u64, attempt: &Attempt) -> String {
    format!("game {number} of seed {seed}, {attempt:?}")
}
