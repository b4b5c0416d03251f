//! The command `search`: one position, searched as the flags say.

mod report;
mod table_file;
mod trace;
mod tree;

use crate::cli::outputs::{self, write_piecewise};
use crate::cli::progress::{Progress, Tell};
use crate::cli::values::{self, whole_number};
use crate::cli::{self, BadInput, Ending};
use crate::commands::search::trace::{IterationSpan, Trace};
use crate::question::algorithm::AlgorithmFlags;
use crate::question::door::{Answer, AnySearcher, Asked, Door, Entry};
use crate::question::flags::{CommonFlags, GameFlags, evaluator_help, position_help};
use crate::question::given;
use crate::question::ranked::Ranked;
use crate::question::smaller::SmallerFlags;
use crate::question::suite;
use crate::question::tables::{self, TableFlags};
use crate::records::measured::Measured;
use crate::simulate::Model;
use clap::Parser;
use report::{SearchReport, SimulatedReport, TraceReport};
use starsplit::Handle;
use starsplit::score::Grid;
use starsplit::search::{
    Algorithm, Iteration, LaneOptions, Limits, MAX_BATCH, MAX_DEPTH, MAX_FULL_DEPTH, MAX_WORKERS, Method,
    MoveOrdering, Options, RootRanking, SearchDepth, SiblingBatch, StopFlag, TableUse, Telemetry,
};
use starsplit::simulate::Simulation;
use starsplit::table::Table;
use starsplit_doors::tree_file::{Searched as TreeOf, TreeData};
use starsplit_saved::TableNames;
use starsplit_tables::AnyTable;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use table_file::TableFileFlags;
use tree::{TreeFile, TreeReport};

/// Search one position to a fixed depth
///
/// Values are told for the player who is about to roll or to move at the position, whoever that is, in the
/// game's units: in most games 1 is that player's certain win, -1 the certain loss. The score is the same as
/// an integer on the grid on which the search computes, and lower and upper are what is proven of it; they
/// are equal when the value is exact. For a fixed depth the score does not depend on the algorithm, the
/// table, the ordering or the number of threads.
///
/// A chance node and a decision node each take one of the depth; before the roll, depth 13 sees 7 rolls and 6
/// moves. The depth is reached by iterative deepening, in steps of 2 for Dice, and counts are sums over all
/// iterations.
///
/// The line goes on from the position to that depth by best moves and the likeliest outcomes. It is searched
/// for when the search is over, by one thread, within the same limits anew; no count and no time has that in
/// it.
#[derive(Debug, Parser)]
#[command(name = "search", version = crate::cli::VERSION)]
pub(super) struct SearchArgs {
    /// The game.
    #[command(flatten)]
    game: GameFlags,

