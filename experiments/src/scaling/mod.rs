//! The binary `scaling`: parallel methods on numbers of threads, against the best serial search and against
//! what the machine gives to searches that share nothing.

mod report;
mod text;

pub use report::{ScalingCeiling, ScalingFigures, ScalingParallel, ScalingPosition, ScalingSerial};

use crate::analysis::conditions::{Conditions, in_headline};
use crate::analysis::reading::Reading;
use crate::analysis::speedups::{self, ContenderKind};
use crate::cli::values::{self, List, whole_number};
use crate::question::suite::Suite;
use crate::question::tables::TableFlags;
use crate::records::line::Line;
use crate::records::meta::Meta;
use crate::runner::contest::ContestEnd;
use crate::runner::race::{Race, RaceFlags, thread_counts};
use crate::runner::verdict::Finished;
use clap::Parser;
use starsplit::search::{Algorithm, Method, MoveOrdering, StopFlag};

/// Measure how an algorithm scales in parallel: methods x threads x positions, and the machine's own ceiling
///
/// At every position the contenders take turns: the serial search under each ordering of --baselines; as many
/// independent serial searches at once as there are threads, for the ceiling, in two ways; each parallel
/// method on each number of threads, where 1 thread is the parallel code alone. Tables are cleared, and so
/// touched, outside the measured time, and the threads are started, and have searched a little, before it.
///
/// Order: of two orders in a row the second is the first backwards, so that a machine that slows down or
/// speeds up favours none. Over as many rounds as there are contenders, or twice as many where their number
/// is odd, each of them comes right after each other one equally often; the rounds of a position have orders
/// that follow one another, and the next position goes on there. The report says whether that came out even.
///
/// Probe: a short serial search, the same every time, before turns now and then. Rounds in which it took more
/// than 1.10 times as long as in the median are said to be disturbed, where there are enough to tell. Turns
/// are held up whose threads, awake, lacked a processor for more than a tenth of the time, or from which the
/// host of a virtual machine took as much. All figures are of all rounds.
///
/// Ratios: taken within each round, whose runs of a position lie next to each other in time, and the median
/// over the rounds counts, at each position and of the sums over all positions. Seconds and nodes are the
/// medians of each position's runs, so a ratio need not be that of the seconds in the table.
///
/// Baseline: the serial search by the same algorithm, under any of the orderings measured, whose median times
/// sum to the least.
///
/// Speedup: the baseline's time / the parallel time.
///
/// Ceiling for n threads: what n programs that share nothing get out of this machine. n copies of the serial
/// search, each with a table and an evaluator of its own, start together at the same position; the ceiling is
/// the sum of their rates, each the time of that search alone / the time of the copy. Copies that finish
/// first leave the others more of the machine, and each has a whole table: its error has no known sign. With
/// more threads than the machine runs at once, the ceiling is that of as many copies as it does run. For 1
/// thread it is 1.
///
/// Matched ceiling: the same like for like. The copies run on the threads that a parallel search has, each
/// with 1/n of the table, and the first to end stops the others; the ceiling is the sum of their nodes a
/// second until then / those of the search alone with the whole table.
///
/// Share of ceiling: speedup / ceiling, at the same position.
///
/// Search overhead: parallel nodes / nodes of the serial search under the same ordering - 1.
///
/// Decomposition: speedup = ordering ratio x threads x node rate ratio x (1 - idle) / (1 + search overhead).
/// Ordering ratio: the baseline's time / the time of the serial search under the same ordering. Node rate
/// ratio: nodes in a second of busy time / those of that serial search. Idle: the share of the threads' time
/// that they wait, steal or sleep. Every thread clocks what it does, and the product is a prediction;
/// residual: that / the speedup measured - 1. The overhead is divided into aborted nodes, duplicate nodes
/// (with --explain) and the rest; ARCHITECTURE.md says what each of them misses. All of it is of the round
/// with the speedup in the middle, or the lower of the two there.
///
/// Abort latency: from the cut of a split point to the moment a worker has left what it searched below, over
/// all runs.
///
/// Total: of the sums over all positions, in the rounds that all of them have. All: the median over the
/// positions, with the lower and the upper quartile. Large: the same over those positions to which the
/// baseline gives at least --min-nodes nodes. The JSON object has every position's figures.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs.
/// Every search is recorded in a new folder below results, or in --out; the copies that make a ceiling have
/// the method "ceiling" or "matched-ceiling" and their number in "copy".
#[derive(Debug, Parser)]
#[command(name = "scaling", version = crate::cli::VERSION)]
pub struct ScalingArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else
    /// 13]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Numbers of threads, such as 1,2,4 [default: 1, 2, 4, ... and as many as the machine runs at once]
    #[arg(short, long, value_name = "LIST", allow_negative_numbers = true,
          value_parser = values::thread_list)]
    pub threads: Option<List<usize>>,

    /// Parallel methods, such as chance-split,both, or all [default: the library's]
    #[arg(long_help = format!(
        "Parallel methods, such as chance-split,both, or all [default: the library's]\n\nAll: {}.",
        values::names(Method::ALL)
    ))]
    #[arg(long, alias = "methods", value_name = "LIST|all", value_parser = values::method_list)]
    pub method: Option<List<Method>>,

    /// Count the nodes that two threads search at once
    ///
    /// Costs the parallel searches a little time, and tells the overhead of duplicates from the rest of it.
    #[arg(long)]
    pub explain: bool,

    /// Orderings of the parallel searches: paper, static, hybrid, auto, or several [default: the library's]
    #[arg(long, value_name = "LIST",
        value_parser = |text: &str| values::name_list::<MoveOrdering>("ordering", text))]
    pub ordering: Option<List<MoveOrdering>>,

    /// Move orderings of the serial searches among which the baseline is chosen [default: all there are]
    ///
    /// The serial search under each ordering of --ordering is measured in any case.
    #[arg(long, value_name = "LIST",
        value_parser = |text: &str| values::name_list::<MoveOrdering>("baselines", text))]
    pub baselines: Option<List<MoveOrdering>>,

    /// Nodes of the serial search from which on a position counts as large
    ///
    /// Shorter searches measure how threads start more than how they search.
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true,
          value_parser = whole_number("min-nodes", 0..=u64::MAX))]
    pub min_nodes: u64,

    /// Leave the machine's ceilings out, and the shares of them
    ///
    /// Each takes about as long as the serial search; the first a table for every thread that the machine
    /// runs at once, the matched one the memory of one more.
    #[arg(long)]
    pub no_ceiling: bool,

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
pub fn run(args: &ScalingArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = args.race.suite.load()?;
    let race = race(args, &suite);
    let ContestEnd { verdicts, stopped, folder } = race.run(stop)?;
    let (reading, conditions) = race.read(&folder)?;
    let of = (args.race.algorithm.algorithm, race.depth);
    let report = ScalingFigures::read(&reading, &conditions, of, args.min_nodes);
    let report = ScalingFigures { stopped, values_equal: verdicts.all_equal(), ..report };
    Finished::new(&verdicts, (&report, stopped), "contender", Some(&folder), |verdict| {
        text(args, &suite, &report, verdict)
    })
}

