//! Flags of every binary that searches: what is searched, and how.

use crate::cli::BadInput;
use crate::cli::values::whole_number;
use crate::question::suite::Suite;
use clap::Args;
use starsplit::score::Score;

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

/// Flags of the binaries that search a suite of positions and keep records.
#[derive(Clone, Debug, Args)]
pub struct SuiteFlags {
    /// Positions to search: the name of a suite, or a file
    ///
    /// "paper" is 50 positions of 5x5 Dice from self-play, from opening to end. "large" is 7 positions from
    /// openings, to depth 19, whose serial searches take 75 to 235 million nodes each with a table of 256
    /// MiB. "quick" is 8 openings of "paper", "pass" 17 of its positions under the rules by which a full line
    /// passes, and "board-3" to "board-7" are 8 positions each of boards of other sizes, for the evaluator
    /// runs. In a file, lines that begin with # are comments, one line "rules size=5,run=4,full-line=reroll"
    /// comes first (a line "game NAME" before it may name the game, which is dice otherwise), a line "depth
    /// 17" may follow it, which counts unless --depth is given, and every other line is a position.
    #[arg(long, value_name = "NAME|FILE", default_value = "paper")]
    pub suite: String,

    /// Static evaluation of the leaves: constant, hash-random, runs, network or network:FILE
    ///
    /// "network" is the trained network that comes with the library, for a board of 5 by 5 with runs of 4;
    /// "network:FILE" reads weights that the binary train has written. "runs" counts unfinished runs,
    /// "constant" calls every leaf even, and "hash-random" draws evaluations from the position and --seed.
    #[arg(long, value_name = "NAME", default_value = "network")]
    pub evaluator: String,
}

impl SuiteFlags {
    /// The suite.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load(&self) -> Result<Suite, BadInput> {
        Suite::load(&self.suite).map_err(BadInput::from_error)
    }

    /// The suite, of which the scores `expected` may be known and for which the evaluator can be made.
    ///
    /// # Errors
    /// When it cannot be read, there are other numbers of scores, or no such evaluator of it.
    pub(crate) fn check(&self, expected: &ExpectedFlag) -> anyhow::Result<Suite> {
        let suite = self.load()?;
        expected.scores(&suite)?;
        suite.door.evaluator(&self.evaluator, 0)?;
        Ok(suite)
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
