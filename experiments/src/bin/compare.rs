//! Compares an algorithm's serial search with its parallel one on a suite of positions.

use starsplit_experiments::cli;
use starsplit_experiments::compare;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: compare::CompareArgs, stop| compare::run(&args, stop)?.print(args.race.common.json))
}
