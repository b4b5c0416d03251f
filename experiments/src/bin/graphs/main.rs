//! The binary `graphs`: what bounds of greater depths save on random games, and what they do to values.

mod report;

use clap::Parser;
use report::GraphsReport;
use serde::Serialize;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::score::MAX_LIMIT;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::table::{Reuse, Table};
use starsplit_experiments::cli::progress::Progress;
use starsplit_experiments::cli::values::{self, whole_number};
use starsplit_experiments::cli::{self, BadInput, Ending, note};
use starsplit_experiments::question::flags::MAX_TABLE_MB;
use starsplit_experiments::records::meta::{RANDOM_GRAPH, RunSettings, SCHEMA};
use starsplit_experiments::records::others::{GraphLine, GraphSearch};
use starsplit_experiments::records::writer::Records;
use starsplit_tables::AnyTable;
use starsplit_testkit::{GraphShape, RandomGraph};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: GraphsArgs, stop| run(&args, stop))
}

/// Search random games with bounds of the very depth from the table, and with bounds of greater depths, too
///
/// Games are graphs drawn at random, whose positions are met by many paths and at many depths, the more so
/// the fewer there are. "exact" takes bounds of the very depth from the table, as the library does, and finds
/// the value of the tree of fixed depth. "at-least" takes bounds of greater depths, too, as the paper has it:
/// the value then depends on what the table held. Both are serial searches by Star2-TT with the library's
/// defaults, each with an empty table.
///
/// Ratios are of the nodes, at-least over exact. Other values: how many games at-least gives another value,
/// or none that is exact; and how far off those are, in hundredths of the way from a certain loss to a
/// certain win, the median and the greatest. Every search is recorded in a new folder below results, or in
/// --out.
#[derive(Debug, Parser)]
#[command(name = "graphs", version = starsplit_experiments::cli::VERSION)]
struct GraphsArgs {
    /// Numbers of positions of the games, 2 to 1048576
    #[arg(long, value_name = "LIST", default_value = "20,100,1000,10000", allow_negative_numbers = true,
          value_delimiter = ',', value_parser = whole_number("positions", 2..=1 << 20))]
    positions: Vec<u64>,

    /// How many games of each number of positions
    #[arg(long, value_name = "N", default_value = "200", allow_negative_numbers = true,
          value_parser = whole_number("games", 1..=1_000_000))]
    games: u64,

    /// How deep, 1 to 254
    #[arg(long, value_name = "N", default_value = "9", allow_negative_numbers = true,
        value_parser = values::depth)]
    depth: u32,

    /// Which games: the same number gives the same ones
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("seed", 0..=u64::MAX))]
    seed: u64,

    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value = "16", allow_negative_numbers = true,
          value_parser = whole_number("table-mb", 1..=MAX_TABLE_MB))]
    table_mb: u64,

    /// Folder for the records instead of results/DATE-graphs
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GraphsSettings<'a> {
    positions: &'a [u64],
    games: u64,
    depth: u32,
    seed: u64,
    table_mb: u64,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
fn run(args: &GraphsArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let GraphsArgs { positions, games, depth, seed, table_mb, .. } = args;
    let settings =
        GraphsSettings { positions, games: *games, depth: *depth, seed: *seed, table_mb: *table_mb };
    let table = starsplit_experiments::question::tables::table(*table_mb)?;
    let settings = RunSettings::other(&settings)?;
    let created = Records::create(args.out.as_deref(), ("graphs", RANDOM_GRAPH), settings, None);
    let mut records = created.map_err(BadInput::from_error)?;
    let progress = Progress::from("graphs", 0, positions.len() as u64 * games);
    let mut samples = Vec::new();
    'all: for &positions in positions {
        for number in 0..*games {
            let Some(sample) = sample(args, (positions, seed.wrapping_add(number)), &table, stop)? else {
                break 'all;
            };
            samples.push(records.append(&sample)?);
            progress.advance();
        }
    }
    drop(progress);
    let report = GraphsReport::new(*depth, &samples);
    if args.json {
        cli::print_json(&report)?;
    } else {
        cli::print(&format!("{}\nRecords: {}\n", report.text(), records.path().display()))?;
    }
    if stop.is_raised() {
        note("stopped by Ctrl-C: the figures are of the games that were searched");
        return Ok(Ending::Stopped);
    }
    Ok(Ending::Complete)
}

/// One game; none if it was stopped.
fn sample(
    args: &GraphsArgs,
    (positions, seed): (u64, u64),
    table: &AnyTable,
    stop: &StopFlag,
) -> anyhow::Result<Option<GraphLine>> {
    let shape = GraphShape { positions: positions as u32, ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, seed)?;
    let limits = Limits::depth(args.depth).with_stop(stop.clone());
    let search = |reuse| -> anyhow::Result<Option<GraphSearch>> {
        table.clear(1);
        let options = Options { reuse, ..Options::default() };
        let evaluator = HashRandom::new(seed, MAX_LIMIT);
        let searcher = Searcher::new(graph.clone(), evaluator, table).with_options(options);
        let found = searcher.search_within(&graph.start(), &limits)?;
        let (nodes, bounds) = (found.stats.nodes.total(), found.bounds);
        let search = GraphSearch { nodes, lower: bounds.lower, upper: bounds.upper };
        Ok((!found.was_stopped()).then_some(search))
    };
    let both = search(Reuse::Exact)?.zip(search(Reuse::AtLeast)?);
    let depth = args.depth;
    Ok(both.map(|(exact, at_least)| GraphLine { schema: SCHEMA, positions, seed, depth, exact, at_least }))
}
