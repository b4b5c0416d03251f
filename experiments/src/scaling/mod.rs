//! The binary `scaling`: parallel methods on numbers of threads, against the best serial search and against what the
//! machine gives to searches that share nothing.

mod recorded;
mod report;
mod text;

pub(crate) use recorded::recorded;
pub use report::{CeilingReport, ParallelReport, PositionReport, Report, SerialReport};

use crate::analysis::speedups::{self, Entrant, Role, Runs};
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
use report::Frame;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::games::dice::Dice;
use starsplit::search::{Method, MoveOrdering, Options, StopFlag};
use starsplit::table::LocklessTable;
use std::path::PathBuf;

/// Measure how parallel Star2-TT scales: methods x threads x positions, and the machine's own ceiling
///
/// At every position the contenders take turns: the serial search under each ordering of --baselines; as many independent
/// serial searches at once as there are threads, for the ceiling; each parallel method on each number of threads, where
/// 1 thread is the parallel code alone. Tables are cleared, and so touched, outside the measured time, and the threads
/// are started, and have searched a little, before it.
///
/// Order: every second round runs the one before it backwards, so that a machine that slows down or speeds up favours
/// none. Over as many rounds as there are contenders, or twice as many where their number is odd, each of them comes
/// right after each other one equally often.
///
/// Ratios: taken within each round, whose runs of a position lie next to each other in time, and the median over the
/// rounds counts, at each position and of the sums over all positions. Seconds and nodes are the medians of each
/// position's runs, so a ratio need not be that of the seconds in the table.
///
/// Baseline: the serial search, under any of the orderings measured, whose median times sum to the least.
///
/// Speedup: the baseline's time / the parallel time.
///
/// Ceiling for n threads: what n programs that share nothing get out of this machine. n copies of the serial search,
/// each with a table and an evaluator of its own, start together at the same position; the ceiling is the sum of their
/// rates, each the time of that search alone / the time of the copy. Copies that finish first leave the others more of
/// the machine, so it is rather too high, and the share of it too low. With more threads than the machine runs at once,
/// the ceiling is that of as many copies as it does run. For 1 thread it is 1.
///
/// Share of ceiling: speedup / ceiling, at the same position.
///
/// Search overhead: parallel nodes / nodes of the serial search under the same ordering - 1.
///
/// Decomposition: speedup = ordering ratio x threads x node rate ratio x (1 - idle) / (1 + search overhead). Ordering
/// ratio: the baseline's time / the time of the serial search under the same ordering. Node rate ratio: nodes in a second
/// of busy time / those of that serial search. Idle: the share of the threads' time that they wait, steal or sleep. Every
/// thread clocks what it does, and the product is a prediction; residual: that / the speedup measured - 1. The overhead
/// is divided into aborted nodes, duplicate nodes (with --explain) and the rest; ARCHITECTURE.md says what each of them
/// misses. All of it is of the round with the speedup in the middle, or the lower of the two there.
///
/// Abort latency: from the cut of a split point to the moment a worker has left what it searched below, over all runs.
///
/// Total: of the sums over all positions, in the rounds that all of them have. All: the median over the positions, with the lower and the upper quartile.
/// Large: the same over those positions to which the baseline gives at least --min-nodes nodes. The JSON object has
/// every position's figures.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs. Every search is
/// recorded in a new folder below results, or in --out; the copies that make a ceiling have the method "ceiling" and
/// their number in "copy".
#[derive(Debug, Parser)]
#[command(name = "scaling", version)]
pub struct ScalingArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 13]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Numbers of threads, such as 1,2,4 [default: 1, 2, 4, ... and as many as the machine runs at once]
    #[arg(long, value_name = "LIST", allow_negative_numbers = true, value_parser = values::thread_list)]
    pub threads: Option<List<usize>>,

    /// Parallel methods, such as chance-split,both, or all [default: the library's]
    ///
    /// chance-split, decision-split, both, fork-join, root-split, shared-table and abdada.
    #[arg(long, visible_alias = "methods", value_name = "LIST|all", value_parser = values::method_list)]
    pub method: Option<List<Method>>,

    /// Count the nodes that two threads search at once
    ///
    /// Costs the parallel searches a little time, and tells the overhead of duplicates from the rest of it.
    #[arg(long)]
    pub explain: bool,

    /// Move orderings of the parallel searches: paper, static, hybrid, or several [default: the library's]
    #[arg(long, value_name = "LIST", value_parser = |text: &str| values::name_list::<MoveOrdering>("ordering", text))]
    pub ordering: Option<List<MoveOrdering>>,

    /// Move orderings of the serial searches among which the baseline is chosen [default: all there are]
    ///
    /// The serial search under each ordering of --ordering is measured in any case.
    #[arg(long, value_name = "LIST", value_parser = |text: &str| values::name_list::<MoveOrdering>("baselines", text))]
    pub baselines: Option<List<MoveOrdering>>,

    /// How many rounds there are: how often every run is repeated
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    pub repeat: u64,

    /// Nodes of the serial search from which on a position counts as large
    ///
    /// Shorter searches measure how threads start more than how they search.
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true,
          value_parser = whole_number("min-nodes", 0..=u64::MAX))]
    pub min_nodes: u64,

    /// Leave the machine's ceiling out, and the shares of it
    ///
    /// It takes about as long as the serial search, and a table for every thread that the machine runs at once.
    #[arg(long)]
    pub no_ceiling: bool,

    /// Print a table of the single positions as well
    #[arg(long)]
    pub by_position: bool,

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

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 13;

