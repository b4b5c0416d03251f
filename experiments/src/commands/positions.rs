//! Makes suites of positions from self-play.

use crate::cli::files;
use crate::cli::outputs::{check, write_whole};
use crate::cli::values::{self, whole_number};
use crate::cli::{self, BadInput, Ending};
use crate::question::flags::{GameFlags, evaluator_help};
use crate::question::suite;
use clap::Parser;
use serde_json::json;
use starsplit_training::self_play::{paper_head, paper_suite};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Print a suite of positions from seeded self-play, from opening to end
///
/// Of Dice, unless its rules or an evaluator are named, that is the suite "paper": 50 positions from games of
/// the trained network. Of other games the evaluator plays against itself, one move ahead, and makes a fifth
/// of its moves at random; each position is from a game of its own.
#[derive(Debug, Parser)]
#[command(name = "positions", version = crate::cli::VERSION)]
pub(super) struct PositionsArgs {
    /// The game.
    #[command(flatten)]
    game: GameFlags,

    /// Whose moves are played [default: the first of the game's evaluators]
    #[arg(long, value_name = "NAME", long_help = evaluator_help())]
    evaluator: Option<String>,

    /// How many positions
    #[arg(long, value_name = "N", default_value = "50", allow_negative_numbers = true,
          value_parser = whole_number("--count", 1..=10_000))]
    count: u64,

    /// The depth that the suite names for its searches
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    depth: Option<u32>,

    /// Chooses the games
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = whole_number("--seed", 0..=u64::MAX))]
    seed: u64,

    /// The file to write [default: none, the suite is printed]
    ///
    /// One that is there is replaced only if it says that the same command has made it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &PositionsArgs) -> anyhow::Result<Ending> {
    let head = if is_paper(args) { paper_head(args.seed) } else { head(args) };
    let is_own =
        |path: &Path| files::read_head(path, head.len() as u64).is_ok_and(|found| found == head.as_bytes());
    if let Some(out) = &args.out {
        check("--out", out, &format!("positions --seed {}", args.seed), is_own)?;
    }
    let text = if is_paper(args) { paper_suite(args.seed)? } else { head + &suite(args)? };
    if let Some(out) = &args.out {
        let written = write_whole(out, text.as_bytes());
        written.map_err(|error| BadInput::from_error(format!("{error:#}")))?;
    }
    match &args.out {
        Some(out) if args.json => cli::print_json(&json!({ "seed": args.seed, "file": out }))?,
        None if args.json => cli::print_json(&json!({ "seed": args.seed, "suite": text }))?,
        Some(out) => cli::print(&format!("wrote {}\n", out.display()))?,
        None => cli::print(&text)?,
    }
    Ok(Ending::Complete)
}

/// Whether the suite of the paper's board is meant.
fn is_paper(args: &PositionsArgs) -> bool {
    let is_as_usual = args.game.rules.is_none() && args.evaluator.is_none() && args.depth.is_none();
    is_as_usual && args.game.info().name == "dice" && args.count == 50
}

/// How a suite begins, by which it is known: what it is, and the command that makes it.
fn head(args: &PositionsArgs) -> String {
    let mut flags = format!("--game {}", args.game.info().name);
    let named = [("rules", &args.game.rules), ("evaluator", &args.evaluator)];
    for (flag, value) in named.into_iter().filter_map(|(flag, value)| value.as_ref().map(|v| (flag, v))) {
        let _ = write!(flags, " --{flag} {value}");
    }
    if let Some(depth) = args.depth {
        let _ = write!(flags, " --depth {depth}");
    }
    let (count, seed) = (args.count, args.seed);
    format!(
        "# {count} positions from self-play one move ahead, from opening to end; made by\n\
         # cargo run --release -p starsplit-experiments --bin starsplit -- positions {flags} --count {count} \
         --seed {seed}\n"
    )
}

/// What comes after the head: the game, its rules, the depth, one position a line.
fn suite(args: &PositionsArgs) -> Result<String, BadInput> {
    let door = args.game.open()?;
    let evaluator = args.evaluator.as_deref().unwrap_or_else(|| door.default_evaluator());
    let positions = door.self_play(evaluator, args.count as usize, args.seed)?;
    if positions.len() < args.count as usize {
        let complaint = format!("expected at most {}, which is what many games have", positions.len());
        return Err(BadInput::new("count", args.count.to_string(), complaint));
    }
    Ok(suite::text(&*door, args.depth, &positions))
}