/// The figures of all searches in the `lines` of a folder, by this algorithm to this depth in a suite of so
/// many `positions`, on a machine with so many processors, and at how many positions anything was searched.
///
/// # Errors
/// When a line is not one of a real search, or there is no serial search among them.
pub(crate) fn recorded(
    meta: Meta,
    lines: impl Iterator<Item = Result<Line, String>>,
    cores: usize,
    (of, positions): ((Algorithm, u32), usize),
    min_nodes: u64,
) -> Result<(ScalingFigures, usize), String> {
    let mut conditions = Conditions::on(cores);
    let lines = conditions.noting(lines);
    let reading = Reading::new(meta, lines, (cores, positions), None)?;
    let recorded = reading.texts.iter().filter(|text| !text.is_empty()).count();
    Ok((ScalingFigures::read(&reading, &conditions, of, min_nodes), recorded))
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput) where it could not.
pub(crate) fn check(args: &ScalingArgs) -> anyhow::Result<()> {
    race(args, &args.race.suite.load()?).check()
}

fn race<'a>(args: &'a ScalingArgs, suite: &'a Suite) -> Race<'a> {
    Race {
        experiment: "scaling",
        flags: &args.race,
        suite,
        depth: suite.depth_or(args.depth, DEPTH),
        explain: args.explain,
        table: TableFlags::default(),
        contenders: contenders(args, values::cores()),
    }
}

