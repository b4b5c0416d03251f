//! Flags of every binary that searches: what is searched, and how.

use crate::cli::values::whole_number;
use crate::cli::{BadInput, in_words};
use crate::question::door::Door;
use crate::question::doors;
use crate::question::suite::{SELF_PLAY, Suite};
use clap::Args;
use starsplit::score::Score;
use starsplit_games::GameInfo;
use std::sync::Arc;

pub use crate::question::tuning::TuningFlags;

/// The greatest table size whose bytes can be counted in 64 bits; what the machine can give is less.
pub const MAX_TABLE_MB: u64 = u64::MAX >> 20;

/// Flags of every binary that searches.
#[derive(Clone, Debug, Args)]
pub struct CommonFlags {
    /// Print one JSON object on standard output and nothing else
    ///
    /// Progress and complaints go to standard error either way.
    #[arg(long)]
    pub json: bool,

    /// Size of the transposition table in MiB
    ///
    /// All threads of a search share one table. It is cleared, and so touched, before every search and
    /// outside the measured time. Too small a table costs time, never exactness.
    #[arg(long, value_name = "MIB", default_value = "128", allow_negative_numbers = true,
          value_parser = whole_number("table-mb", 1..=MAX_TABLE_MB))]
    pub table_mb: u64,

    /// Seed of whatever is random: the evaluations of the evaluator hash-random
    ///
    /// The searches themselves draw nothing at random. With several threads the schedule varies from run to
    /// run, and the node counts with it; values never do.
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("seed", 0..=u64::MAX))]
    pub seed: u64,
}

/// Which game is played.
#[derive(Clone, Debug, Default, Args)]
pub struct GameFlags {
    /// The game.
    #[arg(short, long, value_name = "NAME", value_parser = |name: &str| doors::games().named(name),
          help = game_help(), long_help = game_help())]
    pub game: Option<&'static GameInfo>,

    /// The rules of the game, such as size=5,run=4; what is left out has its default
    #[arg(long, value_name = "RULES", long_help = rules_help())]
    pub rules: Option<String>,
}

impl GameFlags {
    /// The game that is named, or meant.
    pub fn info(&self) -> &'static GameInfo {
        self.game.unwrap_or_else(|| doors::games().default_game())
    }

    /// The door to it.
    ///
    /// # Errors
    /// When the rules are none of the game.
    pub fn open(&self) -> Result<Arc<dyn Door>, BadInput> {
        let complain = |error| match &self.rules {
            Some(rules) => BadInput::named("rules", rules, error),
            None => BadInput::from(error),
        };
        doors::games().open(self.info(), self.rules.as_deref()).map_err(complain)
    }
}

fn game_help() -> String {
    let names: Vec<_> = doors::games().infos().map(|info| info.name).collect();
    format!("The game: {} [default: {}]", names.join(", "), names[0])
}

fn rules_help() -> String {
    let of_game = |info: &GameInfo| format!("{}: {}, {}", info.name, info.default_rules, info.rules_help);
    let games: Vec<_> = doors::games().infos().map(of_game).collect();
    format!("The rules of the game; what is left out has its default\n\n{}.", games.join(".\n\n"))
}

/// How the positions of all games are written.
pub fn position_help() -> String {
    let of_game = |info: &GameInfo| format!("{}: {}", info.name, info.notation_help);
    let games: Vec<_> = doors::games().infos().map(of_game).collect();
    format!(
        "The position in the game's notation [default: the start, its chance events included]\n\n{}.",
        games.join(".\n\n")
    )
}

/// What the evaluators of all games are called.
pub fn evaluator_help() -> String {
    let of_game = |info: &GameInfo| {
        let told: Vec<_> =
            info.evaluators.iter().map(|found| format!("{} ({})", found.name, found.about)).collect();
        format!("{}: {}", info.name, told.join(", "))
    };
    let games: Vec<_> = doors::games().infos().map(of_game).collect();
    format!(
        "Static evaluation of the leaves [default: the first that the rules have]\n\n\
         network:FILE reads weights that train has written, mlp:FILE such as games/weights has. Under other \
         rules some may be missing.\n\n{}",
        games.join("\n\n")
    )
}

/// Flags of the binaries that search a suite of positions and keep records.
#[derive(Clone, Debug, Args)]
pub struct SuiteFlags {
    /// The game.
    #[command(flatten)]
    pub game: GameFlags,

