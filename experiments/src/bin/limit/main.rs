//! The binary `limit`: how far a search is from the same search when every best move is known beforehand.

mod foresight;

use anyhow::Context;
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use foresight::{Foresight, Noting};
use serde::Serialize;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::table::Table as _;
use starsplit_experiments::cli::progress::Progress;
use starsplit_experiments::cli::values;
use starsplit_experiments::cli::{self, BadInput, Ending};
use starsplit_experiments::question::door::{Entry, SearcherMaker};
use starsplit_experiments::question::flags::{CommonFlags, SuiteFlags, TuningFlags};
use starsplit_experiments::question::suite::Suite;
use starsplit_experiments::question::tables::table;
use starsplit_experiments::question::typed::in_words;
use starsplit_experiments::records::measured::Measured;
use starsplit_experiments::runner::measure::measure;
use starsplit_experiments::runner::verdict::{Finished, Verdicts};
use starsplit_games::{EvaluatorVisitor, GameInfo, GameVisitor, KnownGame, list};
use starsplit_tables::AnyTable;
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
#[command(name = "limit", version = starsplit_experiments::cli::VERSION)]
struct LimitArgs {
    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 9]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    depth: Option<u32>,

    #[command(flatten)]
    #[allow(missing_docs)]
    suite: SuiteFlags,

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
    let suite = args.suite.load()?;
    let maker = suite.door.evaluator(args.suite.evaluator(&suite), args.common.seed)?;
    let asked = Asked { args, suite: &suite, maker: &*maker, stop };
    let rules = suite.door.rules();
    let found = list::open(suite.door.game(), Some(&rules), asked).map_err(BadInput::from_error)?;
    let (report, verdicts) = found?;
    let ended = (&report, report.stopped);
    let text = |verdict: &str| format!("{}\n{verdict}\n", report.text());
    Finished::new(&verdicts, ended, "search", None, text)?.print(args.common.json)
}

/// What is asked, whatever the types of the game and the evaluator.
#[derive(Clone, Copy)]
struct Asked<'a> {
    args: &'a LimitArgs,
    suite: &'a Suite,
    maker: &'a dyn SearcherMaker,
    stop: &'a StopFlag,
}

impl GameVisitor for Asked<'_> {
    type Output = anyhow::Result<(LimitReport, Verdicts)>;

    fn visit<G: KnownGame>(self, _: &'static GameInfo, game: G) -> Self::Output {
        let (name, seed) = (self.args.suite.evaluator(self.suite), self.args.common.seed);
        let of_game = AskedOfGame { asked: self, game: game.clone() };
        game.visit_evaluator(name, seed, of_game).map_err(BadInput::from_error)?
    }
}

/// What is asked of a game.
struct AskedOfGame<'a, G> {
    asked: Asked<'a>,
    game: G,
}

impl<G: KnownGame> EvaluatorVisitor<G> for AskedOfGame<'_, G> {
    type Output = anyhow::Result<(LimitReport, Verdicts)>;

    fn visit<E: Evaluator<G> + Clone>(self, evaluator: E) -> Self::Output {
        let Asked { args, suite, maker, stop } = self.asked;
        LimitRun { args, suite, maker, game: self.game, evaluator, stop }.run()
    }
}

struct LimitRun<'a, G, E> {
    args: &'a LimitArgs,
    suite: &'a Suite,
    maker: &'a dyn SearcherMaker,
    /// What the suite's door and the maker hold: searches with a table and an evaluator of their own do not
    /// fit through these.
    game: G,
    evaluator: E,
    stop: &'a StopFlag,
}

impl<G: KnownGame, E: Evaluator<G> + Clone> LimitRun<'_, G, E> {
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

    /// The searches of one position; `None` when Ctrl-C came between.
    fn line(
        &self,
        index: usize,
        table: &AnyTable,
        limits: &Limits,
        verdicts: &mut Verdicts,
    ) -> anyhow::Result<Option<LimitLine>> {
        let entry = &self.suite.positions[index];
        let options = self.args.tuning.applied_to(Options::default());
        let usual = measure(&*self.maker.searcher(table, options.clone(), None), entry, limits)?;
        let noting = Noting::new(self.evaluator.clone());
        let known = self.search_with_foresight(&noting, table, options, entry, limits)?;
        let Some(known) = known else { return Ok(None) };
        if usual.stopped || known.stopped {
            return Ok(None);
        }
        for (who, found) in [("the search", &usual), ("with known moves", &known)] {
            verdicts.check(index, || format!("{}, {who}", entry.text), found);
        }
        let start = Instant::now();
        black_box(noting.repeat(&self.game));
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
    /// first search was stopped. `noting` is told what the second evaluates: a search is compiled
    /// for one type of evaluator only.
    fn search_with_foresight(
        &self,
        noting: &Noting<G, E>,
        table: &AnyTable,
        options: Options,
        entry: &Entry,
        limits: &Limits,
    ) -> anyhow::Result<Option<Measured>> {
        let position = entry.position::<G::Position>().context("a position of the suite's game")?;
        let learning = Foresight::new(table);
        let first = Searcher::new(self.game.clone(), noting, &learning).with_options(options.clone());
        if measure_own(&first, position, limits)?.stopped {
            return Ok(None);
        }
        let knowing = learning.into_known();
        noting.forget();
        let at_once = Options { deepening: false, ..options };
        let second = Searcher::new(self.game.clone(), noting, &knowing).with_options(at_once);
        Ok(Some(measure_own(&second, position, limits)?))
    }
}

/// As [`measure`], with an evaluator and a table that no door knows.
fn measure_own<G: KnownGame, E: Evaluator<G>>(
    searcher: &Searcher<G, &Noting<G, E>, &Foresight<'_>>,
    position: &G::Position,
    limits: &Limits,
) -> anyhow::Result<Measured> {
    searcher.table().clear(searcher.options().threads);
    let start = Instant::now();
    let result = searcher.search_within(position, limits)?;
    let wall = start.elapsed();
    let answer = in_words(searcher.game(), position, result);
    Ok(Measured::new(searcher.game().facts().grid, searcher.options(), &answer, wall))
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