    /// The position in the game's notation [default: the start, its chance events included]
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true, long_help = position_help())]
    position: Option<String>,

    /// How deep: 1 to 254, or full for the whole game [default: that of the game's suite, else 9]
    ///
    /// The whole game is searched at once, with no iteration before, and evaluations only order moves. A
    /// position that recurs is searched once, so this is much faster than a number as great. The depth that
    /// is told is the greatest number of plies left. Where the game may go on for ever, or nobody knows how
    /// long, full is an error.
    #[arg(short, long, value_name = "N|full", allow_negative_numbers = true, value_parser = Depth::read)]
    depth: Option<Depth>,

    /// Which nodes use the table: none, decision or all
    ///
    /// Without the flag, what the paper's comparison gives the algorithm.
    #[arg(long, value_name = "KINDS", value_parser = table_use, long_help = table_help())]
    table: Option<TableUse>,

    /// How many threads search
    #[arg(short, long, value_name = "N", default_value = "1", allow_negative_numbers = true,
        value_parser = values::threads)]
    threads: usize,

    /// The table.
    #[command(flatten)]
    tables: TableFlags,

    /// What is left out of the game.
    #[command(flatten)]
    smaller: SmallerFlags,

    /// How many workers take turns on each thread, so that evaluations are made in batches [default: what the
    /// evaluator's cost suggests]
    ///
    /// While one waits for an evaluation others search. With more than one all are there from the beginning,
    /// and more is searched than by one. Each reserves a stack of 16 MiB. Only evaluators that are worth it
    /// are searched in lanes.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("lanes", 1..=MAX_WORKERS as u64))]
    lanes: Option<u64>,

    /// How many evaluations are made in one call at the most where there are lanes [default: as many as a
    /// thread has lanes, 64 at least]
    #[arg(long, value_name = "CAP", allow_negative_numbers = true,
          value_parser = whole_number("batch", 1..=MAX_BATCH as u64))]
    batch: Option<u64>,

    /// What a lane asks for beside what it needs: none, probes, rest or moves [default: what the evaluator's
    /// cost suggests]
    ///
    /// probes: before a chance node is probed, the first moves of all that its outcomes lead to. rest: the
    /// same, and all other moves of a node that its first did not cut. moves: all moves of a node. All right
    /// above the leaves.
    #[arg(long, value_name = "NAME", value_parser = values::named::<SiblingBatch>)]
    sibling_batch: Option<SiblingBatch>,

    /// Make the evaluations of all lanes on a thread of its own, as of a device
    #[arg(long)]
    device: bool,

    /// How several threads share the search, such as chance-split [default: the library's]
    #[arg(long, value_name = "NAME", value_parser = values::named::<Method>, long_help = method_help())]
    method: Option<Method>,

    /// Order in which moves are tried: paper, static, hybrid or auto
    ///
    /// paper: the table move, two killers a ply, history. static: the table move, winning moves, static
    /// evaluation. hybrid: static at depth 4 and more, the paper's below. Without the flag: the library's
    /// default.
    #[arg(long, value_name = "NAME", value_parser = values::named::<MoveOrdering>)]
    ordering: Option<MoveOrdering>,

    /// Static evaluation of the leaves [default: the first that the rules have]
    #[arg(long, value_name = "NAME", long_help = evaluator_help())]
    evaluator: Option<String>,

    /// Stop after about so many nodes
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("nodes", 1..=u64::MAX))]
    nodes: Option<u64>,

    /// Stop after so many milliseconds
    #[arg(long, value_name = "MS", allow_negative_numbers = true,
          value_parser = whole_number("time-ms", 1..=u64::MAX))]
    time_ms: Option<u64>,

    /// Search on --threads virtual processors, in virtual time, by costs: measured, unit, free or a file
    ///
    /// measured: what events cost in this game on one machine. unit: a node costs 1, an evaluation 2, a split
    /// 2, a steal 20, a look for work in vain 10. free: nodes alone cost. A file as calibrate writes it: what
    /// they cost on a machine. The whole search runs on one thread, and --seed chooses among the schedules
    /// that are possible; the same seed gives the same search. Seconds and --time-ms are those of this
    /// machine all the same. Not with a method that leaves it to another pool who does what when.
    #[arg(long, value_name = "COSTS")]
    simulate: Option<String>,

    /// Write what every thread did when to a file that ui.perfetto.dev and chrome://tracing open
    ///
    /// One that is there is replaced only if it is such a trace. One lane for the iterations, and one for
    /// each thread or virtual processor, with blocks for its tasks, waits, steals and sleep. A serial search
    /// has the first alone.
    /// Under --simulate a microsecond of the file is 1000 units of virtual time.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// How many tasks the trace keeps at most, all threads together; and as many other spans
    ///
    /// Each thread has an equal share. What comes later is left out, and the answer says how much that was.
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true,
          value_parser = whole_number("trace-spans", 1..=u64::from(u32::MAX)))]
    trace_spans: u64,

    /// Rank the moves: so many of the best with their values, bounds for the rest; at a roll, what each is
    /// worth
    ///
    /// Values are exact. Of a roll it tells the value, the odds and the reply.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("top", 1..=u64::from(u32::MAX)))]
    top: Option<u64>,

    /// Write the last iteration's tree to a file: .html to look at, .jsonl for programs
    ///
    /// Every node with its roll or move, the window asked, what was proven, its phase, why it ended, the
    /// worker that searched it, and when. One that is there is replaced only if it is such a tree.
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,

    /// How many nodes the tree has at most
    ///
    /// Of a larger tree the deepest plies are left out, and the answer says so.
    #[arg(long, value_name = "N", default_value = "20000", allow_negative_numbers = true,
          value_parser = whole_number("tree-nodes", 1..=1_000_000))]
    tree_nodes: u64,

    /// Another tree to show beside it: a .jsonl that search has written
    #[arg(long, value_name = "FILE", requires = "tree")]
    tree_beside: Option<PathBuf>,

    /// The file of the table.
    #[command(flatten)]
    table_file: TableFileFlags,

    /// What every binary that searches has.
    #[command(flatten)]
    common: CommonFlags,

    /// The algorithm.
    #[command(flatten)]
    algorithm: AlgorithmFlags,
}

