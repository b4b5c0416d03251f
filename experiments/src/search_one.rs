//! The binary `search`: one position, searched as the flags say.

use crate::cli::{self, BadInput, Ending, shown};
use crate::flags::{self, CommonFlags, TuningFlags, whole_number};
use crate::measure::Measured;
use crate::progress::Progress;
use crate::setup::{self, EvaluatorName, WithEvaluator, with_evaluator};
use clap::Parser;
use serde::Serialize;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::games::dice::{Dice, Position, Rules};
use starsplit::score::Score;
use starsplit::search::{
    Algorithm, Interrupted, Limits, MAX_DEPTH, Method, MoveOrdering, Options, SearchResult, StopFlag,
    StopReason, TableUse,
};
use starsplit::table::{NoTable, Table};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Search one position to a fixed depth
///
/// Values are told for the player who is about to roll or to move at the position, whoever that is: 1 is that
/// player's certain win, -1 the certain loss. The score is the same as an integer on the grid on which the search
/// computes, and lower and upper are what is proven of it; they are equal when the value is exact. For a fixed depth
/// the score does not depend on the algorithm, the table, the ordering or the number of threads.
///
/// A chance node and a decision node each take one of the depth; before the roll, depth 13 sees 7 rolls and 6 moves.
/// The depth is reached by iterative deepening, in steps of 2 for Dice, and counts are sums over all iterations.
#[derive(Debug, Parser)]
#[command(name = "search", version)]
pub struct SearchArgs {
    /// The game; dice is the only one so far
    #[arg(long, value_name = "NAME", default_value = "dice", value_parser = game)]
    pub game: String,

    /// Board size, length of a winning run, and what a roll of a full line means
    ///
    /// size is 2 to 8, run is 2 to size, full-line is reroll (only lines with room are rolled) or pass (the turn is
    /// lost). What is left out has its default: 5, 4 and reroll.
    #[arg(long, value_name = "RULES", default_value = "size=5,run=4,full-line=reroll", value_parser = setup::rules)]
    pub rules: Rules,

    /// The position in Dice's notation; without the flag, the empty board before the first roll
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,

    /// How deep: 1 to 254, or full for the whole game, where the rules bound it
    ///
    /// Under full-line=pass the game may go on for ever, and full is an error.
    #[arg(long, value_name = "N|full", default_value = "9", allow_negative_numbers = true)]
    #[arg(value_parser = Depth::read)]
    pub depth: Depth,

    /// expectimax, star1, star2 or star2-tt
    #[arg(long, value_name = "NAME", default_value = "star2-tt", value_parser = algorithm)]
    pub algorithm: Algorithm,

    /// Which nodes use the table: none, decision or all
    ///
    /// Without the flag, what the paper's comparison gives the algorithm: none for expectimax, decision for star1 and
    /// star2, all for star2-tt, which needs it.
    #[arg(long, value_name = "KINDS", value_parser = table_use)]
    pub table: Option<TableUse>,

    /// How many threads search; above 1 for star2-tt only
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = flags::threads)]
    pub threads: usize,

    /// How several threads share the search, such as chance-split [default: the library's]
    ///
    /// chance-split and decision-split split the successors of nodes of one kind, both of either, root-split those of
    /// the root; fork-join makes jobs for a general pool of the successors of chance nodes; with shared-table and
    /// abdada every thread searches the whole tree. The score is the same.
    #[arg(long, value_name = "NAME", value_parser = flags::method)]
    pub method: Option<Method>,

    /// Order in which moves are tried: paper, static or hybrid
    ///
    /// paper: the table move, two killers a ply, history. static: the table move, winning moves, static evaluation.
    /// hybrid: static at depth 4 and more, the paper's below. Without the flag: the library's default.
    #[arg(long, value_name = "NAME", value_parser = flags::ordering)]
    pub ordering: Option<MoveOrdering>,

    /// Static evaluation: constant, hash-random, runs, network or network:FILE
    ///
    /// Without the flag: network for a board of 5 by 5 with runs of 4, for which the network that comes with the
    /// library was trained; constant, which calls every unfinished game even, for other boards.
    #[arg(long, value_name = "NAME")]
    pub evaluator: Option<EvaluatorName>,

    /// Stop after about so many nodes
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number("nodes", 1..=u64::MAX))]
    pub nodes: Option<u64>,

    /// Stop after so many milliseconds
    #[arg(long, value_name = "MS", allow_negative_numbers = true,
          value_parser = whole_number("time-ms", 1..=u64::MAX))]
    pub time_ms: Option<u64>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub tuning: TuningFlags,
}

