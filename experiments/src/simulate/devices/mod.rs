//! The command `devices`: SIMULATED searches in lanes on virtual threads, with one device that evaluates for
//! all of them.

mod figures;

pub(crate) use figures::recorded;
pub use figures::{DeviceFigures, DeviceSetting};

use crate::cli::progress::Progress;
use crate::cli::values::{self, List, whole_number};
use crate::cli::{BadInput, note};
use crate::question::algorithm::AlgorithmFlags;
use crate::question::door::{SearcherMaker, SimulatedAnswer};
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables;
use crate::records::devices::{DeviceLine, DeviceMachine};
use crate::records::earlier::Earlier;
use crate::records::flags::RecordsFlags;
use crate::records::machine::Clock;
use crate::records::measured::{Measured, nanoseconds};
use crate::records::meta::{SCHEMA, Settings};
use crate::runner::verdict::{Finished, Verdicts};
use crate::simulate::flags;
use crate::simulate::model::{self, Change, Model};
use crate::simulate::resumed::{self, Told};
use clap::Parser;
use serde_json::json;
use starsplit::search::{LaneOptions, Limits, MAX_BATCH, MAX_WORKERS, Method, Options, StopFlag};
use starsplit::simulate::{SimulatedDevice, Simulation};
use starsplit::table::Table;
use starsplit_tables::AnyTable;
use std::path::PathBuf;

/// Simulate a device that evaluates for the lanes of all threads: virtual time to depth by threads and lanes
///
/// Every figure is SIMULATED. Each virtual thread has so many lanes, which share its clock: where a lane asks
/// for an evaluation the next one of its thread goes on, and when none can, what was asked for is handed to
/// the device. Whenever the device is free it takes what has gathered, at most --batch evaluations, in a call
/// of --device-call-us + so many times --device-each-us. The positions are really evaluated, in no virtual
/// time; what events cost the threads is in nanoseconds (--costs). Memory is not modelled, nor what it costs
/// to hand over a batch.
///
/// One lane on one thread, the serial search, comes first whatever is asked for. Waste: evaluations over its,
/// less 1. Fill: evaluations / (calls x batch). Device limit: what the search's evaluations would take the
/// device in full calls. Ideal: what the threads did for the search / threads. All are of sums over the
/// positions.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs.
/// Every search is recorded in a new folder below results, or in --out. More workers than the library takes
/// are left out.
#[derive(Debug, Parser)]
#[command(name = "devices", version = crate::cli::VERSION)]
pub struct DevicesArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Numbers of virtual threads, 1 to 1024
    #[arg(long, value_name = "LIST", default_value = "1,8", allow_negative_numbers = true,
          value_parser = values::thread_list)]
    pub threads: List<usize>,

    /// Numbers of lanes on each thread
    #[arg(long, value_name = "LIST", default_value = "1,4,16,64,256,1024,4096", allow_negative_numbers = true,
          value_parser = |text: &str| numbers("lanes", MAX_WORKERS, text))]
    pub lanes: List<usize>,

    /// The most evaluations of a call, or several such numbers
    #[arg(long, value_name = "LIST", default_value = "256", allow_negative_numbers = true,
          value_parser = |text: &str| numbers("batch", MAX_BATCH, text))]
    pub batch: List<usize>,

    /// How many microseconds each call of the device takes
    #[arg(long, value_name = "US", default_value = "50", allow_negative_numbers = true,
          value_parser = |text: &str| microseconds("device-call-us", text))]
    pub device_call_us: u32,

    /// How many microseconds each evaluation takes beside that
    #[arg(long, value_name = "US", default_value = "0.1", allow_negative_numbers = true,
          value_parser = |text: &str| microseconds("device-each-us", text))]
    pub device_each_us: u32,

    /// What events cost the threads, in nanoseconds: unit, free or a file, as in simulate
    #[arg(long, value_name = "NAME|FILE", default_value = "unit")]
    pub costs: String,

    /// Another cost than that of the model, such as steal=100, or several
    #[arg(long, value_name = "KEY=N", value_delimiter = ',', action = clap::ArgAction::Append,
          value_parser = model::change)]
    pub cost: Vec<Change>,

    /// The parallel method, such as both [default: the library's]
    #[arg(long, value_name = "NAME", value_parser = method)]
    pub method: Option<Method>,

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
const DEPTH: u32 = 5;

/// What the records call it.
const EXPERIMENT: &str = "devices";

/// Reads a list of numbers up to `most`.
fn numbers(thing: &'static str, most: usize, text: &str) -> Result<List<usize>, BadInput> {
    let number = whole_number(thing, 1..=most as u64);
    List::read(thing, text, |text| number(text).map(|number| number as usize))
}

