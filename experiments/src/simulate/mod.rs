//! The binary `simulate`: parallel methods on numbers of virtual processors, in virtual time, against the
//! best serial search in virtual time. The counterpart of `scaling`.

mod flags;
mod forecast;
mod model;
mod plan;
mod recorded;
mod report;
mod run;
mod sample;
mod span;
mod text;

pub use crate::records::simulated::EventCosts;
pub use model::{Change, Model};
pub(crate) use recorded::recorded;
pub use report::{
    OverSeeds, SimulateFigures, SimulateModel, SimulateParallel, SimulatePosition, SimulateSerial,
};
pub(crate) use span::GREEDY_GUARANTEE;
pub use span::SpanFigures;

use crate::analysis::speedups::{ContenderKind, contenders};
use crate::cli::BadInput;
use crate::cli::ranges;
use crate::cli::values::{self, List, whole_number};
use crate::question::algorithm::AlgorithmFlags;
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables;
use crate::records::flags::{Opened, RecordsFlags};
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::records::writer::Records;
use crate::runner::verdict::{Finished, Verdicts};
use clap::Parser;
use plan::Plan;
use run::{Asked, Bench, Book, EXPERIMENT};
use sample::Searches;
use starsplit::search::{Method, MoveOrdering, StopFlag};
use std::path::PathBuf;
use std::sync::Mutex;