/// A depth asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// To the end of every line of play.
    Full,
    /// So many chance and decision nodes deep.
    To(u32),
}

impl Depth {
    fn read(text: &str) -> Result<Self, BadInput> {
        if text == "full" {
            return Ok(Depth::Full);
        }
        let expected = || BadInput::new("depth", text, format_args!("expected 1 to {MAX_DEPTH}, or full"));
        values::depth(text).map(Depth::To).map_err(|_| expected())
    }

    /// The depth to ask for, and how many plies that is at most.
    fn at(self, door: &dyn Door, position: &Entry) -> anyhow::Result<(SearchDepth, u32)> {
        let complaint = match self {
            Depth::To(depth) => return Ok((SearchDepth::Plies(depth), depth)),
            Depth::Full => match door.full_depth(position)? {
                Some(0) => "expected a game that is not over".to_owned(),
                Some(plies @ 1..=MAX_FULL_DEPTH) => return Ok((SearchDepth::ToTheEnd, plies)),
                Some(plies) => {
                    format!("expected at most {MAX_FULL_DEPTH} plies, but play may be {plies} plies long")
                }
                None => format!("expected a number, since under {} play may never end", door.rules()),
            },
        };
        Err(BadInput::new("depth", "full", complaint).into())
    }
}

fn table_help() -> String {
    format!(
        "Which nodes use the table: none, decision or all\n\n\
         Without the flag, what the paper's comparison gives the algorithm: {}. {} can do with nothing else.",
        values::paper_table_uses(),
        values::names(Algorithm::ALL.iter().filter(|algorithm| algorithm.needs_table()))
    )
}

fn method_help() -> String {
    format!(
        "How several threads share the search, such as chance-split [default: the library's]\n\n\
         {} split successors of chance nodes, {} moves of decision nodes; with {} every thread searches the \
         whole tree. {} leaves the threads to a general pool. The score is the same.",
        values::methods_that(Method::splits_chance_nodes),
        values::methods_that(Method::splits_decision_nodes),
        values::methods_that(|method| !method.splits()),
        values::methods_that(Method::uses_whole_pool),
    )
}

fn table_use(name: &str) -> Result<TableUse, BadInput> {
    name.parse().map_err(BadInput::from_error)
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends the search with an error.
pub(super) fn run(args: &SearchArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let door = args.game.open()?;
    let position = given::or_initial(&*door, args.position.as_deref())?;
    let depth = args.depth.unwrap_or_else(|| Depth::To(suite::usual_depth(args.game.info()).unwrap_or(9)));
    let (depth, plies) = depth.at(&*door, &position)?;
    let mut limits = Limits { depth, ..Limits::unbounded() }.with_stop(stop.clone());
    limits.nodes = args.nodes;
    limits.time = args.time_ms.map(Duration::from_millis);
    let options = options(args);
    check(args, &options)?;
    args.table_file.check(options.table_use, &args.tables)?;
    let beside = args.tree_beside.as_deref();
    let tree = args.tree.as_deref().map(|path| TreeFile::new(path, beside)).transpose()?;
    let model = args.simulate.as_deref().map(|name| Model::one(name, door.game())).transpose()?;
    let search = OneSearch { args, door: &*door, position, plies, limits, options, model, tree };
    let report = search.run()?;
    if args.common.json {
        cli::print_json(&report.json())?;
    } else {
        cli::print(&report.text())?;
    }
    Ok(if report.was_interrupted() { Ending::Stopped } else { Ending::Complete })
}

fn options(args: &SearchArgs) -> Options {
    let usual = args.algorithm.options();
    let timeline = if args.trace.is_some() { (args.trace_spans as usize).div_ceil(args.threads) } else { 0 };
    let tree = if args.tree.is_some() { args.tree_nodes as usize } else { 0 };
    Options {
        table_use: args.table.unwrap_or(usual.table_use),
        ordering: args.ordering.unwrap_or(usual.ordering),
        threads: args.threads,
        lanes: LaneOptions {
            count: args.lanes.map(|lanes| lanes as usize),
            batch: args.batch.map(|batch| batch as usize),
            sibling_batch: args.sibling_batch.unwrap_or_default(),
            device: args.device,
        },
        method: args.method.unwrap_or(usual.method),
        telemetry: Telemetry { timeline, tree, ..usual.telemetry },
        root_ranking: args.top.map_or(usual.root_ranking, |top| RootRanking::Best(top as u32)),
        ..usual
    }
}

/// Whether the flags fit together, and the trace can be written.
fn check(args: &SearchArgs, options: &Options) -> Result<(), BadInput> {
    options.check().map_err(BadInput::from_error)?;
    let method = options.method;
    if args.simulate.is_some() && options.threads > 1 && method.uses_whole_pool() {
        return Err(BadInput::new("method", method.name(), "expected one that can be simulated"));
    }
    let lanes = options.lanes.count.filter(|&lanes| lanes > 1);
    if lanes.is_some() && method.uses_whole_pool() {
        let complaint = "expected one without threads of its own where there are lanes";
        return Err(BadInput::new("method", method.name(), complaint));
    }
    if let (true, Some(found)) = (args.simulate.is_some(), lanes) {
        return Err(BadInput::new("lanes", found.to_string(), "expected 1 in a simulated search"));
    }
    args.trace.as_ref().map_or(Ok(()), |path| outputs::check("trace", path, "search --trace", trace::is_own))
}

struct OneSearch<'a> {
    args: &'a SearchArgs,
    door: &'a dyn Door,
    position: Entry,
    /// How deep that is at most, for the progress.
    plies: u32,
    limits: Limits,
    options: Options,
    /// What events cost where the search is simulated.
    model: Option<Model>,
    tree: Option<TreeFile<'a>>,
}

