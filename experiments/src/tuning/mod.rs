//! The command `tuning`: the default search, which chooses for itself, beside the best of many fixed
//! settings.

mod choices;
mod course;
mod figures;
mod halving;
mod heats;
mod text;
pub(crate) mod verdict;

pub use choices::Choice;
pub(crate) use choices::short_name;
pub(crate) use figures::recorded;
pub use figures::{Beside, CellFigures, Compared, TuningFigures};
pub(crate) use text::table;

use crate::cli::BadInput;
use crate::cli::progress::Progress;
use crate::cli::values::{self, List, whole_number};
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables;
use crate::records::earlier::Earlier;
use crate::records::flags::{Opened, RecordsFlags};
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::records::writer::Records;
use crate::runner::verdict::{Finished, Verdicts};
use choices::{CHOICES, PARALLEL};
use clap::Parser;
use course::{Asked, Course};
use figures::THREADS;
use heats::Runner;
use serde_json::json;
use starsplit::search::{Options, StopFlag};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Set the default search, which chooses for itself, beside the best of many fixed settings
///
/// First the best is searched for, on every other position of the suite: all settings search a position, one
/// after another, the best third go on to more positions, and so on until one is left. A search that takes
/// several times as long as the default is ended, and a setting that does so twice left out. On several
/// threads the settings are those that were best on one, each with all that --vary-parallel names.
///
/// Then the best and the default search the other positions in turn. Default over best: of the sums over the
/// positions, the median over the rounds, with the interval that the percentile bootstrap over the positions
/// gives it with a confidence of 95%; none of fewer than six positions.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs.
#[derive(Debug, Parser)]
#[command(name = "tuning", version = crate::cli::VERSION)]
pub struct TuningArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 9]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// On how many threads, each a search for the best of its own
    #[arg(long, value_name = "LIST", default_value = "1,2", allow_negative_numbers = true,
          value_parser = threads)]
    pub threads: List<usize>,

    /// How many seconds the search for the best may take on each number of threads, about
    ///
    /// Every rung has an equal share, and searches one position at least and every position twice at most.
    #[arg(long, value_name = "N", default_value = "20", allow_negative_numbers = true,
          value_parser = whole_number("seconds", 1..=1_000_000))]
    pub seconds: u64,

    /// How many rounds the comparison has: how often both settings search every position
    #[arg(long, value_name = "N", default_value = "7", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    pub repeat: u64,

    /// What fixed settings are made of, a list of choices: settings are all combinations
    ///
    /// A choice is a list of alternatives parted by "|", each one or more KEY=VALUE joined by "+". Keys are
    /// the flags of a search without their dashes, as search --help and the library describe them.
    #[arg(long, value_name = "LIST", value_delimiter = ',', action = clap::ArgAction::Set,
          default_values = CHOICES, value_parser = Choice::read)]
    pub vary: Vec<Choice>,

    /// What they are made of on several threads besides
    #[arg(long, value_name = "LIST", value_delimiter = ',', action = clap::ArgAction::Set,
          default_values = PARALLEL, value_parser = Choice::read)]
    pub vary_parallel: Vec<Choice>,

    /// The positions.
    #[command(flatten)]
    pub suite: SuiteFlags,

    /// Where the records go.
    #[command(flatten)]
    pub records: RecordsFlags,

    /// What the positions are known to be worth.
    #[command(flatten)]
    pub expected: ExpectedFlag,

    /// What every binary that searches has.
    #[command(flatten)]
    pub common: CommonFlags,
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 9;

/// What the records call it.
pub(crate) const EXPERIMENT: &str = "tuning";

