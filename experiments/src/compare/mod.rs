//! The binary `compare`: serial Star2-TT beside parallel Star2-TT on a suite of positions.

mod report;

pub use report::{ParallelReport, Report, SerialReport};

use crate::cli::BadInput;
use crate::cli::values::{self, List, whole_number};
use crate::question::evaluators::{self, WithEvaluator, with_evaluator};
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags, TuningFlags};
use crate::question::suite::Suite;
use crate::records::flags::RecordsFlags;
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::runner::contest::{Contender, Contest, ContestEnd, in_parallel};
use crate::runner::pools::Pools;
use crate::runner::verdict::{Finished, Verdicts};
use clap::Parser;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::games::dice::Dice;
use starsplit::search::{Method, MoveOrdering, Options, SearchError, StopFlag};
use starsplit::table::LocklessTable;
use std::path::PathBuf;

/// Compare serial with parallel Star2-TT on a suite of positions: nodes and wall time
///
/// Every position is searched by the serial algorithm and, for each number of threads, by the parallel one; the row of
/// 1 thread is the parallel code on one thread. They take turns: every second round runs the one before it backwards, so
/// that a machine that slows down or speeds up favours none, and over as many rounds as there are searches, or twice as
/// many where their number is odd, each of them comes right after each other one equally often. The table is cleared,
/// and so touched, outside the measured time.
///
/// Speedup: serial time / parallel time. Search overhead: parallel nodes / serial nodes - 1. Both are taken within each
/// round, whose runs of a position lie next to each other in time, and the median over the rounds counts. Nodes and
/// seconds are the medians of each position's runs, so a ratio need not be that of the seconds in the table.
///
/// Total: the sums over all positions, and their ratio. Median: over the positions.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs. Every run is
/// recorded in a new folder below results, or in --out.
#[derive(Debug, Parser)]
#[command(name = "compare", version)]
pub struct CompareArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 11]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Numbers of threads, such as 1,2,4 [default: 1, 2, 4, ... and as many as the machine runs at once]
    #[arg(long, value_name = "LIST", allow_negative_numbers = true, value_parser = values::thread_list)]
    pub threads: Option<List<usize>>,

    /// How several threads share the search, such as chance-split [default: the library's]
    #[arg(long, value_name = "NAME", value_parser = values::method)]
    pub method: Option<Method>,

    /// How many rounds there are: how often every run is repeated
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    pub repeat: u64,

    /// Order in which moves are tried: paper, static or hybrid [default: the library's]
    #[arg(long, value_name = "NAME", value_parser = values::ordering)]
    pub ordering: Option<MoveOrdering>,

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
    pub tuning: TuningFlags,
}

/// What a comparison ends with.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The figures.
    pub report: Report,
    /// Whether every run found the serial one's value.
    pub verdicts: Verdicts,
    /// Where the records are.
    pub folder: PathBuf,
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 11;

/// What the records call it.
const EXPERIMENT: &str = "compare";

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn run(args: &CompareArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = Suite::load(&args.suite.suite).map_err(BadInput::from_error)?;
    let comparison = with_evaluator(
        &args.suite.evaluator,
        &suite.dice,
        args.common.seed,
        Work { args, suite: &suite, stop },
    )?;
    let ended = (&comparison.report, comparison.report.stopped);
    Finished::new(&comparison.verdicts, ended, "contender", Some(&comparison.folder), |verdict| {
        comparison.text(args, verdict)
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`] where it could not.
pub(crate) fn check(args: &CompareArgs) -> anyhow::Result<()> {
    let suite = args.suite.check(&args.expected)?;
    evaluators::table(args.common.table_mb)?;
    args.records.check(EXPERIMENT, &settings(args, &suite), Clock::Real)
}

fn settings(args: &CompareArgs, suite: &Suite) -> Settings {
    let depth = suite.depth_or(args.depth, DEPTH);
    let base = args.tuning.applied_to(Options::default());
    let (table_mb, seed) = (args.common.table_mb, args.common.seed);
    Settings::new(suite, depth, &args.suite.evaluator, (table_mb, seed), &base)
}

impl Comparison {
    fn text(&self, args: &CompareArgs, verdict: &str) -> String {
        let method = args.method.map_or_else(String::new, |method| format!(", method {method}"));
        format!(
            "Star2-TT to depth {} on {} positions of suite {}, {} runs each{method}\n\n{}\n\n{verdict}\n",
            self.report.depth,
            self.report.positions,
            args.suite.suite,
            args.repeat,
            self.report.table()
        )
    }
}

struct Work<'a> {
    args: &'a CompareArgs,
    suite: &'a Suite,
    stop: &'a StopFlag,
}

impl WithEvaluator for Work<'_> {
    type Output = Comparison;

    fn run<E: Evaluator<Dice> + Clone>(self, evaluator: E) -> anyhow::Result<Comparison> {
        let (args, suite) = (self.args, self.suite);
        let settings = settings(args, suite);
        let depth = settings.depth;
        let thread_counts = match &args.threads {
            Some(List(counts)) => counts.clone(),
            None => values::doubling_to(values::cores()),
        };
        let table = evaluators::table(args.common.table_mb)?;
        let contenders = self.contenders(&evaluator, &table, &thread_counts)?;
        let expected = args.expected.scores(suite)?;
        let contest =
            Contest { experiment: EXPERIMENT, suite, depth, repeat: args.repeat, expected, stop: self.stop };
        let opened = args.records.open(contest.experiment, &settings, Clock::Real)?;
        let ContestEnd { costs, verdicts, stopped, folder, .. } = contest.run(&contenders, opened)?;
        let report = Report::new(&costs, depth, &thread_counts, verdicts.all_equal(), stopped);
        Ok(Comparison { report, verdicts, folder })
    }
}

impl Work<'_> {
    /// The serial contender, then the parallel ones.
    fn contenders<'t, E: Evaluator<Dice> + Clone>(
        &self,
        evaluator: &E,
        table: &'t LocklessTable,
        thread_counts: &[usize],
    ) -> Result<Vec<Contender<'t, E>>, SearchError> {
        let ordering = self.args.ordering.unwrap_or_default();
        let method = self.args.method.unwrap_or_default();
        let serial = self.args.tuning.applied_to(Options { ordering, ..Options::default() });
        let searches: Vec<_> = thread_counts.iter().map(|&threads| (method, threads)).collect();
        let pools = Pools::new(&searches)?;
        let searcher = |options: Options| {
            Searcher::new(self.suite.dice.clone(), evaluator.clone(), table).with_options(options)
        };
        let parallel = thread_counts.iter().map(|&threads| {
            let searcher = searcher(in_parallel(serial.clone(), method, threads));
            Contender::new(method.name(), pools.give(searcher))
        });
        Ok(std::iter::once(Contender::new("serial", searcher(serial.clone()))).chain(parallel).collect())
    }
}
