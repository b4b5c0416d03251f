//! The binary `clusters`: SIMULATED searches on many machines with a table each, whose tasks a planner hands
//! out.

mod bench;
mod figures;

pub(crate) use figures::recorded;
pub use figures::{ClusterFigures, ClusterSetting, Half};

use crate::cli::BadInput;
use crate::cli::progress::Progress;
use crate::cli::values::{self, List, whole_number};
use crate::question::algorithm::AlgorithmFlags;
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables;
use crate::records::clusters::ClusterLine;
use crate::records::earlier::Earlier;
use crate::records::flags::RecordsFlags;
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::runner::verdict::{Finished, Verdicts};
use crate::simulate::flags;
use crate::simulate::model::{self, Change, Model};
use crate::simulate::resumed::{self, Told};
use bench::{Bench, Way};
use clap::Parser;
use serde_json::json;
use starsplit::search::{MAX_THREADS, StopFlag};
use starsplit_planner::PlannerOptions;
use starsplit_planner::cluster::Cluster;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Simulate one search on many machines with a table each: virtual time to depth by machines and connections
///
/// Every figure is SIMULATED. A machine is so many virtual processors on one table; a planner, the library's
/// own, splits the search into tasks and hands them out by messages, which take --latency-us on their way and
/// cost sender and receiver --message-us each. What events cost the processors is in nanoseconds (--costs).
/// Machines are told when a task of theirs matters no more or its window has become narrower, unless
/// --share-bounds says otherwise. Not modelled: memory, how long the planner thinks, connections that many
/// messages slow down.
///
/// Beside the clusters stand the serial search, one machine without a planner, and, up to 1024 processors,
/// one machine with as many processors as the cluster has: what it gains more is what one table is worth.
///
/// Efficiency: speedup / processors. Where the rest is lost, in parts of all processors' time: work that the
/// serial search does not do; processors without work inside a machine that has a task; machines that wait
/// for messages; machines for which there is no task. Half of linear: the serial time from which on half of
/// the processors' time would be used, by a line through log(lost / used) over log(serial time) of the single
/// positions; it is marked where it lies beyond the positions that were searched.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs.
/// Every search is recorded in a new folder below results, or in --out.
#[derive(Debug, Parser)]
#[command(name = "clusters", version = crate::cli::VERSION)]
pub struct ClustersArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 7]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Numbers of machines, 1 to 256
    #[arg(long, value_name = "LIST", default_value = "1,4,16,64", allow_negative_numbers = true,
          value_parser = machines)]
    pub machines: List<usize>,

    /// Virtual processors of each machine, 1 to 1024
    #[arg(long, value_name = "N", default_value = "64", allow_negative_numbers = true,
          value_parser = whole_number("processors", 1..=MAX_THREADS as u64))]
    pub processors: u64,

    /// How many microseconds a message is on its way, or several such numbers
    #[arg(long, value_name = "LIST", default_value = "50,1000", allow_negative_numbers = true,
          value_parser = latencies)]
    pub latency_us: List<u64>,

    /// How many microseconds a message costs its sender, and its receiver
    #[arg(long, value_name = "US", default_value = "5", allow_negative_numbers = true,
          value_parser = whole_number("message-us", 0..=MOST_US))]
    pub message_us: u64,

    /// Whether machines are told of bounds that others have proven: yes, no, or both
    #[arg(long, value_name = "LIST", default_value = "yes,no", value_parser = yes_no)]
    pub share_bounds: List<bool>,

    /// How many tasks wait at a machine beside the one at work
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("waiting", 0..=1000))]
    pub waiting: u64,

    /// The planner splits what is expected to take more nodes than this and more than its part
    #[arg(long, value_name = "NODES", default_value = "10000", allow_negative_numbers = true,
          value_parser = whole_number("split-above", 0..=u64::MAX))]
    pub split_above: u64,

    /// Into how many parts for each machine an iteration is split at least
    #[arg(long, value_name = "N", default_value = "8", allow_negative_numbers = true,
          value_parser = whole_number("parts", 1..=1_000_000))]
    pub parts: u64,

    /// What events cost, in nanoseconds: unit, free or a file, as in simulate
    #[arg(long, value_name = "NAME|FILE", default_value = "unit")]
    pub costs: String,

    /// Another cost than that of the model, such as evaluation=100000, or several
    #[arg(long, value_name = "KEY=N", value_delimiter = ',', action = clap::ArgAction::Append,
          value_parser = model::change)]
    pub cost: Vec<Change>,

    /// The seed of the schedules
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("schedule", 0..=u64::MAX))]
    pub schedule: u64,

    /// Only these positions of the suite, by their numbers from 1, such as 1-6,9
    #[arg(long, value_name = "LIST", allow_negative_numbers = true, value_parser = flags::only)]
    pub only: Option<List<u64>>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub suite: SuiteFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub records: RecordsFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub expected: ExpectedFlag,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub algorithm: AlgorithmFlags,
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 7;

