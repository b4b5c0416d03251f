//! The searches of a stress, one after another on a thread of their own, and the watch over them.

use super::case::{Attempt, Case, GraphCase};
use super::game::{GameCase, Positions};
use super::random::Random;
use anyhow::Result;
use starsplit::Pool;
use starsplit::search::{MAX_THREADS, Method, Stats, StopFlag};
use starsplit_experiments::cli::values::cores;
use starsplit_experiments::records::others::StressCounts;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many searches each game gets.
const SEARCHES_OF_A_GAME: usize = 8;

/// Adds a search to what was counted so far.
fn count(counts: &mut StressCounts, method: Method, stopped: bool, Stats { nodes, table, split }: Stats) {
    counts.searches += 1;
    counts.stopped += u64::from(stopped);
    counts.nodes += nodes.total();
    counts.probing_splits += split.probing_splits;
    counts.star1_splits += split.star1_splits;
    counts.decision_splits += split.decision_splits;
    counts.tasks += split.tasks;
    counts.helped += split.helped;
    counts.steals += split.steals;
    counts.aborts += split.aborts;
    counts.deferred += split.deferred;
    counts.table_hits += table.hits;
    counts.collapsed += nodes.collapsed;
    counts.static_cutoffs += nodes.static_cutoffs;
    counts.move_cutoffs += table.move_cutoffs;
    *counts.searches_by_method.entry(method.name().to_owned()).or_default() += 1;
}

/// What the searching thread tells the one that watches.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) counts: StressCounts,
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

/// Searches games made from `seed`, or these positions, from the first on, until `stop` is raised.
pub(super) fn search_until(
    stop: &StopFlag,
    seed: u64,
    positions: Option<&Positions>,
    shared: &Shared,
) -> Result<()> {
    let sizes = [cores(), (2 * cores()).min(MAX_THREADS), 16, 64];
    let pools = sizes.iter().map(|&size| Ok((size, Pool::new(size)?))).collect::<Result<BTreeMap<_, _>>>()?;
    for number in 0.. {
        if stop.is_raised() {
            break;
        }
        let mut random = Random::new(seed, number);
        let case: Box<dyn Case> = match positions {
            Some(positions) => Box::new(GameCase::new(positions, &mut random)?),
            None => Box::new(GraphCase::new(&mut random)?),
        };
        search_case(&*case, &mut random, (number, seed), &pools, shared)?;
    }
    Ok(())
}

fn search_case(
    case: &dyn Case,
    random: &mut Random,
    (number, seed): (u64, u64),
    pools: &BTreeMap<usize, Pool>,
    shared: &Shared,
) -> Result<()> {
    let sizes: Vec<_> = pools.keys().copied().collect();
    for _ in 0..SEARCHES_OF_A_GAME {
        let attempt = case.attempt(&sizes, random);
        shared.lock().under_way = Some((name(number, seed, &attempt), Instant::now()));
        let found = case.run(&attempt, &pools[&attempt.pool])?;
        let mut state = shared.lock();
        state.under_way = None;
        count(&mut state.counts, attempt.method(), found.stopped, found.stats);
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