/// Reads microseconds, such as 0.1, as nanoseconds.
fn microseconds(thing: &'static str, text: &str) -> Result<u32, BadInput> {
    /// A second.
    const MOST: f64 = 1e6;
    let number = text.parse().ok().filter(|number: &f64| (0.0..=MOST).contains(number));
    let complain = || BadInput::new(thing, text, format_args!("expected a number from 0 to {MOST}"));
    Ok((number.ok_or_else(complain)? * 1e3).round() as u32)
}

/// Reads a method that can be simulated.
fn method(text: &str) -> Result<Method, BadInput> {
    flags::method_list(text).and_then(|list| match list.0.as_slice() {
        [method] => Ok(*method),
        _ => Err(BadInput::new("method", text, "expected one method")),
    })
}

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    threads: usize,
    lanes: usize,
    batch: usize,
}

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn run(args: &DevicesArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = args.suite.check(&args.expected)?;
    let (verdicts, stopped, folder) = search(args, &suite, &model(args)?, stop)?;
    let lines = Earlier::read(&folder)?.into_iter().flat_map(|earlier| earlier.lines());
    let report = DeviceFigures { stopped, ..recorded(lines).map_err(anyhow::Error::msg)? };
    Finished::new(&verdicts, (&report, stopped), "setting", Some(&folder), |verdict| {
        let (depth, suite) = (suite.depth_or(args.depth, DEPTH), &suite.name);
        let DeviceFigures { positions, .. } = report;
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
pub(crate) fn check(args: &DevicesArgs) -> anyhow::Result<()> {
    let suite = args.suite.check(&args.expected)?;
    flags::places(args.only.as_ref(), suite.positions.len())?;
    let settings = settings(args, &suite, &model(args)?);
    tables::table(args.common.table_mb)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings, Clock::Virtual)
}

fn model(args: &DevicesArgs) -> Result<Model, BadInput> {
    Model::changed(&args.costs, &args.cost)
}

/// The ways to search, the serial one first, and those with too many workers.
fn ways(args: &DevicesArgs) -> (Vec<Way>, Vec<Way>) {
    let mut ways = vec![Way { threads: 1, lanes: 1, batch: args.batch.0[0] }];
    for &batch in &args.batch.0 {
        for &threads in &args.threads.0 {
            for &lanes in &args.lanes.0 {
                let way = Way { threads, lanes, batch };
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
    }
    ways.into_iter().partition(|way| way.threads * way.lanes <= MAX_WORKERS)
}

fn options(args: &DevicesArgs, way: Way) -> Options {
    let Way { threads, lanes, batch } = way;
    let method = args.method.unwrap_or_default();
    let lanes = LaneOptions { count: Some(lanes), batch: Some(batch), ..LaneOptions::default() };
    Options { threads, lanes, method, ..args.algorithm.options() }
}

fn settings(args: &DevicesArgs, suite: &Suite, model: &Model) -> Settings {
    let base = args.algorithm.options();
    let limits = (args.common.table_mb, args.common.seed);
    let depth = suite.depth_or(args.depth, DEPTH);
    let mut settings =
        Settings::new(suite, depth, args.suite.evaluator(suite), limits, &base).of_algorithm(base.algorithm);
    let own = [
        ("method", json!(args.method.unwrap_or_default().name())),
        ("costs", json!(model.costs)),
        ("device_call_ns", json!(args.device_call_us)),
        ("device_each_ns", json!(args.device_each_us)),
        ("schedule", json!(args.schedule)),
    ];
    settings.own.extend(own.map(|(name, value)| (name.to_owned(), value)));
    settings
}

/// Searches what is not recorded yet: the verdicts, whether it was stopped, and where the records are.
fn search(
    args: &DevicesArgs,
    suite: &Suite,
    model: &Model,
    stop: &StopFlag,
) -> anyhow::Result<(Verdicts, bool, PathBuf)> {
    let places = flags::places(args.only.as_ref(), suite.positions.len())?;
    let settings = settings(args, suite, model);
    let mut verdicts = Verdicts::expecting(args.expected.scores(suite)?, suite.positions.len());
    let table = tables::table(args.common.table_mb)?;
    let maker = suite.door.evaluator(args.suite.evaluator(suite), args.common.seed)?;
    let opened = args.records.open((EXPERIMENT, suite.door.game()), &settings, Clock::Virtual)?;
    let (mut records, done) = resumed::open(opened, suite.positions.len(), &mut verdicts, told)?;
    let (ways, left_out) = ways(args);
    for Way { threads, lanes, .. } in left_out {
        note(format_args!(
            "{EXPERIMENT}: {threads} threads of {lanes} lanes are left out: more than {MAX_WORKERS} workers"
        ));
    }
    let all = places.iter().flat_map(|place| ways.iter().map(move |way| (place + 1, key(*way))));
    records.plan(Some(places.len()), all.filter(|search| !done.contains(search)).count())?;
    let progress = Progress::new(EXPERIMENT, (places.len() * ways.len()) as u64);
    let bench = Bench { args, suite, model, depth: settings.depth, maker: &*maker, table: &table, stop };
    for &place in &places {
        for &way in &ways {
            progress.say(format!("{} threads of {} lanes", way.threads, way.lanes));
            if !done.contains(&(place + 1, key(way))) {
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

/// Threads, lanes and batch: what tells ways apart.
type Key = (usize, usize, usize);

fn key(way: Way) -> Key {
    (way.threads, way.lanes, way.batch)
}

fn words(threads: usize, lanes: usize) -> String {
    format!("{threads} virtual threads of {lanes} lanes")
}

/// What a line tells.
fn told(line: DeviceLine) -> Told<Key> {
    let DeviceLine { index, threads, lanes, batch, score, error, .. } = line;
    Told { index, way: (threads, lanes, batch), words: words(threads, lanes), score, error }
}

/// What the searches have in common.
struct Bench<'a> {
    args: &'a DevicesArgs,
    suite: &'a Suite,
    model: &'a Model,
    depth: u32,
    maker: &'a dyn SearcherMaker,
    table: &'a AnyTable,
    stop: &'a StopFlag,
}

impl Bench<'_> {
    /// One search with a cleared table; nothing where it was stopped.
    fn run(&self, place: usize, way: Way, verdicts: &mut Verdicts) -> anyhow::Result<Option<DeviceLine>> {
        let Bench { args, suite, model, depth, maker, table, stop } = *self;
        table.clear(1);
        let searcher = maker.searcher(table, options(args, way), None);
        let limits = Limits::depth(depth).with_stop(stop.clone());
        let device = SimulatedDevice { call_ns: args.device_call_us, each_ns: args.device_each_us };
        let costs = model.on(way.threads);
        let simulation = Simulation { costs: costs.into(), seed: args.schedule, device: Some(device) };
        let entry = &suite.positions[place];
        let SimulatedAnswer { answer, work, .. } = searcher.simulate(entry, &limits, &simulation)?;
        let measured = Measured::new(searcher.grid(), searcher.options(), &answer, answer.elapsed);
        if measured.stopped {
            return Ok(None);
        }
        let Way { threads, lanes, batch } = way;
        let who = || words(threads, lanes);
        let error = verdicts.check(place, who, &measured);
        Ok(Some(DeviceLine {
            schema: SCHEMA,
            game: suite.door.game().to_owned(),
            index: place + 1,
            position: entry.text.clone(),
            depth,
            simulated: DeviceMachine {
                model: model.name.clone(),
                costs,
                call_ns: device.call_ns,
                each_ns: device.each_ns,
                seed: args.schedule,
            },
            threads,
            lanes,
            batch,
            virtual_ns: measured.wall_ns,
            work_ns: nanoseconds(work),
            nodes: measured.nodes,
            evaluations: measured.evaluations,
            calls: answer.batches.calls,
            steals: answer.stats.split.steals,
            score: measured.score,
            expected: verdicts.expected(place),
            error,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_are_read_as_nanoseconds() {
        let read = |text| microseconds("device-each-us", text);
        assert_eq!((read("50"), read("0.1"), read("0")), (Ok(50_000), Ok(100), Ok(0)));
        for bad in ["", "-1", "x", "NaN", "inf", "1000001"] {
            let complaint = read(bad).unwrap_err().to_string();
            assert_eq!(
                complaint,
                format!(
                    "device-each-us {}: expected a number from 0 to 1000000",
                    if bad.is_empty() { "\"\"" } else { bad }
                )
            );
        }
    }

    #[test]
    fn the_serial_search_comes_first_and_too_many_workers_are_left_out() {
        let words = ["devices", "--threads", "8,1", "--lanes", "4,1,4096", "--batch", "64"];
        let (ways, left_out) = ways(&DevicesArgs::try_parse_from(words).unwrap());
        let of = |ways: Vec<Way>| ways.iter().map(|way| (way.threads, way.lanes)).collect::<Vec<_>>();
        assert_eq!(of(ways), [(1, 1), (8, 4), (8, 1), (1, 4), (1, 4096)]);
        assert_eq!(of(left_out), [(8, 4096)]);
    }
}
