//! The binary `paper_tables`: the paper's Tables I and II and the figures behind Figure 6.3.

mod report;

pub use report::{AlgorithmReport, AtDepth, OrderingReport, Report};

use crate::cli::{BadInput, Ending};
use crate::flags::{self, CommonFlags, List, SuiteFlags, TuningFlags};
use crate::measure::{Measured, measure};
use crate::progress::Progress;
use crate::records::{Records, SCHEMA, Sample, Settings};
use crate::setup::{self, WithEvaluator, with_evaluator};
use crate::suite::Suite;
use crate::verdict::{self, Verdicts};
use clap::Parser;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::games::dice::Dice;
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options, StopFlag, TableUse};
use starsplit::table::{LocklessTable, NoTable};
use std::path::PathBuf;

/// Make the paper's Tables I and II and the figures behind its Figure 6.3
///
/// Every position is searched by each algorithm with the table use of the paper's comparison: none for expectimax,
/// decision nodes for star1 and star2, all nodes for star2-tt. What no flag sets is the paper's and not the library's
/// default: every node of those kinds uses the table down to depth 1, star2-tt probes the successors of every chance
/// node, and moves are in the paper's ordering. Table I summarises the nodes, Table II the seconds:
/// least, median, greatest, mean and standard deviation over the positions. The figures by depth are means over the
/// positions of everything searched until that depth was complete, shallower iterations included.
///
/// All algorithms must find the same values: the exit code is 1 and the positions are named if any differs. Every run
/// is recorded in a new folder below results, or in --out. Depth 13 is the paper's; it takes minutes.
#[derive(Debug, Parser)]
#[command(name = "paper_tables", version)]
pub struct PaperTablesArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 9]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = flags::depth)]
    pub depth: Option<u32>,

    /// Algorithms to run, such as star2,star2-tt
    #[arg(long, value_name = "LIST", default_value = "expectimax,star1,star2,star2-tt",
          value_parser = |text: &str| flags::name_list::<Algorithm>("algorithms", text))]
    pub algorithms: List<Algorithm>,

    /// Move orderings to run them with: paper, static, hybrid, or several such as paper,static
    #[arg(long, value_name = "LIST", default_value = "paper",
          value_parser = |text: &str| flags::name_list::<MoveOrdering>("ordering", text))]
    pub ordering: List<MoveOrdering>,

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

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 9;

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn main(args: &PaperTablesArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let suite = Suite::load(&args.suite.suite).map_err(BadInput::from_error)?;
    let tables = with_evaluator(
        &args.suite.evaluator,
        &suite.dice,
        args.common.seed,
        Work { args, suite: &suite, stop },
    )?;
    let ended = (&tables.report, tables.report.stopped);
    verdict::conclude(&tables.verdicts, ended, "algorithm", args.common.json, |verdict| {
        format!("{}{verdict}\nRecords: {}\n", tables.report.text(), tables.folder.display())
    })
}

struct Tables {
    report: Report,
    verdicts: Verdicts,
    folder: PathBuf,
}

struct Work<'a> {
    args: &'a PaperTablesArgs,
    suite: &'a Suite,
    stop: &'a StopFlag,
}

impl WithEvaluator for Work<'_> {
    type Output = Tables;

    fn run<E: Evaluator<Dice> + Clone>(self, evaluator: E) -> anyhow::Result<Tables> {
        let (args, suite) = (self.args, self.suite);
        let depth = suite.depth_or(args.depth, DEPTH);
        let table = setup::table(args.common.table_mb)?;
        let evaluator_name = args.suite.evaluator.to_string();
        let settings = Settings::new(suite, depth, evaluator_name, args.common.table_mb, args.common.seed);
        let records = Records::create(args.suite.out.as_deref(), "paper_tables", &settings)
            .map_err(BadInput::from_error)?;
        let runs = args.ordering.0.len() * suite.positions.len() * args.algorithms.0.len();
        let mut runner = Runner {
            args,
            suite,
            evaluator,
            table,
            limits: Limits::depth(depth).with_stop(self.stop.clone()),
            records,
            progress: Progress::new("paper_tables", runs as u64),
            verdicts: Verdicts::new(suite.positions.len()),
        };
        let (orderings, stopped) = runner.run_all()?;
        let report = Report {
            depth,
            positions: suite.positions.len(),
            values_equal: runner.verdicts.all_equal(),
            orderings,
            stopped,
        };
        Ok(Tables { report, verdicts: runner.verdicts, folder: runner.records.path().to_owned() })
    }
}

