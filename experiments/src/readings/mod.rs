//! The command `readings`: which reading of what the paper leaves open gives what its tables print.

mod distance;
mod figures;
mod runner;
mod text;

pub use distance::Distance;
pub use figures::{Judged, NearestTables, PaperRatios, Range, ReadingFigures, ReadingsFigures};

use crate::cli::progress::Progress;
use crate::cli::values::{self, List, whole_number};
use crate::cli::{BadInput, Ending, note};
use crate::readings::runner::Combination;
use crate::records::meta::{DICE, RunSettings};
use crate::records::others::ReadingLine;
use crate::records::writer::Records;
use crate::runner::verdict::Finished;
use clap::Parser;
use rayon::ThreadPoolBuilder;
use serde_json::json;
use starsplit::search::StopFlag;
use starsplit_readings::list::{Reading, readings};
use starsplit_readings::sets::{self, Named, SEEDS};
use std::collections::HashMap;
use std::path::PathBuf;

/// Search readings of the paper, on Dice, for one that gives what its tables print
///
/// What the paper leaves open of its algorithms, table, counting and rules can be read in several ways. Each
/// reading of the list is searched by Star1, Star2 and Star2-TT as the paper prints them, on sets of 50
/// positions from self-play with three networks each. Distance is of all that the paper prints in its Tables
/// I and II; the page that report makes of the records says how. The first set with the library's network
/// chooses the nearest reading; what the other sets and networks give, which chose nothing, is apart: the
/// median, with the least and the greatest.
///
/// Every search of a sound reading has to find the value of Expectimax to every depth: the exit code is 1
/// where one does not. Of readings that are unsound other values are counted. Every reading, set and network
/// is recorded as a line in a new folder below results, or in --out. Depth 13 is the paper's.
#[derive(Debug, Parser)]
#[command(name = "readings", version = crate::cli::VERSION)]
pub struct ReadingsArgs {
    /// Which readings, by their names, or all
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = named)]
    readings: List<Reading>,

    /// How deep, 3 to 25
    #[arg(long, value_name = "N", default_value = "9", allow_negative_numbers = true,
          value_parser = whole_number("depth", 3..=25))]
    depth: u64,

    /// How many of the three sets
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("sets", 1..=SEEDS.len() as u64))]
    sets: u64,

    /// How many of the three networks
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("networks", 1..=3))]
    networks: u64,

    /// How many positions of each set, from its first, an opening
    #[arg(long, value_name = "N", default_value = "50", allow_negative_numbers = true,
          value_parser = whole_number("positions", 1..=50))]
    positions: u64,

    /// How many positions are searched at once, each with 100 MiB, 1 to 16; it makes no difference to any
    /// figure
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("jobs", 1..=16))]
    jobs: u64,

    /// How many microseconds every evaluation of Star1, Star2 and Star2-TT takes longer than it needs, 0 to
    /// 1000
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true,
          value_parser = whole_number("evaluation-us", 0..=1000))]
    evaluation_us: u64,

    /// Folder for the records instead of results/DATE-readings
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// What the records call it.
pub(crate) const EXPERIMENT: &str = "readings";

/// Reads the names of readings.
fn named(text: &str) -> Result<List<Reading>, BadInput> {
    let all = readings();
    if text == "all" {
        return Ok(List(all));
    }
    List::read("readings", text, |name| {
        all.iter().find(|reading| reading.name == name).cloned().ok_or_else(|| {
            let known = values::names(all.iter().map(|reading| &reading.name));
            BadInput::new("reading", name, format_args!("expected all, or some of {known}"))
        })
    })
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever keeps records from being written.
pub fn run(args: &ReadingsArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let mut networks = sets::networks()?;
    networks.truncate(args.networks as usize);
    let settings = json!({
        "readings": args.readings.0.iter().map(|reading| &reading.name).collect::<Vec<_>>(),
        "depth": args.depth,
        "sets": args.sets,
        "networks": networks.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "positions": args.positions,
        "evaluation_us": args.evaluation_us,
    });
    let settings = RunSettings::other(&settings)?;
    let created = Records::create(args.out.as_deref(), (EXPERIMENT, DICE), settings, None);
    let mut records = created.map_err(BadInput::from_error)?;
    let lines = search(args, &networks, &mut records, stop)?;
    let figures = ReadingsFigures::new(args.depth, &lines, stop.is_raised());
    if figures.stopped {
        note("stopped by Ctrl-C: the figures are of what was searched");
    }
    let ending = match &figures {
        figures if figures.stopped => Ending::Stopped,
        figures if figures.values_equal => Ending::Complete,
        _ => Ending::ValuesDiffer,
    };
    Finished::without_values(ending, &figures, Some(records.path()), figures.text())?.print(args.json)
}

/// The figures of the lines of a folder.
///
/// # Errors
/// When there is none, or one cannot be read.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<ReadingLine, String>>,
) -> Result<ReadingsFigures, String> {
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    let depth = lines.first().map(|line| u64::from(line.depth)).ok_or("expected a reading in its samples")?;
    Ok(ReadingsFigures::new(depth, &lines, false))
}

/// Searches every reading with every set and network, and gives what was recorded.
fn search(
    args: &ReadingsArgs,
    networks: &[Named],
    records: &mut Records,
    stop: &StopFlag,
) -> anyhow::Result<Vec<ReadingLine>> {
    let readings = &args.readings.0;
    let progress = Progress::new(EXPERIMENT, args.sets * (networks.len() * readings.len()) as u64);
    let pool = &ThreadPoolBuilder::new().num_threads(args.jobs as usize).build()?;
    let mut lines = Vec::new();
    for &seed in &SEEDS[..args.sets as usize] {
        let positions = &sets::positions(seed, args.positions as usize)?;
        for network in networks {
            let searched = HashMap::new();
            // Depths go to 25.
            let (depth, evaluation_us) = (args.depth as u8, args.evaluation_us);
            let mut combination =
                Combination { depth, evaluation_us, seed, network, positions, pool, stop, searched };
            for (number, reading) in readings.iter().enumerate() {
                let Some(mut line) = combination.line(reading)? else { return Ok(lines) };
                if number > 0 {
                    line.scores.clear();
                }
                lines.push(records.append(&line)?);
                progress.advance();
            }
        }
    }
    Ok(lines)
}
