//! The binary `stress`: random games searched in every way until the time is up.

mod arenas;
mod case;
mod graph;
mod random;
mod run;

// The judge of the tests, which shares no code with the library's searches, and what knows bounds by it.
#[allow(dead_code)]
#[path = "../../../tests/common/foresight.rs"]
mod foresight;
#[allow(dead_code)]
#[path = "../../../tests/common/oracle.rs"]
mod oracle;
#[allow(dead_code)]
#[path = "../../../tests/common/verdict.rs"]
mod verdict;

use anyhow::{Result, anyhow, bail};
use cap::Cap;
use case::{Positions, TREE_NODES};
use clap::Parser;
use run::{Bounds, Shared, Subject, search_until};
use serde::Serialize;
use starsplit::search::{MAX_THREADS, StopFlag};
use starsplit_experiments::cli::progress::Progress;
use starsplit_experiments::cli::values::{self, whole_number};
use starsplit_experiments::cli::{self, BadInput, Ending, note};
use starsplit_experiments::question::doors;
use starsplit_experiments::question::flags::{GameFlags, SuiteFlags};
use starsplit_experiments::question::suite::Suite;
use starsplit_experiments::records::meta::{EVERY_GAME, RANDOM_GRAPH, RunSettings, SCHEMA};
use starsplit_experiments::records::others::{StressCounts, StressLine, StressMemory};
use starsplit_experiments::records::writer::Records;
use starsplit_experiments::runner::memory::resident_kib;
use starsplit_games::GameInfo;
use std::alloc::System;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    cli::main_with(|args: StressArgs, stop| {
        arenas::one()?;
        run(&args, stop)
    })
}

/// How long a search may take before it counts as one that never ends: beside other programs hundreds of
/// threads that wait for one may take minutes.
const TOO_LONG: Duration = Duration::from_secs(600);

/// How often the memory is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// How often a sample is recorded.
const BETWEEN_SAMPLES: Duration = Duration::from_secs(10);

/// Counts what is asked for and given back: that tells a leak from pages that the system's allocator keeps.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Memory that was asked for and not given back, in KiB.
fn held_kib() -> u64 {
    ALLOCATOR.allocated() as u64 >> 10
}

/// By how many KiB what is held between games may grow in the last three quarters of the time.
const MOST_HELD: u64 = 1 << 10;

/// By how much the memory of the process may grow in the second half of the time: a tenth, or to what is
/// held. The allocator takes long to have a place for everything, and what is held is in memory only once it
/// was written to: each of more than a thousand threads holds a mebibyte to multiply in and uses it now and
/// then.
const MOST_GROWTH: u64 = 10;

/// The least time, a quarter of which is enough for pools, queues and histograms to have grown to what they
/// need: about a minute. In less, no growth tells a leak from that.
const LEAST_FOR_MEMORY: Duration = Duration::from_secs(240);

/// Search random games, or positions of a named one, in random ways, on more threads than cores
///
/// By every algorithm, method and scheme of replacement, on 1 to 1,024 threads, some in lanes. Tables are
/// tiny or small; some are saved and loaded again or mapped between searches, and some searches are
/// stopped. Every search that comes to its end has to find the score of serial Expectimax without a table
/// at each depth, and every one that is stopped has to have proven nothing else. Games are random graphs:
/// positions are met by many paths and at many depths; their hashes have many forms, half of them have
/// rewards and plies, and all their scores are worked out once more without the library. With --game they
/// are positions of that game's first suite, or of --suite, with its evaluators. Each game is searched eight
/// times with one table.
///
/// The exit code is 1 if a value differs, if a search does not end within ten minutes, or if, in a run of
/// four minutes or more, memory grows: what is held between games by more than 1 MiB after the first quarter
/// of the time, or the process by more than a tenth in its second half, beyond what is held. Memory comes
/// from one arena of the C library, or from MALLOC_ARENA_MAX of them: what is freed stays in its arena, and
/// looks like a leak.
/// Counts and memory are recorded every ten seconds in a new folder below results, or in --out.
#[derive(Clone, Debug, Parser)]
#[command(name = "stress", version = starsplit_experiments::cli::VERSION)]
struct StressArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    game: GameFlags,

    /// Positions to search: the name of a suite, or a file [default: with --game, the game's first suite]
    #[arg(long, value_name = "NAME|FILE")]
    suite: Option<String>,

    /// Search random graphs and positions of every game's first suite, whichever comes
    #[arg(long, conflicts_with_all = ["game", "rules", "suite"])]
    every_game: bool,

    /// How many minutes, such as 20 or 0.5
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = minutes)]
    minutes: f64,

    /// How many games at the most [default: as many as the time allows]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("games", 1..=u64::MAX))]
    games: Option<u64>,

    /// The most threads of a search
    #[arg(long, value_name = "N", default_value_t = MAX_THREADS, allow_negative_numbers = true,
          value_parser = values::threads)]
    threads: usize,

    /// The most nodes of a game's whole tree
    #[arg(long, value_name = "N", default_value_t = TREE_NODES, allow_negative_numbers = true,
          value_parser = whole_number("tree-nodes", 1..=u64::MAX))]
    tree_nodes: u64,

    /// Which games and searches: the same number makes the same ones, though the schedule never repeats
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("seed", 0..=u64::MAX))]
    seed: u64,

    /// Folder for the records instead of results/DATE-stress
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

