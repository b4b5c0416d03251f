//! The binary `compare`: a serial search beside the same search in parallel, on a suite of positions.

mod report;

pub use report::{CompareConditions, CompareFigures, CompareParallel, CompareSerial};

use crate::analysis::conditions::in_headline;
use crate::analysis::speedups::contenders;
use crate::analysis::tables::fitted;
use crate::cli::values::{self, List};
use crate::question::suite::Suite;
use crate::question::tables::TableFlags;
use crate::runner::contest::ContestEnd;
use crate::runner::race::{Race, RaceFlags, thread_counts};
use crate::runner::verdict::Finished;
use clap::Parser;
use starsplit::search::{Method, MoveOrdering, StopFlag};

/// Compare an algorithm's serial search with its parallel one on a suite of positions: nodes and wall time
///
/// Every position is searched by the serial algorithm and, for each number of threads, by the parallel one;
/// the row of 1 thread is the parallel code on one thread. They take turns as in scaling, which says in which
/// order, and what probes are. The table is cleared, and so touched, outside the measured time.
///
/// Speedup: serial time / parallel time. Search overhead: parallel nodes / serial nodes - 1. Both are taken
/// within each round, whose runs of a position lie next to each other in time, and the median over the rounds
/// counts. Nodes and seconds are the medians of each position's runs, so a ratio need not be that of the
/// seconds in the table.
///
/// Total: the sums over all positions, and their ratio. Median: over the positions.
///
/// In the JSON object, chosen is what a contender's search of the last position chose for itself.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs.
/// Every run is recorded in a new folder below results, or in --out.
#[derive(Debug, Parser)]
#[command(name = "compare", version = crate::cli::VERSION)]
pub struct CompareArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else
    /// 13]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Numbers of threads, such as 1,2,4 [default: 1, 2, 4, ... and as many as the machine runs at once]
    #[arg(short, long, value_name = "LIST", allow_negative_numbers = true,
          value_parser = values::thread_list)]
    pub threads: Option<List<usize>>,

    /// How several threads share the search, such as chance-split [default: the library's]
    #[arg(long, value_name = "NAME", value_parser = values::named::<Method>)]
    pub method: Option<Method>,

    /// Order in which moves are tried: paper, static, hybrid or auto [default: the library's]
    #[arg(long, value_name = "NAME", value_parser = values::named::<MoveOrdering>)]
    pub ordering: Option<MoveOrdering>,

    /// The table.
    #[command(flatten)]
    pub table: TableFlags,

    /// What every race has.
    #[command(flatten)]
    pub race: RaceFlags,
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 13;

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput), or whatever ends a search with an error.
pub fn run(args: &CompareArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = args.race.suite.load()?;
    let race = race(args, &suite);
    let ContestEnd { verdicts, stopped, folder } = race.run(stop)?;
    let (reading, conditions) = race.read(&folder)?;
    let threads: Vec<_> = race.contenders[1..].iter().map(|contender| contender.threads).collect();
    let of = (args.race.algorithm.algorithm, race.depth);
    let (order, disturbance) = (Some(conditions.order()), conditions.disturbance());
    let conditions = CompareConditions { order, disturbance, pinned: args.race.pin };
    let report = CompareFigures::new(&reading.costs, of, &threads, verdicts.all_equal(), stopped);
    let report =
        CompareFigures { conditions, ..report }.with_chosen(|contender| reading.last_chosen(contender));
    Finished::new(&verdicts, (&report, stopped), "contender", Some(&folder), |verdict| {
        text(args, &suite, &report, verdict)
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput) where it could not.
pub(crate) fn check(args: &CompareArgs) -> anyhow::Result<()> {
    race(args, &args.race.suite.load()?).check()
}

/// The serial contender, then the parallel ones.
fn race<'a>(args: &'a CompareArgs, suite: &'a Suite) -> Race<'a> {
    let orderings = [args.ordering.unwrap_or_default()];
    let methods = [args.method.unwrap_or_default()];
    let threads = thread_counts(args.threads.as_ref(), values::cores());
    Race {
        experiment: "compare",
        flags: &args.race,
        suite,
        depth: suite.depth_or(args.depth, DEPTH),
        explain: false,
        table: args.table.clone(),
        contenders: contenders(&orderings, &[], &methods, &orderings, &threads),
    }
}

fn text(args: &CompareArgs, suite: &Suite, report: &CompareFigures, verdict: &str) -> String {
    let (suite, repeat) = (&suite.name, args.race.repeat);
    let method = args.method.map_or_else(String::new, |method| format!(", method {method}"));
    let CompareFigures { algorithm, depth, positions, .. } = report;
    format!(
        "{algorithm} to depth {depth} on {positions} positions of suite {suite}, {repeat} runs \
            each{method}{}\n\n\
         {}\n\n{}\n{verdict}\n{}",
        in_headline(report.conditions.disturbance.as_ref()),
        fitted(&report.table()),
        report.conditions_text(),
        report.shown_text()
    )
}
