//! The binary `limit`: how far a search is from the same search when every best move is known beforehand.

mod foresight;

use anyhow::Context;
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use foresight::{Foresight, Noting};
use serde::Serialize;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit_games::dice::{Dice, Network, Position};
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::table::{LocklessTable, Table as _};
use starsplit_experiments::cli::progress::Progress;
use starsplit_experiments::cli::values;
use starsplit_experiments::cli::{self, BadInput, Ending};
use starsplit_experiments::question::door::{Entry, SearcherMaker};
use starsplit_experiments::question::doors::dice;
use starsplit_experiments::question::flags::{CommonFlags, TuningFlags};
use starsplit_experiments::question::suite::Suite;
use starsplit_experiments::question::tables::table;
use starsplit_experiments::question::typed::in_words;
use starsplit_experiments::records::measured::Measured;
use starsplit_experiments::runner::measure::measure;
use starsplit_experiments::runner::verdict::{Finished, Verdicts};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    cli::main_with(|args: LimitArgs, stop| run(&args, stop))
}

/// Compare a search with the same search when every best move is known beforehand
///
/// Every position is searched by the default search. The best moves of every node that it looked up are kept,
/// all bounds are erased, and it is searched again, with each node's best move first and without shallower
/// iterations: so many nodes this algorithm needs even if it never tries a wrong move first where the table
/// names one. The third figure is the time of evaluating just what that second search evaluates, one after
/// another, and nothing else.
///
/// The exit code is 1 when the two searches find different values.
#[derive(Debug, Parser)]
#[command(name = "limit", version)]
struct LimitArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 9]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    depth: Option<u32>,

    /// Positions to search: the name of a suite, paper or large, or a file
    #[arg(long, value_name = "NAME|FILE", default_value = "paper")]
    suite: String,

    /// Static evaluation of the leaves: network or network:FILE
    #[arg(long, value_name = "NAME", default_value = "network")]
    evaluator: String,

    #[command(flatten)]
    #[allow(missing_docs)]
    common: CommonFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    tuning: TuningFlags,
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 9;

/// One position, or the sum of all.
#[derive(Clone, Debug, Default, Serialize)]
struct LimitLine {
    position: String,
    /// What the search takes.
    nodes: u64,
    evaluations: u64,
    seconds: f64,
    /// What it takes when every best move is known.
    known_nodes: u64,
    known_evaluations: u64,
    /// How long the evaluations of that take by themselves.
    evaluating_seconds: f64,
}

impl LimitLine {
    /// The search's nodes over those with known moves.
    fn node_ratio(&self) -> f64 {
        self.nodes as f64 / self.known_nodes as f64
    }

    /// The search's time over that of evaluating the leaves with known moves.
    fn time_ratio(&self) -> f64 {
        self.seconds / self.evaluating_seconds
    }

    fn add(&mut self, other: &LimitLine) {
        self.nodes += other.nodes;
        self.evaluations += other.evaluations;
        self.seconds += other.seconds;
        self.known_nodes += other.known_nodes;
        self.known_evaluations += other.known_evaluations;
        self.evaluating_seconds += other.evaluating_seconds;
    }
}

/// Everything, in the form of the JSON object.
#[derive(Clone, Debug, Serialize)]
struct LimitReport {
    depth: u32,
    values_equal: bool,
    positions: Vec<LimitLine>,
    all: LimitLine,
    /// Of `all`.
    node_ratio: f64,
    time_ratio: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
fn run(args: &LimitArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let suite = Suite::load(&args.suite).map_err(BadInput::from_error)?;
    let dice = Dice::new(dice::rules(&suite.door.rules())?);
    let network = dice::network(&args.evaluator, &dice)?;
    let maker = suite.door.evaluator(&args.evaluator, args.common.seed)?;
    let work = LimitRun { args, suite: &suite, maker: &*maker, dice, network, stop };
    let (report, verdicts) = work.run()?;
    let ended = (&report, report.stopped);
    let text = |verdict: &str| format!("{}\n{verdict}\n", report.text());
    Finished::new(&verdicts, ended, "search", None, text)?.print(args.common.json)
}

struct LimitRun<'a> {
    args: &'a LimitArgs,
    suite: &'a Suite,
    maker: &'a dyn SearcherMaker,
    /// What the suite's door and the maker hold: searches with a table and an evaluator of their own do not
    /// fit through these.
    dice: Dice,
    network: Network,
    stop: &'a StopFlag,
}