/// What the records call it.
const EXPERIMENT: &str = "scaling";

/// What a measurement ends with.
#[derive(Clone, Debug)]
pub struct Scaling {
    /// The figures.
    pub report: Report,
    /// Whether every search found the same values.
    pub verdicts: Verdicts,
    /// Where the records are.
    pub folder: PathBuf,
}

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn run(args: &ScalingArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = Suite::load(&args.suite.suite).map_err(BadInput::from_error)?;
    let work = Work { args, suite: &suite, stop };
    let scaling = with_evaluator(&args.suite.evaluator, &suite.dice, args.common.seed, work)?;
    let ended = (&scaling.report, scaling.report.stopped);
    Finished::new(&scaling.verdicts, ended, "contender", Some(&scaling.folder), |verdict| {
        scaling.text(args, verdict)
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`] where it could not.
pub(crate) fn check(args: &ScalingArgs) -> anyhow::Result<()> {
    let suite = args.suite.check(&args.expected)?;
    evaluators::tables(copies(&entrants(args, values::cores())), args.common.table_mb)?;
    args.records.check(EXPERIMENT, &settings(args, &suite), Clock::Real)
}

fn settings(args: &ScalingArgs, suite: &Suite) -> Settings {
    let depth = suite.depth_or(args.depth, DEPTH);
    let base = args.tuning.applied_to(Options { count_duplicates: args.explain, ..Options::default() });
    let (table_mb, seed) = (args.common.table_mb, args.common.seed);
    Settings::new(suite, depth, &args.suite.evaluator, (table_mb, seed), &base)
}

/// How many searches run at once at most.
fn copies(entrants: &[Entrant]) -> usize {
    entrants.iter().map(Entrant::copies).max().unwrap_or(1)
}

impl Scaling {
    fn text(&self, args: &ScalingArgs, verdict: &str) -> String {
        format!(
            "Star2-TT to depth {} on {} positions of suite {}, {} of them large (at least {} nodes), {} runs each\n\n\
             {}\n{verdict}\n",
            self.report.depth,
            self.report.positions,
            args.suite.suite,
            self.report.large_positions,
            args.min_nodes,
            args.repeat,
            self.report.text(args.by_position)
        )
    }
}

struct Work<'a> {
    args: &'a ScalingArgs,
    suite: &'a Suite,
    stop: &'a StopFlag,
}

impl WithEvaluator for Work<'_> {
    type Output = Scaling;

    fn run<E: Evaluator<Dice> + Clone>(self, evaluator: E) -> anyhow::Result<Scaling> {
        let (args, suite) = (self.args, self.suite);
        let settings = settings(args, suite);
        let depth = settings.depth;
        let cores = values::cores();
        let entrants = entrants(args, cores);
        let tables = evaluators::tables(copies(&entrants), args.common.table_mb)?;
        let searches: Vec<_> = entrants.iter().filter_map(Entrant::parallel).collect();
        let pools = Pools::new(&searches)?;
        let contender = |entrant| self.contender(entrant, &evaluator, &tables, &pools);
        let contenders: Vec<_> = entrants.iter().map(contender).collect();
        let expected = args.expected.scores(suite)?;
        let contest =
            Contest { experiment: EXPERIMENT, suite, depth, repeat: args.repeat, expected, stop: self.stop };
        let opened = args.records.open(contest.experiment, &settings, Clock::Real)?;
        let ContestEnd { costs, efforts, verdicts, stopped, folder } = contest.run(&contenders, opened)?;
        let frame = Frame {
            depth,
            cores,
            min_nodes: args.min_nodes,
            values_equal: verdicts.all_equal(),
            stopped,
            positions: suite.positions.iter().map(|entry| entry.text.as_str()).collect(),
        };
        let runs = Runs { costs: &costs, efforts: &efforts, explained: args.explain };
        Ok(Scaling { report: Report::new(&frame, &entrants, &runs), verdicts, folder })
    }
}

impl Work<'_> {
    fn contender<'t, E: Evaluator<Dice> + Clone>(
        &self,
        entrant: &Entrant,
        evaluator: &E,
        tables: &'t [LocklessTable],
        pools: &Pools,
    ) -> Contender<'t, E> {
        let serial =
            self.args.tuning.applied_to(Options { ordering: entrant.ordering, ..Options::default() });
        let options = match entrant.role {
            Role::Serial | Role::Ceiling => serial,
            Role::Parallel(method) => Options {
                count_duplicates: self.args.explain,
                ..in_parallel(serial, method, entrant.threads)
            },
        };
        let searcher = |table| {
            let searcher = Searcher::new(self.suite.dice.clone(), evaluator.clone(), table);
            let searcher = searcher.with_options(options.clone());
            if entrant.parallel().is_some() { pools.give(searcher) } else { searcher }
        };
        Contender {
            beside: tables[1..entrant.copies()].iter().map(searcher).collect(),
            ..Contender::new(entrant.role.name(), searcher(&tables[0]))
        }
    }
}

/// The contenders in their order: serial searches, ceilings, parallel searches.
fn entrants(args: &ScalingArgs, cores: usize) -> Vec<Entrant> {
    let thread_counts = match &args.threads {
        Some(List(counts)) => counts.clone(),
        None => values::doubling_to(cores),
    };
    let mut copies: Vec<usize> = thread_counts.iter().map(|&n| n.min(cores)).filter(|&n| n > 1).collect();
    copies.sort_unstable();
    copies.dedup();
    if args.no_ceiling {
        copies.clear();
    }
    let orderings =
        args.ordering.as_ref().map_or_else(|| vec![MoveOrdering::default()], |list| list.0.clone());
    let methods = args.method.as_ref().map_or_else(|| vec![Method::default()], |list| list.0.clone());
    let baselines = args.baselines.as_ref().map_or(MoveOrdering::ALL, |list| list.0.as_slice());
    speedups::entrants(baselines, &copies, &methods, &orderings, &thread_counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrants_of(args: &[&str]) -> Vec<(&'static str, &'static str, usize)> {
        let args = ScalingArgs::try_parse_from([&["scaling"], args].concat()).unwrap();
        entrants(&args, 4).iter().map(|e| (e.role.name(), e.ordering.name(), e.threads)).collect()
    }

    #[test]
    fn every_ordering_is_a_baseline_and_the_librarys_own_is_split() {
        let own = MoveOrdering::default().name();
        let found = entrants_of(&["--method", "chance-split"]);
        let (serial, others) = found.split_at(MoveOrdering::ALL.len());
        assert!(
            serial.iter().zip(MoveOrdering::ALL).all(|(e, o)| *e == ("serial", o.name(), 1)),
            "{serial:?}"
        );
        let ceilings = [2, 4].map(|n| ("ceiling", own, n));
        let parallel = [1, 2, 4].map(|n| ("chance-split", own, n));
        assert_eq!(others, [&ceilings[..], &parallel].concat());
    }

    #[test]
    fn a_ceiling_has_no_more_copies_than_the_machine_runs() {
        let found = entrants_of(&["--threads", "8,1,16", "--baselines", "paper", "--ordering", "static"]);
        let expected = [("serial", "paper", 1), ("serial", "static", 1), ("ceiling", "static", 4)];
        assert_eq!(found[..3], expected);
        assert!(found[3..].iter().all(|entrant| entrant.0 != "ceiling"), "{found:?}");
    }

    #[test]
    fn the_methods_are_the_librarys_own_or_those_named() {
        let methods = |args: &[&str]| {
            let fixed = ["--threads", "2", "--no-ceiling", "--baselines", "hybrid"];
            let found = entrants_of(&[&fixed[..], args].concat());
            found[1..].iter().map(|entrant| entrant.0).collect::<Vec<_>>()
        };
        assert_eq!(methods(&[]), [Method::default().name()]);
        assert_eq!(methods(&["--methods", "abdada,both"]), ["abdada", "both"]);
        let all: Vec<_> = Method::ALL.iter().map(|method| method.name()).collect();
        assert_eq!(methods(&["--method", "all"]), all);
    }

    #[test]
    fn ceilings_can_be_left_out() {
        assert!(entrants_of(&["--no-ceiling"]).iter().all(|entrant| entrant.0 != "ceiling"));
    }
}