impl OneSearch<'_> {
    fn run(&self) -> anyhow::Result<SearchReport<'_>> {
        let args = self.args;
        let name = args.evaluator.as_deref().unwrap_or_else(|| self.door.default_evaluator());
        let maker = args.smaller.evaluator(self.door, name, args.common.seed)?;
        let identity = maker.table_identity(self.table_names(name), self.options.reuse);
        let (table, table_file) = match args.table_file.open(&identity, args.common.table_mb)? {
            Some((table, report)) => (table, Some(report)),
            None => (self.new_table()?, None),
        };
        let searcher = maker.searcher(&table, self.options.clone(), None);
        let Searched { answer, wall, iterations, simulated } = match &self.model {
            Some(model) => self.simulated(&*searcher, model)?,
            None => self.timed(&*searcher)?,
        };
        let measured = Measured::new(searcher.grid(), &self.options, &answer, wall);
        let mib = args.tables.mib(args.common.table_mb);
        // What the search for the line does at the table is not counted.
        let counted = report::table(&self.options, &table, mib, &measured);
        // Before the line is searched for: a search that was stopped leaves what it has.
        let table_file = args.table_file.save(&table, &identity, table_file)?;
        let has_line = answer.depth > 0;
        let line = has_line.then(|| searcher.pv(&self.position, &answer, &self.limits)).transpose()?;
        let trace =
            args.trace.as_ref().map(|path| self.write_trace(path, &answer, &iterations)).transpose()?;
        let rank = |top| Ranked::new(&*searcher, &self.position, (&answer, &self.limits), top);
        let ranked = args.top.filter(|_| has_line).map(rank).transpose()?;
        let grid = searcher.grid();
        let tree = self.write_tree(&answer, (grid, measured.value))?;
        drop(searcher);
        table.close()?;
        Ok(SearchReport {
            game: self.door.game(),
            position: &self.position.text,
            options: &self.options,
            evaluator: name,
            grid,
            answer,
            measured,
            table: counted,
            table_file,
            line,
            simulated,
            trace,
            tree,
            ranked,
        })
    }

    /// An empty table. Without a table the smallest does, which is not looked into: code for searches of a
    /// type of their own would take as long to build as all of these.
    fn new_table(&self) -> anyhow::Result<AnyTable> {
        let table = match self.options.table_use {
            TableUse::None => tables::smallest()?,
            _ => self.args.tables.table(self.args.common.table_mb)?,
        };
        table.clear(if self.model.is_some() { 1 } else { self.options.threads });
        Ok(table)
    }

    /// What people call what the table is of.
    fn table_names(&self, evaluator: &str) -> TableNames {
        let (game, rules) = (self.door.game().to_owned(), self.door.rules());
        TableNames { game, rules, evaluator: evaluator.to_owned() }
    }

    /// On threads.
    fn timed(&self, searcher: &dyn AnySearcher) -> anyhow::Result<Searched> {
        let handle = Handle::new();
        // A search to the end has no iterations to count.
        let total = matches!(self.limits.depth, SearchDepth::Plies(_)).then_some(u64::from(self.plies));
        let progress = Progress::told("search", total, tell(handle.clone(), searcher.grid()));
        let mut iterations = Vec::new();
        let watch = &mut |found: &Iteration<String, String>| {
            progress.reach(u64::from(found.depth));
            iterations.push(IterationSpan::new(found, iterations.last()));
        };
        let asked = Asked { handle: Some(&handle), ..Asked::from(&self.limits) };
        let timed = searcher.search_with(&self.position, asked, watch)?;
        let wall = timed.wall();
        Ok(Searched { answer: timed.answer, wall, iterations, simulated: None })
    }

    /// On virtual processors.
    fn simulated(&self, searcher: &dyn AnySearcher, model: &Model) -> anyhow::Result<Searched> {
        let seed = self.args.common.seed;
        let costs = model.on(self.options.threads).into();
        let simulation = Simulation { costs, seed };
        let start = Instant::now();
        let found = searcher.simulate(&self.position, &self.limits, &simulation)?;
        let report = SimulatedReport {
            costs: model.name.clone(),
            seed,
            processors: self.options.threads,
            // No virtual clock goes beyond 64 bits.
            virtual_time: found.result.elapsed.as_nanos() as u64,
            events: found.events,
        };
        let (answer, wall) = (found.result, start.elapsed());
        Ok(Searched { answer, wall, iterations: Vec::new(), simulated: Some(report) })
    }

    fn write_tree(
        &self,
        answer: &Answer,
        (grid, value): (Grid, Option<f64>),
    ) -> anyhow::Result<Option<TreeReport>> {
        let (Some(file), Some(tree)) = (&self.tree, &answer.tree) else { return Ok(None) };
        let OneSearch { door, position, options, .. } = self;
        let searched = TreeOf {
            game: door.game(),
            rules: door.rules(),
            position: &position.text,
            drawn: door.play().and_then(|play| play.draw(position).ok()).unwrap_or_default(),
            options,
            grid,
            simulated: self.model.is_some(),
        };
        let data = TreeData::new(&searched, answer, value, tree);
        file.write(&data, (tree.left_out, tree.deepest_ply)).map(Some)
    }

    fn write_trace(
        &self,
        path: &Path,
        answer: &Answer,
        iterations: &[IterationSpan],
    ) -> anyhow::Result<TraceReport> {
        let Options { method, threads, .. } = self.options;
        let is_virtual = self.model.is_some();
        let workers = if is_virtual { "virtual processors, in virtual time" } else { "threads" };
        let title = format!("{method} on {threads} {workers}");
        let trace = Trace { title: &title, is_virtual, iterations, workers: &answer.workers };
        write_piecewise(path, |file| trace.write(file))?;
        Ok(TraceReport {
            file: path.to_owned(),
            iterations: iterations.len(),
            spans: trace.spans(),
            dropped_spans: trace.dropped(),
        })
    }
}

