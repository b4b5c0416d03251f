//! Whole games: matches between settings of the search, or with a command, with records and intervals; and
//! what a person plays.

mod answers;
pub mod command;
pub mod engine;
pub mod game;
pub mod jobs;
pub mod level;
pub mod player;
pub mod protocol;
pub mod recorded;
pub mod report;
pub mod rolls;
pub mod session;
pub mod setting;
mod thinking;

use crate::cli::progress::Progress;
use crate::cli::values::{self, whole_number};
use crate::cli::{BadInput, Ending, note};
use crate::matches::game::Rules;
use crate::matches::jobs::Pair;
use crate::matches::recorded::MatchSettings;
use crate::matches::report::MatchReport;
use crate::matches::setting::Setting;
use crate::question::door::Door;
use crate::question::doors::played;
use crate::question::flags::GameFlags;
use crate::records::flags::{Opened, RecordsFlags};
use crate::records::machine::Clock;
use crate::records::meta::RunSettings;
use crate::runner::verdict::Finished;
use clap::Parser;
use starsplit::search::StopFlag;
use starsplit_tables::AnyTable;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const EXPERIMENT: &str = "match";

/// Play games between two settings of the search, or against a command, and tell who is stronger
///
/// Games come in pairs with the same rolls: the n-th event of chance in a game is drawn from the seed, the
/// number of the pair and n alone. In the first of a pair setting one has the first player's side, in the
/// second setting two. In a game for one player each setting plays one of the two, and their scores are
/// compared. What a game is worth is told in the game's own units, rewards included, as setting one sees it;
/// the interval is of Student's t over the pairs.
///
/// A player is not asked where there is one move only, and forgets a game before the next. With settings that
/// are limited by depth alone and search on one thread, games depend on the seed alone, not on --jobs. Those
/// limited by time or nodes do not repeat exactly.
#[derive(Debug, Parser)]
#[command(name = "match", version = crate::cli::VERSION)]
pub struct MatchArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameFlags,

    /// How many games, an even number
    #[arg(long, value_name = "N", default_value = "100", allow_negative_numbers = true, value_parser = games)]
    pub games: u64,

    /// Seed of the rolls, and of random players
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("seed", 0..=u64::MAX))]
    pub seed: u64,

    /// The first setting
    #[arg(long, value_name = "SETTING", value_parser = Setting::read, allow_hyphen_values = true)]
    #[arg(long_help = format!("The first setting: {}", setting::help()))]
    pub one: Setting,

    /// The second setting, written as the first
    #[arg(long, value_name = "SETTING", value_parser = Setting::read, allow_hyphen_values = true)]
    pub two: Setting,

    /// How many games are played at once [default: the machine's processors]
    ///
    /// Each has tables, and processes of commands, of its own. More than the processors are is unfair where
    /// time is limited.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::threads)]
    pub jobs: Option<usize>,

    /// The greatest number of moves and outcomes in a game
    ///
    /// A game that has more is left: it counts the rewards so far and nothing else, as a draw does.
    #[arg(long, value_name = "N", default_value = "100000", allow_negative_numbers = true,
          value_parser = whole_number("max-plies", 1..=u64::MAX))]
    pub max_plies: u64,

    /// How many milliseconds a command may take to answer, beyond those that its level gives it, whatever it
    /// says before
    #[arg(long, value_name = "MS", default_value = "30000", allow_negative_numbers = true,
          value_parser = whole_number("timeout-ms", 1..=1 << 40))]
    pub timeout_ms: u64,

    /// Where the records go.
    #[command(flatten)]
    pub records: RecordsFlags,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    pub json: bool,
}

fn games(text: &str) -> Result<u64, BadInput> {
    let number = text.parse().ok().filter(|games: &u64| *games > 0 && games.is_multiple_of(2));
    number.ok_or_else(|| BadInput::new("games", text, "expected an even number of at least 2"))
}

