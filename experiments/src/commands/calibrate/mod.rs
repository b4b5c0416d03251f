//! The command `calibrate`: what events cost on this machine, for simulated searches.

mod cases;
mod fit;
mod stealing;
mod waking;

use crate::cli::files;
use crate::cli::outputs::{self, write_whole};
use crate::cli::progress::Progress;
use crate::cli::values::{self, whole_number};
use crate::cli::{self, BadInput, Ending};
use crate::question::door::{Entry, SearcherMaker};
use crate::question::flags::{CommonFlags, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables::tables;
use crate::records::meta::{RunSettings, SCHEMA, Settings};
use crate::records::others::CalibrationLine;
use crate::records::writer::Records;
use crate::runner::measure::{measure, measure_together};
use crate::runner::pinning::Pinning;
use crate::simulate::EventCosts;
use anyhow::{Context, Result};
use cases::{Case, count, kinds, ways};
use clap::Parser;
use fit::{EVALUATION, Fit, Observation, fit};
use serde::{Deserialize, Serialize};
use starsplit::search::{Limits, Options, Splits, StopFlag, Telemetry};
use starsplit::table::Table;
use starsplit_statistics::summary::median;
use starsplit_tables::AnyTable;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stealing::{Looks, Stealing};
use waking::{WakeUps, Waking};

/// Measure what events cost on this machine, for simulate
///
/// Positions of a suite are searched on one thread in ways that differ in what they are made of: move
/// orderings, the least depth that uses the table, and how much the parallel code splits where nobody comes.
/// How many nodes, evaluations, look-ups and stores, polls and splits each search has is counted exactly, by
/// simulating it under costs of which one is 1 and the others 0. The costs, with what a search takes however
/// small it is, are those that explain the times best: least squares of (predicted / measured - 1), none of
/// them negative; each time is the least of --repeat, because whatever disturbs a search adds to its time. An
/// evaluation costs what its evaluator declares, if it does: so what is charged is what the search believes.
/// Searches of less than a millisecond do not count. Rounds are interleaved.
///
/// Every search is timed twice in a row: while nothing else runs, and while as many independent copies of it
/// run as the machine runs at once, because processors that share caches, memory and clocks are slower
/// together. The median of the ratios is the slowdown; "busy" has the costs so much greater. simulate takes
/// the costs themselves for one processor and "busy" for more.
///
/// Steals are told from the timelines of searches on two threads. steal: what is left of the time from being
/// without work to having stolen some when looks in vain are taken off, the median. failed_steal: how long a
/// worker without work takes for a look with the pause behind it, the median over the times in which it was
/// without.
///
/// A thread of a pool is woken where it sleeps and the caller does not. wake: how long the caller takes for
/// the call; wake_latency: from then until the thread runs; medians.
///
/// The costs, in nanoseconds, go to costs.json in a new folder below results, or in --out, beside the
/// samples; simulate reads them with --costs FILE.
#[derive(Debug, Parser)]
#[command(name = "calibrate", version = crate::cli::VERSION)]
pub(super) struct CalibrateArgs {
    /// How deep, 1 to 254
    #[arg(long, value_name = "N", default_value = "11", allow_negative_numbers = true,
        value_parser = values::depth)]
    depth: u32,

    /// How many positions of the suite, spread over it
    #[arg(long, value_name = "N", default_value = "8", allow_negative_numbers = true,
          value_parser = whole_number("positions", 1..=1_000_000))]
    positions: u64,

    /// How often every search is repeated
    #[arg(long, value_name = "N", default_value = "5", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    repeat: u64,

    /// The positions.
    #[command(flatten)]
    suite: SuiteFlags,

    /// Folder for the records instead of results/DATE-calibrate
    ///
    /// It is made if need be; one that already holds records is refused, so that nothing is mixed or lost.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// What every binary that searches has.
    #[command(flatten)]
    common: CommonFlags,
}

