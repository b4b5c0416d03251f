//! Counts the lines of play of a game.

use crate::cli::progress::Progress;
use crate::cli::values::whole_number;
use crate::cli::{self, Ending};
use crate::question::flags::{GameFlags, position_help};
use crate::question::given;
use clap::Parser;
use serde::Serialize;
use starsplit::search::StopFlag;
use std::fmt::Write;

/// Count the lines of play of exactly 1, 2, ... plies, a move and a chance outcome being a ply each
///
/// A line that ends earlier counts nothing. Moves or outcomes that lead from one position to the same
/// position are one. What is counted when Ctrl-C is pressed is printed.
#[derive(Debug, Parser)]
#[command(name = "perft", version = crate::cli::VERSION)]
pub(super) struct PerftArgs {
    /// The game.
    #[command(flatten)]
    game: GameFlags,

    /// The position in the game's notation [default: the start, its chance events included]
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true, long_help = position_help())]
    position: Option<String>,

    /// How many plies, 1 to 254
    #[arg(long, value_name = "N", default_value = "4", allow_negative_numbers = true,
          value_parser = whole_number("depth", 1..=254))]
    depth: u64,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PerftReport {
    game: &'static str,
    rules: String,
    position: String,
    /// How many plies the longest lines counted have.
    depth: usize,
    /// The lines of 1, 2, ... plies.
    counts: Vec<u64>,
}

pub(super) fn run(args: &PerftArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let door = args.game.open()?;
    let position = given::or_initial(&*door, args.position.as_deref())?;
    let progress = Progress::new("perft", args.depth);
    let mut counts = Vec::new();
    for depth in 1..=args.depth {
        let Some(lines) = door.perft(&position, depth as u32, &mut || !stop.is_raised())? else { break };
        counts.push(lines);
        progress.reach(depth);
    }
    drop(progress);
    let is_complete = counts.len() as u64 == args.depth;
    let (game, rules) = (door.game(), door.rules());
    let report = PerftReport { game, rules, position: position.text, depth: counts.len(), counts };
    if args.json {
        cli::print_json(&report)?;
    } else {
        cli::print(&report.text())?;
    }
    Ok(if is_complete { Ending::Complete } else { Ending::Stopped })
}

impl PerftReport {
    fn text(&self) -> String {
        let mut text = format!("{}, {}, from {}\n", self.game, self.rules, self.position);
        for (plies, lines) in (1..).zip(&self.counts) {
            let _ = writeln!(text, "{plies:>4} plies: {lines}");
        }
        text
    }
}