fn minutes(text: &str) -> Result<f64, BadInput> {
    let number = text.parse().ok().filter(|minutes| (0.01..=100_000.0).contains(minutes));
    number.ok_or_else(|| BadInput::new("minutes", text, "expected a number from 0.01 to 100000"))
}

#[derive(Serialize)]
struct StressSettings {
    minutes: f64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    threads: usize,
    tree_nodes: u64,
    /// Where a game is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    /// How many arenas the C library's allocator has, where it has been told.
    #[serde(skip_serializing_if = "Option::is_none")]
    arenas: Option<String>,
}

/// The positions that are named, if any are.
fn suite(args: &StressArgs) -> Result<Option<Suite>, BadInput> {
    let StressArgs { game, suite, .. } = args.clone();
    if game.game.is_none() && game.rules.is_none() && suite.is_none() {
        return Ok(None);
    }
    SuiteFlags { game, suite, evaluator: None }.load().map(Some)
}

/// Positions of every game.
fn every_game() -> Result<Vec<Positions>, BadInput> {
    let load = |info: &'static GameInfo| {
        let game = GameFlags { game: Some(info), rules: None };
        SuiteFlags { game, suite: None, evaluator: None }.load().map(Positions::new)
    };
    doors::games().infos().map(load).collect()
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or a search that ends with an error or does not end at all.
fn run(args: &StressArgs, stop: &StopFlag) -> Result<Ending> {
    let suite = suite(args)?;
    let game = match &suite {
        Some(suite) => suite.door.game(),
        None if args.every_game => EVERY_GAME,
        None => RANDOM_GRAPH,
    };
    let settings = StressSettings {
        minutes: args.minutes,
        seed: args.seed,
        games: args.games,
        threads: args.threads,
        tree_nodes: args.tree_nodes,
        suite: suite.as_ref().map(|suite| suite.name.clone()),
        rules: suite.as_ref().map(|suite| suite.door.rules()),
        arenas: arenas::of_environment().map(|number| number.to_string_lossy().into_owned()),
    };
    let mut records =
        Records::create(args.out.as_deref(), ("stress", game), RunSettings::other(&settings)?, None)
            .map_err(BadInput::from_error)?;
    let (shared, enough) = (Shared::default(), StopFlag::new());
    let searching = {
        let (shared, enough) = (shared.clone(), enough.clone());
        let bounds = Bounds { seed: args.seed, games: args.games, threads: args.threads };
        let graphs = suite.is_none();
        let games = match suite {
            Some(suite) => vec![Positions::new(suite)],
            None if args.every_game => every_game()?,
            None => Vec::new(),
        };
        let subject = Subject { graphs, games, tree_nodes: args.tree_nodes };
        thread::Builder::new().spawn(move || search_until(&enough, bounds, &subject, &shared))?
    };
    let mut watch = Watch::new(args.minutes);
    let watched = watch.until_enough(&shared, &searching, stop, &mut records);
    enough.stop();
    watched?;
    // The search under way comes to its end, or its watch has ended above.
    searching.join().map_err(|_| anyhow!("the searching thread panicked"))??;
    let report = records.append(&watch.report(&shared))?;
    for difference in &shared.lock().differences {
        note(difference);
    }
    if args.json {
        cli::print_json(&report)?;
    } else {
        cli::print(&text(&report, &records))?;
    }
    Ok(ending(&report, watch.time, stop.is_raised()))
}

/// Looks at the searches and the memory from beside.
struct Watch {
    begun: Instant,
    time: Duration,
    memory: StressMemory,
}

impl Watch {
    fn new(minutes: f64) -> Self {
        Watch {
            begun: Instant::now(),
            time: Duration::from_secs_f64(60.0 * minutes),
            memory: StressMemory::default(),
        }
    }

    /// Comes back when the time is up, Ctrl-C was pressed or the searching thread has ended.
    fn until_enough<R>(
        &mut self,
        shared: &Shared,
        searching: &JoinHandle<R>,
        stop: &StopFlag,
        records: &mut Records,
    ) -> Result<()> {
        let progress = Progress::new("stress", self.time.as_secs());
        let mut recorded = self.begun;
        while self.begun.elapsed() < self.time && !stop.is_raised() && !searching.is_finished() {
            thread::sleep(BETWEEN_LOOKS.min(self.time));
            let (counts, held) = {
                let state = shared.lock();
                (state.counts.clone(), state.held_kib)
            };
            self.look_at_memory(held);
            progress.reach(self.begun.elapsed().as_secs());
            progress.say(format!("{} searches, {} differences", counts.searches, counts.differences));
            if recorded.elapsed() >= BETWEEN_SAMPLES {
                recorded = Instant::now();
                records.append(&self.report(shared))?;
            }
            look_for_deadlock(shared)?;
        }
        Ok(())
    }

