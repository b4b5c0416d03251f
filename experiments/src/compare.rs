//! The binary `compare`: serial Star2-TT beside parallel Star2-TT on a suite of positions.

mod report;

pub use report::{ParallelReport, Report, SerialReport};

use crate::cli::{self, BadInput, Ending, note};
use crate::flags::{self, CommonFlags, List, SuiteFlags, TuningFlags, whole_number};
use crate::measure::{Measured, measure};
use crate::progress::Progress;
use crate::records::{Records, SCHEMA, Sample, Settings};
use crate::setup::{self, WithEvaluator, with_evaluator};
use crate::suite::{Entry, Suite};
use crate::verdict::Verdicts;
use clap::Parser;
use report::Costs;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::games::dice::Dice;
use starsplit::search::{Limits, MoveOrdering, Options, StopFlag};
use starsplit::table::LocklessTable;
use std::path::PathBuf;

/// Compare serial with parallel Star2-TT on a suite of positions: nodes and wall time
///
/// Every position is searched by the serial algorithm and, for each number of threads, by the parallel one; the row of
/// 1 thread is the parallel code on one thread. Serial and parallel runs alternate, and every other repeat takes them
/// in the opposite order, so that a machine that slows down or speeds up favours none. The table is cleared, and so
/// touched, outside the measured time. With several repeats the median of each position's runs counts.
///
/// Total: the sums over all positions, and the speedup as serial sum over parallel sum. Median: over the positions.
/// Search overhead: parallel nodes / serial nodes - 1.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs. Every run is
/// recorded in a new folder below results, or in --out.
#[derive(Debug, Parser)]
#[command(name = "compare", version)]
pub struct CompareArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one
    #[arg(long, value_name = "N", default_value = "11", allow_negative_numbers = true, value_parser = flags::depth)]
    pub depth: u32,

    /// Numbers of threads, such as 1,2,4 [default: 1, 2, 4, ... and as many as the machine runs at once]
    #[arg(long, value_name = "LIST", allow_negative_numbers = true, value_parser = flags::thread_list)]
    pub threads: Option<List<usize>>,

    /// How often every run is repeated
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    pub repeat: u64,

    /// Order in which moves are tried: paper, static or hybrid [default: the library's]
    #[arg(long, value_name = "NAME", value_parser = flags::ordering)]
    pub ordering: Option<MoveOrdering>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub suite: SuiteFlags,

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

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn main(args: &CompareArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let suite = Suite::load(&args.suite.suite).map_err(BadInput::from_error)?;
    let comparison = with_evaluator(
        &args.suite.evaluator,
        &suite.dice,
        args.common.seed,
        Work { args, suite: &suite, stop },
    )?;
    for difference in comparison.verdicts.differences() {
        note(difference);
    }
    let stopped = comparison.report.stopped;
    if stopped {
        note("stopped by Ctrl-C: the figures are of the positions that every contender had searched");
    }
    if args.common.json {
        cli::print_json(&comparison.report)?;
    } else {
        cli::print(&comparison.text(args))?;
    }
    Ok(comparison.verdicts.ending(stopped))
}

impl Comparison {
    fn text(&self, args: &CompareArgs) -> String {
        let verdict = if self.verdicts.all_equal() { "All values are equal." } else { "Values DIFFER." };
        format!(
            "Star2-TT to depth {} on {} positions of suite {}, {} runs each\n\n{}\n\n{verdict}\nRecords: {}\n",
            self.report.depth,
            self.report.positions,
            args.suite.suite,
            args.repeat,
            self.report.table(),
            self.folder.display()
        )
    }
}

struct Work<'a> {
    args: &'a CompareArgs,
    suite: &'a Suite,
    stop: &'a StopFlag,
}

/// The serial search, or the parallel one with some number of threads.
struct Contender<'t, E> {
    method: &'static str,
    threads: usize,
    searcher: Searcher<Dice, E, &'t LocklessTable>,
}

