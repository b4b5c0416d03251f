//! Searches smaller games beside the full one.

use starsplit_experiments::cli;
use starsplit_experiments::smaller;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: smaller::SmallerArgs, stop| smaller::run(&args, stop)?.print(args.common.json))
}
