//! Simulates one search on many machines, each with a table of its own.

use starsplit_experiments::cli;
use starsplit_experiments::simulate::clusters;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: clusters::ClustersArgs, stop| clusters::run(&args, stop)?.print(args.common.json))
}
