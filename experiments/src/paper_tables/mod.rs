//! The binary `paper_tables`: the paper's Tables I and II and the figures behind Figure 6.3.

pub mod published;
mod report;
mod text;

pub use report::{AlgorithmAtDepth, PaperAlgorithm, PaperFigures, PaperOrdering};

use crate::cli::values::{self, List};
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags, TuningFlags};
use crate::question::suite::Suite;
use crate::question::tables::table;
use crate::records::earlier::Earlier;
use crate::records::flags::RecordsFlags;
use crate::records::line::Line;
use crate::records::machine::Clock;
use crate::records::meta::{DICE, Settings};
use crate::records::recorded::RecordedSearch;
use crate::records::turns::Turns;
use crate::runner::contender::Contender;
use crate::runner::contest::{Contest, ContestEnd};
use crate::runner::pinning::Pinning;
use crate::runner::verdict::{Finished, Verdicts};
use clap::Parser;
use starsplit::search::{Algorithm, MoveOrdering, Options, StopFlag};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::PathBuf;

/// Make the paper's Tables I and II and the figures behind its Figure 6.3
///
/// Every position is searched by each algorithm with the table use of the paper's comparison: none for
/// expectimax, decision nodes for star1 and star2, all nodes for star2-tt. What no flag sets is the paper's
/// and not the library's default: every node of those kinds uses the table down to depth 1, star2-tt probes
/// the successors of every chance node, and moves are in the paper's ordering. Table I summarises the nodes,
/// Table II the seconds: least, median, greatest, mean and standard deviation over the positions. The figures
/// by depth are means over the positions of everything searched until that depth was complete, shallower
/// iterations included.
///
/// All algorithms must find the same values: the exit code is 1 and the positions are named if any differs.
/// Every run is recorded in a new folder below results, or in --out. Depth 13 is the paper's; it takes
/// minutes.
#[derive(Debug, Parser)]
#[command(name = "paper_tables", version = crate::cli::VERSION)]
pub struct PaperTablesArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 9]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Algorithms to run, such as star2,star2-tt
    #[arg(long, value_name = "LIST", default_value = "expectimax,star1,star2,star2-tt",
          value_parser = |text: &str| values::name_list::<Algorithm>("algorithms", text))]
    pub algorithms: List<Algorithm>,

    /// Move orderings to run them with: paper, static, hybrid, or several such as paper,static
    #[arg(long, value_name = "LIST", default_value = "paper",
          value_parser = |text: &str| values::name_list::<MoveOrdering>("ordering", text))]
    pub ordering: List<MoveOrdering>,

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
const DEPTH: u32 = 9;