    /// Positions to search: the name of a suite, self-play, or a file [default: the game's first suite]
    ///
    /// "self-play" makes 20 positions of the game, from opening to end, and chooses the depth; it is meant
    /// where a game has no suite. Every game of this project has a suite of its name, of 50 positions from
    /// self-play, from opening to end; that of Dice is called "paper" and is of the board of 5 by 5, from
    /// opening to end. "large" is 7 positions from openings, to depth 19, whose serial searches take 75 to
    /// 235 million nodes each with a table of 256 MiB. "quick" is 8 openings of "paper", "pass" 17 of its
    /// positions under the rules by which a full line passes, and "board-3" to "board-7" are 8 positions each
    /// of boards of other sizes, for the evaluator runs. In a file, lines that begin with # are comments, one
    /// line "rules size=5,run=4,full-line=reroll" comes first (a line "game NAME" before it may name the
    /// game, which is dice otherwise), a line "depth 17" may follow it, which counts unless --depth is given,
    /// and every other line is a position.
    #[arg(long, value_name = "NAME|FILE")]
    pub suite: Option<String>,

    /// Static evaluation of the leaves [default: the first that the rules have]
    #[arg(long, value_name = "NAME", long_help = evaluator_help())]
    pub evaluator: Option<String>,
}

impl SuiteFlags {
    /// The suite.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load(&self) -> Result<Suite, BadInput> {
        let info = self.game.info();
        let own = info.suites.first().map_or(SELF_PLAY, |(name, _)| *name);
        let name = self.suite.as_deref().unwrap_or(own);
        if name == SELF_PLAY {
            let made = Suite::self_played(&self.game.open()?);
            return made.map_err(|error| BadInput::from_error(in_words(&error)));
        }
        let suite = Suite::load(name, self.game.rules.as_deref())?;
        if self.game.game.is_some() && suite.door.game() != info.name {
            let complaint = format!("expected positions of {}, not of {}", info.name, suite.door.game());
            return Err(BadInput::new("suite", name, complaint));
        }
        Ok(suite)
    }

    /// The evaluator that is named, or meant for the suite.
    pub fn evaluator(&self, suite: &Suite) -> &str {
        self.evaluator.as_deref().unwrap_or_else(|| suite.door.default_evaluator())
    }

    /// The suite, of which the scores `expected` may be known and for which the evaluator can be made.
    ///
    /// # Errors
    /// When it cannot be read, there are other numbers of scores, or no such evaluator of it.
    pub(crate) fn check(&self, expected: &ExpectedFlag) -> anyhow::Result<Suite> {
        let suite = self.load()?;
        expected.scores(&suite)?;
        self.check_evaluator(&suite)?;
        Ok(suite)
    }

    /// Whether the evaluator can be made for the suite.
    pub(crate) fn check_evaluator(&self, suite: &Suite) -> anyhow::Result<()> {
        suite.door.evaluator(self.evaluator(suite), 0)?;
        Ok(())
    }
}

/// What the positions of a suite are known to be worth.
#[derive(Clone, Debug, Default, Args)]
pub struct ExpectedFlag {
    /// The scores that the suite's positions have to have, in their order, such as 12,-7,0
    ///
    /// Scores are whole numbers on the game's grid, as "score" in the records. A search that finds another is
    /// an error.
    #[arg(long = "expected", value_name = "LIST", allow_negative_numbers = true, value_delimiter = ',',
          action = clap::ArgAction::Set, value_parser = score)]
    expected: Vec<Score>,
}

impl ExpectedFlag {
    /// The scores, for however many positions they are.
    pub(crate) fn known(&self) -> &[Score] {
        &self.expected
    }

    /// The scores; none where they are not known.
    ///
    /// # Errors
    /// When there are not as many as positions.
    pub(crate) fn scores(&self, suite: &Suite) -> Result<&[Score], BadInput> {
        let (found, needed) = (self.expected.len(), suite.positions.len());
        if found == 0 || found == needed {
            return Ok(&self.expected);
        }
        let complaint = format!("expected one for each of the {needed} positions of suite {}", suite.name);
        Err(BadInput::new("expected", format!("{found} scores"), complaint))
    }
}

fn score(text: &str) -> Result<Score, BadInput> {
    text.trim().parse().map_err(|_| BadInput::new("expected", text, "expected a whole number of 32 bits"))
}
