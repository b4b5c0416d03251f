//! Plays games between settings of the search, or against a command.

use starsplit_experiments::cli;
use starsplit_experiments::matches;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: matches::MatchArgs, stop| matches::run(&args, stop)?.print(args.json))
}