/// What the records call it.
const EXPERIMENT: &str = "paper_tables";

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput), or whatever ends a search with an error.
pub fn run(args: &PaperTablesArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = args.suite.load()?;
    let work = PaperTablesRun { args, suite: &suite, stop };
    let tables = work.run()?;
    let ended = (&tables.report, tables.report.stopped);
    Finished::new(&tables.verdicts, ended, "algorithm", Some(&tables.folder), |verdict| {
        format!("{}{verdict}\n", tables.report.text())
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`](crate::cli::BadInput) where it could not.
pub(crate) fn check(args: &PaperTablesArgs) -> anyhow::Result<()> {
    let suite = args.suite.check(&args.expected)?;
    table(args.common.table_mb)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings(args, &suite), Clock::Real)
}

fn settings(args: &PaperTablesArgs, suite: &Suite) -> Settings {
    let depth = suite.depth_or(args.depth, DEPTH);
    let base = args.tuning.applied_to(Options::paper(Algorithm::Star2Tt));
    let (table_mb, seed) = (args.common.table_mb, args.common.seed);
    Settings::new(suite, depth, args.suite.evaluator(suite), (table_mb, seed), &base)
}

struct Tables {
    report: PaperFigures,
    verdicts: Verdicts,
    folder: PathBuf,
}

struct PaperTablesRun<'a> {
    args: &'a PaperTablesArgs,
    suite: &'a Suite,
    stop: &'a StopFlag,
}

impl PaperTablesRun<'_> {
    fn run(&self) -> anyhow::Result<Tables> {
        let PaperTablesRun { args, suite, stop } = *self;
        let maker = suite.door.evaluator(args.suite.evaluator(suite), args.common.seed)?;
        let settings = settings(args, suite);
        let depth = settings.depth;
        let table = table(args.common.table_mb)?;
        let options = |algorithm| args.tuning.applied_to(Options::paper(algorithm));
        let contender = |(&ordering, &algorithm)| {
            let options = Options { ordering, ..options(algorithm) };
            Contender::new("serial", maker.searcher(&table, options, None))
        };
        let all =
            args.ordering.0.iter().flat_map(|ordering| args.algorithms.0.iter().map(move |a| (ordering, a)));
        let contenders: Vec<_> = all.map(contender).collect();
        let expected = args.expected.scores(suite)?;
        let pinning = &Pinning::off();
        let contest = Contest { experiment: EXPERIMENT, suite, depth, repeat: 1, expected, pinning, stop };
        let opened = args.records.open((EXPERIMENT, suite.door.game()), &settings, Clock::Real)?;
        let ContestEnd { verdicts, stopped, folder, .. } = contest.run(&contenders, opened)?;
        let lines = Earlier::read(&folder)?.into_iter().flat_map(|earlier| earlier.lines());
        let is_the_paper_s = is_the_paper_s(suite.door.game(), &settings.rules);
        let mut report =
            recorded(lines, (depth, suite.positions.len()), is_the_paper_s).map_err(anyhow::Error::msg)?;
        report
            .orderings
            .retain(|found| args.ordering.0.iter().any(|ordering| ordering.name() == found.ordering));
        Ok(Tables { report: PaperFigures { stopped, ..report }, verdicts, folder })
    }
}

/// The tables of the `lines` of a folder, to this depth in a suite of so many positions, of the paper's game
/// or another. Of a position that some algorithm has not searched, or of which a value differs, nothing
/// counts.
///
/// # Errors
/// When a line is not one of a real search.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<Line, String>>,
    (depth, positions): (u32, usize),
    is_the_paper_s: bool,
) -> Result<PaperFigures, String> {
    let turns = Turns::of(lines, positions, |_| Ok(()))?;
    let mut rows: BTreeMap<usize, BTreeMap<usize, BTreeMap<usize, &RecordedSearch>>> = BTreeMap::new();
    let mut faulty = BTreeSet::new();
    for turn in &turns.list {
        let (contender, position) = (turns.contender_of(turn), turn.key.position);
        let ordering = rank(MoveOrdering::ALL, &contender.ordering)?;
        let algorithm = rank(Algorithm::ALL, &contender.algorithm)?;
        let row = rows.entry(ordering).or_default().entry(position).or_default();
        row.extend(turn.searches.first().map(|search| (algorithm, search)));
        if !turn.errors.is_empty() {
            faulty.insert((ordering, position));
        }
    }
    let orderings = rows.iter().map(|(&ordering, rows)| {
        let algorithms: BTreeSet<usize> = rows.values().flat_map(|row| row.keys().copied()).collect();
        let is_whole = |position: usize, row: &BTreeMap<_, _>| {
            row.len() == algorithms.len() && !faulty.contains(&(ordering, position))
        };
        let whole = rows.iter().filter(|&(&position, row)| is_whole(position, row));
        let rows: Vec<Vec<&RecordedSearch>> = whole.map(|(_, row)| row.values().copied().collect()).collect();
        let algorithms: Vec<_> = algorithms.iter().map(|&place| Algorithm::ALL[place]).collect();
        PaperOrdering::new(MoveOrdering::ALL[ordering], &algorithms, &rows)
    });
    Ok(PaperFigures {
        depth,
        positions,
        values_equal: faulty.is_empty(),
        orderings: orderings.collect(),
        is_the_paper_s,
        stopped: false,
    })
}

/// Whether these are the paper's game and board.
pub(crate) fn is_the_paper_s(game: &str, rules: &str) -> bool {
    game == DICE && rules.starts_with("size=5,run=4,")
}

/// The place among `all` of the one called `name`.
fn rank<T: Display>(all: &[T], name: &str) -> Result<usize, String> {
    let place = all.iter().position(|one| one.to_string() == name);
    place.ok_or_else(|| format!("expected an algorithm and an ordering in every line, not {name}"))
}