fn text(args: &ScalingArgs, suite: &Suite, report: &ScalingFigures, verdict: &str) -> String {
    let ScalingFigures { algorithm, depth, positions, large_positions, min_nodes, .. } = report;
    let (suite, repeat) = (&suite.name, args.race.repeat);
    let tables = report.text();
    format!(
        "{algorithm} to depth {depth} on {positions} positions of suite {suite}, {large_positions} of them \
            large (at least \
         {min_nodes} nodes), {repeat} runs each{}\n\n{tables}\n{verdict}\n",
        in_headline(report.probed.as_ref())
    )
}

/// The contenders in their order: serial searches, ceilings, parallel searches.
fn contenders(args: &ScalingArgs, cores: usize) -> Vec<ContenderKind> {
    let thread_counts = thread_counts(args.threads.as_ref(), cores);
    let mut copies: Vec<usize> = thread_counts.iter().map(|&n| n.min(cores)).filter(|&n| n > 1).collect();
    copies.sort_unstable();
    copies.dedup();
    if args.no_ceiling {
        copies.clear();
    }
    let (orderings, methods) =
        (List::or_default(args.ordering.as_ref()), List::or_default(args.method.as_ref()));
    let baselines = args.baselines.as_ref().map_or(MoveOrdering::ALL, |list| list.0.as_slice());
    speedups::contenders(baselines, &copies, &methods, &orderings, &thread_counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contenders_of(args: &[&str]) -> Vec<(&'static str, &'static str, usize)> {
        let args = ScalingArgs::try_parse_from([&["scaling"], args].concat()).unwrap();
        contenders(&args, 4).iter().map(|e| (e.role.name(), e.ordering.name(), e.threads)).collect()
    }

    #[test]
    fn every_ordering_is_a_baseline_and_the_librarys_own_is_split() {
        let own = MoveOrdering::default().name();
        let found = contenders_of(&["--method", "chance-split"]);
        let (serial, others) = found.split_at(MoveOrdering::ALL.len());
        assert!(
            serial.iter().zip(MoveOrdering::ALL).all(|(e, o)| *e == ("serial", o.name(), 1)),
            "{serial:?}"
        );
        let ceilings = [2, 4].map(|n| ("ceiling", own, n));
        let matched = [2, 4].map(|n| ("matched-ceiling", own, n));
        let parallel = [1, 2, 4].map(|n| ("chance-split", own, n));
        assert_eq!(others, [&ceilings[..], &matched, &parallel].concat());
    }

    #[test]
    fn a_ceiling_has_no_more_copies_than_the_machine_runs() {
        let found = contenders_of(&["--threads", "8,1,16", "--baselines", "paper", "--ordering", "static"]);
        let expected = [("serial", "paper", 1), ("serial", "static", 1), ("ceiling", "static", 4)];
        assert_eq!(found[..3], expected);
        assert!(found[3..].iter().all(|contender| contender.0 != "ceiling"), "{found:?}");
    }

    #[test]
    fn the_methods_are_the_librarys_own_or_those_named() {
        let methods = |args: &[&str]| {
            let fixed = ["--threads", "2", "--no-ceiling", "--baselines", "auto"];
            let found = contenders_of(&[&fixed[..], args].concat());
            found[1..].iter().map(|contender| contender.0).collect::<Vec<_>>()
        };
        assert_eq!(methods(&[]), [Method::default().name()]);
        assert_eq!(methods(&["--methods", "abdada,both"]), ["abdada", "both"]);
        let all: Vec<_> = Method::ALL.iter().map(|method| method.name()).collect();
        assert_eq!(methods(&["--method", "all"]), all);
    }

    #[test]
    fn ceilings_can_be_left_out() {
        assert!(contenders_of(&["--no-ceiling"]).iter().all(|contender| contender.0 != "ceiling"));
    }
}