impl LimitRun<'_> {
    fn run(&self) -> anyhow::Result<(LimitReport, Verdicts)> {
        let positions = self.suite.positions.len();
        let depth = self.suite.depth_or(self.args.depth, DEPTH);
        let limits = Limits::depth(depth).with_stop(self.stop.clone());
        let table = table(self.args.common.table_mb)?;
        let progress = Progress::new("limit", positions as u64);
        let mut verdicts = Verdicts::new(positions);
        let mut all = LimitLine { position: "all".to_owned(), ..LimitLine::default() };
        let (mut lines, mut stopped) = (Vec::new(), false);
        for index in 0..positions {
            match self.line(index, &table, &limits, &mut verdicts)? {
                Some(line) => {
                    all.add(&line);
                    lines.push(line);
                }
                None => {
                    stopped = true;
                    break;
                }
            }
            progress.advance();
        }
        let (node_ratio, time_ratio) = (all.node_ratio(), all.time_ratio());
        let values_equal = verdicts.all_equal();
        let report =
            LimitReport { depth, values_equal, positions: lines, all, node_ratio, time_ratio, stopped };
        Ok((report, verdicts))
    }
}

impl LimitRun<'_> {
    /// The searches of one position; `None` when Ctrl-C came between.
    fn line(
        &self,
        index: usize,
        table: &LocklessTable,
        limits: &Limits,
        verdicts: &mut Verdicts,
    ) -> anyhow::Result<Option<LimitLine>> {
        let entry = &self.suite.positions[index];
        let options = self.args.tuning.applied_to(Options::default());
        let usual = measure(&*self.maker.searcher(table, options.clone(), None), entry, limits)?;
        let noting = Noting::new(self.network.clone());
        let known = self.search_with_foresight(&noting, table, options, entry, limits)?;
        let Some(known) = known else { return Ok(None) };
        if usual.stopped || known.stopped {
            return Ok(None);
        }
        for (who, found) in [("the search", &usual), ("with known moves", &known)] {
            verdicts.check(index, || format!("{}, {who}", entry.text), found);
        }
        let start = Instant::now();
        black_box(noting.repeat(&self.dice));
        Ok(Some(LimitLine {
            position: entry.text.clone(),
            nodes: usual.nodes,
            evaluations: usual.evaluations,
            seconds: usual.seconds(),
            known_nodes: known.nodes,
            known_evaluations: known.evaluations,
            evaluating_seconds: start.elapsed().as_secs_f64(),
        }))
    }

    /// Searches to learn the best moves, and again when they are known, which is what counts; `None` when the
    /// first search was stopped. `noting` is told what the second evaluates.
    fn search_with_foresight(
        &self,
        noting: &Noting<Dice, Network>,
        table: &LocklessTable,
        options: Options,
        entry: &Entry,
        limits: &Limits,
    ) -> anyhow::Result<Option<Measured>> {
        let position = entry.position::<Position>().context("a position of Dice")?;
        let learning = Foresight::new(table);
        let first = Searcher::new(self.dice.clone(), &self.network, &learning).with_options(options.clone());
        if measure_own(&first, position, limits)?.stopped {
            return Ok(None);
        }
        let knowing = learning.into_known();
        let at_once = Options { deepening: false, ..options };
        let second = Searcher::new(self.dice.clone(), noting, &knowing).with_options(at_once);
        Ok(Some(measure_own(&second, position, limits)?))
    }
}

/// As [`measure`], with an evaluator and a table that no door knows.
fn measure_own<E: Evaluator<Dice>>(
    searcher: &Searcher<Dice, E, &Foresight<'_>>,
    position: &Position,
    limits: &Limits,
) -> anyhow::Result<Measured> {
    searcher.table().clear(searcher.options().threads);
    let start = Instant::now();
    let result = searcher.search_within(position, limits)?;
    let wall = start.elapsed();
    let answer = in_words(searcher.game(), position, result);
    Ok(Measured::new(searcher.game().grid(), searcher.options(), &answer, wall))
}

impl LimitReport {
    /// The figures for people: position by position, and all together.
    fn text(&self) -> String {
        let mut table = Table::new();
        let millions = |count: u64| format!("{:.3}", count as f64 * 1e-6);
        table.load_style(presets::UTF8_FULL_CONDENSED).set_header([
            "position",
            "nodes (millions)",
            "known moves",
            "ratio",
            "evaluations (millions)",
            "known moves",
            "seconds",
            "evaluating alone",
            "ratio",
        ]);
        for line in self.positions.iter().chain([&self.all]) {
            table.add_row([
                line.position.clone(),
                millions(line.nodes),
                millions(line.known_nodes),
                format!("{:.2}", line.node_ratio()),
                millions(line.evaluations),
                millions(line.known_evaluations),
                format!("{:.4}", line.seconds),
                format!("{:.4}", line.evaluating_seconds),
                format!("{:.1}", line.time_ratio()),
            ]);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        format!("To depth {}, and with every best move known beforehand\n{table}\n", self.depth)
    }
}