/// The file of the costs.
const FILE: &str = "costs.json";

/// Whether a file holds what was found before.
fn is_own(path: &Path) -> bool {
    files::read_text(path, files::TEXT).is_ok_and(|text| serde_json::from_str::<Calibration>(&text).is_ok())
}

/// Searches that take less, in nanoseconds, tell more of how one begins than of what events cost.
const LEAST_TIME: f64 = 1e6;

/// What was found, and the contents of `costs.json`: in nanoseconds, all of it.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Calibration {
    /// What events cost while nothing else runs.
    #[serde(flatten)]
    costs: EventCosts,
    /// What they cost while every processor of the machine is busy.
    busy: EventCosts,
    /// How many those are.
    processors: usize,
    /// How much longer a search takes then.
    slowdown: f64,
    /// How far the times that the costs predict are from those measured: the root of the mean square of the
    /// ratio less 1.
    residual: f64,
    /// How many searches they were told from.
    searches: usize,
    /// How many steals the cost of one was told from.
    steals: usize,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub(super) fn run(args: &CalibrateArgs, stop: &StopFlag) -> Result<Ending> {
    let suite = args.suite.load()?;
    if let Some(out) = &args.out {
        outputs::check_own("file", &out.join(FILE), "calibrate", is_own)?;
    }
    let maker = suite.door.evaluator(args.suite.evaluator(&suite), args.common.seed)?;
    let work = CalibrateRun { args, suite: &suite, maker: &*maker, stop };
    let Some((calibration, records)) = work.run()? else { return Ok(Ending::Stopped) };
    let path = records.path().join(FILE);
    write_whole(&path, (serde_json::to_string_pretty(&calibration)? + "\n").as_bytes())?;
    if args.common.json {
        cli::print_json(&calibration)?;
    } else {
        cli::print(&format!("{}Costs: {}\n", calibration.text(), path.display()))?;
    }
    Ok(Ending::Complete)
}

impl Calibration {
    fn text(&self) -> String {
        format!(
            "Nanoseconds, from {} searches, times explained to {:.1}%\n{}\n\
             With {} searches at once all but steals take {:.2} times as long; from {} steals\n",
            self.searches,
            100.0 * self.residual,
            self.costs,
            self.processors,
            self.slowdown,
            self.steals
        )
    }
}

struct CalibrateRun<'a> {
    args: &'a CalibrateArgs,
    suite: &'a Suite,
    maker: &'a dyn SearcherMaker,
    stop: &'a StopFlag,
}

/// The times of one case in every round, in nanoseconds.
#[derive(Clone, Debug, Default)]
struct Times {
    alone: Vec<f64>,
    busy: Vec<f64>,
}