/// What the records call it.
const EXPERIMENT: &str = "clusters";

/// The most machines of a cluster.
const MOST_MACHINES: u64 = 256;

/// The most microseconds of a message: a minute.
const MOST_US: u64 = 60_000_000;

fn machines(text: &str) -> Result<List<usize>, BadInput> {
    let number = whole_number("machines", 1..=MOST_MACHINES);
    List::read("machines", text, |text| number(text).map(|number| number as usize))
}

fn latencies(text: &str) -> Result<List<u64>, BadInput> {
    List::read("latency-us", text, whole_number("latency-us", 1..=MOST_US))
}

fn yes_no(text: &str) -> Result<List<bool>, BadInput> {
    List::read("share-bounds", text, |word| match word {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(BadInput::new("share-bounds", word, "expected yes or no")),
    })
}

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn run(args: &ClustersArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = args.suite.check(&args.expected)?;
    let (verdicts, stopped, folder) = search(args, &suite, &model(args)?, stop)?;
    let lines = Earlier::read(&folder)?.into_iter().flat_map(|earlier| earlier.lines());
    let report = ClusterFigures { stopped, ..recorded(lines).map_err(anyhow::Error::msg)? };
    Finished::new(&verdicts, (&report, stopped), "setting", Some(&folder), |verdict| {
        let (depth, suite) = (suite.depth_or(args.depth, DEPTH), &suite.name);
        let ClusterFigures { positions, .. } = report;
        format!(
            "SIMULATED: to depth {depth} on {positions} positions of suite {suite}; all times are virtual\n\
             \n{}\n{verdict}\n",
            report.text()
        )
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`] where it could not.
pub(crate) fn check(args: &ClustersArgs) -> anyhow::Result<()> {
    let suite = args.suite.check(&args.expected)?;
    flags::places(args.only.as_ref(), suite.positions.len())?;
    let settings = settings(args, &suite, &model(args)?);
    tables::tables(most_machines(args), args.common.table_mb)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings, Clock::Virtual)
}

fn model(args: &ClustersArgs) -> Result<Model, BadInput> {
    Model::changed(&args.costs, &args.cost)
}

fn most_machines(args: &ClustersArgs) -> usize {
    args.machines.0.iter().copied().max().unwrap_or(1)
}

/// The ways to search: serially, on one machine, on as many processors of one machine, and on clusters.
fn ways(args: &ClustersArgs) -> Vec<Way> {
    let processors = args.processors as usize;
    let alone = args.machines.0.iter().map(|machines| machines * processors);
    let mut ways: Vec<_> = [1, processors]
        .into_iter()
        .chain(alone.filter(|&all| all <= MAX_THREADS))
        .map(|processors| Way { processors, cluster: None })
        .collect();
    for &machines in &args.machines.0 {
        for &latency in &args.latency_us.0 {
            for &shares_bounds in &args.share_bounds.0 {
                let cluster = Some((machines, cluster(args, machines, latency, shares_bounds)));
                ways.push(Way { processors, cluster });
            }
        }
    }
    let mut seen = BTreeSet::new();
    ways.retain(|way| seen.insert(way.key()));
    ways
}

fn cluster(args: &ClustersArgs, machines: usize, latency_us: u64, shares_bounds: bool) -> Cluster {
    let parts = u32::try_from(args.parts.saturating_mul(machines as u64)).unwrap_or(u32::MAX);
    Cluster {
        seed: args.schedule,
        latency_ns: latency_us * 1000,
        message_ns: args.message_us * 1000,
        shares_bounds,
        waiting: args.waiting as usize,
        planner: PlannerOptions { split_above: args.split_above, parts },
        ..Cluster::default()
    }
}

fn settings(args: &ClustersArgs, suite: &Suite, model: &Model) -> Settings {
    let base = args.algorithm.options();
    let limits = (args.common.table_mb, args.common.seed);
    let depth = suite.depth_or(args.depth, DEPTH);
    let mut settings =
        Settings::new(suite, depth, args.suite.evaluator(suite), limits, &base).of_algorithm(base.algorithm);
    let own = [
        ("costs", json!(model.costs)),
        ("message_ns", json!(args.message_us * 1000)),
        ("waiting", json!(args.waiting)),
        ("split_above", json!(args.split_above)),
        ("parts", json!(args.parts)),
        ("schedule", json!(args.schedule)),
    ];
    settings.own.extend(own.map(|(name, value)| (name.to_owned(), value)));
    settings
}

/// Searches what is not recorded yet: the verdicts, whether it was stopped, and where the records are.
fn search(
    args: &ClustersArgs,
    suite: &Suite,
    model: &Model,
    stop: &StopFlag,
) -> anyhow::Result<(Verdicts, bool, PathBuf)> {
    let places = flags::places(args.only.as_ref(), suite.positions.len())?;
    let settings = settings(args, suite, model);
    let mut verdicts = Verdicts::expecting(args.expected.scores(suite)?, suite.positions.len());
    let tables = tables::tables(most_machines(args), args.common.table_mb)?;
    let maker = suite.door.evaluator(args.suite.evaluator(suite), args.common.seed)?;
    let opened = args.records.open((EXPERIMENT, suite.door.game()), &settings, Clock::Virtual)?;
    let (mut records, done) = resumed::open(opened, suite.positions.len(), &mut verdicts, told)?;
    let ways = ways(args);
    let all = places.iter().flat_map(|place| ways.iter().map(move |way| (place + 1, way.key())));
    records.plan(Some(places.len()), all.filter(|search| !done.contains(search)).count())?;
    let progress = Progress::new(EXPERIMENT, (places.len() * ways.len()) as u64);
    let base = args.algorithm.options();
    let (depth, seed) = (settings.depth, args.schedule);
    let bench = Bench { suite, model, base: &base, depth, seed, maker: &*maker, tables: &tables, stop };
    for &place in &places {
        for way in &ways {
            progress.say(way.to_string());
            if !done.contains(&(place + 1, way.key())) {
                let Some(line) = bench.run(place, way, &mut verdicts)? else {
                    return Ok((verdicts, true, records.path().to_owned()));
                };
                records.append(&line)?;
            }
            progress.advance();
        }
    }
    Ok((verdicts, false, records.path().to_owned()))
}

/// What a line tells.
fn told(line: ClusterLine) -> Told<bench::Key> {
    let (way, words) = (bench::key_of(&line), bench::words(&line));
    Told { index: line.index, way, words, score: line.score, error: line.error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_machine_is_searched_in_once_and_too_many_processors_are_left_out() {
        let words = [
            "clusters",
            "--machines",
            "1,4,32",
            "--latency-us",
            "50",
            "--share-bounds",
            "yes",
            "--parts",
            "3",
        ];
        let ways = ways(&ClustersArgs::try_parse_from(words).unwrap());
        let alone: Vec<_> =
            ways.iter().filter(|way| way.cluster.is_none()).map(|way| way.processors).collect();
        assert_eq!(alone, [1, 64, 256]);
        let clusters: Vec<_> = ways.iter().filter_map(|way| way.cluster).collect();
        assert_eq!(clusters.iter().map(|(machines, _)| *machines).collect::<Vec<_>>(), [1, 4, 32]);
        assert_eq!((clusters[2].1.planner.parts, clusters[2].1.latency_ns), (96, 50_000));
    }

    #[test]
    fn bounds_are_shared_or_not() {
        assert_eq!(yes_no("yes,no").unwrap().0, [true, false]);
        for bad in ["", "maybe", "yes,yes"] {
            assert!(yes_no(bad).unwrap_err().to_string().contains("expected"), "{bad}");
        }
    }
}
