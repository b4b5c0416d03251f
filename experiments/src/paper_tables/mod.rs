//! The binary `paper_tables`: the paper's Tables I and II and the figures behind Figure 6.3.

pub mod published;
mod report;
pub(crate) mod text;

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
use crate::runner::verdict::Finished;
use clap::Parser;
use starsplit::search::{Algorithm, MoveOrdering, Options, StopFlag};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

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
#[allow(missing_docs, reason = "flattened flags say themselves what they are")]
#[command(name = "paper-tables", version = crate::cli::VERSION)]
pub struct PaperTablesArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 9]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Algorithms to run, such as star2,star2-tt
    #[arg(long = "algorithm", alias = "algorithms", value_name = "LIST",
          default_value = "expectimax,star1,star2,star2-tt",
          value_parser = |text: &str| values::name_list::<Algorithm>("algorithm", text))]
    pub algorithms: List<Algorithm>,

    /// Move orderings to run them with: paper, static, hybrid, or several such as paper,static
    #[arg(long, value_name = "LIST", default_value = "paper",
          value_parser = |text: &str| values::name_list::<MoveOrdering>("ordering", text))]
    pub ordering: List<MoveOrdering>,

    #[command(flatten)]
    pub suite: SuiteFlags,

    #[command(flatten)]
    pub records: RecordsFlags,

    #[command(flatten)]
    pub expected: ExpectedFlag,

    #[command(flatten)]
    pub common: CommonFlags,

    #[command(flatten)]
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
    let suite = &args.suite.load()?;
    let ContestEnd { verdicts, stopped, folder, .. } = search(args, suite, stop)?;
    let settings = settings(args, suite);
    let lines = Earlier::read(&folder)?.into_iter().flat_map(|earlier| earlier.lines());
    let is_the_paper_s = is_the_paper_s(suite.door.game(), &settings.rules);
    let found = recorded(lines, (settings.depth, suite.positions.len()), is_the_paper_s);
    let mut report = PaperFigures { stopped, ..found.map_err(anyhow::Error::msg)? };
    let is_asked_for = |name: &str| args.ordering.0.iter().any(|ordering| ordering.name() == name);
    report.orderings.retain(|found| is_asked_for(found.ordering));
    Finished::new(&verdicts, (&report, stopped), "algorithm", Some(&folder), |verdict| {
        format!("{}{verdict}\n", report.text())
    })
}

/// Searches and records what is not recorded yet.
fn search(args: &PaperTablesArgs, suite: &Suite, stop: &StopFlag) -> anyhow::Result<ContestEnd> {
    let maker = suite.door.evaluator(args.suite.evaluator(suite), args.common.seed)?;
    let (settings, table) = (settings(args, suite), table(args.common.table_mb)?);
    let mut contenders = Vec::new();
    for &ordering in &args.ordering.0 {
        for &algorithm in &args.algorithms.0 {
            let options = Options { ordering, ..args.tuning.applied_to(Options::paper(algorithm)) };
            contenders.push(Contender::new("serial", maker.searcher(&table, options, None)));
        }
    }
    let (depth, expected, pinning) = (settings.depth, args.expected.scores(suite)?, &Pinning::off());
    let (experiment, places) = (EXPERIMENT, (0..suite.positions.len()).collect());
    let contest = Contest { experiment, suite, places, depth, repeat: 1, expected, pinning, stop };
    let opened = args.records.open((EXPERIMENT, suite.door.game()), &settings, Clock::Real)?;
    contest.run(&contenders, opened)
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
    let orderings = rows.into_iter().map(|(ordering, mut rows)| {
        let algorithms: BTreeSet<usize> = rows.values().flat_map(|row| row.keys().copied()).collect();
        rows.retain(|&position, row| {
            row.len() == algorithms.len() && !faulty.contains(&(ordering, position))
        });
        let figures = algorithms.into_iter().map(|algorithm| {
            let runs: Vec<_> = rows.values().map(|row| row[&algorithm]).collect();
            PaperAlgorithm::new(Algorithm::ALL[algorithm], &runs)
        });
        let ordering = MoveOrdering::ALL[ordering].name();
        PaperOrdering { ordering, positions: rows.len(), algorithms: figures.collect() }
    });
    let (orderings, values_equal) = (orderings.collect(), faulty.is_empty());
    Ok(PaperFigures { depth, positions, values_equal, orderings, is_the_paper_s, stopped: false })
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