impl CalibrateRun<'_> {
    /// What was found, and where it is recorded; `None` when it was stopped.
    fn run(&self) -> Result<Option<(Calibration, Records)>> {
        let args = self.args;
        let processors = values::cores();
        let tables = tables(processors.max(1), args.common.table_mb)?;
        let (table_mb, seed) = (args.common.table_mb, args.common.seed);
        let options = Options::default();
        let settings = Settings::new(
            self.suite,
            args.depth,
            args.suite.evaluator(self.suite),
            (table_mb, seed),
            &options,
        );
        let settings = RunSettings::from(&settings);
        let mut records =
            Records::create(args.out.as_deref(), ("calibrate", self.suite.door.game()), settings, None)
                .map_err(BadInput::from_error)?;
        let Some(cases) = self.cases(&tables[0])? else { return Ok(None) };
        let mut times = vec![Times::default(); cases.len()];
        let (mut looks, mut wake_ups) = (Looks::default(), WakeUps::new()?);
        let progress = Progress::new("calibrate", args.repeat * cases.len() as u64);
        for round in 1..=args.repeat {
            for (case, times) in cases.iter().zip(&mut times) {
                if self.stop.is_raised() {
                    return Ok(None);
                }
                let line = records.append(&self.time(&tables, case, round)?)?;
                times.alone.push(line.alone_ns as f64);
                times.busy.push(line.busy_ns as f64);
                progress.advance();
            }
            for entry in self.positions() {
                self.steal(&tables[0], entry, &mut looks)?;
                wake_ups.time_some();
            }
        }
        let declared = self.declared(&tables[0])?;
        Ok(Some((calibration((&cases, &times), declared, (&looks, &wake_ups), processors)?, records)))
    }

    /// What an evaluation costs in nanoseconds, if the evaluator says so.
    fn declared(&self, table: &AnyTable) -> Result<Option<f64>> {
        let searcher = self.maker.searcher(table, Options::default(), None);
        let entry = self.positions().next().context("expected a position")?;
        let chosen = searcher.search(entry, &Limits::depth(1), &mut |_| {})?.answer.chosen;
        Ok((!chosen.evaluation_assumed).then_some(chosen.evaluation_ns as f64))
    }

    /// As many positions as are wanted, spread over the suite.
    fn positions(&self) -> impl Iterator<Item = &Entry> {
        let step = self.suite.positions.len().div_ceil(self.args.positions as usize).max(1);
        self.suite.positions.iter().step_by(step)
    }

    /// Every position in every way, with its events; `None` when it was stopped.
    fn cases(&self, table: &AnyTable) -> Result<Option<Vec<Case>>> {
        let ways = ways();
        let progress = Progress::new("calibrate: counting", (self.positions().count() * ways.len()) as u64);
        let mut cases = Vec::new();
        for entry in self.positions() {
            for (way, options) in &ways {
                if self.stop.is_raised() {
                    return Ok(None);
                }
                let searcher = self.maker.searcher(table, options.clone(), None);
                let counts = count(&*searcher, entry, self.args.depth)?;
                cases.push(Case {
                    position: entry.clone(),
                    way: way.clone(),
                    options: options.clone(),
                    counts,
                });
                progress.advance();
            }
        }
        Ok(Some(cases))
    }

    /// Times a case once alone and once beside its copies.
    fn time(&self, tables: &[AnyTable], case: &Case, round: u64) -> Result<CalibrationLine> {
        let searcher = |table| self.maker.searcher(table, case.options.clone(), None);
        let searchers: Vec<_> = tables.iter().map(searcher).collect();
        let limits = Limits::depth(self.args.depth);
        let alone = measure(&*searchers[0], &case.position, &limits)?;
        let all: Vec<_> = searchers.iter().map(|searcher| &**searcher).collect();
        let copies = measure_together(&all, &case.position, &limits, &Pinning::off())?;
        let busy = copies.iter().map(|copy| copy.wall_ns).sum::<u64>() / copies.len() as u64;
        Ok(CalibrationLine {
            schema: SCHEMA,
            game: self.suite.door.game().to_owned(),
            position: case.position.text.clone(),
            way: case.way.clone(),
            round,
            events: kinds().iter().map(|(name, _)| (*name).to_owned()).zip(case.counts).collect(),
            alone_ns: alone.wall_ns,
            busy_ns: busy,
        })
    }

    /// Searches a position on two threads, for its steals.
    fn steal(&self, table: &AnyTable, entry: &Entry, looks: &mut Looks) -> Result<()> {
        // Everything that can be is split, so that much is stolen.
        let splits = Splits { depth: Some(3), size: Some(0), helpers_after: Duration::ZERO, alone: false };
        let telemetry = Telemetry { timeline: 1_000_000, ..Telemetry::default() };
        let options = Options { threads: 2, splits, telemetry, ..Options::default() };
        table.clear(options.threads);
        let searcher = self.maker.searcher(table, options, None);
        let limits = Limits::depth(self.args.depth);
        looks.add(&searcher.search(entry, &limits, &mut |_| {})?.answer.workers);
        Ok(())
    }
}