/// Simulate how an algorithm scales in parallel: methods x virtual processors x positions x seeds, in virtual
/// time
///
/// The search and its scheduler are the code that runs on threads; here each worker is a virtual processor
/// with a clock of its own, moved by what events cost (--costs). The same seed gives the same search, node
/// for node, on any machine. Memory bandwidth, caches and the distance between processors are not modelled,
/// so the figures are optimistic; METHODOLOGY.md, "Virtual processors", says more. All times in the report
/// are virtual.
///
/// Method: fork and join cannot be simulated, since its jobs run on a general pool of threads; "all" leaves
/// it out.
///
/// Baseline: of the serial searches by the same algorithm under --baselines, whose virtual times are taken
/// under the same costs, the one whose times sum to the least. Its time is the work T1.
///
/// Speedup, search overhead, decomposition: as in scaling. Efficiency: speedup / processors. A seed is what a
/// round is there: ratios are taken for each seed, and the median over the seeds counts, at each position and
/// of the sums over all positions. Beside the total speedup stand the least and the greatest over the seeds;
/// beside the medians those over the positions.
///
/// Span: a search's longest chain of work, if the successors that a split point hands out count as
/// independent. Greedy guarantee ("bound" in JSON): T1 / (work / processors + span), the least speedup of a
/// schedule of the same work that leaves nobody idle while there is work, and steals in no time. The search
/// itself may be faster, or slower for its steals. Limit: T1 / span, which no number of processors would have
/// exceeded. The shared table and ABDADA have no split points, and none of these.
///
/// Total: of the sums over all positions. All: the median over the positions, with the lower and the upper
/// quartile. Large: the same over those positions to which the baseline gives at least --min-nodes nodes. The
/// JSON object has every position's figures.
///
/// All values must be equal, bit for bit, and on one processor the nodes must be the serial search's: the
/// exit code is 1 and the positions are named if any differs. Every search is recorded in a new folder below
/// results, or in --out, in a line that has "simulated" and virtual times only: the same runs give the same
/// lines, byte for byte but for their numbers, whatever --jobs. They are in the order in which the searches
/// ended. With --resume, methods, processors, costs and seeds may be others too.
#[derive(Debug, Parser)]
#[command(name = "simulate", version = crate::cli::VERSION)]
pub struct SimulateArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else
    /// 11]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Numbers of virtual processors, 1 to 1024
    #[arg(long, value_name = "LIST", default_value = "1,2,4,8,16,32,64,128,256,512,1024",
          allow_negative_numbers = true, value_parser = flags::processors)]
    pub processors: List<usize>,

    /// Parallel methods, such as chance-split,both, or all that can be simulated [default: the library's]
    #[arg(long_help = format!(
        "Parallel methods, such as chance-split,both, or all that can be simulated [default: the library's]\n\
         \nAll: {}.",
        values::methods_that(|method| !method.uses_whole_pool())
    ))]
    #[arg(long, alias = "methods", value_name = "LIST|all", value_parser = flags::method_list)]
    pub method: Option<List<Method>>,

    /// Cost models: measured, unit, free or a file, or several
    ///
    /// "measured": what events cost in this game with its own evaluator on one machine, a Xeon with two
    /// processors; in a game that was not measured, what they cost in Dice, under the name measured-dice.
    /// "unit": a node costs 1, an evaluation 2, a split 2, a steal 20, a look for work in vain 10. "free":
    /// nodes alone cost. A file is a JSON object with a whole number for each of node, evaluation, table,
    /// poll, split, steal and failed_steal, and perhaps of wake and wake_latency; optionally "busy" has
    /// another such object for more than one processor; whatever else is in it does not count. The command
    /// calibrate writes such files. Changes as of --cost may follow, as in unit+steal=x4+table=3. Where
    /// waking costs something, a search begins alone and calls its helpers, as on threads; else all begin at
    /// once.
    #[arg(long, value_name = "LIST", default_value = model::MEASURED,
          value_parser = |text: &str| List::read("costs", text, |name| Ok(name.to_owned())))]
    pub costs: List<String>,

    /// Another cost than that of the models, such as steal=100 or steal=x4, or several
    ///
    /// The keys are node, evaluation, table, poll, split, steal, failed-steal, wake and wake-latency. With an
    /// x it is so many times what it was, on more than one processor.
    #[arg(long, value_name = "KEY=N", value_delimiter = ',', action = clap::ArgAction::Append,
          value_parser = model::change)]
    pub cost: Vec<Change>,

    /// Seeds of the schedules: how many, from 1 on; or a list such as 3,7; or the first and the last such as
    /// 3-7
    ///
    /// A seed decides who comes first of the processors whose clocks are the same.
    #[arg(long, value_name = "N|LIST", default_value = "1", allow_negative_numbers = true,
          value_parser = flags::seeds)]
    pub seeds: List<u64>,

    /// Orderings of the parallel searches: paper, static, hybrid, auto, or several [default: the library's]
    #[arg(long, value_name = "LIST",
          value_parser = |text: &str| values::name_list::<MoveOrdering>("ordering", text))]
    pub ordering: Option<List<MoveOrdering>>,

    /// Move orderings of the serial searches among which the baseline is chosen [default: all there are]
    ///
    /// The serial search under each ordering of --ordering is simulated in any case.
    #[arg(long, value_name = "LIST",
          value_parser = |text: &str| values::name_list::<MoveOrdering>("baselines", text))]
    pub baselines: Option<List<MoveOrdering>>,

    /// Only these positions of the suite, by their numbers from 1, such as 1-6,9
    #[arg(long, value_name = "LIST", allow_negative_numbers = true, value_parser = ranges::only)]
    pub only: Option<List<u64>>,

    /// How many searches are simulated at once [default: as many as the machine runs]
    ///
    /// Each takes a thread and a table of its own, of --table-mb.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("jobs", 1..=1024))]
    pub jobs: Option<u64>,

    /// Count the nodes that two processors search at once
    ///
    /// Tells the overhead of duplicates from the rest of it. Virtual time does not change, real time a
    /// little.
    #[arg(long)]
    pub explain: bool,

    /// Nodes of the serial search from which on a position counts as large
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true,
          value_parser = whole_number("min-nodes", 0..=u64::MAX))]
    pub min_nodes: u64,

    /// The positions.
    #[command(flatten)]
    pub suite: SuiteFlags,

    /// Where the records go.
    #[command(flatten)]
    pub records: RecordsFlags,

    /// What the positions are known to be worth.
    #[command(flatten)]
    pub expected: ExpectedFlag,

    /// What every binary that searches has.
    #[command(flatten)]
    pub common: CommonFlags,

    /// The algorithm.
    #[command(flatten)]
    pub algorithm: AlgorithmFlags,
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 11;

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn run(args: &SimulateArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let asked = Asked::new(args)?;
    let (kept, folder) = asked.simulate(args, stop)?;
    let verdicts = asked.verdicts(&kept);
    let Asked { suite, plan, base, settings, .. } = &asked;
    let texts: Vec<_> = suite.positions.iter().map(|entry| entry.text.as_str()).collect();
    let figures = SimulateFigures {
        algorithm: base.algorithm.name(),
        depth: settings.depth,
        min_nodes: args.min_nodes,
        values_equal: verdicts.all_equal(),
        stopped: stop.is_raised() && plan.runs().any(|run| plan.find(&kept, &run).is_none()),
        ..SimulateFigures::default()
    };
    let report = figures.of(plan, &kept, &texts);
    Finished::new(&verdicts, (&report, report.stopped), "contender", Some(&folder), |_| {
        text(suite, &report, &verdicts)
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`] where it could not.
pub(crate) fn check(args: &SimulateArgs) -> anyhow::Result<()> {
    let Asked { suite, settings, .. } = Asked::new(args)?;
    tables::tables(jobs(args), args.common.table_mb)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings, Clock::Virtual)
}

/// How many searches run at once.
fn jobs(args: &SimulateArgs) -> usize {
    args.jobs.map_or_else(values::cores, |jobs| jobs as usize)
}

fn text(suite: &Suite, report: &SimulateFigures, verdicts: &Verdicts) -> String {
    let sound = if verdicts.all_equal() {
        "All values are equal, and on one processor the nodes are the serial search's."
    } else {
        "Values or nodes DIFFER."
    };
    let SimulateFigures { algorithm, depth, positions, seeds, .. } = report;
    let (suite, seeds, tables) = (&suite.name, seeds.len(), report.text());
    format!(
        "SIMULATED: {algorithm} to depth {depth} on {positions} positions of suite {suite}, {seeds} seeds; \
         all times are virtual\n\n{tables}\n{sound} {}.\n",
        verdicts.contradictions_text()
    )
}

impl<'a> Asked<'a> {
    fn new(args: &'a SimulateArgs) -> anyhow::Result<Self> {
        let suite = args.suite.check(&args.expected)?;
        let (orderings, methods) =
            (List::or_default(args.ordering.as_ref()), List::or_default(args.method.as_ref()));
        let baselines = args.baselines.as_ref().map_or(MoveOrdering::ALL, |list| list.0.as_slice());
        let plan = Plan {
            contenders: contenders(baselines, &[], &methods, &orderings, &args.processors.0),
            models: Model::load(&args.costs, suite.door.game(), &args.cost)?,
            seeds: args.seeds.0.clone(),
            positions: ranges::places(args.only.as_ref(), suite.positions.len())?,
        };
        let mut base = args.algorithm.options();
        base.telemetry.count_duplicates = args.explain;
        let (depth, evaluator) = (suite.depth_or(args.depth, DEPTH), args.suite.evaluator(&suite));
        let settings =
            Settings::new(&suite, depth, evaluator, (args.common.table_mb, args.common.seed), &base)
                .of_algorithm(base.algorithm);
        Ok(Asked { suite, plan, base, settings, expected: args.expected.known() })
    }

    /// Simulates what is not recorded: all that is now, and where the records are.
    fn simulate(&self, args: &SimulateArgs, stop: &StopFlag) -> anyhow::Result<(Searches, PathBuf)> {
        let Asked { suite, plan, .. } = self;
        let maker = &*suite.door.evaluator(args.suite.evaluator(suite), args.common.seed)?;
        let tables = &tables::tables(jobs(args), args.common.table_mb)?;
        let (records, kept) = self.records(&args.records)?;
        let folder = records.path().to_owned();
        let book = Mutex::new(Book::new(records, kept, plan)?);
        Ok((Bench { asked: self, maker, tables, stop, book }.run()?, folder))
    }

    /// The records to write to, and what is in them already.
    fn records(&self, flags: &RecordsFlags) -> anyhow::Result<(Records, Searches)> {
        let of = (EXPERIMENT, self.suite.door.game());
        let earlier = match flags.open(of, &self.settings, Clock::Virtual)? {
            Opened::New(records) => return Ok((records, Searches::default())),
            Opened::Earlier(earlier) => earlier,
        };
        let kept = Searches::read(earlier.lines())
            .and_then(|kept| self.plan.check_models(&kept).map(|()| kept))
            .map_err(|complaint| {
                BadInput::new("results folder", earlier.path().to_string_lossy(), complaint)
            })?;
        let records = earlier.go_on(kept.all.len()).map_err(BadInput::from_error)?;
        Ok((records, kept))
    }

    /// What went wrong in the planned searches.
    fn verdicts(&self, kept: &Searches) -> Verdicts {
        let positions = &self.suite.positions;
        let mut verdicts = Verdicts::expecting(self.expected, positions.len());
        for run in self.plan.runs() {
            let Some(kept) = self.plan.find(kept, &run) else { continue };
            let ContenderKind { role, ordering, threads } = kept.contender;
            let who = || {
                format!(
                    "{}, {} with {threads} virtual processors, ordering {ordering}, costs {}, seed {}",
                    positions[run.position].text,
                    role.name(),
                    self.plan.models[run.model].name,
                    run.seed.map_or("none".to_owned(), |seed| seed.to_string())
                )
            };
            match (&kept.fault, kept.run.score) {
                (Some(fault), _) => verdicts.fail(run.position, who, fault),
                (None, Some(score)) => drop(verdicts.check_recorded(run.position, who, score)),
                (None, None) => {}
            }
        }
        verdicts
    }
}
