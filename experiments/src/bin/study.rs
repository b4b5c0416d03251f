//! Sets variants of the search beside each other.

use starsplit_experiments::cli;
use starsplit_experiments::study;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: study::StudyArgs, stop| study::run(&args, stop)?.print(args.common.json))
}
