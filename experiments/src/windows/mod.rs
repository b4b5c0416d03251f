//! The binary `windows`: what other windows of the root and below it save beside the usual search.

mod figures;
mod own;
mod prover;
mod root;
mod runner;
mod text;
mod way;

pub(crate) use figures::recorded;
pub use figures::{Ratio, WayFigures, WindowsFigures};
pub use way::Way;

use crate::cli::progress::Progress;
use crate::cli::values::{self, every_once, whole_number};
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables;
use crate::records::earlier::Earlier;
use crate::records::flags::RecordsFlags;
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::records::others::WindowsLine;
use crate::runner::by_position::open;
use crate::runner::verdict::{Finished, Verdicts};
use clap::Parser;
use runner::{Asked, Runner};
use serde_json::json;
use starsplit::search::{Options, StopFlag};
use std::path::PathBuf;
use way::WAYS;

/// Search in other windows than the usual ones: what aspiration, MTD(f) and narrow windows at chance nodes
/// save
///
/// Every position is searched serially by the library's default search, iteration by iteration in full
/// windows, which is the way "library:search", and then in every way of --ways, each with an empty table. A
/// way is an engine, a colon, and how its windows are chosen, joined by "+". The engine library is the same
/// search, called anew for every window of the root; own is a plain serial Star2-TT of this binary, whose
/// table forgets nothing, in which windows below the root can be chosen, too.
///
/// Of the root: full; aspiration=VALUE, so far around the last iteration's value, then what is left;
/// mtdf=STEPS, null windows that many steps of the grid beyond the last bound; gallop=STEPS, by steps that
/// double, then by halves; bisection. Below the root: slack-null=SIDE and slack-narrow=SIDE, the slack of a
/// chance node's window shared out among its successors by probability, who are asked in a null window or
/// one that is narrower at one end, for SIDE low, high, or what was so two plies less deep (expected), at
/// nodes of depth 3 or slack-depth=N and more; last=VALUE, so far around what the table has of two plies
/// less; null-moves, at decision nodes. Values are in the game's units.
///
/// Ratios of nodes, evaluations and look-ups are to the same engine's full windows. Every way has to find
/// what the library's search has found at every depth: the exit code is 1 and the positions are named where
/// one does not.
#[derive(Debug, Parser)]
#[command(name = "windows", version = crate::cli::VERSION)]
pub struct WindowsArgs {
    /// What is set beside the usual search, a list; both engines' full windows are always there
    #[arg(long, value_name = "LIST", value_delimiter = ',', action = clap::ArgAction::Set,
          default_values = WAYS, value_parser = Way::read)]
    pub ways: Vec<Way>,

    /// Of the suite's positions search the first, and every N-th after it
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("every", 1..=1_000_000))]
    pub every: u64,

    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub suite: SuiteFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub records: RecordsFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonFlags,
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 5;

/// What the records call it.
const EXPERIMENT: &str = "windows";

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput), or whatever ends a search with an error.
pub fn run(args: &WindowsArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = suite(args)?;
    let (verdicts, stopped, folder) = search(args, &suite, stop)?;
    let figures = match Earlier::read(&folder)? {
        Some(earlier) => recorded(earlier.lines(), &earlier.meta).map_err(anyhow::Error::msg)?,
        None => WindowsFigures::default(),
    };
    let report = WindowsFigures { stopped, ..figures };
    Finished::new(&verdicts, (&report, stopped), "way", Some(&folder), |verdict| {
        format!("{}\n\n{}\n\n{verdict}\n", report.heading(), report.table())
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput) where it could not.
pub(crate) fn check(args: &WindowsArgs) -> anyhow::Result<()> {
    let suite = suite(args)?;
    tables::table(args.common.table_mb)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings(args, &suite), Clock::Real)
}

/// The suite, after a look whether everything is as it should be.
fn suite(args: &WindowsArgs) -> anyhow::Result<Suite> {
    let suite = args.suite.check(&ExpectedFlag::default())?;
    every_once("ways", args.ways.iter().map(|way| way.words.as_str()))?;
    Ok(suite)
}

/// The ways in the order in which they search: both engines' full windows, by which the others are measured,
/// are there whether they were asked for or not.
fn ways(args: &WindowsArgs) -> anyhow::Result<Vec<Way>> {
    let mut ways = vec![Way::read("library:full")?, Way::read("own:full")?];
    ways.extend(args.ways.iter().filter(|way| !way.is_usual()).cloned());
    Ok(ways)
}

fn settings(args: &WindowsArgs, suite: &Suite) -> Settings {
    let depth = suite.depth_or(args.depth, DEPTH);
    let limits = (args.common.table_mb, args.common.seed);
    let mut settings = Settings::new(suite, depth, args.suite.evaluator(suite), limits, &Options::default());
    let own = [("ways", json!(args.ways)), ("every", json!(args.every))];
    settings.own.extend(own.map(|(name, value)| (name.to_owned(), value)));
    settings
}

/// Searches whatever is not recorded yet: the verdicts, whether it was stopped, and where the records are.
fn search(args: &WindowsArgs, suite: &Suite, stop: &StopFlag) -> anyhow::Result<(Verdicts, bool, PathBuf)> {
    let settings = settings(args, suite);
    let (table, ways) = (tables::table(args.common.table_mb)?, ways(args)?);
    let evaluator = args.suite.evaluator(suite);
    let asked = Asked { ways: &ways, seed: args.common.seed, evaluator, depth: settings.depth };
    let runner = Runner::new(&asked, suite, &table, stop)?;
    let mut verdicts = Verdicts::new(suite.positions.len());
    let experiment = (EXPERIMENT, suite.door.game());
    let (mut records, done) = open::<WindowsLine>(&args.records, experiment, &settings, &mut verdicts)?;
    let positions: Vec<_> = suite.positions.iter().enumerate().step_by(args.every as usize).collect();
    let left: Vec<_> = positions.iter().filter(|(index, _)| !done.contains(&(index + 1))).collect();
    records.plan(Some(positions.len()), left.len())?;
    let progress = Progress::from(EXPERIMENT, (positions.len() - left.len()) as u64, positions.len() as u64);
    for &&position in &left {
        match runner.run(position, &mut verdicts)? {
            Some(line) => drop(records.append(&line)?),
            None => return Ok((verdicts, true, records.path().to_owned())),
        }
        progress.advance();
    }
    drop(progress);
    Ok((verdicts, false, records.path().to_owned()))
}