/// A match that was played, if not to its end.
#[derive(Debug)]
pub struct Played {
    /// What its games come to.
    pub report: MatchReport,
    /// Whether Ctrl-C ended it early.
    pub stopped: bool,
    /// Where the records are.
    pub folder: PathBuf,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or what a player has done wrong.
pub fn run(args: &MatchArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let Played { report, stopped, folder } = play_out(args, &args.game.open()?, stop)?;
    if stopped {
        note("stopped by Ctrl-C: the figures are of the games that were finished");
    }
    let ending = if stopped { Ending::Stopped } else { Ending::Complete };
    Finished::without_values(ending, &report, Some(&folder), format!("{}\n", report.text()))
}

/// Whether [`run`] could begin with these arguments: commands are started and told the game, and end again.
/// Plays and writes nothing.
///
/// # Errors
/// As [`run`].
pub(crate) fn check(args: &MatchArgs) -> anyhow::Result<()> {
    let door = args.game.open()?;
    let ready = Ready::new(args, &door)?;
    // A job's players show what those of the others can do.
    ready.players(&ready.tables[0], &door, &StopFlag::new()).map(drop)
}

/// What a match needs before it can begin.
struct Ready {
    settings: [Setting; 2],
    described: MatchSettings,
    recorded: RunSettings,
    /// Of each job.
    tables: Vec<[AnyTable; 2]>,
    timeout: Duration,
}

impl Ready {
    fn new(args: &MatchArgs, door: &Arc<dyn Door>) -> anyhow::Result<Self> {
        let settings = [args.one.clone(), args.two.clone()];
        played(&**door)?;
        settings.iter().try_for_each(|setting| setting.check(&**door))?;
        let [one, two] = settings.each_ref().map(|setting| setting.recorded(&**door));
        let written = settings.each_ref().map(|setting| setting.text.clone());
        let (seed, max_plies) = (args.seed, args.max_plies);
        let described = MatchSettings { rules: door.rules(), seed, max_plies, one, two, written };
        let recorded = RunSettings::other(&described)?;
        args.records.check((EXPERIMENT, door.game()), recorded.clone(), Clock::Real)?;
        let jobs = args.jobs.unwrap_or_else(values::cores).min(usize::try_from(args.games)?);
        let [first, second] = &settings;
        let tables =
            (0..jobs).map(|_| Ok([first.table()?, second.table()?])).collect::<Result<_, BadInput>>()?;
        let timeout = Duration::from_millis(args.timeout_ms);
        Ok(Ready { settings, described, recorded, tables, timeout })
    }

    /// The players of a job.
    fn players<'t>(
        &self,
        [first, second]: &'t [AnyTable; 2],
        door: &Arc<dyn Door>,
        stop: &StopFlag,
    ) -> anyhow::Result<Pair<'t>> {
        let [one, two] = &self.settings;
        let player = |setting: &Setting, table| setting.player(door, table, self.timeout, stop);
        Ok([player(one, first)?, player(two, second)?])
    }
}

/// Plays the match behind a door, and keeps its records. The stop is raised where something fails.
///
/// # Errors
/// As [`run`].
pub fn play_out(args: &MatchArgs, door: &Arc<dyn Door>, stop: &StopFlag) -> anyhow::Result<Played> {
    let ready = Ready::new(args, door)?;
    // What a command cannot do is known before anything is written.
    let players = ready.tables.iter().map(|tables| ready.players(tables, door, stop));
    let players = players.collect::<anyhow::Result<Vec<_>>>()?;
    let of = (EXPERIMENT, door.game());
    let (mut records, mut lines) = match args.records.open(of, ready.recorded.clone(), Clock::Real)? {
        Opened::New(records) => (records, Vec::new()),
        Opened::Earlier(earlier) => {
            let lines = recorded::games(earlier.lines()).map_err(|complaint| {
                BadInput::new("results folder", earlier.path().to_string_lossy(), complaint)
            })?;
            (earlier.go_on(lines.len()).map_err(BadInput::from_error)?, lines)
        }
    };
    let done: BTreeSet<u64> = lines.iter().map(|line| line.number).collect();
    let numbers: Vec<u64> = (1..=args.games).filter(|number| !done.contains(number)).collect();
    records.plan(None, numbers.len())?;
    let progress = Progress::from(EXPERIMENT, args.games - numbers.len() as u64, args.games);
    let rules = Rules { door: &**door, seed: args.seed, max_plies: args.max_plies, stop };
    jobs::run(&rules, &numbers, players, |line| {
        lines.push(records.append(&line)?);
        progress.advance();
        Ok(())
    })?;
    drop(progress);
    let report = ready.described.report(door.game(), lines);
    Ok(Played { report, stopped: stop.is_raised(), folder: records.path().to_owned() })
}