fn threads(text: &str) -> Result<List<usize>, BadInput> {
    List::read("threads", text, values::threads)
}

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn run(args: &TuningArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = suite(args)?;
    let (verdicts, stopped, folder) = search(args, &suite, stop)?;
    let figures = match Earlier::read(&folder)? {
        Some(earlier) => recorded(earlier.lines(), &earlier.meta).map_err(anyhow::Error::msg)?,
        None => TuningFigures::default(),
    };
    let report = TuningFigures { stopped, ..figures };
    Finished::new(&verdicts, (&report, stopped), "setting", Some(&folder), |verdict| {
        format!("{}\n{verdict}\n", report.text())
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`] where it could not.
pub(crate) fn check(args: &TuningArgs) -> anyhow::Result<()> {
    let suite = suite(args)?;
    course(args, &suite)?;
    tables::table(args.common.table_mb)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings(args, &suite), Clock::Real)
}

/// The suite, of which one part is for the search and another for the comparison.
fn suite(args: &TuningArgs) -> anyhow::Result<Suite> {
    let suite = args.suite.check(&args.expected)?;
    if suite.positions.len() < 2 {
        let complaint = "expected two positions at least, one to search for the best and one to compare";
        return Err(BadInput::new("suite", &suite.name, complaint).into());
    }
    Ok(suite)
}

fn settings(args: &TuningArgs, suite: &Suite) -> Settings {
    let depth = suite.depth_or(args.depth, DEPTH);
    let limits = (args.common.table_mb, args.common.seed);
    let mut settings = Settings::new(suite, depth, args.suite.evaluator(suite), limits, &Options::default());
    let words = |choices: &[Choice]| json!(choices.iter().map(|Choice(words)| words).collect::<Vec<_>>());
    let own = [
        (THREADS, json!(args.threads.0)),
        ("seconds", json!(args.seconds)),
        ("choices", words(&args.vary)),
        ("parallel_choices", words(&args.vary_parallel)),
    ];
    settings.own.extend(own.map(|(name, value)| (name.to_owned(), value)));
    settings
}

/// The course of the experiment, from its beginning.
///
/// # Errors
/// When a setting that is asked for cannot be.
fn course<'a>(args: &'a TuningArgs, suite: &Suite) -> Result<Course<'a>, BadInput> {
    choices::check(args.vary.iter().chain(&args.vary_parallel))?;
    Ok(Course::new(Asked {
        threads: &args.threads.0,
        choices: &args.vary,
        parallel: &args.vary_parallel,
        budget_ns: args.seconds * 1_000_000_000,
        positions: suite.positions.len(),
        repeat: args.repeat as usize,
    }))
}

/// Searches whatever is not recorded yet: the verdicts, whether it was stopped, and where the records are.
fn search(args: &TuningArgs, suite: &Suite, stop: &StopFlag) -> anyhow::Result<(Verdicts, bool, PathBuf)> {
    let settings = settings(args, suite);
    let mut course = course(args, suite)?;
    let mut verdicts = Verdicts::expecting(args.expected.scores(suite)?, suite.positions.len());
    let table = tables::table(args.common.table_mb)?;
    let maker = suite.door.evaluator(args.suite.evaluator(suite), args.common.seed)?;
    let opened = args.records.open((EXPERIMENT, suite.door.game()), &settings, Clock::Real)?;
    let mut records = match opened {
        Opened::New(records) => records,
        Opened::Earlier(earlier) => go_on(&mut course, &mut verdicts, earlier)?,
    };
    let mut runner =
        Runner { suite, depth: settings.depth, maker: &*maker, table: &table, pools: BTreeMap::new(), stop };
    let (done, all) = course.stages();
    let progress = Progress::from(EXPERIMENT, done, all);
    let mut stopped = false;
    while let Some(heat) = course.next() {
        progress.say(heats::in_words(&heat));
        let Some(line) = runner.run(&heat, &mut verdicts)? else {
            stopped = true;
            break;
        };
        // From here on what was read back: figures are those of the records.
        course.settle(&records.append(&line)?);
        progress.reach(course.stages().0);
    }
    drop(progress);
    Ok((verdicts, stopped, records.path().to_owned()))
}

/// Takes over what `earlier` records tell, and opens them to add to them.
fn go_on(course: &mut Course<'_>, verdicts: &mut Verdicts, earlier: Earlier) -> anyhow::Result<Records> {
    let refuse =
        |complaint: String| BadInput::new("results folder", earlier.path().to_string_lossy(), complaint);
    let mut lines = 0;
    for line in earlier.lines() {
        lines += 1;
        let line =
            line.map_err(|error| refuse(format!("expected searches of settings in line {lines} ({error})")))?;
        // More rounds than are asked for stay as they are.
        let Some(heat) = course.next() else { continue };
        if !heat.is_of(&line) {
            return Err(refuse(format!("expected {} in line {lines}", heats::in_words(&heat))).into());
        }
        course.settle(&line);
        heats::take_over(&line, verdicts);
    }
    Ok(earlier.go_on(lines).map_err(BadInput::from_error)?)
}
