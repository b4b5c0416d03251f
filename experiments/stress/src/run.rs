//! The searches of a stress, one after another on a thread of their own, and the watch over them.

use super::case::{Attempt, Case, Found, Positions};
use super::random::Random;
use super::{graph, held_kib};
use anyhow::Result;
use starsplit::Pool;
use starsplit::search::{MAX_THREADS, Options, Stats, StopFlag};
use starsplit_experiments::cli::values::cores;
use starsplit_experiments::records::others::StressCounts;
use starsplit_games::matrix::{Matrix, multiply};
use starsplit_tables::Scheme;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{env, fs, process};

/// How many searches each game gets.
const SEARCHES_OF_A_GAME: usize = 8;

/// Adds a search to what was counted so far.
fn count(counts: &mut StressCounts, options: &Options, scheme: Scheme, found: &Found) {
    let Stats { nodes, table, split, .. } = found.stats;
    counts.searches += 1;
    counts.stopped += u64::from(found.stopped);
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
    counts.searches_in_lanes += u64::from(options.lanes.count.is_some());
    counts.most_threads = counts.most_threads.max(options.threads as u64);
    for (by_name, name) in [
        (&mut counts.searches_by_method, options.method.name()),
        (&mut counts.searches_by_algorithm, options.algorithm.name()),
        (&mut counts.searches_by_scheme, scheme.name()),
    ] {
        *by_name.entry(name.to_owned()).or_default() += 1;
    }
}

/// What the searching thread tells the one that watches.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) counts: StressCounts,
    /// What differed, as text.
    pub(super) differences: Vec<String>,
    /// The search under way, and since when.
    pub(super) under_way: Option<(String, Instant)>,
    /// Memory that was held after the last game, in KiB.
    pub(super) held_kib: u64,
}

/// [`State`], shared.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is searched: positions of these games, and random graphs where `graphs` says so.
pub(super) struct Subject {
    pub(super) graphs: bool,
    pub(super) games: Vec<Positions>,
    /// The most nodes of a whole tree.
    pub(super) tree_nodes: u64,
}

/// Which games are searched, and on how many threads at the most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) seed: u64,
    /// How many at the most.
    pub(super) games: Option<u64>,
    pub(super) threads: usize,
}

impl Subject {
    fn case(&self, random: &mut Random) -> Result<Case> {
        let kinds = self.games.len() + usize::from(self.graphs);
        match self.games.get(random.below(kinds as u64) as usize) {
            Some(positions) => Case::of(positions, self.tree_nodes, random),
            None => graph::case(self.tree_nodes, random),
        }
    }
}

/// A folder for tables, which goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let folder = env::temp_dir().join(format!("starsplit-stress-{}", process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Multiplies two matrices: the library that does it keeps some room on each thread from then on, as much as
/// the second cache has, which would look like a leak while one thread after another comes to it.
fn multiply_once() {
    let ones = vec![1.0; 256 * 256];
    let square = Matrix::rows(&ones, 256);
    multiply(&mut vec![0.0; ones.len()], square, square, false);
}

/// Searches what the seed makes of the subject, from the first case on, until `stop` is raised.
pub(super) fn search_until(
    stop: &StopFlag,
    bounds: Bounds,
    subject: &Subject,
    shared: &Shared,
) -> Result<()> {
    let Bounds { seed, games, threads } = bounds;
    let folder = Folder::new()?;
    multiply_once();
    let pools = [cores(), 2 * cores(), 16, 64, MAX_THREADS]
        .map(|size| size.min(threads))
        .iter()
        .map(|&size| Ok((size, Pool::starting_with(size, |_| multiply_once())?)))
        .collect::<Result<BTreeMap<_, _>>>()?;
    for number in 0..games.unwrap_or(u64::MAX) {
        if stop.is_raised() {
            break;
        }
        let mut random = Random::new(seed, number);
        let mut case = subject.case(&mut random)?;
        search_case(&mut case, &mut random, (number, seed), (&pools, &folder), shared)?;
        drop(case);
        shared.lock().held_kib = held_kib();
    }
    Ok(())
}

fn search_case(
    case: &mut Case,
    random: &mut Random,
    (number, seed): (u64, u64),
    (pools, folder): (&BTreeMap<usize, Pool>, &Folder),
    shared: &Shared,
) -> Result<()> {
    let sizes: Vec<_> = pools.keys().copied().collect();
    for _ in 0..SEARCHES_OF_A_GAME {
        let attempt = case.attempt(&sizes, random);
        shared.lock().under_way = Some((name(number, seed, &attempt), Instant::now()));
        let found = case.run(&attempt, &pools[&attempt.pool])?;
        let is_saved = case.resume(&folder.0, random)?;
        let mut state = shared.lock();
        state.under_way = None;
        state.counts.saved_tables += u64::from(is_saved);
        count(&mut state.counts, &attempt.options, case.table.scheme(), &found);
        if let Some(difference) = found.difference {
            state.counts.differences += 1;
            state.differences.push(format!("{difference}, by {}", name(number, seed, &attempt)));
        }
    }
    let counts = &mut shared.lock().counts;
    counts.games += 1;
    *counts.games_by_name.entry(case.game.to_owned()).or_default() += 1;
    Ok(())
}

fn name(number: u64, seed: u64, attempt: &Attempt) -> String {
    format!("game {number} of seed {seed}, {attempt:?}")
}