/// A depth asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
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
        flags::depth(text).map(Depth::To).map_err(|_| expected())
    }

    fn at(self, dice: &Dice, position: &Position) -> Result<u32, BadInput> {
        match (self, dice.full_depth(position)) {
            (Depth::To(depth), _) => Ok(depth),
            (Depth::Full, Some(0)) => Err(BadInput::new("depth", "full", "expected a game that is not over")),
            (Depth::Full, Some(depth)) => Ok(depth),
            (Depth::Full, None) => {
                let complaint =
                    format_args!("expected a number, since under {} play may never end", dice.rules())
                        .to_string();
                Err(BadInput::new("depth", "full", complaint))
            }
        }
    }
}

fn game(name: &str) -> Result<String, BadInput> {
    if name == "dice" { Ok(name.to_owned()) } else { Err(BadInput::new("game", name, "expected dice")) }
}

fn algorithm(name: &str) -> Result<Algorithm, BadInput> {
    name.parse().map_err(BadInput::from_error)
}

fn table_use(name: &str) -> Result<TableUse, BadInput> {
    name.parse().map_err(BadInput::from_error)
}

/// What the search answers, in the form of the JSON object.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    game: String,
    position: String,
    depth: u32,
    algorithm: &'static str,
    value: Option<f64>,
    score: Option<Score>,
    lower: Score,
    upper: Score,
    exact: bool,
    best_move: Option<String>,
    nodes: u64,
    decision_nodes: u64,
    chance_nodes: u64,
    leaves: u64,
    seconds: f64,
    table: TableReport,
    evaluations: u64,
    successor_probes: u64,
    stopped: Option<&'static str>,
    interrupted: Option<InterruptedReport>,
}

#[derive(Clone, Debug, Serialize)]
struct TableReport {
    #[serde(rename = "use")]
    table_use: &'static str,
    mb: u64,
    /// Thousandths of the slots in use.
    hashfull: u32,
    #[serde(flatten)]
    counts: BTreeMap<&'static str, u64>,
}

#[derive(Clone, Debug, Serialize)]
struct InterruptedReport {
    depth: u32,
    lower: Score,
    upper: Score,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends the search with an error.
pub fn main(args: &SearchArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let dice = Dice::new(args.rules);
    let position = position(&dice, args.position.as_deref())?;
    let mut limits = Limits::depth(args.depth.at(&dice, &position)?).with_stop(stop.clone());
    limits.nodes = args.nodes;
    limits.time = args.time_ms.map(Duration::from_millis);
    let options = options(args);
    options.check().map_err(BadInput::from_error)?;
    let evaluator = args.evaluator.clone().unwrap_or_else(|| EvaluatorName::default_for(&args.rules));
    let work = OneSearch { dice: dice.clone(), position, limits, options, table_mb: args.common.table_mb };
    let report = with_evaluator(&evaluator, &dice, args.common.seed, work)?;
    if args.common.json {
        cli::print_json(&report)?;
    } else {
        cli::print(&report.text())?;
    }
    Ok(if report.stopped == Some(reason(StopReason::Flag)) { Ending::Stopped } else { Ending::Complete })
}

fn position(dice: &Dice, text: Option<&str>) -> Result<Position, BadInput> {
    let Some(text) = text else { return Ok(dice.initial()) };
    dice.parse(text).map_err(|error| BadInput::from_error(format_args!("position {}: {error}", shown(text))))
}

fn options(args: &SearchArgs) -> Options {
    let defaults = Options::default();
    args.tuning.applied_to(Options {
        algorithm: args.algorithm,
        // Only this differs between the algorithms: not all of them can do with the library's default.
        table_use: args.table.unwrap_or(Options::paper(args.algorithm).table_use),
        ordering: args.ordering.unwrap_or(defaults.ordering),
        threads: args.threads,
        method: args.method.unwrap_or(defaults.method),
        ..defaults
    })
}

struct OneSearch {
    dice: Dice,
    position: Position,
    limits: Limits,
    options: Options,
    table_mb: u64,
}

impl WithEvaluator for OneSearch {
    type Output = Report;