/// What follows from the times.
fn calibration(
    (cases, times): (&[Case], &[Times]),
    declared: Option<f64>,
    (looks, wake_ups): (&Looks, &WakeUps),
    processors: usize,
) -> Result<Calibration> {
    let least = |times: &Times| times.alone.iter().copied().reduce(f64::min);
    let observations: Vec<_> = cases
        .iter()
        .zip(times)
        .filter_map(|(case, times)| {
            let counts = case.counts.map(|count| count as f64);
            Some(Observation { counts, time: least(times).filter(|time| *time >= LEAST_TIME)? })
        })
        .collect();
    let longer = "expected larger searches, of a millisecond and more: --depth or --suite";
    let known = std::array::from_fn(|kind| declared.filter(|_| kind == EVALUATION));
    let fit = fit(&observations, known).with_context(|| format!("no search was long enough: {longer}"))?;
    let stealing = looks.stealing().with_context(|| format!("nothing was stolen: {longer}"))?;
    let slowdown = slowdown(times).with_context(|| format!("no search was long enough: {longer}"))?;
    let waking = wake_ups.waking();
    Ok(Calibration {
        costs: costs(&fit, 1.0, &stealing, &waking),
        busy: costs(&fit, slowdown, &stealing, &waking),
        processors,
        slowdown,
        residual: fit.residual,
        searches: observations.len(),
        steals: stealing.steals,
    })
}

/// How much longer a search takes beside its copies: the median over all rounds of all searches that are long
/// enough.
fn slowdown(times: &[Times]) -> Option<f64> {
    let pairs = times.iter().flat_map(|times| times.alone.iter().zip(&times.busy));
    let ratios: Vec<f64> =
        pairs.filter(|(alone, _)| **alone >= LEAST_TIME).map(|(alone, busy)| busy / alone).collect();
    median(&ratios)
}

/// Costs in whole nanoseconds; a node costs something in any case, for else time would stand still.
/// Steals and wake-ups were measured while two processors were busy.
fn costs(fit: &Fit, slowdown: f64, stealing: &Stealing, waking: &Waking) -> EventCosts {
    let [node, evaluation, table, poll, split, _] = fit.costs.map(|cost| (slowdown * cost).round() as u32);
    let (steal, failed_steal) = (stealing.steal.round() as u32, stealing.failed_steal.round() as u32);
    let (wake, wake_latency) = (waking.wake.round() as u32, waking.latency.round() as u32);
    EventCosts { node: node.max(1), evaluation, table, poll, split, steal, failed_steal, wake, wake_latency }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_grow_with_the_slowdown_but_those_of_steals_and_wake_ups() {
        let fit = Fit { costs: [0.2, 40.0, 60.0, 5.0, 1_000.0, 9.0], residual: 0.1 };
        let stealing = Stealing { steal: 2_000.0, failed_steal: 300.4, steals: 10 };
        let waking = Waking { wake: 4_000.0, latency: 30_000.0 };
        let (alone, busy) = (costs(&fit, 1.0, &stealing, &waking), costs(&fit, 1.5, &stealing, &waking));
        assert_eq!((alone.node, alone.evaluation, alone.split), (1, 40, 1_000));
        assert_eq!((busy.node, busy.evaluation, busy.table, busy.split), (1, 60, 90, 1_500));
        assert_eq!((alone.steal, alone.failed_steal), (busy.steal, busy.failed_steal));
        assert_eq!((alone.wake, alone.wake_latency), (busy.wake, busy.wake_latency));
    }

    #[test]
    fn the_slowdown_is_taken_within_rounds() {
        let times = [
            Times { alone: vec![2e6, 4e6], busy: vec![3e6, 6e6] },
            Times { alone: vec![2e6, 2e6], busy: vec![2e6, 4e6] },
            Times { alone: vec![1e3], busy: vec![9e9] },
        ];
        assert_eq!(slowdown(&times), Some(1.5));
        assert_eq!(slowdown(&[]), None);
    }
}
