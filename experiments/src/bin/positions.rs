//! Writes the suite of 50 test positions for the paper's board.

use anyhow::Result;
use clap::Parser;
use starsplit_experiments::positions::paper_suite;
use starsplit_experiments::training::checkpoint::write_whole;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes 50 positions of Dice from self-play of the trained network.
#[derive(Debug, Parser)]
struct Args {
    /// Chooses the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write.
    #[arg(long, default_value = "experiments/suites/paper.txt")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<()> {
    write_whole(&args.out, paper_suite(args.seed)?.as_bytes())
}