    fn run<E: Evaluator<Dice> + Clone>(self, evaluator: E) -> anyhow::Result<Report> {
        if self.options.table_use == TableUse::None {
            self.search(evaluator, NoTable, 0)
        } else {
            let table = setup::table(self.table_mb)?;
            table.clear(self.options.threads);
            let table_mb = self.table_mb;
            self.search(evaluator, &table, table_mb)
        }
    }
}

impl OneSearch {
    fn search<E: Evaluator<Dice>, T: Table>(self, evaluator: E, table: T, mb: u64) -> anyhow::Result<Report> {
        let progress = Progress::new("search", u64::from(self.limits.depth));
        let searcher = Searcher::new(self.dice.clone(), evaluator, table).with_options(self.options.clone());
        let start = Instant::now();
        let result = searcher.search_with(&self.position, &self.limits, |iteration| {
            progress.reach(u64::from(iteration.depth));
        })?;
        let measured = Measured::new(&self.dice, &self.options, &result, start.elapsed());
        let hashfull = searcher.table().hashfull();
        Ok(self.report(&result, measured, mb, hashfull))
    }

    fn report(
        &self,
        result: &SearchResult<<Dice as Game>::Move, <Dice as Game>::Outcome>,
        measured: Measured,
        mb: u64,
        hashfull: u32,
    ) -> Report {
        Report {
            game: "dice".to_owned(),
            position: self.dice.notation(&self.position),
            depth: result.depth,
            algorithm: self.options.algorithm.name(),
            value: measured.value,
            score: measured.score,
            lower: measured.lower,
            upper: measured.upper,
            exact: result.is_exact(),
            best_move: result.best_move.map(|mv| self.dice.move_text(&self.position, mv)),
            nodes: measured.nodes,
            decision_nodes: measured.decision_nodes,
            chance_nodes: measured.chance_nodes,
            leaves: measured.leaves,
            seconds: measured.seconds(),
            table: TableReport {
                table_use: self.options.table_use.name(),
                mb,
                hashfull,
                counts: measured.table,
            },
            evaluations: measured.evaluations,
            successor_probes: measured.successor_probes,
            stopped: result.was_stopped().then_some(reason(result.stopped_by)),
            interrupted: result.interrupted.map(|Interrupted { depth, bounds }| InterruptedReport {
                depth,
                lower: bounds.lower,
                upper: bounds.upper,
            }),
        }
    }
}

/// What ended a search, as the JSON object says it.
fn reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Depth => "depth",
        StopReason::Nodes => "nodes",
        StopReason::Time => "time",
        StopReason::Flag => "interrupt",
    }
}

impl Report {
    /// The answer for people.
    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{name:<12} {value}");
        };
        line("game", &self.game);
        line("position", &self.position);
        line("algorithm", self.algorithm);
        line("depth", &self.depth.to_string());
        match self.value {
            Some(value) => line(
                "value",
                &format!("{value:.7} for the player to roll or move (score {}, exact)", self.lower),
            ),
            None => line("score", &format!("between {} and {}", self.lower, self.upper)),
        }
        line("best move", self.best_move.as_deref().unwrap_or("none: the die is next"));
        let (decision, chance) = (self.decision_nodes, self.chance_nodes);
        line(
            "nodes",
            &format!("{} ({decision} decision, {chance} chance, {} leaves)", self.nodes, self.leaves),
        );
        line("evaluations", &self.evaluations.to_string());
        line("seconds", &format!("{:.6}", self.seconds));
        if let Some(reason) = self.stopped {
            line("stopped by", reason);
        }
        if let Some(InterruptedReport { depth, lower, upper }) = &self.interrupted {
            line("interrupted", &format!("at depth {depth}, score proven between {lower} and {upper}"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