struct Runner<'a, E> {
    args: &'a PaperTablesArgs,
    suite: &'a Suite,
    evaluator: E,
    table: LocklessTable,
    limits: Limits,
    records: Records,
    progress: Progress,
    /// The first algorithm's scores are those expected of the others.
    verdicts: Verdicts,
}

/// The searches of one position.
enum Row {
    /// One search for each algorithm, all of one value.
    Good(Vec<Measured>),
    /// A value differs: recorded as an error, and no part of any figure.
    Faulty,
    /// Ctrl-C came between.
    Stopped,
}

impl<E: Evaluator<Dice> + Clone> Runner<'_, E> {
    /// Runs everything; the figures, and whether Ctrl-C ended it early.
    fn run_all(&mut self) -> anyhow::Result<(Vec<OrderingReport>, bool)> {
        let mut reports = Vec::new();
        let mut stopped = false;
        for &ordering in &self.args.ordering.0 {
            let mut rows = Vec::new();
            for index in 0..self.suite.positions.len() {
                match self.run_position(ordering, index)? {
                    Row::Good(row) => rows.push(row),
                    Row::Faulty => {}
                    Row::Stopped => {
                        stopped = true;
                        break;
                    }
                }
            }
            reports.push(OrderingReport::new(ordering, &self.args.algorithms.0, &rows));
            if stopped {
                break;
            }
        }
        Ok((reports, stopped))
    }

    /// Runs every algorithm on one position.
    fn run_position(&mut self, ordering: MoveOrdering, index: usize) -> anyhow::Result<Row> {
        let faults = self.verdicts.differences().len();
        let mut row = Vec::new();
        for &algorithm in &self.args.algorithms.0 {
            let options = self.args.tuning.applied_to(Options { ordering, ..Options::paper(algorithm) });
            let measured = self.search(index, options.clone())?;
            if measured.stopped {
                return Ok(Row::Stopped);
            }
            self.record(index, &options, &measured)?;
            self.progress.advance();
            row.push(measured);
        }
        Ok(if self.verdicts.differences().len() == faults { Row::Good(row) } else { Row::Faulty })
    }

    fn search(&self, index: usize, options: Options) -> anyhow::Result<Measured> {
        let (dice, position) = (self.suite.dice.clone(), &self.suite.positions[index].position);
        let evaluator = self.evaluator.clone();
        let measured = if options.table_use == TableUse::None {
            let searcher = Searcher::new(dice, evaluator, NoTable).with_options(options);
            measure(&searcher, position, &self.limits)?
        } else {
            let searcher = Searcher::new(dice, evaluator, &self.table).with_options(options);
            measure(&searcher, position, &self.limits)?
        };
        Ok(measured)
    }

    fn record(&mut self, index: usize, options: &Options, measured: &Measured) -> anyhow::Result<()> {
        let entry = &self.suite.positions[index];
        let who = || format!("{}, {}, ordering {}", entry.text, options.algorithm, options.ordering);
        let error = self.verdicts.check(index, who, measured);
        self.records.append(&Sample {
            schema: SCHEMA,
            index: index + 1,
            position: &entry.text,
            algorithm: options.algorithm.name(),
            method: "serial",
            table_use: options.table_use.name(),
            ordering: options.ordering.name(),
            history: options.history.name(),
            threads: 1,
            copy: None,
            repeat: 1,
            depth: self.limits.depth,
            measured,
            expected: self.verdicts.expected(index),
            error,
        })?;
        Ok(())
    }
}
