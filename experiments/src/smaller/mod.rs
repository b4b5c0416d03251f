//! The binary `smaller`: what smaller games cost and lose beside the full one.

mod figures;
mod root;
mod runner;
mod setting;
mod text;

pub(crate) use figures::recorded;
pub use figures::{ErrorFigures, SettingFigures, SmallerCosts, SmallerFigures};
pub use setting::SmallerSetting;

use crate::cli::progress::Progress;
use crate::cli::values::{self, every_once, whole_number};
use crate::question::doors::played;
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables;
use crate::records::earlier::Earlier;
use crate::records::flags::RecordsFlags;
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::records::others::SmallerLine;
use crate::runner::by_position::open;
use crate::runner::verdict::{Finished, Verdicts};
use clap::Parser;
use runner::{Asked, Runner};
use serde_json::json;
use setting::SETTINGS;
use starsplit::search::{Options, StopFlag};
use std::path::PathBuf;

/// Search smaller games beside the full one: how far their values are off, what their moves lose, what they
/// cost
///
/// A smaller game has some of the outcomes (sampled=K) or the best moves (top-moves=K, within=VALUE) of the
/// full one, and its search is exact. All are searched to the same depth, on one thread, by the default
/// search. Where a position of the suite is one before a roll, it is rolled, by the seed, until there is a
/// choice between moves.
///
/// Error: the smaller game's value less the full one's. Other move: how often another one is chosen than in
/// the full game; worse: how often that loses something. Regret: by how much, as the search of the full game
/// values both moves. All in the game's units; the intervals are Student's t over the positions. Nodes,
/// evaluations and time are sums over the positions, over those of the full game; evaluations by which moves
/// are ranked are in the time alone.
///
/// "all" is the whole game, searched as the smaller ones are, whose evaluator keeps no state along a line: it
/// tells what of the time is lost to that. Its value has to be the full game's: the exit code is 1 and the
/// positions are named where it is not.
#[derive(Debug, Parser)]
#[command(name = "smaller", version = crate::cli::VERSION)]
pub struct SmallerArgs {
    /// What is kept, a list: all, or one or more of sampled=K, top-moves=K and within=VALUE joined by "+"
    #[arg(long, value_name = "LIST", value_delimiter = ',', action = clap::ArgAction::Set,
          default_values = SETTINGS, value_parser = SmallerSetting::read)]
    pub settings: Vec<SmallerSetting>,

    /// How many seeds outcomes are drawn by, from --seed on, each a search
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("seeds", 1..=1_000_000))]
    pub seeds: u64,

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
const EXPERIMENT: &str = "smaller";

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput), or whatever ends a search with an error.
pub fn run(args: &SmallerArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = suite(args)?;
    let (verdicts, stopped, folder) = search(args, &suite, stop)?;
    let figures = match Earlier::read(&folder)? {
        Some(earlier) => recorded(earlier.lines(), &earlier.meta).map_err(anyhow::Error::msg)?,
        None => SmallerFigures::default(),
    };
    let report = SmallerFigures { stopped, ..figures };
    Finished::new(&verdicts, (&report, stopped), "setting", Some(&folder), |verdict| {
        format!("{}\n\n{}\n\n{verdict}\n", report.heading(), report.table())
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput) where it could not.
pub(crate) fn check(args: &SmallerArgs) -> anyhow::Result<()> {
    let suite = suite(args)?;
    tables::table(args.common.table_mb)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings(args, &suite), Clock::Real)
}

/// The suite, after a look whether everything is as it should be.
fn suite(args: &SmallerArgs) -> anyhow::Result<Suite> {
    let suite = args.suite.check(&ExpectedFlag::default())?;
    played(&*suite.door)?;
    every_once("settings", args.settings.iter().map(|setting| setting.words.as_str()))?;
    Ok(suite)
}

fn settings(args: &SmallerArgs, suite: &Suite) -> Settings {
    let depth = suite.depth_or(args.depth, DEPTH);
    let limits = (args.common.table_mb, args.common.seed);
    let mut settings = Settings::new(suite, depth, args.suite.evaluator(suite), limits, &Options::default());
    let kept: Vec<_> = args.settings.iter().map(|setting| setting.words.as_str()).collect();
    let own = [("kept", json!(kept)), ("seeds", json!(args.seeds)), ("every", json!(args.every))];
    settings.own.extend(own.map(|(name, value)| (name.to_owned(), value)));
    settings
}

/// Searches whatever is not recorded yet: the verdicts, whether it was stopped, and where the records are.
fn search(args: &SmallerArgs, suite: &Suite, stop: &StopFlag) -> anyhow::Result<(Verdicts, bool, PathBuf)> {
    let settings = settings(args, suite);
    let mut verdicts = Verdicts::new(suite.positions.len());
    let table = tables::table(args.common.table_mb)?;
    let asked = Asked {
        settings: &args.settings,
        seeds: args.seeds,
        seed: args.common.seed,
        evaluator: args.suite.evaluator(suite),
        depth: settings.depth,
    };
    let runner = Runner::new(&asked, suite, &table, stop)?;
    let experiment = (EXPERIMENT, suite.door.game());
    let (mut records, done) = open::<SmallerLine>(&args.records, experiment, &settings, &mut verdicts)?;
    let play = played(&*suite.door)?;
    let mut positions = Vec::new();
    for (index, entry) in suite.positions.iter().enumerate().step_by(args.every as usize) {
        let position = root::with_a_choice(play, entry, (args.common.seed, index as u64))?;
        positions.extend(position.map(|position| (index, position)));
    }
    let left: Vec<_> = positions.iter().filter(|(index, _)| !done.contains(&(index + 1))).collect();
    records.plan(Some(positions.len()), left.len())?;
    let progress = Progress::from(EXPERIMENT, (positions.len() - left.len()) as u64, positions.len() as u64);
    let mut is_warm = false;
    for (index, position) in left {
        if !is_warm {
            runner.warm_up(position)?;
            is_warm = true;
        }
        match runner.run(*index, position, &mut verdicts)? {
            Some(line) => drop(records.append(&line)?),
            None => return Ok((verdicts, true, records.path().to_owned())),
        }
        progress.advance();
    }
    drop(progress);
    Ok((verdicts, false, records.path().to_owned()))
}
