//! Writes the suite of 50 test positions for the paper's board.

use clap::Parser;
use starsplit_experiments::cli::files;
use starsplit_experiments::cli::outputs::{check, write_whole};
use starsplit_experiments::cli::values::whole_number;
use starsplit_experiments::cli::{self, BadInput, Ending};
use starsplit_experiments::training::self_play::{paper_head, paper_suite};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes 50 positions of Dice from self-play of the trained network.
#[derive(Debug, Parser)]
struct Args {
    /// Chooses the games.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = whole_number("--seed", 0..=u64::MAX))]
    seed: u64,
    /// The file to write. One that is there is replaced only if it says that the same seed has made it.
    #[arg(long, default_value = "games/src/dice/suites/paper.txt")]
    out: PathBuf,
    /// Print one JSON object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    cli::main_with(|args: Args, _| {
        let head = paper_head(args.seed);
        let is_own = |path: &Path| {
            files::read_head(path, head.len() as u64).is_ok_and(|found| found == head.as_bytes())
        };
        check("--out", &args.out, &format!("positions --seed {}", args.seed), is_own)?;
        let write = || write_whole(&args.out, paper_suite(args.seed)?.as_bytes());
        write().map_err(|error| BadInput::from_error(format!("{error:#}")))?;
        if args.json {
            cli::print_json(&serde_json::json!({ "seed": args.seed, "file": args.out }))?;
        } else {
            cli::print(&format!("wrote {}\n", args.out.display()))?;
        }
        Ok(Ending::Complete)
    })
}
