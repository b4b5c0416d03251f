//! Flags of every binary that searches: what is searched, and how.

use crate::cli::BadInput;
use crate::cli::values::{history, probe_hints, switch, whole_number};
use crate::question::suite::Suite;
use clap::Args;
use starsplit::score::Score;
use starsplit::search::{History, MAX_DEPTH, Options, ProbeHints};
use std::time::Duration;

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

/// Parameters of the algorithms that change how much is searched, never the value.
#[derive(Clone, Debug, Default, Args)]
pub struct TuningFlags {
    /// How many moves of each successor Star2 and Star2-TT probe; 0 switches the probing phase off [default:
    /// 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("probing-factor", 0..=u64::from(u32::MAX)))]
    pub probing_factor: Option<u64>,

    /// Which move of a probe the table keeps to be tried first: always the best tried, cuts only, or ranked
    /// (one that cut, or came first of a ranking by static evaluation) [default: always]
    #[arg(long, value_name = "NAME", value_parser = probe_hints)]
    pub probe_hints: Option<ProbeHints>,

    /// Least depth of a chance node at which Star2-TT looks up all successors before it searches any
    ///
    /// Without the flag: the library's default; in paper_tables the paper's, every chance node.
    #[arg(long, value_name = "DEPTH", allow_negative_numbers = true,
          value_parser = whole_number("successor-probing-depth", 1..=u64::from(MAX_DEPTH)))]
    pub successor_probing_depth: Option<u64>,

    /// Least depth of a node that uses the table
    ///
    /// Without the flag: the library's default; in paper_tables the paper's, every node of a kind that uses
    /// it.
    #[arg(long, value_name = "DEPTH", allow_negative_numbers = true,
          value_parser = whole_number("table-depth", 1..=u64::from(MAX_DEPTH)))]
    pub table_depth: Option<u64>,

    /// Whether a chance node whose leaves share an evaluation is one node: on or off
    ///
    /// Without the flag: the library's default, on; in paper_tables the paper's, off.
    #[arg(long, value_name = "on|off", value_parser = switch("leaf-collapse"))]
    pub leaf_collapse: Option<bool>,

    /// Whether wins that the roll allows at once are seen without a search: on or off
    ///
    /// Without the flag: the library's default, on; in paper_tables the paper's, off.
    #[arg(long, value_name = "on|off", value_parser = switch("static-bounds"))]
    pub static_bounds: Option<bool>,

    /// Least depth of a decision node that looks up all its successors before it searches any; 255 for none
    /// [default: 255]
    #[arg(long, value_name = "DEPTH", allow_negative_numbers = true,
          value_parser = whole_number("move-probing-depth", 1..=u64::from(u8::MAX)))]
    pub move_probing_depth: Option<u64>,

    /// Least depth of a decision node that is searched two plies less deep first where the table has no move
    /// for it; 255 for none [default: 255]
    #[arg(long, value_name = "DEPTH", allow_negative_numbers = true,
          value_parser = whole_number("internal-deepening-depth", 1..=u64::from(u8::MAX)))]
    pub internal_deepening_depth: Option<u64>,

    /// From what the history heuristic learns: live, frozen, subtree, table or none [default: live]
    ///
    /// Matters where the ordering uses it: paper at every node, hybrid near the leaves.
    #[arg(long, value_name = "NAME", value_parser = history)]
    pub history: Option<History>,

    /// How many microseconds an iteration has to be expected to take for other threads to be called; 0 calls
    /// them at once
    ///
    /// Shorter searches are the serial one. Simulated searches have all their processors from the beginning.
    /// Without the flag: the library's default.
    #[arg(long, value_name = "US", allow_negative_numbers = true,
          value_parser = whole_number("helpers-after-us", 0..=3_600_000_000))]
    pub helpers_after_us: Option<u64>,

    /// Least depth of a node whose successors are split among threads
    ///
    /// Smaller gives every thread work sooner, greater costs less bookkeeping. Without the flag: the
    /// library's default.
    #[arg(long, value_name = "DEPTH", allow_negative_numbers = true,
          value_parser = whole_number("split-depth", 1..=u64::from(MAX_DEPTH)))]
    pub split_depth: Option<u64>,

    /// Least size of a search that is split among threads, in nodes as searches at that depth have taken so
    /// far
    ///
    /// A search ten times as large is split at once, others only while some thread is without work. Without
    /// the flag: the library's default.
    #[arg(long, value_name = "NODES", allow_negative_numbers = true,
          value_parser = whole_number("split-size", 0..=u64::MAX))]
    pub split_size: Option<u64>,
}

impl TuningFlags {
    /// `options` with what these flags set.
    #[must_use]
    pub fn applied_to(&self, mut options: Options) -> Options {
        // The readers keep each number within its field.
        if let Some(factor) = self.probing_factor {
            options.probing_factor = factor as u32;
        }
        if let Some(hints) = self.probe_hints {
            options.probe_hints = hints;
        }
        if let Some(depth) = self.successor_probing_depth {
            options.successor_probing_depth = depth as u8;
        }
        if let Some(depth) = self.table_depth {
            options.table_depth = depth as u8;
        }
        if let Some(is_on) = self.leaf_collapse {
            options.leaf_collapse = is_on;
        }
        if let Some(is_on) = self.static_bounds {
            options.static_bounds = is_on;
        }
        if let Some(depth) = self.move_probing_depth {
            options.move_probing_depth = depth as u8;
        }
        if let Some(depth) = self.internal_deepening_depth {
            options.internal_deepening_depth = depth as u8;
        }
        if let Some(history) = self.history {
            options.history = history;
        }
        if let Some(micros) = self.helpers_after_us {
            options.helpers_after = Duration::from_micros(micros);
        }
        if let Some(depth) = self.split_depth {
            options.split_depth = depth as u8;
        }
        if let Some(nodes) = self.split_size {
            options.split_size = nodes;
        }
        options
    }
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
    /// The suite, of which the scores `expected` may be known and for which the evaluator can be made.
    ///
    /// # Errors
    /// When it cannot be read, there are other numbers of scores, or no such evaluator of it.
    pub(crate) fn check(&self, expected: &ExpectedFlag) -> anyhow::Result<Suite> {
        let suite = Suite::load(&self.suite).map_err(BadInput::from_error)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuning_flags_change_only_what_they_name() {
        let flags = TuningFlags {
            probing_factor: Some(3),
            probe_hints: Some(ProbeHints::Cuts),
            helpers_after_us: Some(40),
            split_depth: Some(7),
            leaf_collapse: Some(false),
            static_bounds: Some(false),
            move_probing_depth: Some(4),
            internal_deepening_depth: Some(6),
            ..TuningFlags::default()
        };
        let expected = Options {
            probing_factor: 3,
            probe_hints: ProbeHints::Cuts,
            helpers_after: Duration::from_micros(40),
            split_depth: 7,
            leaf_collapse: false,
            static_bounds: false,
            move_probing_depth: 4,
            internal_deepening_depth: 6,
            ..Options::default()
        };
        assert_eq!(flags.applied_to(Options::default()), expected);
    }
}