impl WithEvaluator for Work<'_> {
    type Output = Comparison;

    fn run<E: Evaluator<Dice> + Clone>(self, evaluator: E) -> anyhow::Result<Comparison> {
        let (args, suite) = (self.args, self.suite);
        let thread_counts = match &args.threads {
            Some(List(counts)) => counts.clone(),
            None => flags::doubling_to(flags::cores()),
        };
        let table = setup::table(args.common.table_mb)?;
        let contenders = self.contenders(&evaluator, &table, &thread_counts);
        let evaluator_name = args.suite.evaluator.to_string();
        let settings =
            Settings::new(suite, args.depth, evaluator_name, args.common.table_mb, args.common.seed);
        let records =
            Records::create(args.suite.out.as_deref(), "compare", &settings).map_err(BadInput::from_error)?;
        let runs = suite.positions.len() as u64 * contenders.len() as u64 * args.repeat;
        let mut runner = Runner {
            args,
            suite,
            limits: Limits::depth(args.depth).with_stop(self.stop.clone()),
            records,
            progress: Progress::new("compare", runs),
            costs: Costs::new(contenders.len(), suite.positions.len()),
            verdicts: Verdicts::new(suite.positions.len()),
        };
        let stopped = runner.run_all(&contenders)?;
        let equal = runner.verdicts.all_equal();
        Ok(Comparison {
            report: runner.costs.report(args.depth, &thread_counts, equal, stopped),
            verdicts: runner.verdicts,
            folder: runner.records.path().to_owned(),
        })
    }
}

impl Work<'_> {
    /// The serial contender, then the parallel ones.
    fn contenders<'t, E: Evaluator<Dice> + Clone>(
        &self,
        evaluator: &E,
        table: &'t LocklessTable,
        thread_counts: &[usize],
    ) -> Vec<Contender<'t, E>> {
        let ordering = self.args.ordering.unwrap_or_default();
        let serial = self.args.tuning.applied_to(Options { ordering, ..Options::default() });
        let contender = |method, options: Options| Contender {
            method,
            threads: options.threads,
            searcher: Searcher::new(self.suite.dice.clone(), evaluator.clone(), table).with_options(options),
        };
        let parallel = |&threads| Options { threads, split_alone: true, ..serial.clone() };
        let parallel = thread_counts.iter().map(parallel).map(|options| contender("chance-split", options));
        std::iter::once(contender("serial", serial.clone())).chain(parallel).collect()
    }
}

struct Runner<'a> {
    args: &'a CompareArgs,
    suite: &'a Suite,
    limits: Limits,
    records: Records,
    progress: Progress,
    costs: Costs,
    /// The serial contender is the first to search each position: its score is the one expected.
    verdicts: Verdicts,
}

impl Runner<'_> {
    /// Runs everything; whether Ctrl-C ended it early.
    fn run_all<E: Evaluator<Dice>>(&mut self, contenders: &[Contender<'_, E>]) -> anyhow::Result<bool> {
        for repeat in 0..self.args.repeat as usize {
            for index in 0..self.suite.positions.len() {
                for contender in in_turn(contenders.len(), repeat) {
                    if !self.run_one(repeat, index, contender, &contenders[contender])? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// One run; whether it came to its end.
    fn run_one<E: Evaluator<Dice>>(
        &mut self,
        repeat: usize,
        index: usize,
        place: usize,
        contender: &Contender<'_, E>,
    ) -> anyhow::Result<bool> {
        let entry = &self.suite.positions[index];
        let measured = measure(&contender.searcher, &entry.position, &self.limits)?;
        if measured.stopped {
            return Ok(false);
        }
        let who = || format!("{}, {} with {} threads", entry.text, contender.method, contender.threads);
        let error = self.verdicts.check(index, who, &measured);
        if error.is_none() {
            self.costs.add(place, index, measured.nodes, measured.seconds());
        }
        self.record(repeat, index, entry, contender, &measured, error)?;
        self.progress.advance();
        Ok(true)
    }

    fn record<E>(
        &mut self,
        repeat: usize,
        index: usize,
        entry: &Entry,
        contender: &Contender<'_, E>,
        measured: &Measured,
        error: Option<String>,
    ) -> anyhow::Result<()>
    where
        E: Evaluator<Dice>,
    {
        let Options { algorithm, table_use, ordering, .. } = *contender.searcher.options();
        self.records.append(&Sample {
            schema: SCHEMA,
            index: index + 1,
            position: &entry.text,
            algorithm: algorithm.name(),
            method: contender.method,
            table_use: table_use.name(),
            ordering: ordering.name(),
            threads: contender.threads,
            repeat: repeat + 1,
            depth: self.args.depth,
            measured,
            expected: self.verdicts.expected(index),
            error,
        })?;
        Ok(())
    }
}

/// The order in which `count` contenders run: from the first on, and from the last in every other repeat.
fn in_turn(count: usize, repeat: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |i| if repeat.is_multiple_of(2) { i } else { count - 1 - i })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_repeat_runs_backwards() {
        assert_eq!(in_turn(3, 0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(in_turn(3, 1).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(in_turn(3, 2).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