/// What a search came to.
struct Searched {
    answer: Answer,
    /// How long it took in real time.
    wall: Duration,
    /// Its iterations, of a search on threads.
    iterations: Vec<IterationSpan>,
    /// What it took in virtual time.
    simulated: Option<SimulatedReport>,
}

/// Tells how far the search of this handle has come: nodes, and what its last iteration found.
fn tell(handle: Handle<String, String>, grid: Grid) -> Tell {
    Box::new(move || {
        let nodes = format!("{} nodes", handle.nodes());
        let Some(found) = handle.iteration().filter(|found| found.bounds.is_exact()) else { return nodes };
        let mv = found.best_move.map_or_else(String::new, |mv| format!(" by {mv}"));
        format!("{nodes}; depth {}: {:+.4}{mv}", found.depth, grid.value(found.bounds.lower))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit::search::Algorithm;

    fn options_of(args: &[&str]) -> Options {
        options(&SearchArgs::try_parse_from([&["search"], args].concat()).unwrap())
    }

    #[test]
    fn without_flags_the_options_are_the_librarys() {
        assert_eq!(options_of(&[]), Options::default());
    }

    #[test]
    fn only_the_use_of_the_table_is_the_papers() {
        for &algorithm in Algorithm::ALL {
            let table_use = Options::paper(algorithm).table_use;
            let expected = Options { algorithm, table_use, ..Options::default() };
            assert_eq!(options_of(&["--algorithm", algorithm.name()]), expected);
        }
    }
}