    fn look_at_memory(&mut self, held: u64) {
        let now = resident_kib().unwrap_or_default();
        let memory = &mut self.memory;
        if memory.start == 0 {
            memory.start = now;
        }
        if self.begun.elapsed() <= self.time / 4 {
            (memory.quarter, memory.held_quarter) = (now, held);
        }
        if self.begun.elapsed() <= self.time / 2 {
            memory.half = now;
        }
        (memory.end, memory.held_end) = (now, held);
        memory.peak = memory.peak.max(now);
    }

    fn report(&self, shared: &Shared) -> StressLine {
        StressLine {
            schema: SCHEMA,
            seconds: self.begun.elapsed().as_secs_f64(),
            counts: shared.lock().counts.clone(),
            memory_kib: self.memory,
        }
    }
}

fn look_for_deadlock(shared: &Shared) -> Result<()> {
    match &shared.lock().under_way {
        Some((what, since)) if since.elapsed() > TOO_LONG => bail!("no end after {TOO_LONG:?}: {what}"),
        _ => Ok(()),
    }
}

/// How a run that was to take `time` ended.
fn ending(report: &StressLine, time: Duration, stopped: bool) -> Ending {
    let StressMemory { half, end, held_quarter, held_end, .. } = report.memory_kib;
    let most = (half + half / MOST_GROWTH).max(held_end);
    let has_grown = held_end > held_quarter + MOST_HELD || end > most;
    match report.counts.differences {
        1.. => Ending::ValuesDiffer,
        0 if stopped => Ending::Stopped,
        0 if has_grown && time >= LEAST_FOR_MEMORY => Ending::TooHigh,
        0 => Ending::Complete,
    }
}

fn text(report: &StressLine, records: &Records) -> String {
    let StressCounts { games, searches, stopped, differences, nodes, steals, aborts, .. } = report.counts;
    let StressCounts { probing_splits, star1_splits, decision_splits, helped, deferred, .. } = report.counts;
    let StressCounts { searches_in_lanes, saved_tables, most_threads, .. } = report.counts;
    let StressMemory { start, half, end, peak, held_quarter, held_end, .. } = report.memory_kib;
    format!(
        "{searches} searches of {games} games in {:.0} s, {stopped} of them stopped; {nodes} nodes\n\
         splits: {probing_splits} in the probing phase, {star1_splits} in the Star1 phase, \
         {decision_splits} at decision nodes\n\
         {steals} steals, {helped} successors searched by helpers, {aborts} aborts, {deferred} put off\n\
         {searches_in_lanes} searches in lanes, {most_threads} threads at most, {saved_tables} tables saved \
         and taken up again\n\
         memory in KiB: {start} at the start, {half} after half of the time, {end} at the end, \
         {peak} at most\n\
         held between games: {held_quarter} after a quarter of the time, {held_end} at the end\n\
         differences: {differences}\nRecords: {}\n",
        report.seconds,
        records.path().display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(differences: u64, (half, end): (u64, u64), (held_quarter, held_end): (u64, u64)) -> StressLine {
        let counts = StressCounts { differences, ..StressCounts::default() };
        let memory_kib = StressMemory { half, end, held_quarter, held_end, ..StressMemory::default() };
        StressLine { schema: SCHEMA, seconds: 1.0, counts, memory_kib }
    }

    #[test]
    fn differences_and_leaks_are_no_success() {
        let (long, short) = (LEAST_FOR_MEMORY, LEAST_FOR_MEMORY / 2);
        let (flat, growing, held, leaking) =
            ((9_000, 9_500), (90_000, 99_900), (8_000, 9_000), (8_000, 9_100));
        assert_eq!(ending(&report(0, flat, held), long, false), Ending::Complete);
        assert_eq!(ending(&report(0, flat, held), long, true), Ending::Stopped);
        assert_eq!(ending(&report(1, flat, held), long, true), Ending::ValuesDiffer);
        for grown in [report(0, growing, held), report(0, flat, leaking)] {
            assert_eq!(ending(&grown, long, false), Ending::TooHigh);
            assert_eq!(ending(&grown, short, false), Ending::Complete);
        }
        assert_eq!(ending(&report(0, growing, (99_900, 99_900)), long, false), Ending::Complete);
        assert_eq!(ending(&report(0, growing, (99_899, 99_899)), long, false), Ending::TooHigh);
        assert_eq!(ending(&report(1, growing, leaking), short, false), Ending::ValuesDiffer);
    }
}
